//! A game's choices that matter but aren't obvious. Each one is a one-question test.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//! use spoton::teach::subtle::SubtleChoices;
//!
//! let game = SolvedGame::new(Arc::new(catalog::draft("number-maze").unwrap().build()?));
//! let budget = &mut Budget::patient(16 << 20);
//! let choices = SubtleChoices::find(&game, budget)?;
//! assert_eq!(choices.len() as u64, game.figures(budget)?.subtle);
//! let nearest = choices.round(0).expect("the game has subtle choices");
//! assert!(nearest.outcome().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::round::Round;
use crate::solved::SolvedGame;
use crate::solved::lines::{Lines, Search};
use crate::solver::{Budget, Unsolved};

/// All such choices in a game, nearest to the opening first.
pub struct SubtleChoices {
    /// `None` if the round is over before it begins.
    found: Option<(Lines, Search)>,
    places: Vec<usize>,
}

impl SubtleChoices {
    /// The choices of a game.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub fn find(game: &SolvedGame, budget: &mut Budget<'_>) -> Result<SubtleChoices, Unsolved> {
        let solver = game.solver(budget)?;
        let lines = budget.beside(game.bytes(), |budget| Lines::from_solver(&solver, budget))?;
        if lines.len() == 0 {
            return Ok(SubtleChoices { found: None, places: vec![] });
        }
        let search = Search::from(&lines, 0);
        let is_subtle = |place: &usize| lines.weight(*place as u32 / 2).subtle;
        let places = search.each_position().filter(is_subtle).collect();
        Ok(SubtleChoices { found: Some((lines, search)), places })
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A random sample of `count` choices in ascending order, or all of them if there are fewer.
    pub fn drawn(&self, count: usize, dice: impl Fn(usize) -> f64) -> Vec<usize> {
        let mut left = count.min(self.len());
        let mut drawn = Vec::with_capacity(left);
        for number in 0..self.len() {
            if dice(number) * ((self.len() - number) as f64) < left as f64 {
                drawn.push(number);
                left -= 1;
            }
        }
        drawn
    }

    /// A round at the choice with this index, reached by the shortest line from the opening; `None` if the index is out
    /// of range.
    pub fn round(&self, number: usize) -> Option<Round> {
        let (lines, search) = self.found.as_ref()?;
        let line = search.way_to(*self.places.get(number)?)?;
        Some(lines.round_after(&line))
    }
}
