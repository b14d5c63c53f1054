//! The JSON interface under `/api/v1`.

mod problem;
mod rounds;
mod state;
mod truth;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::limits::{BODY_BYTES, SENT_BOOK_BYTES};
use crate::tables::Tables;

pub use problem::Problem;

/// All addresses of the interface.
pub fn router() -> Router<Tables> {
    let books = Router::new()
        .route("/check", post(truth::check))
        .route("/solve", post(truth::solve))
        .route("/audit", post(truth::audit))
        .route("/rounds", post(rounds::create))
        .layer(DefaultBodyLimit::max(SENT_BOOK_BYTES));
    Router::new()
        .route("/games", get(truth::games))
        .route("/games/{name}", get(truth::game))
        .route("/rounds/{id}", get(rounds::look))
        .route("/rounds/{id}/seats", post(rounds::take_seat))
        .route("/rounds/{id}/moves", post(rounds::make_move))
        .route("/rounds/{id}/take-back", post(rounds::take_back))
        .route("/rounds/{id}/rematch", post(rounds::rematch))
        .route("/rounds/{id}/resign", post(rounds::resign))
        .route("/rounds/{id}/abandon", post(rounds::abandon))
        .route("/rounds/{id}/hint", post(rounds::hint))
        .route("/rounds/{id}/events", get(rounds::events))
        .route("/rounds/{id}/record", get(rounds::record))
        .route("/rounds/{id}/record.txt", get(rounds::record_text))
        .route("/rounds/{id}/record.json", get(rounds::record))
        .route("/rounds/{id}/review", get(rounds::review))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .merge(books)
        .fallback(async || Problem::not_found())
        .method_not_allowed_fallback(async || {
            Problem::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "this address takes another method")
        })
}
