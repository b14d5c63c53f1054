//! The careful guesser: takes an immediate win, otherwise avoids an immediate loss, otherwise guesses.

use crate::solver::Value;

/// The moves a careful guesser chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Careful {
    /// Moves that win immediately.
    Winning,
    /// Moves that don't lose immediately.
    NotLosing,
    /// All moves: they all lose immediately.
    Any,
}

impl Careful {
    /// Classifies a position's moves by how they end the round, if they do.
    pub(crate) fn among(moves: impl Iterator<Item = Option<Value>>) -> Careful {
        let mut careful = Careful::Any;
        for at_once in moves {
            match at_once {
                Some(Value::Win) => return Careful::Winning,
                Some(Value::Loss) => {}
                Some(Value::Draw) | None => careful = Careful::NotLosing,
            }
        }
        careful
    }

    /// Whether they include a move.
    pub(crate) fn picks(self, at_once: Option<Value>) -> bool {
        match self {
            Careful::Winning => at_once == Some(Value::Win),
            Careful::NotLosing => at_once != Some(Value::Loss),
            Careful::Any => true,
        }
    }
}
