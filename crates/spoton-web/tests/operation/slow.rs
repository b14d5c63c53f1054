//! W8: slow or oversized clients hurt only themselves. Over sockets, with short timeouts.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use spoton_web::app::app;
use spoton_web::limits::{HEADER_BYTES, Limits};
use spoton_web::place::Place;
use spoton_web::serve::{Connections, serve};
use spoton_web::store::memory::MemoryStore;
use spoton_web::tables::Tables;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Far more than any test takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Concurrent clients of each kind.
const MANY: usize = 1000;

struct Server {
    address: std::net::SocketAddr,
    _stop: watch::Sender<bool>,
}

async fn start(limits: Limits) -> Server {
    raise_file_limit();
    let (tables, _) = Tables::open_with(Arc::new(MemoryStore::default()), Duration::ZERO, limits.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = watch::channel(false);
    let limits = Limits { connections_of_an_address: usize::MAX, ..limits };
    let connections = Connections::new(&limits, Arc::default(), usize::MAX);
    tokio::spawn(serve(listener, app(tables, Place::default()), limits, connections, stopped));
    Server { address, _stop: stop }
}

/// Both ends of every connection are in this process.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
}

impl Server {
    async fn send(&self, bytes: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes.as_ref()).await.unwrap();
        stream
    }

    /// A well-behaved client makes a move and gets an answer.
    async fn serves_others(&self) {
        let asked = json!({ "game": "number-maze", "seats": ["me", "me"] }).to_string();
        let set = self.asks("POST /api/v1/rounds", "", &asked).await;
        assert!(set.starts_with("HTTP/1.1 201"), "{set}");
        let body: serde_json::Value = serde_json::from_str(set.split("\r\n\r\n").nth(1).unwrap()).unwrap();
        let (id, token) = (body["id"].as_str().unwrap(), body["tokens"]["1"].as_str().unwrap());
        let asked = json!({ "move": "x2", "expected_seq": 1 }).to_string();
        let moved = self.asks(&format!("POST /api/v1/rounds/{id}/moves"), token, &asked).await;
        assert!(moved.starts_with("HTTP/1.1 200"), "{moved}");
    }

    async fn asks(&self, what: &str, token: &str, body: &str) -> String {
        let request = format!(
            "{what} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = self.send(request).await;
        rest(&mut stream).await
    }
}

/// Reads until the other end closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer));
    // A reset counts as closed.
    let _ = read.await.expect("the connection closes");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_ends_its_headers_is_let_go() {
    let server = start(Limits { time_for_headers: Duration::from_secs(2), ..Limits::default() }).await;
    let mut slow = Vec::new();
    for _ in 0..MANY {
        slow.push(server.send("GET / HTTP/1.1\r\nhost: local").await);
    }
    server.serves_others().await;
    for stream in &mut slow {
        let answer = rest(stream).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_request_bodies_time_out() {
    let server = start(Limits { time_for_request: Duration::from_secs(2), ..Limits::default() }).await;
    let mut slow = Vec::new();
    for _ in 0..MANY / 4 {
        let head = "POST /api/v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        slow.push(server.send(format!("{head}content-length: 100\r\n\r\n{{\"rule")).await);
    }
    server.serves_others().await;
    for stream in &mut slow {
        let answer = rest(stream).await;
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        assert!(answer.contains("retry-after: 5") && answer.contains("took too long"), "{answer}");
    }
}

/// Requests that wait for news have a longer timeout.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_wait_for_news_have_a_longer_timeout() {
    let server = start(Limits { time_for_request: Duration::from_millis(500), ..Limits::default() }).await;
    let asked = json!({ "game": "number-maze", "seats": ["me", "me"] }).to_string();
    let set = server.asks("POST /api/v1/rounds", "", &asked).await;
    let set: serde_json::Value = serde_json::from_str(set.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let events = format!("GET /api/v1/rounds/{}/events?after=1", set["id"].as_str().unwrap());
    let waited = server.asks(&format!("{events}&wait=1"), "", "").await;
    assert!(waited.starts_with("HTTP/1.1 200") && waited.ends_with("{\"events\":[]}"), "{waited}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oversized_bodies_are_not_read() {
    let server = start(Limits::default()).await;
    let body = vec![b' '; 10 << 20];
    for path in ["/api/v1/check", "/api/v1/rounds", "/new", "/api/v1/rounds/x/moves"] {
        let kind = if path == "/new" { "application/x-www-form-urlencoded" } else { "application/json" };
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\ncontent-type: {kind}\r\n",
            server.address
        );
        // With a content length, and without one.
        for length in [
            format!("content-length: {}\r\n\r\n", body.len()),
            "transfer-encoding: chunked\r\n\r\na00000\r\n".to_owned(),
        ] {
            let mut stream = server.send(format!("{head}{length}")).await;
            let (mut reads, mut writes) = stream.split();
            let sends = async {
                // The server may close before it has everything.
                let _ = writes.write_all(&body).await;
            };
            let mut status = [0; 12];
            let hears = tokio::time::timeout(PATIENCE, reads.read_exact(&mut status));
            let (heard, ()) = tokio::join!(hears, sends);
            heard.expect("the server answers").unwrap();
            assert_eq!(String::from_utf8_lossy(&status), "HTTP/1.1 413", "{path} {length}");
            server.serves_others().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_is_let_go() {
    let server = start(Limits { time_to_read: Duration::from_secs(1), ..Limits::default() }).await;
    let mut asking = Vec::new();
    for _ in 0..20 {
        let mut stream = server.send("").await;
        asking.push(tokio::spawn(async move {
            // Sends requests without ever reading, until the server closes the connection.
            let request = "GET /static/app.css HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100);
            while stream.write_all(request.as_bytes()).await.is_ok() {}
        }));
    }
    server.serves_others().await;
    for asked in asking {
        tokio::time::timeout(PATIENCE, asked).await.expect("the server closes the connection").unwrap();
    }
    server.serves_others().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_are_read_up_to_their_limit() {
    let server = start(Limits::default()).await;
    let request = |bytes: usize| {
        let head = "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ";
        format!("{head}{}\r\n\r\n", "x".repeat(bytes - head.len() - 4))
    };
    let at = rest(&mut server.send(request(HEADER_BYTES)).await).await;
    assert!(at.starts_with("HTTP/1.1 200"), "{at}");
    let past = rest(&mut server.send(request(HEADER_BYTES + 1)).await).await;
    assert!(past.starts_with("HTTP/1.1 431"), "{past}");
    server.serves_others().await;
}
