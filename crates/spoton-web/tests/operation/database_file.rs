//! The database file while the server runs: deleted, replaced, or opened by a second server.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::program::{Folder, JSON, PATIENCE, Program, as_text, ask, run, set};

/// The status of one request; `None` if the server is gone.
fn status(address: &str, method: &str, path: &str, headers: &str, body: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}");
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

/// Starts a server, lets something happen to its files, and expects that it acknowledges nothing more and ends.
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
    // Once the server is gone, nobody answers.
    assert_ne!(status(&server.address, "POST", &path, &bearer, &moves(2)), Some(200), "{name}");
    assert_ne!(status(&admin, "GET", "/readyz", "", ""), Some(200), "{name}");
    let ended = server.ends();
    let log = server.log();
    assert_eq!(ended.code(), Some(1), "{name}: {log}");
    let message = log.lines().last().unwrap_or_default();
    assert!(message.starts_with("spoton-web: ") && message.contains(lost), "{name}: {log}");
    assert!(message.contains("deleted or replaced") && message.contains("backup"), "{name}: {log}");
}

#[test]
fn a_deleted_database_ends_the_server() {
    let delete = |name: &'static str| move |folder: &Folder| fs::remove_file(folder.file(name)).unwrap();
    ends_after("deleted", delete("data.db"), "data.db ");
    // SQLite keeps half of the data in these two.
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

/// Nobody has to send a command for the server to notice.
#[test]
fn a_quiet_server_notices_too() {
    let folder = Folder::new("quiet");
    let mut server = Program::start(&folder, &[]);
    fs::remove_file(folder.file("data.db")).unwrap();
    assert_eq!(server.ends().code(), Some(1), "{}", server.log());
}

/// The next server finds everything that was acknowledged if the file is put back.
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

/// A server that fills its disk isn't ready, although SQLite's log has room that it could use again.
#[test]
fn a_server_that_has_filled_its_disk_is_not_ready() {
    let folder = Folder::new("full");
    let disk = folder.file("disk");
    fs::create_dir_all(&disk).unwrap();
    // A small disk in memory, in a namespace of its own.
    let on_a_small_disk = |program: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.args(["mount -t tmpfs -o size=4m tmpfs \"$0\" && exec \"$@\"", as_text(&disk), program]);
        command
    };
    let tried = on_a_small_disk("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        let what = "a full disk: `unshare --user --mount` and a tmpfs are needed";
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
        // A long book of its own each time.
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

/// Two servers on one file would each believe that nobody else changes it.
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
    let said = refused(&hard_link);
    assert!(said.contains("is in use by another server"), "{said}");
    fs::remove_file(&hard_link).unwrap();

    // A note that is gone, or says something odd, doesn't let anyone in.
    let note = folder.file("data.db-server");
    let written = fs::read_to_string(&note).unwrap();
    fs::write(&note, "\u{1b}[31m\n".repeat(1_000)).unwrap();
    let said = refused(&data);
    assert!(!said.contains('\u{1b}') && said.len() < 1_000, "{said:?}");
    fs::remove_file(&note).unwrap();
    assert!(refused(&data).contains("is in use by another server"));
    fs::write(&note, written).unwrap();

    // Backups and removals go on.
    let copy = folder.file("copy.db");
    assert!(run(&["backup", as_text(&copy), "--data", as_text(&data)]).status.success());
    assert!(run(&["remove", &id, "--data", as_text(&data)]).status.success());
    assert_eq!(server.ask("GET", "/", "", "").status, 200, "the first server is as it was");

    // A clean end and a kill both let the next one in.
    assert!(server.end().success());
    assert!(!note.exists(), "a clean end leaves nothing behind");
    let mut next = Program::start(&folder, &[]);
    next.child.kill().unwrap();
    next.child.wait().unwrap();
    let last = Program::start(&folder, &[]);
    let said = refused(&data);
    assert!(said.contains(&format!("process {} ", last.child.id())), "the note is the new server's: {said}");
}
