//! How a sitting asks about its game: through the solved games that all share, for as long as the caller allows.

use std::sync::Arc;

use super::{Cannot, Memory};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::people::opponent::{Chances, Opponent};
use crate::people::solved_game::{SolvedGame, SolvedGames};
use crate::solver::{Budget, Progress, Unsolved};

/// The games that are solved already, and the caller to ask whether to go on.
pub struct Lookahead<'a> {
    /// The solved games that everybody shares.
    pub games: &'a SolvedGames,
    /// Asked every few milliseconds while something is looked for.
    pub keep_going: &'a mut dyn FnMut(Progress) -> bool,
}

impl Lookahead<'_> {
    /// Asks a game something.
    ///
    /// # Errors
    ///
    /// If that takes more than there is, or the caller does not want to go on.
    pub fn ask<T>(
        &mut self,
        rulebook: &Arc<Rulebook>,
        question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved>,
    ) -> Result<T, Unsolved> {
        self.games.ask(rulebook, self.keep_going, question)
    }

    /// An answer that nobody waits for: `None` if it takes long, or the game is too large.
    pub(super) fn at_a_glance<T>(
        &mut self,
        ask: impl FnOnce(&mut Lookahead<'_>) -> Result<T, Cannot>,
    ) -> Result<Option<T>, Cannot> {
        /// Counts steps, not time, so that the same round ends alike everywhere.
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

    /// The chances of an opponent's moves in a round.
    ///
    /// # Errors
    ///
    /// If it needs to see through the game, and cannot.
    pub fn chances(&mut self, opponent: Opponent, round: &Round) -> Result<Chances, Cannot> {
        Memory::default().chances(opponent, round, self)
    }
}
