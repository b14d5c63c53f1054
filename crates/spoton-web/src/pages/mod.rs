//! Pages for people, a file each. Every one of them works as plain links and forms; scripts only add liveliness.

mod board;
mod games;
mod home;
mod join;
mod look_back;

use askama::Template;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use spoton::words::phrases;

use crate::api::Problem;
use crate::tables::{NoTable, Tables};
use crate::writer::Failed;

/// All addresses of pages.
pub fn router() -> Router<Tables> {
    Router::new()
        .route("/", get(home::page))
        .route("/new", post(home::new))
        .route("/games", get(games::list))
        .route("/games/{name}", get(games::one))
        .route("/j/{id}", get(join::page).post(join::take))
        .route("/r/{id}", get(board::page))
        .route("/r/{id}/move", post(board::make_move))
        .route("/r/{id}/both", post(board::both))
        .route("/r/{id}/stream", get(board::stream))
        .route("/r/{id}/look-back", get(look_back::page))
        .route("/r/{id}/play-on", post(look_back::play_on))
        .route("/r/{id}/{what}", post(board::act))
        .route("/static/app.css", get(|| file("text/css", include_str!("../../static/app.css"))))
        .route("/static/app.js", get(|| file("text/javascript", include_str!("../../static/app.js"))))
        .route("/static/join.js", get(|| file("text/javascript", include_str!("../../static/join.js"))))
        .route("/static/icon.svg", get(|| file("image/svg+xml", include_str!("../../static/icon.svg"))))
        .route("/static/turn.svg", get(|| file("image/svg+xml", include_str!("../../static/turn.svg"))))
        .fallback(async || Told::nothing_here())
}

async fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=3600")], text).into_response()
}

/// A page from its template.
fn html(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => {
            tracing::error!("a page cannot be drawn: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Something that went wrong, told on a page.
#[derive(Debug)]
pub struct Told {
    status: StatusCode,
    message: String,
}

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    heading: &'a str,
    message: &'a str,
}

impl Told {
    fn new(status: StatusCode, message: impl Into<String>) -> Told {
        Told { status, message: message.into() }
    }

    fn nothing_here() -> Told {
        Told::new(StatusCode::NOT_FOUND, "There is nothing here, or not any more.")
    }
}

impl From<Problem> for Told {
    fn from(problem: Problem) -> Told {
        Told { status: problem.status, message: problem.detail }
    }
}

impl From<Failed> for Told {
    fn from(failed: Failed) -> Told {
        Problem::from(failed).into()
    }
}

impl From<NoTable> for Told {
    fn from(no_table: NoTable) -> Told {
        Problem::from(no_table).into()
    }
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let heading = match self.status {
            StatusCode::NOT_FOUND => "Nothing here",
            status if status.is_server_error() => "Not just now",
            _ => "That did not work",
        };
        let message = sentence(&self.message);
        (self.status, html(&Message { heading, message: &message })).into_response()
    }
}

/// A reason as a sentence that stands alone.
fn sentence(text: &str) -> String {
    let text = phrases::capitalised(text);
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}
