//! The program on PostgreSQL.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use spoton::engine::position::Player;
use spoton_web::ids::{Hash, SittingId};
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::postgres::{Durability, PostgresStore};
use spoton_web::store::sqlite::SqliteStore;
use spoton_web::store::{
    Book, Class, IdempotentAnswer, Invitation, Listed, OfClass, Store, Stored, WaitsFor, Write,
};
use sqlx::{Connection, PgConnection};

use crate::operation::cluster::Cluster;
use crate::operation::program::{Folder, JSON, PATIENCE, Program, as_text, ask, program, run, set};

fn moves(server: &Program, (id, token): (&str, &str), key: &str, seq: u64) -> (u16, Json) {
    let headers = format!("{JSON}authorization: Bearer {token}\r\nidempotency-key: {key}\r\n");
    let asked = json!({ "move": "+1", "expected_seq": seq }).to_string();
    let answer = server.ask("POST", &format!("/api/v1/rounds/{id}/moves"), &headers, &asked);
    (answer.status, serde_json::from_str(&answer.body).unwrap())
}

/// Waits until `/readyz` answers this.
fn becomes(admin: &str, status: u16) {
    let begun = Instant::now();
    while ask(admin, "GET", "/readyz", "", "").status != status {
        assert!(begun.elapsed() < PATIENCE, "/readyz never answers {status}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_plays_on_postgresql_and_survives_its_restart() {
    let folder = Folder::new("on-postgres");
    let cluster = Cluster::start(&[]);
    let data = cluster.database().await;
    let mut server = Program::start_by(&mut program(), &folder, Path::new(&data), &[]);
    let admin = server.admin();
    let (id, token, _) = set(&server);
    assert_eq!(moves(&server, (&id, &token), "one", 1).0, 200);
    becomes(&admin, 200);

    cluster.control(&["stop", "-m", "immediate"]);
    becomes(&admin, 503);
    let (status, refused) = moves(&server, (&id, &token), "two", 2);
    assert_eq!(status, 503, "{refused}");
    assert!(refused["detail"].as_str().unwrap().contains("nothing changed"), "{refused}");
    cluster.control(&["start"]);
    becomes(&admin, 200);
    let (status, moved) = moves(&server, (&id, &token), "two", 2);
    assert_eq!((status, &moved["seq"]), (200, &json!(3)), "{moved}");
    let metrics = ask(&admin, "GET", "/metrics", "", "").body;
    let bytes = metrics.lines().find_map(|line| line.strip_prefix("spoton_data_bytes ")).unwrap();
    assert!(bytes.parse::<u64>().unwrap() > 500, "{metrics}");
    assert!(server.end().success(), "{}", server.log());

    // Everything is still there for the next server.
    let mut server = Program::start_by(&mut program(), &folder, Path::new(&data), &[]);
    let (status, moved) = moves(&server, (&id, &token), "two", 2);
    assert_eq!((status, &moved["seq"]), (200, &json!(3)), "the same key gets the same answer: {moved}");
    let removed = run(&["remove", &id, "--data", &data]);
    assert!(removed.status.success(), "{removed:?}");
    assert_eq!(String::from_utf8(removed.stdout).unwrap(), "Removed the round.\n");
    assert!(!run(&["remove", &id, "--data", &data]).status.success());
    assert!(server.end().success());
}

#[test]
fn backup_names_the_right_tool_and_no_password_is_shown() {
    let folder = Folder::new("postgres-secrets");
    let secret = "postgres://ann:hidden-secret@127.0.0.1:1/db";
    let copy = run(&["backup", as_text(&folder.file("copy.db")), "--data", secret]);
    let wrong = "postgres://ann:hidden-secret@host:port/db";
    let far = "postgres://ann:hidden-secret@db.example.org/db?sslmode=require";
    let refused = [
        (copy, "pg_dump"),
        (run(&["--log", "debug", "--data", secret]), "127.0.0.1:1"),
        (run(&["remove", "tdjk27k6tvxw15d5wfp5yngwwm", "--data", secret]), "127.0.0.1:1"),
        (run(&["--data", wrong]), "postgres://user@host"),
        (run(&["--data", far]), "verify-full"),
        (run(&["move-data", "--from", "/nowhere.db", "--to", secret]), "/nowhere.db"),
    ];
    for (output, says) in refused {
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && told.contains(says), "{told}");
        assert!(!told.contains("hidden-secret"), "{told}");
    }
    let help = program().args(["--help"]).env("SPOTON_DATA", secret).output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("hidden-secret"));
}

/// Fills a store with a few items of every kind.
async fn fill(store: &dyn Store, sittings: u64) {
    let id = |number: u64| SittingId(u128::from(number).to_be_bytes());
    for first in (1..=sittings).step_by(64) {
        let writes = (first..(first + 64).min(sittings + 1)).map(|number| {
            let events: Vec<Stored> = (1..=3)
                .map(|seq| Stored {
                    seq,
                    at: number + seq,
                    body: format!("{{\"move {seq} of\":\"ünï {number}\"}}"),
                })
                .collect();
            let hash = |what: &str| Hash::digest(format!("{what} {number}"));
            let text = format!("title = \"{}\"", number % 7);
            Write {
                id: id(number),
                events,
                listed: Listed {
                    seq: 3,
                    at: number + 3,
                    moved: number % 2 == 0,
                    waits_for: WaitsFor::Computer,
                },
                asked: Some(IdempotentAnswer { key: hash("key"), body: hash("body"), answer: "3".into() }),
                burns: None,
                invites: vec![Invitation {
                    secret: hash("secret"),
                    player: Player::Two,
                    until: (number % 3 == 0).then_some(u64::MAX),
                }],
                seats: vec![(Player::One, hash("holder"))],
                book: (number % 5 == 0).then(|| Book { hash: Hash::digest(&text), text }),
                open_class: None,
            }
        });
        assert!(store.commit(writes.collect()).await.unwrap().iter().all(Result::is_ok));
    }
    let class = Class {
        code: "BCDFGH".into(),
        holder: Hash::digest("teacher"),
        until: 900,
        is_open: true,
        plays: "{}".into(),
    };
    assert!(store.keep_class(class).await.unwrap());
    for number in [3, 1, 2] {
        let of_class = OfClass { id: id(number), holder: Hash::digest("teacher") };
        store.add_to_class("BCDFGH".into(), of_class).await.unwrap();
    }
    for key in ["today", "a\0b", "\u{1}", "ünï"] {
        store.remember(Hash::digest("ann"), key.into(), Some(format!("of {key}")), 5).await.unwrap();
    }
}

/// Compares a few items of every kind.
async fn assert_same(one: &dyn Store, other: &dyn Store, sittings: u64) {
    for number in 1..=sittings {
        let id = SittingId(u128::from(number).to_be_bytes());
        assert_eq!(one.events(id, 0, 9).await, other.events(id, 0, 9).await, "{number}");
        if number % 50 == 0 {
            let hash = |what: &str| Hash::digest(format!("{what} {number}"));
            assert_eq!(one.holders(id).await, other.holders(id).await);
            assert_eq!(one.asked(hash("key")).await, other.asked(hash("key")).await);
            assert_eq!(one.sittings_of(hash("holder"), 9).await, other.sittings_of(hash("holder"), 9).await);
            let invited =
                (one.invitation(id, hash("secret"), 7).await, other.invitation(id, hash("secret"), 7).await);
            assert_eq!(invited.0, invited.1);
        }
    }
    assert_eq!(one.waiting_computers(9_999, 99).await, other.waiting_computers(9_999, 99).await);
    let short = Hash::digest("title = \"5\"").short();
    assert_eq!(one.book(short.clone()).await, other.book(short).await);
    assert_eq!(one.class_sittings("BCDFGH".into()).await, other.class_sittings("BCDFGH".into()).await);
    assert_eq!(
        one.classes_of(Hash::digest("teacher"), 1).await,
        other.classes_of(Hash::digest("teacher"), 1).await
    );
    assert_eq!(one.remembered(Hash::digest("ann")).await, other.remembered(Hash::digest("ann")).await);
}

/// A killed move resumes, and no server starts until it's complete. Afterwards both sides are the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_move_of_data_resumes() {
    const SITTINGS: u64 = 6_000;
    let folder = Folder::new("move-data");
    let file = folder.file("data.db");
    let (from, cluster) = (as_text(&file), Cluster::shared());
    let model = MemoryStore::default();
    fill(&model, SITTINGS).await;
    let store = SqliteStore::open(&file).await.unwrap();
    fill(&store, SITTINGS).await;
    store.close().await;
    let to = cluster.database().await;
    let move_data = ["move-data", "--from", from, "--to", &to];

    let mut child = program().args(move_data).stdout(Stdio::null()).spawn().unwrap();
    let moved = async || {
        let mut connection = PgConnection::connect(&to).await.unwrap();
        let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM spoton.event");
        count.fetch_one(&mut connection).await.unwrap_or(0)
    };
    let begun = Instant::now();
    while moved().await < 2_000 {
        assert!(begun.elapsed() < PATIENCE && child.try_wait().unwrap().is_none());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(moved().await < 3 * SITTINGS as i64, "it was killed too late");
    let early = run(&["--data", &to, "--listen", "127.0.0.1:0"]);
    assert!(String::from_utf8_lossy(&early.stderr).contains("run spoton-web move-data again"), "{early:?}");

    let done = run(&move_data);
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && told.contains("Both sides are the same"), "{done:?}");
    let store = PostgresStore::open(to.parse().unwrap(), Durability::Checked).await.unwrap();
    assert_same(&store, &model, SITTINGS).await;
    assert!(store.bytes().await.unwrap() > SITTINGS * 100);
    // A class continues after its moved sittings.
    let of_class = OfClass { id: SittingId([9; 16]), holder: Hash::digest("teacher") };
    for store in [&store as &dyn Store, &model] {
        store.add_to_class("BCDFGH".into(), of_class).await.unwrap();
    }
    assert_same(&store, &model, 0).await;
    let again = run(&move_data);
    let told = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && told.contains("already has data"), "{again:?}");
}

/// The file of a running server can't be moved, and differences between the two sides are found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_of_data_notices_a_server_and_a_difference() {
    let folder = Folder::new("move-refused");
    let cluster = Cluster::shared();
    let to = cluster.database().await;
    let mut server = Program::start(&folder, &[]);
    let file = folder.file("data.db");
    let move_data = ["move-data", "--from", as_text(&file), "--to", &to];
    set(&server);
    let refused = run(&move_data);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("in use by another server"), "{refused:?}");
    assert!(server.end().success());
    // An interrupted move whose rows were changed.
    let store = PostgresStore::open(to.parse().unwrap(), Durability::Checked).await.unwrap();
    store.remember(Hash::digest("x"), "key".into(), Some("other".into()), 1).await.unwrap();
    store.close().await;
    let name = to.rsplit('/').next().unwrap();
    cluster.execute(name, "UPDATE spoton.about SET is_moving = true".into()).await;
    let differs = run(&move_data);
    let told = String::from_utf8_lossy(&differs.stderr).into_owned();
    assert!(!differs.status.success() && told.contains("remembered") && told.contains("differ"), "{told}");
}
