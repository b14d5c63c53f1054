//! S2: whenever the program is killed, acknowledged writes exist exactly once.

use std::process::Stdio;

use spoton_web::store::Store;
use spoton_web::store::sqlite::SqliteStore;

use crate::support::{
    Acknowledged, Folder, Random, WRITTEN, helper, id, lines_of, run_again, write_until_killed,
};

const KILLS: u64 = 20;

/// Not a test: the program that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing() {
    if let Some(arguments) = helper() {
        write_until_killed(&arguments).await;
    }
}

#[tokio::test]
async fn a_kill_costs_nothing_that_was_acknowledged() {
    let folder = Folder::new();
    let path = folder.join("spoton.db");
    let mut random = Random::new(2);
    let mut kept = Acknowledged::default();
    for kill in 0..KILLS {
        let mut command =
            run_again(&[], "kills::writing", &[path.to_str().unwrap(), "power-cut", &kill.to_string()]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = lines_of(&mut child);
        // The machine decides when exactly, and in the middle of what.
        let wanted = 1 + random.below(300);
        assert_eq!(kept.read(&mut lines, wanted), wanted, "the writer exited by itself");
        child.kill().unwrap();
        kept.read(&mut lines, u64::MAX);
        child.wait().unwrap();

        let store = SqliteStore::open(&path).await.unwrap();
        assert_eq!(kept.lost(&store).await, 0, "after kill {kill}");
        assert_eq!(store.is_ready().await, Ok(()));
        // A key exists exactly if its event does.
        for number in 1..=WRITTEN {
            let last = store.events(id(number), 0, usize::MAX).await.unwrap().len();
            for (seq, there) in [(last, last > 0), (last + 1, false)] {
                let key = crate::support::hash(format!("{} {seq}", id(number)));
                assert_eq!(store.asked(key).await.unwrap().is_some(), there, "{seq}");
            }
        }
        // Every second time the file stays as the kill left it.
        if kill % 2 == 0 {
            store.close().await;
        }
    }
    assert_eq!(kept.0.len(), usize::from(WRITTEN));
}
