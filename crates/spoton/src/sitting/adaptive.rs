//! The adaptive opponent: it goes up and down the ladder with the results.

use std::sync::Arc;

use super::{Cannot, Lookahead};
use crate::engine::position::Player;
use crate::format::{Game, Rulebook};
use crate::people::opponent::{Ladder, Opponent};
use crate::solver::{Budget, Unsolved};

/// The name of the adaptive opponent.
pub const ADAPTIVE: &str = "adaptive";

/// What a solver may hold while somebody waits for a picture: no more than takes the blink of an eye.
pub const AT_A_GLANCE: u64 = 32 << 20;

/// An opponent that goes up a rung when it is beaten and down when it wins.
#[derive(Clone, Debug, PartialEq)]
pub struct Adaptive {
    /// Its seat.
    pub player: Player,
    /// What its level is remembered by from one sitting to the next.
    pub name: String,
    /// The opponents that it may be, from the gentlest on.
    pub rungs: Vec<Opponent>,
    /// Which of them it is now.
    pub level: usize,
    /// Whether the player was given a name, so that the rung's own is not shown.
    pub named: bool,
}

impl Adaptive {
    /// Who it is now.
    pub fn opponent(&self) -> Opponent {
        self.rungs.get(self.level).or(self.rungs.last()).copied().unwrap_or(Opponent::perfect())
    }

    /// Goes up or down after a round.
    pub(super) fn learn(&mut self, winner: Option<Player>) {
        self.level = match winner {
            Some(winner) if winner == self.player => self.level.saturating_sub(1),
            Some(_) => self.level.saturating_add(1).min(self.rungs.len().saturating_sub(1)),
            None => self.level,
        };
    }
}

/// What the level of a game is remembered by: its rules, whatever it is called, except for a target that is drawn.
pub fn level_of(game: &Game, rulebook: &Rulebook) -> String {
    let usual = game.draft.build();
    format!("level {}", usual.map_or_else(|_| rulebook.fingerprint(), |usual| usual.fingerprint()))
}

/// The opponents for people in order, those who play alike together. If their odds are not found quickly, in the usual
/// order; in a game that is too large to be solved, only those that play without a solution.
///
/// # Errors
///
/// If the caller does not want to go on.
pub fn rungs(rulebook: &Arc<Rulebook>, ahead: &mut Lookahead<'_>) -> Result<Vec<Vec<Opponent>>, Cannot> {
    let ladder = ahead.games.game(rulebook).quick_ladder();
    rungs_of(rulebook, ladder.as_deref(), ahead)
}

/// The same, if the ladder is known already, or is known not to be found quickly.
///
/// # Errors
///
/// If the caller does not want to go on.
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
