//! Pages for people: one file per page, with its routes. Its templates are in `templates/`.
//!
//! | file | page |
//! |---|---|
//! | `home.rs` | the home page |
//! | `games.rs`, `facts.rs` | the games, and a game's facts and map |
//! | `board.rs`, `also.rs` | a round's board, and the extras below it |
//! | `look_back.rs` | the review of a finished round |
//! | `join.rs`, `device.rs` | an invitation; moving to another device |
//! | `class.rs` | a class, for its teacher and its pupils |
//! | `puzzle.rs`, `today.rs` | puzzles; today's duel |
//! | `past.rs`, `ladder.rs` | this browser's rounds; its wins against each opponent |
//! | `workshop.rs`, `books.rs` | make your own game; shared rule books |
//!
//! | file | part of several pages |
//! |---|---|
//! | `called.rs` | the name last used in a browser |
//! | `status.rs` | the status of a round, in lists |
//! | `preview.rs` | what a messenger shows of a link |
//! | `files.rs` | scripts, style sheets and icons |
//! | `named.rs` | button labels in place of moves such as `@-3` |
//!
//! Invariant: every page works with plain links and forms. The scripts send the same forms without leaving the page.
//! They reload when the stream reports a change, and on a timer if it reports nothing.

mod also;
mod board;
mod books;
mod called;
mod class;
mod device;
mod facts;
mod files;
mod games;
mod home;
mod join;
mod ladder;
mod look_back;
mod named;
mod past;
mod preview;
mod puzzle;
mod status;
mod today;
mod workshop;

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use spoton::format::{BadGame, Changes, Setting};
use spoton::sitting::Cannot;
use spoton::words::phrases;
use spoton_host::NoGame;

use crate::api::{Problem, again};
use crate::limits::{MOST_MISTAKES, SENT_BOOK_BYTES};
use crate::routes::{self, Route};
use crate::store::Unavailable;
use crate::tables::discovery::{HIDDEN, HIDDEN_IN_CLASS};
use crate::tables::writer::Failed;
use crate::tables::{NoTable, Tables};
use crate::thinking::NoReport;

/// The routes of every page, by file.
const PAGES: &[fn() -> Vec<Route>] = &[
    home::routes,
    games::routes,
    facts::routes,
    books::routes,
    workshop::routes,
    join::routes,
    board::routes,
    look_back::routes,
    device::routes,
    class::routes,
    today::routes,
    puzzle::routes,
    past::routes,
    ladder::routes,
    files::routes,
];

/// Every route of a page.
pub fn routes() -> Vec<Route> {
    PAGES.iter().flat_map(|routes| routes()).collect()
}

/// The largest form with a rule book.
fn book() -> DefaultBodyLimit {
    DefaultBodyLimit::max(SENT_BOOK_BYTES)
}

/// The router of all pages.
pub(crate) fn router() -> Router<Tables> {
    routes::router(routes()).fallback(async || ErrorPage::nothing_here())
}

/// Renders a template.
fn html(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => {
            tracing::error!("a page can't be rendered: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// An error, shown on a page.
#[derive(Debug)]
pub(crate) struct ErrorPage {
    status: StatusCode,
    message: String,
    /// How long to wait before trying again, if known.
    wait: Option<Duration>,
}

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    heading: &'a str,
    message: &'a str,
}

impl ErrorPage {
    fn new(status: StatusCode, message: impl Into<String>) -> ErrorPage {
        ErrorPage { status, message: message.into(), wait: None }
    }

    /// Whether the form can be corrected and sent again.
    fn can_be_mended(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    /// The error for something that discovery mode hides.
    fn hidden(why: &'static str) -> ErrorPage {
        ErrorPage::new(StatusCode::FORBIDDEN, why)
    }

    fn nothing_here() -> ErrorPage {
        ErrorPage::new(
            StatusCode::NOT_FOUND,
            "There's nothing here. Check the address, or start from the home page.",
        )
    }

    /// The response to host and friend alike if an invitation was cancelled.
    fn cancelled() -> ErrorPage {
        ErrorPage::new(
            StatusCode::GONE,
            "This invitation was cancelled. If you still want to play, ask for a new link.",
        )
    }
}

impl From<Problem> for ErrorPage {
    fn from(problem: Problem) -> ErrorPage {
        // The API's sentence is for programs.
        if problem.status == StatusCode::NOT_FOUND {
            return ErrorPage::nothing_here();
        }
        ErrorPage { status: problem.status, message: problem.detail, wait: problem.wait }
    }
}

impl From<NoReport> for ErrorPage {
    fn from(none: NoReport) -> ErrorPage {
        Problem::from(none).into()
    }
}

impl From<Unavailable> for ErrorPage {
    fn from(unavailable: Unavailable) -> ErrorPage {
        Failed::from(unavailable).into()
    }
}

impl From<Failed> for ErrorPage {
    fn from(failed: Failed) -> ErrorPage {
        Problem::from(failed).into()
    }
}

impl From<NoTable> for ErrorPage {
    fn from(no_table: NoTable) -> ErrorPage {
        match no_table {
            NoTable::NoGame(none) => none.into(),
            NoTable::BadGame(bad) | NoTable::Cannot(Cannot::BadGame(bad)) => bad.into(),
            other => Problem::from(other).into(),
        }
    }
}

impl From<NoGame> for ErrorPage {
    fn from(none: NoGame) -> ErrorPage {
        ErrorPage::new(StatusCode::NOT_FOUND, none.to_string())
    }
}

/// Leaves out positions in command-line options: pages have none.
impl From<BadGame> for ErrorPage {
    fn from(bad: BadGame) -> ErrorPage {
        let message = match bad {
            BadGame::Invalid(problems) => {
                let said = |problem: &spoton::format::Problem| match &problem.help {
                    Some(help) => sentence(&format!("{} ({help})", problem.message)),
                    None => sentence(&problem.message),
                };
                let errors = problems.iter().filter(|problem| problem.is_error());
                errors.take(MOST_MISTAKES).map(said).collect::<Vec<_>>().join(" ")
            }
            BadGame::Span(_) => "write a range of targets from low to high, such as 20..60".to_owned(),
            bad => bad.to_string(),
        };
        ErrorPage::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
}

/// The trimmed value of a form field; `None` if it's empty.
fn given(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The changes from the variant and target fields.
fn changes(variant: Option<&str>, target: Option<&str>) -> Result<Changes, ErrorPage> {
    let target = given(target);
    let is_number = |target: &String| target.contains("..") || target.parse::<i64>().is_ok();
    if !target.as_ref().is_none_or(is_number) {
        let why = "the target must be a whole number, such as 30";
        return Err(ErrorPage::new(StatusCode::UNPROCESSABLE_ENTITY, why));
    }
    Ok(Changes { variant: given(variant), settings: target.map(Setting::Target).into_iter().collect() })
}

impl IntoResponse for ErrorPage {
    fn into_response(self) -> Response {
        let heading = match self.status {
            StatusCode::NOT_FOUND => "Not found",
            StatusCode::GONE => "No longer available",
            StatusCode::FORBIDDEN if [HIDDEN, HIDDEN_IN_CLASS].contains(&self.message.as_str()) => "Hidden",
            status if status.is_server_error() => "Something went wrong",
            _ => "That didn't work",
        };
        let message = sentence(&self.message);
        let again = again(self.status, self.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
        (self.status, again, html(&Message { heading, message: &message })).into_response()
    }
}

/// Turns a reason into a sentence.
fn sentence(text: &str) -> String {
    let text = phrases::capitalised(text);
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}
