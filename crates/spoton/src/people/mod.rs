//! What people meet: opponents and their exact chances, hints and reasons, ideas tested, maps of games, rounds looked
//! back on one by one and many together.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::people::coach::{Foresight, Words};
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::solver::Budget;
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let (game, budget) = (SolvedGame::new(Arc::clone(&race)), &mut Budget::patient(16 << 20));
//! let round = Round::new(Arc::clone(&race), Player::One);
//! let outlook = game.outlook(&round, &mut Foresight::default(), budget)?.expect("it is not over");
//! let words = Words { rulebook: &race, turn: Player::One };
//! assert_eq!(words.forced(outlook.verdict), "You can force a win, in 9 moves if both play their best.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod chances;
pub mod coach;
pub mod forced;
pub mod idea;
pub mod map;
pub mod opponent;
pub mod portrait;
pub mod review;
pub mod solved_game;
pub mod summary;
