//! The best result that the player to move can force, with the consequence of each move: the reason that `why` and the
//! last hint give.
//!
//! Invariant: the house rule against repetition isn't part of a game's value. It only matters within a round. Once the
//! history contains positions that the rule would draw, [`Foresight`] solves the game with those positions drawn and
//! updates it as more repeat.

use std::collections::HashSet;

use crate::engine::play::{Move, Outcome, Step};
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::engine::written::On;
use crate::solver::{Budget, MoveVerdict, Solver, Unsolved, Verdict};

/// The best result the player to move can force, and the value of each move, including the house rule.
pub struct Outlook {
    /// The best result they can force.
    pub verdict: Verdict,
    /// Every legal move, best first.
    pub moves: Vec<MoveVerdict>,
    /// The reason for each move, in the same order.
    reasons: Vec<Reason>,
}

/// A move's consequence and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move.
    pub a_move: Move,
    /// The owner of the number it changes.
    pub on: On,
    /// The resulting number.
    pub leaves: i128,
    /// The value for the mover.
    pub verdict: Verdict,
    /// The consequence.
    pub then: Consequence,
}

/// The consequence of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Consequence {
    /// The round is over.
    Over(Outcome),
    /// The position repeats too often: a draw by the house rule.
    Repeats,
    /// The opponent's best answer, which may end the round.
    Answer {
        /// The best answer.
        a_move: Move,
        /// The owner of the number it changes, from the answering player's point of view.
        on: On,
        /// The resulting number.
        leaves: i128,
        /// Whether it ends the round.
        ends: bool,
    },
}

/// Looks ahead turn by turn, and caches reusable work.
#[derive(Default)]
pub struct Foresight {
    /// The game as the house rule changes it after repeated positions.
    changed: Option<Solver>,
}

impl Foresight {
    /// The outlook of the player to move; `None` if the round is over. The budget covers memory beyond the solution.
    ///
    /// # Errors
    ///
    /// If the house rule changes the game, and solving the changed game exceeds the budget.
    pub fn outlook(
        &mut self,
        round: &Round,
        solver: &Solver,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Outlook>, Unsolved> {
        if round.outcome().is_some() {
            return Ok(None);
        }
        let drawn = round.drawn_next_time();
        if !house_rule_matters(&drawn, solver) {
            return Ok(Outlook::new(round, solver, &drawn));
        }
        let from_here = self.changed_game(round, drawn, budget)?;
        Ok(Outlook::new(round, from_here, from_here.drawn()))
    }

    /// Under the house rule, repeating certain positions once more is a draw. This makes it a different game. It's
    /// solved from here and revised as more positions repeat.
    fn changed_game(
        &mut self,
        round: &Round,
        drawn: HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<&Solver, Unsolved> {
        let known = self.changed.take();
        let revised = Solver::revised(known, round.rulebook(), round.position(), drawn, budget)?;
        Ok(self.changed.insert(revised))
    }

    /// The bytes cached.
    pub fn bytes(&self) -> u64 {
        self.changed.as_ref().map_or(0, Solver::bytes)
    }
}

/// Whether it matters that these positions are drawn if they occur again. It doesn't matter for a position
/// that's a draw anyway.
pub(super) fn house_rule_matters(drawn: &HashSet<Position>, solver: &Solver) -> bool {
    drawn.iter().any(|position| solver.verdict(position) != Some(Verdict::DRAW))
}

impl Outlook {
    /// The outlook of the player to move; `None` if the round is over.
    ///
    /// # Errors
    ///
    /// As for [`Foresight::outlook`], which also caches.
    pub fn for_round(
        round: &Round,
        solver: &Solver,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Outlook>, Unsolved> {
        Foresight::default().outlook(round, solver, budget)
    }

    pub(crate) fn new(round: &Round, solver: &Solver, drawn: &HashSet<Position>) -> Option<Outlook> {
        let position = round.position();
        let moves = solver.moves(position);
        let verdict = moves.first()?.verdict;
        let reasons = moves.iter().filter_map(|judged| reason(round, solver, drawn, *judged)).collect();
        Some(Outlook { verdict, moves, reasons })
    }

    /// The moves that keep the best result.
    pub fn keepers(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(|reason| reason.verdict.value == self.verdict.value)
    }

    /// The moves that perfect play chooses from: the fastest wins, otherwise the draws, otherwise the slowest losses.
    pub fn best(&self) -> impl Iterator<Item = Choice> {
        let best = self.moves.iter().filter(|judged| judged.verdict == self.verdict);
        best.filter_map(|judged| judged.a_move.choice())
    }

    /// The reason for each move, best first.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}

fn reason(round: &Round, solver: &Solver, drawn: &HashSet<Position>, judged: MoveVerdict) -> Option<Reason> {
    let rulebook = round.rulebook();
    let position = round.position();
    let MoveVerdict { a_move, verdict } = judged;
    let on = rulebook.on(a_move);
    let (leaves, then) = match rulebook.play(position, a_move).ok()? {
        Step::Over { number, outcome } => (number, Consequence::Over(outcome)),
        Step::On(next) => {
            let leaves = i128::from(next.number_of(on.affected(position.turn())));
            let then = match rulebook.over_at(&next) {
                Some(outcome) => Consequence::Over(outcome),
                _ if drawn.contains(&next) => Consequence::Repeats,
                _ => {
                    let answer = solver.moves(&next).first()?.a_move;
                    let on = rulebook.on(answer);
                    let (leaves, ends) = match rulebook.play(&next, answer).ok()? {
                        Step::Over { number, .. } => (number, true),
                        Step::On(after) => {
                            let ends = rulebook.over_at(&after).is_some() || drawn.contains(&after);
                            (i128::from(after.number_of(on.affected(next.turn()))), ends)
                        }
                    };
                    Consequence::Answer { a_move: answer, on, leaves, ends }
                }
            };
            (leaves, then)
        }
    };
    Some(Reason { a_move, on, leaves, verdict, then })
}
