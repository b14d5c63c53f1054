//! The rules of Spot On: rule books, play, records and the solver. The crate `spoton` re-exports all of it; see there for
//! a tour.
//!
//! | folder | contents |
//! |---|---|
//! | `rulebooks/` | the games as TOML; no code knows one by name |
//! | [`text`] | lists, counts and numbers as text; untrusted text made safe |
//! | [`engine`] | the rules: positions, legal moves, rounds and matches |
//! | [`words`] | why a move isn't allowed, in words |
//! | [`mod@format`] | from text to a rule book that can always be played |
//! | [`solver`] | the value of every position, within a budget |
//! | [`records`] | stored rounds: text and JSON, written and replayed |
//!
//! The library is pure: it has no input, output, clock or global state.
#![warn(missing_docs)]

pub mod engine;
pub mod format;
pub mod records;
pub mod solver;
pub mod text;
pub mod words;
