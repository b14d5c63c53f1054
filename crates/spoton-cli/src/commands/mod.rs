//! One file per command that answers and exits: it reads arguments, calls the library and prints.
//!
//! | file | command |
//! |---|---|
//! | `arena.rs`, `bench.rs`, `engine.rs` | `bot arena`; `bot bench`; `bot engine` and `bot check` |
//! | `audit.rs` | `audit`: the facts about a game and the truth of its claims |
//! | `check.rs` | `check`: errors and warnings of rule books |
//! | `completions.rs`, `man.rs` | `completions` and `man`, from the definition in `args.rs` |
//! | `config.rs` | `config`: settings |
//! | `games.rs`, `opponents.rs` | `games`, and `games --opponents` |
//! | `guide.rs` | `spoton` without a terminal: a short guide |
//! | `idea.rs` | `idea`: tests a player's idea |
//! | `invent.rs`, `new.rs` | `invent` and `new`: new games and rule books |
//! | `map.rs` | `map`: who can force a win at every number |
//! | `review.rs`, `record.rs` | `review`, and `review --convert` |
//! | `rules.rs` | `rules`: the rules of a game |
//! | `solve.rs` | `solve`: evaluates a position and each move |
//! | `today.rs` | `today --json`; `play/` plays the duel |
//!
//! Invariant: only `main.rs` imports from here. A test checks it.

pub mod arena;
pub mod audit;
pub mod bench;
pub mod check;
pub mod completions;
pub mod config;
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
