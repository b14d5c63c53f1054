//! Answering on a socket: the accept loop, and the way to stop.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::limits::{HEADER_BYTES, TIME_FOR_HEADERS, TIME_TO_END};

/// Who asks: the address of the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Waits until somebody says stop. If nobody can any more, that is a stop as well.
pub async fn told_to_stop(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Answers until it is told to stop; then no more connections are taken, and those that are open may end what they
/// are about, for a while.
pub async fn serve(listener: TcpListener, app: Router, mut stop: watch::Receiver<bool>) -> io::Result<()> {
    let open = GracefulShutdown::new();
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
            () = told_to_stop(&mut stop) => break,
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone().layer(axum::Extension(Peer(peer))));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(TIME_FOR_HEADERS)
            .max_buf_size(HEADER_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        let connection = open.watch(connection);
        tokio::spawn(async move {
            // A connection that breaks is its own affair.
            let _ = connection.await;
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(TIME_TO_END, open.shutdown()).await;
    Ok(())
}
