//! L1: many concurrent rounds, each with a stream: no errors and no missing events.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::support::Program;

/// Plays up to `most` moves of a round and returns the acknowledged ones.
async fn plays(server: Arc<Program>, most: usize) -> (String, Vec<Json>) {
    let table = server.table(json!({ "game": "number-maze", "target": 40 })).await;
    let mut stream = server.listen(&format!("/api/v1/rounds/{}/events?after=2", table.id), "").await;
    let (mut state, mut made) = (table.state, Vec::new());
    while state["outcome"].is_null() && made.len() < most {
        let turn = state["turn"].as_u64().unwrap() as usize;
        let written = state["legal"].as_array().unwrap().last().unwrap().clone();
        let asked = json!({ "move": written, "expected_seq": state["seq"] });
        let moved =
            server.post(&format!("/rounds/{}/moves", table.id), &table.tokens[turn - 1], &asked).await;
        assert_eq!(moved.status, 200, "{moved:?}");
        state = moved.json()["state"].clone();
        made.push(written);
        // The opponent gets this event, once.
        assert_eq!(stream.next_seq().await, state["seq"].as_u64().unwrap());
    }
    (table.id, made)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_simultaneous_rounds_have_no_error() {
    let server = Arc::new(Program::start("rounds"));
    let playing: Vec<_> = (0..20).map(|_| tokio::spawn(plays(Arc::clone(&server), 12))).collect();
    let mut moves = 0;
    for played in playing {
        let (id, made) = played.await.unwrap();
        assert!(server.is_gapless(&id).await);
        let events = server.events(&id).await;
        let kept: Vec<Json> = events
            .iter()
            .filter(|event| event["kind"] == "move")
            .map(|event| event["move"].clone())
            .collect();
        assert_eq!(kept, made, "exactly the acknowledged moves are stored");
        let record = server.get(&format!("/rounds/{id}/record")).await.json();
        assert_eq!(record["moves"], json!(made));
        moves += made.len();
    }
    assert_eq!(server.metric("spoton_moves_total").await, moves as i64);
    for nothing in ["spoton_store_errors_total", "spoton_panics_total"] {
        assert_eq!(server.metric(nothing).await, 0, "{nothing}");
    }
}
