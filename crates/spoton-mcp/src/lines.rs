//! The protocol over standard input and output, one message per line.
//!
//! Invalid input never reaches the server. Lines that aren't JSON are skipped. Lines that are too long and requests
//! before initialization get an error. The connection survives all of these.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetExtensions, GetMeta, NumberOrString, ProtocolVersion,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value as Json;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use crate::limits::{MESSAGE_BYTES, MOST_REQUESTS, MOST_UNWRITTEN, TIME_TO_END};

/// A line-based connection.
pub struct Lines<R, W> {
    read: R,
    write: Arc<Mutex<W>>,
    /// The line read so far. It lives here because [`Lines::receive`] may be dropped at any await point.
    line: Vec<u8>,
    /// Whether the rest of the line is being discarded.
    is_too_long: bool,
    /// Whether the client has initialized the connection.
    has_begun: bool,
    /// Permits for requests in progress and for answers waiting to be written.
    working: Arc<Semaphore>,
    writing: Arc<Semaphore>,
}

/// The permit for a request in progress. It travels with the request, and dropping the request releases it.
#[derive(Clone)]
struct Place {
    _taken: Arc<OwnedSemaphorePermit>,
}

/// A parsed line.
enum Line {
    Message(Box<ClientJsonRpcMessage>),
    /// An error reply, with the request's id.
    Refused(Option<RequestId>, ErrorData),
    /// Ignored: nobody waits for an answer.
    Noise,
}

impl<R: AsyncBufRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> Lines<R, W> {
    pub fn new(read: R, write: W) -> Lines<R, W> {
        Lines {
            read,
            write: Arc::new(Mutex::new(write)),
            line: Vec::new(),
            is_too_long: false,
            has_begun: false,
            working: Arc::new(Semaphore::new(MOST_REQUESTS)),
            writing: Arc::new(Semaphore::new(MOST_UNWRITTEN)),
        }
    }

    /// Reads the next line, without its line break. Returns `None` at the end of the input. Reports a line that is too
    /// long as soon as it exceeds the limit.
    async fn next_line(&mut self) -> Option<Result<Vec<u8>, ErrorData>> {
        loop {
            let bytes = self.read.fill_buf().await.ok()?;
            if bytes.is_empty() {
                // An unterminated line is ignored.
                return None;
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let read = end.map_or(bytes.len(), |end| end + 1);
            let was_too_long = self.is_too_long;
            if !was_too_long {
                self.is_too_long = self.line.len() + part.len() > MESSAGE_BYTES;
                self.line.extend_from_slice(if self.is_too_long { &[] } else { part });
            }
            self.read.consume(read);
            let is_found_too_long = self.is_too_long && !was_too_long;
            let is_whole = end.is_some() && !self.is_too_long;
            if end.is_some() {
                self.is_too_long = false;
            }
            if is_found_too_long {
                self.line = Vec::new();
                let sentence =
                    format!("a message has at most {MESSAGE_BYTES} bytes (1 MiB), but this line is longer");
                return Some(Err(ErrorData::invalid_request(sentence, None)));
            }
            if is_whole {
                return Some(Ok(std::mem::take(&mut self.line)));
            }
        }
    }

    /// Sends a message in its own task, so that cancellation can't leave half a line in the output.
    fn send_apart(&self, place: OwnedSemaphorePermit, message: ServerJsonRpcMessage) {
        let (write, writing) = (Arc::clone(&self.write), Arc::clone(&self.writing));
        tokio::spawn(async move {
            let written = write_line(&write, &writing, &message).await;
            drop(place);
            written
        });
    }

    /// Rejects a message that came before initialization. Returns `None` if the message is fine.
    fn comes_too_early(&mut self, message: &ClientJsonRpcMessage) -> Option<Line> {
        if self.has_begun {
            return None;
        }
        let ClientJsonRpcMessage::Request(request) = message else { return Some(Line::Noise) };
        match &request.request {
            ClientRequest::PingRequest(_) => return None,
            ClientRequest::InitializeRequest(_) => self.has_begun = true,
            // Since this version, a client may introduce itself in every request instead of initializing.
            other => {
                self.has_begun =
                    other.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
            }
        }
        let sentence =
            "not initialized: send initialize first, or the _meta of protocol 2026-07-28 with every request";
        let refused = || Line::Refused(Some(request.id.clone()), ErrorData::invalid_request(sentence, None));
        (!self.has_begun).then(refused)
    }
}

/// Writes a message as one line.
async fn write_line<W: AsyncWrite + Unpin>(
    write: &Mutex<W>,
    writing: &Semaphore,
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut write = write.lock().await;
    let mut written = write.write_all(&line).await;
    if written.is_ok() {
        written = write.flush().await;
    }
    if written.is_err() {
        // The client is gone, so stop reading.
        writing.close();
    }
    written
}

/// Parses a line.
fn read(line: &[u8]) -> Line {
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Line::Message(Box::new(message)),
        Err(error) => error,
    };
    let Ok(json) = serde_json::from_slice::<Json>(line) else { return Line::Noise };
    let id = match &json["id"] {
        Json::String(id) => Some(NumberOrString::String(id.as_str().into())),
        Json::Number(id) => id.as_i64().map(NumberOrString::Number),
        _ => None,
    };
    let has = |key: &str| json.get(key).is_some();
    // Notifications and answers get no answer.
    if has("result") || has("error") || has("method") && !has("id") {
        return Line::Noise;
    }
    let sentence = format!("not a valid message: {error}");
    Line::Refused(id, ErrorData::invalid_request(sentence, None))
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncBufRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let (write, writing) = (Arc::clone(&self.write), Arc::clone(&self.writing));
        async move {
            let _place = writing.acquire().await.map_err(|_| io::ErrorKind::BrokenPipe)?;
            write_line(&write, &writing, &message).await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Backpressure: a client that doesn't read its answers isn't read from.
            let to_write = Arc::clone(&self.writing).acquire_owned().await.ok()?;
            let to_work = Arc::clone(&self.working).acquire_owned().await.ok()?;
            let line = match self.next_line().await? {
                Ok(line) => read(&line),
                Err(error) => Line::Refused(None, error),
            };
            let line = match line {
                Line::Message(message) => self.comes_too_early(&message).unwrap_or(Line::Message(message)),
                line => line,
            };
            match line {
                Line::Noise => {}
                Line::Refused(id, error) => self.send_apart(to_write, ServerJsonRpcMessage::error(error, id)),
                Line::Message(mut message) => {
                    if let ClientJsonRpcMessage::Request(request) = &mut *message {
                        request.request.extensions_mut().insert(Place { _taken: Arc::new(to_work) });
                    }
                    return Some(*message);
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        let all_is_written = async {
            // Waits for the answers in flight.
            let _every_place = self.writing.acquire_many(MOST_UNWRITTEN as u32).await;
            self.write.lock().await.shutdown().await
        };
        // Doesn't wait for a client that has stopped reading.
        tokio::time::timeout(TIME_TO_END, all_is_written).await?
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::*;

    const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

    /// Feeds an input in pieces of a given size. Returns the number of messages received and the answers sent.
    async fn received(input: &[u8], piece: usize) -> (usize, String) {
        let (answers, mut sent) = tokio::io::duplex(1 << 20);
        let mut lines = Lines::new(BufReader::with_capacity(piece, io::Cursor::new(input.to_vec())), answers);
        let mut count = 0;
        while lines.receive().await.is_some() {
            count += 1;
        }
        lines.close().await.unwrap();
        let mut said = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut sent, &mut said).await.unwrap();
        (count, said)
    }

    #[tokio::test]
    async fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        let spaces = " ".repeat(MESSAGE_BYTES - PING.len());
        for piece in [1000, 4096, 1 << 21] {
            let (count, said) = received(format!("{PING}{spaces}\n{PING}\n").as_bytes(), piece).await;
            assert_eq!((count, &*said), (2, ""));
            let (count, said) = received(format!("{PING}{spaces} \n{PING}\n").as_bytes(), piece).await;
            assert_eq!((count, said.lines().count()), (1, 1), "{said}");
            assert!(said.contains("at most 1048576 bytes"), "{said}");
        }
    }

    #[tokio::test]
    async fn invalid_messages_are_skipped_or_refused() {
        for noise in
            ["", "\r", "hello", "{", "\u{0}\u{1b}[2J", r#"{"jsonrpc":"2.0","method":"notifications/x"}"#]
        {
            assert_eq!(
                received(format!("{noise}\n{PING}\n").as_bytes(), 64).await,
                (1, String::new()),
                "{noise}"
            );
        }
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(received(format!("{nested}\n{PING}\n").as_bytes(), 64).await, (1, String::new()));
        assert_eq!(received(b"\xff\xfe\n", 64).await, (0, String::new()));
        for refused in ["[]", "1", "null", r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, "{}"] {
            let (count, said) = received(format!("{refused}\n{PING}\n").as_bytes(), 64).await;
            assert_eq!((count, said.lines().count()), (1, 1), "{refused}: {said}");
        }
        // An unterminated line is ignored.
        assert_eq!(received(PING.as_bytes(), 64).await, (0, String::new()));
    }
}
