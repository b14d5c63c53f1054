//! Games, rounds and answers in words, and what players type understood.

pub mod describe;
pub mod dialogue;
pub mod map;
pub mod opponents;
pub mod page;
pub mod phrases;
pub mod rules;
pub mod solution;
pub mod typed;
