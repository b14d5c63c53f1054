//! An invitation, and the button that takes the seat. A GET takes nothing.

use askama::Template;
use axum::Form;
use axum::extract::{Extension, Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use spoton::engine::position::Player;
use spoton::words::describe;

use super::called::called;
use super::named::named;
use super::preview::Preview;
use super::{ErrorPage, games, html, sentence};
use crate::api::{Problem, again};
use crate::ids::{Secret, SittingId};
use crate::picture::{self, emblem::emblem};
use crate::place::Here;
use crate::room::Room;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::discovery;
use crate::tables::writer::Failed;
use crate::tables::{Tables, Terms};

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![Route::takes("/j/{id}", Who::Invited, Stores::Commands, get(page).post(take))]
}

#[derive(Template)]
#[template(path = "join.html")]
struct Join {
    id: String,
    host: String,
    title: String,
    emblem: String,
    preview: Option<Preview>,
    summary: String,
    lines: Vec<String>,
    rules: Vec<String>,
    /// A notice before playing, if there is one.
    notice: Option<String>,
    /// The terms in words.
    terms: Vec<String>,
    /// Why the seat couldn't be taken. The form keeps what was sent.
    refused: String,
    name: String,
    secret: String,
    /// Whether the secret was wrong.
    is_wrong: bool,
}

/// How many rules fit on an invitation.
const RULES: usize = 4;

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Extension(here): Extension<Here>,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let room = tables.rooms.room(id).await?;
    if room.is_cancelled() {
        return Err(ErrorPage::cancelled());
    }
    let own = match &browser {
        Some(browser) => tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?,
        None => vec![],
    };
    match invitation(&tables, id, &room, browser.as_ref()).await? {
        Some(join) if own.is_empty() => {
            let name = called(&tables, browser.as_ref()).await?;
            let picture = match room.book() {
                Some(short) => format!("/b/{short}/picture.png"),
                None => format!("/games/{}/picture.png", room.sitting().setup().game.id()),
            };
            let title = format!("Play {} with me", join.title);
            let preview = Preview::new(&here, &format!("/j/{id}"), title, join.summary.clone(), &picture);
            Ok(html(&Join { name, preview, ..join }))
        }
        // The seat is taken, perhaps by this browser, so go to the board. The new fragment replaces the secret in the
        // address.
        _ if own.is_empty() => Ok(Redirect::to(&format!("/r/{id}?taken#board")).into_response()),
        _ => Ok(Redirect::to(&format!("/r/{id}#board")).into_response()),
    }
}

/// The invitation, if a seat is still open.
async fn invitation(
    tables: &Tables,
    id: SittingId,
    room: &Room,
    browser: Option<&Browser>,
) -> Result<Option<Join>, Failed> {
    let Some(guest) = Player::BOTH.into_iter().find(|player| room.is_open(*player)) else { return Ok(None) };
    let rulebook = room.sitting().rulebook();
    let view = discovery::of_round(tables, id, room, browser.map(Browser::holder)).await?;
    let notice = games::notice(tables, rulebook, view).await;
    Ok(Some(Join {
        id: id.to_string(),
        host: room.name(!guest),
        title: rulebook.title().to_owned(),
        notice,
        emblem: emblem(rulebook),
        preview: None,
        summary: describe::summary(rulebook),
        lines: picture::lines(room.sitting().round(), &[]).into_iter().map(|line| line.svg).collect(),
        rules: describe::rules(rulebook).iter().take(RULES).map(|rule| named(rulebook, rule)).collect(),
        terms: terms(room, guest),
        refused: String::new(),
        name: String::new(),
        secret: String::new(),
        is_wrong: false,
    }))
}

/// The terms that a guest should know before the first move.
fn terms(room: &Room, guest: Player) -> Vec<String> {
    let (sitting, host) = (room.sitting(), room.name(!guest));
    let setup = sitting.setup();
    let first = if sitting.round().first() == guest {
        "You go first.".to_owned()
    } else {
        format!("{host} goes first.")
    };
    let settled = Terms { hints: room.hints(), take_back: setup.undo, discover: setup.help.discover };
    std::iter::once(first).chain(in_words(settled).map(str::to_owned)).collect()
}

/// Terms between two people, in words.
pub(super) fn in_words(terms: Terms) -> [&'static str; 2] {
    let take_back = match terms.take_back {
        true => "You can undo a move if you both agree.",
        false => "There's no undo.",
    };
    let hints = match (terms.discover, terms.hints) {
        (true, _) => "Discovery mode: no hints or answers, even after the game.",
        (false, true) => "Hints are on.",
        (false, false) => "Hints are off.",
    };
    [take_back, hints]
}

#[derive(Debug, Deserialize)]
pub struct JoinForm {
    secret: String,
    #[serde(default)]
    name: String,
}

pub async fn take(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(asked): Form<JoinForm>,
) -> Result<Response, ErrorPage> {
    let id: SittingId = text.parse().map_err(|_| ErrorPage::nothing_here())?;
    let name = Some(asked.name.trim().to_owned()).filter(|name| !name.is_empty());
    // The whole link may have been pasted.
    let secret = asked.secret.rsplit('#').next().unwrap_or_default().trim();
    let failed = match tables.take_seat(id, &Secret::sent(secret), name, browser.holder()).await {
        Ok(_) => {
            return Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response());
        }
        Err(failed) => failed,
    };
    // A double click: the first one took the seat. Or the server couldn't tell in time that this one did, so a new browser has
    // no cookie yet.
    if !tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?.is_empty() {
        return Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response());
    }
    let is_wrong = matches!(failed, Failed::NoInvitation);
    let problem = Problem::from(failed);
    let room = tables.rooms.room(id).await?;
    if room.is_cancelled() {
        return Err(ErrorPage::cancelled());
    }
    let refused = match is_wrong {
        true => {
            "This link is incomplete, or its seat is taken. Check the link, or ask for a new one.".to_owned()
        }
        false => sentence(&problem.detail),
    };
    // Without an open seat there is no form, only the reason.
    let Some(join) = invitation(&tables, id, &room, Some(&browser)).await? else {
        return Err(ErrorPage::new(problem.status, refused));
    };
    let form = Join { refused, name: asked.name, secret: secret.to_owned(), is_wrong, ..join };
    let page = ([(header::CACHE_CONTROL, "no-store")], html(&form));
    let again = again(problem.status, problem.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
    Ok((problem.status, again, page).into_response())
}
