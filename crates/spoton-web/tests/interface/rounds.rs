//! Rounds in the JSON API.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value as Json, json};
use spoton::engine::position::Player;
use spoton::format::catalog;
use spoton_web::ids::SittingId;
use spoton_web::store::Store;
use spoton_web::store::memory::MemoryStore;

use crate::interface::{Server, text};

/// Plays the first legal move until the end, and returns the last state.
async fn play_on(server: &Server, id: &str, tokens: [&str; 2]) -> Json {
    loop {
        let state = server.get(&format!("/rounds/{id}")).await.body;
        if !state["outcome"].is_null() {
            return state;
        }
        let turn = state["turn"].as_u64().unwrap() as usize;
        let asked = json!({ "move": state["legal"][0], "expected_seq": state["seq"] });
        let moved = server.post(&format!("/rounds/{id}/moves"), tokens[turn - 1], asked).await;
        assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
    }
}

#[tokio::test]
async fn two_programs_play_every_game_to_its_end() {
    let server = Server::start();
    for game in catalog::ids() {
        let (id, one, two) = server.table(json!({ "game": game })).await;
        let state = play_on(&server, &id, [&one, &two]).await;
        assert_eq!((&state["game"], &state["round"]), (&json!(game), &json!(1)));
        // The record replays to the same end, and so does its review.
        let record = server.get(&format!("/rounds/{id}/record")).await.body;
        assert_eq!(record["moves"], state["history"]);
        assert_eq!(record["ending"], state["outcome"]["ending"]);
        let text_form = text(&server.get(&format!("/rounds/{id}/record.txt")).await.body);
        let replayed = spoton::records::replay_all(&text_form).unwrap();
        assert_eq!(replayed[0].1.history().len(), state["history"].as_array().unwrap().len());
        assert!(!text_form.contains("Seed"), "records contain no seed");
        let review = server.get(&format!("/rounds/{id}/review")).await;
        assert_eq!(review.status, StatusCode::OK, "{review:?}");
        // The events contain the same moves.
        let events = server.get(&format!("/rounds/{id}/events?after=0&wait=0")).await.body;
        let events = events["events"].as_array().unwrap();
        let seqs: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(seqs, (1..=state["seq"].as_u64().unwrap()).collect::<Vec<_>>());
        let moves: Vec<&Json> =
            events.iter().filter(|event| event["kind"] == "move").map(|event| &event["move"]).collect();
        let chosen: Vec<&Json> =
            state["history"].as_array().unwrap().iter().filter(|written| **written != "skip").collect();
        assert_eq!(moves, chosen);
    }
}

#[tokio::test]
async fn events_are_sent_as_they_are_stored() {
    let server = Server::start();
    let (id, one, two) = server.table(json!({ "game": "race-to-23", "terms": { "hints": true } })).await;
    let decline = json!({ "decline": true });
    let commands = [
        ("moves", &one, json!({ "move": "+1", "expected_seq": 2 })),
        ("take-back", &one, json!({})),
        ("take-back", &two, decline),
        ("hint", &two, json!({})),
        ("take-back", &one, json!({})),
        ("take-back", &two, json!({})),
        ("resign", &two, json!({})),
        ("rematch", &one, json!({})),
        ("rematch", &two, json!({})),
    ];
    for (command, token, asked) in commands {
        let done = server.post(&format!("/rounds/{id}/{command}"), token, asked).await;
        assert_eq!(done.status, StatusCode::OK, "{command}: {done:?}");
        let seq = done.body["seq"].as_u64().unwrap();
        let news = async |after: u64| {
            server.get(&format!("/rounds/{id}/events?after={after}&wait=0")).await.body["events"].clone()
        };
        let (just_now, all) = (news(seq - 1).await, news(0).await);
        assert_eq!(just_now, json!([all[seq as usize - 1]]), "{command}");
        assert_eq!(news(seq).await, json!([]));
    }
}

#[tokio::test]
async fn a_computer_answers_through_the_same_door() {
    let server = Server::start();
    let set = server.post("/rounds", "", json!({ "game": "race-to-23", "seats": ["me", "sage"] })).await;
    let (id, token) = (text(&set.body["id"]), text(&set.body["tokens"]["1"]));
    assert!(set.body["invitation"].is_null());
    loop {
        let state = server.get(&format!("/rounds/{id}")).await.body;
        if !state["outcome"].is_null() {
            assert_eq!(state["players"][1]["computer"], "sage");
            break;
        }
        let asked = json!({ "move": state["legal"][0], "expected_seq": state["seq"] });
        if state["turn"] == 1 {
            assert_eq!(
                server.post(&format!("/rounds/{id}/moves"), &token, asked).await.status,
                StatusCode::OK
            );
        } else {
            let news = format!("/rounds/{id}/events?after={}&wait=20", state["seq"]);
            let events = server.get(&news).await.body;
            assert_eq!(
                (&events["events"][0]["kind"], &events["events"][0]["player"]),
                (&json!("move"), &json!(2))
            );
        }
    }
}

/// W1: every command by anyone who may not send it is refused, and the log doesn't change.
#[tokio::test]
async fn only_the_holder_of_a_seat_acts() {
    let server = Server::start();
    let (id, one, two) = server.table(json!({ "game": "number-maze", "terms": { "hints": true } })).await;
    let (_, stranger, _) = server.table(json!({ "game": "number-maze" })).await;
    let before = server.get(&format!("/rounds/{id}")).await.body;
    let commands = ["moves", "take-back", "rematch", "resign", "abandon", "hint"];
    for command in commands {
        let path = format!("/rounds/{id}/{command}");
        let asked = json!({ "move": "+1", "expected_seq": before["seq"] });
        for (token, expected) in [("", 401), (stranger.as_str(), 403), ("x", 403)] {
            let answer = server.post(&path, token, asked.clone()).await;
            assert_eq!(answer.status.as_u16(), expected, "{command} {token}: {answer:?}");
        }
        for header in ["Basic abc", "Bearer", "bearer ", "Token x"] {
            let answer = server.send("POST", &path, &[("authorization", header)], &asked).await;
            assert!(matches!(answer.status.as_u16(), 401 | 403), "{command} {header}: {answer:?}");
        }
        // Another sitting, with its own token.
        let elsewhere = format!("/rounds/{}/{command}", SittingId::random());
        let answer = server.post(&elsewhere, &one, asked.clone()).await;
        assert!(matches!(answer.status.as_u16(), 403 | 404), "{command}: {answer:?}");
    }
    // It isn't their turn.
    let asked = json!({ "move": "+1", "expected_seq": before["seq"] });
    assert_eq!(server.post(&format!("/rounds/{id}/moves"), &two, asked).await.status, StatusCode::CONFLICT);
    assert_eq!(server.get(&format!("/rounds/{id}")).await.body, before);
}

/// A move may have many spellings; the log and every answer have one.
#[tokio::test]
async fn a_move_is_sent_in_any_spelling() {
    let server = Server::start();
    for sent in ["x2", "×2", "X 2", "*2", "double", "Multiply by 2"] {
        let (id, one, _) = server.table(json!({ "game": "number-maze" })).await;
        let asked = json!({ "move": sent, "expected_seq": 2 });
        let answer = server.post(&format!("/rounds/{id}/moves"), &one, asked).await;
        assert_eq!(answer.status, StatusCode::OK, "{sent}: {answer:?}");
        assert_eq!(answer.body["state"]["history"], json!(["x2"]), "{sent}");
    }
    let (id, one, _) = server.table(json!({ "game": "number-maze" })).await;
    for sent in ["not x2", "x2 or +1", "2", "÷2"] {
        let asked = json!({ "move": sent, "expected_seq": 2 });
        let answer = server.post(&format!("/rounds/{id}/moves"), &one, asked).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{sent}: {answer:?}");
    }
}

/// S3: fifty concurrent moves with the same number: one succeeds, and the others get the current state.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_simultaneous_moves_is_first() {
    let server = Arc::new(Server::start());
    let (id, one, _) = server.table(json!({ "game": "number-maze" })).await;
    let seq = server.get(&format!("/rounds/{id}")).await.body["seq"].clone();
    let mut asking = Vec::new();
    for place in 0..50 {
        let (server, id, one, seq) = (Arc::clone(&server), id.clone(), one.clone(), seq.clone());
        asking.push(tokio::spawn(async move {
            let written = if place % 2 == 0 { "+1" } else { "x2" };
            let asked = json!({ "move": written, "expected_seq": seq });
            server.post(&format!("/rounds/{id}/moves"), &one, asked).await
        }));
    }
    let mut done = 0;
    for asked in asking {
        let answer = asked.await.unwrap();
        match answer.status {
            StatusCode::OK => done += 1,
            status => {
                assert_eq!(status, StatusCode::CONFLICT, "{answer:?}");
                assert_eq!(answer.body["state"]["history"].as_array().unwrap().len(), 1, "{answer:?}");
            }
        }
    }
    assert_eq!(done, 1);
    let log = server.tables.store.events(id.parse().unwrap(), 0, 100).await.unwrap();
    assert_eq!(log.iter().map(|stored| stored.seq).collect::<Vec<_>>(), [1, 2, 3]);
}

/// W3: views use up nothing, and of many concurrent joins one succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_invitation_is_taken_once() {
    let server = Arc::new(Server::start());
    let set = server.post("/rounds", "", json!({ "game": "number-maze" })).await;
    let (id, secret) = (text(&set.body["id"]), text(&set.body["invitation"]["secret"]));
    for _ in 0..100 {
        assert_eq!(server.get(&format!("/rounds/{id}")).await.body["seq"], 1);
    }
    let mut asking = Vec::new();
    for _ in 0..200 {
        let (server, id, secret) = (Arc::clone(&server), id.clone(), secret.clone());
        asking.push(tokio::spawn(async move {
            server.post(&format!("/rounds/{id}/seats"), "", json!({ "secret": secret })).await.status
        }));
    }
    let mut taken = 0;
    for asked in asking {
        match asked.await.unwrap() {
            StatusCode::OK => taken += 1,
            status => assert!(matches!(status.as_u16(), 409 | 410), "{status}"),
        }
    }
    assert_eq!((taken, &server.get(&format!("/rounds/{id}")).await.body["seq"]), (1, &json!(2)));
}

/// S4: the same key gets the same answer, whatever happened in between, and the command runs once.
#[tokio::test]
async fn trying_again_is_free() {
    let server = Server::start();
    let (id, one, two) = server.table(json!({ "game": "number-maze" })).await;
    let path = format!("/rounds/{id}/moves");
    let bearer = format!("Bearer {one}");
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", "the first move")];
    let asked = json!({ "move": "x2", "expected_seq": 2 });
    let first = server.send("POST", &path, &headers, &asked).await;
    assert_eq!(first.status, StatusCode::OK);
    let moved = server.post(&path, &two, json!({ "move": "+1", "expected_seq": 3 })).await;
    assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
    for _ in 0..10 {
        let again = server.send("POST", &path, &headers, &asked).await;
        assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
    }
    let other = json!({ "move": "+1", "expected_seq": 2 });
    let refused = server.send("POST", &path, &headers, &other).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused:?}");
    // The same key from another player is a different key.
    let bearer = format!("Bearer {two}");
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", "the first move")];
    assert_eq!(server.send("POST", &path, &headers, &asked).await.status, StatusCode::CONFLICT);
    assert_eq!(server.get(&format!("/rounds/{id}")).await.body["seq"], 4);
}

/// Between two people undo and rematch are offers; a move cancels them.
#[tokio::test]
async fn offers_are_accepted_declined_or_lapse() {
    let server = Server::start();
    let (id, one, two) = server.table(json!({ "game": "number-maze" })).await;
    let path = |what: &str| format!("/rounds/{id}/{what}");
    let state = async || server.get(&format!("/rounds/{id}")).await.body;
    let make = async |token: &str, written: &str| {
        let seq = state().await["seq"].clone();
        let answer =
            server.post(&path("moves"), token, json!({ "move": written, "expected_seq": seq })).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    };
    let nothing = server.post(&path("take-back"), &one, json!({})).await;
    assert_eq!(nothing.status, StatusCode::CONFLICT, "there is nothing to undo: {nothing:?}");
    make(&one, "x2").await;
    assert_eq!(server.post(&path("take-back"), &one, json!({})).await.status, StatusCode::OK);
    assert_eq!(state().await["offer"], json!({ "player": 1, "offer": "take-back" }));
    assert_eq!(server.post(&path("take-back"), &one, json!({})).await.status, StatusCode::CONFLICT);
    assert_eq!(
        server.post(&path("take-back"), &two, json!({ "decline": true })).await.status,
        StatusCode::OK
    );
    assert_eq!((&state().await["offer"], &state().await["history"]), (&Json::Null, &json!(["x2"])));
    server.post(&path("take-back"), &one, json!({})).await;
    make(&two, "+1").await;
    assert_eq!(state().await["offer"], Json::Null, "the move cancels the offer");
    server.post(&path("take-back"), &two, json!({})).await;
    let accepted = server.post(&path("take-back"), &one, json!({})).await;
    assert_eq!(accepted.body["state"]["history"], json!(["x2"]));
    assert_eq!(server.post(&path("rematch"), &one, json!({})).await.status, StatusCode::CONFLICT);
    server.post(&path("resign"), &one, json!({})).await;
    assert_eq!(state().await["outcome"], json!({ "winner": 2, "ending": "resigned" }));
    server.post(&path("rematch"), &two, json!({})).await;
    let begun = server.post(&path("rematch"), &one, json!({})).await;
    assert_eq!((&begun.body["state"]["round"], &begun.body["state"]["first"]), (&json!(2), &json!(2)));
    // The first round is still available.
    let record = server.get(&path("record?round=1")).await.body;
    assert_eq!((&record["ending"], &record["moves"]), (&json!("resigned"), &json!(["x2"])));
}

/// If the terms allow hints, the player whose turn it is gets one. Everyone can see that.
#[tokio::test]
async fn hints_go_to_the_player_who_asks_on_their_turn() {
    let server = Server::start();
    let (id, one, _) = server.table(json!({ "game": "number-maze", "target": 34 })).await;
    let refused = server.post(&format!("/rounds/{id}/hint"), &one, json!({})).await;
    assert_eq!(
        (refused.status, &refused.body["detail"]),
        (StatusCode::CONFLICT, &json!("hints are off in this round"))
    );
    let terms = json!({ "game": "number-maze", "target": 34, "terms": { "hints": true } });
    let (id, one, two) = server.table(terms).await;
    assert_eq!(
        server.post(&format!("/rounds/{id}/hint"), &two, json!({})).await.status,
        StatusCode::CONFLICT
    );
    let told = server.post(&format!("/rounds/{id}/hint"), &one, json!({})).await;
    assert!(text(&told.body["said"]).len() > 10, "{told:?}");
    let events = server.get(&format!("/rounds/{id}/events?after=2&wait=0")).await.body;
    assert_eq!(events["events"][0]["kind"], "hint");
    assert!(!events.to_string().contains(&text(&told.body["said"])), "only the player sees its text");
}

/// The waiting player can close an abandoned round after three days.
#[tokio::test]
async fn a_round_is_abandoned_only_after_days() {
    let server = Server::start();
    let (id, one, two) = server.table(json!({ "game": "number-maze" })).await;
    for token in [&one, &two] {
        let early = server.post(&format!("/rounds/{id}/abandon"), token, json!({})).await;
        assert_eq!(early.status, StatusCode::CONFLICT, "{early:?}");
    }
    let room = server.tables.rooms.room(id.parse().unwrap()).await.unwrap();
    let later = room.at() + spoton_web::limits::ABANDONED_AFTER;
    let command = spoton_web::room::Command::Abandon;
    assert!(room.decide(&[Player::Two], &command, later - 1).is_err());
    assert!(room.decide(&[Player::One], &command, later).is_err(), "it's their own turn");
    assert!(room.decide(&[Player::Two], &command, later).is_ok());
}

/// A log that doesn't replay is reported; all others continue.
#[tokio::test]
async fn damage_stays_local() {
    let store = Arc::new(MemoryStore::default());
    let server = Server::on(store.clone());
    let (id, one, two) = server.table(json!({ "game": "number-maze" })).await;
    let (other, third, fourth) = server.table(json!({ "game": "number-maze" })).await;
    play_on(&server, &id, [&one, &two]).await;
    // The same log with one event changed, in a separate store.
    let damaged = Arc::new(MemoryStore::default());
    for (id, changed) in [(&id, true), (&other, false)] {
        let id: SittingId = id.parse().unwrap();
        let room = server.tables.rooms.room(id).await.unwrap();
        let mut events = store.events(id, 0, 1000).await.unwrap();
        if changed {
            events[3].body = events[3].body.replace("+1", "x7");
        }
        let write = spoton_web::store::Write {
            id,
            events,
            listed: room.listed(),
            asked: None,
            burns: None,
            invites: vec![],
            seats: vec![],
            book: None,
            open_class: None,
        };
        damaged.commit(vec![write]).await.unwrap()[0].clone().unwrap();
    }
    let again = Server::on(damaged);
    assert_eq!(again.get(&format!("/rounds/{id}")).await.status, StatusCode::CONFLICT);
    assert_eq!(again.get(&format!("/rounds/{other}")).await.status, StatusCode::OK);
    play_on(&server, &other, [&third, &fourth]).await;
}

/// A taken seat and a present player are different things.
#[tokio::test]
async fn players_are_here_as_long_as_they_listen_or_wait() {
    let server = Arc::new(Server::start());
    let here = async |id: &str| {
        let state = server.get(&format!("/rounds/{id}")).await.body;
        let player = |place: usize| {
            let player = &state["players"][place];
            (player["taken"].as_bool().unwrap(), player["here"].as_bool().unwrap())
        };
        (player(0), player(1))
    };
    let set = server.post("/rounds", "", json!({ "game": "number-maze", "seats": ["me", "pip"] })).await;
    assert_eq!(
        here(&text(&set.body["id"])).await,
        ((true, false), (true, true)),
        "a computer is always here"
    );
    let set = server.post("/rounds", "", json!({ "game": "number-maze" })).await;
    assert_eq!(here(&text(&set.body["id"])).await, ((true, false), (false, false)));
    let (id, one, two) = server.table(json!({ "game": "number-maze" })).await;
    assert_eq!(here(&id).await, ((true, false), (true, false)));
    // A request waits for news.
    let waiting = {
        let (server, id) = (Arc::clone(&server), id.clone());
        tokio::spawn(async move {
            let bearer = format!("Bearer {two}");
            let path = format!("/rounds/{id}/events?after=2&wait=30");
            server.send("GET", &path, &[("authorization", &bearer)], &Json::Null).await
        })
    };
    let mut news = server.tables.live.watch(id.parse().unwrap());
    news.wait_for(|news| news.here[Player::Two]).await.unwrap();
    assert_eq!(here(&id).await, ((true, false), (true, true)));
    let moved =
        server.post(&format!("/rounds/{id}/moves"), &one, json!({ "move": "x2", "expected_seq": 2 })).await;
    assert_eq!(moved.status, StatusCode::OK);
    assert_eq!(waiting.await.unwrap().body["events"][0]["move"], "x2");
    // After a while the player is away.
    news.wait_for(|news| !news.here[Player::Two]).await.unwrap();
    assert_eq!(here(&id).await, ((true, false), (true, false)));
}
