//! The JSON interface under `/api/v1`.

mod problem;
mod rounds;
mod state;
mod truth;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use crate::limits::{Limits, SENT_BOOK_BYTES};
use crate::tables::Tables;

pub use problem::{Problem, again};

/// Every address with what it takes, without what stands before all of them. The description of the interface is held
/// against this list.
pub fn routes() -> Vec<(&'static str, MethodRouter<Tables>)> {
    let book = || DefaultBodyLimit::max(SENT_BOOK_BYTES);
    vec![
        ("/openapi.json", get(description)),
        ("/games", get(truth::games)),
        ("/games/{name}", get(truth::game)),
        ("/check", post(truth::check).layer(book())),
        ("/solve", post(truth::solve).layer(book())),
        ("/audit", post(truth::audit).layer(book())),
        ("/rounds", post(rounds::create).layer(book())),
        ("/rounds/{id}", get(rounds::look)),
        ("/rounds/{id}/seats", post(rounds::take_seat)),
        ("/rounds/{id}/moves", rounds::takes(rounds::a_move)),
        ("/rounds/{id}/take-back", rounds::takes(rounds::take_back)),
        ("/rounds/{id}/rematch", rounds::takes(rounds::rematch)),
        ("/rounds/{id}/resign", rounds::takes(rounds::resign)),
        ("/rounds/{id}/abandon", rounds::takes(rounds::abandon)),
        ("/rounds/{id}/hint", post(rounds::hint)),
        ("/rounds/{id}/events", get(rounds::events)),
        ("/rounds/{id}/record", get(rounds::record)),
        ("/rounds/{id}/record.txt", get(rounds::record_text)),
        ("/rounds/{id}/record.json", get(rounds::record)),
        ("/rounds/{id}/review", get(rounds::review)),
    ]
}

/// All addresses of the interface.
pub fn router(limits: &Limits) -> Router<Tables> {
    let routes = routes().into_iter();
    routes
        .fold(Router::new(), |router, (path, takes)| router.route(path, takes))
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .fallback(async || Problem::not_found())
        .method_not_allowed_fallback(async || {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "this address takes another method")
        })
}

/// What all of this is, for programs that read such descriptions (OpenAPI 3.1).
async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], include_str!("openapi.json")).into_response()
}
