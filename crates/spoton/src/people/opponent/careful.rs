//! The careful guesser: wins at once if that can be done, else does not lose at once, and guesses beyond that.

use crate::solver::Value;

/// Among which moves the careful guesser picks in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Careful {
    /// Those that win at once.
    Winning,
    /// Those that do not lose at once.
    NotLosing,
    /// All of them: all lose at once.
    Any,
}

impl Careful {
    /// Looks at every move of a position: how it ends the round at once, if it does.
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

    /// Whether a move is one of them.
    pub(crate) fn picks(self, at_once: Option<Value>) -> bool {
        match self {
            Careful::Winning => at_once == Some(Value::Win),
            Careful::NotLosing => at_once != Some(Value::Loss),
            Careful::Any => true,
        }
    }
}
