//! JSON for programs, defined once, so all surfaces write the same. The web API adds what only a server knows.
//!
//! Each answer is a type. Its fields are the keys of the JSON, in this order. Functions turn the library's values into
//! answers. Records are the exception: programs write and read them, so their JSON is
//! [`Record::to_json`](crate::records::Record::to_json).
//!
//! | file | the answer |
//! |---|---|
//! | `parts.rs`, `position.rs` | parts that several answers share |
//! | `books.rs`, `check.rs` | games and their rules; problems of rule books |
//! | `solution.rs`, `map.rs` | evaluations: of a position, of all of them |
//! | `round.rs`, `table.rs` | the public state of a round; a table as one viewer sees it |
//! | `opponents.rs`, `idea.rs`, `puzzle.rs` | opponents and their odds; the verdict on an idea; the next puzzle |
//! | `review.rs`, `summary.rs` | a round move by move; many rounds added up |
//! | `arena.rs`, `bench.rs` | results of matches and benchmarks |
//! | `audit.rs`, `sweep.rs`, `invented.rs` | facts about a game; target sweeps; invented games and the daily duel |
//! | `error.rs` | errors of commands |
//! | `turn.rs` | the message to an outside program on its turn |
//! | `question.rs` | the one shape that is only read: a [`Question`] |
//! | `schema.rs` | the schemas of types that write their own JSON, with the feature `schema` |
//!
//! ```
//! use spoton::format::Listed;
//! use spoton::json;
//!
//! let games = json::games(Listed::shipped().collect::<Vec<_>>().iter());
//! let games = serde_json::to_value(games)?;
//! let keys: Vec<&String> = games[0].as_object().unwrap().keys().collect();
//! assert_eq!(keys, ["game", "own_file", "valid", "title", "summary", "suits", "variants"]);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod arena;
mod audit;
mod bench;
mod books;
mod check;
mod error;
mod idea;
mod invented;
mod map;
mod opponents;
mod parts;
mod position;
mod puzzle;
mod question;
mod review;
mod round;
#[cfg(feature = "schema")]
mod schema;
mod solution;
mod summary;
mod sweep;
mod table;
mod turn;

use opponents::ladder;

pub use arena::{
    InItsPlace, Meeting, NamedPlayer, OddsByStarter, Prompting, SeatOdds, SeatResult, asked, meeting,
};
pub use audit::{Audit, Better, NeverFires, OneLineRule, ReferencePairs, TenDigits, TestedClaim, audit};
pub use bench::{Bench, Results, Score, SeatScore, bench, score};
pub use books::{ListedGame, Rules, games, rules};
pub use check::{Check, Problem, Severity, Unreadable, check, problem, unreadable};
pub use error::{Error, error, error_at};
pub use idea::{Idea, IdeaVerdict, idea};
pub use invented::{
    Certificate, CertifiedWinner, Invented, StreakLength, Today, TodaysResult, invented, invented_to_play,
    today,
};
pub use map::{Map, map};
pub use opponents::{Ladder, LadderRow, Odds, Opponent, PairOdds, odds, opponent, opponents};
pub use parts::{About, Chosen, Outcome, PlayerNumber, Value, Verdict, Whole};
pub use position::{Barred, Position, Used, Uses, position};
pub use puzzle::{NoPuzzle, Puzzle, no_puzzle, puzzle};
pub use question::{BadQuestion, Question, setting_value};
pub use review::{PlayerReview, Review, ReviewedMove, TurningPoint, UnmadeChoice, review};
pub use round::{Round, WrittenMove, round};
pub use solution::{JudgedMove, Solution, outcome_of, solution, verdict_of};
pub use summary::{Counts, SummaryLine, summary};
pub use sweep::{Pattern, Sweep, Target, sweep};
pub use table::{Allowed, Ending, MadeMove, OfferedMove, OpenOffer, SeatedPlayer, Table, table};
pub use turn::{DataRequest, PromptRequest, RefusedAnswer, Request, RequestRules, Turn};
