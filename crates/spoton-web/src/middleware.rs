//! Middleware behind the guard: finds the client's address, applies limits and timeouts, contains panics, and turns
//! every error into a page for people or a problem for programs.

use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};

use crate::address::Peer;
use crate::address::{is_trusted, of_client};
use crate::api::{Problem, is_retry};
use crate::limits::TIME_TO_WAIT;
use crate::metrics::Metrics;
use crate::pages::ErrorPage;
use crate::panics::caught;
use crate::place::Here;
use crate::place::Place;
use crate::rates::{ADDRESS, ASKER, TooMany};
use crate::routes::Table;
use crate::seats::{Seen, sender};
use crate::tables::Tables;
use crate::tables::listening::{Listens, listens};

/// Counts requests and answers. Logs and metrics contain the route's pattern, never the path: a path contains ids.
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
        // Clients can invent methods, and each would become a label.
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

/// Returns the request's route pattern.
fn route(request: &Request) -> String {
    request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned()
}

pub async fn wrap<F: Future<Output = Response>>(
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
        // From here on, nothing needs to know about proxies.
        request.extensions_mut().insert(Peer(SocketAddr::new(address, peer.port())));
    }
    // Retries are free.
    if let Err(too_many) = admit(tables, stores, &route, address, &request)
        && !is_retry(tables, &route, request.headers()).await
    {
        return render(too_many.into(), is_interface);
    }
    let time = if waits(&route) { TIME_TO_WAIT } else { tables.limits.time_for_request };
    let asker = address.filter(|address| !is_trusted(*address, &place.proxies));
    let seen = Seen::default();
    request.extensions_mut().insert(seen.clone());
    let answer = ADDRESS.scope(address, ASKER.scope(asker, caught(next(request))));
    let response = match tokio::time::timeout(time, answer).await {
        Ok(Ok(response)) if is_stream(&response) => {
            counted(tables, address, response).unwrap_or_else(|problem| render(problem, is_interface))
        }
        Ok(Ok(response)) => in_a_sentence(response, is_interface).await,
        Ok(Err(_)) => {
            tracing::error!(route, "a request panicked");
            tables.metrics.panics.inc();
            let sorry = "something went wrong on the server; try again";
            render(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, sorry), is_interface)
        }
        Err(_) => {
            let late = Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "that took too long; try again in a few seconds",
            );
            render(late.after(Duration::from_secs(5)), is_interface)
        }
    };
    seen.on_error(response)
}

/// Checks the rate limit for what the route stores. Read-only requests are free.
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

/// Returns whether a request may take long: it waits for news, or searches for a better game.
fn waits(route: &str) -> bool {
    route.ends_with("/events") || route.starts_with("/workshop")
}

/// Renders a problem for a program or a person.
pub fn render(problem: Problem, is_interface: bool) -> Response {
    match is_interface {
        true => problem.into_response(),
        false => ErrorPage::from(problem).into_response(),
    }
}

/// Replaces the framework's bare errors with sentences.
async fn in_a_sentence(response: Response, is_interface: bool) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_bare = kind.is_none_or(|kind| kind.starts_with("text/plain"));
    if !is_bare || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let sentence = match status {
        StatusCode::METHOD_NOT_ALLOWED => "this address doesn't accept that method",
        StatusCode::PAYLOAD_TOO_LARGE => "that's too much data; send less",
        status if status.is_server_error() => "something went wrong on the server; try again",
        _ => "the server didn't understand that request",
    };
    let (head, body) = response.into_parts();
    // Programs get the framework's more precise text, which is already in memory.
    let detail = match to_bytes(body, 1 << 10).await {
        Ok(said) if is_interface && status.is_client_error() && !said.is_empty() => {
            String::from_utf8_lossy(&said).into_owned()
        }
        _ => sentence.to_owned(),
    };
    let mut rendered = render(Problem::new(status, detail), is_interface);
    // Keeps headers such as `Allow`.
    for (name, value) in &head.headers {
        if !matches!(*name, header::CONTENT_TYPE | header::CONTENT_LENGTH) {
            rendered.headers_mut().append(name, value.clone());
        }
    }
    rendered
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// Counts a stream until it closes.
fn counted(tables: &Tables, address: Option<IpAddr>, response: Response) -> Result<Response, Problem> {
    let open = listens(tables, address)?;
    let counted = |body| Body::new(Counted { body, _open: open });
    let mut response = response.map(counted);
    // Some proxies buffer responses by default.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A body with a guard that lives until it's sent.
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
