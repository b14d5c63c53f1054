//! A game's ladder with the odds for every pair, as a table.

use std::sync::Arc;

use super::{Ladder, Opponent};
use crate::evaluate::chances::Odds;

/// A game's ladder with the odds for every pair: one row per rung, then one row per reference player.
///
/// ```
/// use std::sync::Arc;
/// use spoton::engine::position::Player;
/// use spoton::evaluate::opponent::Table;
/// use spoton::format::Draft;
/// use spoton::solved::SolvedGame;
///
/// let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
/// let game = SolvedGame::new(Arc::new(Draft::read("five.toml", text).build().unwrap()));
/// let table = Table::new(game.quick_ladder().unwrap());
/// let perfect = table.rows().len() - 1;
/// assert_eq!(table.rows()[perfect][0].to_string(), "perfect");
/// assert_eq!(table.odds(perfect, 0).wins[Player::One], 1.0); // the first player can force a win
/// ```
pub struct Table {
    ladder: Arc<Ladder>,
    rows: Vec<Vec<Opponent>>,
}

impl Table {
    /// The table of a ladder.
    pub fn new(ladder: Arc<Ladder>) -> Table {
        let references = Opponent::all().filter(|opponent| opponent.is_reference());
        let rungs = ladder.rungs.iter().map(|rung| rung.opponents.clone());
        let rows = rungs.chain(references.map(|opponent| vec![opponent])).collect();
        Table { ladder, rows }
    }

    /// The ladder: its rungs are the first rows.
    pub fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// The opponents in each row; more than one if they play alike.
    pub fn rows(&self) -> &[Vec<Opponent>] {
        &self.rows
    }

    /// The odds for a round that the first row's opponent starts.
    ///
    /// # Panics
    ///
    /// If a row is out of range.
    pub fn odds(&self, first: usize, second: usize) -> Odds {
        self.ladder.between(self.rows[first][0], self.rows[second][0])
    }
}
