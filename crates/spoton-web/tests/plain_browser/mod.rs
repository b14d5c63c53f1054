//! A test browser without scripts. It follows redirects and keeps cookies.

// Not every test needs all of it.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use spoton_web::app::app;
use spoton_web::ids::{Hash, Secret, SittingId};
use spoton_web::place::Place;
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::{Store, WaitsFor};
use spoton_web::tables::Tables;
use tower::ServiceExt;

/// A server in process.
pub struct Server {
    pub app: Router,
    pub tables: Tables,
}

pub fn server() -> Server {
    server_with(Arc::new(MemoryStore::default()))
}

pub fn server_with(store: Arc<dyn Store>) -> Server {
    let (tables, _) = Tables::open(store, Duration::ZERO);
    Server { app: app(tables.clone(), Place::default()), tables }
}

impl Server {
    pub fn browser(&self) -> Browser {
        self.browser_at("localhost:8080")
    }

    /// A browser that uses another address of the server.
    pub fn browser_at(&self, host: &'static str) -> Browser {
        Browser { app: self.app.clone(), cookies: HashMap::new(), host }
    }

    /// Waits until it's a person's turn or the round is over.
    pub async fn wait_for_people(&self, page: &Page) {
        let id = page.id();
        let mut news = self.tables.live.watch(id);
        loop {
            let waits_for = self.tables.rooms.room(id).await.unwrap().listed().waits_for;
            if waits_for != WaitsFor::Computer {
                return;
            }
            news.changed().await.unwrap();
        }
    }
}

#[derive(Clone)]
pub struct Browser {
    pub app: Router,
    cookies: HashMap<String, String>,
    host: &'static str,
}

#[derive(Debug)]
pub struct Page {
    pub status: StatusCode,
    /// The path after the last redirect, without the query string.
    pub path: String,
    pub headers: HeaderMap,
    pub text: String,
}

impl Browser {
    /// Its holder hash in the store.
    pub fn holder(&self) -> Hash {
        Secret::sent(&self.cookies["seat"]).hash()
    }

    async fn send(&mut self, method: &str, path: &str, form: Option<String>) -> Page {
        let (mut method, mut path, mut form) = (method.to_owned(), path.to_owned(), form);
        for _ in 0..5 {
            let mut request = Request::builder().method(method.as_str()).uri(&path).header("host", self.host);
            request = request.header("origin", format!("http://{}", self.host));
            if let Some(key) = self.cookies.get("seat") {
                request = request.header("cookie", format!("seat={key}"));
            }
            if form.is_some() {
                request = request.header("content-type", "application/x-www-form-urlencoded");
            }
            let body = form.take().map_or_else(Body::empty, Body::from);
            let response = self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
            for cookie in response.headers().get_all("set-cookie") {
                let cookie = cookie.to_str().unwrap();
                assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
                let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
            let (status, headers) = (response.status(), response.headers().clone());
            if status == StatusCode::SEE_OTHER {
                path = headers["location"].to_str().unwrap().to_owned();
                method = "GET".to_owned();
                continue;
            }
            let bytes = to_bytes(response.into_body(), 4 << 20).await.unwrap();
            let text = String::from_utf8(bytes.into()).unwrap();
            let path = path.split('?').next().unwrap_or_default().to_owned();
            return Page { status, path, headers, text };
        }
        panic!("{path}: too many redirects");
    }

    pub async fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, None).await
    }

    /// Sends a form as browsers do, with CRLF line endings.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let encode = |text: &str| -> String {
            let byte = |byte: u8| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                byte => format!("%{byte:02X}"),
            };
            text.replace('\n', "\r\n").bytes().map(byte).collect()
        };
        let form: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        self.send("POST", path, Some(form.join("&"))).await
    }

    /// Sends JSON, as a script on a page would.
    pub async fn post_json(&self, path: &str, body: &'static str) -> Page {
        let mut request = Request::builder().method("POST").uri(path).header("host", self.host);
        request = request.header("origin", format!("http://{}", self.host));
        request = request.header("content-type", "application/json");
        if let Some(key) = self.cookies.get("seat") {
            request = request.header("cookie", format!("seat={key}"));
        }
        let response = self.app.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), 4 << 20).await.unwrap();
        Page { status, path: path.to_owned(), headers, text: String::from_utf8(bytes.into()).unwrap() }
    }

    /// A board's stream.
    pub async fn listen(&self, path: &str) -> BodyDataStream {
        let request = Request::builder().uri(format!("{path}/stream")).header("host", self.host);
        let request = request.header("cookie", format!("seat={}", self.cookies["seat"]));
        let response = self.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        response.into_body().into_data_stream()
    }

    /// Posts an action of a board.
    pub async fn act(&mut self, page: &Page, what: &str) -> Page {
        self.post(&format!("{}/{what}", page.path), &[]).await
    }

    /// Makes the first legal move.
    pub async fn first_move(&mut self, page: &Page) -> Page {
        let (written, seq) =
            (page.moves().swap_remove(0), page.between("name=\"seq\" value=\"", "\"").unwrap());
        self.post(&format!("{}/move", page.path), &[("move", &written), ("seq", &seq)]).await
    }
}

/// Decodes HTML character references.
pub fn unescaped(html: &str) -> String {
    let signs = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    signs.iter().fold(html.to_owned(), |text, (sign, c)| text.replace(sign, c))
}

impl Page {
    /// The page with character references decoded.
    pub fn read(&self) -> String {
        unescaped(&self.text)
    }

    /// Whether the page offers moves.
    pub fn can_move(&self) -> bool {
        self.text.contains("id=\"choices\"")
    }

    /// The text between a beginning and the next end.
    pub fn between(&self, beginning: &str, end: &str) -> Option<String> {
        let (_, rest) = self.text.split_once(beginning)?;
        Some(rest.split_once(end)?.0.to_owned())
    }

    /// The board's sitting id.
    pub fn id(&self) -> SittingId {
        let id = self
            .path
            .strip_prefix("/r/")
            .unwrap_or_else(|| panic!("{} is no board: {}", self.path, self.text));
        id.parse().unwrap()
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<String> {
        let buttons = self.text.split("<button name=\"move\" value=\"").skip(1);
        let enabled =
            buttons.filter(|button| !button.split('>').next().unwrap_or_default().contains("disabled"));
        enabled.filter_map(|button| Some(button.split_once('"')?.0.replace("&#43;", "+"))).collect()
    }

    /// Asserts a strict content policy and no inline code.
    pub fn is_safe(&self) {
        let policy = self.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{}", self.path);
        for inline in
            ["<style", " style=\"", "<script>", " onclick=", " onload=", "javascript:", "src=\"http"]
        {
            assert!(!self.text.contains(inline), "{}: {inline}", self.path);
        }
    }
}
