//! W5: every answer has the security headers.

use axum::http::{HeaderMap, StatusCode};
use serde_json::json;
use spoton_web::api;
use spoton_web::limits::Limits;
use spoton_web::place::Place;
use spoton_web::routes::Route;
use spoton_web::store::memory::MemoryStore;

use crate::operation::support::{Ask, Server, form, get, post};

fn has_all(headers: &HeaderMap, what: &str) {
    let value = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap());
    let policy = value("content-security-policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{what}: {headers:?}");
    assert!(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"), "{what}");
    assert_eq!(value("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(value("referrer-policy"), "same-origin", "{what}");
    assert_eq!(value("cross-origin-resource-policy"), "same-origin", "{what}");
    // Caches on the way mustn't store personal answers; every answer has cache headers.
    let is_personal = ["/r/", "/j/", "/api/v1/rounds"].iter().any(|part| what.contains(part));
    let kept = value("cache-control");
    assert!(kept == "no-store" || !is_personal && !kept.is_empty(), "{what}: {headers:?}");
    assert!(
        headers.get("server").is_none() && headers.get("access-control-allow-origin").is_none(),
        "{what}"
    );
}

/// Returns the addresses of a page of every kind. Links lead to any page that's missing here.
fn page_addresses(id: &str) -> Vec<String> {
    let pages = ["/", "/games", "/games/number-maze", "/nothing", "/static/app.css", "/static/nothing"];
    let of_round = ["/r/ID", "/j/ID", "/r/ID/look-back", "/r/ID/stream", "/r/ID/nothing", "/r/x"];
    pages.iter().chain(&of_round).map(|path| path.replace("ID", id)).collect()
}

#[tokio::test]
async fn the_headers_are_on_every_answer() {
    let server = Server::start(Limits::default());
    let (id, token) = server.table().await;
    let mut asked: Vec<Ask> = Vec::new();
    let mut addresses = page_addresses(&id);
    // These pages, and everything that they link to.
    let mut looked_at = 0;
    while let Some(page) = addresses.get(looked_at).cloned() {
        looked_at += 1;
        let response = server.begin(get(&page)).await;
        let kind = response.headers().get("content-type").map_or("", |kind| kind.to_str().unwrap());
        if !kind.starts_with("text/html") {
            continue;
        }
        let text = server.ask(get(&page)).await.text;
        for attribute in ["href=\"", "src=\"", "action=\""] {
            for link in text.split(attribute).skip(1) {
                let link = link.split(['"', '#']).next().unwrap();
                if link.starts_with('/') && !addresses.iter().any(|known| known == link) {
                    addresses.push(link.to_owned());
                }
            }
        }
    }
    assert!(addresses.len() > 25, "every game has a link: {addresses:?}");
    for Route { path, .. } in api::routes() {
        addresses.push(format!("/api/v1{}", path.replace("{id}", &id).replace("{name}", "number-maze")));
        addresses.push(format!("/api/v1{}", path.replace("{id}", "x").replace("{name}", "x")));
    }
    for address in &addresses {
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "NONSENSE"] {
            let plain = Ask { method, ..get(address) };
            let own = plain.clone().with("origin", "http://localhost");
            let json = Ask { body: "{}".to_owned(), ..own.clone() }.with("content-type", "application/json");
            let seated = json.clone().token(&token);
            let large = Ask { body: "x".repeat(100_000), ..json.clone() };
            let broken = Ask { body: "{".to_owned(), ..json.clone() };
            asked.extend([plain, own, json, seated, large, broken]);
        }
        asked.push(Ask { headers: vec![("host", "evil.example".to_owned())], ..get(address) });
        asked.push(Ask { headers: vec![], ..get(address) });
    }
    let mut statuses = std::collections::BTreeSet::new();
    for ask in asked {
        let what = format!("{} {} {:?}", ask.method, ask.path, ask.headers);
        // Streams don't end; their start is enough.
        let response = server.begin(ask).await;
        has_all(response.headers(), &what);
        let (status, kind) = (response.status(), response.headers().get("content-type").cloned());
        statuses.insert(status.as_u16());
        let is_busy =
            status == StatusCode::SERVICE_UNAVAILABLE && response.headers().contains_key("retry-after");
        assert!(!status.is_server_error() || is_busy, "{what}: {status}");
        if status.is_client_error() {
            // Returns an error in the client's format.
            let wanted =
                if what.contains("/api/") { "application/problem+json" } else { "text/html; charset=utf-8" };
            assert_eq!(kind.unwrap(), wanted, "{what}: {status}");
        }
    }
    for expected in [200, 303, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422] {
        assert!(statuses.contains(&expected), "{expected} never occurred: {statuses:?}");
    }
}

/// https adds two headers; plain HTTP doesn't.
#[tokio::test]
async fn a_safe_connection_stays_safe() {
    let place = Place { base_url: Some("https://duels.example".parse().unwrap()), ..Place::default() };
    let server = Server::on(std::sync::Arc::new(MemoryStore::default()), Limits::default(), place);
    let safe = |ask: Ask| Ask { headers: vec![("host", "duels.example".to_owned())], ..ask };
    for path in ["/", "/static/app.js", "/api/v1/games", "/nothing"] {
        let answer = server.ask(safe(get(path))).await;
        assert_eq!(answer.header("strict-transport-security"), "max-age=31536000", "{path}");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{path}");
    }
    let plain = Server::start(Limits::default());
    let answer = plain.ask(get("/")).await;
    assert_eq!((answer.header("strict-transport-security"), answer.status), ("", StatusCode::OK));
    // A forged host header doesn't change links.
    let set = post("/rounds", &json!({ "game": "number-maze" })).with("x-forwarded-host", "evil.example");
    assert!(!plain.ask(set).await.text.contains("evil.example"));
    let waiting = plain.ask(form("/new", "mode=friend").with("x-forwarded-host", "evil.example")).await;
    assert!(waiting.header("location").starts_with("/r/"), "{waiting:?}");
}
