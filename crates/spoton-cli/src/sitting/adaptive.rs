//! An opponent that fits: it goes up and down with the results.

use std::sync::Arc;

use spoton::engine::position::Player;
use spoton::format::{Game, Rulebook};
use spoton::people::opponent::{Ladder, Opponent};

use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::Progress;
use crate::solving::{AT_A_GLANCE, solve};

/// The name that stands for whichever opponent fits.
pub const ADAPTIVE: &str = "adaptive";

/// An opponent that goes up a rung when it is beaten and down when it wins, remembered for each game.
pub struct Adaptive {
    pub player: Player,
    /// What its level is remembered by.
    pub name: String,
    rungs: Vec<Opponent>,
    level: usize,
    /// Whether the player was given a name, so that the rung's own is not shown.
    pub named: bool,
    folders: Folders,
}

/// What the level of a game is remembered by: its rules, whatever it is called, but for a target that is drawn.
pub fn level_of(game: &Game, rulebook: &Rulebook) -> String {
    let usual = game.draft.build();
    format!("level {}", usual.map_or_else(|_| rulebook.fingerprint(), |usual| usual.fingerprint()))
}

/// The opponents for people in order, those who play alike together. Where their odds are not found quickly it is the
/// usual order; in a game too large to be seen through, of those who need not see through it.
pub fn rungs(rulebook: &Arc<Rulebook>) -> Result<Vec<Vec<Opponent>>, Failure> {
    rungs_of(rulebook, Ladder::quick(rulebook).ok().as_ref())
}

/// The same, where the ladder is known already, or is known not to be found quickly.
pub fn rungs_of(rulebook: &Arc<Rulebook>, ladder: Option<&Ladder>) -> Result<Vec<Vec<Opponent>>, Failure> {
    if let Some(ladder) = ladder {
        return Ok(ladder.rungs.iter().map(|rung| rung.opponents.clone()).collect());
    }
    let seen_through = match solve(Arc::clone(rulebook), AT_A_GLANCE) {
        Ok(_) => true,
        Err(Failure::Failed(_)) => false,
        Err(failure) => return Err(failure),
    };
    let able = Opponent::for_people().filter(|opponent| seen_through || !opponent.looks_ahead());
    Ok(able.map(|opponent| vec![opponent]).collect())
}

impl Adaptive {
    pub fn load(
        player: Player,
        name: String,
        rulebook: &Arc<Rulebook>,
        named: bool,
        folders: &Folders,
    ) -> Result<Adaptive, Failure> {
        let rungs = rungs(rulebook)?.iter().filter_map(|rung| rung.first().copied()).collect();
        let level = Progress::load(folders)?.get(&name).and_then(|level| level.parse().ok()).unwrap_or(0);
        Ok(Adaptive { player, name, rungs, level, named, folders: folders.clone() })
    }

    pub fn opponent(&self) -> Opponent {
        self.rungs.get(self.level).or(self.rungs.last()).copied().unwrap_or(Opponent::perfect())
    }

    /// Goes up or down after a round, and remembers it.
    pub fn learn(&mut self, winner: Option<Player>) -> Result<(), Failure> {
        self.level = match winner {
            Some(winner) if winner == self.player => self.level.saturating_sub(1),
            Some(_) => (self.level + 1).min(self.rungs.len().saturating_sub(1)),
            None => self.level,
        };
        Progress::remember(&self.folders, &self.name, &self.level.to_string())
    }
}
