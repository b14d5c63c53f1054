//! Games, rounds and answers in words, and what players type understood.

pub mod describe;
pub mod dialogue;
pub mod phrases;
pub mod typed;
