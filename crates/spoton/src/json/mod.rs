//! JSON for programs: every shape that Spot On writes, in one place, so all surfaces write the same.
//!
//! Functions take values of the library and return JSON. Keys are in the documented order. Records are the exception:
//! programs write and read them, so their JSON is [`Record::to_json`](crate::records::Record::to_json).
//!
//! | file | contents |
//! |---|---|
//! | `books.rs` | games, rules and problems of rule books |
//! | `solution.rs`, `round.rs` | evaluations and maps; the public state of a round |
//! | `people.rs` | opponents, reviews, summaries and ideas |
//! | `arena.rs`, `bench.rs` | results of matches and benchmarks |
//! | `audit.rs` | audits, target sweeps, invented games and the duel of a day |
//! | `turn.rs` | the message to an outside program on its turn |
//! | `question.rs` | the one shape that is only read: a [`Question`] |
//!
//! ```
//! use spoton::format::Listed;
//! use spoton::json;
//!
//! let games = json::games(Listed::shipped().collect::<Vec<_>>().iter());
//! let keys: Vec<&String> = games[0].as_object().unwrap().keys().collect();
//! assert_eq!(keys, ["game", "own_file", "valid", "title", "summary", "suits", "variants"]);
//! ```

mod arena;
mod audit;
mod bench;
mod books;
mod people;
mod question;
mod round;
mod solution;
mod turn;

use serde_json::{Map as Object, Value as Json, json};

use crate::format::{Game, Rulebook};

pub use arena::{asked, meeting};
pub use audit::{audit, invented, invented_to_play, sweep, today};
pub use bench::{bench, score};
pub use books::{check, games, problem, rules, unreadable};
pub use people::{counted, idea, no_puzzle, odds, opponent, opponents, puzzle, review, summary};
pub use question::{BadQuestion, Question, setting_value};
pub use round::round;
pub use solution::{map, outcome_of, position, solution, verdict_of};
pub use turn::Turn;

/// Something that went wrong.
pub fn error(message: &str) -> Json {
    json!({ "error": message })
}

/// Something that went wrong with a question of many, from 1.
pub fn error_at(message: &str, number: u64) -> Json {
    json!({ "error": message, "at": number })
}

/// What an answer begins with: the game as it was asked for, and the fingerprint of its rules.
fn about(game: &Game, rulebook: &Rulebook) -> Object<String, Json> {
    let mut object = Object::new();
    object.insert("game".to_owned(), json!(game.id()));
    if let Some(variant) = &game.variant {
        object.insert("variant".to_owned(), json!(variant));
    }
    let settings = game.written_settings();
    if !settings.is_empty() {
        object.insert("settings".to_owned(), json!(settings));
    }
    object.insert("rulebook_hash".to_owned(), json!(rulebook.fingerprint()));
    object
}
