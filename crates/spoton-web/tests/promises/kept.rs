//! S6, S7 and S8 on the database file: nobody sees unwritten events, corruption stays local, and backups are complete.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value as Json, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{Program, Table, of_program, program, request, text};

/// Another program that has the file open.
async fn other_program(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).connect().await.unwrap()
}

async fn does(connection: &mut SqliteConnection, sql: String) -> u64 {
    sqlx::query(AssertSqlSafe(sql)).execute(connection).await.unwrap().rows_affected()
}

/// Returns a round's id as an SQLite literal.
fn bytes_of(id: &str) -> String {
    let id: spoton_web::ids::SittingId = id.parse().unwrap();
    let digits: Vec<String> = id.0.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("x'{}'", digits.concat())
}

/// Makes the current player's next move and returns the answer.
async fn makes_move(server: &Program, table: &Table) -> Json {
    let state = server.get(&format!("/rounds/{}", table.id)).await.json();
    let turn = state["turn"].as_u64().unwrap() as usize;
    let asked = json!({ "move": "+1", "expected_seq": state["seq"] });
    let moved = server.post(&format!("/rounds/{}/moves", table.id), &table.tokens[turn - 1], &asked).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    moved.json()
}

/// S6: killed while a move waits for the disk; nobody sees it, then or later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unsaved_move_is_never_seen() {
    let mut server = Program::start("unwritten");
    let table = server.table(json!({ "game": "number-maze", "target": 1000 })).await;
    makes_move(&server, &table).await;
    let mut stream = server.listen(&format!("/api/v1/rounds/{}/events?after=2", table.id), "").await;
    assert_eq!(stream.next_seq().await, 3);
    // Another program's write lock blocks the server's writes.
    let mut other = other_program(&server.file("data.db")).await;
    does(&mut other, "BEGIN IMMEDIATE".to_owned()).await;
    let asked = json!({ "move": "+1", "expected_seq": 3 }).to_string();
    let path = format!("/api/v1/rounds/{}/moves", table.id);
    let bytes = request(&server.address, "POST", &path, &of_program(&table.tokens[1]), &asked);
    let mut asking = TcpStream::connect(&server.address).await.unwrap();
    asking.write_all(bytes.as_bytes()).await.unwrap();
    // Others get answers meanwhile and see nothing of the move.
    for _ in 0..50 {
        let state = server.get(&format!("/rounds/{}", table.id)).await.json();
        assert_eq!((&state["seq"], state["history"].as_array().unwrap().len()), (&json!(3), 1));
        assert_eq!(server.events(&table.id).await.len(), 3);
    }
    server
        .meanwhile(async {
            does(&mut other, "ROLLBACK".to_owned()).await;
            other.close().await.unwrap();
        })
        .await;
    let mut answer = Vec::new();
    let _ = asking.read_to_end(&mut answer).await;
    assert!(answer.is_empty(), "the server answered: {}", String::from_utf8_lossy(&answer));
    while let Some(line) = stream.line().await {
        assert!(!line.starts_with("id:"), "a watcher saw it: {line}");
    }
    assert_eq!(server.events(&table.id).await.len(), 3);
    // Committed moves exist, and the round continues.
    assert_eq!(makes_move(&server, &table).await["seq"], 4);
}

/// S7: one event's bytes are changed, and another round's last event is missing. These rounds report it; all others
/// continue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_stays_where_it_is() {
    let mut server = Program::start("damage");
    let mut tables = Vec::new();
    for _ in 0..4 {
        let table = server.table(json!({ "game": "number-maze", "target": 1000 })).await;
        for _ in 0..4 {
            makes_move(&server, &table).await;
        }
        tables.push(table);
    }
    let (data, damaged) = (server.file("data.db"), [tables[1].id.clone(), tables[2].id.clone()]);
    let damages = async {
        let mut other = other_program(&data).await;
        // A different legal move.
        let [changed, cut] = [bytes_of(&damaged[0]), bytes_of(&damaged[1])];
        let sql =
            format!("UPDATE event SET body = replace(body, '+1', 'x2') WHERE id = {changed} AND seq = 4");
        assert_eq!(does(&mut other, sql).await, 1);
        let sql = format!("DELETE FROM event WHERE id = {cut} AND seq = 6");
        assert_eq!(does(&mut other, sql).await, 1);
        other.close().await.unwrap();
    };
    server.meanwhile(damages).await;
    for (place, table) in tables.iter().enumerate() {
        if !damaged.contains(&table.id) {
            assert_eq!(makes_move(&server, table).await["seq"], 7, "round {place} continues");
            continue;
        }
        let api = format!("/rounds/{}", table.id);
        let looked = server.get(&api).await;
        assert_eq!(looked.status, 409, "{looked:?}");
        assert_eq!(looked.json()["detail"], "this round is corrupted; start a new one");
        for token in &table.tokens {
            let moved = server
                .post(&format!("{api}/moves"), token, &json!({ "move": "+1", "expected_seq": 6 }))
                .await;
            assert_eq!(moved.status, 409, "{moved:?}");
        }
        let page = server.ask("GET", &format!("/r/{}", table.id), "", "").await;
        assert!(
            page.status == 409 && page.body.contains("This round is corrupted; start a new one."),
            "{page:?}"
        );
    }
    assert_eq!(server.metric("spoton_panics_total").await, 0);
}

/// S8: a backup under load holds a prefix of each round, with everything acknowledged before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_under_load_is_whole_and_can_be_played_on() {
    let server = Arc::new(Program::start("copied"));
    let stop = Arc::new(AtomicBool::new(false));
    let mut tables = Vec::new();
    let mut playing = Vec::new();
    for _ in 0..4 {
        let table = Arc::new(server.table(json!({ "game": "number-maze", "target": 100_000 })).await);
        tables.push(Arc::clone(&table));
        let (server, stop) = (Arc::clone(&server), Arc::clone(&stop));
        playing.push(tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                makes_move(&server, &table).await;
                // A round has a limit of events.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }));
    }
    let mut copies = Vec::new();
    for number in 0..3 {
        let mut before = Vec::new();
        for table in &tables {
            makes_some_progress(&server, table).await;
            before.push(server.events(&table.id).await);
        }
        let copy = server.file(&format!("copy-{number}.db"));
        let mut backup = program();
        backup.arg("backup").arg(&copy).arg("--data").arg(server.file("data.db"));
        let made = tokio::task::spawn_blocking(move || backup.output().unwrap()).await.unwrap();
        assert!(made.status.success(), "{made:?}");
        copies.push((copy, before));
    }
    stop.store(true, Ordering::Relaxed);
    for played in playing {
        played.await.unwrap();
    }
    for (number, (copy, before)) in copies.into_iter().enumerate() {
        let mut restored = Program::start(&format!("restored-{number}"));
        let data = restored.file("data.db");
        let puts_back = async {
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{end}", data.display()));
            }
            std::fs::copy(&copy, &data).unwrap();
        };
        restored.meanwhile(puts_back).await;
        for (table, before) in tables.iter().zip(before) {
            let (whole, copied) = (server.events(&table.id).await, restored.events(&table.id).await);
            assert!(copied.len() >= before.len(), "{} of {}", copied.len(), before.len());
            assert_eq!(copied[..], whole[..copied.len()], "a beginning, without a gap");
            let seq = makes_move(&restored, table).await["seq"].as_u64().unwrap();
            assert_eq!(seq, copied.len() as u64 + 1, "the backup is usable");
        }
    }
}

/// Waits until the others have made a move.
async fn makes_some_progress(server: &Program, table: &Table) {
    let seq = &server.get(&format!("/rounds/{}", table.id)).await.json()["seq"];
    let news = server.get(&format!("/rounds/{}/events?after={seq}&wait=30", table.id)).await.json();
    assert_eq!(text(&news["events"][0]["kind"]), "move");
}
