//! The JSON API without a socket, on both stores.

mod beginnings;
mod rounds;
mod truth;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use serde_json::{Value as Json, json};
use spoton_web::app::app;
use spoton_web::place::Place;
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;
use spoton_web::tables::Tables;
use tower::ServiceExt;

/// A server without a socket.
pub struct Server {
    app: Router,
    pub tables: Tables,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Json,
}

impl Server {
    pub fn start() -> Server {
        Server::on(Arc::new(MemoryStore::default()))
    }

    pub fn on(store: Arc<dyn Store>) -> Server {
        let (tables, _) = Tables::open(store, Duration::ZERO);
        Server { app: app(tables.clone(), Place::default()), tables }
    }

    /// Sends a request with these headers.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &Json) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        request = request.header("host", "localhost").header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let response = self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes).into_owned()));
        Answer { status, body }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], &Json::Null).await
    }

    pub async fn post(&self, path: &str, token: &str, body: Json) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers: &[(&str, &str)] = if token.is_empty() { &[] } else { &[("authorization", &bearer)] };
        self.send("POST", path, headers, &body).await
    }

    /// Creates a table with two programs. Returns its id and both tokens.
    pub async fn table(&self, asked: Json) -> (String, String, String) {
        let set = self.post("/rounds", "", asked).await;
        assert_eq!(set.status, StatusCode::CREATED, "{set:?}");
        let id = text(&set.body["id"]);
        let secret = text(&set.body["invitation"]["secret"]);
        let taken = self.post(&format!("/rounds/{id}/seats"), "", json!({ "secret": secret })).await;
        assert_eq!((taken.status, &taken.body["seat"]), (StatusCode::OK, &json!(2)), "{taken:?}");
        (id, text(&set.body["tokens"]["1"]), text(&taken.body["token"]))
    }
}

pub fn text(json: &Json) -> String {
    json.as_str().unwrap_or_else(|| panic!("{json} isn't text")).to_owned()
}
