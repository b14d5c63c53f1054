//! A board's actions. Each response is the current board, with the reason if the action was refused.

use axum::Form;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::play::Move;
use spoton::words::typed;

use super::{Beside, id, shown};
use crate::api::{Problem, again};
use crate::ids::{Hash, SittingId};
use crate::pages::{ErrorPage, sentence};
use crate::room::{Command, Offer, Refusal, Room};
use crate::seats::Browser;
use crate::tables::writer::Failed;
use crate::tables::{NextRound, NoTable, Tables};

/// The error if a game is too large for hints. Players don't need to know the size.
const TOO_LARGE: &str = "this game is too large for hints";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BoardForm {
    seq: Option<u64>,
    key: Option<String>,
    /// A move's button.
    #[serde(rename = "move")]
    written: String,
    /// Or a typed move.
    typed: String,
}

pub async fn make_move(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
    Form(asked): Form<BoardForm>,
) -> Result<Response, ErrorPage> {
    let id = id(&text)?;
    let mut written = asked.written.clone();
    if written.is_empty() {
        let room = tables.rooms.room(id).await?;
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

/// Reads a typed move. The error names moves that would work.
fn read(line: &str, room: &Room) -> Result<String, String> {
    let round = room.sitting().round();
    let choice = typed::read_unnumbered(line, round)?;
    Ok(round.rulebook().write(Move::Operation(choice)))
}

/// All actions other than moves.
pub async fn act(
    State(tables): State<Tables>,
    Path((text, what)): Path<(String, String)>,
    browser: Browser,
    Form(asked): Form<BoardForm>,
) -> Result<Response, ErrorPage> {
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
            // The board shows hints until the turn ends.
            return match tables.advise(id, browser.holder(), what == "why", asked.seq).await {
                Ok(_) | Err(NoTable::Failed(Failed::Outdated(_))) => Ok(to_board(id, &browser)),
                Err(NoTable::Cannot(cannot)) if cannot.is_too_large() => {
                    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, TOO_LARGE);
                    refused(&tables, id, &browser, problem).await
                }
                Err(why) => refused(&tables, id, &browser, why.into()).await,
            };
        }
        _ => return Err(ErrorPage::nothing_here()),
    };
    done(&tables, id, &browser, &asked, command).await
}

/// The host plays both seats.
pub async fn both(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    browser: Browser,
) -> Result<Response, ErrorPage> {
    let id = id(&text)?;
    tables.take_seat(id, &browser.invitation(id), None, browser.holder()).await?;
    Ok(to_board(id, &browser))
}

async fn done(
    tables: &Tables,
    id: SittingId,
    browser: &Browser,
    asked: &BoardForm,
    command: Command,
) -> Result<Response, ErrorPage> {
    let key = key(asked, id, browser, &format!("{command:?}"));
    match tables.act(id, browser.holder(), command, asked.seq, key).await {
        // Outdated requests get the current board.
        Ok(_) | Err(Failed::Outdated(_)) => Ok(to_board(id, browser)),
        Err(failed) => refused(tables, id, browser, failed.into()).await,
    }
}

/// The idempotency key of a form, bound to browser, sitting and action.
fn key(asked: &BoardForm, id: SittingId, browser: &Browser, asks: &str) -> Option<(Hash, Hash)> {
    let key = asked.key.as_ref()?;
    let bound = [key.as_bytes(), &id.0, &browser.holder().0].map(Hash::digest).map(|hash| hash.0).concat();
    Some((Hash::digest(bound), Hash::digest(asks)))
}

fn to_board(id: SittingId, browser: &Browser) -> Response {
    ([browser.cookie()], Redirect::to(&format!("/r/{id}"))).into_response()
}

/// The current board, with the reason why an action was refused.
async fn refused(
    tables: &Tables,
    id: SittingId,
    browser: &Browser,
    problem: Problem,
) -> Result<Response, ErrorPage> {
    // Without a board, shows only the reason.
    let Ok(room) = tables.rooms.room(id).await else { return Err(problem.into()) };
    let beside = Beside { refused: sentence(&problem.detail), started: true, ..Beside::default() };
    let page = shown(tables, id, &room, Some(browser), beside).await?;
    let again = again(problem.status, problem.wait).map(|seconds| [(header::RETRY_AFTER, seconds)]);
    Ok((problem.status, again, page).into_response())
}
