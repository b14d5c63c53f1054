//! Spot On: two-player number duels as data.
//!
//! Two players take turns changing a number. Landing exactly on the target wins. A game is a rule book: a TOML text,
//! parsed into a [`Draft`](format::Draft) and built into a [`Rulebook`](format::Rulebook), which can always be played.
//!
//! # The folders
//!
//! From the bottom up. `format` and `engine` know each other. Every other folder uses only the folders above it in this
//! table and the shared phrases of `words`. Rule books and lists of moves also use `words/spelling.rs`, and `check`
//! uses `words/typed.rs`.
//!
//! | folder | contents | uses |
//! |---|---|---|
//! | `rulebooks/` | the games as TOML; no code knows one by name | the format |
//! | [`mod@format`] | from text to a rule book that can always be played | text |
//! | [`engine`] | the rules: positions, legal moves, rounds and matches | a `Rulebook` |
//! | [`records`] | stored rounds: text and JSON, written and replayed | a `Round`, a `Draft` |
//! | [`solver`] | the value of every position, within a budget | a `Rulebook`, a `Budget` |
//! | [`people`] | hints, reviews, maps, ideas, and computer players with exact odds | the solver, a `Round` |
//! | [`sitting`] | rounds between the same two players: commands in, events out | all of the above |
//! | [`words`] | dialogue, sentences and pages; parsers for what players type | values of the folders above |
//! | [`json`] | the JSON of every answer, for programs | values of the folders above |
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
//! assert_eq!(places, ["oops.toml:1:9", "oops.toml:3:1"]); // a mistyped key is not called missing as well
//! # Ok::<(), spoton::format::Problems>(())
//! ```
//!
//! **Play.** The engine works on small positions. Each has a short text. A round adds the history.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::play::{Ending, Move, Situation};
//! use spoton::engine::{position::Player, round::Round};
//! # use spoton::format::RulebookBuilder;
//!
//! # let rulebook = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let opening = rulebook.opening(Player::One);
//! assert_eq!(rulebook.position_text(&opening), "1;1"); // at 1, Player 1 is on turn
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
//! **Solve.** A budget limits the memory of an answer. The solver refuses a game that doesn't fit before it starts.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::solver::{Budget, Solver, Value};
//! # use spoton::format::RulebookBuilder;
//!
//! # let rulebook = RulebookBuilder::new("Ten").start(1).target(10).entries(["+1", "x2"]).build()?;
//! let rulebook = Arc::new(rulebook);
//! let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(16 << 20))?;
//! let verdict = solver.verdict(&rulebook.read_position("4;1")?).expect("play can come to 4");
//! assert_eq!((verdict.value, verdict.remoteness()), (Value::Win, Some(3))); // 4 8 9 10
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Coach.** A [`SolvedGame`](people::solved_game::SolvedGame) computes everything once and caches it: hints, reviews,
//! maps, opponents.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::people::coach::Words;
//! use spoton::people::solved_game::SolvedGame;
//! use spoton::solver::Budget;
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
//! assert_eq!(said[1], "  +1 and x2: whatever they do, you can force a win.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Play a match.** A [`Sitting`](sitting::Sitting) takes commands and returns events. Store the events and nothing
//! else: the sitting decides the rest, including the computer's moves and the score of a match.
//!
//! ```
//! use spoton::engine::play::Move;
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::format::{BookText, Changes, Game};
//! use spoton::people::opponent::Opponent;
//! use spoton::people::solved_game::SolvedGames;
//! use spoton::sitting::{Command, Dice, Lookahead, Setup, Sitting};
//!
//! let maze = BookText::shipped("number-maze").expect("it comes with Spot On");
//! let game = Game::new(maze, "number-maze".to_owned(), &Changes::default())?;
//! let computers = ByPlayer([None, Some(Opponent::parse("dash")?)]);
//! let setup = Setup::new(game, computers, Player::One, Dice::new(7));
//! let games = SolvedGames::new(16 << 20);
//! let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
//!
//! let (mut sitting, begun) = Sitting::begin(setup, ahead)?;
//! let mut log = vec![begun];
//! log.extend(sitting.act(Command::Write("+1".to_owned()))?);
//! let answer = sitting.computers_choice(ahead)?.expect("the computer is on turn");
//! log.extend(sitting.act(Command::Play(Move::Operation(answer)))?);
//! assert_eq!(Sitting::replay(log)?.round().history().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The library is pure: it has no input, output, clock or global state. Surfaces choose where its words go.
#![warn(missing_docs)]

pub mod engine;
pub mod format;
pub mod json;
pub mod people;
pub mod records;
pub mod sitting;
pub mod solver;
pub mod words;
