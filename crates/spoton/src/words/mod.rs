//! Words: games, rounds and answers as text, and parsers for what players type.
//!
//! | module | contents |
//! |---|---|
//! | [`dialogue`] | the sentences of line mode, from the book's wording |
//! | [`ending`] | how a round ended: one verdict, one sentence |
//! | [`menu`] | the lines of a menu and their keys |
//! | [`typed`] | parses what players type; `engine::spelling` has the spellings of a move |
//! | [`answer`] | parses answers of programs and language models (`docs/answers.md`) |
//! | [`prompt`], [`disguise`] | prompts for language models; the same game as another story |
//! | [`describe`] | the goal and rules of a book as sentences; `listed` has its number lists |
//! | [`coach`], [`idea`], [`review`], [`puzzle`], [`today`] | sentences for players; `portrait` has a game's badges, `out_of_reach` a warning |
//! | [`rules`] | the layout of a game's rules page; `describe` has its sentences |
//! | [`solution`], [`map`], [`opponents`], [`arena`], [`mod@bench`], [`summary`], [`audit`] | whole pages of text; `hand_out` prints a blank map |
//! | [`protocol`] | the line protocol of engines (`docs/engines.md`) |
//! | [`page`], [`phrases`] | line breaking; shared phrases |
//!
//! # Vocabulary
//!
//! Every sentence that people read uses the same word for the same thing:
//!
//! | word | meaning |
//! |---|---|
//! | game | what people choose to play; a *rule book* is its file, a *variant* a variation inside the file |
//! | round | one play from start to end |
//! | match | several rounds with a *score* |
//! | number, target | the number in play; the number to land on (never "goal") |
//! | move | what a player does on a turn; "operation" only in the format reference and the original books |
//! | amount | the 3 in `+3` |
//! | land exactly on, overshoot | reach the target; go past it |
//! | win, lose, draw | the results of a round |
//! | legal, not allowed | a move the rules permit, or don't (never "not possible", "not now") |
//! | no legal move, stuck | a player who can't move |
//! | uses, pass | how often a move can be used; a move that leaves the number unchanged |
//! | player, opponent | the two sides (never "the other player"); a *computer opponent* has a *level* |
//! | outside program | a player that is another program |
//! | undo | takes moves back |
//! | hint, coach | help during a round |
//! | idea | a strategy that a player *tests* |
//! | give up | ends a round as lost; typed as `resign` in line mode, a key of the format and of records |
//! | review, turning point | a finished round, move by move (never "look back"); the mistake that decided it |
//! | can force a win | wins whatever the opponent does |
//! | choice that matters | a position where some moves are worse; a "decision" in figures |
//! | the best move isn't obvious | a choice that needs looking ahead; "subtle" in claims |
//! | guessing | careful guessing: takes an immediate win, avoids an immediate loss, otherwise random |
//! | hidden win | a win that isn't obvious |
//! | stepping stone | a number to leave to the opponent |
//! | facts, claim | the audit of a game; what its rule book promises |
//! | save, resume | keeps an unfinished round; continues it |
//! | record | a saved finished round |
//! | join, host, invite, watch, share | how people meet on the web |
//! | class, pupil, teacher, partner | how a class plays |
//! | discovery mode | no hints or answers ("discovery" only as the setting's name) |
//! | today's duel, puzzle, streak | the daily challenges |
//! | option, default, seed, memory limit | settings |
//! | error, warning | problems |
//!
//! Surfaces pass in colours and any hints that only they have. Large answers such as maps implement `Display` and
//! stream because a single string would need more memory than the answer itself.
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::describe;
//!
//! let race = catalog::draft("race-to-23").unwrap().build()?;
//! assert_eq!(describe::goal(&race), "Land exactly on 23 to win. You can't go past it.");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

pub mod answer;
pub mod arena;
pub mod audit;
pub mod bench;
pub mod coach;
pub mod describe;
pub mod dialogue;
pub mod disguise;
pub mod ending;
mod hand_out;
pub mod idea;
mod listed;
pub mod map;
pub mod menu;
pub mod opponents;
mod out_of_reach;
pub mod page;
pub mod phrases;
mod portrait;
pub mod prompt;
pub mod protocol;
pub mod puzzle;
pub mod review;
pub mod rules;
pub mod solution;
pub mod summary;
pub mod today;
pub mod typed;
