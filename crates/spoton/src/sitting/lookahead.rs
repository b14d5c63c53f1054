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

    /// The chances of an opponent's moves in a round.
    ///
    /// # Errors
    ///
    /// If it needs to see through the game, and cannot.
    pub fn chances(&mut self, opponent: Opponent, round: &Round) -> Result<Chances, Cannot> {
        Memory::default().chances(opponent, round, self)
    }
}
