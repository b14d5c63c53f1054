//! Answering on a socket: the accept loop, and the way to stop.

use std::io;
use std::net::{IpAddr, SocketAddr};
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

use crate::address::{Network, is_trusted};
use crate::guard::HEADERS;
use crate::limits::{GONE_AFTER, Limits, TIME_TO_END};
use crate::open::{OpenCount, Opened};

/// Who asks: the address of the other end; in what is served, that of whoever is behind a proxy that is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// With less than this the part that reads them cannot work.
const LEAST_HEADER_BYTES: usize = 8192;

/// Waits until somebody says stop. If nobody can any more, that is a stop as well.
pub async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// How many connections there may be.
#[derive(Clone, Debug)]
pub struct Connections {
    all: Arc<Semaphore>,
    of_addresses: Arc<OpenCount>,
    /// Their connections are those of many people, so they count for nobody.
    proxies: Arc<Vec<Network>>,
}

/// The place of a connection. It is free again when this is dropped.
struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_address: Option<Opened>,
}

impl Connections {
    /// So many at most, of which one address gets half: it cannot shut out the others.
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

/// The answer to someone who has too many connections. They may not even get it: nobody waits for them.
fn too_many() -> String {
    let headers = HEADERS.into_iter().map(|(name, value)| format!("{name}: {value}\r\n"));
    format!(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 10\r\ncontent-type: text/plain\r\n{}connection: close\r\n\r\n\
         Too many connections. Try again in a while.\n",
        headers.collect::<String>()
    )
}

/// Answers until it is told to stop; then no more connections are taken, and those that are open may end what they
/// are about, for a while.
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
                // Too many open files, or a connection that was gone before it was taken: others may come.
                Err(error) => {
                    tracing::warn!("a connection was not taken: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            // Those that have ended are not kept in mind.
            Some(_) = connections.join_next() => continue,
            () = told_to_stop(&mut stop) => break,
        };
        let Some(place) = open.place(peer.ip()) else {
            let _ = stream.try_write(too_many.as_bytes());
            continue;
        };
        let _ = stream.set_nodelay(true);
        if let Err(error) = notice_its_end(&stream) {
            tracing::debug!("a connection may outlast its other end: {error}");
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
            // A connection that breaks is its own affair.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(TIME_TO_END, graceful.shutdown()).await;
    // Whoever has not ended by now is left behind.
    connections.shutdown().await;
}

/// Has it noticed within a minute that the other end is gone without a word, as a phone is that has left its network:
/// what is sent there is never taken, and where nothing is sent, the system asks.
fn notice_its_end(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, GONE_AFTER / 3)?;
    sockopt::set_tcp_keepintvl(stream, GONE_AFTER / 6)?;
    sockopt::set_tcp_keepcnt(stream, 4)?;
    // A heartbeat on its way keeps the system from asking, and would be sent again for a quarter of an hour.
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, u32::try_from(GONE_AFTER.as_millis()).unwrap_or(u32::MAX))?;
    Ok(())
}

/// A connection whose other end has so long to take what is sent.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Since something lies there that is not taken.
    waits: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    /// What came of sending something, or that it has been tried for too long.
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

    /// With the heartbeat of a stream before it, that is a minute at most.
    #[tokio::test]
    async fn the_system_is_asked_to_notice_who_is_gone() {
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
