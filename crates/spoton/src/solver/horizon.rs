//! What so many moves show: looking ahead a few moves instead of solving the game.
//!
//! What it proves is exact, its remoteness included; about the rest it says nothing. Whatever was seen is remembered, so
//! that looking one move further costs little more than that move.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::solver::{Budget, Horizon, Value};
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let (mut horizon, budget) = (Horizon::new(Arc::clone(&race)), &mut Budget::patient(1 << 20));
//! let (far, near) = (race.read_position("1;1")?, race.read_position("21;1")?);
//! assert!(horizon.moves(&far, 2, budget)?.iter().all(|seen| seen.verdict.is_none()));
//! let best = horizon.moves(&near, 2, budget)?[0];
//! assert_eq!((race.write(best.a_move), best.verdict.unwrap().value), ("+2".to_owned(), Value::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Reverse;
use std::sync::Arc;

use super::{Budget, Interner, Unsolved, Value, Verdict};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::Position;
use crate::format::Rulebook;

/// A game as far as it was looked at.
pub struct Horizon {
    rulebook: Arc<Rulebook>,
    positions: Interner,
    /// What is known of each position, by its number.
    known: Vec<Known>,
}

#[derive(Clone, Copy, Default)]
struct Known {
    /// How many moves were looked at from there.
    moves: u8,
    /// What they prove.
    verdict: Option<Verdict>,
}

/// A move, and what is proved of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The move.
    pub a_move: Move,
    /// What it is worth to the player who makes it; `None` if so few moves do not show that.
    pub verdict: Option<Verdict>,
}

/// The best that some moves are proved to be worth; `None` if a better one may lie beyond.
pub fn best_seen(moves: &[Seen]) -> Option<Verdict> {
    let wins = moves.iter().filter_map(|seen| seen.verdict).filter(|verdict| verdict.value == Value::Win);
    let all = || moves.iter().map(|seen| seen.verdict).collect::<Option<Vec<Verdict>>>();
    wins.max().or_else(|| all()?.into_iter().max())
}

/// Bytes for a position in the tables, with room for growing.
const BYTES_EACH: u64 = 2 * (size_of::<Position>() + 16 + size_of::<Known>()) as u64;
/// How many positions are looked at between two questions whether to go on.
const PATIENCE: u64 = 256;

impl Horizon {
    /// A game that was not looked at yet.
    pub fn new(rulebook: Arc<Rulebook>) -> Horizon {
        Horizon { rulebook, positions: Interner::new(), known: Vec::new() }
    }

    /// The game that is looked at.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// Every legal move from a position and what so many moves, itself included, prove of it: quickest wins first, then
    /// what is open or drawn, then losses, the slowest first. An empty list if the round is over there.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on. What was found by then stays known.
    pub fn moves(
        &mut self,
        position: &Position,
        moves: u8,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Seen>, Unsolved> {
        let rulebook = Arc::clone(&self.rulebook);
        let mut seen = Vec::new();
        for a_move in rulebook.situation(position).moves() {
            let verdict = self.of_move(position, a_move, moves.max(1), budget)?;
            seen.push(Seen { a_move, verdict });
        }
        seen.sort_by_key(|seen| Reverse(seen.verdict.unwrap_or(Verdict::DRAW)));
        Ok(seen)
    }

    fn of_move(
        &mut self,
        position: &Position,
        a_move: Move,
        moves: u8,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Verdict>, Unsolved> {
        match self.rulebook.play(position, a_move) {
            Ok(Step::Over { outcome, .. }) => Ok(Some(Verdict::new(Value::of(outcome, position.turn()), 1))),
            Ok(Step::On(next)) => Ok(self.of_position(&next, moves - 1, budget)?.map(Verdict::before_move)),
            // Only legal moves are looked at.
            Err(_) => Ok(None),
        }
    }

    fn of_position(
        &mut self,
        position: &Position,
        moves: u8,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Verdict>, Unsolved> {
        if moves == 0 {
            let over = self.rulebook.over_at(position);
            return Ok(over.map(|outcome| Verdict::new(Value::of(outcome, position.turn()), 0)));
        }
        let place = self.positions.add(*position) as usize;
        if place == self.known.len() {
            self.known.push(Known::default());
            let many = self.known.len() as u64;
            budget.require(many, many.into(), BYTES_EACH)?;
            budget.ask(many, PATIENCE, None)?;
        }
        let known = self.known[place];
        if known.verdict.is_some() || known.moves >= moves {
            // What was proved further ahead counts only as far as this look goes: a quicker way may lie between.
            let is_near = |verdict: &Verdict| verdict.remoteness().is_none_or(|end| end <= moves.into());
            return Ok(known.verdict.filter(is_near));
        }
        let rulebook = Arc::clone(&self.rulebook);
        let verdict = match rulebook.situation(position) {
            Situation::Over(outcome) => Some(Verdict::new(Value::of(outcome, position.turn()), 0)),
            situation => {
                let mut seen = Vec::new();
                for a_move in situation.moves() {
                    let verdict = self.of_move(position, a_move, moves, budget)?;
                    seen.push(Seen { a_move, verdict });
                }
                best_seen(&seen)
            }
        };
        self.known[place] = Known { moves, verdict };
        Ok(verdict)
    }
}
