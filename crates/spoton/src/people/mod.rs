//! What is made for people from the solution of a game.
//!
//! All of it is asked of a [`SolvedGame`](solved_game::SolvedGame), which finds each part once and shares it.
//!
//! | module | what lives there |
//! |---|---|
//! | [`solved_game`] | a game with everything that has been found out about it, and the cache of such games |
//! | [`coach`] | what the player on turn can force: hints, reasons, patterns |
//! | [`review`], [`summary`] | looking back on one round, and on many |
//! | [`map`] | every number of a game at a glance |
//! | [`idea`] | a player's own rule, tested |
//! | [`opponent`], [`chances`] | computer players, and the exact odds between them |
//! | [`arena`] | two players against each other, rounds on end |
//! | [`mod@bench`] | sets of games to measure players with |
//! | [`portrait`] | a game as a card shows it |
//! | [`audit`] | what a rule book is worth, and whether it keeps what it claims |
//! | [`invent`] | new games, certified |
//! | [`mod@subtle`] | the choices of a game that matter without showing it |
//! | [`puzzle`] | positions to be won, graded; which comes next, and a try at one |
//! | [`day`] | a day of the calendar |
//! | [`today`] | the duel of a day, its line to paste and the streak |
//! | [`forced`] | the end of a round in which nobody has a choice any more |
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::people::coach::Words;
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::solver::Budget;
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let (game, budget) = (SolvedGame::new(Arc::clone(&race)), &mut Budget::patient(16 << 20));
//! let round = Round::new(Arc::clone(&race), Player::One);
//! let outlook = game.outlook(&round, budget)?.expect("it is not over");
//! let words = Words { rulebook: &race, turn: Player::One };
//! assert_eq!(words.forced(outlook.verdict), "You can force a win within 9 moves.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arena;
pub mod audit;
pub mod bench;
pub mod chances;
pub mod coach;
pub mod day;
pub mod forced;
pub mod idea;
pub mod invent;
pub mod map;
pub mod named;
pub mod opponent;
pub mod portrait;
pub mod puzzle;
pub mod review;
pub mod solved_game;
pub mod subtle;
pub mod summary;
pub mod today;
