//! How much a choice matters.

use crate::engine::position::Position;
use crate::format::Rulebook;
use crate::solver::{MoveVerdict, Value};

/// Whether a choice matters.
pub(crate) struct Weight {
    /// The legal moves have different values.
    pub(crate) decision: bool,
    /// The best move isn't obvious: no move wins immediately, and some worse move doesn't lose immediately.
    pub(crate) subtle: bool,
}

/// Weighs a choice by its legal moves' values.
pub(crate) fn weigh(rulebook: &Rulebook, position: &Position, moves: &[MoveVerdict]) -> Weight {
    let at_once = |judged: &MoveVerdict| {
        let outcome = rulebook.ends_at_once(position, judged.a_move);
        outcome.map(|outcome| Value::from_outcome(outcome, position.turn()))
    };
    Weight::weigh(moves, |judged| judged.verdict.value, at_once)
}

impl Weight {
    /// Weighs moves of any type by their values and, if they end the round immediately, by how they end it.
    pub(crate) fn weigh<T>(
        moves: &[T],
        worth: impl Fn(&T) -> Value,
        at_once: impl Fn(&T) -> Option<Value>,
    ) -> Weight {
        let best = moves.iter().map(&worth).max();
        let mut worse = moves.iter().filter(|one| Some(worth(one)) != best).peekable();
        let decision = worse.peek().is_some();
        let wins_at_once = || moves.iter().any(|one| at_once(one) == Some(Value::Win));
        let subtle = decision && !wins_at_once() && worse.any(|one| at_once(one) != Some(Value::Loss));
        Weight { decision, subtle }
    }
}
