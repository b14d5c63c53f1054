//! Static files are sent compressed, and only once.

use std::io::Read;

use axum::body::to_bytes;
use axum::http::StatusCode;
use spoton_web::limits::Limits;
use spoton_web::pages;

use crate::operation::support::{Server, get};

#[tokio::test]
async fn a_file_is_compressed_on_request_and_sent_once() {
    let server = Server::start(Limits::default());
    let plain = server.ask(get("/static/app.css")).await;
    assert_eq!((plain.status, plain.header("content-encoding")), (StatusCode::OK, ""));
    let packed =
        server.begin(get("/static/app.css").with("accept-encoding", "deflate, gzip;q=0.8, br")).await;
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert_eq!(packed.headers()["vary"], "accept-encoding");
    assert_eq!(packed.headers()["content-type"], plain.header("content-type"));
    let tag = packed.headers()["etag"].to_str().unwrap().to_owned();
    assert_ne!(tag, plain.header("etag"), "the bytes differ");
    let bytes = to_bytes(packed.into_body(), 1 << 20).await.unwrap();
    assert!(bytes.len() < plain.text.len() / 2, "{} of {}", bytes.len(), plain.text.len());
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, plain.text);
    // A client with the current file gets 304 without a body.
    for (known, form) in
        [(tag.as_str(), "gzip"), (plain.header("etag"), ""), (&format!("\"x\", W/{tag}"), "gzip")]
    {
        let again = get("/static/app.css").with("if-none-match", known).with("accept-encoding", form);
        let again = server.ask(again).await;
        assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""), "{known}");
        assert!(!again.header("etag").is_empty() && !again.header("content-security-policy").is_empty());
    }
    for form in ["", "br", "gzip;q=0", "x-gzip"] {
        let answer = server.ask(get("/static/app.css").with("accept-encoding", form)).await;
        assert_eq!((answer.header("content-encoding"), &answer.text), ("", &plain.text), "{form}");
    }
    let other = server.ask(get("/static/app.js").with("if-none-match", tag)).await;
    assert_eq!(other.status, StatusCode::OK, "another file is another file");
}

/// The home page with everything that it loads, in bytes on the wire.
#[tokio::test]
async fn the_first_page_is_small() {
    let server = Server::start(Limits::default());
    let home = server.ask(get("/")).await.text;
    let mut bytes = home.len();
    let mut loaded = 0;
    let links = home.split(['"', '\'']).filter(|link| link.starts_with("/static/"));
    for link in links {
        let response = server.begin(get(link).with("accept-encoding", "gzip")).await;
        assert_eq!(response.status(), StatusCode::OK, "{link}");
        let headers: usize =
            response.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        bytes += headers + to_bytes(response.into_body(), 1 << 20).await.unwrap().len();
        loaded += 1;
    }
    assert!(loaded >= 3, "a style sheet, a script and an icon");
    assert!(bytes < 60_000, "{bytes} bytes");
}

/// All scripts together, compressed.
#[tokio::test]
async fn the_scripts_are_small() {
    let server = Server::start(Limits::default());
    let scripts: Vec<&str> =
        pages::routes().into_iter().map(|route| route.path).filter(|path| path.ends_with(".js")).collect();
    assert!(scripts.len() > 4, "{scripts:?}");
    let mut bytes = 0;
    for script in scripts {
        let response = server.begin(get(script).with("accept-encoding", "gzip")).await;
        assert_eq!(response.headers()["content-encoding"], "gzip", "{script}");
        bytes += to_bytes(response.into_body(), 1 << 20).await.unwrap().len();
    }
    assert!(bytes < 20_000, "{bytes} bytes");
}
