//! The board: the number, the line, the moves, and whatever else can be done.

mod acts;
mod said;

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::written::ON_OTHER;
use spoton::format::Numbers;
use spoton::people::idea;
use spoton::people::solved_game::SolvedGame;
use spoton::sitting::Lookahead;
use spoton::sitting::discovery::{Spoiler, View};
use spoton::solver::chart;
use spoton::words::{describe, menu, phrases, rules};
use tokio_stream::Stream;

use super::also::{Also, Next};
use super::named::named;
use super::today::IT_COUNTS;
use super::{Told, html};
use crate::classes;
use crate::discovery;
use crate::facts;
use crate::ids::{Secret, SittingId};
use crate::limits::TIME_TO_THINK;
use crate::live::{Listener, last_seen};
use crate::picture;
use crate::room::{Offer, Room};
use crate::seats::Browser;
use crate::tables::{Tables, game};
use crate::thinking::soon;

pub use acts::{act, both, make_move};
use said::Looker;

/// More choices than this are a compact grid, with a field to type a move in.
const MOST_BUTTONS: usize = 8;
/// Nobody's idea is longer.
const LONGEST_IDEA: usize = 200;

#[derive(Template)]
#[template(path = "board.html")]
struct Board {
    id: String,
    seq: u64,
    key: String,
    /// After how many seconds a browser without scripts looks again, if it waits for anything.
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
    /// Whether somebody comes by an invitation that is taken.
    too_late: bool,
    /// Whether the seat was here, and is on another device now.
    has_moved: bool,
    /// What the start card says, if the round counts and nothing has been done in it yet.
    start_card: Option<&'static str>,
    /// Whether somebody has left the start card. The address of the board says so.
    started: bool,
    /// Whether there's no undo and every move counts.
    counts: bool,
    /// Whose turn it is.
    turn: u8,
    /// Whether something waits for whoever looks.
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
    /// The address of the rule book, if it is somebody's own.
    book: Option<String>,
    over: Option<Over>,
    /// The round before this one, if there was one.
    before: Option<usize>,
    also: Also,
}

/// The number line, with the name of whose number it is if each has one.
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
    /// Whether they have the board open; `None` if that is no question.
    here: Option<bool>,
}

struct Choice {
    written: String,
    label: String,
    /// How it stands at its arc, if the label does not say it.
    sign: Option<String>,
    leads_to: String,
    /// Whose number it changes, if that is not the mover's own.
    whose: Option<String>,
    left: Option<String>,
    reason: Option<String>,
    /// The digit that chooses it.
    key: Option<String>,
}

/// What the end means for whoever looks.
struct Verdict {
    won: bool,
    said: String,
}

/// A button beside the moves. It keeps its place while it cannot be pressed.
struct Action {
    address: &'static str,
    label: &'static str,
    works: bool,
}

/// What there is after the end.
struct Over {
    round: usize,
    /// What a rematch is called here.
    rematch: Option<&'static str>,
    /// Whether the player may take the other seat.
    swaps: bool,
    /// Which seat each of the two buttons gives, if that is known.
    seats: Option<Seats>,
    another_target: bool,
}

/// What the two buttons for the next round against a computer say of the seats.
struct Seats {
    again: &'static str,
    other: &'static str,
    /// What the second button is called.
    label: &'static str,
}

impl Seats {
    fn of(own: Player, last_first: Player, next_first: Player) -> Seats {
        let goes = |first: Player| if own == first { "you go first" } else { "you go second" };
        let label = if next_first == last_first { "Swap seats" } else { "Same seats" };
        Seats { again: goes(next_first), other: goes(!next_first), label }
    }
}

/// What is shown beside the board as it stands.
#[derive(Default)]
pub struct Beside {
    /// An idea to be tested.
    idea: Option<String>,
    /// Why something was not done.
    refused: String,
    /// Whether somebody comes by an invitation.
    invited: bool,
    /// Whether somebody had the seat here before.
    had_seat: bool,
    /// Whether they have left the start card.
    started: bool,
}

fn id(text: &str) -> Result<SittingId, Told> {
    text.parse().map_err(|_| Told::nothing_here())
}

async fn seats(tables: &Tables, id: SittingId, browser: Option<&Browser>) -> Result<Vec<Player>, Told> {
    match browser {
        Some(browser) => Ok(tables.heads.seats(id, browser.holder()).await?),
        None => Ok(vec![]),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    idea: Option<String>,
    /// By an invitation, and too late.
    taken: Option<String>,
    /// From where the seat was moved to another device.
    moved: Option<String>,
    /// From the start card.
    start: Option<String>,
}

pub async fn page(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let id = id(&text)?;
    let room = tables.heads.room(id).await?;
    if room.is_cancelled() {
        return Err(Told::cancelled());
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
) -> Result<Response, Told> {
    let seats = seats(tables, id, browser).await?;
    let looker = Looker { room, seats: &seats };
    let advice = advice(tables, looker, beside.idea.as_deref()).await;
    let also = Also::of(tables, id, room, &seats, browser).await?;
    let invitation = browser
        .filter(|_| looker.waits() && !seats.is_empty() && !also.waits_in_class)
        .map(|browser| browser.here().url(&format!("/j/{id}#{}", browser.invitation(id).reveal())));
    // Who watches a round without discovery sees its notes, whatever else they play: boards are asked for often.
    let view = match room.sitting().setup().help.discover {
        true => discovery::of_round(tables, id, room, browser.map(Browser::holder)).await?,
        false => View::of_everything(),
    };
    let length = length_beyond_patience(tables, room).await;
    // After the end it's too late to know.
    let out_of_reach = match room.is_over() {
        true => None,
        false => facts::out_of_reach(tables, room.sitting().rulebook()).await,
    };
    let goal = goal(room, length, out_of_reach.as_deref());
    let mut common = board(id, looker, tables.live.here(id), goal, view);
    if let (Some(over), Some(own)) = (&mut common.over, looker.you())
        && over.swaps
    {
        // If there is no time to find it out, the buttons do without.
        let last = room.sitting().round().first();
        let next = soon(async { tables.next_first(room, false).await.ok() }).await;
        over.seats = next.map(|next| Seats::of(own, last, next));
    }
    let start_card = !beside.started && looker.begins_what_counts();
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
        // Nobody loses what they have just been told.
        refresh: common.refresh.filter(|_| beside.idea.is_none()),
        idea: (tests_ideas(looker) && !start_card).then(|| beside.idea.unwrap_or_default()),
        // Nothing to press but the card: a double tap on the way here must not spend anything.
        choices: if start_card { vec![] } else { common.choices },
        actions: if start_card { vec![] } else { common.actions },
        gives_up: common.gives_up && !start_card,
        rows: if start_card { 0 } else { common.rows },
        start_card: start_card.then_some(IT_COUNTS),
        started: beside.started,
        also,
        ..common
    };
    // It is for this browser, and for this moment.
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

fn board(id: SittingId, looker: Looker<'_>, here: ByPlayer<bool>, goal: String, view: View) -> Board {
    let Looker { room, seats } = looker;
    let sitting = room.sitting();
    let (round, rulebook) = (sitting.round(), sitting.rulebook());
    let turn = looker.turn();
    let (over, shared) = (room.is_over(), rulebook.numbers() == Numbers::Shared);
    let player = |player: Player| Seated {
        number: player.number(),
        name: room.name(player),
        own_number: (!shared).then(|| round.number_of(player).to_string()),
        on_turn: !over && turn == player,
        you: looker.you() == Some(player),
        here: (!seats.contains(&player) && room.is_person_here(player)).then_some(here[player]),
    };
    let choices = choices(looker);
    let in_grid = choices.len() > MOST_BUTTONS;
    let whose =
        |line: picture::Line| NamedLine { name: line.owner.map(|owner| room.name(owner)), svg: line.svg };
    Board {
        id: id.to_string(),
        seq: room.seq(),
        key: Secret::random().reveal().chars().take(20).collect(),
        refresh: looker.looks_again(),
        page_title: looker.title(),
        title: rulebook.title().to_owned(),
        goal,
        number: shared.then(|| round.number_of(turn).to_string()),
        lines: picture::lines(round).into_iter().map(whose).collect(),
        players: Player::BOTH.map(player).into(),
        verdict: looker.verdict().map(|(won, said)| Verdict { won, said }),
        status: looker.status(),
        refused: String::new(),
        watches: seats.is_empty() && !looker.waits(),
        too_late: false,
        has_moved: false,
        start_card: None,
        started: false,
        counts: looker.counts(),
        turn: turn.number(),
        is_called: looker.is_called(),
        rows: if over || looker.waits() { 0 } else { choices.len().div_ceil(2).clamp(1, MOST_BUTTONS / 2) },
        barred: if in_grid { barred(&choices) } else { vec![] },
        choices: if looker.may_move() { choices } else { vec![] },
        in_grid,
        advice: vec![],
        actions: actions(looker),
        gives_up: !over && !looker.waits() && !seats.is_empty(),
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
            // The duel of a day is the same every time, and with another target it would be another game.
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

/// What is on offer to the player on turn.
fn choices(looker: Looker<'_>) -> Vec<Choice> {
    let round = looker.room.sitting().round();
    let (rulebook, position) = (round.rulebook(), round.position());
    let lines = menu::all_lines(rulebook, position);
    let in_grid = lines.len() > MOST_BUTTONS;
    let choice = |(key, offer)| {
        let key: String = key;
        let written = rulebook.write_offer(&offer);
        Choice {
            sign: (!in_grid && !written.starts_with(ON_OTHER)).then(|| written.clone()),
            label: if in_grid { written.clone() } else { rulebook.label_of_offer(&offer) },
            leads_to: offer.result.map(|number| number.to_string()).unwrap_or_default(),
            whose: offer
                .choice
                .map(|choice| rulebook.owner(position, Move::Operation(choice)))
                .filter(|owner| *owner != position.turn())
                .map(|owner| looker.room.name(owner)),
            left: describe::left(rulebook, position, &offer).filter(|_| offer.result.is_ok()),
            reason: offer.result.err().map(|why| phrases::refusal(rulebook, why)),
            key: Some(key).filter(|key| matches!(key.as_bytes(), [b'1'..=b'9'])),
            written,
        }
    };
    lines.into_iter().map(choice).collect()
}

/// The moves of a grid that are barred, those with the same reason together.
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

/// What can be done beside a move.
fn actions(looker: Looker<'_>) -> Vec<Action> {
    let Looker { room, seats } = looker;
    let mut actions = Vec::new();
    let mut add = |address, label, works| actions.push(Action { address, label, works });
    if let Some(offer) = looker.offer_to_answer() {
        match offer {
            Offer::TakeBack => add("take-back", "Agree to take it back", true),
            Offer::Rematch => add("rematch", "Agree to a rematch", true),
            Offer::AnotherTarget => add("another-target", "Agree to another target", true),
        }
        add("decline", "Decline", true);
    }
    if seats.is_empty() || room.is_over() || looker.waits() {
        return actions;
    }
    let sitting = room.sitting();
    if room.hints() && !sitting.view().hides(Spoiler::Advice) {
        let is_next = sitting.hints_told() > 0 && looker.may_move();
        add("hint", if is_next { "Another hint" } else { "Hint" }, looker.may_move());
        add("why", "Why?", looker.may_move());
    }
    if sitting.setup().undo && !matches!(looker.offer_to_answer(), Some(Offer::TakeBack)) {
        let label = if looker.decides_alone() { "Take back" } else { "Ask to take back" };
        add("take-back", label, room.offer().is_none() && looker.may_take_back());
    }
    if looker.may_close() {
        add("abandon", "Close the round", true);
    }
    actions
}

/// How many powers of ten of moves a round takes that nobody would finish, before its first move.
async fn length_beyond_patience(tables: &Tables, room: &Room) -> Option<u32> {
    let rulebook = Arc::clone(room.sitting().rulebook());
    if room.is_over() || !room.sitting().round().history().is_empty() || !SolvedGame::is_vast(&rulebook) {
        return None;
    }
    let find = move |ahead: &mut Lookahead<'_>| ahead.games.game(&rulebook).length_beyond_patience();
    let found = tables.thinking.question(game(room), TIME_TO_THINK, find);
    soon(async { found.await.ok()? }).await
}

/// Whether a player may test an idea here: that is help, too.
fn tests_ideas(looker: Looker<'_>) -> bool {
    let Looker { room, seats } = looker;
    let sitting = room.sitting();
    let allowed = room.hints() && !sitting.counts_help() && !looker.waits();
    allowed && !seats.is_empty() && !room.is_over() && chart::number_alone_decides(sitting.rulebook())
}

/// What was told on this turn, for whoever asked; and what an idea comes to.
async fn advice(tables: &Tables, looker: Looker<'_>, idea: Option<&str>) -> Vec<String> {
    let sitting = looker.room.sitting().clone();
    let is_told = looker.may_move() && (sitting.hints_told() > 0 || sitting.is_explained());
    let idea = idea.filter(|idea| !idea.trim().is_empty() && tests_ideas(looker)).map(str::to_owned);
    if !is_told && idea.is_none() {
        return vec![];
    }
    let game = game(looker.room);
    let found = tables.thinking.question(game, TIME_TO_THINK, move |ahead| {
        let mut sitting = sitting.clone();
        if let Some(idea) = &idea {
            let rulebook = Arc::clone(sitting.rulebook());
            let reply =
                idea::reply(idea, |idea| ahead.ask(&rulebook, |game, budget| game.test(idea, budget)));
            let said = reply.map_or_else(|why| format!("No answer: {why}."), |reply| reply.said);
            return vec![said];
        }
        // Whatever was told could be found before; if not now, the board is there all the same.
        sitting.told_again(ahead).unwrap_or_default()
    });
    let said = found.await.unwrap_or_else(|busy| vec![super::sentence(&busy.to_string())]);
    said.iter().flat_map(|said| said.lines()).map(str::to_owned).collect()
}

/// A link as a picture that phones can read.
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

/// Says when something has changed, and who is here; what has changed, the page asks by itself.
pub async fn stream(
    State(tables): State<Tables>,
    Path(text): Path<String>,
    Query(news): Query<News>,
    headers: HeaderMap,
    browser: Option<Browser>,
) -> Result<Response, Told> {
    let id = id(&text)?;
    tables.heads.room(id).await?;
    let seats = seats(&tables, id, browser.as_ref()).await?;
    let slot = match &browser {
        Some(browser) => match tables.live.slot(browser.holder()) {
            // Told so, a browser does not try again by itself; the page asks by time.
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
    let (heads, id) = (Arc::clone(&tables.heads), listener.id);
    tables.live.stream(listener, move |after| {
        let heads = Arc::clone(&heads);
        async move {
            let seq = heads.room(id).await.ok()?.seq();
            let changed = || (seq, sse::Event::default().event("changed").data(seq.to_string()));
            Some((seq > after).then(changed).into_iter().collect())
        }
    })
}
