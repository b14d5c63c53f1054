//! Sockets: the accept loop and graceful shutdown. Handwritten, because `axum::serve` limits neither connections nor the
//! time that a client may take to send its request.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Sleep;
use tower::ServiceExt;

use crate::address::{Network, Peer, is_trusted};
use crate::guard::HEADERS;
use crate::limits::{GONE_AFTER, Limits, TIME_TO_END};
use crate::open::{OpenCount, Opened};
use crate::stop::told_to_stop;

/// hyper panics with a smaller buffer.
const LEAST_HEADER_BYTES: usize = 8192;

/// Limits open connections.
#[derive(Clone, Debug)]
pub struct Connections {
    all: Arc<Semaphore>,
    of_addresses: Arc<OpenCount>,
    /// Trusted proxies carry many clients, so they have no limit per address.
    proxies: Arc<Vec<Network>>,
}

/// Guard for an open connection, freed on drop.
struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_address: Option<Opened>,
}

impl Connections {
    /// Allows `most` connections in total. One address gets half at most, so it can't shut out others.
    pub fn new(limits: &Limits, proxies: Arc<Vec<Network>>, most: usize) -> Connections {
        let all = most.clamp(2, Semaphore::MAX_PERMITS);
        Connections {
            all: Arc::new(Semaphore::new(all)),
            of_addresses: OpenCount::new(limits.connections_of_an_address.min(all / 2)),
            proxies,
        }
    }

    fn place(&self, address: IpAddr) -> Option<Place> {
        let of_address = match is_trusted(address, &self.proxies) {
            true => None,
            false => Some(self.of_addresses.open(address)?),
        };
        let of_all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(Place { _of_all: of_all, _of_address: of_address })
    }
}

/// The answer to connections above the limit. Best effort: the server doesn't wait until it's sent.
fn too_many() -> String {
    let headers = HEADERS.into_iter().map(|(name, value)| format!("{name}: {value}\r\n"));
    format!(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 10\r\ncontent-type: text/plain\r\n{}connection: close\r\n\r\n\
         Too many connections. Try again in a few seconds.\n",
        headers.collect::<String>()
    )
}

/// Serves until shutdown. After that it accepts no more connections and gives open ones [`TIME_TO_END`] to finish.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    open: Connections,
    mut stop: watch::Receiver<bool>,
) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    let too_many = too_many();
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of file descriptors, or the client is gone already. Later connections may work.
                Err(error) => {
                    tracing::warn!("can't accept a connection: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            // Frees finished tasks.
            Some(_) = connections.join_next() => continue,
            () = told_to_stop(&mut stop) => break,
        };
        let Some(place) = open.place(peer.ip()) else {
            let _ = stream.try_write(too_many.as_bytes());
            continue;
        };
        let _ = stream.set_nodelay(true);
        if let Err(error) = notice_its_end(&stream) {
            tracing::debug!("can't set a connection's timeouts: {error}");
        }
        let stream = Patient { stream, patience: limits.time_to_read, waits: None };
        let app = app.clone();
        let service = service_fn(move |request| {
            let mut request: Request = hyper::Request::map(request, Body::new);
            request.extensions_mut().insert(Peer(peer));
            app.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.time_for_headers)
            .max_buf_size(limits.header_bytes.max(LEAST_HEADER_BYTES))
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        connections.spawn(async move {
            // A broken connection affects only its client.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(TIME_TO_END, graceful.shutdown()).await;
    // Aborts the rest.
    connections.shutdown().await;
}

/// Detects a peer that vanished silently, such as a phone out of range, within a minute: by a timeout for
/// unacknowledged data and by keepalive probes on an idle connection.
fn notice_its_end(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, GONE_AFTER / 3)?;
    sockopt::set_tcp_keepintvl(stream, GONE_AFTER / 6)?;
    sockopt::set_tcp_keepcnt(stream, 4)?;
    // Pending heartbeats suppress keepalive probes and would be retransmitted for 15 minutes.
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, u32::try_from(GONE_AFTER.as_millis()).unwrap_or(u32::MAX))?;
    Ok(())
}

/// A connection whose peer must read what the server sends within `patience`.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Set while the peer doesn't read.
    waits: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    /// Passes on the result of a write, or times out.
    fn sent<T>(&mut self, context: &mut Context<'_>, sent: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.waits = None;
            return sent;
        }
        let waits = self.waits.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.patience)));
        ready!(waits.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.sent(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Together with a stream's heartbeat that's at most a minute.
    #[tokio::test]
    async fn keepalive_detects_lost_clients() {
        use rustix::net::sockopt;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _other_end = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        notice_its_end(&stream).unwrap();
        assert!(sockopt::socket_keepalive(&stream).unwrap());
        let asks = sockopt::tcp_keepintvl(&stream).unwrap() * sockopt::tcp_keepcnt(&stream).unwrap();
        assert!(sockopt::tcp_keepidle(&stream).unwrap() + asks <= Duration::from_secs(60));
        #[cfg(target_os = "linux")]
        {
            let timeout = Duration::from_millis(sockopt::tcp_user_timeout(&stream).unwrap().into());
            let longest = crate::limits::HEARTBEAT + timeout;
            assert!(!timeout.is_zero() && longest <= Duration::from_secs(60), "{longest:?}");
        }
    }
}
