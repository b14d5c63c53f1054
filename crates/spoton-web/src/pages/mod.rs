//! Pages for people, a file each. Every one of them works as plain links and forms; scripts only add liveliness.

mod also;
mod board;
mod books;
mod called;
mod class;
mod device;
mod facts;
mod games;
mod home;
mod join;
mod look_back;
mod named;
mod past;
mod puzzle;
mod stands;
mod today;
mod workshop;

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use spoton::format::{BadGame, Changes, Setting};
use spoton::sitting::Cannot;
use spoton::words::phrases;

use crate::api::{Problem, again};
use crate::limits::{MOST_MISTAKES, SENT_BOOK_BYTES};
use crate::store::Unavailable;
use crate::tables::{NoTable, Tables};
use crate::thinking::NoFacts;
use crate::writer::Failed;

/// All addresses of pages.
pub fn router() -> Router<Tables> {
    Router::new()
        .route("/", get(home::page))
        .route(
            "/new",
            get(|| async { Redirect::to("/") }).post(home::new).layer(DefaultBodyLimit::max(SENT_BOOK_BYTES)),
        )
        .route("/games", get(games::list))
        .route("/games/{name}", get(games::one))
        .route("/games/{name}/facts", get(facts::of_game))
        .route("/games/{name}/map", get(facts::map_of_game))
        .route("/b/{short}", get(books::page))
        .route("/b/{short}/book.toml", get(books::text))
        .route("/b/{short}/facts", get(facts::of_book))
        .route("/b/{short}/map", get(facts::map_of_book))
        .merge(workshop::router())
        .route("/j/{id}", get(join::page).post(join::take))
        .route("/r/{id}", get(board::page))
        .route("/r/{id}/move", post(board::make_move))
        .route("/r/{id}/both", post(board::both))
        .route("/r/{id}/stream", get(board::stream))
        .route("/r/{id}/look-back", get(look_back::page))
        .route("/r/{id}/device", get(device::page).post(device::make))
        .route("/r/{id}/computer", post(class::play_computer))
        .route("/r/{id}/next", post(class::go_on))
        .route("/r/{id}/play-on", post(look_back::play_on))
        .route("/r/{id}/{what}", post(board::act))
        .route("/class", get(class::page).post(class::open))
        .route("/class/{code}", get(class::show))
        .route("/class/{code}/{what}", post(class::let_in))
        .route("/join", get(class::join_page).post(class::join))
        .route("/device", get(device::enter))
        .route("/today", get(today::page).post(today::play))
        .route("/puzzles", get(puzzle::list))
        .route("/puzzles/{which}", get(puzzle::page).post(puzzle::play))
        .route("/puzzles/{which}/next", post(puzzle::next))
        .route("/past", get(past::page))
        .route("/static/app.css", get(|| file("text/css", include_str!("../../static/app.css"))))
        .route("/static/app.js", get(|| file("text/javascript", include_str!("../../static/app.js"))))
        .route(
            "/static/workshop.js",
            get(|| file("text/javascript", include_str!("../../static/workshop.js"))),
        )
        .route("/static/join.js", get(|| file("text/javascript", include_str!("../../static/join.js"))))
        .route("/static/class.js", get(|| file("text/javascript", include_str!("../../static/class.js"))))
        .route("/static/today.js", get(|| file("text/javascript", include_str!("../../static/today.js"))))
        .route("/static/icon.svg", get(|| file("image/svg+xml", include_str!("../../static/icon.svg"))))
        .route("/static/turn.svg", get(|| file("image/svg+xml", include_str!("../../static/turn.svg"))))
        .fallback(async || Told::nothing_here())
}

async fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
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
    /// When it is worth trying again, if it is known.
    wait: Option<Duration>,
}

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'a> {
    heading: &'a str,
    message: &'a str,
}

impl Told {
    fn new(status: StatusCode, message: impl Into<String>) -> Told {
        Told { status, message: message.into(), wait: None }
    }

    /// Whether whoever filled in a form can mend it there.
    fn can_be_mended(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    fn nothing_here() -> Told {
        Told::new(StatusCode::NOT_FOUND, "There is nothing here, or not any more.")
    }
}

impl From<Problem> for Told {
    fn from(problem: Problem) -> Told {
        // Programs are told it in fewer words.
        if problem.status == StatusCode::NOT_FOUND {
            return Told::nothing_here();
        }
        Told { status: problem.status, message: problem.detail, wait: problem.wait }
    }
}

impl From<NoFacts> for Told {
    fn from(none: NoFacts) -> Told {
        Problem::from(none).into()
    }
}

impl From<Unavailable> for Told {
    fn from(unavailable: Unavailable) -> Told {
        Failed::from(unavailable).into()
    }
}

impl From<Failed> for Told {
    fn from(failed: Failed) -> Told {
        Problem::from(failed).into()
    }
}

impl From<NoTable> for Told {
    fn from(no_table: NoTable) -> Told {
        match no_table {
            NoTable::BadGame(bad) | NoTable::Cannot(Cannot::BadGame(bad)) => bad.into(),
            other => Problem::from(other).into(),
        }
    }
}

/// On a page nobody has written options, so the places where they went wrong say nothing.
impl From<BadGame> for Told {
    fn from(bad: BadGame) -> Told {
        let message = match bad {
            BadGame::Invalid(problems) => {
                let said = |problem: &spoton::format::Problem| match &problem.help {
                    Some(help) => sentence(&format!("{} ({help})", problem.message)),
                    None => sentence(&problem.message),
                };
                let errors = problems.iter().filter(|problem| problem.is_error());
                errors.take(MOST_MISTAKES).map(said).collect::<Vec<_>>().join(" ")
            }
            BadGame::Span(_) => {
                "a span of targets has the lowest and the highest of them, such as 20..60".to_owned()
            }
            bad => bad.to_string(),
        };
        Told::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
}

/// What a field of a form holds, if anything.
fn given(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// What the fields for a variant and a target change.
fn changes(variant: Option<&str>, target: Option<&str>) -> Result<Changes, Told> {
    let target = given(target);
    let is_number = |target: &String| target.contains("..") || target.parse::<i64>().is_ok();
    if !target.as_ref().is_none_or(is_number) {
        let why = "the target has to be a whole number, such as 30";
        return Err(Told::new(StatusCode::UNPROCESSABLE_ENTITY, why));
    }
    Ok(Changes { variant: given(variant), settings: target.map(Setting::Target).into_iter().collect() })
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let heading = match self.status {
            StatusCode::NOT_FOUND => "Nothing here",
            status if status.is_server_error() => "Not just now",
            _ => "That did not work",
        };
        let message = sentence(&self.message);
        let again = again(self.status, self.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
        (self.status, again, html(&Message { heading, message: &message })).into_response()
    }
}

/// A reason as a sentence that stands alone.
fn sentence(text: &str) -> String {
    let text = phrases::capitalised(text);
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}
