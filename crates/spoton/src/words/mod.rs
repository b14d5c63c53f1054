//! Games, rounds and answers in words, and what players type understood.
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::describe;
//!
//! let race = catalog::draft("race-to-23").unwrap().build()?;
//! assert_eq!(describe::goal(&race), "Land exactly on 23 to win. Going past it is not allowed.");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

pub mod describe;
pub mod dialogue;
pub mod map;
pub mod opponents;
pub mod page;
pub mod phrases;
pub mod rules;
pub mod solution;
pub mod typed;
