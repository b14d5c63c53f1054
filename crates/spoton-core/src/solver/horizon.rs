//! Depth-limited search: looks a few moves ahead instead of solving the game.
//!
//! Its proofs are exact, including the remoteness. For everything unproven it returns `None`. Results are
//! cached, so searching one move deeper costs little more than that move.
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

/// The search state of a game.
pub struct Horizon {
    rulebook: Arc<Rulebook>,
    positions: Interner,
    /// The results for each position, by index.
    known: Vec<Known>,
}

#[derive(Clone, Copy, Default)]
struct Known {
    /// The searched depth.
    moves: u8,
    /// The proven verdict, if any.
    verdict: Option<Verdict>,
}

/// A move and its proven verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The move.
    pub a_move: Move,
    /// The verdict for the player who makes the move; `None` if this depth doesn't prove one.
    pub verdict: Option<Verdict>,
}

/// The best verdict of the proven moves; `None` if an unproven move may be better.
pub fn best_seen(moves: &[Seen]) -> Option<Verdict> {
    let wins = moves.iter().filter_map(|seen| seen.verdict).filter(|verdict| verdict.value == Value::Win);
    let all = || moves.iter().map(|seen| seen.verdict).collect::<Option<Vec<Verdict>>>();
    wins.max().or_else(|| all()?.into_iter().max())
}

/// Bytes per position in the tables, with spare capacity.
const BYTES_EACH: u64 = 2 * (size_of::<Position>() + 16 + size_of::<Known>()) as u64;
/// Positions per call to the budget.
const PATIENCE: u64 = 256;

impl Horizon {
    /// A fresh search.
    pub fn new(rulebook: Arc<Rulebook>) -> Horizon {
        Horizon { rulebook, positions: Interner::default(), known: Vec::new() }
    }

    /// The searched game.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// All legal moves from a position, with what a search of `moves` moves (including this one) proves:
    /// quickest wins first, then unproven moves and draws, then losses, slowest first. Empty if the round is
    /// over.
    ///
    /// # Errors
    ///
    /// If it exceeds the budget, or the caller stops it. Results found so far stay cached.
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
            Ok(Step::Over { outcome, .. }) => {
                Ok(Some(Verdict::new(Value::from_outcome(outcome, position.turn()), 1)))
            }
            Ok(Step::On(next)) => Ok(self.of_position(&next, moves - 1, budget)?.map(Verdict::before_move)),
            // Only legal moves are searched.
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
            return Ok(over.map(|outcome| Verdict::new(Value::from_outcome(outcome, position.turn()), 0)));
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
            // A proof from a deeper search only counts if it ends within this depth, because another move may
            // be quicker.
            let is_near = |verdict: &Verdict| verdict.remoteness().is_none_or(|end| end <= moves.into());
            return Ok(known.verdict.filter(is_near));
        }
        let rulebook = Arc::clone(&self.rulebook);
        let verdict = match rulebook.situation(position) {
            Situation::Over(outcome) => Some(Verdict::new(Value::from_outcome(outcome, position.turn()), 0)),
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
