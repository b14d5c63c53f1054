//! Pages for people: one file per page, with its templates in `templates/`. Some files are parts that several pages
//! share.
//!
//! Invariant: every page works with plain links and forms. The scripts send the same forms without leaving the page.
//! They reload when the stream reports a change, and now and then if it reports nothing.

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
use crate::discovery::{HIDDEN, HIDDEN_IN_CLASS};
use crate::limits::{MOST_MISTAKES, SENT_BOOK_BYTES};
use crate::routes::{self, Route, Stores, Who};
use crate::store::Unavailable;
use crate::tables::{NoTable, Tables};
use crate::thinking::NoReport;
use crate::writer::Failed;

/// Every address of a page.
pub fn routes() -> Vec<Route> {
    let book = || DefaultBodyLimit::max(SENT_BOOK_BYTES);
    let to_workshop = || get(async || Redirect::to("/workshop"));
    vec![
        Route::reads("/", home::page),
        Route::takes(
            "/new",
            Who::Anyone,
            Stores::Rounds,
            get(async || Redirect::to("/")).post(home::new).layer(book()),
        ),
        Route::reads("/games", games::list),
        Route::reads("/games/{name}", games::one),
        Route::reads("/games/{name}/facts", facts::of_game),
        Route::reads("/games/{name}/map", facts::map_of_game),
        Route::reads("/b/{short}", books::page),
        Route::reads("/b/{short}/book.toml", books::text),
        Route::reads("/b/{short}/facts", facts::of_book),
        Route::reads("/b/{short}/map", facts::map_of_book),
        Route::takes(
            "/workshop",
            Who::Anyone,
            Stores::Nothing,
            get(workshop::page).post(workshop::look).layer(book()),
        ),
        Route::takes(
            "/workshop/share",
            Who::Anyone,
            Stores::Books,
            to_workshop().post(workshop::share).layer(book()),
        ),
        Route::takes("/j/{id}", Who::Invited, Stores::Commands, get(join::page).post(join::take)),
        Route::reads("/r/{id}", board::page),
        Route::takes("/r/{id}/move", Who::SeatHolder, Stores::Commands, post(board::make_move)),
        Route::takes("/r/{id}/both", Who::SeatHolder, Stores::Commands, post(board::both)),
        Route::reads("/r/{id}/stream", board::stream),
        Route::reads("/r/{id}/look-back", look_back::page),
        Route::takes(
            "/r/{id}/device",
            Who::SeatHolder,
            Stores::Commands,
            get(device::page).post(device::make),
        ),
        Route::takes("/r/{id}/computer", Who::SeatHolder, Stores::Rounds, post(class::play_computer)),
        Route::takes("/r/{id}/next", Who::SeatHolder, Stores::Rounds, post(class::go_on)),
        Route::takes("/r/{id}/play-on", Who::Anyone, Stores::Rounds, post(look_back::play_on)),
        Route::takes("/r/{id}/{what}", Who::SeatHolder, Stores::Commands, post(board::act)),
        Route::takes("/class", Who::Anyone, Stores::Classes, get(class::page).post(class::open)),
        Route::reads("/class/{code}", class::show),
        Route::takes("/class/{code}/{what}", Who::Teacher, Stores::Commands, post(class::let_in)),
        Route::takes("/join", Who::Anyone, Stores::Rounds, get(class::join_page).post(class::join)),
        Route::reads("/device", device::enter),
        Route::takes("/today", Who::Anyone, Stores::Rounds, get(today::page).post(today::play)),
        Route::reads("/puzzles", puzzle::list),
        Route::takes("/puzzles/{which}", Who::Anyone, Stores::Puzzles, get(puzzle::page).post(puzzle::play)),
        Route::takes("/puzzles/{which}/next", Who::Anyone, Stores::Puzzles, post(puzzle::next)),
        Route::reads("/past", past::page),
        Route::reads("/static/app.css", || file("text/css", include_str!("../../static/app.css"))),
        Route::reads("/static/app.js", || file("text/javascript", include_str!("../../static/app.js"))),
        Route::reads("/static/workshop.js", || {
            file("text/javascript", include_str!("../../static/workshop.js"))
        }),
        Route::reads("/static/join.js", || file("text/javascript", include_str!("../../static/join.js"))),
        Route::reads("/static/class.js", || file("text/javascript", include_str!("../../static/class.js"))),
        Route::reads("/static/today.js", || file("text/javascript", include_str!("../../static/today.js"))),
        Route::reads("/static/icon.svg", || file("image/svg+xml", include_str!("../../static/icon.svg"))),
        Route::reads("/static/turn.svg", || file("image/svg+xml", include_str!("../../static/turn.svg"))),
    ]
}

/// All addresses of pages.
pub fn router() -> Router<Tables> {
    routes::router(routes()).fallback(async || Told::nothing_here())
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

    /// What a player asks for in discovery, and may not see.
    fn hidden(why: &'static str) -> Told {
        Told::new(StatusCode::FORBIDDEN, why)
    }

    fn nothing_here() -> Told {
        Told::new(StatusCode::NOT_FOUND, "There is nothing here, or not any more.")
    }

    /// What everyone with the address of a cancelled invitation gets, host or friend.
    fn cancelled() -> Told {
        Told::new(
            StatusCode::GONE,
            "This invitation was cancelled. If you still want to play, ask for a new link.",
        )
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

impl From<NoReport> for Told {
    fn from(none: NoReport) -> Told {
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
            StatusCode::GONE => "No longer open",
            StatusCode::FORBIDDEN if [HIDDEN, HIDDEN_IN_CLASS].contains(&self.message.as_str()) => "Hidden",
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
