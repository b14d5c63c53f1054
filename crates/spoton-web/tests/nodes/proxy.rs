//! A proxy between a node and its database that fails on request. It knows the frames of PostgreSQL's protocol, so it
//! can lose one message and deliver the others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// The state of the connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Open,
    /// They end, and new ones too.
    Cut,
    /// Nothing arrives, in either direction, as if a cable were unplugged. Everything sent arrives later.
    Silent,
    /// Each message takes this much longer.
    Slow(Duration),
    /// The database commits, but the answer is lost and the connection ends.
    LosesCommits,
    /// Notifications about rounds are lost, and nothing else.
    Deaf,
}

#[derive(Clone, Copy, Debug)]
struct State {
    way: Way,
    /// Counts how often all connections were cut.
    cuts: u64,
}

/// A running proxy. It ends when it's dropped.
#[derive(Debug)]
pub struct Proxy {
    pub address: String,
    state: watch::Sender<State>,
    accepts: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy to a PostgreSQL socket.
    pub async fn start(to: PathBuf) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (state, at) = watch::channel(State { way: Way::Open, cuts: 0 });
        let accepts = tokio::spawn(async move {
            // Ends the connections too when it's dropped.
            let mut connections = JoinSet::new();
            loop {
                let Ok((node, _)) = listener.accept().await else { continue };
                while connections.try_join_next().is_some() {}
                let (to, at) = (to.clone(), at.clone());
                connections.spawn(async move { connect(node, &to, at).await });
            }
        });
        Proxy { address, state, accepts }
    }

    /// Changes what happens from now on.
    pub fn set(&self, way: Way) {
        self.state.send_modify(|state| state.way = way);
    }

    /// Ends the open connections. New ones work.
    pub fn cut(&self) {
        self.state.send_modify(|state| state.cuts += 1);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepts.abort();
    }
}

/// A direction's view of the state. It ends when all connections are cut.
struct Watching {
    state: watch::Receiver<State>,
    cuts: u64,
}

impl Watching {
    fn is_cut(&self) -> bool {
        let state = *self.state.borrow();
        state.way == Way::Cut || state.cuts != self.cuts
    }

    /// Waits until messages pass; `None` if the connection is cut.
    async fn may_pass(&mut self) -> Option<Way> {
        loop {
            if self.is_cut() {
                return None;
            }
            let way = self.state.borrow_and_update().way;
            match way {
                Way::Silent => self.state.changed().await.ok()?,
                Way::Slow(time) => {
                    tokio::time::sleep(time).await;
                    return (!self.is_cut()).then_some(way);
                }
                _ => return Some(way),
            }
        }
    }

    async fn is_cut_now(&mut self) {
        while !self.is_cut() {
            if self.state.changed().await.is_err() {
                return;
            }
        }
    }
}

async fn connect(node: tokio::net::TcpStream, to: &Path, state: watch::Receiver<State>) {
    let cuts = state.borrow().cuts;
    let watching = || Watching { state: state.clone(), cuts };
    let (mut first, mut requests, mut answers, mut cut) = (watching(), watching(), watching(), watching());
    let _ = node.set_nodelay(true);
    if first.may_pass().await.is_none() {
        return;
    }
    let Ok(database) = UnixStream::connect(to).await else { return };
    let (from_node, to_node) = node.into_split();
    let (from_database, to_database) = database.into_split();
    tokio::select! {
        () = sends(from_node, to_database, &mut requests) => {}
        () = answer(from_database, to_node, &mut answers) => {}
        () = cut.is_cut_now() => {}
    }
}

/// Passes on what the node sends.
async fn sends(
    mut node: impl AsyncRead + Unpin,
    mut database: impl AsyncWrite + Unpin,
    state: &mut Watching,
) {
    let mut bytes = [0; 16 << 10];
    while let Ok(count @ 1..) = node.read(&mut bytes).await {
        if state.may_pass().await.is_none() || database.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
    // A dead node's end arrives only if the cable is plugged in.
    let _ = state.may_pass().await;
}

/// Passes on the database's messages: a letter, a length that includes itself, and the content.
async fn answer(
    mut database: impl AsyncRead + Unpin,
    mut node: impl AsyncWrite + Unpin,
    state: &mut Watching,
) {
    let mut message = Vec::new();
    loop {
        message.resize(5, 0);
        if database.read_exact(&mut message).await.is_err() {
            break;
        }
        let length = u32::from_be_bytes([message[1], message[2], message[3], message[4]]) as usize;
        message.resize(1 + length, 0);
        if database.read_exact(&mut message[5..]).await.is_err() {
            break;
        }
        let Some(way) = state.may_pass().await else { return };
        match way {
            Way::LosesCommits if is_commit(&message) => return,
            Way::Deaf if is_about_rounds(&message) => continue,
            _ if node.write_all(&message).await.is_err() => return,
            _ => {}
        }
    }
    let _ = state.may_pass().await;
}

/// The database reports that it committed.
fn is_commit(message: &[u8]) -> bool {
    message[0] == b'C' && message[5..] == *b"COMMIT\0"
}

/// A notification with the id of a round: 26 letters and digits, a colon and its last event.
fn is_about_rounds(message: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric();
    message[0] == b'A' && message[9..].split(|byte| !is_letter(byte)).any(|word| word.len() == 26)
}
