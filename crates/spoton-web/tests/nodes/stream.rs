//! Follows a round's stream of events from changing nodes, with Last-Event-ID, as a browser does.

use std::time::Duration;

use serde_json::Value as Json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::client::World;
use crate::random::Random;
use crate::support::PATIENCE;

/// When a client reconnects, besides when a stream ends.
#[derive(Clone, Copy, Debug)]
pub enum Reconnects {
    /// After this time without an event.
    AfterSilence(Duration),
    AfterEachEvent,
    /// After a random number of bytes below this one.
    AfterBytes(u64),
}

/// The parser of a stream: HTTP's head, and then lines.
#[derive(Default)]
struct Parser {
    unread: Vec<u8>,
    in_body: bool,
    id: String,
    data: String,
}

impl Parser {
    /// Reads more bytes and returns the events that are complete now.
    fn feed(&mut self, bytes: &[u8]) -> Vec<Json> {
        self.unread.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.unread.drain(..=end).collect();
            let line = String::from_utf8(line).unwrap();
            let line = line.trim_end_matches(['\r', '\n']);
            if !self.in_body {
                assert!(!line.starts_with("HTTP/1.1 404"), "a node doesn't know the round");
                self.in_body = line.is_empty();
            } else if let Some(id) = line.strip_prefix("id:") {
                self.id = id.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data:") {
                self.data += data.trim_start();
            } else if line.is_empty() {
                let (id, data) = (std::mem::take(&mut self.id), std::mem::take(&mut self.data));
                // Heartbeats and presence have no id.
                if !id.is_empty() {
                    let event: Json = serde_json::from_str(&data).unwrap();
                    assert_eq!(event["seq"].to_string(), id);
                    events.push(event);
                }
            }
        }
        events
    }
}

/// Follows a round until an event. Returns everything in the order it came.
pub async fn follow(
    world: &World,
    mut random: Random,
    id: &str,
    until: u64,
    reconnects: Reconnects,
    seen: watch::Sender<u64>,
) -> Vec<Json> {
    let mut events: Vec<Json> = Vec::new();
    let follows = async {
        while *seen.borrow() < until {
            let door = world.door(&mut random).to_owned();
            let Ok(Ok(mut stream)) = tokio::time::timeout(world.patience, TcpStream::connect(&door)).await
            else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            // The older version has no chunks, so every byte belongs to the stream.
            let request = format!(
                "GET /api/v1/rounds/{id}/events HTTP/1.0\r\nhost: {door}\r\nlast-event-id: {}\r\n\r\n",
                *seen.borrow()
            );
            let _ = stream.write_all(request.as_bytes()).await;
            let (mut parser, mut bytes) = (Parser::default(), [0; 4096]);
            let (silence, mut left) = match reconnects {
                Reconnects::AfterSilence(silence) => (silence, u64::MAX),
                Reconnects::AfterEachEvent => (world.patience, u64::MAX),
                Reconnects::AfterBytes(most) => (world.patience, 1 + random.below(most)),
            };
            while left > 0 && *seen.borrow() < until {
                let most = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                let read = tokio::time::timeout(silence, stream.read(&mut bytes[..most])).await;
                let Ok(Ok(count @ 1..)) = read else { break };
                left -= count as u64;
                let mut found = parser.feed(&bytes[..count]);
                if matches!(reconnects, Reconnects::AfterEachEvent) && !found.is_empty() {
                    found.truncate(1);
                    left = 0;
                }
                for event in found {
                    seen.send_replace(event["seq"].as_u64().unwrap());
                    events.push(event);
                }
            }
            if left > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    };
    if tokio::time::timeout(PATIENCE, follows).await.is_err() {
        // The history checker reports what's missing.
        seen.send_replace(until);
    }
    events
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Parser;

    #[test]
    fn a_cut_event_is_not_an_event() {
        let stream = "HTTP/1.1 200 OK\r\nid: 9\r\n\r\n: heartbeat\n\nevent: event\ndata: {\"seq\":1}\nid: 1\n\n\
                      event: presence\ndata: {}\n\ndata: {\"seq\":2,\"name\":\"ü\"}\nid: 2\n\n";
        let all = [json!({ "seq": 1 }), json!({ "seq": 2, "name": "ü" })];
        for cut in 0..stream.len() {
            let mut parser = Parser::default();
            let whole = parser.feed(&stream.as_bytes()[..cut]);
            assert_eq!(whole[..], all[..whole.len()], "{cut}");
            assert!(whole.len() < 2);
            let rest = parser.feed(&stream.as_bytes()[cut..]);
            assert_eq!([whole, rest].concat(), all, "{cut}");
        }
    }
}
