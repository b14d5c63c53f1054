//! L5: no leaks. Rounds start and end, streams open and close, clients reconnect; afterwards the server uses no more
//! than before.

use serde_json::json;

use crate::support::{Program, browser, of_browser, raise_file_limit};

/// One cycle of all activity: rounds of a few browsers, their boards, cut streams, reconnecting programs.
async fn churn(server: &Program, rounds: usize) {
    for round in 0..rounds {
        // A browser's 51st unfinished round removes its oldest.
        let headers = of_browser(&server.address, &browser(round % 4));
        let made = server.ask("POST", "/new", &headers, "mode=friend&game=number-maze").await;
        assert_eq!(made.status, 303, "{made:?}");
        let id = made.head.lines().find_map(|line| line.strip_prefix("location: /r/")).unwrap().to_owned();
        assert_eq!(server.ask("GET", &format!("/r/{id}"), &headers, "").await.status, 200);
        for again in 0..3 {
            let after = format!("last-event-id: {again}\r\n");
            let mut stream = server.listen(&format!("/r/{id}/stream"), &format!("{headers}{after}")).await;
            assert!(stream.line().await.is_some());
            drop(stream);
            let waits = server.get(&format!("/rounds/{id}/events?after=0&wait=1")).await;
            assert_eq!(waits.json()["events"][0]["seq"], json!(1));
        }
    }
    // It's over once the server has noticed all cut connections.
    server.settles("spoton_streams_open", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_of_clients_that_come_and_go() {
    raise_file_limit();
    let server = Program::start("churn");
    churn(&server, 400).await;
    server.settles("spoton_tasks", 40).await;
    let (memory, files) = (server.memory(), server.files());
    let (tasks, rooms) = (server.metric("spoton_tasks").await, server.metric("spoton_rooms_held").await);
    churn(&server, 1600).await;
    server.settles("spoton_tasks", tasks + 5).await;
    assert!(server.files() <= files + 10, "{} files after {files}", server.files());
    let held = server.metric("spoton_rooms_held").await;
    assert!(held <= rooms + 10, "{held} rooms after {rooms}");
    // Four times the load costs no more memory, except for the allocator's reserves.
    let more = server.memory().saturating_sub(memory);
    assert!(more < 12 << 20, "{more} bytes more than {memory}");
}
