//! Measures players: computer opponents, exact odds and results over many rounds.
//!
//! | file | contents |
//! |---|---|
//! | `opponent/`, `chances.rs` | computer players, and the exact odds between them (a Markov chain) |
//! | `arena.rs` | two players over many rounds: exact odds, played results, and what perfect play and guessing would get |
//! | `bench.rs` | a player's score on a set of games; `bench/played.rs` sorts rounds for it |
//! | `summary.rs`, `interval.rs` | results over many rounds; 95% confidence intervals of percentages, by clusters |

pub mod arena;
pub mod bench;
pub mod chances;
pub mod interval;
pub mod opponent;
pub mod summary;
