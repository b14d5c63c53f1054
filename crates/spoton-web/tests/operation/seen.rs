//! S6: watchers see only stored events. L4, for the writer: commands beyond the queue are refused.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use spoton_web::limits::{Limits, MOST_IN_A_BATCH, MOST_IN_THE_QUEUE};
use spoton_web::place::Place;
use tokio_stream::StreamExt;

use crate::operation::faults::{Faulty, STOPS_AFTER, STOPS_BEFORE, WAITS, WELL};
use crate::operation::support::{Ask, Server, get, post};

fn server(store: &Arc<Faulty>) -> Server {
    // A pending write must not run into the timeout.
    let limits = Limits { time_for_request: Duration::from_secs(600), ..Limits::default() };
    Server::on(store.clone(), limits, Place::default())
}

/// Starts a write and waits until the store has seen this many commits.
async fn begins(server: &Server, store: &Arc<Faulty>, ask: Ask, commits: usize) {
    let asked = server.clone();
    tokio::spawn(async move { asked.ask(ask).await });
    loop {
        let changed = store.changed.notified();
        if store.commits.load(Ordering::SeqCst) >= commits {
            return;
        }
        changed.await;
    }
}

/// Returns everything that anyone can see of a round: its last event, from all sources.
async fn seen(server: &Server, id: &str) -> Vec<String> {
    let api = format!("/api/v1/rounds/{id}");
    let state = server.ask(get(&api)).await.json();
    let events = server.ask(get(&format!("{api}/events?wait=0"))).await.json();
    let record = server.ask(get(&format!("{api}/record"))).await.json();
    let board = server.ask(get(&format!("/r/{id}"))).await.text;
    let seq = board.split_once("data-seq=\"").unwrap().1.split('"').next().unwrap().to_owned();
    vec![
        state["seq"].to_string(),
        (events["events"].as_array().unwrap().len()).to_string(),
        (record["moves"].as_array().unwrap().len() + 1).to_string(),
        seq,
    ]
}

#[tokio::test]
async fn watchers_see_only_what_is_stored() {
    let store = Arc::new(Faulty::default());
    let before = server(&store);
    let (id, token) = before.table().await;
    let moves = || {
        let asked = json!({ "move": "+1", "expected_seq": 1 });
        post(&format!("/rounds/{id}/moves"), &asked).token(&token)
    };
    let mut streams = Vec::new();
    for path in [format!("/api/v1/rounds/{id}/events?after=1"), format!("/r/{id}/stream?after=1")] {
        streams.push(before.begin(get(&path)).await.into_body().into_data_stream());
    }
    // The page gets presence and nothing else.
    let presence = streams[1].next().await.unwrap().unwrap();
    assert!(presence.starts_with(b"event: presence"), "{presence:?}");

    // The write stops before the commit.
    store.is_now(STOPS_BEFORE);
    begins(&before, &store, moves(), 2).await;
    assert_eq!(seen(&before, &id).await, ["1"; 4]);
    for _ in 0..1000 {
        // Lets every task with news run.
        tokio::task::yield_now().await;
    }
    for stream in &mut streams {
        let told = tokio::select! { biased; told = stream.next() => Some(told), () = async {} => None };
        assert!(told.is_none(), "a watcher saw something: {told:?}");
    }
    drop((before, streams));
    store.is_now(WELL);
    let after = server(&store);
    assert_eq!(seen(&after, &id).await, ["1"; 4], "the move never happened");

    // The write stops after the commit, before watchers are notified. Later readers find it, once.
    store.is_now(STOPS_AFTER);
    begins(&after, &store, moves(), 4).await;
    drop(after);
    store.is_now(WELL);
    let again = server(&store);
    assert_eq!(seen(&again, &id).await, ["2"; 4]);
    let mut stream =
        again.begin(get(&format!("/api/v1/rounds/{id}/events?after=1"))).await.into_body().into_data_stream();
    let told = String::from_utf8(stream.next().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(told.contains("\"move\":\"+1\"") && told.contains("id: 2"), "{told}");
    let refused = again.ask(moves()).await;
    assert_eq!((refused.status, &refused.json()["state"]["seq"]), (StatusCode::CONFLICT, &json!(2)));
}

/// Five times as many commands as the queue holds, on a slow disk.
#[tokio::test]
async fn commands_beyond_the_queue_are_refused_and_the_rest_is_saved() {
    let store = Arc::new(Faulty::default());
    let server = server(&store);
    let (_, token) = server.table().await;
    store.is_now(WAITS);
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let count = 5 * MOST_IN_THE_QUEUE;
    for _ in 0..count {
        let (server, tell) = (server.clone(), tell.clone());
        tokio::spawn(async move {
            let answer = server.ask(post("/rounds", &json!({ "game": "number-maze" }))).await;
            tell.send(answer).unwrap();
        });
    }
    // These can't have been accepted.
    let mut kept = 0;
    for _ in 0..count - MOST_IN_THE_QUEUE - MOST_IN_A_BATCH {
        let answer = told.recv().await.unwrap();
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        assert!(answer.says_when(), "{answer:?}");
    }
    // Reads work meanwhile.
    assert_eq!(server.ask(get("/games")).await.status, StatusCode::OK);
    store.is_now(WELL);
    for _ in 0..MOST_IN_THE_QUEUE + MOST_IN_A_BATCH {
        let answer = told.recv().await.unwrap();
        if answer.status == StatusCode::CREATED {
            let id = answer.json()["id"].as_str().unwrap().to_owned();
            let events = server.tables.store.events(id.parse().unwrap(), 0, 10).await.unwrap();
            assert_eq!(events.len(), 1, "acknowledged events exist");
            kept += 1;
        } else {
            assert!(answer.status == StatusCode::SERVICE_UNAVAILABLE && answer.says_when(), "{answer:?}");
        }
    }
    assert!(kept >= MOST_IN_THE_QUEUE, "{kept} were saved");
    let (id, other) = server.table().await;
    assert_ne!(token, other);
    let asked = json!({ "move": "x2", "expected_seq": 1 });
    let moved = server.ask(post(&format!("/rounds/{id}/moves"), &asked).token(&other)).await;
    assert_eq!(moved.status, StatusCode::OK, "the server recovered: {moved:?}");
}
