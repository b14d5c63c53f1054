//! Cleanup deletes abandoned data and nothing else.

use axum::http::StatusCode;
use serde_json::json;
use spoton_web::clock::Clock;
use spoton_web::ids::Hash;
use spoton_web::limits::{BOOKS_STAY, IDLE_STAY, Limits, UNMOVED_STAY, UNPLAYED_BOOKS_STAY};
use spoton_web::operation::tidying::tidy;

use crate::operation::support::{Server, browser, form, get, post};

#[tokio::test]
async fn sittings_go_when_nobody_comes_back_to_them() {
    let server = Server::start(Limits::default());
    let (unmoved, _) = server.table().await;
    let (moved, token) = server.table().await;
    let moves = post(&format!("/rounds/{moved}/moves"), &json!({ "move": "x2", "expected_seq": 1 }));
    assert_eq!(server.ask(moves.token(&token)).await.status, StatusCode::OK);
    let status = async |id: &str| server.ask(get(&format!("/r/{id}"))).await.status;
    let begun = Clock::default().now();
    // Allows a second for the test's own runtime.
    for (time, gone) in [
        (begun, 0),
        (begun + UNMOVED_STAY - 60_000, 0),
        (begun + UNMOVED_STAY + 1000, 1),
        (begun + IDLE_STAY - 60_000, 0),
        (begun + IDLE_STAY + 1000, 1),
    ] {
        assert_eq!(tidy(&server.tables, time).await.unwrap(), gone, "{} after the start", time - begun);
        let there =
            |gone_after| if time > begun + gone_after { StatusCode::NOT_FOUND } else { StatusCode::OK };
        assert_eq!(status(&unmoved).await, there(UNMOVED_STAY));
        assert_eq!(status(&moved).await, there(IDLE_STAY));
    }
    assert!(server.tables.metrics.text().contains("spoton_tidied_sittings_total 2\n"));
}

/// An unplayed book is deleted after a month, a played one after a year.
#[tokio::test]
async fn shared_books_go_when_nobody_plays_or_opens_them() {
    let server = Server::start(Limits::default());
    let book = |target: u32| format!("title = 'Mine'\nstart = 0\ntarget = {target}\nmoves = ['+1', '+2']\n");
    let (shared, played) = (book(20), book(30));
    for text in [&shared, &played] {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let share = form("/workshop/share", &format!("rulebook={encoded}")).cookie(&browser(1));
        assert_eq!(server.ask(share).await.status, StatusCode::SEE_OTHER);
    }
    let set = server.ask(post("/rounds", &json!({ "rulebook": played, "seats": ["me", "me"] }))).await.json();
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    let moves = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 1 }));
    assert_eq!(server.ask(moves.token(token)).await.status, StatusCode::OK);
    let begun = Clock::default().now();
    for (time, stay) in [
        (begun + UNPLAYED_BOOKS_STAY - 60_000, [true, true]),
        (begun + UNPLAYED_BOOKS_STAY + 1000, [false, true]),
        (begun + IDLE_STAY + 1000, [false, true]),
        (begun + BOOKS_STAY - 60_000, [false, true]),
        (begun + BOOKS_STAY + 1000, [false, false]),
    ] {
        tidy(&server.tables, time).await.unwrap();
        for (text, stays) in [&shared, &played].into_iter().zip(stay) {
            let there = server.tables.store.book(Hash::digest(text).short()).await.unwrap().is_some();
            assert_eq!(there, stays, "{} after the start", time - begun);
        }
    }
}
