//! Requests to nodes, directly or through nginx.

use std::io::{BufRead, BufReader, ErrorKind, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::operation::program::{Answer, JSON, PATIENCE, ask};

/// A round with one program in both seats.
pub struct Round {
    pub id: String,
    pub token: String,
    /// The last event that was acknowledged.
    pub seq: u64,
}

impl Round {
    pub fn start(address: &str) -> Round {
        let asked = json!({ "game": "number-maze", "seats": ["me", "me"], "target": 100_000 });
        let answer = ask(address, "POST", "/api/v1/rounds", JSON, &asked.to_string());
        assert_eq!(answer.status, 201, "{}", answer.whole);
        let set = json(&answer);
        let text = |json: &Json| json.as_str().unwrap().to_owned();
        Round { id: text(&set["id"]), token: text(&set["tokens"]["1"]), seq: 1 }
    }

    /// Makes the next move, without a retry.
    pub fn try_move(&self, address: &str) -> Answer {
        let key = format!("{}-{}", self.id, self.seq);
        let headers = format!("{JSON}authorization: Bearer {}\r\nidempotency-key: {key}\r\n", self.token);
        let asked = json!({ "move": "+1", "expected_seq": self.seq }).to_string();
        ask(address, "POST", &format!("/api/v1/rounds/{}/moves", self.id), &headers, &asked)
    }

    /// Makes the next move like a careful client: asks again with the same key if the answer is 503. Returns how often it
    /// had to.
    pub fn make_move(&mut self, address: &str) -> u32 {
        let begun = Instant::now();
        for retries in 0.. {
            let answer = self.try_move(address);
            if answer.status == 503 && begun.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_millis(50));
                continue;
            }
            assert_eq!(answer.status, 200, "move {}: {}", self.seq, answer.whole);
            self.seq += 1;
            assert_eq!(json(&answer)["seq"], self.seq, "{}", answer.whole);
            return retries;
        }
        unreachable!()
    }

    /// Returns all events.
    pub fn events(&self, address: &str) -> Vec<Json> {
        let path = format!("/api/v1/rounds/{}/events?after=0&wait=0", self.id);
        let answer = ask(address, "GET", &path, "", "");
        assert_eq!(answer.status, 200, "{}", answer.whole);
        json(&answer)["events"].as_array().unwrap().clone()
    }

    pub fn stream(&self, address: &str, after: u64) -> Events {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let path = format!("/api/v1/rounds/{}/events", self.id);
        // Otherwise nginx keeps the connection open after the stream has ended.
        let close = "connection: close\r\n";
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{close}last-event-id: {after}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        Events(BufReader::new(stream))
    }
}

/// An open stream.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// Returns the number of the next event; `None` if the stream ends.
    pub fn next(&mut self) -> Option<u64> {
        let mut line = String::new();
        loop {
            line.clear();
            match self.0.read_line(&mut line) {
                Ok(1..) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("no news: {error}"),
                // A cut connection is an end, too.
                _ => return None,
            }
            if let Some(seq) = line.strip_prefix("id:") {
                return Some(seq.trim().parse().unwrap());
            }
        }
    }
}

pub fn json(answer: &Answer) -> Json {
    serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("not JSON: {}", answer.whole))
}

/// Returns one of a server's metrics.
pub fn metric(admin: &str, name: &str) -> u64 {
    let metrics = ask(admin, "GET", "/metrics", "", "").body;
    let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name} isn't in {metrics}")).parse().unwrap()
}

/// Waits until something is true.
pub fn until(what: &str, is_true: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Reads a shipped file.
pub fn shipped(name: &str) -> String {
    let path = super::nginx::deploy().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn as_text(path: &Path) -> &str {
    path.to_str().unwrap()
}
