//! An invitation: who invites to what, and the button that takes the seat. Looking at it takes nothing.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::position::Player;
use spoton::words::describe;

use super::called::called;
use super::named::named;
use super::{Told, html, sentence};
use crate::api::Problem;
use crate::facts;
use crate::ids::{Secret, SittingId};
use crate::room::Room;
use crate::seats::Browser;
use crate::tables::{Tables, Terms};
use crate::writer::Failed;

#[derive(Template)]
#[template(path = "join.html")]
struct Join {
    id: String,
    host: String,
    title: String,
    rules: Vec<String>,
    /// That nobody can land on the target, if so.
    out_of_reach: Option<String>,
    /// What was settled beside the game.
    terms: Vec<String>,
    /// Why the seat could not be taken, with what was sent, so that it can be mended.
    refused: String,
    name: String,
    secret: String,
    /// Whether it was the secret that did not fit.
    is_wrong: bool,
}

/// So many rules fit an invitation.
const RULES: usize = 4;

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let room = tables.heads.room(id).await?;
    if room.is_cancelled() {
        return Err(Told::cancelled());
    }
    let own = match &browser {
        Some(browser) => tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?,
        None => vec![],
    };
    match invitation(&tables, id, &room).await {
        Some(join) if own.is_empty() => {
            Ok(html(&Join { name: called(&tables, browser.as_ref()).await?, ..join }))
        }
        // Whoever sits there already, or comes too late, goes to the board. What stands behind the # of the new address
        // takes the place of the secret.
        _ if own.is_empty() => Ok(Redirect::to(&format!("/r/{id}?taken#board")).into_response()),
        _ => Ok(Redirect::to(&format!("/r/{id}#board")).into_response()),
    }
}

/// The invitation, if there is still a seat to take.
async fn invitation(tables: &Tables, id: SittingId, room: &Room) -> Option<Join> {
    let guest = Player::BOTH.into_iter().find(|player| room.is_open(*player))?;
    let rulebook = room.sitting().rulebook();
    Some(Join {
        id: id.to_string(),
        host: room.name(!guest),
        title: rulebook.title().to_owned(),
        out_of_reach: facts::out_of_reach(tables, rulebook).await,
        rules: describe::rules(rulebook).iter().take(RULES).map(|rule| named(rulebook, rule)).collect(),
        terms: terms(room, guest),
        refused: String::new(),
        name: String::new(),
        secret: String::new(),
        is_wrong: false,
    })
}

/// What a guest should know before the first move.
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

/// What is settled beside the game, between two people.
pub(super) fn in_words(terms: Terms) -> [&'static str; 2] {
    let take_back = match terms.take_back {
        true => "A move is taken back if both agree.",
        false => "No move is taken back.",
    };
    let hints = match (terms.discover, terms.hints) {
        (true, _) => "Discovery: no hints, and nothing is given away, also not afterwards.",
        (false, true) => "Hints may be asked for.",
        (false, false) => "There are no hints.",
    };
    [take_back, hints]
}

#[derive(Debug, Deserialize)]
pub struct Asked {
    secret: String,
    #[serde(default)]
    name: String,
}

pub async fn take(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(asked): Form<Asked>,
) -> Result<Response, Told> {
    let id: SittingId = text.parse().map_err(|_| Told::nothing_here())?;
    let name = Some(asked.name.trim().to_owned()).filter(|name| !name.is_empty());
    // Somebody may paste the whole link.
    let secret = asked.secret.rsplit('#').next().unwrap_or_default().trim();
    let failed = match tables.take_seat(id, &Secret::sent(secret), name, browser.holder()).await {
        Ok(_) => {
            return Ok(([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response());
        }
        Err(failed) => failed,
    };
    // Whoever has pressed twice sits there already.
    if !tables.store.seats(id, browser.holder()).await.map_err(Failed::from)?.is_empty() {
        return Ok(Redirect::to(&format!("/r/{id}")).into_response());
    }
    let is_wrong = matches!(failed, Failed::NoInvitation);
    let problem = Problem::from(failed);
    let room = tables.heads.room(id).await?;
    if room.is_cancelled() {
        return Err(Told::cancelled());
    }
    let refused = match is_wrong {
        true => "This is not the whole link, or somebody has taken the seat already.".to_owned(),
        false => sentence(&problem.detail),
    };
    // What was sent stays in the form; if there is no seat any more, the reason stands alone.
    let Some(join) = invitation(&tables, id, &room).await else {
        return Err(Told::new(problem.status, refused));
    };
    let form = Join { refused, name: asked.name, secret: secret.to_owned(), is_wrong, ..join };
    let page = ([(header::CACHE_CONTROL, "no-store")], html(&form));
    Ok((problem.status, page).into_response())
}
