//! S5: nothing is acknowledged on a failing disk. Acknowledged writes stay, failed ones leave nothing, and the store
//! recovers with the disk.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use spoton_web::store::sqlite::{CannotOpen, SqliteStore};
use spoton_web::store::{Store, Write};

use crate::support::{Folder, helper, id, run_again, say_loudly, seqs, write};

/// Eight writes with long events, too large for a nearly full disk.
fn a_batch(last: u64) -> Vec<Write> {
    (last + 1..=last + 8)
        .map(|seq| {
            let mut write = write(id(1), [seq]);
            write.events[0].body = format!("{seq} {}", "long ".repeat(1_000));
            write
        })
        .collect()
}

/// Writes until an error and returns the number of acknowledged events.
async fn write_until_it_fails(store: &SqliteStore) -> u64 {
    let mut last = seqs(store, id(1)).await.len() as u64;
    for _ in 0..10_000 {
        match store.commit(a_batch(last)).await {
            Ok(answers) => assert!(answers.iter().all(Result::is_ok)),
            Err(_) => return last,
        }
        last += 8;
    }
    panic!("no write failed");
}

/// Checks the store after an error, while the disk still fails.
async fn nothing_is_lost(store: &SqliteStore, last: u64) {
    assert!(store.is_ready().await.is_err(), "SQLite's log may have room that the disk doesn't have");
    assert_eq!(seqs(store, id(1)).await, (1..=last).collect::<Vec<_>>());
    for _ in 0..3 {
        assert!(store.commit(a_batch(last)).await.is_err(), "writes fail while the disk does");
    }
    assert_eq!(seqs(store, id(1)).await, (1..=last).collect::<Vec<_>>());
}

/// Checks the store after the disk has recovered.
async fn all_is_well(store: &SqliteStore, last: u64) {
    assert_eq!(store.is_ready().await, Ok(()));
    assert_eq!(seqs(store, id(1)).await, (1..=last).collect::<Vec<_>>());
    assert_eq!(store.commit(a_batch(last)).await, Ok(vec![Ok(()); 8]), "the same batch succeeds now");
    assert_eq!(seqs(store, id(1)).await, (1..=last + 8).collect::<Vec<_>>());
}

/// I/O errors: a limit on file size makes writes fail. It applies to the whole process, so a child process runs this;
/// it ignores the signal that comes with the error.
#[tokio::test]
async fn an_input_output_error_is_reported_and_survived() {
    if let Some(arguments) = helper() {
        return io_errors(Path::new(&arguments[0])).await;
    }
    let folder = Folder::new();
    let ignoring = ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""];
    let path = folder.join("spoton.db");
    let arguments = [path.to_str().unwrap()];
    let mut command =
        run_again(&ignoring, "disk::an_input_output_error_is_reported_and_survived", &arguments);
    succeeds(&mut command);
}

fn limit(bytes: Option<u64>) {
    let Rlimit { maximum, .. } = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: bytes.or(maximum), maximum }).unwrap();
}

async fn io_errors(path: &Path) {
    let store = SqliteStore::open(path).await.unwrap();
    for round in 1..=5 {
        // Each time at another offset of the log or the database.
        limit(Some(round * 300_000 + round * 1_234));
        let last = write_until_it_fails(&store).await;
        // Every second time the disk recovers immediately, and so must the store.
        if round % 2 == 0 {
            limit(Some(0));
            nothing_is_lost(&store, last).await;
            let why = store.is_ready().await.unwrap_err();
            assert!(why.to_string().starts_with("can't save right now: "), "{why}");
        }
        limit(None);
        all_is_well(&store, last).await;
    }
    let last = seqs(&store, id(1)).await.len() as u64;
    limit(Some(0));
    store.close().await;
    limit(None);
    let store = SqliteStore::open(path).await.unwrap();
    all_is_well(&store, last).await;
}

/// fsync reports errors now and then: strace injects them.
#[tokio::test]
async fn a_disk_that_loses_writes_is_reported_and_survived() {
    if let Some(arguments) = helper() {
        return not_kept(Path::new(&arguments[0])).await;
    }
    let folder = Folder::new();
    let strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"];
    let tried = Command::new(strace[0]).args(&strace[1..]).arg("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        say_loudly("fsync errors (needs strace and permission to trace)");
        return;
    }
    let through = [&strace[..], &["-e", "inject=fsync,fdatasync:error=EIO:when=20+7"]].concat();
    let path = folder.join("spoton.db");
    let test = "disk::a_disk_that_loses_writes_is_reported_and_survived";
    succeeds(&mut run_again(&through, test, &[path.to_str().unwrap()]));
    let store = SqliteStore::open(&path).await.unwrap();
    assert_eq!(seqs(&store, id(1)).await, (1..=8 * BATCHES).collect::<Vec<_>>());
}

/// Batches to commit in the end.
const BATCHES: u64 = 100;

async fn not_kept(path: &Path) {
    let store = SqliteStore::open(path).await.unwrap();
    let (mut last, mut failures) = (0, 0);
    while last < 8 * BATCHES {
        match store.commit(a_batch(last)).await {
            Ok(answers) => {
                assert_eq!(answers, vec![Ok(()); 8]);
                last += 8;
            }
            Err(_) => {
                failures += 1;
                let expected: Vec<u64> = (1..=last).collect();
                assert_eq!(seqs(&store, id(1)).await, expected, "after {failures} failures");
                assert!(failures < 10 * BATCHES, "the store never recovers");
            }
        }
    }
    assert!(failures > 2, "{failures}");
}

/// A full and a read-only file system: a small tmpfs in a separate namespace.
#[tokio::test]
async fn a_full_disk_is_reported_and_survived() {
    if let Some(arguments) = helper() {
        return full(Path::new(&arguments[0])).await;
    }
    let folder = Folder::new();
    let mount = "mount -t tmpfs -o size=4m tmpfs";
    let own_world = ["unshare", "--user", "--map-root-user", "--mount"];
    let path = folder.path().to_str().unwrap();
    let tried = Command::new(own_world[0])
        .args(&own_world[1..])
        .args(["sh", "-c", &format!("{mount} \"$0\""), path])
        .stderr(Stdio::null())
        .status();
    if !tried.is_ok_and(|status| status.success()) {
        say_loudly(
            "a full disk (needs `unshare --user --mount` and a tmpfs, as root or with user namespaces)",
        );
        return;
    }
    let script = format!("{mount} \"$SPOTON_STORE_HELPER\" && exec \"$0\" \"$@\"");
    let through = [&own_world[..], &["sh", "-c", &script]].concat();
    succeeds(&mut run_again(&through, "disk::a_full_disk_is_reported_and_survived", &[path]));
}

async fn full(folder: &Path) {
    let (path, ballast) = (folder.join("spoton.db"), folder.join("ballast"));
    let store = SqliteStore::open(&path).await.unwrap();
    for round in 1..=3 {
        assert_eq!(store.is_ready().await, Ok(()));
        // Fills the free space to the last page.
        let mut size = 0;
        while fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&ballast)
            .is_ok_and(|mut file| std::io::Write::write_all(&mut file, &[0; 4_096]).is_ok())
        {
            size += 4_096;
        }
        assert!(size > 0, "round {round}");
        let last = write_until_it_fails(&store).await;
        nothing_is_lost(&store, last).await;
        fs::remove_file(&ballast).unwrap();
        all_is_well(&store, last).await;
    }
    let last = seqs(&store, id(1)).await.len() as u64;
    store.close().await;
    // Its lock is open for writing, and a file system with such a file can't become read-only.
    drop(store);

    let remount =
        |how: &str| Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(folder).status();
    assert!(remount("ro,size=4m").unwrap().success());
    let before = fs::read(&path).unwrap();
    let why = SqliteStore::open(&path).await.unwrap_err();
    assert!(matches!(why, CannotOpen::Failed { .. }), "{why}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(remount("rw,size=8m").unwrap().success());
    let store = SqliteStore::open(&path).await.unwrap();
    all_is_well(&store, last).await;
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "{said}");
}
