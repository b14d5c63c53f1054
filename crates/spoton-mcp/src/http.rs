//! The protocol over HTTP, for clients on this machine. There are no sessions: a client needs to remember only its
//! round's id, and leaves nothing behind when it disconnects.

use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::limits::{MESSAGE_BYTES, MOST_CONNECTIONS, TIME_FOR_HEADERS, TIME_FOR_REQUEST};
use crate::server::Server;

/// The endpoint's path.
pub const PATH: &str = "/mcp";

type Service = StreamableHttpService<Server, NeverSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Listens on the loopback interface only. Port 0 picks a free port.
pub async fn listen(port: u16) -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, port: u16, server: Server) -> io::Result<()> {
    let service = service(port, server);
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Too many open files, or the client hung up early. Retries after a pause.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        tokio::spawn(async move {
            let answers = service_fn(move |request| {
                let service = service.clone();
                async move { Ok::<_, Infallible>(answer(&service, request).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(TIME_FOR_HEADERS)
                .serve_connection(TokioIo::new(stream), answers);
            // A broken connection affects no other.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// Security: other origins (pages of other sites) and other host names (DNS rebinding) are refused.
fn service(port: u16, server: Server) -> Service {
    let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
    let origins = hosts.clone().map(|host| format!("http://{host}"));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MESSAGE_BYTES)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins);
    StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config)
}

async fn answer(service: &Service, request: Request<Incoming>) -> Answer {
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, &format!("nothing here; the endpoint is {PATH}"));
    }
    match tokio::time::timeout(TIME_FOR_REQUEST, service.handle(request)).await {
        Ok(answer) => answer,
        Err(_) => plain(StatusCode::REQUEST_TIMEOUT, "the request timed out"),
    }
}

fn plain(status: StatusCode, text: &str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text.to_owned())).boxed());
    *answer.status_mut() = status;
    answer
}
