//! Nodes behind nginx.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json as value;

use super::cluster::Cluster;
use super::nginx::{Nginx, free_port};
use super::support::{Round, as_text, json, metric};
use super::units::Node;
use crate::operation::program::{Folder, JSON, PATIENCE, Program, ask, program};

/// Starts a node as `deploy/systemd/web.env` does: behind a proxy that it trusts.
fn node(folder: &Folder, data: &str, arguments: &[&str]) -> Program {
    let arguments = [&["--trust-proxy", "127.0.0.1"], arguments].concat();
    Program::start_by(&mut program(), folder, Path::new(data), &arguments)
}

/// Pages, a round and a stream through nginx. Then a node dies, and the other takes over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_survives_the_death_of_a_node() {
    let data = Cluster::shared().database().await;
    let folders = ["first", "second"].map(|name| Folder::new(&format!("nginx-{name}")));
    let [mut first, second] = [0, 1].map(|node_of| node(&folders[node_of], &data, &[]));
    let nginx = Nginx::start(&[&first.address, &second.address]);
    let address = &nginx.address;
    for page in ["/", "/games", "/static/app.js", "/api/v1/games"] {
        let answer = ask(address, "GET", page, "", "");
        assert_eq!(answer.status, 200, "{page}: {}", answer.whole);
    }

    let mut round = Round::start(address);
    // One after the other, so each gets another node.
    let mut streams = [0, 1].map(|_| {
        let mut stream = round.stream(address, 0);
        assert_eq!(stream.next(), Some(1));
        stream
    });
    for _ in 0..6 {
        round.make_move(address);
    }
    // Each event arrives while the stream stays open, so nothing waits for a full buffer.
    for stream in &mut streams {
        for seq in 2..=round.seq {
            assert_eq!(stream.next(), Some(seq));
        }
    }
    for admin in [first.admin(), second.admin()] {
        assert!(metric(&admin, "spoton_moves_total") > 0, "nginx asks both nodes");
        assert_eq!(metric(&admin, "spoton_streams_open"), 1);
    }

    first.child.kill().unwrap();
    first.child.wait().unwrap();
    for _ in 0..10 {
        assert_eq!(ask(address, "GET", "/", "", "").status, 200, "nginx asks the other node");
    }
    let before = round.seq;
    for _ in 0..6 {
        round.make_move(address);
    }
    let mut ended = 0;
    for mut stream in streams {
        let last = std::iter::from_fn(|| stream.next()).take_while(|seq| *seq < round.seq).last();
        if last.unwrap_or(before) < round.seq - 1 {
            ended += 1;
            // The client reconnects with the last event that it has.
            let last = last.unwrap_or(before);
            let mut again = round.stream(address, last);
            for seq in last + 1..=round.seq {
                assert_eq!(again.next(), Some(seq));
            }
        }
    }
    assert_eq!(ended, 1, "the dead node's stream ended, and the other one continues");
    let seqs: Vec<u64> = round.events(address).iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=round.seq).collect::<Vec<_>>());

    drop((first, second));
    let lost = round.try_move(address);
    assert!(lost.status == 503 && lost.whole.contains("\r\nRetry-After: "), "{}", lost.whole);
    assert!(json(&lost)["detail"].as_str().unwrap().contains("same key"), "{}", lost.whole);
    let page = ask(address, "GET", "/", "", "");
    assert!(page.status == 503 && page.body.contains("<main>"), "boards show this text: {}", page.whole);
    let log = nginx.log();
    assert!(!log.contains(&round.id) && !log.contains("/r/"), "the log names nobody: {log}");
}

/// Sends a request from an address of this machine.
async fn ask_from(client: &str, to: &str, forged: &str) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(format!("{client}:0").parse().unwrap()).unwrap();
    let mut stream = socket.connect(to.parse::<SocketAddr>().unwrap()).await.unwrap();
    let body = value!({ "game": "number-maze", "seats": ["me", "me"] }).to_string();
    let request = format!(
        "POST /api/v1/rounds HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\nx-forwarded-for: {forged}\r\n{JSON}\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    tokio::time::timeout(PATIENCE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    answer.split(' ').nth(1).unwrap().to_owned()
}

/// Limits apply to the client's address, and a client can't forge another.
#[tokio::test]
async fn limits_apply_to_the_address_that_nginx_reports() {
    let folder = Folder::new("nginx-addresses");
    let data = folder.file("data.db");
    let node = node(&folder, as_text(&data), &["--limit", "new-of-an-address=2"]);
    let nginx = Nginx::start(&[&node.address]);
    let mut statuses = Vec::new();
    for attempt in 0..3 {
        statuses.push(ask_from("127.0.0.2", &nginx.address, &format!("6.6.6.{attempt}")).await);
    }
    statuses.push(ask_from("127.0.0.3", &nginx.address, "6.6.6.6").await);
    assert_eq!(statuses, ["201", "201", "429", "201"]);
}

/// The shipped site: a certificate, and the way there from plain http.
#[test]
fn the_shipped_site_serves_https() {
    const NAME: &str = "duels.example.org";
    let folder = Folder::new("nginx-tls");
    let certificate = super::nginx::deploy().join("postgresql/certificate");
    let made = Command::new(certificate).arg(&folder.0).arg(NAME).stderr(Stdio::null()).status();
    assert!(made.unwrap().success());
    let data = folder.file("data.db");
    // Its public name is the same in web.env.
    let node = Node::start(free_port(), &folder, &[("SPOTON_DATA", as_text(&data))]);
    let address = format!("127.0.0.1:{}", node.port);
    let [certificate, key] = ["server.pem", "server.key"].map(|name| folder.file(name));
    let nginx = Nginx::start_with_tls(&[&address], &certificate, &key);

    let moved = ask(&nginx.address, "GET", "/games?x", "", "");
    let there = "\r\nLocation: https://duels.example.org/games?x\r\n";
    assert!(moved.status == 301 && moved.whole.contains(there), "{}", moved.whole);

    let authority = folder.file("ca.pem");
    let mut client = Command::new("openssl")
        .args(["s_client", "-connect", &nginx.https, "-servername", NAME, "-verify_hostname", NAME])
        .args(["-verify_return_error", "-quiet", "-CAfile", as_text(&authority)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {NAME}\r\nconnection: close\r\n\r\n");
    let mut input = client.stdin.take().unwrap();
    input.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    client.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    drop(input);
    let output = client.wait_with_output().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(answer.contains("strict-transport-security"), "{answer}");
    // The node itself serves only its public name.
    assert_eq!(ask(&address, "GET", "/", "", "").status, 421);
}
