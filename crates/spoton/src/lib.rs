//! Spot On: two-player number duels as data.
//!
//! Two players change a number by turns until someone lands spot on the target, or shoots past it. A game is a
//! rule book: a TOML text, read into a [`Draft`](format::Draft) and built into a
//! [`Rulebook`](format::Rulebook), which can always be played.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::play::{Ending, Move, Situation};
//! use spoton::engine::position::Player;
//! use spoton::engine::round::Round;
//! use spoton::format::Draft;
//!
//! let text = r#"
//! title = "Ten"
//! start = 1
//! target = 10
//! moves = ["+1", "x2"]
//! "#;
//! let rulebook = Draft::read("ten.toml", text).build().expect("a valid rule book");
//!
//! // The engine works on small positions …
//! let opening = rulebook.opening(Player::One);
//! let legal = rulebook.legal(&opening);
//! assert_eq!(legal.len(), 2);
//! let numbers: Vec<i128> = legal.iter().map(|choice| rulebook.result(&opening, choice).unwrap()).collect();
//! assert_eq!(numbers, [2, 2]);
//!
//! // … and a round keeps the history.
//! let mut round = Round::new(Arc::new(rulebook), Player::One);
//! while let Situation::Choose(legal) = round.situation() {
//!     let double = legal.iter().last().unwrap();
//!     round.play(Move::Operation(double)).unwrap();
//! }
//! let outcome = round.outcome().unwrap();
//! assert_eq!((outcome.winner, outcome.ending), (Some(Player::One), Ending::Overshot)); // 1 2 4 8 16
//!
//! // Mistakes are told at once, with their places.
//! let problems = Draft::read("oops.toml", "title = 3\nstart = 1\ntraget = 9\nmoves = ['+1']").build().unwrap_err();
//! let places: Vec<String> = problems.iter().map(|problem| problem.place.to_string()).collect();
//! assert_eq!(places, ["oops.toml:1:9", "oops.toml:3:1", "oops.toml:1:1"]); // the last: no target, and no range
//! ```
//!
//! The library is pure: it has no input, output, clock or global state. Surfaces choose where its words go.
#![warn(missing_docs)]

pub mod engine;
pub mod format;
pub mod json;
pub mod people;
pub mod records;
pub mod sitting;
pub mod solver;
pub mod words;
