//! The program on a free port, and hand-written requests to it.

use std::io::{BufRead, BufReader as Lines};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value as Json, json};
use spoton_web::limits::Limits;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// Far more than any test takes.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A server with limits that no test reaches.
pub struct Program {
    child: Child,
    pub address: String,
    start: Start,
}

/// How to start a server, the first time and again.
pub struct Start {
    folder: PathBuf,
    pub data: PathBuf,
    pub listen: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(&'static str, String)>,
}

/// Returns the program without any environment settings.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spoton-web"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SPOTON_")) {
        command.env_remove(name);
    }
    command
}

impl Start {
    /// Returns how to start a server on a new file in a new folder.
    pub fn new(name: &str) -> Start {
        let folder = std::env::temp_dir().join(format!("spoton-promises-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (data, listen) = (folder.join("data.db"), "127.0.0.1:0".to_owned());
        Start { folder, data, listen, arguments: vec![], environment: vec![] }
    }

    /// Starts it and returns its address.
    fn run(&self) -> (Child, String) {
        let mut command = program();
        command.args(["--listen", &self.listen, "--log", "info", "--data"]).arg(&self.data);
        let rates =
            Limits::NAMES.iter().filter(|name| name.contains("-of-") && !name.starts_with("unfinished"));
        for limit in rates {
            command.args(["--limit", &format!("{limit}=4000000000")]);
        }
        command.args(["--limit", "commands-at-once=1000000"]);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        let log = self.folder.join("log");
        command.stdout(Stdio::piped()).stderr(std::fs::File::create(&log).unwrap());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        Lines::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let log = || std::fs::read_to_string(&log).unwrap();
        let address =
            address.unwrap_or_else(|| panic!("the first line isn't an address: {line:?} {}", log()));
        (child, address.to_owned())
    }
}

impl Program {
    pub fn start(name: &str) -> Program {
        Program::with(Start::new(name))
    }

    pub fn with(start: Start) -> Program {
        let (child, address) = start.run();
        Program { child, address, start }
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again after its end.
    pub fn start_again(&mut self) {
        (self.child, self.address) = self.start.run();
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the exit.
    pub fn ends(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Kills the server, runs something on its data, and starts it again.
    pub async fn meanwhile(&mut self, happens: impl Future<Output = ()>) {
        self.kill();
        happens.await;
        self.start_again();
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.start.folder.join(name)
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.file("log")).unwrap()
    }

    pub async fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let answer = ask(&self.address, method, path, headers, body).await;
        answer.unwrap_or_else(|| panic!("{method} {path} got no answer"))
    }

    /// Sends a command to the interface, with a token unless it's empty.
    pub async fn post(&self, path: &str, token: &str, body: &Json) -> Answer {
        self.ask("POST", &format!("/api/v1{path}"), &of_program(token), &body.to_string()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", &format!("/api/v1{path}"), "", "").await
    }

    /// Creates a table with two programs.
    pub async fn table(&self, asked: Json) -> Table {
        let set = self.post("/rounds", "", &asked).await;
        assert_eq!(set.status, 201, "{set:?}");
        let set = set.json();
        let id = text(&set["id"]);
        let secret = json!({ "secret": set["invitation"]["secret"] });
        let taken = self.post(&format!("/rounds/{id}/seats"), "", &secret).await;
        assert_eq!(taken.status, 200, "{taken:?}");
        let taken = taken.json();
        Table {
            id,
            tokens: [text(&set["tokens"]["1"]), text(&taken["token"])],
            state: taken["state"].clone(),
        }
    }

    /// Returns a round's events, in order.
    pub async fn events(&self, id: &str) -> Vec<Json> {
        let events = self.get(&format!("/rounds/{id}/events?after=0&wait=0")).await.json();
        events["events"].as_array().unwrap().clone()
    }

    /// Returns whether a round's events have no gap.
    pub async fn is_gapless(&self, id: &str) -> bool {
        let events = self.events(id).await;
        events.iter().zip(1..).all(|(event, seq)| event["seq"] == json!(seq))
    }

    /// Opens a stream of events or of a page.
    pub async fn listen(&self, path: &str, headers: &str) -> Stream {
        let stream = TcpStream::connect(&self.address).await.unwrap();
        let mut stream = Stream { lines: BufReader::new(stream) };
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n{headers}\r\n", self.address);
        stream.lines.get_mut().write_all(request.as_bytes()).await.unwrap();
        let first = stream.line().await.expect("the server answers");
        assert!(first.starts_with("HTTP/1.1 200"), "{first}");
        // Skips the headers.
        while !stream.line().await.expect("the stream continues").is_empty() {}
        stream
    }

    /// Returns one of the server's metrics.
    pub async fn metric(&self, name: &str) -> i64 {
        let log = self.log();
        let (_, rest) = log.split_once("metrics: http://").expect("the log has the admin address");
        let admin = rest.split('/').next().unwrap();
        let metrics = ask(admin, "GET", "/metrics", "", "").await.unwrap().body;
        let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.unwrap_or_else(|| panic!("{name} isn't in {metrics}")).parse().unwrap()
    }

    /// Waits until a metric is small enough, however long that takes.
    pub async fn settles(&self, name: &str, most: i64) {
        let begun = Instant::now();
        loop {
            let number = self.metric(name).await;
            if number <= most {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{name} stays at {number} instead of {most}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Returns the server's memory in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    /// Returns its open files, including connections.
    pub fn files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.start.folder);
    }
}

pub struct Table {
    pub id: String,
    pub tokens: [String; 2],
    pub state: Json,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// Lowercase.
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?} isn't JSON"))
    }

    pub fn read(whole: &[u8]) -> Option<Answer> {
        let whole = String::from_utf8_lossy(whole);
        let (head, body) = whole.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head: head.to_lowercase(), body: body.to_owned() })
    }

    /// Returns whether the answer shows when to retry.
    pub fn says_when(&self) -> bool {
        let when = self.head.lines().find_map(|line| line.strip_prefix("retry-after: "));
        when.is_some_and(|seconds| seconds.trim().parse::<u64>().is_ok_and(|seconds| seconds >= 1))
    }
}

pub fn text(json: &Json) -> String {
    json.as_str().unwrap_or_else(|| panic!("{json} isn't text")).to_owned()
}

/// Returns a program's headers.
pub fn of_program(token: &str) -> String {
    let bearer = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    format!("content-type: application/json\r\n{bearer}")
}

/// Returns the headers of a browser that sends a form.
pub fn of_browser(address: &str, key: &str) -> String {
    let form = "content-type: application/x-www-form-urlencoded\r\n";
    format!("{form}origin: http://{address}\r\ncookie: seat={key}\r\n")
}

/// Returns a valid browser key.
pub fn browser(number: usize) -> String {
    format!("{number:052}")
}

pub fn request(address: &str, method: &str, path: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
}

/// Sends a request over a new connection; `None` if it's cut before the answer.
pub async fn ask(address: &str, method: &str, path: &str, headers: &str, body: &str) -> Option<Answer> {
    let whole = send(address, request(address, method, path, headers, body).as_bytes()).await;
    let answer = Answer::read(&whole)?;
    // Ignores a truncated body.
    let length = answer.head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let is_whole = method == "HEAD" || length.is_none_or(|length: usize| length == answer.body.len());
    is_whole.then_some(answer)
}

/// Sends bytes and reads until the other end closes.
pub async fn send(address: &str, bytes: &[u8]) -> Vec<u8> {
    let asks = async {
        let mut whole = Vec::new();
        let Ok(mut stream) = TcpStream::connect(address).await else { return whole };
        // The other end may close before it has everything.
        let _ = stream.write_all(bytes).await;
        let _ = stream.read_to_end(&mut whole).await;
        whole
    };
    tokio::time::timeout(PATIENCE, asks).await.expect("the server answers or closes")
}

/// An open stream.
pub struct Stream {
    lines: BufReader<TcpStream>,
}

impl Stream {
    /// Returns the next line; `None` at the end.
    pub async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.lines.read_line(&mut line));
        match read.await.expect("the stream continues") {
            Ok(bytes @ 1..) => Some(line[..bytes].trim_end().to_owned()),
            _ => None,
        }
    }

    /// Returns the number of the next numbered event.
    pub async fn next_seq(&mut self) -> u64 {
        loop {
            let line = self.line().await.expect("the stream continues");
            if let Some(seq) = line.strip_prefix("id:") {
                return seq.trim().parse().unwrap();
            }
        }
    }
}

/// Raises the limit on open files and returns it: every connection needs one at each end.
pub fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
    limit.maximum.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX))
}
