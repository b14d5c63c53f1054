//! What the buttons of a board do. Each answer is the board as it is then; what cannot be done is said on it.

use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::play::Move;
use spoton::words::typed;

use super::{Beside, id, shown};
use crate::api::Problem;
use crate::ids::{Hash, SittingId};
use crate::pages::{Told, sentence};
use crate::room::{Command, Offer, Refusal, Room};
use crate::seats::Browser;
use crate::tables::{NextRound, NoTable, Tables};
use crate::writer::Failed;

/// Nobody who plays wants to know how much memory it would take.
const TOO_LARGE: &str = "this game is too large for hints";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    seq: Option<u64>,
    key: Option<String>,
    /// The button of a move.
    #[serde(rename = "move")]
    written: String,
    /// Or what somebody typed.
    typed: String,
}

pub async fn make_move(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(asked): Form<Asked>,
) -> Result<Response, Told> {
    let id = id(&text)?;
    let mut written = asked.written.clone();
    if written.is_empty() {
        let room = tables.heads.room(id).await?;
        if asked.seq.is_some_and(|seq| seq != room.seq()) {
            return Ok(to_board(id, &browser));
        }
        written = match read(&asked.typed, &room) {
            Ok(written) => written,
            Err(why) => {
                let status = axum::http::StatusCode::UNPROCESSABLE_ENTITY;
                return refused(&tables, id, &browser, Problem::new(status, why)).await;
            }
        };
    }
    done(&tables, id, &browser, &asked, Command::Move(written)).await
}

/// A typed move as it is written, or what could be typed instead.
fn read(line: &str, room: &Room) -> Result<String, String> {
    let round = room.sitting().round();
    let choice = typed::read_unnumbered(line, round)?;
    Ok(round.rulebook().write(Move::Operation(choice)))
}

/// Everything else that a button does.
pub async fn act(
    State(tables): State<Tables>,
    Path((text, what)): Path<(String, String)>,
    browser: Browser,
    Form(asked): Form<Asked>,
) -> Result<Response, Told> {
    let id = id(&text)?;
    let command = match what.as_str() {
        "take-back" => Command::Offer(Offer::TakeBack),
        "rematch" | "another-target" | "swap-seats" => {
            let (another_target, swap_seats) = (what == "another-target", what == "swap-seats");
            let (next, key) = (NextRound { another_target, swap_seats }, key(&asked, id, &browser, &what));
            return match tables.next_round(id, browser.holder(), next, asked.seq, key).await {
                Ok(_) | Err(NoTable::Failed(Failed::Outdated(_))) => Ok(to_board(id, &browser)),
                Err(why) => refused(&tables, id, &browser, why.into()).await,
            };
        }
        "cancel" => {
            return match tables.act(id, browser.holder(), Command::Cancel, asked.seq, None).await {
                Ok(_) | Err(Failed::Refused(Refusal::Cancelled)) => Ok(Redirect::to("/").into_response()),
                Err(Failed::Outdated(_)) => Ok(to_board(id, &browser)),
                Err(failed) => refused(&tables, id, &browser, failed.into()).await,
            };
        }
        "decline" => Command::Decline,
        "resign" => Command::Resign,
        "abandon" => Command::Abandon,
        "hint" | "why" => {
            // The board tells what was told as long as the turn lasts.
            return match tables.advise(id, browser.holder(), what == "why", asked.seq).await {
                Ok(_) | Err(NoTable::Failed(Failed::Outdated(_))) => Ok(to_board(id, &browser)),
                Err(NoTable::Cannot(cannot)) if cannot.is_too_large() => {
                    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, TOO_LARGE);
                    refused(&tables, id, &browser, problem).await
                }
                Err(why) => refused(&tables, id, &browser, why.into()).await,
            };
        }
        _ => return Err(Told::nothing_here()),
    };
    done(&tables, id, &browser, &asked, command).await
}

/// The host plays both seats.
pub async fn both(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
) -> Result<Response, Told> {
    let id = id(&text)?;
    tables.take_seat(id, &browser.invitation(id), None, browser.holder()).await?;
    Ok(to_board(id, &browser))
}

async fn done(
    tables: &Tables,
    id: SittingId,
    browser: &Browser,
    asked: &Asked,
    command: Command,
) -> Result<Response, Told> {
    let key = key(asked, id, browser, &format!("{command:?}"));
    match tables.act(id, browser.holder(), command, asked.seq, key).await {
        // Whoever comes too late sees the board as it is now.
        Ok(_) | Err(Failed::Outdated(_)) => Ok(to_board(id, browser)),
        Err(failed) => refused(tables, id, browser, failed.into()).await,
    }
}

/// The key of a form, bound to who sends it and where, and what it asks.
fn key(asked: &Asked, id: SittingId, browser: &Browser, asks: &str) -> Option<(Hash, Hash)> {
    let key = asked.key.as_ref()?;
    let bound = [key.as_bytes(), &id.0, &browser.holder().0].map(Hash::of).map(|hash| hash.0).concat();
    Some((Hash::of(bound), Hash::of(asks)))
}

fn to_board(id: SittingId, browser: &Browser) -> Response {
    ([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response()
}

/// The board as it is, with the reason why something was not done.
async fn refused(
    tables: &Tables,
    id: SittingId,
    browser: &Browser,
    problem: Problem,
) -> Result<Response, Told> {
    // If there is no board, the reason stands alone.
    let Ok(room) = tables.heads.room(id).await else { return Err(problem.into()) };
    let beside = Beside { refused: sentence(&problem.detail), started: true, ..Beside::default() };
    let page = shown(tables, id, &room, Some(browser), beside).await?;
    Ok((problem.status, page).into_response())
}
