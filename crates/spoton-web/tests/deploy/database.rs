//! PostgreSQL with a standby, its failover, and its backups.

use std::path::Path;
use std::time::Duration;

use super::server::{Server, address, password};
use super::support::Round;
use crate::operation::program::{Folder, Program, program};

fn node(folder: &Folder, data: &str) -> Program {
    let (name, value) = password();
    Program::start_by(program().env(name, value), folder, Path::new(data), &[])
}

/// Waits until a standby has everything that a primary has.
async fn follows(primary: &Server, name: &str) {
    let state = format!("SELECT sync_state FROM pg_stat_replication WHERE application_name = '{name}'");
    primary.until(&state, "quorum").await;
}

/// The standby is synchronous, takes over with every acknowledged move, and the old primary returns as its standby.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_takes_over_without_a_loss() {
    let first = Server::first().await;
    let second = Server::without_data();
    second.certify(Some(&first));
    second.follow(&first, "spoton_b");
    first.script("alone", &["--no"]);
    follows(&first, "spoton_b").await;
    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_replication USING (pid)";
    first.until(encrypted, "true").await;

    let folder = Folder::new("failover");
    let node = node(&folder, &address(&[&first, &second], "spoton"));
    let mut round = Round::start(&node.address);
    for _ in 0..20 {
        round.make_move(&node.address);
    }
    first.control(&["stop", "-m", "immediate"]);
    assert_eq!(round.try_move(&node.address).status, 503, "there is no primary");
    second.script("promote", &[]);
    // Its only standby is gone, so moves wait until the operator decides that one disk is enough.
    let unsafe_now = round.try_move(&node.address);
    assert_eq!(unsafe_now.status, 503, "{}", unsafe_now.whole);
    second.script("alone", &[]);
    for _ in 0..20 {
        round.make_move(&node.address);
    }
    assert_eq!(round.events(&node.address).len() as u64, round.seq);

    // The old primary's data can't be used.
    std::fs::remove_dir_all(first.data()).unwrap();
    first.follow(&second, "spoton_a");
    // It must not inherit `alone`.
    let auto = std::fs::read_to_string(Path::new(&first.data()).join("postgresql.auto.conf")).unwrap();
    assert!(!auto.contains("synchronous_standby_names"), "{auto}");
    second.script("alone", &["--no"]);
    follows(&second, "spoton_a").await;
    round.make_move(&node.address);

    // And back again.
    second.control(&["stop", "-m", "immediate"]);
    first.script("promote", &[]);
    first.script("alone", &[]);
    round.make_move(&node.address);
    assert_eq!(round.events(&node.address).len() as u64, round.seq);
}

/// A dump and a point in time bring back the same rows, and a server that plays on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_bring_back_every_row() {
    let server = Server::first().await;
    let folder = Folder::new("backups");
    let playing = node(&folder, &address(&[&server], "spoton"));
    let mut rounds: Vec<Round> = (0..5).map(|_| Round::start(&playing.address)).collect();
    let play = |rounds: &mut [Round]| {
        for (count, round) in rounds.iter_mut().enumerate() {
            for _ in 0..=count {
                round.make_move(&playing.address);
            }
        }
    };
    let events = |rounds: &[Round], of: &Program| {
        rounds.iter().map(|round| round.events(&of.address)).collect::<Vec<_>>()
    };
    play(&mut rounds);
    let dumped = events(&rounds, &playing);
    let rows = without_probe(server.contents("spoton").await);
    let dump = server.script("dump", &[]);
    play(&mut rounds);
    server.script("restore-dump", &[dump.trim(), "restored"]);
    assert_eq!(without_probe(server.contents("restored").await), rows);
    assert_ne!(without_probe(server.contents("spoton").await), rows);
    let other_folder = Folder::new("backups-restored");
    let restored = node(&other_folder, &address(&[&server], "restored"));
    assert_eq!(events(&rounds, &restored), dumped);
    assert_eq!(
        server.text("restored", "has_database_privilege('replicator', 'restored', 'CONNECT')").await,
        "false"
    );
    let mut on =
        Round { seq: dumped[0].len() as u64, id: rounds[0].id.clone(), token: rounds[0].token.clone() };
    on.make_move(&restored.address);
    drop(restored);

    // A point in time: after the copy, and before some moves.
    let base = server.script("base-backup", &[]);
    play(&mut rounds);
    // Clock ticks around the wanted moment, so no commit has the same time.
    tokio::time::sleep(Duration::from_millis(20)).await;
    let time = server.text("postgres", "SELECT clock_timestamp()").await;
    let (kept, rows) = (events(&rounds, &playing), without_probe(server.contents("spoton").await));
    tokio::time::sleep(Duration::from_millis(20)).await;
    play(&mut rounds);
    drop(playing);
    let last = server.text("postgres", "SELECT pg_walfile_name(pg_switch_wal())").await;
    server.until(&format!("SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver"), "true").await;

    let past = Server::without_data();
    past.certify(Some(&server));
    // The copy and the log, from another machine.
    let copied = past.output(
        "cp",
        &["-r", &format!("{}/backups", server.folder().display()), past.folder().to_str().unwrap()],
    );
    assert!(copied.status.success(), "{copied:?}");
    let early = past.output(
        past.folder().join("lib/restore-to").to_str().unwrap(),
        &["2001-01-01 00:00:00+00", &past.data()],
    );
    assert!(
        !early.status.success() && String::from_utf8_lossy(&early.stderr).contains("old enough"),
        "{early:?}"
    );
    past.script("restore-to", &[&time, &past.data()]);
    past.control(&["start"]);
    past.until("SELECT pg_is_in_recovery()", "false").await;
    assert_eq!(without_probe(past.contents("spoton").await), rows, "{base} and its log, up to {time}");
    let past_folder = Folder::new("backups-past");
    let past_node = node(&past_folder, &address(&[&past, &server], "spoton"));
    assert_eq!(events(&rounds, &past_node), kept);

    // Only the last two copies stay, and the log that they need.
    for _ in 0..2 {
        server.script("base-backup", &[]);
    }
    let backups = server.folder().join("backups");
    let names = |folder: &str| {
        let mut names: Vec<String> = std::fs::read_dir(backups.join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("base").len(), 2, "{:?}", names("base"));
    assert!(!Path::new(base.trim()).exists());
    let label =
        std::fs::read_to_string(backups.join("base").join(&names("base")[0]).join("backup_label")).unwrap();
    let first = label.split(['(', ')']).nth(1).unwrap().strip_prefix("file ").unwrap().to_owned();
    let log = names("wal").into_iter().filter(|name| !name.contains(".backup"));
    let log: Vec<String> = log.map(|name| name.replace(".gz", "")).collect();
    assert!(log.contains(&first) && log.iter().all(|name| *name >= first), "{first}: {log:?}");
}

/// Nodes write that row all the time.
fn without_probe(mut contents: Vec<String>) -> Vec<String> {
    contents.retain(|table| !table.starts_with("probe: "));
    contents
}
