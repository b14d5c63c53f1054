//! Code that several opponents share: a turn, and the moves that a look one move ahead finds.

use super::Chances;
use crate::engine::choices::Choices;
use crate::engine::play::Move;
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solved::careful::Careful;
use crate::solver::{MoveVerdict, Solver, Value};

/// A turn at which an opponent chooses.
pub(super) struct Turn<'a> {
    pub rulebook: &'a Rulebook,
    pub position: &'a Position,
    /// The legal moves. There's at least one.
    pub legal: Choices<'a>,
    /// The round with its history, if it's known.
    pub round: Option<&'a Round>,
    /// The solution, if there is one.
    pub solver: Option<&'a Solver>,
    /// Computes the verdict of every move, best first, if there is a solution.
    pub verdicts: &'a dyn Fn() -> Option<Vec<MoveVerdict>>,
}

impl Turn<'_> {
    /// The moves of a player who looks one move ahead.
    pub fn careful(&self) -> Chances {
        Chances::evenly(careful(self.rulebook, self.position, self.legal))
    }
}

/// The result for the mover if a move ends the round immediately.
pub(super) fn ends(rulebook: &Rulebook, position: &Position, choice: Choice) -> Option<Value> {
    let outcome = rulebook.ends_at_once(position, Move::Operation(choice))?;
    Some(Value::from_outcome(outcome, position.turn()))
}

/// The moves that win immediately.
pub(super) fn winning<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    legal.only(|choice| ends(rulebook, position, choice) == Some(Value::Win))
}

pub(super) fn careful<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let careful = Careful::among(legal.iter().map(|choice| ends(rulebook, position, choice)));
    legal.only(|choice| careful.picks(ends(rulebook, position, choice)))
}

/// The best choices in a sorted list (best first, ties in rule-book order).
pub(super) fn best_of(verdicts: &[MoveVerdict]) -> impl Iterator<Item = Choice> {
    let best = verdicts.first().map(|judged| judged.verdict);
    let choices = verdicts.iter().filter(move |judged| Some(judged.verdict) == best);
    choices.filter_map(|judged| judged.a_move.choice())
}
