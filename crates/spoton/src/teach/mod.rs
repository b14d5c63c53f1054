//! Help for players: hints, reviews, maps, ideas and puzzles, all from the shared solution. `words` has the sentences.
//!
//! | file | contents |
//! |---|---|
//! | `coach.rs` | hints for a turn, step by step; patterns of numbers to leave; `solved/outlook.rs` has the reasons |
//! | `review.rs` | which choices of a round mattered, and where it turned |
//! | `map.rs` | every number of a game at a glance, and the cover of discovery mode |
//! | `idea.rs` | tests a player's rule; `idea/` plays it out, covers large games and finds exceptions |
//! | `puzzle.rs` | positions to win, with exact grades; `puzzle/` picks the next, runs a try and stores results |
//! | `subtle.rs` | the choices that matter but aren't obvious, each as a round |
//! | `forced.rs` | the end of a round when no player has a choice left |

pub mod coach;
pub mod forced;
pub mod idea;
pub mod map;
pub mod puzzle;
pub mod review;
pub mod subtle;
