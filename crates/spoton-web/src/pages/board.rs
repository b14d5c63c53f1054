//! The board's routes, and what a page needs from the server. `page.rs` turns that into HTML.

mod acts;
mod page;
mod said;

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use serde::Deserialize;
use spoton::discovery::View;
use spoton::engine::position::Player;
use spoton::sitting::Lookahead;
use spoton::solved::SolvedGame;
use spoton::words::{self, rules};
use tokio_stream::Stream;

use super::also::Also;
use super::named::named;
use super::today::IT_COUNTS;
use super::{ErrorPage, html};
use crate::ids::SittingId;
use crate::limits::TIME_TO_THINK;
use crate::live::{Listener, last_seen};
use crate::room::Room;
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::classes;
use crate::tables::discovery;
use crate::tables::facts;
use crate::tables::{Tables, game};
use crate::thinking::soon;

pub use acts::{act, both, make_move};
use page::{Board, Seats, board, goal};
use said::BoardView;

/// The routes of this file.
pub fn routes() -> Vec<Route> {
    vec![
        Route::reads("/r/{id}", page),
        Route::takes("/r/{id}/move", Who::SeatHolder, Stores::Commands, post(make_move)),
        Route::takes("/r/{id}/both", Who::SeatHolder, Stores::Commands, post(both)),
        Route::reads("/r/{id}/stream", stream),
        Route::takes("/r/{id}/{what}", Who::SeatHolder, Stores::Commands, post(act)),
    ]
}

/// The maximum length of an idea, in characters.
const LONGEST_IDEA: usize = 200;

/// A request's additions to the board.
#[derive(Default)]
pub struct Beside {
    /// An idea to test.
    idea: Option<String>,
    /// Why an action was refused.
    refused: String,
    /// Whether the visitor followed an invitation.
    invited: bool,
    /// Whether the seat was here before.
    had_seat: bool,
    /// Whether they left the start card.
    started: bool,
}

fn id(text: &str) -> Result<SittingId, ErrorPage> {
    text.parse().map_err(|_| ErrorPage::nothing_here())
}

async fn seats(tables: &Tables, id: SittingId, browser: Option<&Browser>) -> Result<Vec<Player>, ErrorPage> {
    match browser {
        Some(browser) => Ok(tables.rooms.seats(id, browser.holder()).await?),
        None => Ok(vec![]),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BoardQuery {
    idea: Option<String>,
    /// Followed an invitation too late.
    taken: Option<String>,
    /// The seat moved to another device.
    moved: Option<String>,
    /// Left the start card.
    start: Option<String>,
}

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(asked): Query<BoardQuery>,
    headers: HeaderMap,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let id = id(&text)?;
    let room = tables.rooms.room(id).await?;
    if room.is_cancelled() {
        return Err(ErrorPage::cancelled());
    }
    if let Some(elsewhere) = classes::instead_of_waiting(&tables, id, &room, browser.as_ref()).await? {
        return Ok(Redirect::to(&format!("/r/{elsewhere}")).into_response());
    }
    let seen = headers.get("x-seq").and_then(|seq| seq.to_str().ok()?.parse::<u64>().ok());
    if seen == Some(room.seq()) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let idea = asked.idea.map(|idea| idea.chars().take(LONGEST_IDEA).collect());
    let beside = Beside {
        idea,
        refused: String::new(),
        invited: asked.taken.is_some(),
        had_seat: asked.moved.is_some(),
        started: asked.start.is_some(),
    };
    shown(&tables, id, &room, browser.as_ref(), beside).await
}

/// The board for a browser.
async fn shown(
    tables: &Tables,
    id: SittingId,
    room: &Arc<Room>,
    browser: Option<&Browser>,
    beside: Beside,
) -> Result<Response, ErrorPage> {
    let seats = seats(tables, id, browser).await?;
    let seen = &BoardView::new(room, &seats, tables.clock.now());
    let advice = advice(tables, seen, beside.idea.as_deref()).await;
    let also = Also::for_room(tables, id, room, &seats, browser).await?;
    let invitation = browser
        .filter(|_| seen.waits() && !seats.is_empty() && !also.waits_in_class)
        .map(|browser| browser.here().url(&format!("/j/{id}#{}", browser.invitation(id).reveal())));
    let rulebook = room.sitting().rulebook();
    // After the end of the round, it's too late to matter.
    let is_out_of_reach = !room.is_over() && facts::is_out_of_reach(tables, rulebook).await;
    // Cost: `of_round` is slow and boards are requested often, so it runs only if there is something to hide.
    let may_hide = room.sitting().setup().help.discover
        || is_out_of_reach
        || !rules::notes(rulebook, View::of_everything()).is_empty();
    let view = match may_hide {
        true => discovery::of_round(tables, id, room, browser.map(Browser::holder)).await?,
        false => View::of_everything(),
    };
    let out_of_reach = match is_out_of_reach {
        true => facts::out_of_reach(tables, rulebook, view).await,
        false => None,
    };
    let length = length_beyond_patience(tables, room).await;
    let goal = goal(room, length, out_of_reach.as_deref());
    let mut common = board(id, seen, tables.live.here(id), goal, view);
    if let (Some(over), Some(own)) = (&mut common.over, seen.you())
        && over.swaps
    {
        // If the solution isn't ready in time, the buttons have no seat labels.
        let last = room.sitting().round().first();
        let next = match browser.map(Browser::holder) {
            Some(holder) => soon(async { tables.next_first(id, room, false, holder).await.ok() }).await,
            None => None,
        };
        over.seats = next.map(|next| Seats::for_rematch(own, last, next));
    }
    let start_card = !beside.started && seen.begins_what_counts();
    let board = Board {
        status: match also.waits_in_class {
            true => "Waiting for a partner…".to_owned(),
            false => common.status,
        },
        advice: advice.iter().map(|said| named(room.sitting().rulebook(), said)).collect(),
        qr: invitation.as_deref().map(qr).unwrap_or_default(),
        only_here: browser.is_some_and(|browser| browser.here().is_only_here()),
        invitation,
        refused: beside.refused,
        too_late: beside.invited && common.watches,
        has_moved: beside.had_seat && common.watches,
        // A reload would discard the answer to the idea.
        refresh: common.refresh.filter(|_| beside.idea.is_none()),
        idea: (seen.table.requests.idea.is_ok() && !start_card).then(|| beside.idea.unwrap_or_default()),
        // Only the card can be pressed: a double tap on the way here must not make a move.
        choices: if start_card { vec![] } else { common.choices },
        actions: if start_card { vec![] } else { common.actions },
        gives_up: common.gives_up && !start_card,
        rows: if start_card { 0 } else { common.rows },
        start_card: start_card.then_some(IT_COUNTS),
        started: beside.started,
        also,
        ..common
    };
    // The page depends on the browser and changes often.
    Ok(([(header::CACHE_CONTROL, "no-store")], html(&board)).into_response())
}

/// The length of a round that's too long to finish, as a power of ten; `None` after the first move or if it's short
/// enough.
async fn length_beyond_patience(tables: &Tables, room: &Room) -> Option<u32> {
    let rulebook = Arc::clone(room.sitting().rulebook());
    if room.is_over() || !room.sitting().round().history().is_empty() || !SolvedGame::is_vast(&rulebook) {
        return None;
    }
    let find = move |ahead: &mut Lookahead<'_>| ahead.games.game(&rulebook).length_beyond_patience();
    let found = tables.thinking.question(game(room), TIME_TO_THINK, find);
    soon(async { found.await.ok()? }).await
}

/// This turn's hints, for the player who asked, and the answer to an idea.
async fn advice(tables: &Tables, seen: &BoardView<'_>, idea: Option<&str>) -> Vec<String> {
    let sitting = seen.room.sitting().clone();
    let is_told = seen.may_move() && (sitting.hints_told() > 0 || sitting.is_explained());
    let idea =
        idea.filter(|idea| !idea.trim().is_empty() && seen.table.requests.idea.is_ok()).map(str::to_owned);
    if !is_told && idea.is_none() {
        return vec![];
    }
    let game = game(seen.room);
    let found = tables.thinking.question(game, TIME_TO_THINK, move |ahead| {
        let mut sitting = sitting.clone();
        if let Some(idea) = &idea {
            let rulebook = Arc::clone(sitting.rulebook());
            let reply =
                words::idea::reply(idea, |idea| ahead.ask(&rulebook, |game, budget| game.test(idea, budget)));
            let said = reply.map_or_else(|why| format!("No answer: {why}."), |reply| reply.said);
            return vec![said];
        }
        // These hints were found before. If finding them fails now, the board still works without them.
        sitting.told_again(ahead).unwrap_or_default()
    });
    let said = found.await.unwrap_or_else(|busy| vec![super::sentence(&busy.to_string())]);
    said.iter().flat_map(|said| said.lines()).map(str::to_owned).collect()
}

/// A link as a QR code.
pub(super) fn qr(link: &str) -> String {
    use fast_qr::convert::svg::SvgBuilder;
    let Ok(code) = fast_qr::QRBuilder::new(link).build() else { return String::new() };
    SvgBuilder::default().to_str(&code)
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct News {
    after: Option<u64>,
}

/// A board's stream: reports changes and presence. The page then fetches the board.
pub async fn stream(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(news): Query<News>,
    headers: HeaderMap,
    browser: Option<Browser>,
) -> Result<Response, ErrorPage> {
    let id = id(&text)?;
    tables.rooms.room(id).await?;
    let seats = seats(&tables, id, browser.as_ref()).await?;
    let slot = match &browser {
        Some(browser) => match tables.live.slot(browser.holder()) {
            // After a 204 the browser doesn't reconnect; the page polls on a timer.
            None => return Ok(StatusCode::NO_CONTENT.into_response()),
            slot => slot,
        },
        None => None,
    };
    let after = last_seen(&headers, news.after);
    let listener = Listener { id, seats, after, presence: true, slot };
    Ok(changes(&tables, listener).into_response())
}

fn changes(
    tables: &Tables,
    listener: Listener,
) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>> + use<>> {
    let (rooms, id) = (Arc::clone(&tables.rooms), listener.id);
    tables.live.stream(listener, move |after| {
        let rooms = Arc::clone(&rooms);
        async move {
            // The announced events are enough: the page has checked before.
            let seq = rooms.known(id).await.ok()?.room.seq();
            let changed = || (seq, sse::Event::default().event("changed").data(seq.to_string()));
            Some((seq > after).then(changed).into_iter().collect())
        }
    })
}
