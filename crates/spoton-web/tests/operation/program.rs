//! The program itself: output, logs, the admin port, backups and shutdown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

/// Far more than any test takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A folder that is deleted with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("spoton-web-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct Program {
    pub child: Child,
    /// Its standard output, after the first line.
    lines: BufReader<std::process::ChildStdout>,
    pub address: String,
    log: PathBuf,
}

pub struct Answer {
    pub status: u16,
    pub whole: String,
    pub body: String,
}

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spoton-web"));
    // Independent of the environment.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SPOTON_")) {
        command.env_remove(name);
    }
    command
}

pub fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

impl Program {
    pub fn start(folder: &Folder, arguments: &[&str]) -> Program {
        Program::start_by(&mut program(), folder, &folder.file("data.db"), arguments)
    }

    /// Starts the program through another command.
    pub fn start_by(command: &mut Command, folder: &Folder, data: &Path, arguments: &[&str]) -> Program {
        let log = folder.file("log");
        let mut child = command
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address =
            address.unwrap_or_else(|| panic!("the first line isn't an address: {line:?}")).to_owned();
        Program { child, lines, address, log }
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Returns the admin address from the log.
    pub fn admin(&self) -> String {
        let begun = Instant::now();
        loop {
            if let Some((_, rest)) = self.log().split_once("http://")
                && let Some((address, _)) = rest.split_once("/healthz /readyz /metrics\n")
            {
                return address.to_owned();
            }
            assert!(begun.elapsed() < PATIENCE, "{}", self.log());
            std::thread::yield_now();
        }
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        ask(&self.address, method, path, headers, body)
    }

    /// Sends SIGTERM and waits for the exit.
    pub fn end(&mut self) -> std::process::ExitStatus {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
        self.ends()
    }

    /// Waits for the exit.
    pub fn ends(&mut self) -> std::process::ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server doesn't exit");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn ask(address: &str, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}");
    write!(stream, "{head}content-length: {length}\r\n\r\n{body}").unwrap();
    let mut whole = String::new();
    stream.read_to_string(&mut whole).unwrap();
    let (head, body) = whole.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, body: body.to_owned(), whole }
}

pub const JSON: &str = "content-type: application/json\r\n";

pub fn set(server: &Program) -> (String, String, Json) {
    let asked = json!({ "game": "number-maze", "seats": ["me", "me"], "target": 1000 });
    let answer = server.ask("POST", "/api/v1/rounds", JSON, &asked.to_string());
    assert_eq!(answer.status, 201, "{}", answer.whole);
    let set: Json = serde_json::from_str(&answer.body).unwrap();
    (set["id"].as_str().unwrap().to_owned(), set["tokens"]["1"].as_str().unwrap().to_owned(), set)
}

pub fn as_text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The admin port, and no other, serves health and metrics.
#[test]
fn metrics_have_a_separate_port() {
    let folder = Folder::new("admin");
    let server = Program::start(&folder, &[]);
    let admin = server.admin();
    let (id, token, _) = set(&server);
    let bearer = format!("{JSON}authorization: Bearer {token}\r\n");
    let asked = json!({ "move": "x2", "expected_seq": 1 }).to_string();
    assert_eq!(server.ask("POST", &format!("/api/v1/rounds/{id}/moves"), &bearer, &asked).status, 200);
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.ask("GET", path, "", "").status, 404, "{path}");
        assert_eq!(ask(&admin, "GET", path, "", "").status, 200, "{path}");
    }
    assert_eq!(ask(&admin, "GET", "/", "", "").status, 404);
    let metrics = ask(&admin, "GET", "/metrics", "", "").body;
    for line in [
        "spoton_requests_total{method=\"POST\",route=\"/api/v1/rounds/{id}/moves\",status=\"200\"} 1\n",
        "spoton_requests_total{method=\"GET\",route=\"none\",status=\"404\"} 3\n",
        "spoton_moves_total 1\n",
        "spoton_commit_seconds_count 2\n",
        "spoton_batch_commands_sum 2.0\n",
        "spoton_store_errors_total 0\n",
        "spoton_panics_total 0\n",
        "spoton_streams_open 0\n",
        "spoton_thinking 0\n",
        "spoton_rooms_held 1\n",
        "# EOF\n",
    ] {
        assert!(metrics.contains(line), "{line} is not in\n{metrics}");
    }
    let data = metrics.lines().find_map(|line| line.strip_prefix("spoton_data_bytes ")).unwrap();
    assert!(data.parse::<u64>().unwrap() > 4096, "{data}");
    assert!(!metrics.contains(&id) && !metrics.contains(&token), "{metrics}");
}

/// W2, for logs: they contain no secret, name or address with an id.
#[test]
fn the_logs_name_nobody_and_no_address() {
    let folder = Folder::new("logs");
    let mut server = Program::start(&folder, &["--log", "trace"]);
    let asked = json!({ "game": "number-maze", "name": "Ann Secretname", "seats": ["me", "friend"] });
    let answer = server.ask("POST", "/api/v1/rounds", JSON, &asked.to_string());
    let set: Json = serde_json::from_str(&answer.body).unwrap();
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let (id, token, secret) =
        (text(&set["id"]), text(&set["tokens"]["1"]), text(&set["invitation"]["secret"]));
    let rounds = format!("/api/v1/rounds/{id}");
    let taken = json!({ "secret": secret, "name": "Ben Secretname" }).to_string();
    assert_eq!(server.ask("POST", &format!("{rounds}/seats"), JSON, &taken).status, 200);
    let bearer = format!("{JSON}authorization: Bearer {token}\r\nidempotency-key: hidden-key\r\n");
    let moves = json!({ "move": "x2", "expected_seq": 2 }).to_string();
    assert_eq!(server.ask("POST", &format!("{rounds}/moves"), &bearer, &moves).status, 200);
    // Errors too.
    for (path, body) in [("moves", "{"), ("hint", "{}"), ("seats", taken.as_str())] {
        assert!(server.ask("POST", &format!("{rounds}/{path}"), &bearer, body).status >= 400);
    }
    let browser = "0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk";
    let cookie = format!(
        "cookie: seat={browser}\r\norigin: http://{}\r\ncontent-type: application/x-www-form-urlencoded\r\n",
        server.address
    );
    assert_eq!(server.ask("POST", "/new", &cookie, "mode=friend").status, 303);
    assert_eq!(server.ask("GET", &format!("/r/{id}?after={secret}"), &cookie, "").status, 200);
    assert_eq!(server.ask("GET", "/secret-path", &cookie, "").status, 404);
    assert!(server.end().success());
    // The database contains only their hashes.
    let kept = std::fs::read(folder.file("data.db")).unwrap();
    let holds = |text: &str| kept.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(holds("Ann Secretname"), "names are stored");
    for secret in [&token, &secret, browser, "hidden-key"] {
        assert!(!holds(secret), "{secret} is stored");
    }
    let log = server.log();
    assert!(log.contains("route=\"/api/v1/rounds/{id}/moves\" status=200"), "{log}");
    for secret in
        [&id, &token, &secret, "Secretname", "hidden-key", browser, "secret-path", as_text(&folder.0)]
    {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}

/// A backup works while the server runs and holds the moves; a sitting can be removed.
#[test]
fn a_copy_is_made_while_it_runs_and_a_sitting_is_taken_out() {
    let folder = Folder::new("backup");
    let server = Program::start(&folder, &[]);
    let (id, _, _) = set(&server);
    let (data, copy) = (folder.file("data.db"), folder.file("copy.db"));
    let backup = || run(&["backup", as_text(&copy), "--data", as_text(&data)]);
    let made = backup();
    assert!(made.status.success(), "{made:?}");
    let again = backup();
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("already exists"));
    let none =
        run(&["backup", as_text(&folder.file("other.db")), "--data", as_text(&folder.file("none.db"))]);
    assert!(!none.status.success() && !folder.file("none.db").exists(), "{none:?}");
    let restored = Folder::new("restored");
    std::fs::copy(&copy, restored.file("data.db")).unwrap();
    let other = Program::start(&restored, &[]);
    assert_eq!(other.ask("GET", &format!("/r/{id}"), "", "").status, 200);
    drop(other);
    // Its address works too.
    let remove = || {
        run(&[
            "remove",
            &format!("http://127.0.0.1:8080/r/{id}?taken"),
            "--data",
            as_text(&restored.file("data.db")),
        ])
    };
    assert!(remove().status.success());
    let gone = remove();
    assert!(
        !gone.status.success()
            && String::from_utf8_lossy(&gone.stderr).contains("no such round or rule book")
    );
    let other = Program::start(&restored, &[]);
    assert_eq!(other.ask("GET", &format!("/r/{id}"), "", "").status, 404);
    assert_eq!(server.ask("GET", &format!("/r/{id}"), "", "").status, 200, "the first server still has it");
}

/// Abandoned rounds are deleted soon after the start, and others remain.
#[test]
fn it_tidies_up_when_it_starts() {
    use spoton_web::ids::SittingId;
    use spoton_web::store::sqlite::SqliteStore;
    use spoton_web::store::{Listed, Store, Stored, WaitsFor, Write};

    let folder = Folder::new("tidies");
    let mut server = Program::start(&folder, &[]);
    let (fresh, _, _) = set(&server);
    assert!(server.end().success());
    let old = SittingId::random();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = SqliteStore::open(folder.file("data.db")).await.unwrap();
        let write = Write {
            id: old,
            events: vec![Stored { seq: 1, at: 1, body: "{}".to_owned() }],
            listed: Listed { seq: 1, at: 1, moved: true, waits_for: WaitsFor::Nobody },
            asked: None,
            burns: None,
            invites: vec![],
            seats: vec![],
            book: None,
            open_class: None,
        };
        store.commit(vec![write]).await.unwrap()[0].clone().unwrap();
        store.close().await;
    });
    let server = Program::start(&folder, &[]);
    let begun = Instant::now();
    while server.ask("GET", &format!("/api/v1/rounds/{old}"), "", "").status != 404 {
        assert!(begun.elapsed() < PATIENCE, "{}", server.log());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(server.ask("GET", &format!("/api/v1/rounds/{fresh}"), "", "").status, 200);
}

/// The default is such a file name: the first start in a folder creates the database there.
#[test]
fn a_bare_file_name_is_a_database_in_the_current_folder() {
    let folder = Folder::new("bare");
    let mut command = program();
    let mut server =
        Program::start_by(command.current_dir(&folder.0), &folder, Path::new("spoton-web.db"), &[]);
    let (id, _, _) = set(&server);
    let copied = program().args(["backup", "copy.db"]).current_dir(&folder.0).output().unwrap();
    assert!(copied.status.success() && folder.file("copy.db").exists(), "{copied:?}");
    assert!(server.end().success());
    let server = Program::start_by(&mut program(), &folder, &folder.file("spoton-web.db"), &[]);
    assert_eq!(server.ask("GET", &format!("/r/{id}"), "", "").status, 200);
}

/// A port in use is reported in words.
#[test]
fn a_port_in_use_is_reported() {
    let folder = Folder::new("taken");
    let server = Program::start(&folder, &[]);
    let refused = run(&["--listen", &server.address, "--data", as_text(&folder.file("other.db"))]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && told.contains("is already in use"), "{told}");
}

/// A newer database is refused and unchanged.
#[test]
fn a_newer_database_is_refused_in_words() {
    let folder = Folder::new("newer");
    let data = folder.file("data.db");
    let mut server = Program::start(&folder, &[]);
    assert!(server.end().success());
    // SQLite's offset of `user_version`.
    let mut bytes = std::fs::read(&data).unwrap();
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&data, &bytes).unwrap();
    let refused = run(&["--listen", "127.0.0.1:0", "--data", as_text(&data)]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{told}");
    assert!(told.contains("newer version of Spot On") && refused.stdout.is_empty(), "{told}");
    assert_eq!(std::fs::read(&data).unwrap(), bytes);
}

/// For a class the server prints every address, a QR code and tips.
#[test]
fn a_class_learns_how_to_join() {
    let folder = Folder::new("lan");
    let mut server = Program::start(&folder, &["--lan"]);
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let mut printed = String::new();
    while !printed.contains("hotspot") {
        assert!(server.lines.read_line(&mut printed).unwrap() > 0, "{printed}");
    }
    assert!(printed.contains('█') && printed.contains("firewall"), "{printed}");
    assert!(printed.contains(&format!("port {port}")) && printed.contains("client isolation"), "{printed}");
    // It answers on the first address, and on the others.
    assert_eq!(server.ask("GET", "/", "", "").status, 200);
    assert_eq!(ask(&format!("127.0.0.1:{port}"), "GET", "/", "", "").status, 200);
}

/// Every option has an environment variable, and bad values are refused in words.
#[test]
fn the_surroundings_can_say_it_too() {
    let folder = Folder::new("env");
    let mut child = program()
        .env("SPOTON_LISTEN", "127.0.0.1:0")
        .env("SPOTON_DATA", folder.file("other.db"))
        .env("SPOTON_BASE_URL", "https://duels.example.org")
        .env("SPOTON_TRUST_PROXY", "127.0.0.1,10.0.0.0/8")
        .env("SPOTON_ADMIN_LISTEN", "127.0.0.1:0")
        .env("SPOTON_MAX_DATA", "1GiB")
        .env("SPOTON_LIMIT", "new-of-a-browser=5,body-bytes=1000")
        .env("SPOTON_LOG", "off")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(line, "https://duels.example.org/\n");
    assert!(folder.file("other.db").exists());
    for (arguments, told) in [
        (["--base-url", "example.org"], "https://example.org"),
        (["--trust-proxy", "proxy"], "10.0.0.7"),
        (["--max-data", "much"], "500MiB"),
        (["--limit", "moves=1"], "commands-of-a-seat"),
        (["remove", "x"], "not a round or a rule book"),
    ] {
        let refused = run(&arguments);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains(told), "{arguments:?}: {said}");
    }
}

/// SIGTERM shuts it down cleanly despite open clients: one that streams, one that never finishes a request, one that
/// never reads.
#[test]
fn it_shuts_down_despite_open_connections() {
    let folder = Folder::new("stop");
    let mut server = Program::start(&folder, &[]);
    let (id, token, _) = set(&server);
    let open = |request: String| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let host = format!("host: {}\r\n", server.address);
    let stream = format!("GET /api/v1/rounds/{id}/events HTTP/1.1\r\n{host}\r\n");
    let mut listens = open(stream.clone());
    let _never_reads = open(stream);
    let _waits = open(format!("GET /api/v1/rounds/{id}/events?after=1&wait=30 HTTP/1.1\r\n{host}\r\n"));
    let _never_ends = open("GET / HTTP/1.1\r\nhost: ".to_owned());
    let _slow_body =
        open(format!("POST /api/v1/check HTTP/1.1\r\n{host}{JSON}content-length: 100\r\n\r\n{{"));
    let mut first = [0; 12];
    listens.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let bearer = format!("{JSON}authorization: Bearer {token}\r\n");
    let asked = json!({ "move": "x2", "expected_seq": 1 }).to_string();
    assert_eq!(server.ask("POST", &format!("/api/v1/rounds/{id}/moves"), &bearer, &asked).status, 200);
    let status = server.end();
    assert_eq!(status.code(), Some(0), "{}", server.log());
    assert!(server.log().contains("stopped"), "{}", server.log());
    // The stream ended with everything committed.
    let mut heard = String::new();
    let _ = listens.read_to_string(&mut heard);
    assert!(heard.contains("\"move\""), "{heard}");
    assert!(TcpStream::connect(&server.address).is_err());
    let again = Program::start(&folder, &[]);
    let state: Json =
        serde_json::from_str(&again.ask("GET", &format!("/api/v1/rounds/{id}"), "", "").body).unwrap();
    assert_eq!(state["seq"], 2);
}
