//! Measures and makes games: audits, new games and daily games.
//!
//! | file | contents |
//! |---|---|
//! | `audit/` | measures a rule book and tests its claims |
//! | `portrait.rs` | the card of a game: length and choices, never who wins |
//! | `invent.rs` | new games, certified by their audits; generator 1 never changes |
//! | `sets.rs` | sets of games that measure players: fixed (`sets/`) and daily |
//! | `today.rs` | the daily duel, attempts at it and the streak |

pub mod audit;
pub mod invent;
pub mod portrait;
pub mod sets;
pub mod today;
