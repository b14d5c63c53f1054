//! Lets a sitting query its game through the shared solved games, until the caller cancels.

use std::sync::Arc;

use super::{Cannot, Memory};
use crate::engine::round::Round;
use crate::evaluate::opponent::{Chances, Opponent};
use crate::format::Rulebook;
use crate::solved::{SolvedGame, SolvedGames};
use crate::solver::{Budget, Progress, Unsolved};

/// The shared solved games, and the caller's cancellation check.
pub struct Lookahead<'a> {
    /// The shared solved games.
    pub games: &'a SolvedGames,
    /// Called every few milliseconds during a computation. Returns whether to continue.
    pub keep_going: &'a mut dyn FnMut(Progress) -> bool,
}

impl Lookahead<'_> {
    /// Queries a game.
    ///
    /// # Errors
    ///
    /// If this exceeds the limits or the caller cancels.
    pub fn ask<T>(
        &mut self,
        rulebook: &Arc<Rulebook>,
        question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved>,
    ) -> Result<T, Unsolved> {
        self.games.ask(rulebook, self.keep_going, question)
    }

    /// A quick result; `None` if it takes too long or the game is too large.
    pub(super) fn at_a_glance<T>(
        &mut self,
        ask: impl FnOnce(&mut Lookahead<'_>) -> Result<T, Cannot>,
    ) -> Result<Option<T>, Cannot> {
        /// Counts steps, not time, so the result is the same everywhere.
        const STEPS: u32 = 100;
        let mut steps = STEPS;
        let mut keep_going = |progress| {
            steps = steps.saturating_sub(1);
            steps > 0 && (self.keep_going)(progress)
        };
        let answer = ask(&mut Lookahead { games: self.games, keep_going: &mut keep_going });
        match answer {
            Err(Cannot::Unsolved(Unsolved::Stopped { .. })) if steps == 0 => Ok(None),
            answer => answer.map(Some).or_else(Cannot::unless_too_large),
        }
    }

    /// The probabilities of an opponent's moves in a round.
    ///
    /// # Errors
    ///
    /// If it needs a solution and there's none.
    pub fn chances(&mut self, opponent: Opponent, round: &Round) -> Result<Chances, Cannot> {
        Memory::default().chances(opponent, round, self)
    }
}
