//! The board: the number, the line (drawn by `picture.rs`), the moves and all other actions.

mod acts;
mod said;

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use serde::Deserialize;
use spoton::discovery::View;
use spoton::engine::position::{ByPlayer, Player};
use spoton::sitting::Lookahead;
use spoton::solved::SolvedGame;
use spoton::teach::idea;
use spoton::view::{MoveView, TableView, WhyNot};
use spoton::words::{self, describe, phrases, rules};
use tokio_stream::Stream;

use super::also::{Also, Next};
use super::named::named;
use super::today::IT_COUNTS;
use super::{ErrorPage, html};
use crate::ids::{Secret, SittingId};
use crate::limits::TIME_TO_THINK;
use crate::live::{Listener, last_seen};
use crate::picture;
use crate::room::{Offer, Room};
use crate::routes::{Route, Stores, Who};
use crate::seats::Browser;
use crate::tables::classes;
use crate::tables::discovery;
use crate::tables::facts;
use crate::tables::{Tables, game};
use crate::thinking::soon;

pub use acts::{act, both, make_move};
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

/// With more choices than this the board shows a compact grid and a field to type a move.
const MOST_BUTTONS: usize = 8;
/// The maximum length of an idea, in characters.
const LONGEST_IDEA: usize = 200;

#[derive(Template)]
#[template(path = "board.html")]
struct Board {
    id: String,
    seq: u64,
    key: String,
    /// Seconds until a browser without scripts reloads, if it's waiting for anything.
    refresh: Option<u32>,
    page_title: String,
    title: String,
    goal: String,
    number: Option<String>,
    lines: Vec<NamedLine>,
    players: Vec<Seated>,
    verdict: Option<Verdict>,
    status: String,
    refused: String,
    watches: bool,
    /// Whether the visitor followed an invitation that is already taken.
    too_late: bool,
    /// Whether the seat moved from here to another device.
    has_moved: bool,
    /// The start card's text, if the round counts and hasn't begun.
    start_card: Option<&'static str>,
    /// Whether the player left the start card. The query string of the board records it.
    started: bool,
    /// Whether there's no undo and every move counts.
    counts: bool,
    /// The number of the player whose turn it is.
    turn: u8,
    /// Whether a move or an answer is due.
    is_called: bool,
    rows: usize,
    choices: Vec<Choice>,
    in_grid: bool,
    barred: Vec<(String, String)>,
    advice: Vec<String>,
    actions: Vec<Action>,
    gives_up: bool,
    idea: Option<String>,
    ideas: String,
    invitation: Option<String>,
    only_here: bool,
    qr: String,
    rules: Vec<String>,
    /// The rule book's address, if it isn't a shipped one.
    book: Option<String>,
    over: Option<Over>,
    /// The previous round, if there was one.
    before: Option<usize>,
    also: Also,
}

/// A number line, with its owner's name if each player has a number.
struct NamedLine {
    name: Option<String>,
    svg: String,
}

struct Seated {
    number: u8,
    name: String,
    own_number: Option<String>,
    on_turn: bool,
    you: bool,
    /// Whether they have the board open; `None` if that doesn't matter.
    here: Option<bool>,
}

struct Choice {
    written: String,
    label: String,
    /// The move as shown on its arc, if the label doesn't show it.
    sign: Option<String>,
    leads_to: String,
    /// The owner of the number it changes, if not the mover.
    whose: Option<String>,
    left: Option<String>,
    reason: Option<String>,
    /// The key that chooses it.
    key: Option<String>,
}

/// The verdict at the end.
struct Verdict {
    won: bool,
    said: String,
}

/// A button next to the moves. It keeps its place while disabled.
struct Action {
    address: &'static str,
    label: &'static str,
    works: bool,
}

/// The actions after a round is over.
struct Over {
    round: usize,
    /// The label for the next-round button.
    rematch: Option<&'static str>,
    /// Whether the player may swap seats.
    swaps: bool,
    /// The seats that the two buttons give, if known.
    seats: Option<Seats>,
    another_target: bool,
}

/// The seat labels of the two buttons for the next round against a computer.
struct Seats {
    again: &'static str,
    other: &'static str,
    /// The second button's label.
    label: &'static str,
}

impl Seats {
    fn for_rematch(own: Player, last_first: Player, next_first: Player) -> Seats {
        let goes = |first: Player| if own == first { "you go first" } else { "you go second" };
        let label = if next_first == last_first { "Swap seats" } else { "Same seats" };
        Seats { again: goes(next_first), other: goes(!next_first), label }
    }
}

/// What a request adds to the board.
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

/// The line above a board.
fn goal(room: &Room, length: Option<u32>, out_of_reach: Option<&str>) -> String {
    let (rulebook, position) = (room.sitting().rulebook(), room.sitting().round().position());
    let mut goal = describe::at_a_glance_with_repeats(rulebook, out_of_reach);
    if let Some(which) = describe::which_turn(rulebook, position).filter(|_| !room.is_over()) {
        goal = format!("{goal} Turn {which}.");
    }
    if let Some(power) = length {
        goal = format!("{goal} {}", phrases::beyond_patience(power));
    }
    goal
}

fn board(id: SittingId, seen: &BoardView<'_>, here: ByPlayer<bool>, goal: String, view: View) -> Board {
    let BoardView { room, seats, .. } = seen;
    let sitting = room.sitting();
    let (round, rulebook) = (sitting.round(), sitting.rulebook());
    let (turn, table) = (seen.turn(), &seen.table);
    let over = room.is_over();
    let player = |player: Player| Seated {
        number: player.number(),
        name: table.players[player].name.clone(),
        own_number: table.shared_number().is_none().then(|| table.players[player].number.to_string()),
        on_turn: !over && turn == player,
        // A player named "You" needs no mark.
        you: table.players[player].is_viewer && !table.is_against_computer(),
        here: (!seats.contains(&player) && room.is_person_here(player)).then_some(here[player]),
    };
    let choices = choices(&seen.table);
    let in_grid = choices.len() > MOST_BUTTONS;
    let whose = |line: picture::Line| NamedLine {
        name: line.owner.map(|owner| table.players[owner].name.clone()),
        svg: line.svg,
    };
    Board {
        id: id.to_string(),
        seq: room.seq(),
        key: Secret::random().reveal().chars().take(20).collect(),
        refresh: seen.looks_again(),
        page_title: seen.title(),
        title: rulebook.title().to_owned(),
        goal,
        number: table.shared_number().map(|number| number.to_string()),
        lines: picture::lines(round).into_iter().map(whose).collect(),
        players: Player::BOTH.map(player).into(),
        verdict: seen.table.end().map(|end| Verdict { won: end.is_win, said: end.verdict.clone() }),
        status: seen.status(),
        refused: String::new(),
        watches: seats.is_empty() && !seen.waits(),
        too_late: false,
        has_moved: false,
        start_card: None,
        started: false,
        counts: seen.counts(),
        turn: turn.number(),
        is_called: seen.is_called(),
        rows: if over || seen.waits() { 0 } else { choices.len().div_ceil(2).clamp(1, MOST_BUTTONS / 2) },
        barred: if in_grid { barred(&choices) } else { vec![] },
        choices: if seen.may_move() { choices } else { vec![] },
        in_grid,
        advice: vec![],
        actions: actions(seen),
        gives_up: !over && !seen.waits() && !seats.is_empty(),
        idea: None,
        ideas: idea::FORMS.join("; "),
        invitation: None,
        only_here: false,
        qr: String::new(),
        rules: describe::rules(rulebook)
            .iter()
            .map(|rule| named(rulebook, rule))
            .chain(rules::notes(rulebook, view).iter().cloned())
            .collect(),
        book: room.book().map(str::to_owned),
        over: over.then(|| {
            let rematch = !seats.is_empty() && room.offer().is_none() && !room.is_left_by_anybody();
            // Today's duel has a fixed target.
            let is_duel = sitting.setup().today.is_some();
            let another_target = rematch && rulebook.target().is_some() && !is_duel;
            let swaps = rematch && sitting.can_swap_seats();
            let again = match (is_duel, swaps) {
                (true, _) => "Practise",
                (false, true) => "Play again",
                (false, false) => "Rematch",
            };
            let (round, rematch) = (room.round_number(), rematch.then_some(again));
            Over { round, rematch, swaps, seats: None, another_target }
        }),
        before: room.round_number().checked_sub(1).filter(|before| *before > 0),
        also: Also::default(),
    }
}

/// The moves of the player to move as buttons.
fn choices(table: &TableView<'_>) -> Vec<Choice> {
    let in_grid = table.moves.len() > MOST_BUTTONS;
    let mover = table.round().position().turn();
    let choice = |a_move: &MoveView| Choice {
        sign: (!in_grid && !a_move.is_on_other()).then(|| a_move.written.clone()),
        label: if in_grid { a_move.written.clone() } else { a_move.label.clone() },
        leads_to: a_move.to.as_ref().map(i128::to_string).unwrap_or_default(),
        whose: (a_move.owner != mover).then(|| table.players[a_move.owner].name.clone()),
        left: a_move.left.clone().filter(|_| a_move.is_legal()),
        reason: a_move.reason().map(str::to_owned),
        key: Some(a_move.key.clone()).filter(|key| matches!(key.as_bytes(), [b'1'..=b'9'])),
        written: a_move.written.clone(),
    };
    table.moves.iter().map(choice).collect()
}

/// The moves in a grid that aren't allowed, grouped by reason.
fn barred(choices: &[Choice]) -> Vec<(String, String)> {
    let mut barred: Vec<(String, String)> = Vec::new();
    for choice in choices {
        let Some(reason) = &choice.reason else { continue };
        match barred.iter_mut().find(|(_, known)| known == reason) {
            Some((moves, _)) => *moves = format!("{moves}, {}", choice.written),
            None => barred.push((choice.written.clone(), reason.clone())),
        }
    }
    barred
}

/// All actions other than moves.
fn actions(seen: &BoardView<'_>) -> Vec<Action> {
    let BoardView { room, seats, .. } = seen;
    let mut actions = Vec::new();
    let mut add = |address, label, works| actions.push(Action { address, label, works });
    if let Some(offer) = seen.offer_to_answer() {
        match offer {
            Offer::TakeBack => add("take-back", "Allow undo", true),
            Offer::Rematch => add("rematch", "Accept rematch", true),
            Offer::AnotherTarget => add("another-target", "Accept new target", true),
        }
        add("decline", "Decline", true);
    }
    if seats.is_empty() || room.is_over() || seen.waits() {
        return actions;
    }
    let sitting = room.sitting();
    // The buttons keep their places while it's the opponent's turn.
    if matches!(seen.table.requests.hint, Ok(()) | Err(WhyNot::NotYourTurn)) {
        let is_next = sitting.hints_told() > 0 && seen.may_move();
        add("hint", if is_next { "Another hint" } else { "Hint" }, seen.may_move());
        add("why", "Why?", seen.may_move());
    }
    if sitting.setup().undo && !matches!(seen.offer_to_answer(), Some(Offer::TakeBack)) {
        let label = if seen.decides_alone() { "Undo" } else { "Ask to undo" };
        add("take-back", label, room.offer().is_none() && seen.may_take_back());
    }
    if seen.may_close() {
        add("abandon", "Close round", true);
    }
    actions
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
            // What was announced is enough: the page has looked before.
            let seq = rooms.known(id).await.ok()?.room.seq();
            let changed = || (seq, sse::Event::default().event("changed").data(seq.to_string()));
            Some((seq > after).then(changed).into_iter().collect())
        }
    })
}
