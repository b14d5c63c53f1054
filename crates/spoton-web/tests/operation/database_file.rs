//! The database file while the server runs: deleted, replaced, or opened by a second server.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::operation::program::{Folder, JSON, PATIENCE, Program, as_text, ask, run, set};

/// Returns the status of one request; `None` if the server is gone.
fn status(address: &str, method: &str, path: &str, headers: &str, body: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}");
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

/// Starts a server, changes its files, and expects it to acknowledge nothing more and exit.
fn ends_after(name: &str, happens: impl FnOnce(&Folder), lost: &str) {
    let folder = Folder::new(name);
    let mut server = Program::start(&folder, &[]);
    let admin = server.admin();
    let (id, token, _) = set(&server);
    let bearer = format!("{JSON}authorization: Bearer {token}\r\n");
    let path = format!("/api/v1/rounds/{id}/moves");
    let moves = |seq: u64| json!({ "move": "+1", "expected_seq": seq }).to_string();
    assert_eq!(status(&server.address, "POST", &path, &bearer, &moves(1)), Some(200));
    happens(&folder);
    // The server may be gone already.
    assert_ne!(status(&server.address, "POST", &path, &bearer, &moves(2)), Some(200), "{name}");
    assert_ne!(status(&admin, "GET", "/readyz", "", ""), Some(200), "{name}");
    let ended = server.ends();
    let log = server.log();
    assert_eq!(ended.code(), Some(1), "{name}: {log}");
    let message = log.lines().last().unwrap_or_default();
    assert!(message.starts_with("spoton-web: ") && message.contains(lost), "{name}: {log}");
    assert!(
        message.contains("deleted, replaced or truncated") && message.contains("backup"),
        "{name}: {log}"
    );
}

#[test]
fn a_deleted_database_ends_the_server() {
    let delete = |name: &'static str| move |folder: &Folder| fs::remove_file(folder.file(name)).unwrap();
    ends_after("deleted", delete("data.db"), "data.db ");
    // Half of SQLite's data is in these two.
    ends_after("deleted-wal", delete("data.db-wal"), "data.db-wal ");
    ends_after("deleted-shm", delete("data.db-shm"), "data.db-shm ");
}

#[test]
fn a_replaced_database_ends_the_server() {
    let replace = |folder: &Folder| {
        let (data, copy) = (folder.file("data.db"), folder.file("copy.db"));
        assert!(run(&["backup", as_text(&copy), "--data", as_text(&data)]).status.success());
        fs::rename(copy, data).unwrap();
    };
    ends_after("replaced", replace, "data.db ");
    let move_away = |folder: &Folder| fs::rename(folder.file("data.db"), folder.file("old.db")).unwrap();
    ends_after("moved", move_away, "data.db ");
}

/// The same inode, but SQLite's data is gone. A move would still be written to the log.
#[test]
fn a_truncated_database_ends_the_server() {
    let cut = |name: &'static str, bytes: u64| {
        move |folder: &Folder| {
            fs::OpenOptions::new().write(true).open(folder.file(name)).unwrap().set_len(bytes).unwrap();
        }
    };
    ends_after("truncated", cut("data.db", 0), "data.db ");
    ends_after("truncated-page", cut("data.db", 1000), "data.db ");
    ends_after("truncated-wal", cut("data.db-wal", 0), "data.db-wal ");
    ends_after("truncated-frames", cut("data.db-wal", 5000), "data.db-wal ");
    let overwrite = |folder: &Folder| {
        let file = fs::OpenOptions::new().write(true).open(folder.file("data.db")).unwrap();
        (&file).write_all(&[b'x'; 100]).unwrap();
    };
    ends_after("overwritten", overwrite, "data.db ");
}

/// Other programs may checkpoint the log, which truncates it. The server continues.
#[test]
fn a_checkpoint_from_outside_is_fine() {
    let folder = Folder::new("checkpoint");
    let server = Program::start(&folder, &[]);
    let data = folder.file("data.db");
    for number in 0..5 {
        let (id, _, _) = set(&server);
        let removed = run(&["remove", &id, "--data", as_text(&data)]);
        assert!(removed.status.success(), "{number}");
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    assert_eq!(ask(&server.admin(), "GET", "/readyz", "", "").status, 200, "{}", server.log());
}

/// The server notices without any command.
#[test]
fn a_quiet_server_notices_too() {
    let folder = Folder::new("quiet");
    let mut server = Program::start(&folder, &[]);
    fs::remove_file(folder.file("data.db")).unwrap();
    assert_eq!(server.ends().code(), Some(1), "{}", server.log());
}

/// If the file is put back, the next server finds every acknowledged write.
#[test]
fn a_file_that_is_put_back_has_everything() {
    let folder = Folder::new("put-back");
    let mut server = Program::start(&folder, &[]);
    let (id, _, _) = set(&server);
    fs::rename(folder.file("data.db"), folder.file("away.db")).unwrap();
    assert_eq!(server.ends().code(), Some(1), "{}", server.log());
    fs::rename(folder.file("away.db"), folder.file("data.db")).unwrap();
    let again = Program::start(&folder, &[]);
    assert_eq!(again.ask("GET", &format!("/r/{id}"), "", "").status, 200);
}

/// A server with a full disk isn't ready, although SQLite's log has space to reuse.
#[test]
fn a_server_with_a_full_disk_is_not_ready() {
    let folder = Folder::new("full");
    let disk = folder.file("disk");
    fs::create_dir_all(&disk).unwrap();
    // A small file system in memory, in a separate namespace.
    let on_a_small_disk = |program: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.args(["mount -t tmpfs -o size=4m tmpfs \"$0\" && exec \"$@\"", as_text(&disk), program]);
        command
    };
    let tried = on_a_small_disk("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        let what = "a full disk (needs `unshare --user --mount` and a tmpfs)";
        writeln!(std::io::stderr(), "\n*** NOT TRIED HERE: {what} ***\n").unwrap();
        return;
    }
    let mut command = on_a_small_disk(env!("CARGO_BIN_EXE_spoton-web"));
    let server = Program::start_by(&mut command, &folder, &disk.join("data.db"), &[]);
    let admin = server.admin();
    let is_ready = || ask(&admin, "GET", "/readyz", "", "").status;
    assert_eq!(is_ready(), 200);
    let mut rounds = 0;
    let full = loop {
        // A different long book each time.
        let notes = format!("notes = [\"{rounds} {}\"]", "long ".repeat(800));
        let book = format!("title = \"Long\"\nstart = 0\ntarget = 9\nmoves = [\"+1\"]\n{notes}\n");
        let asked = json!({ "rulebook": book, "seats": ["me", "me"] }).to_string();
        let set = server.ask("POST", "/api/v1/rounds", JSON, &asked);
        match set.status {
            201 => rounds += 1,
            _ => break set,
        }
    };
    assert!(rounds > 10 && full.status == 503, "{rounds} {}", full.whole);
    assert_eq!(is_ready(), 503, "after {rounds} rounds");
}

fn refused(data: &Path) -> String {
    let second = run(&["--listen", "127.0.0.1:0", "--data", as_text(data)]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(second.stdout.is_empty(), "it never served: {:?}", second.stdout);
    said
}

/// Each of two servers on one file would assume that it's the only writer.
#[test]
fn a_second_server_on_the_same_file_is_refused() {
    let folder = Folder::new("second");
    let mut server = Program::start(&folder, &[]);
    let (id, _, _) = set(&server);
    let (data, link, hard_link) = (folder.file("data.db"), folder.file("link.db"), folder.file("hard.db"));
    std::os::unix::fs::symlink(&data, &link).unwrap();
    fs::hard_link(&data, &hard_link).unwrap();
    let holder = format!("process {} at http://{}/, started 20", server.child.id(), server.address);
    for name in [&data, &link] {
        let said = refused(name);
        assert!(said.contains("is in use by another server") && said.contains(&holder), "{said}");
    }
    // Without a note next to it, the system knows the process.
    let known = format!("is in use by another server (process {})", server.child.id());
    let said = refused(&hard_link);
    assert!(said.contains(&known), "{said}");
    fs::remove_file(&hard_link).unwrap();

    // The lock holds even if the note is missing or odd.
    let note = folder.file("data.db-server");
    let written = fs::read_to_string(&note).unwrap();
    fs::write(&note, "\u{1b}[31m\n".repeat(1_000)).unwrap();
    let said = refused(&data);
    assert!(!said.contains('\u{1b}') && said.len() < 1_000, "{said:?}");
    fs::remove_file(&note).unwrap();
    let said = refused(&data);
    assert!(said.contains(&known), "{said}");
    fs::write(&note, written).unwrap();

    // Backups and removals work meanwhile.
    let copy = folder.file("copy.db");
    assert!(run(&["backup", as_text(&copy), "--data", as_text(&data)]).status.success());
    assert!(run(&["remove", &id, "--data", as_text(&data)]).status.success());
    assert_eq!(server.ask("GET", "/", "", "").status, 200, "the first server is unaffected");

    // After a clean shutdown or a kill, the next server can start.
    assert!(server.end().success());
    assert!(!note.exists(), "a clean shutdown deletes the note");
    let mut next = Program::start(&folder, &[]);
    next.child.kill().unwrap();
    next.child.wait().unwrap();
    let last = Program::start(&folder, &[]);
    let said = refused(&data);
    assert!(said.contains(&format!("process {} ", last.child.id())), "the note is the new server's: {said}");
}
