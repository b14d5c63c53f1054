//! The value of a position, and of every move from it.

use serde::Serialize;

use super::position::{Barred, Position, barred};
use super::{About, Outcome, Verdict};
use crate::engine::round::Round;
use crate::engine::{play, position};
use crate::format::{Game, Rulebook};
use crate::solver::Solver;

/// The value of a position for the player whose turn it is, and of each move. If the round is over, its outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Solution {
    /// A round that is over.
    Over {
        /// The game.
        #[serde(flatten)]
        about: About,
        /// How it ended.
        outcome: Outcome,
    },
    /// A position with a player to move.
    Open {
        /// The game.
        #[serde(flatten)]
        about: About,
        /// The position.
        position: Position,
        /// Its value.
        #[serde(flatten)]
        verdict: Verdict,
        /// The legal moves.
        moves: Vec<JudgedMove>,
        /// The moves that aren't legal now.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        barred: Vec<Barred>,
    },
}

/// A move and its value for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct JudgedMove {
    /// The move in notation.
    #[serde(rename = "move")]
    pub written: String,
    /// Its value.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A round's position, its value, and every move from it.
pub fn solution(game: &Game, solver: &Solver, round: &Round) -> Solution {
    match round.outcome() {
        Some(outcome) => outcome_of(game, round.rulebook(), outcome),
        None => verdict_of(game, solver, round.position()),
    }
}

/// The outcome of a round.
pub fn outcome_of(game: &Game, rulebook: &Rulebook, outcome: play::Outcome) -> Solution {
    Solution::Over { about: About::new(game, rulebook), outcome: outcome.into() }
}

/// An unfinished position's value, and every move from it.
pub fn verdict_of(game: &Game, solver: &Solver, at: &position::Position) -> Solution {
    let rulebook = solver.rulebook();
    let moves = solver.moves(at).into_iter().map(|judged| JudgedMove {
        written: rulebook.write(judged.a_move),
        verdict: Some(judged.verdict).into(),
    });
    Solution::Open {
        about: About::new(game, rulebook),
        position: super::position(rulebook, at),
        verdict: solver.verdict(at).into(),
        moves: moves.collect(),
        barred: barred(rulebook, at),
    }
}
