//! The rules at work: positions, the one legality check, rounds and matches.
//!
//! ```
//! use spoton::engine::play::Move;
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let opening = maze.opening(Player::One);
//! let written: Vec<String> = maze.legal(&opening).iter().map(|choice| maze.write(Move::Operation(choice))).collect();
//! assert_eq!(written, ["+1", "x2"]);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

pub mod alphabet;
pub mod batch;
pub mod choices;
pub mod computed;
pub mod number_kind;
pub mod observation;
pub mod operation;
pub mod play;
pub mod position;
pub mod position_text;
pub(crate) mod quiet;
pub mod round;
pub mod series;
pub mod written;
