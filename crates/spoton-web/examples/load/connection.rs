//! A hand-written client for the JSON API.

use std::time::Duration;

use serde_json::Value as Json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::Failure;

/// How long a move may take to be seen.
const TIME_TO_HEAR: Duration = Duration::from_secs(30);

/// A connection for sequential requests.
pub struct Connection {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Connection {
    pub async fn open(address: &str) -> Result<Connection, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), address: address.to_owned() })
    }

    pub async fn post(&mut self, path: &str, token: &str, body: &Json) -> Result<(u16, Json), Failure> {
        let headers = format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
        let (status, body) = self.ask("POST", &format!("/api/v1{path}"), &headers, &body.to_string()).await?;
        Ok((status, serde_json::from_str(&body)?))
    }

    /// Sends a request and returns the answer.
    pub async fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<(u16, String), Failure> {
        let host = &self.address;
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n{headers}");
        let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        let (status, length) = self.head().await?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok((status, String::from_utf8(body)?))
    }

    /// Reads an answer's status and the length of its body.
    async fn head(&mut self) -> Result<(u16, usize), Failure> {
        let (mut status, mut length) = (0, 0);
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the server is gone".into());
            }
            match line.trim_end().split_once(' ') {
                None => return Ok((status, length)),
                Some(("HTTP/1.1", rest)) => status = rest.split(' ').next().unwrap_or_default().parse()?,
                Some(("content-length:", rest)) => length = rest.parse()?,
                Some(_) => {}
            }
        }
    }

    /// Starts to stream a sitting's events.
    pub async fn listen(address: &str, id: &str, token: &str) -> Result<Connection, Failure> {
        let mut connection = Connection::open(address).await?;
        let request = format!(
            "GET /api/v1/rounds/{id}/events?after=1 HTTP/1.1\r\nhost: {address}\r\n\
             authorization: Bearer {token}\r\n\r\n"
        );
        connection.stream.get_mut().write_all(request.as_bytes()).await?;
        match connection.head().await? {
            (200, _) => Ok(connection),
            (status, _) => Err(format!("a stream got status {status}").into()),
        }
    }

    /// Waits for an event, with a timeout.
    pub async fn hear(&mut self, seq: u64) -> Result<(), Failure> {
        let heard = tokio::time::timeout(TIME_TO_HEAR, self.hear_of(seq)).await;
        heard.unwrap_or_else(|_| Err("a move was never seen".into()))
    }

    async fn hear_of(&mut self, seq: u64) -> Result<(), Failure> {
        let mut line = String::new();
        loop {
            line.clear();
            // The last chunk is empty.
            if self.stream.read_line(&mut line).await? == 0 || line == "0\r\n" {
                return Err("a stream ended".into());
            }
            let id = line.strip_prefix("id:").and_then(|id| id.trim().parse::<u64>().ok());
            if id.is_some_and(|id| id >= seq) {
                return Ok(());
            }
        }
    }
}
