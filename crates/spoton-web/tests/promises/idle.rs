//! L2: very many idle streams cost little memory, and others keep playing.

use std::io::Write;

use serde_json::json;

use crate::support::{Program, raise_file_limit};

/// Streams to try, if the system allows that many open files.
const STREAMS: usize = 2000;

/// Memory limit per stream: its connection, buffers and two tasks.
const BYTES_OF_A_STREAM: u64 = 64 << 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_streams_cost_little() {
    let most = raise_file_limit();
    let server = Program::start("idle");
    let count = STREAMS.min(most.saturating_sub(100));
    // Bypasses the test harness, which captures output.
    writeln!(std::io::stderr(), "testing {count} idle streams").unwrap();
    assert!(count >= 200, "the limit is {most} open files; raise it: ulimit -n {}", STREAMS + 100);
    let mut tables = Vec::new();
    for _ in 0..10 {
        tables.push(server.table(json!({ "game": "number-maze", "target": 1000 })).await);
    }
    let listen = async |place: usize| {
        let table = &tables[place % tables.len()];
        server.listen(&format!("/api/v1/rounds/{}/events?after=2", table.id), "").await
    };
    let mut streams = Vec::new();
    // The first streams pay one-time costs.
    for place in 0..count / 10 {
        streams.push(listen(place).await);
    }
    let before = server.memory();
    for place in streams.len()..count {
        streams.push(listen(place).await);
    }
    let opened = (count - count / 10) as u64;
    let bytes = server.memory().saturating_sub(before) / opened;
    writeln!(std::io::stderr(), "a stream takes {} KiB", bytes >> 10).unwrap();
    assert!(bytes < BYTES_OF_A_STREAM, "a stream takes {bytes} bytes");
    assert_eq!(server.metric("spoton_streams_open").await, count as i64);

    // Every stream of one of the rounds gets its move.
    let asked = json!({ "move": "x2", "expected_seq": 2 });
    let moved = server.post(&format!("/rounds/{}/moves", tables[3].id), &tables[3].tokens[0], &asked).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    for stream in streams.iter_mut().skip(3).step_by(tables.len()) {
        assert_eq!(stream.next_seq().await, 3);
    }
    // Closed streams leave nothing behind.
    drop(streams);
    server.settles("spoton_streams_open", 0).await;
}
