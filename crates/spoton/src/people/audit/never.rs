//! Rules of a book that never make a difference: they could be left out, or were meant otherwise.

use super::lines::Lines;
use crate::engine::play::{Ending, Move, Refusal};
use crate::engine::position::{EntryIndex, Player};
use crate::format::NoRepeat;

/// A rule that never fires, whatever anybody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NeverFires {
    /// No move ever lands on the target.
    Target,
    /// No move goes past the target, or would.
    Past,
    /// Nobody is ever without a legal move.
    Stuck,
    /// The ban on repeating a move never forbids one.
    NoRepeat,
    /// Nobody ever runs out of passes.
    Passes,
    /// The turns never run out.
    Turns,
    /// No move lands on a number of `winning`.
    Winning,
    /// No move lands on a number of `losing`.
    Losing,
    /// No move would land on a number of `forbidden`.
    Forbidden,
    /// This move is never legal.
    Move(EntryIndex),
    /// Nobody ever uses this move up.
    Uses(EntryIndex),
}

impl NeverFires {
    /// The key of the format that it is about.
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

    /// The entry of `moves` that it is about, if it is about one.
    pub fn entry(self) -> Option<EntryIndex> {
        match self {
            NeverFires::Move(entry) | NeverFires::Uses(entry) => Some(entry),
            _ => None,
        }
    }
}

/// All rules of a book that never fire, in the order of the format's keys.
pub(crate) fn find(lines: &Lines) -> Vec<NeverFires> {
    let rulebook = lines.rulebook();
    // What the book says at all; what is left of it after every line has been looked at never fires.
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
        fires(NeverFires::Stuck);
    }
    for index in lines.indices() {
        let position = lines.position(index);
        for offer in rulebook.offers(&position) {
            match offer.result {
                Ok(_) => fires(NeverFires::Move(offer.entry)),
                Err(Refusal::RepeatsOwn | Refusal::RepeatsOpponent) => fires(NeverFires::NoRepeat),
                Err(Refusal::Forbidden { .. }) => fires(NeverFires::Forbidden),
                Err(Refusal::PastTarget { .. }) => fires(NeverFires::Past),
                Err(_) => {}
            }
        }
        for player in Player::BOTH {
            if rulebook.passes().is_some_and(|limit| position.passes_of(player) >= limit) {
                fires(NeverFires::Passes);
            }
            for (index, entry) in rulebook.entries() {
                if entry.uses.is_some_and(|uses| position.uses_of(player, index) >= uses.limit) {
                    fires(NeverFires::Uses(index));
                }
            }
        }
        for way in lines.ways(index) {
            if way.a_move == Move::Skip {
                fires(NeverFires::Stuck);
            }
            let Some(outcome) = rulebook.ends_at_once(&position, way.a_move) else { continue };
            match outcome.ending {
                Ending::Reached => fires(NeverFires::Target),
                Ending::Overshot => fires(NeverFires::Past),
                Ending::Stuck | Ending::Closest => fires(NeverFires::Stuck),
                Ending::Turns => fires(NeverFires::Turns),
                Ending::Landed => {
                    let wins = outcome.winner == Some(rulebook.owner(&position, way.a_move));
                    fires(if wins { NeverFires::Winning } else { NeverFires::Losing });
                }
                _ => {}
            }
        }
    }
    quiet
}
