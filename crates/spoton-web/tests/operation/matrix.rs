//! W1: only a seat's holder may act. The commands come from the route table, so that none is forgotten.

use axum::http::StatusCode;
use serde_json::json;
use spoton_web::api;
use spoton_web::ids::SittingId;
use spoton_web::limits::Limits;
use spoton_web::routes::Route;

use crate::operation::support::{Ask, Server, get, post};

#[tokio::test]
async fn every_command_is_refused_unless_the_holder_sends_it() {
    let server = Server::start(Limits::default());
    let set = async |terms: &str| {
        let asked = format!("{{\"game\": \"number-maze\", \"target\": 1000, \"terms\": {terms}}}");
        let set = server.ask(Ask { body: asked, ..post("/rounds", &json!({})) }).await.json();
        let id = set["id"].as_str().unwrap().to_owned();
        let secret = set["invitation"]["secret"].as_str().unwrap().to_owned();
        let taken =
            server.ask(post(&format!("/rounds/{id}/seats"), &json!({ "secret": secret }))).await.json();
        let token = |token: &serde_json::Value| token.as_str().unwrap().to_owned();
        (id, token(&set["tokens"]["1"]), token(&taken["token"]), secret)
    };
    let (id, one, two, burnt) = set("{\"hints\": true}").await;
    let (other, stranger, _, _) = set("{}").await;
    let moved = post(&format!("/rounds/{id}/moves"), &json!({ "move": "x2", "expected_seq": 2 }));
    assert_eq!(server.ask(moved.token(&one)).await.status, StatusCode::OK);
    let log = async || {
        let sittings = [&id, &other].map(|id| id.parse::<SittingId>().unwrap());
        let mut log = Vec::new();
        for id in sittings {
            log.push(server.tables.store.events(id, 0, 1000).await.unwrap());
        }
        log
    };
    let before = log().await;
    let mut commands = 0;
    for Route { path, .. } in api::routes() {
        let takes_post =
            server.ask(Ask { method: "POST", ..get(&format!("/api/v1{}", path.replace("{id}", &id))) });
        if !path.starts_with("/rounds/{id}/") || takes_post.await.status == StatusCode::METHOD_NOT_ALLOWED {
            continue;
        }
        commands += 1;
        let asked = json!({ "move": "+1", "expected_seq": 3, "secret": burnt, "decline": true });
        let ask = |id: &str| post(&path.replace("{id}", id), &asked);
        let almost = format!("{}{}", if two.starts_with('0') { 1 } else { 0 }, &two[1..]);
        for (who, ask) in [
            ("nobody", ask(&id)),
            ("a watcher with a cookie", ask(&id).cookie(&two).with("origin", "http://localhost")),
            ("a stranger", ask(&id).token(&stranger)),
            ("the secret of a used invitation", ask(&id).token(&burnt)),
            ("the id", ask(&id).token(&id)),
            ("almost the token", ask(&id).token(&almost)),
            ("the token twice", ask(&id).token(&format!("{two} {two}"))),
            ("in capitals", ask(&id).token(&two.to_uppercase())),
            ("no scheme", ask(&id).with("authorization", two.clone())),
            ("another scheme", ask(&id).with("authorization", format!("Basic {two}"))),
            ("an empty token", ask(&id).with("authorization", "Bearer ")),
            ("another sitting", ask(&other).token(&two)),
            ("no sitting", ask(&SittingId::random().to_string()).token(&two)),
            ("not an id", ask("x").token(&two)),
        ] {
            let answer = server.ask(ask).await;
            let refused = [401, 403, 404, 410].contains(&answer.status.as_u16());
            assert!(refused, "{path} by {who}: {answer:?}");
            for secret in [&one, &two, &burnt] {
                assert!(
                    !answer.text.contains(secret.as_str()),
                    "{path} by {who} reveals a secret: {answer:?}"
                );
            }
        }
        assert_eq!(log().await, before, "{path} changed something");
    }
    assert!(commands >= 7, "{commands} commands");
}
