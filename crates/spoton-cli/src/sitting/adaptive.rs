//! An opponent that fits: it goes up and down with the results.

use std::sync::Arc;

use spoton::opponent::Opponent;
use spoton::position::Player;
use spoton::rulebook::Rulebook;

use crate::commands::opponents;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game::Game;
use crate::progress::Progress;

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
    let usual = game.draft.finish();
    format!("level {}", usual.map_or_else(|_| rulebook.fingerprint(), |usual| usual.fingerprint()))
}

/// The opponents for people in order, those who play alike together. A game too large to be seen through has the usual
/// order, of those who need not see through it.
pub fn rungs(rulebook: &Arc<Rulebook>) -> Result<Vec<Vec<Opponent>>, Failure> {
    match opponents::ladder(rulebook, opponents::QUICK) {
        Ok(ladder) => Ok(ladder.rungs.into_iter().map(|rung| rung.opponents).collect()),
        Err(Failure::Failed(_)) => {
            let able = Opponent::for_people().filter(|opponent| !opponent.looks_ahead());
            Ok(able.map(|opponent| vec![opponent]).collect())
        }
        Err(failure) => Err(failure),
    }
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
