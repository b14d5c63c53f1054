//! Finds rules that never matter: every round would go the same way without them.
//!
//! A rule matters if it bars a move in a reachable position, including the last one, or changes how a round ends. It
//! still matters if another rule bars the same move, or another entry allows it. An inexact division isn't a move.

use crate::engine::play::{Ending, Move, Refusal, Step};
use crate::engine::position::{EntryIndex, Player, Position};
use crate::engine::written::Written;
use crate::format::{NoRepeat, Rulebook};
use crate::solved::lines::{Lines, Next};

/// A rule that never fires in any line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NeverFires {
    /// No move ever lands on the target.
    Target,
    /// No move goes past the target, and none is barred for that reason.
    Past,
    /// No player is ever stuck.
    Stuck,
    /// The repetition ban never bars a move.
    NoRepeat,
    /// The pass limit never bars a move.
    Passes,
    /// The turns never run out.
    Turns,
    /// No move lands on a number in `winning`.
    Winning,
    /// No move lands on a number in `losing`.
    Losing,
    /// No move is barred for landing on a number in `forbidden`.
    Forbidden,
    /// No move is ever made through this entry.
    Move(EntryIndex),
    /// The use limit of this entry never bars a move.
    Uses(EntryIndex),
}

impl NeverFires {
    /// Its key in the format.
    pub fn key(self) -> &'static str {
        match self {
            NeverFires::Target => "target",
            NeverFires::Past => "past",
            NeverFires::Stuck => "stuck",
            NeverFires::NoRepeat => "no_repeat",
            NeverFires::Passes => "passes",
            NeverFires::Turns => "turns",
            NeverFires::Winning => "winning",
            NeverFires::Losing => "losing",
            NeverFires::Forbidden => "forbidden",
            NeverFires::Move(_) => "moves",
            NeverFires::Uses(_) => "uses",
        }
    }

    /// The entry of `moves` it's about, if any.
    pub fn entry(self) -> Option<EntryIndex> {
        match self {
            NeverFires::Move(entry) | NeverFires::Uses(entry) => Some(entry),
            _ => None,
        }
    }
}

/// All of a book's rules that never fire, in the order of the format's keys.
pub(crate) fn find(lines: &Lines) -> Vec<NeverFires> {
    let rulebook = lines.rulebook();
    // Starts with every rule in the book and removes those that fire.
    let mut quiet: Vec<NeverFires> = Vec::new();
    let target = rulebook.target().is_some();
    for (said, rule) in [
        (target, NeverFires::Target),
        (target, NeverFires::Past),
        (true, NeverFires::Stuck),
        (rulebook.no_repeat() != NoRepeat::None, NeverFires::NoRepeat),
        (rulebook.passes().is_some(), NeverFires::Passes),
        (rulebook.turns().is_some(), NeverFires::Turns),
        (!rulebook.winning().is_empty(), NeverFires::Winning),
        (!rulebook.losing().is_empty(), NeverFires::Losing),
        (!rulebook.forbidden().is_empty(), NeverFires::Forbidden),
    ] {
        quiet.extend(said.then_some(rule));
    }
    for (index, entry) in rulebook.entries() {
        quiet.push(NeverFires::Move(index));
        quiet.extend(entry.uses.is_some().then_some(NeverFires::Uses(index)));
    }
    let mut fires = |rule: NeverFires| quiet.retain(|quiet| *quiet != rule);
    if lines.over_at_once().is_some() {
        let opening = rulebook.opening(Player::One);
        fires(NeverFires::Stuck);
        bars_at_the_end(rulebook, &opening, &mut fires);
    }
    for index in lines.indices() {
        let position = lines.position(index);
        bars(rulebook, &position, &mut fires);
        allows(rulebook, &position, &mut fires);
        for way in lines.ways(index) {
            let is_skip = way.a_move == Move::Skip;
            if is_skip {
                fires(NeverFires::Stuck);
                // The turn is skipped because the opponent has these moves, even if it was the last turn and they are
                // never made.
                allows(rulebook, &rulebook.with_turn_over(&position), &mut fires);
            }
            match rulebook.play(&position, way.a_move) {
                Ok(Step::Over { .. }) if is_skip => fires(NeverFires::Turns),
                Ok(Step::On(last)) if matches!(way.next, Next::Over(_)) => {
                    fires(NeverFires::Stuck);
                    bars_at_the_end(rulebook, &last, &mut fires);
                }
                _ => {}
            }
        }
    }
    quiet
}

/// Reports the entries that give the player to move a move, and the rules that end the round.
fn allows(rulebook: &Rulebook, position: &Position, fires: &mut impl FnMut(NeverFires)) {
    for choice in rulebook.legal(position) {
        if let Some(entry) = rulebook.entry_of(position, choice) {
            fires(NeverFires::Move(entry));
        }
        let a_move = Move::Operation(choice);
        let Ok(Step::Over { outcome, .. }) = rulebook.play(position, a_move) else { continue };
        match outcome.ending {
            Ending::Reached => fires(NeverFires::Target),
            Ending::Overshot => fires(NeverFires::Past),
            Ending::Turns => fires(NeverFires::Turns),
            Ending::Landed => {
                let wins = outcome.winner == Some(rulebook.owner(position, a_move));
                fires(if wins { NeverFires::Winning } else { NeverFires::Losing });
            }
            _ => {}
        }
    }
}

/// Reports the rules that bar the player to move from making a move.
fn bars(rulebook: &Rulebook, position: &Position, fires: &mut impl FnMut(NeverFires)) {
    for (index, entry) in rulebook.entries() {
        let number = position.number_of(entry.owner(position.turn()));
        for operation in entry.operations_at(number) {
            let Some(choice) = rulebook.choice(Written { operation, on: entry.on }) else { continue };
            // An inexact division isn't a move, so no rule can bar it.
            if operation.apply(number).is_none() {
                continue;
            }
            for why in rulebook.barred_by(position, choice, index, operation) {
                match why {
                    Refusal::UsedUp { .. } => fires(NeverFires::Uses(index)),
                    Refusal::RepeatsOwn | Refusal::RepeatsOpponent => fires(NeverFires::NoRepeat),
                    Refusal::Forbidden { .. } => fires(NeverFires::Forbidden),
                    Refusal::PastTarget { .. } => fires(NeverFires::Past),
                    Refusal::NoPassLeft { .. } => fires(NeverFires::Passes),
                    _ => {}
                }
            }
        }
    }
}

/// The same in a position where the round ends because a player is stuck. If the round only ends when both are stuck,
/// the rules that bar the opponent's moves also count.
fn bars_at_the_end(rulebook: &Rulebook, last: &Position, fires: &mut impl FnMut(NeverFires)) {
    bars(rulebook, last, fires);
    if rulebook.may_skip() {
        bars(rulebook, &rulebook.with_turn_over(last), fires);
    }
}
