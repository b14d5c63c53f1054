//! Link previews: only on servers with a public address, and without names.

use std::sync::Arc;

use axum::body::to_bytes;
use spoton_web::limits::Limits;
use spoton_web::place::Place;
use spoton_web::store::memory::MemoryStore;

use crate::operation::support::{Ask, Server, get};

const PUBLIC: &str = "https://duels.example.org";

fn at(path: &str) -> Ask {
    Ask { headers: vec![("host", "duels.example.org".to_owned())], ..get(path) }
}

#[tokio::test]
async fn a_public_server_has_link_previews_without_names() {
    let place = Place { base_url: Some(PUBLIC.parse().unwrap()), ..Place::default() };
    let public = Server::on(Arc::new(MemoryStore::default()), Limits::default(), place);
    let invite =
        Ask { method: "POST", body: "mode=friend&game=number-maze&name=Annegret".to_owned(), ..at("/new") };
    let invite = invite.with("origin", PUBLIC).with("content-type", "application/x-www-form-urlencoded");
    let board = public.ask(invite).await;
    let invitation = board.header("location").replace("/r/", "/j/");
    for path in ["/", "/games/race-to-23", &invitation] {
        let page = public.ask(at(path)).await.text;
        let (head, _) = page.split_once("</head>").expect(path);
        for property in ["og:title", "og:description", &format!("og:url\" content=\"{PUBLIC}{path}")] {
            assert!(head.contains(property), "{path}: {property}: {head}");
        }
        assert!(!head.contains("Annegret"), "{path}: {head}");
        let (_, picture) = head.split_once(&format!("og:image\" content=\"{PUBLIC}")).expect(path);
        let response = public.begin(at(picture.split('"').next().unwrap())).await;
        assert_eq!(response.headers()["content-type"], "image/png", "{path}");
        let picture = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{path}");
    }
    // Others can't be reached by messengers.
    let local = Server::start(Limits::default());
    for path in ["/", "/games/race-to-23"] {
        let page = local.ask(get(path)).await.text;
        assert!(!page.contains("og:") && page.contains("rel=\"manifest\""), "{path}: {page}");
    }
}
