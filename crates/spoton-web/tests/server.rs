//! The program itself over sockets: it prints its address, survives kills, and shuts down on SIGTERM.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

/// Far more than any test takes.
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &PathBuf) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_spoton-web"))
            // Without rate limits, for speed.
            .args(["--listen", "127.0.0.1:0", "--limit", "commands-at-once=1000000", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address =
            address.unwrap_or_else(|| panic!("the first line isn't an address: {line:?}")).to_owned();
        Server { child, address }
    }

    /// Sends a request; `None` if the server is gone before it answers.
    fn ask(&self, method: &str, path: &str, token: &str, body: &Json) -> Option<(u16, Json)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let authorization =
            if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{authorization}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(body).ok()?))
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn data(name: &str) -> (PathBuf, PathBuf) {
    let folder = std::env::temp_dir().join(format!("spoton-web-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    (folder.clone(), folder.join("data.db"))
}

/// S2: after a kill, every acknowledged move exists exactly once, and the round continues.
#[test]
fn a_kill_costs_nothing_that_was_acknowledged() {
    let (folder, file) = data("kills");
    let mut server = Server::start(&file);
    let asked = json!({ "game": "number-maze", "target": 1000, "seats": ["me", "me"] });
    let (status, set) = server.ask("POST", "/rounds", "", &asked).unwrap();
    assert_eq!(status, 201, "{set}");
    let (id, token) =
        (set["id"].as_str().unwrap().to_owned(), set["tokens"]["1"].as_str().unwrap().to_owned());
    let mut acknowledged: Vec<u64> = vec![1];
    for kill in 0..8_u64 {
        // Kills the server after a different delay each time.
        let id_of_server = server.child.id().to_string();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20 + kill * 13));
            Command::new("kill").args(["-9", &id_of_server]).status().unwrap();
        });
        let mut seq = *acknowledged.last().unwrap();
        while let Some((status, answer)) = server.ask(
            "POST",
            &format!("/rounds/{id}/moves"),
            &token,
            &json!({ "move": "+1", "expected_seq": seq }),
        ) {
            match status {
                200 => {
                    seq = answer["seq"].as_u64().unwrap();
                    acknowledged.push(seq);
                }
                // The answer before the kill was lost; the move may be saved.
                409 => seq = answer["state"]["seq"].as_u64().unwrap(),
                status => panic!("{status}: {answer}"),
            }
        }
        killer.join().unwrap();
        let _ = server.child.wait();
        server = Server::start(&file);
        let (_, events) =
            server.ask("GET", &format!("/rounds/{id}/events?after=0&wait=0"), "", &Json::Null).unwrap();
        let kept: Vec<u64> =
            events["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(kept, (1..=kept.len() as u64).collect::<Vec<_>>(), "without a gap");
        assert!(acknowledged.iter().all(|seq| *seq <= kept.len() as u64), "{acknowledged:?} {}", kept.len());
        acknowledged.push(kept.len() as u64);
        acknowledged.dedup();
    }
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}

/// SIGTERM shuts it down cleanly despite an open stream, and nothing is lost.
#[test]
fn a_signal_shuts_the_server_down_cleanly() {
    let (folder, file) = data("end");
    let mut server = Server::start(&file);
    let (_, set) =
        server.ask("POST", "/rounds", "", &json!({ "game": "number-maze", "seats": ["me", "pip"] })).unwrap();
    let id = set["id"].as_str().unwrap();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /api/v1/rounds/{id}/events HTTP/1.1\r\nhost: {}\r\n\r\n", server.address).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    server.signal("TERM");
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = server.child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "the server doesn't exit");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{status}");
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    let again = Server::start(&file);
    assert_eq!(again.ask("GET", &format!("/rounds/{id}"), "", &Json::Null).unwrap().0, 200);
    drop(again);
    std::fs::remove_dir_all(folder).unwrap();
}
