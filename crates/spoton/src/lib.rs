//! Spot On: two-player number duels as data.
//!
//! Two players take turns changing a number. Landing exactly on the target wins. A game is a rule book: a TOML text,
//! parsed into a [`Draft`](format::Draft) and built into a [`Rulebook`](format::Rulebook), which can always be played.
//!
//! # The folders
//!
//! The folders, from the bottom up. Every folder uses only the folders above it in this table. The first four are in the
//! crate `spoton-core`, which this one re-exports.
//!
//! | folder | contents | uses |
//! |---|---|---|
//! | [`engine`] | the rules: positions, legal moves, rounds and matches | a `Rulebook` |
//! | [`mod@format`] | from text to a rule book that can always be played | text |
//! | [`records`] | stored rounds: text and JSON, written and replayed | a `Round`, a `Draft` |
//! | [`solver`] | the value of every position, within a budget | a `Rulebook`, a `Budget` |
//! | [`day`], [`discovery`] | a calendar day; what discovery mode hides | nothing |
//! | [`solved`] | the shared solution of a game | the solver, a `Round` |
//! | [`teach`] | hints, reviews, maps, ideas and puzzles | the shared solution |
//! | [`evaluate`] | computer players with exact odds; results over many rounds | the shared solution, reviews |
//! | [`design`] | audits, new games, and the daily duel | all of the above |
//! | [`words`] | dialogue, sentences and pages; parsers for what players type | all of the above |
//! | [`sitting`] | rounds between the same two players: commands in, events out | all of the above |
//! | [`view`] | what one viewer sees of a table and may do there | a `Sitting` |
//! | [`json`] | the JSON of every answer, for programs | all of the above |
//!
//! # A tour
//!
//! **Read a rule book.** All errors are reported together, with line and column. A program can also build one key by
//! key with a [`RulebookBuilder`](format::RulebookBuilder).
//!
//! ```
//! use spoton::format::Draft;
//!
//! let text = r#"
//! title = "Ten"
//! start = 1
//! target = 10
//! moves = ["+1", "x2"]
//! "#;
//! let rulebook = Draft::read("ten.toml", text).build()?;
//! assert_eq!(rulebook.target(), Some(10));
//!
//! let problems = Draft::read("oops.toml", "title = 3\nstart = 1\ntraget = 9\nmoves = ['+1']").build().unwrap_err();
//! let places: Vec<String> = problems.iter().map(|problem| problem.place.to_string()).collect();
//! assert_eq!(places, ["oops.toml:1:9", "oops.toml:3:1"]); // a mistyped key isn't also reported as missing
//! # Ok::<(), spoton::format::Problems>(())
//! ```
//!
//! **Play.** The engine works on small positions, each with a short text form. A round adds the history.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::play::{Ending, Move, Situation};
//! use spoton::engine::{position::Player, round::Round};
//! # use spoton::format::RulebookBuilder;
//!
//! # let rulebook = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let opening = rulebook.opening(Player::One);
//! assert_eq!(rulebook.position_text(&opening), "1;1"); // at 1, Player 1 is to move
//! let numbers: Vec<i128> = rulebook.offers(&opening).filter_map(|offer| offer.result.ok()).collect();
//! assert_eq!(numbers, [2, 2]);
//!
//! let mut round = Round::new(Arc::new(rulebook), Player::One);
//! while let Situation::Choose(legal) = round.situation() {
//!     let double = legal.iter().last().expect("there is something to choose");
//!     round.play(Move::Operation(double))?;
//! }
//! let outcome = round.outcome().expect("the round is over");
//! assert_eq!((outcome.winner, outcome.ending), (Some(Player::One), Ending::Overshot)); // 1 2 4 8 16
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Solve.** A budget limits how much memory an answer may use. If a game doesn't fit, the solver returns an error
//! before it starts.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::solver::{Budget, Solver, Value};
//! # use spoton::format::RulebookBuilder;
//!
//! # let rulebook = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let rulebook = Arc::new(rulebook);
//! let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(16 << 20))?;
//! let verdict = solver.verdict(&rulebook.read_position("4;1")?).expect("play can reach 4");
//! assert_eq!((verdict.value, verdict.remoteness()), (Value::Win, Some(3))); // 4 8 9 10
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Coach.** A [`SolvedGame`](solved::SolvedGame) computes everything once and caches it: hints, reviews,
//! maps, opponents.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//! use spoton::words::coach::Words;
//! # use spoton::format::RulebookBuilder;
//!
//! # let rulebook = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let rulebook = Arc::new(rulebook);
//! let game = SolvedGame::new(Arc::clone(&rulebook));
//! let round = Round::new(Arc::clone(&rulebook), Player::One);
//! let outlook = game.outlook(&round, &mut Budget::patient(16 << 20))?;
//! let words = Words { rulebook: &rulebook, turn: Player::One };
//! let said = words.why(&outlook.expect("the round is not over"), None);
//! assert_eq!(said[0], "You can force a win within 7 moves.");
//! assert_eq!(said[1], "  +1 and x2: you can force a win.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Play a match.** A [`Sitting`](sitting::Sitting) takes commands and returns events. Store only the events. The
//! sitting decides the rest, including the computer's moves and the match score.
//!
//! ```
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::evaluate::opponent::Opponent;
//! use spoton::format::{BookText, Changes, Game};
//! use spoton::sitting::{Command, Dice, Lookahead, Setup, Sitting};
//! use spoton::solved::SolvedGames;
//!
//! let maze = BookText::shipped("number-maze").expect("the game is shipped");
//! let game = Game::new(maze, "number-maze".to_owned(), &Changes::default())?;
//! let computers = ByPlayer([None, Some(Opponent::parse("dash")?)]);
//! let setup = Setup::new(game, computers, Player::One, Dice::new(7));
//! let games = SolvedGames::new(16 << 20);
//! let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
//!
//! let (mut sitting, begun) = Sitting::begin(setup, ahead)?;
//! let mut log = vec![begun];
//! log.push(sitting.act(Command::Write("+1".to_owned()))?);
//! let answer = sitting.computers_choice(ahead)?.expect("it's the computer's turn");
//! log.push(sitting.act(Command::Play(answer))?);
//! assert_eq!(Sitting::replay(log)?.round().history().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The library is pure: it has no input, output, clock or global state. Surfaces decide where its text appears.
#![warn(missing_docs)]

pub mod day;
pub mod design;
pub mod discovery;
pub mod evaluate;
pub mod json;
pub mod sitting;
pub mod solved;
pub mod teach;
pub mod view;
pub mod words;

#[doc(inline)]
pub use spoton_core::{engine, format, records, solver};

/// The README's example compiles and holds.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
