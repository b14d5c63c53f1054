//! Spot On: two-player number duels as data.
//!
//! Two players change a number by turns until someone lands spot on the target, or shoots past it. A game is a
//! rule book: a TOML text, read into a [`Draft`](format::Draft) and built into a
//! [`Rulebook`](format::Rulebook), which can always be played.
//!
//! # The folders
//!
//! | folder | what it has |
//! |---|---|
//! | [`mod@format`] | rule books: read, built, checked, and the games that come with Spot On |
//! | [`engine`] | the rules at work: positions, legal moves, rounds and matches |
//! | [`solver`] | what every position is worth, within a budget |
//! | [`people`] | hints, reviews, ideas, maps, and computer players with their exact chances |
//! | [`sitting`] | rounds one after another with all that belongs to them: commands in, events out |
//! | [`records`] | rounds written down, read and replayed |
//! | [`words`] | the words for all of it, and what players type understood |
//! | [`json`] | the same answers for programs |
//!
//! # A tour
//!
//! **Read a rule book.** Mistakes are told all at once, with their places. A program can also make one key by key,
//! with a [`RulebookBuilder`](format::RulebookBuilder).
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
//! **Play.** The engine works on small positions, which have a short text each; a round keeps the history.
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
//! **Solve.** A budget says how many bytes an answer may take; what is too large is refused, not tried.
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
//! **Coach.** A [`SolvedGame`](people::solved_game::SolvedGame) finds everything once and keeps it: hints, reviews,
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
//! **Sit down to play.** A [`Sitting`](sitting::Sitting) takes commands and gives events, which are all that has to be
//! kept: it decides everything else by itself, computers' moves and matches included.
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
