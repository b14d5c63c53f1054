//! Words: games, rounds and answers as text, and parsers for what players type.
//!
//! | module | contents |
//! |---|---|
//! | [`dialogue`] | the sentences of line mode, from the book's wording |
//! | [`menu`] | the lines of a menu and their keys |
//! | [`typed`] | parses what players type; `spelling` has the spellings of a move |
//! | [`answer`] | parses answers of programs and language models (`docs/answers.md`) |
//! | [`prompt`], [`disguise`] | prompts for language models; the same game as another story |
//! | [`describe`] | the goal and rules of a book as sentences; `listed` has its number lists |
//! | [`rules`], [`solution`], [`map`], [`opponents`], [`arena`], [`mod@bench`], [`audit`] | whole pages of text; `hand_out` prints a blank map |
//! | [`protocol`] | the line protocol of engines (`docs/engines.md`) |
//! | [`page`], [`phrases`] | line breaking; shared phrases |
//!
//! Surfaces pass in colours and any hints that only they have. Large answers such as maps implement `Display` and
//! stream: as one string they would need more memory than the answer.
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
pub(crate) mod spelling;
pub mod typed;
