//! The adaptive opponent: moves up and down the ladder depending on results.

use std::sync::Arc;

use super::{Cannot, Lookahead};
use crate::engine::position::Player;
use crate::evaluate::opponent::{Ladder, Opponent};
use crate::format::{Game, Rulebook};
use crate::solver::{Budget, Unsolved};

/// The name of the adaptive opponent.
pub const ADAPTIVE: &str = "adaptive";

/// Solver memory limit while someone waits for a picture. Keeps the wait unnoticeable.
pub const AT_A_GLANCE: u64 = 32 << 20;

/// An opponent that moves up a rung when it loses and down when it wins.
#[derive(Clone, Debug, PartialEq)]
pub struct Adaptive {
    /// Its seat.
    pub player: Player,
    /// The storage key for its level.
    pub name: String,
    /// The opponents it can be, easiest first.
    pub rungs: Vec<Opponent>,
    /// The current opponent's index.
    pub level: usize,
    /// Whether the player chose a name for it, which hides the rung's name.
    pub named: bool,
}

impl Adaptive {
    /// The current opponent.
    pub fn opponent(&self) -> Opponent {
        self.rungs.get(self.level).or(self.rungs.last()).copied().unwrap_or(Opponent::perfect())
    }

    /// Moves up or down after a round.
    pub(super) fn learn(&mut self, winner: Option<Player>) {
        self.level = match winner {
            Some(winner) if winner == self.player => self.level.saturating_sub(1),
            Some(_) => self.level.saturating_add(1).min(self.rungs.len().saturating_sub(1)),
            None => self.level,
        };
    }
}

/// The storage key for a game's level: the game's rules, regardless of its name or a random target.
pub fn level_of(game: &Game, rulebook: &Rulebook) -> String {
    let usual = game.draft.build();
    format!("level {}", usual.map_or_else(|_| rulebook.fingerprint(), |usual| usual.fingerprint()))
}

/// The opponents for people in order of strength, grouped if they play alike. If the odds take too long, they are in
/// default order. If the game is too large to solve, only those that need no solution are included.
///
/// # Errors
///
/// If the caller cancels.
pub fn rungs(rulebook: &Arc<Rulebook>, ahead: &mut Lookahead<'_>) -> Result<Vec<Vec<Opponent>>, Cannot> {
    let ladder = ahead.games.game(rulebook).quick_ladder();
    rungs_of(rulebook, ladder.as_deref(), ahead)
}

/// The same with a known ladder, or `None` if computing one takes too long.
///
/// # Errors
///
/// If the caller cancels.
pub fn rungs_of(
    rulebook: &Arc<Rulebook>,
    ladder: Option<&Ladder>,
    ahead: &mut Lookahead<'_>,
) -> Result<Vec<Vec<Opponent>>, Cannot> {
    if let Some(ladder) = ladder {
        return Ok(ladder.rungs.iter().map(|rung| rung.opponents.clone()).collect());
    }
    let game = ahead.games.game(rulebook);
    let seen_through = match game.solver(&mut Budget::new(AT_A_GLANCE, ahead.keep_going)) {
        Ok(_) => true,
        Err(why @ Unsolved::Stopped { .. }) => return Err(why.into()),
        Err(_) => false,
    };
    let able = Opponent::for_people().filter(|opponent| seen_through || !opponent.looks_ahead());
    Ok(able.map(|opponent| vec![opponent]).collect())
}
