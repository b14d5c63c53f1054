//! Spot On: two-player number duels as data.
#![warn(missing_docs)]

pub mod describe;
pub mod dialogue;
pub mod operation;
pub mod opponent;
pub mod phrases;
pub mod play;
pub mod position;
pub mod record;
pub mod round;
pub mod rulebook;
pub mod series;
pub mod typed;
