//! L4: excess load is refused immediately with a retry time; accepted requests are carried out, and afterwards
//! everything works as before.

use std::sync::Arc;

use serde_json::json;
use spoton_web::limits::MOST_WAITING_TO_THINK;

use crate::support::Answer;
use crate::support::{Program, of_program, raise_file_limit, request, send, text};

/// Concurrent requests, each over its own connection.
async fn all_at_once(server: &Arc<Program>, count: usize, ask: impl Fn(usize) -> String) -> Vec<Answer> {
    let asking: Vec<_> = (0..count)
        .map(|number| {
            let (server, request) = (Arc::clone(server), ask(number));
            tokio::spawn(async move {
                let answer = send(&server.address, request.as_bytes()).await;
                Answer::read(&answer).unwrap_or_else(|| panic!("no answer: {answer:?}"))
            })
        })
        .collect();
    let mut answers = Vec::new();
    for asked in asking {
        answers.push(asked.await.unwrap());
    }
    answers
}

/// Returns whether the answer is a success or a proper error.
fn is_clean(answer: &Answer, done: u16) -> bool {
    answer.status == done || matches!(answer.status, 429 | 503) && answer.says_when()
}

/// Five times as many questions as may wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_simultaneous_questions_are_refused_and_play_continues() {
    raise_file_limit();
    let server = Arc::new(Program::start("questions"));
    let table = server.table(json!({ "game": "number-maze", "target": 1000 })).await;
    let questions = {
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let ask = |number: usize| {
                // Each is about another game, so nothing is cached.
                let body = json!({ "game": "number-maze", "target": 2000 + number }).to_string();
                request(&server.address, "POST", "/api/v1/audit", &of_program(""), &body)
            };
            all_at_once(&server, 5 * MOST_WAITING_TO_THINK, ask).await
        })
    };
    // Meanwhile two people play a round that needs no solver.
    let mut seq = 2;
    while !questions.is_finished() || seq < 6 {
        let token = &table.tokens[usize::try_from(seq % 2).unwrap()];
        let asked = json!({ "move": "+1", "expected_seq": seq });
        let moved = server.post(&format!("/rounds/{}/moves", table.id), token, &asked).await;
        assert_eq!(moved.status, 200, "{moved:?}");
        seq += 1;
        if seq > 400 {
            break;
        }
    }
    let answers = questions.await.unwrap();
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.status == 503).count();
    for answer in &answers {
        // On a busy machine an audit may time out: then it's too large.
        assert!(is_clean(answer, 200) || answer.status == 422, "{answer:?}");
    }
    assert!(done > 0 && refused > 0, "{done} were answered, {refused} refused");
    server.settles("spoton_thinking", 0).await;
    let normal = server.post("/solve", "", &json!({ "game": "number-maze" })).await;
    assert_eq!(normal.status, 200, "{normal:?}");
    assert!(server.is_gapless(&table.id).await);
}

/// Very many rounds start at the same time: every acknowledged one exists, and every answer is clear.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_acknowledged_under_load_are_saved() {
    raise_file_limit();
    let server = Arc::new(Program::start("rush"));
    let ask = |_| {
        let body = json!({ "game": "number-maze" }).to_string();
        request(&server.address, "POST", "/api/v1/rounds", &of_program(""), &body)
    };
    let answers = all_at_once(&server, 1500, ask).await;
    for answer in &answers {
        assert!(is_clean(answer, 201), "{answer:?}");
        if answer.status == 201 {
            let id = text(&answer.json()["id"]);
            assert_eq!(server.get(&format!("/rounds/{id}")).await.status, 200);
        }
    }
    assert!(answers.iter().any(|answer| answer.status == 201));
    assert_eq!(server.metric("spoton_panics_total").await, 0);
}
