//! The rules: positions, the one legality check, rounds and matches.
//!
//! | file | contents |
//! |---|---|
//! | `operation.rs` | `+1`, `-1`, `x2`, `/2`: exact 128-bit arithmetic, preimages and direction |
//! | `computed.rs` | amounts that depend on the number (`-divisor`) |
//! | `number_kind.rs` | kinds of numbers (even, prime …) and conditions on them |
//! | `rulebook/` | a playable game: its keys, entries, number lists and sentences |
//! | `position.rs` | `Player`, `ByPlayer`, `Choice` (a written move), `EntryIndex`, `Position`: small values |
//! | `choices.rs` | compact sets of choices: a bit per operation, or per place in the menu of the current numbers |
//! | `alphabet.rs`, `observation.rs` | action and observation spaces for learning programs |
//! | `position_text.rs` | a position as short text such as `10;1` |
//! | `written.rs` | conversions between a choice, its operation, its entry, its label and its text |
//! | `spelling.rs`, `vocabulary.rs` | a move as people write it; the names of a round's moves |
//! | `play.rs` | the opening, the one legality check, the result of a move and the end of a round |
//! | `quiet.rs` | shortcut: precomputed numbers where nothing is refused and nothing ends |
//! | `batch.rs` | many rounds in parallel: `batch/lanes.rs` vectorizes simple books, `batch/general.rs` plays the rest |
//! | `round.rs`, `series.rs` | a round with history, undo and the house rule; a match |
//!
//! Only `operation.rs` looks at the sign of an operation. Both ways of playing a batch give the same rounds for the
//! same seed: `batch/game.rs` picks one, `batch/lane.rs` has the integer widths and `batch/chance.rs` the random
//! streams.
//!
//! ```
//! use spoton::engine::play::Move;
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let opening = maze.opening(Player::One);
//! let written: Vec<String> = maze.legal(&opening).iter().map(|choice| maze.write(Move::Operation(choice))).collect();
//! assert_eq!(written, ["+1", "x2"]);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

pub mod alphabet;
pub mod batch;
pub mod choices;
pub mod computed;
pub mod number_kind;
pub mod observation;
pub mod operation;
pub mod play;
pub mod position;
pub mod position_text;
pub(crate) mod quiet;
pub mod round;
pub mod rulebook;
pub mod series;
pub mod spelling;
pub mod vocabulary;
pub mod written;
