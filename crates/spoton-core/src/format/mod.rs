//! Rule books: games as data.
//!
//! A [`Draft`] holds what was read, valid or not. [`Draft::build`] turns it into a [`Rulebook`], which can always be
//! played. [`catalog`] has the games that ship with Spot On. A [`Game`] is a book with a variant and settings.
//!
//! | file | contents |
//! |---|---|
//! | `reader.rs` | parses TOML into a `Draft` and checks bounds; `reader/` has moves, number lists and sentences |
//! | `setting.rs`, `builder.rs` | parses `key=value`; builds a book key by key from code |
//! | `draft.rs` | layers: extended book, file, variant, settings |
//! | `build.rs` | finds contradictions and fills in defaults; `build/menus.rs` limits the moves per number |
//! | `check.rs` | warnings about valid books; `check/` has moves, lists and texts |
//! | `numbers.rs` | number lists as the text gives them |
//! | `canonical.rs` | a book on one line, for records, fingerprints and cache keys |
//! | `game.rs`, `called.rs`, `listed.rs` | a game with variant and settings; lookup by part of a name; entries of game lists |
//! | `catalog.rs` | the list of shipped games |
//! | `source.rs` | positions in texts, and problems at them |
//! | `template.rs`, `edited.rs` | a starter book; settings written back into a book's text |
//! | `unspoiled.rs` | a book's text without claims, notes and comments |
//!
//! ```
//! use spoton::format::{Draft, RulebookBuilder};
//!
//! let text = "title = 'Ten'\nstart = 1\ntarget = 10\nmoves = ['+1', 'x2']";
//! let read = Draft::read("ten.toml", text).build()?;
//! let built = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! assert_eq!(read, built);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

mod build;
mod builder;
mod called;
mod canonical;
pub mod catalog;
mod check;
mod draft;
mod edited;
mod game;
mod listed;
mod numbers;
mod reader;
mod setting;
mod source;
mod template;
mod unspoiled;

pub use builder::{NewEntry, NewItem, RulebookBuilder};
pub use called::{BadName, called};
pub use canonical::fingerprint;
pub use check::{check, check_while};
pub use draft::{Draft, UnknownVariant};
pub use edited::edited;
pub use game::{BadGame, BookText, Changes, Game, Setting, span_of_targets};
pub use listed::Listed;
pub use reader::LARGEST_FILE;
pub use source::{Place, Problem, Problems, Severity, Source, nearest};
pub use template::{TEMPLATE, text_like};
pub use unspoiled::unspoiled;

pub use crate::engine::rulebook::{
    COMMAND_WORDS, Claim, Direction, Entry, LARGEST, MatchForm, Menu, NoRepeat, NumberList, Numbers, On, Op,
    Past, Pool, Reach, Rulebook, Sentence, SentenceInfo, Stuck, Template, Uses, Wording,
};
pub(crate) use crate::text::is_unfit;
pub use crate::text::{is_hidden, quotable, shown, shown_lines};
