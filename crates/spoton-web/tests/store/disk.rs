//! S5: no yes on a failing disk. What was acknowledged stays, what failed left nothing, and all is well once the disk is.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use spoton_web::store::sqlite::{CannotOpen, SqliteStore};
use spoton_web::store::{Store, Write};

use crate::support::{Folder, helper, id, run_again, say_loudly, seqs, write};

/// Eight writes with long events, which do not fit what a disk may have left.
fn a_batch(last: u64) -> Vec<Write> {
    (last + 1..=last + 8)
        .map(|seq| {
            let mut write = write(id(1), [seq]);
            write.events[0].body = format!("{seq} {}", "long ".repeat(1_000));
            write
        })
        .collect()
}

/// Writes until it fails, and tells how many events were acknowledged.
async fn write_until_it_fails(store: &SqliteStore) -> u64 {
    let mut last = seqs(store, id(1)).await.len() as u64;
    for _ in 0..10_000 {
        match store.commit(a_batch(last)).await {
            Ok(answers) => assert!(answers.iter().all(Result::is_ok)),
            Err(_) => return last,
        }
        last += 8;
    }
    panic!("it never failed");
}

/// What must hold after a failure, while the disk still fails.
async fn nothing_is_lost(store: &SqliteStore, last: u64) {
    assert!(store.is_ready().await.is_err(), "SQLite's log may have room that the disk doesn't have");
    assert_eq!(seqs(store, id(1)).await, (1..=last).collect::<Vec<_>>());
    for _ in 0..3 {
        assert!(store.commit(a_batch(last)).await.is_err(), "it fails as long as the disk does");
    }
    assert_eq!(seqs(store, id(1)).await, (1..=last).collect::<Vec<_>>());
}

/// What must hold when the disk is well again.
async fn all_is_well(store: &SqliteStore, last: u64) {
    assert_eq!(store.is_ready().await, Ok(()));
    assert_eq!(seqs(store, id(1)).await, (1..=last).collect::<Vec<_>>());
    assert_eq!(store.commit(a_batch(last)).await, Ok(vec![Ok(()); 8]), "the very same can be kept now");
    assert_eq!(seqs(store, id(1)).await, (1..=last + 8).collect::<Vec<_>>());
}

/// Writes fail with an I/O error: no file may grow beyond a size. That is a limit of the whole process, so another one
/// tries it; the signal that comes with it is ignored there.
#[tokio::test]
async fn an_input_output_error_is_told_and_got_over() {
    if let Some(arguments) = helper() {
        return io_errors(Path::new(&arguments[0])).await;
    }
    let folder = Folder::new();
    let ignoring = ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""];
    let path = folder.join("spoton.db");
    let arguments = [path.to_str().unwrap()];
    let mut command = run_again(&ignoring, "disk::an_input_output_error_is_told_and_got_over", &arguments);
    succeeds(&mut command);
}

fn limit(bytes: Option<u64>) {
    let Rlimit { maximum, .. } = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: bytes.or(maximum), maximum }).unwrap();
}

async fn io_errors(path: &Path) {
    let store = SqliteStore::open(path).await.unwrap();
    for round in 1..=5 {
        // Each time at another place of the log beside the file, or of the file itself.
        limit(Some(round * 300_000 + round * 1_234));
        let last = write_until_it_fails(&store).await;
        // Every other time the disk is well at once, and so must be the store.
        if round % 2 == 0 {
            limit(Some(0));
            nothing_is_lost(&store, last).await;
            let why = store.is_ready().await.unwrap_err();
            assert!(why.to_string().starts_with("what was played cannot be kept just now: "), "{why}");
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

/// Everything is written, but the disk says that it did not keep it: now and then, as a tracer makes it say.
#[tokio::test]
async fn a_disk_that_does_not_keep_things_is_told_and_got_over() {
    if let Some(arguments) = helper() {
        return not_kept(Path::new(&arguments[0])).await;
    }
    let folder = Folder::new();
    let strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"];
    let tried = Command::new(strace[0]).args(&strace[1..]).arg("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        say_loudly("errors of fsync: strace is needed, and that it may trace");
        return;
    }
    let through = [&strace[..], &["-e", "inject=fsync,fdatasync:error=EIO:when=20+7"]].concat();
    let path = folder.join("spoton.db");
    let test = "disk::a_disk_that_does_not_keep_things_is_told_and_got_over";
    succeeds(&mut run_again(&through, test, &[path.to_str().unwrap()]));
    let store = SqliteStore::open(&path).await.unwrap();
    assert_eq!(seqs(&store, id(1)).await, (1..=8 * BATCHES).collect::<Vec<_>>());
}

/// So many batches are kept at last.
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
                assert!(failures < 10 * BATCHES, "it never gets over it");
            }
        }
    }
    assert!(failures > 2, "{failures}");
}

/// A file system that is full, and one that can only be read: a small one in memory, in a world of its own.
#[tokio::test]
async fn a_full_disk_is_told_and_got_over() {
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
            "a full disk: `unshare --user --mount` and a tmpfs are needed (as root, or with user namespaces)",
        );
        return;
    }
    let script = format!("{mount} \"$SPOTON_STORE_HELPER\" && exec \"$0\" \"$@\"");
    let through = [&own_world[..], &["sh", "-c", &script]].concat();
    succeeds(&mut run_again(&through, "disk::a_full_disk_is_told_and_got_over", &[path]));
}

async fn full(folder: &Path) {
    let (path, ballast) = (folder.join("spoton.db"), folder.join("ballast"));
    let store = SqliteStore::open(&path).await.unwrap();
    for round in 1..=3 {
        assert_eq!(store.is_ready().await, Ok(()));
        // All that is free, to the last page.
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
