//! The next puzzle.

use serde::Serialize;

use super::About;
use crate::teach::puzzle::Served;

/// A puzzle without its solution: the moves that lead to it and the choices there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Puzzle {
    /// The game.
    #[serde(flatten)]
    pub about: About,
    /// The puzzle's id.
    pub puzzle: String,
    /// The moves that lead to it.
    pub moves: Vec<String>,
    /// Its position as text.
    pub position: String,
    /// The probability that the careful guesser solves it.
    pub grade: f64,
    /// The day it was last missed.
    pub missed: Option<String>,
    /// The legal moves.
    pub legal: Vec<String>,
}

/// A puzzle without its solution.
pub fn puzzle(served: &Served) -> Puzzle {
    let (rulebook, round) = (served.rulebook(), served.begin());
    let legal = rulebook.situation(round.position()).moves().map(|a_move| rulebook.write(a_move));
    Puzzle {
        about: About::new(&served.game, rulebook),
        puzzle: served.id.to_string(),
        moves: round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect(),
        position: rulebook.position_text(round.position()),
        grade: served.grade(),
        missed: served.missed.map(|day| day.to_string()),
        legal: legal.collect(),
    }
}

/// The reason there is no next puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoPuzzle {
    /// Always `null`.
    pub puzzle: (),
    /// The reason as a sentence.
    pub reason: String,
}

/// The reason there is no next puzzle.
pub fn no_puzzle(why: &str) -> NoPuzzle {
    NoPuzzle { puzzle: (), reason: why.to_owned() }
}
