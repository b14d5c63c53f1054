//! What can be said of a game without giving away who wins: how long it lasts, how much there is to choose, and whether
//! it can go on for ever. Made from the solution, so that nobody has to write it down.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::format::catalog;
//! use spoton::people::portrait::Portrait;
//! use spoton::solver::{Budget, Solver};
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let budget = &mut Budget::patient(16 << 20);
//! let portrait = Portrait::of(&Solver::new(maze, budget)?, budget)?;
//! assert_eq!((portrait.length, portrait.endless), (Some(14), false));
//! assert_eq!(portrait.badges()[0], "about 14 moves");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::position::Player;
use crate::people::review::weigh;
use crate::solver::{Budget, Solver, Unsolved};

/// A game as a card shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portrait {
    /// How many moves a round lasts if both play their best; `None` if neither can force an end.
    pub length: Option<u64>,
    /// In how many positions the legal moves are of different worth.
    pub choices: u64,
    /// In how many of these the difference does not show at once.
    pub subtle: u64,
    /// Whether some line of legal moves never ends, the house rule aside.
    pub endless: bool,
}

/// How much there is to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HowMuchChoice {
    /// Whatever anybody does, it comes to the same.
    None,
    /// One position has a choice that matters.
    One,
    /// Up to nine have one.
    Few,
    /// More.
    Many,
}

impl HowMuchChoice {
    /// In words, for a card.
    pub fn words(self) -> &'static str {
        match self {
            HowMuchChoice::None => "no choice matters",
            HowMuchChoice::One => "one choice matters",
            HowMuchChoice::Few => "few choices matter",
            HowMuchChoice::Many => "many choices matter",
        }
    }
}

impl Portrait {
    /// The portrait of a solved game. The budget is for what is held beside the solution.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub fn of(solver: &Solver, budget: &mut Budget<'_>) -> Result<Portrait, Unsolved> {
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

    /// How much there is to choose.
    pub fn choice(&self) -> HowMuchChoice {
        match self.choices {
            0 => HowMuchChoice::None,
            1 => HowMuchChoice::One,
            2..=9 => HowMuchChoice::Few,
            _ => HowMuchChoice::Many,
        }
    }

    /// What a card says, the shortest way.
    pub fn badges(&self) -> Vec<String> {
        // Exactly so many would tell who makes the last of them, and that is who wins.
        let length = self.length.map(|moves| {
            format!("about {} moves", moves.max(1).checked_next_multiple_of(2).unwrap_or(moves))
        });
        let endless = self.endless.then(|| "can go on for ever".to_owned());
        length.into_iter().chain([self.choice().words().to_owned()]).chain(endless).collect()
    }
}
