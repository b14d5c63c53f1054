//! What every request goes through behind the guard: it is known where it comes from, it takes no longer than it may, a
//! panic ends it alone, and whatever goes wrong is told in a sentence, on a page to people and as a problem to programs.

use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};

use crate::address::of_client;
use crate::api::{Problem, is_retry};
use crate::guard::Place;
use crate::limits::TIME_TO_WAIT;
use crate::open::Opened;
use crate::operation::metrics::{Metrics, Open};
use crate::pages::Told;
use crate::panics::caught;
use crate::rates::{ADDRESS, TooMany};
use crate::routes::Table;
use crate::seats::{Here, sender};
use crate::serve::Peer;
use crate::tables::Tables;

/// Counts what is asked and answered. Logs and figures name the pattern of an address, never the address itself: that
/// would tell whose it is.
pub async fn count<F: Future<Output = Response>>(
    metrics: &Metrics,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let begun = Instant::now();
    let method = match *request.method() {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        // Anybody may invent one.
        _ => "other",
    };
    let route = route(&request);
    let response = next(request).await;
    let status = response.status().as_u16();
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(method, route, status, milliseconds, "answered");
    metrics.answered(method, route, status);
    response
}

/// The pattern of the address that is asked.
fn route(request: &Request) -> String {
    request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned()
}

pub async fn attend<F: Future<Output = Response>>(
    tables: &Tables,
    place: &Place,
    stores: &Table,
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let is_interface = request.uri().path().starts_with("/api/");
    let route = route(&request);
    let peer = request.extensions().get::<Peer>().map(|Peer(peer)| *peer);
    let address = peer.map(|peer| of_client(peer.ip(), request.headers(), &place.proxies));
    if let (Some(peer), Some(address)) = (peer, address) {
        // From here on nobody has to think of proxies.
        request.extensions_mut().insert(Peer(SocketAddr::new(address, peer.port())));
    }
    // Trying again is free.
    if let Err(too_many) = admit(tables, stores, &route, address, &request)
        && !is_retry(tables, &route, request.headers()).await
    {
        return tell(too_many.into(), is_interface);
    }
    let time = if waits(&route) { TIME_TO_WAIT } else { tables.limits.time_for_request };
    let answer = ADDRESS.scope(address, caught(next(request)));
    match tokio::time::timeout(time, answer).await {
        Ok(Ok(response)) if is_stream(&response) => {
            counted(tables, address, response).unwrap_or_else(|problem| tell(problem, is_interface))
        }
        Ok(Ok(response)) => in_a_sentence(response, is_interface).await,
        Ok(Err(_)) => {
            tracing::error!(route, "a request panicked");
            tables.metrics.panics.inc();
            let sorry = "something went wrong here; it is not your fault";
            tell(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, sorry), is_interface)
        }
        Err(_) => {
            let late = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "that took too long");
            tell(late.after(Duration::from_secs(5)), is_interface)
        }
    }
}

/// Whether a request may store what its address stores. Questions store nothing.
fn admit(
    tables: &Tables,
    stores: &Table,
    route: &str,
    address: Option<IpAddr>,
    request: &Request,
) -> Result<(), TooMany> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let Some(stores) = stores.get(route) else { return Ok(()) };
    let here = request.extensions().get::<Here>();
    let sender = here.and_then(|here| sender(request.headers(), here));
    tables.rates.admit(*stores, sender, address)
}

/// Whether a request may take its time: it waits for news, or looks how a game could be made better.
fn waits(route: &str) -> bool {
    route.ends_with("/events") || route.starts_with("/workshop")
}

/// A problem as whoever asked can read it.
pub fn tell(problem: Problem, is_interface: bool) -> Response {
    match is_interface {
        true => problem.into_response(),
        false => Told::from(problem).into_response(),
    }
}

/// Requests that do not even come to be looked at are refused in few words; here they become a sentence.
async fn in_a_sentence(response: Response, is_interface: bool) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_bare = kind.is_none_or(|kind| kind.starts_with("text/plain"));
    if !is_bare || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let sentence = match status {
        StatusCode::METHOD_NOT_ALLOWED => "this address takes another method",
        StatusCode::PAYLOAD_TOO_LARGE => "that is too much at once",
        status if status.is_server_error() => "something went wrong here; it is not your fault",
        _ => "that was not understood",
    };
    let (head, body) = response.into_parts();
    // Programs are told more precisely. It is a line or two, and there already.
    let detail = match to_bytes(body, 1 << 10).await {
        Ok(said) if is_interface && status.is_client_error() && !said.is_empty() => {
            String::from_utf8_lossy(&said).into_owned()
        }
        _ => sentence.to_owned(),
    };
    let mut told = tell(Problem::new(status, detail), is_interface);
    // Such as the methods that it does take.
    for (name, value) in &head.headers {
        if !matches!(*name, header::CONTENT_TYPE | header::CONTENT_LENGTH) {
            told.headers_mut().append(name, value.clone());
        }
    }
    told
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// A stream that counts as one as long as it is open.
fn counted(tables: &Tables, address: Option<IpAddr>, response: Response) -> Result<Response, Problem> {
    let open = listens(tables, address)?;
    let counted = |body| Body::new(Counted { body, _open: open });
    let mut response = response.map(counted);
    // Some proxies keep answers back until there is more of them.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Somebody who waits for news, by a stream or a request that takes its time. They count until this is dropped.
pub struct Listens {
    _of_address: Option<Opened>,
    _open: Open,
}

/// One more who waits for news.
///
/// # Errors
///
/// If too many of the same address do already.
pub fn listens(tables: &Tables, address: Option<IpAddr>) -> Result<Listens, TooMany> {
    let of_address = address.map(|address| tables.rates.opens_stream(address)).transpose()?;
    Ok(Listens { _of_address: of_address, _open: tables.metrics.opens_stream() })
}

/// A body, and what is held as long as it is sent.
struct Counted {
    body: Body,
    _open: Listens,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
