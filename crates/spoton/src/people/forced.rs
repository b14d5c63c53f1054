//! The end of a round that plays itself: nobody has a choice any more, except to lose at once.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::Draft;
//! use spoton::people::forced::{self, ForcedEnd};
//!
//! let text = "title = 'Steps'\nstart = 0\ntarget = 5\nmoves = ['+1', '+9']";
//! let round = Round::new(Arc::new(Draft::read("steps.toml", text).build()?), Player::One);
//! let ForcedEnd::Line(line) = forced::end_of(&round) else { panic!("whoever takes +9 loses at once") };
//! assert_eq!(line.len(), 5);
//! assert_eq!(forced::announcement(&round, &line).as_deref(), Some("From here it is +1 all the way"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::play::{Move, Situation};
use crate::engine::position::Choice;
use crate::engine::round::Round;

/// No line that is longer is offered to be played out.
const LONGEST: usize = 10_000;

/// How a round can be played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcedEnd {
    /// These moves, since nobody has any other but to lose at once.
    Line(Vec<Move>),
    /// Somebody still has a choice.
    ChoicesLeft,
    /// Nobody has, but it goes on for too long, or for ever.
    TooLong,
}

/// The moves to the end, if every position that can still come up leaves at most one move that does not lose at once.
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
                    // All of them lose at once, and none is better than another.
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

/// The house rule only ever draws, so the rules alone can tell.
fn loses_at_once(round: &Round, choice: Choice) -> bool {
    let outcome = round.rulebook().ends_at_once(round.position(), Move::Operation(choice));
    outcome.is_some_and(|outcome| outcome.winner == Some(!round.position().turn()))
}

/// What is said of such a line: `From here it is +1 all the way`. `None` if it is too short to matter.
pub fn announcement(round: &Round, line: &[Move]) -> Option<String> {
    let choices: Vec<Choice> = line.iter().filter_map(|a_move| a_move.choice()).collect();
    let first = *choices.first()?;
    if choices.len() < 2 {
        return None;
    }
    Some(match choices.iter().all(|choice| *choice == first) {
        true => format!("From here it is {} all the way", round.rulebook().write(Move::Operation(first))),
        false => "From here nobody has a choice any more".to_owned(),
    })
}
