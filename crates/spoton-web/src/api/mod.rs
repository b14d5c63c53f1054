//! The JSON API under `/api/v1`.
//!
//! | file | contents |
//! |---|---|
//! | `openapi.json` | its description; tests compare it with the types, the routes and the answers |
//! | `description.rs` | the schemas of the description, from the types of requests and answers |
//! | `rounds.rs` | rounds: create, join, play, watch |
//! | `truth.rs` | games and evaluations: the same answers as the commands with `--json` |
//! | `state.rs`, `event.rs` | a table and an event as programs see them |
//! | `problem.rs` | errors as problem+json (RFC 9457) |

pub mod description;
mod event;
mod problem;
mod rounds;
mod state;
mod truth;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;

use crate::limits::{Limits, SENT_BOOK_BYTES};
use crate::routes::{self, Route, Stores, Who};
use crate::tables::Tables;

pub use problem::{Problem, again};

/// Checks whether a request only repeats an earlier one whose answer was lost.
pub(crate) async fn is_retry(tables: &Tables, route: &str, headers: &HeaderMap) -> bool {
    route.strip_prefix(BEGINNING) == Some(ROUNDS) && rounds::is_set_up(tables, headers).await
}

/// The route that creates rounds.
const ROUNDS: &str = "/rounds";

/// The prefix of every API route.
pub const BEGINNING: &str = "/api/v1";

/// Returns every route, without the prefix. A test compares the description with this list.
pub fn routes() -> Vec<Route> {
    let book = || DefaultBodyLimit::max(SENT_BOOK_BYTES);
    let answers = |path, takes| Route::takes(path, Who::Anyone, Stores::Nothing, takes);
    let commands = |path, takes| Route::takes(path, Who::SeatHolder, Stores::Commands, takes);
    vec![
        Route::reads("/openapi.json", description),
        Route::reads("/games", truth::games),
        Route::reads("/games/{name}", truth::game),
        answers("/check", post(truth::check).layer(book())),
        answers("/solve", post(truth::solve).layer(book())),
        answers("/audit", post(truth::audit).layer(book())),
        Route::takes(ROUNDS, Who::Anyone, Stores::Rounds, post(rounds::create).layer(book())),
        Route::reads("/rounds/{id}", rounds::look),
        Route::takes("/rounds/{id}/seats", Who::Invited, Stores::Commands, post(rounds::take_seat)),
        commands("/rounds/{id}/moves", rounds::takes(rounds::a_move)),
        commands("/rounds/{id}/take-back", rounds::takes(rounds::take_back)),
        commands("/rounds/{id}/rematch", post(rounds::rematch)),
        commands("/rounds/{id}/resign", rounds::takes(rounds::resign)),
        commands("/rounds/{id}/abandon", rounds::takes(rounds::abandon)),
        commands("/rounds/{id}/cancel", rounds::takes(rounds::cancel)),
        commands("/rounds/{id}/hint", post(rounds::hint)),
        Route::reads("/rounds/{id}/events", rounds::events),
        Route::reads("/rounds/{id}/record", rounds::record),
        Route::reads("/rounds/{id}/record.txt", rounds::record_text),
        Route::reads("/rounds/{id}/record.json", rounds::record),
        Route::reads("/rounds/{id}/review", rounds::review),
    ]
}

/// Returns the API router.
pub(crate) fn router(limits: &Limits) -> Router<Tables> {
    routes::router(routes())
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .fallback(async || Problem::not_found())
        .method_not_allowed_fallback(async || {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "this address doesn't accept that method")
        })
}

/// Serves the OpenAPI 3.1 description.
async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], description::TEXT).into_response()
}
