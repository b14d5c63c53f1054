//! One file per command that answers and exits: it reads arguments, calls the library and prints.
//!
//! Invariant: only `main.rs` imports from here. A test checks it.

pub mod arena;
pub mod audit;
pub mod bench;
pub mod check;
pub mod completions;
pub mod discover;
pub mod engine;
pub mod games;
pub mod guide;
pub mod idea;
pub mod invent;
pub mod man;
pub mod map;
pub mod new;
pub mod opponents;
pub mod record;
pub mod review;
pub mod rules;
pub mod solve;
pub mod today;
