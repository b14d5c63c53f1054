//! Facts about a game that don't reveal who wins: its length, its number of choices, and whether it can go on
//! forever. Computed from the solution.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::design::portrait::Portrait;
//! use spoton::format::catalog;
//! use spoton::solver::{Budget, Solver};
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let portrait = Portrait::from_solver(&Solver::new(maze, budget)?, budget)?;
//! assert_eq!((portrait.length, portrait.endless), (Some(14), false));
//! assert_eq!(portrait.badges()[0], "about 14 moves");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::position::Player;
use crate::solved::SolvedGame;
use crate::solved::weight::weigh;
use crate::solver::{Budget, Solver, Unsolved};

/// A game, as shown on its card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portrait {
    /// The length of a round under best play; `None` if neither player can force an end.
    pub length: Option<u64>,
    /// The number of positions where the choice matters.
    pub choices: u64,
    /// How many of these have a best move that isn't obvious.
    pub subtle: u64,
    /// Whether some line never ends, ignoring the house rule.
    pub endless: bool,
}

/// The amount of choice in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HowMuchChoice {
    /// No choice changes the result.
    None,
    /// One position has a choice that matters.
    One,
    /// Two to nine positions do.
    Few,
    /// Ten or more do.
    Many,
}

impl Portrait {
    /// A solved game's portrait. The budget covers memory beyond the solution.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub fn from_solver(solver: &Solver, budget: &mut Budget<'_>) -> Result<Portrait, Unsolved> {
        let rulebook = solver.rulebook();
        let opening = rulebook.opening(Player::One);
        let mut portrait = Portrait { length: None, choices: 0, subtle: 0, endless: false };
        portrait.endless = solver.visit_all(budget, |position, verdict, moves| {
            let weight = weigh(rulebook, position, moves);
            portrait.choices += u64::from(weight.decision);
            portrait.subtle += u64::from(weight.subtle);
            if *position == opening {
                portrait.length = verdict.remoteness();
            }
        })?;
        Ok(portrait)
    }

    /// The amount of choice.
    pub fn choice(&self) -> HowMuchChoice {
        match self.choices {
            0 => HowMuchChoice::None,
            1 => HowMuchChoice::One,
            2..=9 => HowMuchChoice::Few,
            _ => HowMuchChoice::Many,
        }
    }
}

impl SolvedGame {
    /// The card of the game.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn portrait(&self, budget: &mut Budget<'_>) -> Result<Portrait, Unsolved> {
        let solver = self.solver(budget)?;
        let found = self.once(budget.left(), || {
            budget.beside(self.bytes(), |budget| Portrait::from_solver(&solver, budget))
        });
        found.map(|portrait| *portrait)
    }
}
