//! The rules at work: positions, the one legality check, rounds and matches.

pub mod operation;
pub mod play;
pub mod position;
pub mod position_text;
pub(crate) mod quiet;
pub mod round;
pub mod series;
pub mod written;
