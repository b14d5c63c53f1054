//! The store's file: opening, errors, corruption and backups.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use spoton_web::store::sqlite::{CannotBackUp, CannotOpen, SqliteStore, VERSION};
use spoton_web::store::{Before, Refused, Store};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::support::{Acknowledged, Folder, asked, body, hash, id, seqs, write};

/// Another program that opens the file and changes something.
async fn meddle(path: &Path, sql: &str) -> u64 {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    let done = sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    done.rows_affected()
}

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).await.unwrap()
}

/// Fills a few sittings.
async fn fill(store: &dyn Store) {
    for number in 1..=3 {
        let writes = (1..=20).map(|seq| write(id(number), [seq])).collect();
        assert!(store.commit(writes).await.unwrap().iter().all(Result::is_ok));
    }
}

#[tokio::test]
async fn saved_data_survives_reopening() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let store = open(&path).await;
    fill(&store).await;
    let mut keyed = write(id(1), [21]);
    keyed.asked = Some(asked("key", "body", "answer"));
    store.commit(vec![keyed.clone()]).await.unwrap()[0].clone().unwrap();
    store.close().await;
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["spoton.db"], "everything is in one file");
    assert!(store.commit(vec![write(id(1), [22])]).await.is_err(), "a closed store refuses writes");
    assert!(store.events(id(1), 0, 1).await.is_err());
    assert!(store.is_ready().await.is_err());

    let store = open(&path).await;
    assert_eq!(seqs(&store, id(1)).await, (1..=21).collect::<Vec<_>>());
    let again = store.commit(vec![keyed]).await.unwrap();
    assert_eq!(again, [Err(Refused::Again(asked("key", "body", "answer")))]);
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let store = open(&folder.join("spoton.db")).await;
    fill(&store).await;
    store.backup(folder.join("copy.db")).await.unwrap();
    let mut count = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.file_name());
        count += 1;
    }
    assert_eq!(count, 4, "the file, its two companions and the copy");
}

#[tokio::test]
async fn foreign_files_are_left_unchanged() {
    let folder = Folder::new();
    let path = folder.join("other");
    let almost = [b"SQLite format 3\0".as_slice(), &[7; 5_000]].concat();
    for content in [b"x".as_slice(), b"My diary. It is longer than a header.\n", b"SQLite format 3", &almost]
    {
        fs::write(&path, content).unwrap();
        let why = SqliteStore::open(&path).await.unwrap_err();
        assert!(matches!(why, CannotOpen::NotADatabase(_)), "{why}");
        let expected =
            format!("{} isn't a database. Choose another file; this one is unchanged", path.display());
        assert_eq!(why.to_string(), expected);
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    fs::remove_file(&path).unwrap();

    meddle(&path, "CREATE TABLE recipe (name TEXT)").await;
    let before = fs::read(&path).unwrap();
    let why = SqliteStore::open(&path).await.unwrap_err();
    assert!(matches!(why, CannotOpen::Foreign(_)), "{why}");
    assert_eq!(fs::read(&path).unwrap(), before);

    let nowhere = folder.join("no/such/folder.db");
    let why = SqliteStore::open(&nowhere).await.unwrap_err();
    assert!(matches!(why, CannotOpen::Failed { .. }), "{why}");
    assert!(!nowhere.exists());
    let why = SqliteStore::open(folder.path()).await.unwrap_err();
    assert!(matches!(why, CannotOpen::Failed { .. }), "{why}");

    // A program that was killed during startup leaves an empty file.
    fs::write(&path, "").unwrap();
    fill(&open(&path).await).await;
}

/// S8: a newer database is unchanged.
#[tokio::test]
async fn a_newer_database_is_refused() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    open(&path).await.close().await;
    meddle(&path, &format!("PRAGMA user_version = {}", VERSION + 1)).await;
    let before = fs::read(&path).unwrap();
    let why = SqliteStore::open(&path).await.unwrap_err();
    let expected = format!(
        "{} comes from a newer version of Spot On (schema version {}, this program knows {VERSION}). Start \
         the newer program; the file is unchanged",
        path.display(),
        VERSION + 1
    );
    assert_eq!(why.to_string(), expected);
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// S8: a database of the first version is migrated and keeps its data.
#[tokio::test]
async fn an_old_database_is_brought_up_to_date() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let mut old = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true)
        .connect()
        .await
        .unwrap();
    let first = include_str!("../../src/store/sqlite/migrations/0001_first.sql");
    let marks = "PRAGMA application_id = 1399877492; PRAGMA user_version = 1";
    let invitation = "INSERT INTO event VALUES (x'07070707070707070707070707070707', 1, 5, '{}', x'00');
        INSERT INTO sitting VALUES (x'07070707070707070707070707070707', 1, 5, 0, 4);
        INSERT INTO invitation VALUES (x'07070707070707070707070707070707', zeroblob(32), 2, NULL)";
    for sql in [first, marks, "BEGIN", invitation, "COMMIT"] {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut old).await.unwrap();
    }
    old.close().await.unwrap();

    let store = open(&path).await;
    let found = store.invited_where(spoton_web::ids::Hash([0; 32]), 0).await.unwrap();
    assert_eq!(found, Some((id(7), spoton::engine::position::Player::Two)));
    store.remember(hash("ann"), "today".into(), Some("none".into()), 1).await.unwrap();
    store.close().await;
    let store = open(&path).await;
    assert_eq!(store.remembered(hash("ann")).await, Ok(vec![("today".to_owned(), "none".to_owned())]));
}

/// S8: a migration finds out which books were played, as far as possible; the others get a month.
#[tokio::test]
async fn books_of_an_old_database_have_a_month_to_be_opened() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let mut old = options.connect().await.unwrap();
    let migrations = [
        include_str!("../../src/store/sqlite/migrations/0001_first.sql"),
        include_str!("../../src/store/sqlite/migrations/0002_people.sql"),
        "PRAGMA application_id = 1399877492; PRAGMA user_version = 2",
    ];
    let books = ["played", "shared"].map(|name| {
        let hash = hash(name);
        let bytes: String = hash.0.iter().map(|byte| format!("{byte:02x}")).collect();
        (format!("INSERT INTO book VALUES (x'{bytes}', '{}', 5, '{name}')", hash.short()), bytes)
    });
    let played = format!(
        "INSERT INTO event VALUES (x'07070707070707070707070707070707', 1, 5, '{{}}', x'00');
        INSERT INTO sitting VALUES (x'07070707070707070707070707070707', 1, 5, 1, 0);
        INSERT INTO played VALUES (x'07070707070707070707070707070707', x'{}')",
        books[0].1
    );
    let rows = books.iter().map(|(row, _)| row.as_str());
    for sql in migrations.into_iter().chain(["BEGIN"]).chain(rows).chain([played.as_str(), "COMMIT"]) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut old).await.unwrap();
    }
    old.close().await.unwrap();

    let upgraded = spoton_web::clock::Clock::default().now();
    let store = open(&path).await;
    let is_there = async |name: &str| store.book(hash(name).short()).await.unwrap().is_some();
    // A second for rounding.
    let tidy = async |unplayed_books, books| {
        store.tidy(Before { unmoved: 0, idle: 6, unplayed_books, books }).await.unwrap();
    };
    tidy(upgraded - 1000, 5).await;
    assert!(is_there("played").await && is_there("shared").await);
    tidy(upgraded + 60_000, 5).await;
    assert!(is_there("played").await && !is_there("shared").await);
    tidy(upgraded + 60_000, 6).await;
    assert!(!is_there("played").await);
}

/// Writes to a deleted file are never acknowledged, not even by a batch in progress.
#[tokio::test]
async fn a_database_that_was_deleted_or_replaced_takes_nothing_more() {
    for lost in ["spoton.db", "spoton.db-wal", "spoton.db-shm"] {
        for replaced in [false, true] {
            let folder = Folder::new();
            let (path, lost) = (folder.join("spoton.db"), folder.join(lost));
            let store = open(&path).await;
            fill(&store).await;
            let before = fs::read(&lost).unwrap();
            fs::remove_file(&lost).unwrap();
            if replaced {
                // The new file mustn't reuse the inode of the old one, which is still open.
                fs::write(&lost, before).unwrap();
            }
            assert!(store.commit(vec![write(id(1), [21])]).await.is_err(), "{lost:?}");
            assert!(store.is_ready().await.is_err(), "{lost:?}");
            assert!(store.remember(hash("ann"), "key".into(), None, 1).await.is_err(), "{lost:?}");
            assert_eq!(store.lost().await.0, lost);
            // SQLite would delete files by name.
            std::mem::forget(store);
        }
    }
}

/// The same for a file that was truncated in place: SQLite could write on from its cache.
#[tokio::test]
async fn a_truncated_database_takes_nothing_more() {
    for (cut, bytes) in [("spoton.db", 0), ("spoton.db", 50), ("spoton.db-wal", 0), ("spoton.db-wal", 5000)] {
        let folder = Folder::new();
        let (path, cut) = (folder.join("spoton.db"), folder.join(cut));
        let store = open(&path).await;
        fill(&store).await;
        assert_eq!(store.is_ready().await, Ok(()));
        fs::OpenOptions::new().write(true).open(&cut).unwrap().set_len(bytes).unwrap();
        assert!(store.commit(vec![write(id(1), [21])]).await.is_err(), "{cut:?} {bytes}");
        assert!(store.is_ready().await.is_err(), "{cut:?} {bytes}");
        assert_eq!(store.lost().await.0, cut);
        std::mem::forget(store);
    }
}

/// Another program may checkpoint the log, and later restart it. Nothing is lost then.
#[tokio::test]
async fn a_checkpoint_by_another_program_does_no_damage() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let store = open(&path).await;
    fill(&store).await;
    for (seq, kind) in (21..).zip(["PASSIVE", "FULL", "RESTART", "TRUNCATE", "TRUNCATE"]) {
        meddle(&path, &format!("PRAGMA wal_checkpoint({kind})")).await;
        assert_eq!(store.is_ready().await, Ok(()), "{kind}");
        assert_eq!(store.commit(vec![write(id(1), [seq])]).await, Ok(vec![Ok(())]), "{kind}");
    }
    assert_eq!(seqs(&store, id(1)).await.len(), 25);
}

/// After a failed probe, a write succeeds only after a probe that works.
#[tokio::test]
async fn a_failed_probe_stops_all_writes() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let store = open(&path).await;
    fill(&store).await;
    assert_eq!(store.is_ready().await, Ok(()));
    let broken = "CREATE TRIGGER broken BEFORE UPDATE ON probe BEGIN SELECT raise(ABORT, 'broken'); END";
    meddle(&path, broken).await;
    assert!(store.commit(vec![write(id(1), [21])]).await.is_ok(), "nobody has noticed yet");
    for _ in 0..3 {
        assert!(store.is_ready().await.is_err());
        assert!(store.commit(vec![write(id(1), [22])]).await.is_err());
        assert!(store.remember(hash("ann"), "key".into(), None, 1).await.is_err());
    }
    meddle(&path, "DROP TRIGGER broken").await;
    assert_eq!(store.commit(vec![write(id(1), [22])]).await, Ok(vec![Ok(())]));
    assert_eq!(store.is_ready().await, Ok(()));
}

/// If the path is a link, the store watches the target's files.
#[cfg(unix)]
#[tokio::test]
async fn a_link_to_a_database_can_be_opened() {
    let folder = Folder::new();
    let (real, link) = (folder.join("real.db"), folder.join("link.db"));
    open(&real).await.close().await;
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let store = open(&link).await;
    fill(&store).await;
    assert_eq!(store.is_ready().await, Ok(()));
    fs::remove_file(folder.join("real.db-wal")).unwrap();
    assert!(store.commit(vec![write(id(1), [21])]).await.is_err());
    std::mem::forget(store);
}

#[tokio::test]
async fn two_processes_can_open_a_new_file_together() {
    for _ in 0..10 {
        let folder = Folder::new();
        let path = folder.join("spoton.db");
        let (one, other) = tokio::join!(SqliteStore::open(&path), SqliteStore::open(&path));
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!(one.commit(vec![write(id(1), [1])]).await, Ok(vec![Ok(())]));
        assert_eq!(other.commit(vec![write(id(1), [1])]).await, Ok(vec![Err(Refused::Taken)]));
        assert_eq!(other.commit(vec![write(id(1), [2])]).await, Ok(vec![Ok(())]));
        assert_eq!(seqs(&one, id(1)).await, [1, 2]);
    }
}

/// S7: readers notice a log that doesn't replay; all others are unchanged.
#[tokio::test]
async fn damage_stays_where_it_is() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let store = open(&path).await;
    fill(&store).await;
    let second =
        |what: &str| format!("UPDATE event SET {what} WHERE id = x'{}' AND seq = 7", "02".repeat(16));
    // A different legal move, invalid UTF-8, another time, an empty body, a wrong checksum.
    for damage in [
        "body = replace(body, 'x2', 'x3')",
        "body = CAST(x'7b22ff7d' AS TEXT)",
        "at = at + 1",
        "body = ''",
        "sum = x'00'",
    ] {
        assert_eq!(meddle(&path, &second(damage)).await, 1);
        let events = store.events(id(2), 0, 100).await.unwrap();
        assert_eq!(events.len(), 20);
        for event in events {
            match event.seq {
                7 => assert!(event.body.starts_with("damaged: "), "{damage}: {event:?}"),
                seq => assert_eq!(event.body, body(id(2), seq)),
            }
        }
    }
    assert_eq!(store.commit(vec![write(id(1), [21]), write(id(2), [21])]).await, Ok(vec![Ok(()), Ok(())]));
    for number in [1, 3] {
        let whole = |seq| (seq, body(id(number), seq));
        let events = store.events(id(number), 0, 20).await.unwrap();
        let events: Vec<_> = events.into_iter().map(|event| (event.seq, event.body)).collect();
        assert_eq!(events, (1..=20).map(whole).collect::<Vec<_>>());
    }
}

/// The index of sittings knows the last event, so a log without it isn't mistaken for a shorter one.
#[tokio::test]
async fn a_missing_last_event_is_damage() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let store = open(&path).await;
    fill(&store).await;
    let delete = |number: u8, which: &str| {
        format!("DELETE FROM event WHERE id = x'{}' AND seq {which}", format!("{number:02}").repeat(16))
    };
    for (number, which, left) in [(1, "= 20", 19), (2, ">= 11", 10), (3, "> 0", 0)] {
        assert_eq!(meddle(&path, &delete(number, which)).await, 20 - left);
        // From the start, and from an event that a client has seen.
        for after in [0, left.min(5), 19] {
            let events = store.events(id(number), after, 100).await.unwrap();
            let (last, others) = events.split_last().unwrap();
            assert!(last.seq == 20 && last.body.starts_with("damaged: "), "{last:?}");
            assert!(others.iter().all(|event| event.body == body(id(number), event.seq)));
            assert_eq!(others.len() as u64, left.saturating_sub(after));
        }
        assert_eq!(store.events(id(number), 20, 100).await, Ok(vec![]));
    }
    assert_eq!(store.events(id(4), 0, 100).await, Ok(vec![]), "the sitting is unknown");
}

/// S8: a backup under load holds a prefix of every log, with everything committed before it started.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_under_load_is_a_whole_beginning() {
    let folder = Folder::new();
    let store = Arc::new(open(&folder.join("spoton.db")).await);
    fill(&*store).await;
    let stop = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (1..=3)
        .map(|number| {
            let (store, stop) = (Arc::clone(&store), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut seq = 20;
                while !stop.load(Ordering::Relaxed) {
                    seq += 1;
                    let mut keyed = write(id(number), [seq]);
                    keyed.asked = Some(asked(&format!("{number} {seq}"), "", ""));
                    store.commit(vec![keyed]).await.unwrap()[0].clone().unwrap();
                }
            })
        })
        .collect();
    for count in 0..5 {
        let mut before = Acknowledged::default();
        for number in 1..=3 {
            before.0.insert(id(number), seqs(&*store, id(number)).await.len() as u64);
        }
        let to = folder.join(&format!("copy {count}.db"));
        store.backup(&to).await.unwrap();
        let copy = open(&to).await;
        assert_eq!(before.lost(&copy).await, 0);
        for number in 1..=3 {
            let last = seqs(&copy, id(number)).await.len();
            for (seq, there) in [(last, last > 20), (last + 1, false)] {
                let key = copy.asked(hash(format!("{number} {seq}"))).await.unwrap();
                assert_eq!(key.is_some(), there);
            }
        }
        assert_eq!(copy.commit(vec![write(id(9), [1])]).await, Ok(vec![Ok(())]), "the backup is usable");
        copy.close().await;
    }
    stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await.unwrap();
    }
    let left = |end: &str| {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(end)).count()
    };
    assert_eq!(left(".spoton-part"), 0, "no partial copy is left");
}

#[tokio::test]
async fn a_copy_replaces_nothing() {
    let folder = Folder::new();
    let store = open(&folder.join("spoton.db")).await;
    fill(&store).await;
    for name in ["spoton.db", "letter"] {
        let to = folder.join(name);
        if name == "letter" {
            fs::write(&to, "dear").unwrap();
        }
        let before = fs::read(&to).unwrap();
        let why = store.backup(&to).await.unwrap_err();
        assert!(matches!(why, CannotBackUp::Exists(_)), "{why}");
        assert_eq!(fs::read(&to).unwrap(), before);
    }
    let why = store.backup(folder.join("no/such/copy")).await.unwrap_err();
    assert!(matches!(why, CannotBackUp::Failed { .. }), "{why}");
}

/// A command that is cancelled halfway, as when a request ends, blocks nobody.
#[tokio::test]
async fn a_commit_that_is_dropped_leaves_the_store_well() {
    let folder = Folder::new();
    let store = open(&folder.join("spoton.db")).await;
    let mut next = 1;
    for steps in 0..40 {
        let batch = vec![write(id(1), [next]), write(id(2), [next])];
        let mut commit = store.commit(batch);
        // Polls this many times, then drops: before, within or after the transaction.
        let mut looks = 0;
        let ended = std::future::poll_fn(|context| match commit.as_mut().poll(context) {
            std::task::Poll::Ready(_) => std::task::Poll::Ready(true),
            std::task::Poll::Pending if looks == steps => std::task::Poll::Ready(false),
            std::task::Poll::Pending => {
                looks += 1;
                std::task::Poll::Pending
            }
        });
        let ended = ended.await;
        drop(commit);
        // A successful write proves that the previous write has ended, whether it succeeded or not.
        assert_eq!(store.is_ready().await, Ok(()));
        let (one, two) = (seqs(&store, id(1)).await, seqs(&store, id(2)).await);
        assert_eq!(one, two, "both or neither");
        assert!(!ended || one.len() as u64 == next);
        next = one.len() as u64 + 1;
    }
}
