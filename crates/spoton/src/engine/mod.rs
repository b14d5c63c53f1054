//! The rules at work: positions, the one legality check, rounds and matches.
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let opening = maze.opening(Player::One);
//! let written: Vec<String> = maze.offers(&opening).map(|offer| offer.operation.to_string()).collect();
//! assert_eq!(written, ["+1", "x2"]);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

pub mod operation;
pub mod play;
pub mod position;
pub mod position_text;
pub(crate) mod quiet;
pub mod round;
pub mod series;
pub mod written;
