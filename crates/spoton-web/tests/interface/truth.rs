//! Games and evaluations.

use axum::http::StatusCode;
use serde_json::{Value as Json, json};
use spoton::format::catalog;

use crate::interface::Server;

#[tokio::test]
async fn games_and_their_rules_are_described() {
    let server = Server::start();
    let games = server.get("/games").await;
    let ids: Vec<&str> =
        games.body.as_array().unwrap().iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(ids, catalog::ids().collect::<Vec<_>>());
    for id in ids {
        let game = server.get(&format!("/games/{id}")).await;
        assert_eq!(
            (game.status, &game.body["rulebook"]),
            (StatusCode::OK, &json!(catalog::text(id).unwrap()))
        );
        assert!(game.body["rules"].as_array().unwrap().len() > 2);
    }
}

/// The same names find a game in a terminal.
#[tokio::test]
async fn part_of_a_name_is_enough() {
    let server = Server::start();
    let whole = server.post("/solve", "", json!({ "game": "number-maze" })).await;
    for part in ["maze", "Number Maze"] {
        let solved = server.post("/solve", "", json!({ "game": part })).await;
        assert_eq!((solved.status, &solved.body), (StatusCode::OK, &whole.body));
    }
    assert_eq!(server.get("/games/maze").await.body, server.get("/games/number-maze").await.body);
    let everywhere = ["/solve", "/audit", "/check", "/rounds"];
    for path in everywhere {
        let found = server.post(path, "", json!({ "game": "maze" })).await;
        assert!(found.status.is_success(), "{path}: {found:?}");
    }
    for (name, why) in [
        ("target", "\"target\" could be operation-target or target-twenty-one; type more of the name"),
        ("number-mase", "there is no game \"number-mase\"; did you mean \"number-maze\"?"),
        ("qqqq", "there is no game \"qqqq\"; /games lists the games"),
    ] {
        let mut refused = vec![server.get(&format!("/games/{name}")).await];
        for path in everywhere {
            refused.push(server.post(path, "", json!({ "game": name })).await);
        }
        for refused in refused {
            assert_eq!((refused.status, &refused.body["detail"]), (StatusCode::NOT_FOUND, &json!(why)));
        }
    }
}

#[tokio::test]
async fn positions_are_solved_and_books_are_checked_and_audited() {
    let server = Server::start();
    let asked = json!({ "game": "number-maze", "moves": ["x2", "+1"] });
    let solved = server.post("/solve", "", asked).await;
    assert_eq!(
        (&solved.body["value"], &solved.body["remoteness"]),
        (&json!("loss"), &json!(12)),
        "{solved:?}"
    );
    let asked = json!({ "game": "number-maze", "target": 15, "moves": "x2" });
    assert_eq!(server.post("/solve", "", asked).await.body["settings"], json!(["target=15"]));
    let asked = json!({ "game": "number-maze", "settings": { "target": 15 }, "moves": ["x3"] });
    let refused = server.post("/solve", "", asked).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused:?}");
    let book = "title = 'Mine'\nstart = 1\ntarget = 9\nmoves = ['+1', '+2']\npast = 'forbidden'\n";
    let checked = server.post("/check", "", json!({ "rulebook": book })).await;
    assert_eq!(checked.body["valid"], true, "{checked:?}");
    let wrong = server.post("/check", "", json!({ "rulebook": "title = 'Mine'\nstart = x\n" })).await;
    assert_eq!((wrong.status, &wrong.body["valid"]), (StatusCode::OK, &json!(false)));
    assert_eq!(wrong.body["problems"][0]["line"], 2, "{wrong:?}");
    let audited = server.post("/audit", "", json!({ "rulebook": book })).await;
    assert_eq!((audited.status, &audited.body["always_ends"]), (StatusCode::OK, &json!(true)), "{audited:?}");
}

/// Bad requests get a problem with a sentence, never a server error.
#[tokio::test]
async fn nonsense_is_answered_with_a_problem() {
    let server = Server::start();
    for (path, body) in [
        ("/solve", json!({})),
        ("/solve", json!({ "game": "no such game" })),
        ("/solve", json!([])),
        ("/solve", json!({ "game": 7 })),
        ("/audit", json!({ "rulebook": "title = 1" })),
        ("/rounds", json!({ "game": "number-maze", "seats": ["pip", "sage"] })),
        ("/rounds", json!({ "game": "number-maze", "seats": ["me", "nobody at all"] })),
        ("/rounds", json!({ "game": "number-maze", "first": 3 })),
        ("/rounds", json!({ "game": "number-maze", "name": "\u{202e}evil" })),
        ("/rounds", json!({ "game": "number-maze", "target": 1 })),
        ("/nothing", json!({})),
    ] {
        let answer = server.post(path, "", body.clone()).await;
        assert!(answer.status.is_client_error(), "{path} {body}: {answer:?}");
        assert!(
            answer.body["detail"].as_str().is_some_and(|detail| detail.len() > 5),
            "{path} {body}: {answer:?}"
        );
    }
    let huge = json!({ "rulebook": "x".repeat(70_000) });
    assert_eq!(server.post("/check", "", huge).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let wrong_method = server.send("DELETE", "/games", &[], &Json::Null).await;
    assert_eq!(wrong_method.status, StatusCode::METHOD_NOT_ALLOWED);
}
