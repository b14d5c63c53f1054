//! Features for people, built on the solution of a game.
//!
//! All of them query a [`SolvedGame`](solved_game::SolvedGame), which computes each part once and shares it.
//!
//! | module | contents |
//! |---|---|
//! | [`solved_game`] | the shared solution of a game; an LRU cache with a memory limit, keyed by the canonical line of the book |
//! | [`coach`] | the best result that the player on turn can force: hints, reasons, patterns |
//! | [`review`], [`summary`] | analysis of one round, and of many |
//! | [`mod@interval`] | 95% confidence intervals of shares, by clusters |
//! | [`map`] | every number of a game at a glance, and the cover of discovery mode |
//! | [`idea`] | tests a player's rule; `idea/` plays it out, covers large games and finds exceptions |
//! | [`opponent`], [`chances`] | computer players, and the exact odds between them (a Markov chain) |
//! | [`arena`] | two players over many rounds: exact odds, played results, and what perfect play and guessing would get |
//! | [`mod@bench`] | game sets that measure players: fixed (`bench/`) and daily; `played.rs` sorts rounds for a score |
//! | [`named`] | game lookup by name: shipped, file, own or duel of a day |
//! | [`portrait`] | the card of a game: length and choices, never who wins |
//! | [`audit`] | measures a rule book and tests its claims |
//! | [`invent`] | new games, certified by their audits; generator 1 never changes |
//! | [`mod@subtle`] | the choices that matter but aren't obvious, each as a round |
//! | [`puzzle`] | positions to win, with exact grades; `puzzle/` picks the next, runs a try and stores results |
//! | [`day`], [`today`] | a calendar day; the duel of a day, its line to paste and the streak |
//! | [`forced`] | the end of a round when no player has a choice left |
//! | `out_of_reach`, `landings` | games whose target nobody can hit; the numbers that play can land on |
//!
//! Invariant: the house rule against repetition isn't part of a game's value. It matters within a round: once the
//! history has positions that the rule would draw, [`coach::Foresight`] solves the game with those drawn and then
//! updates it.
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
pub mod interval;
pub mod invent;
mod landings;
pub mod map;
pub mod named;
pub mod opponent;
mod out_of_reach;
pub mod portrait;
pub mod puzzle;
pub mod review;
pub mod solved_game;
pub mod subtle;
pub mod summary;
pub mod today;
