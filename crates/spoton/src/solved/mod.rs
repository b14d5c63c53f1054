//! The shared solution of a game, and what follows from it directly.
//!
//! | file | contents |
//! |---|---|
//! | `game.rs` | the shared solution; an LRU cache with a memory limit, keyed by the canonical line of the book |
//! | `outlook.rs` | the best result that the player to move can force, under the house rule, and why: the reason for each move, behind hints and `why` |
//! | `weight.rs`, `careful.rs` | whether a choice matters; the careful guesser's choice |
//! | `lines.rs` | all lines of play as a graph |
//! | `landings.rs`, `out_of_reach.rs` | the numbers that play can land on; games whose target nobody can hit |

pub(crate) mod careful;
mod game;
pub(crate) mod landings;
pub(crate) mod lines;
pub(crate) mod out_of_reach;
pub mod outlook;
pub(crate) mod weight;

pub(crate) use game::in_steps;
pub use game::{SolvedGame, SolvedGames};
