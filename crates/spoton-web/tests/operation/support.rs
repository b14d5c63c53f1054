//! A server without a socket and with lower limits, and requests from any address.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::{Extension, Router};
use serde_json::{Value as Json, json};
use spoton_web::address::Peer;
use spoton_web::app::app;
use spoton_web::limits::Limits;
use spoton_web::place::Place;
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;
use spoton_web::tables::Tables;
use tower::ServiceExt;

#[derive(Clone)]
pub struct Server {
    pub app: Router,
    pub tables: Tables,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{self:?} isn't JSON"))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns whether the answer shows when to retry.
    pub fn says_when(&self) -> bool {
        self.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds >= 1)
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct Ask {
    pub method: &'static str,
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    pub from: Option<&'static str>,
}

pub fn get(path: &str) -> Ask {
    let headers = vec![("host", "localhost".to_owned())];
    Ask { method: "GET", path: path.to_owned(), headers, body: String::new(), from: None }
}

/// Returns a page's form request.
pub fn form(path: &str, form: &str) -> Ask {
    let ask = Ask { method: "POST", body: form.to_owned(), ..get(path) };
    let ask = ask.with("origin", "http://localhost");
    ask.with("content-type", "application/x-www-form-urlencoded")
}

/// Returns a program's request.
pub fn post(path: &str, body: &Json) -> Ask {
    let ask = Ask { method: "POST", body: body.to_string(), ..get(&format!("/api/v1{path}")) };
    ask.with("content-type", "application/json")
}

impl Ask {
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Ask {
        self.headers.push((name, value.into()));
        self
    }

    pub fn token(self, token: &str) -> Ask {
        self.with("authorization", format!("Bearer {token}"))
    }

    pub fn cookie(self, key: &str) -> Ask {
        self.with("cookie", format!("seat={key}"))
    }

    /// Sets the client's address.
    pub fn from(mut self, address: &'static str) -> Ask {
        self.from = Some(address);
        self
    }
}

/// Returns a valid browser key.
pub fn browser(number: usize) -> String {
    format!("{number:052}")
}

impl Server {
    pub fn start(limits: Limits) -> Server {
        Server::on(Arc::new(MemoryStore::default()), limits, Place::default())
    }

    pub fn on(store: Arc<dyn Store>, limits: Limits, place: Place) -> Server {
        let (tables, _) = Tables::open_with(store, Duration::ZERO, limits);
        Server { app: app(tables.clone(), place), tables }
    }

    /// Sends a request and returns as soon as the answer starts.
    pub async fn begin(&self, ask: Ask) -> axum::response::Response {
        let mut request = Request::builder().method(ask.method).uri(&ask.path);
        for (name, value) in &ask.headers {
            request = request.header(*name, value);
        }
        let request = request.body(Body::from(ask.body)).unwrap();
        match ask.from {
            Some(address) => {
                let peer = Peer(SocketAddr::new(address.parse().unwrap(), 4711));
                self.app.clone().layer(Extension(peer)).oneshot(request).await.unwrap()
            }
            None => self.app.clone().oneshot(request).await.unwrap(),
        }
    }

    pub async fn ask(&self, ask: Ask) -> Answer {
        let response = self.begin(ask).await;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), 16 << 20).await.unwrap();
        Answer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// Creates a table with one program in both seats. Returns its id and token.
    pub async fn table(&self) -> (String, String) {
        let asked = json!({ "game": "number-maze", "target": 1000, "seats": ["me", "me"] });
        let set = self.ask(post("/rounds", &asked)).await;
        assert_eq!(set.status, StatusCode::CREATED, "{set:?}");
        let set = set.json();
        (set["id"].as_str().unwrap().to_owned(), set["tokens"]["1"].as_str().unwrap().to_owned())
    }
}
