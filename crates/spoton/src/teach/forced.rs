//! Forced endings: neither player has a choice left, except to lose immediately.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::Draft;
//! use spoton::teach::forced::{self, ForcedEnd};
//! use spoton::words::coach;
//!
//! let text = "title = 'Steps'\nstart = 0\ntarget = 5\nmoves = ['+1', '+9']";
//! let round = Round::new(Arc::new(Draft::read("steps.toml", text).build()?), Player::One);
//! let ForcedEnd::Line(line) = forced::end_of(&round) else { panic!("+9 loses immediately") };
//! assert_eq!(line.len(), 5);
//! assert_eq!(coach::announcement(&round, &line).as_deref(), Some("From here it's +1 all the way"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::play::{Move, Situation};
use crate::engine::position::Choice;
use crate::engine::round::Round;

/// The longest line to offer, in moves.
const LONGEST: usize = 10_000;

/// Whether a round can be played out automatically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcedEnd {
    /// These moves: every alternative loses immediately.
    Line(Vec<Move>),
    /// Some choice is left.
    ChoicesLeft,
    /// No choice is left, but the round takes too long or never ends.
    TooLong,
}

/// The moves to the end, if every remaining position has at most one move that doesn't lose immediately.
pub fn end_of(round: &Round) -> ForcedEnd {
    let mut ahead = round.clone();
    let mut line = Vec::new();
    while line.len() < LONGEST {
        let a_move = match ahead.situation() {
            Situation::Over(_) => return ForcedEnd::Line(line),
            Situation::Skip => Move::Skip,
            Situation::Choose(choices) => {
                let mut sound = choices.iter().filter(|choice| !loses_at_once(&ahead, *choice));
                match (sound.next(), sound.next(), choices.get(0)) {
                    (Some(_), Some(_), _) => return ForcedEnd::ChoicesLeft,
                    (Some(only), None, _) => Move::Operation(only),
                    // All moves lose immediately, so any will do.
                    (None, _, Some(any)) => Move::Operation(any),
                    (None, _, None) => return ForcedEnd::ChoicesLeft,
                }
            }
        };
        if ahead.play(a_move).is_err() {
            return ForcedEnd::ChoicesLeft;
        }
        line.push(a_move);
    }
    ForcedEnd::TooLong
}

/// The house rule only causes draws, so the game's own rules decide.
fn loses_at_once(round: &Round, choice: Choice) -> bool {
    let outcome = round.rulebook().ends_at_once(round.position(), Move::Operation(choice));
    outcome.is_some_and(|outcome| outcome.winner == Some(!round.position().turn()))
}
