//! Words: games, rounds and answers as text, and what players type as values.
//!
//! | module | what lives there |
//! |---|---|
//! | [`dialogue`] | what line mode says, in the book's own words |
//! | [`menu`] | the lines of a menu, and what each is typed by |
//! | [`typed`] | what players type, understood or refused with a reason |
//! | [`answer`] | the same for outside programs, whose answers are never guessed at |
//! | [`prompt`], [`disguise`] | what language models are told, and how they are understood; the same game as another story |
//! | [`describe`] | the goal and the rules of a book, as sentences |
//! | [`rules`], [`solution`], [`map`], [`opponents`], [`arena`], [`mod@bench`] | whole pages of text |
//! | [`protocol`] | the lines that engines are spoken to with |
//! | [`page`], [`phrases`] | lines that fit a page; words that all of these share |
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::describe;
//!
//! let race = catalog::draft("race-to-23").unwrap().build()?;
//! assert_eq!(describe::goal(&race), "Land exactly on 23 to win. Going past it is not allowed.");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

pub mod answer;
pub mod arena;
pub mod audit;
pub mod bench;
pub mod describe;
pub mod dialogue;
pub mod disguise;
mod hand_out;
mod listed;
pub mod map;
pub mod menu;
pub mod opponents;
pub mod page;
pub mod phrases;
pub mod prompt;
pub mod protocol;
pub mod rules;
pub mod solution;
pub mod typed;
