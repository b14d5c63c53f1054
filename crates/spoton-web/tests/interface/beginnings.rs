//! Cancelled invitations, and who starts the next round.

use axum::http::StatusCode;
use serde_json::json;

use crate::interface::{Server, text};

/// The winner always leaves a multiple of 4, so the second player can force a win.
const FOURS: &str = "title = 'Fours'\nstart = 0\ntarget = 8\nmoves = ['+1', '+2', '+3']\n";

#[tokio::test]
async fn an_invitation_is_cancelled() {
    let server = Server::start();
    let set = server.post("/rounds", "", json!({ "game": "race-to-23" })).await.body;
    assert_eq!(set["state"]["cancelled"], false);
    let (id, token) = (text(&set["id"]), text(&set["tokens"]["1"]));
    let cancel = format!("/rounds/{id}/cancel");
    // The program's state is outdated.
    let outdated = server.post(&cancel, &token, json!({ "expected_seq": 0 })).await;
    assert_eq!(outdated.status, StatusCode::CONFLICT, "{outdated:?}");
    let done = server.post(&cancel, &token, json!({ "expected_seq": 1 })).await;
    assert_eq!((done.status, &done.body["state"]["cancelled"]), (StatusCode::OK, &json!(true)), "{done:?}");
    let secret = json!({ "secret": set["invitation"]["secret"] });
    let taken = server.post(&format!("/rounds/{id}/seats"), "", secret).await;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{taken:?}");
    assert_eq!(taken.body["detail"], "this invitation was cancelled");
    for (command, asked) in [("cancel", json!({})), ("moves", json!({ "move": "+1", "expected_seq": 2 }))] {
        let refused = server.post(&format!("/rounds/{id}/{command}"), &token, asked).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{command}: {refused:?}");
    }
    let events = server.get(&format!("/rounds/{id}/events?after=1&wait=0")).await.body["events"].clone();
    assert_eq!((&events[0]["kind"], &events[0]["player"]), (&json!("cancelled"), &json!(1)));
    // The log replays to the same state.
    server.tables.rooms.forget_all();
    assert_eq!(server.get(&format!("/rounds/{id}")).await.body["cancelled"], true);
}

#[tokio::test]
async fn a_round_with_both_players_has_no_invitation() {
    let server = Server::start();
    let (id, one, two) = server.table(json!({ "game": "race-to-23" })).await;
    for token in [one, two] {
        let refused = server.post(&format!("/rounds/{id}/cancel"), &token, json!({})).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{refused:?}");
        assert_eq!(refused.body["detail"], "there's no invitation to cancel");
    }
}

#[tokio::test]
async fn a_valid_book_that_nobody_can_play_says_so() {
    let server = Server::start();
    let book = "title = 'My Game'\nstart = 50\ntarget = 20\nmoves = ['+1', 'x2']\n";
    let checked = server.post("/check", "", json!({ "rulebook": book })).await.body;
    assert_eq!(checked["valid"], true);
    let why = "The first player can't move, so this game can't be played.";
    assert_eq!(checked["unplayable"], why);
    let variant = format!("{FOURS}[variants.far]\nstart = 50\n");
    let checked = server.post("/check", "", json!({ "rulebook": variant })).await.body;
    assert_eq!(checked["unplayable_variants"], json!({ "far": why }), "{checked}");
    let checked = server.post("/check", "", json!({ "rulebook": FOURS })).await.body;
    assert!(checked["valid"] == true && checked.get("unplayable").is_none(), "{checked}");
}

#[tokio::test]
async fn a_program_gets_the_seat_that_can_win_and_may_swap() {
    let server = Server::start();
    let set = server.post("/rounds", "", json!({ "rulebook": FOURS, "seats": ["me", "perfect"] })).await.body;
    let (id, token) = (text(&set["id"]), text(&set["tokens"]["1"]));
    assert_eq!(set["state"]["first"], 1);
    let mut begun = Vec::new();
    for asked in [json!({}), json!({}), json!({ "swap_seats": true })] {
        let over = server.post(&format!("/rounds/{id}/resign"), &token, json!({})).await;
        assert_eq!(over.status, StatusCode::OK, "{over:?}");
        let next = server.post(&format!("/rounds/{id}/rematch"), &token, asked).await;
        assert_eq!(next.status, StatusCode::OK, "{next:?}");
        begun.push(next.body["state"]["first"].clone());
    }
    assert_eq!(begun, [2, 2, 1]);
    // Two people alternate, and agree on a rematch.
    let (id, one, two) = server.table(json!({ "rulebook": FOURS })).await;
    server.post(&format!("/rounds/{id}/resign"), &one, json!({})).await;
    let refused = server.post(&format!("/rounds/{id}/rematch"), &one, json!({ "swap_seats": true })).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{refused:?}");
    let offered = server.post(&format!("/rounds/{id}/rematch"), &one, json!({})).await;
    assert_eq!(offered.body["state"]["offer"], json!({ "player": 1, "offer": "rematch" }), "{offered:?}");
    let begun = server.post(&format!("/rounds/{id}/rematch"), &two, json!({})).await;
    assert_eq!(begun.body["state"]["first"], 2, "{begun:?}");
}
