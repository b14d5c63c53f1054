//! The board as HTML: a pure function of one person's view. It knows no server, only the room and what the routes found.

use askama::Template;
use spoton::discovery::View;
use spoton::engine::position::{ByPlayer, Player};
use spoton::evaluate::opponent::Opponent;
use spoton::format::{Past, Reach, Setting};
use spoton::records::RoundResult;
use spoton::teach::idea;
use spoton::view::{MoveView, TableView, WhyNot};
use spoton::words::{describe, phrases, rules};

use super::said::BoardView;
use crate::ids::{Secret, SittingId};
use crate::pages::also::{Also, Next};
use crate::pages::named::{named, spoken};
use crate::picture::face::{self, Moment, Mood};
use crate::picture::{self, icon};
use crate::room::{Offer, Room};

/// With more choices than this the board shows a compact grid and a field to type a move.
const MOST_BUTTONS: usize = 8;
/// The number of digits of a result that fits half the width of a phone, next to a label.
const LONGEST_RESULT: usize = 8;
/// The number of latest moves in the list of moves.
const MOST_MADE: usize = 40;
/// After this many wins in a row, the board suggests the next opponent.
const WINS_IN_A_ROW: usize = 2;

#[derive(Template)]
#[template(path = "board.html")]
pub(super) struct Board {
    pub id: String,
    pub seq: u64,
    pub key: String,
    /// Seconds until a browser without scripts reloads, if it's waiting for anything.
    pub refresh: Option<u32>,
    pub page_title: String,
    pub title: String,
    pub goal: String,
    pub number: Option<String>,
    pub lines: Vec<NamedLine>,
    pub players: Vec<Seated>,
    /// Rounds won by each player in this sitting, once one is over.
    pub score: Option<[usize; 2]>,
    /// The opponent's line at the start, and its seat.
    pub says: Option<(u8, &'static str)>,
    pub status: String,
    pub refused: String,
    pub watches: bool,
    /// Whether the visitor followed an invitation that is already taken.
    pub too_late: bool,
    /// Whether the seat moved from here to another device.
    pub has_moved: bool,
    /// The start card's text, if the round counts and hasn't begun.
    pub start_card: Option<&'static str>,
    /// Whether the player left the start card. The query string of the board records it.
    pub started: bool,
    /// Whether there's no undo and every move counts.
    pub counts: bool,
    /// The number of the player whose turn it is.
    pub turn: u8,
    /// Whether a move or an answer is due.
    pub is_called: bool,
    pub rows: usize,
    pub choices: Vec<Choice>,
    pub in_grid: bool,
    /// Whether a result is too long for half the width of a phone.
    pub is_long: bool,
    pub barred: Vec<(String, String)>,
    /// The bubbles of a player's first round, shown one after the other.
    pub tips: Vec<Tip>,
    pub advice: Vec<String>,
    pub actions: Vec<Action>,
    pub gives_up: bool,
    pub idea: Option<String>,
    pub ideas: String,
    pub invitation: Option<String>,
    pub only_here: bool,
    pub qr: String,
    pub rules: Vec<String>,
    /// The latest moves, newest first.
    pub made: Vec<Made>,
    /// The rule book's address, if it isn't a shipped one.
    pub book: Option<String>,
    pub over: Option<Over>,
    /// The previous round, if there was one.
    pub before: Option<usize>,
    pub also: Also,
}

/// A number line, with its owner's name if each player has a number.
pub(super) struct NamedLine {
    pub name: Option<String>,
    pub svg: String,
}

pub(super) struct Seated {
    pub number: u8,
    pub name: String,
    /// The face of a computer opponent.
    pub face: Option<String>,
    pub own_number: Option<String>,
    pub on_turn: bool,
    pub you: bool,
    /// Whether they have the board open; `None` if that doesn't matter.
    pub here: Option<bool>,
}

pub(super) struct Choice {
    pub written: String,
    pub label: String,
    pub leads_to: String,
    /// The owner of the number it changes, if not the mover.
    pub whose: Option<String>,
    pub left: Option<String>,
    pub reason: Option<String>,
    /// The key that chooses it.
    pub key: Option<String>,
    /// Whether it loses immediately. Shown only if hints are on.
    pub loses: bool,
}

/// A bubble in the first round, until it's done.
pub(super) struct Tip {
    /// Whether it's about a move, the ring or what lies past it.
    pub about: &'static str,
    pub said: &'static str,
}

/// A past move.
pub(super) struct Made {
    pub player: u8,
    pub who: String,
    pub written: String,
    pub to: String,
}

/// A button next to the moves. It keeps its place while disabled.
pub(super) struct Action {
    pub address: &'static str,
    pub label: &'static str,
    pub icon: &'static str,
    pub works: bool,
}

impl Action {
    /// Whether it answers the opponent, so it has to be seen.
    pub fn answers(&self) -> bool {
        self.icon.is_empty()
    }
}

/// The end of a round, and what to do then.
pub(super) struct Over {
    pub round: usize,
    pub winner: Option<u8>,
    /// Whether the viewer has reason to celebrate.
    pub won: bool,
    pub verdict: String,
    /// The computer opponent's face, and what it says.
    pub face: Option<String>,
    pub says: Option<(u8, &'static str)>,
    /// Whether the review may show the turning point.
    pub explains: bool,
    /// The label for the next-round button.
    pub rematch: Option<&'static str>,
    /// Whether the player may swap seats.
    pub swaps: bool,
    /// The seats that the two buttons give, if known.
    pub seats: Option<Seats>,
    pub another_target: bool,
    /// The next opponent to try, after wins in a row.
    pub next: Option<NextOpponent>,
}

/// A form that starts the same game against the next opponent of the ladder.
pub(super) struct NextOpponent {
    pub id: String,
    pub name: &'static str,
    pub face: String,
    /// The fields that name the game and its settings.
    pub fields: Vec<(&'static str, String)>,
}

/// The seat labels of the two buttons for the next round against a computer.
pub(super) struct Seats {
    pub again: &'static str,
    pub other: &'static str,
    /// The second button's label.
    pub label: &'static str,
}

impl Seats {
    pub fn for_rematch(own: Player, last_first: Player, next_first: Player) -> Seats {
        let goes = |first: Player| if own == first { "you go first" } else { "you go second" };
        let label = if next_first == last_first { "Swap seats" } else { "Same seats" };
        Seats { again: goes(next_first), other: goes(!next_first), label }
    }
}

/// The line above a board.
pub(super) fn goal(room: &Room, length: Option<u32>, out_of_reach: Option<&str>) -> String {
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

/// A board without what only the server knows.
pub(super) fn board(
    id: SittingId,
    seen: &BoardView<'_>,
    here: ByPlayer<bool>,
    goal: String,
    view: View,
) -> Board {
    let BoardView { room, seats, .. } = seen;
    let sitting = room.sitting();
    let (round, rulebook) = (sitting.round(), sitting.rulebook());
    let (turn, table) = (seen.turn(), &seen.table);
    let is_over = room.is_over();
    let player = |player: Player| Seated {
        number: player.number(),
        name: table.players[player].name.clone(),
        face: table.players[player].computer.map(|opponent| face::face(opponent, mood(table, player))),
        own_number: table.shared_number().is_none().then(|| table.players[player].number.to_string()),
        on_turn: !is_over && turn == player,
        // A player named "You" needs no mark.
        you: table.players[player].is_viewer && !table.is_against_computer(),
        here: (!seats.contains(&player) && room.is_person_here(player)).then_some(here[player]),
    };
    let choices = choices(table);
    let in_grid = choices.len() > MOST_BUTTONS;
    let whose = |line: picture::Line| NamedLine {
        name: line.owner.map(|owner| table.players[owner].name.clone()),
        svg: line.svg,
    };
    let is_fresh = round.history().is_empty() && !seen.waits();
    Board {
        id: id.to_string(),
        seq: room.seq(),
        key: Secret::random().reveal().chars().take(20).collect(),
        refresh: seen.looks_again(),
        page_title: seen.title(),
        title: rulebook.title().to_owned(),
        goal,
        number: table.shared_number().map(|number| number.to_string()),
        lines: picture::lines(round, &table.moves).into_iter().map(whose).collect(),
        players: Player::BOTH.map(player).into(),
        score: score(room),
        says: if is_fresh { says(table, Moment::Start) } else { None },
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
        rows: if is_over || seen.waits() { 0 } else { choices.len().div_ceil(2).clamp(1, MOST_BUTTONS / 2) },
        barred: if in_grid { barred(&choices) } else { vec![] },
        tips: if seen.may_move() { tips(table) } else { vec![] },
        is_long: choices.iter().any(|choice| choice.leads_to.len() > LONGEST_RESULT),
        choices: if seen.may_move() { choices } else { vec![] },
        in_grid,
        advice: vec![],
        actions: actions(seen),
        gives_up: !is_over && !seen.waits() && !seats.is_empty(),
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
        made: made(table),
        book: room.book().map(str::to_owned),
        over: table.end().map(|end| {
            let winner = end.outcome.winner;
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
            let computer = Player::BOTH.into_iter().find(|player| table.players[*player].computer.is_some());
            let face = computer
                .and_then(|player| Some(face::face(table.players[player].computer?, mood(table, player))));
            let moment = if winner == computer { Moment::Won } else { Moment::Lost };
            Over {
                round: room.round_number(),
                winner: winner.map(Player::number),
                won: end.is_win,
                verdict: end.verdict.clone(),
                face,
                says: winner.and_then(|_| says(table, moment)),
                explains: !view.hides(spoton::discovery::Spoiler::TurningPoint),
                rematch: rematch.then_some(again),
                swaps,
                seats: None,
                another_target,
                next: next_opponent(seen),
            }
        }),
        before: room.round_number().checked_sub(1).filter(|before| *before > 0),
        also: Also::default(),
    }
}

/// How a computer opponent feels.
fn mood(table: &TableView<'_>, player: Player) -> Mood {
    match table.end() {
        Some(end) if end.outcome.winner == Some(player) => Mood::Pleased,
        Some(end) if end.outcome.winner.is_some() => Mood::Beaten,
        None if table.players[player].on_turn => Mood::Thinking,
        _ => Mood::Waiting,
    }
}

/// The line of the only computer at a table, with its seat.
fn says(table: &TableView<'_>, moment: Moment) -> Option<(u8, &'static str)> {
    let computer = |player: Player| table.players[player].computer.map(|opponent| (player, opponent));
    let [one, two] = Player::BOTH.map(computer);
    let (player, opponent) = one.xor(two)?;
    Some((player.number(), face::says(opponent, moment)?))
}

/// The rounds won by each player in this sitting.
fn score(room: &Room) -> Option<[usize; 2]> {
    let won = |player: Player| {
        room.rounds().iter().filter(|record| record.result == RoundResult::Won(player)).count()
    };
    (!room.rounds().is_empty()).then(|| Player::BOTH.map(won))
}

/// The bubbles of a first round. They are about the ring, so a game without one has only the first.
fn tips(table: &TableView<'_>) -> Vec<Tip> {
    let rulebook = table.rulebook();
    let mut tips = vec![Tip { about: "move", said: "Tap a move." }];
    if rulebook.target().is_none() {
        return tips;
    }
    let said = match rulebook.reach() {
        Reach::Wins => "Land exactly on the ring to win.",
        Reach::Loses => "Land on the ring and you lose.",
    };
    tips.push(Tip { about: "ring", said });
    match rulebook.past() {
        Past::Loses => tips.push(Tip { about: "past", said: "Go past it and you lose." }),
        Past::Wins => tips.push(Tip { about: "past", said: "Going past it wins, too." }),
        Past::Forbidden => {}
    }
    tips
}

/// The latest moves, newest first.
fn made(table: &TableView<'_>) -> Vec<Made> {
    let rulebook = table.rulebook();
    let row = |made: spoton::view::Made<'_>| Made {
        player: made.player().number(),
        who: table.players[made.player()].name.clone(),
        written: match made.is_skip() {
            true => "skipped".to_owned(),
            false => named(rulebook, &made.written()).replace(['“', '”'], ""),
        },
        to: made.to().to_string(),
    };
    table.history().rev().take(MOST_MADE).map(row).collect()
}

/// The next opponent of the ladder, after wins in a row.
fn next_opponent(seen: &BoardView<'_>) -> Option<NextOpponent> {
    let (room, you) = (seen.room, seen.you()?);
    let setup = room.sitting().setup();
    let opponent = setup.computers[!you]?;
    let rounds = room.rounds();
    let won = rounds.iter().rev().take(WINS_IN_A_ROW).filter(|record| record.result == RoundResult::Won(you));
    if won.count() < WINS_IN_A_ROW || setup.today.is_some() || setup.aside || setup.tried_out {
        return None;
    }
    let next = Opponent::for_people().skip_while(|other| *other != opponent).nth(1)?;
    let mut fields = match room.book() {
        Some(short) => vec![("book", short.to_owned())],
        None => vec![("game", setup.game.id().to_owned())],
    };
    fields.extend(setup.game.variant.clone().map(|variant| ("variant", variant)));
    for setting in &setup.game.settings {
        match setting {
            Setting::Target(target) => fields.push(("target", target.clone())),
            // The form has no field for it.
            Setting::Set(_) => return None,
        }
    }
    let goes_first = room.sitting().round().first() == you;
    fields.push(("first", if goes_first { "1" } else { "2" }.to_owned()));
    fields.extend(setup.help.discover.then(|| ("discover", "on".to_owned())));
    fields.extend((!setup.undo).then(|| ("no_take_back", "on".to_owned())));
    let face = face::face(next, Mood::Waiting);
    Some(NextOpponent { id: next.to_string(), name: next.title(), face, fields })
}

/// The moves of the player to move as buttons.
fn choices(table: &TableView<'_>) -> Vec<Choice> {
    let in_grid = table.moves.len() > MOST_BUTTONS;
    let round = table.round();
    let mover = round.position().turn();
    let may_warn = table.requests.hint.is_ok();
    let loses = |a_move: &MoveView| {
        let a_move = a_move.choice.map(spoton::engine::play::Move::Operation);
        let end = a_move.and_then(|a_move| round.rulebook().ends_at_once(round.position(), a_move));
        end.is_some_and(|end| end.winner == Some(!mover))
    };
    let choice = |a_move: &MoveView| Choice {
        label: if in_grid { a_move.written.clone() } else { spoken(&a_move.label).to_owned() },
        leads_to: a_move.to.as_ref().map(i128::to_string).unwrap_or_default(),
        whose: (a_move.owner != mover).then(|| table.players[a_move.owner].name.clone()),
        left: a_move.left.clone().filter(|_| a_move.is_legal()),
        reason: a_move.reason().map(str::to_owned),
        key: Some(a_move.key.clone()).filter(|key| matches!(key.as_bytes(), [b'1'..=b'9'])),
        loses: may_warn && a_move.overshoots && loses(a_move),
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
    let mut add = |address, label, icon, works| actions.push(Action { address, label, icon, works });
    if let Some(offer) = seen.offer_to_answer() {
        match offer {
            Offer::TakeBack => add("take-back", "Allow undo", "", true),
            Offer::Rematch => add("rematch", "Accept rematch", "", true),
            Offer::AnotherTarget => add("another-target", "Accept new target", "", true),
        }
        add("decline", "Decline", "", true);
    }
    if seats.is_empty() || room.is_over() || seen.waits() {
        return actions;
    }
    let sitting = room.sitting();
    // The buttons keep their places while it's the opponent's turn.
    if matches!(seen.table.requests.hint, Ok(()) | Err(WhyNot::NotYourTurn)) {
        let is_next = sitting.hints_told() > 0 && seen.may_move();
        add("hint", if is_next { "Another hint" } else { "Hint" }, icon::HINT, seen.may_move());
        add("why", "Why?", icon::ASK, seen.may_move());
    }
    if sitting.setup().undo && !matches!(seen.offer_to_answer(), Some(Offer::TakeBack)) {
        let label = if seen.decides_alone() { "Undo" } else { "Ask to undo" };
        add("take-back", label, icon::UNDO, room.offer().is_none() && seen.may_take_back());
    }
    if seen.may_close() {
        add("abandon", "Close round", "", true);
    }
    actions
}
