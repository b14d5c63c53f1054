//! A cheap check that rejects most drafts long before they are solved.
//!
//! It solves positions depth first and counts the choices that aren't obvious as it goes. So a game with too many of
//! them is rejected after a few positions.

use super::Bounds;
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Player, Position};
use crate::format::Rulebook;
use crate::solved::weight::Weight;
use crate::solver::{Budget, Interner, Unsolved, Value, Verdict, as_seen};

/// Limits on positions and on the length of a line. Past either limit, the check proves nothing.
const MOST_POSITIONS: usize = 1 << 14;
const LONGEST_LINE: usize = 1 << 9;

/// Positions visited between two checks for cancellation.
const PATIENCE: u64 = 1 << 10;

/// Whether a draft certainly doesn't fit the bounds.
///
/// # Errors
///
/// If the caller cancels.
pub(super) fn rejects(
    rulebook: &Rulebook,
    bounds: &Bounds,
    budget: &mut Budget<'_>,
) -> Result<bool, Unsolved> {
    // Without an upper limit, this check takes about as long as the rest.
    if *bounds.subtle.end() == u64::MAX {
        return Ok(false);
    }
    let mut look =
        Look { rulebook, bounds, budget, positions: Interner::default(), known: vec![], subtle: 0 };
    let opening = rulebook.opening(Player::One);
    match look.at(opening, 0) {
        Ok(Known::Open(verdict)) => {
            Ok(!bounds.accepts_length(verdict) || !bounds.subtle.contains(&look.subtle))
        }
        Ok(_) => Ok(false),
        Err(Stop::Rejected) => Ok(true),
        Err(Stop::Unknown) => Ok(false),
        Err(Stop::Unsolved(why)) => Err(why),
    }
}

/// The known facts about a position.
#[derive(Clone, Copy)]
enum Known {
    /// It's on the line being followed.
    OnLine,
    /// The round is over, with this result for the player who would move.
    Over(Value),
    /// Solved.
    Open(Verdict),
}

/// Why the check ends early.
enum Stop {
    /// No such game is accepted.
    Rejected,
    /// The game is too large for this check.
    Unknown,
    Unsolved(Unsolved),
}

struct Look<'a, 'b, 'c> {
    rulebook: &'a Rulebook,
    bounds: &'a Bounds,
    budget: &'b mut Budget<'c>,
    positions: Interner,
    known: Vec<Known>,
    subtle: u64,
}

impl Look<'_, '_, '_> {
    /// Solves a position, given how many moves led to it.
    fn at(&mut self, position: Position, moves: usize) -> Result<Known, Stop> {
        let index = self.positions.add(as_seen(&position)) as usize;
        match self.known.get(index) {
            // A round that may never end.
            Some(Known::OnLine) => return Err(Stop::Rejected),
            Some(known) => return Ok(*known),
            None => self.known.push(Known::OnLine),
        }
        if index >= MOST_POSITIONS || moves >= LONGEST_LINE {
            return Err(Stop::Unknown);
        }
        self.budget.ask(index as u64, PATIENCE, None).map_err(Stop::Unsolved)?;
        let mut options: Vec<(Verdict, bool)> = Vec::with_capacity(8);
        for choice in self.rulebook.offered(&position) {
            if let Ok(step) = self.rulebook.play(&position, Move::Operation(choice)) {
                options.push(self.after(&position, step, moves)?);
            }
        }
        if options.is_empty() {
            match self.rulebook.situation(&position) {
                Situation::Over(outcome) => {
                    let over = Known::Over(Value::from_outcome(outcome, position.turn()));
                    self.known[index] = over;
                    return Ok(over);
                }
                situation => {
                    for a_move in situation.moves() {
                        if let Ok(step) = self.rulebook.play(&position, a_move) {
                            options.push(self.after(&position, step, moves)?);
                        }
                    }
                }
            }
        }
        let at_once = |(verdict, ends): &(Verdict, bool)| ends.then_some(verdict.value);
        self.subtle += u64::from(Weight::weigh(&options, |(verdict, _)| verdict.value, at_once).subtle);
        if self.subtle > *self.bounds.subtle.end() {
            return Err(Stop::Rejected);
        }
        let best = options.iter().map(|(verdict, _)| *verdict).max().ok_or(Stop::Unknown)?;
        self.known[index] = Known::Open(best);
        Ok(Known::Open(best))
    }

    /// The verdict of a move for the player who makes it, and whether it ends the round.
    fn after(&mut self, before: &Position, step: Step, moves: usize) -> Result<(Verdict, bool), Stop> {
        let value = match step {
            Step::Over { outcome, .. } => Value::from_outcome(outcome, before.turn()),
            Step::On(next) => match self.at(next, moves + 1)? {
                Known::Over(value) => !value,
                Known::Open(verdict) => return Ok((verdict.before_move(), false)),
                Known::OnLine => return Err(Stop::Rejected),
            },
        };
        match value {
            Value::Draw => Err(Stop::Rejected),
            value => Ok((Verdict::new(value, 1), true)),
        }
    }
}
