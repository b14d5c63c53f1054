//! The exam of a server that grades: the rounds that a model plays, set by the person who starts the server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use spoton::engine::position::Player;
use spoton::format::Game;
use spoton::people::bench::Set;
use spoton::people::day::Day;
use spoton::people::opponent::Opponent;
use spoton::solver::Budget;

use crate::answer::Refusal;
use crate::asked::{AskedGame, own_book};
use crate::limits::{BYTES_OF_A_JOB, MOST_EXAM_ROUNDS};
use crate::rounds::NoRound;
use crate::table::Terms;

/// The word for the set that never changes.
const FIXED: &str = "fixed";

/// What the exam is. The model cannot change it.
#[derive(Args, Debug)]
#[command(next_help_heading = "The exam")]
pub struct ExamArguments {
    /// No hints, no undo, and an exam that the model cannot choose: --game or --set says which
    #[arg(long)]
    pub graded: bool,
    /// The game of the exam: an id, or a rule book file
    #[arg(long, value_name = "GAME", requires = "graded", conflicts_with = "set")]
    pub game: Option<String>,
    /// A variant of the game
    #[arg(long, value_name = "VARIANT", requires = "game")]
    pub variant: Option<String>,
    /// Instead of a game, a set of fifty: "fixed", or a day such as 2026-11-18
    #[arg(long, value_name = "SET", requires = "graded")]
    pub set: Option<String>,
    /// The opponent
    #[arg(long, value_name = "WHO", default_value = "perfect", requires = "graded")]
    pub opponent: String,
    /// The model's seat; both takes turns
    #[arg(long, value_name = "SEAT", default_value = "both", requires = "graded")]
    pub seat: Seats,
    /// Rounds of each game
    #[arg(long, value_name = "N", default_value_t = 2, requires = "graded", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Random seed of the opponent
    #[arg(long, value_name = "N", default_value_t = 1, requires = "graded")]
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Seats {
    First,
    Second,
    Both,
}

impl Seats {
    /// The model's place in a round of the exam, counted from 1. Player 1 always goes first.
    fn of_round(self, number: u32) -> Player {
        match self {
            Seats::First => Player::One,
            Seats::Second => Player::Two,
            Seats::Both if number % 2 == 1 => Player::One,
            Seats::Both => Player::Two,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Seats::First => "first",
            Seats::Second => "second",
            Seats::Both => "both",
        }
    }
}

/// An exam, and how many of its rounds have begun.
#[derive(Debug)]
pub struct Exam {
    about: Json,
    games: Vec<Game>,
    opponent: Opponent,
    seats: Seats,
    rounds: u32,
    seed: u64,
    begun: Mutex<u32>,
}

impl Exam {
    /// The exam that was asked for; `None` if rounds are not graded.
    pub fn of(arguments: &ExamArguments) -> Result<Option<Exam>, String> {
        let ExamArguments { graded, game, variant, set, opponent, seat, rounds, seed } = arguments;
        if !graded {
            return Ok(None);
        }
        let opponent = Opponent::parse(opponent).map_err(|unknown| unknown.to_string())?;
        let refused = |Refusal(why): Refusal| why;
        let (set, games) = match (set, game) {
            (Some(name), _) => {
                let set = match name.as_str() {
                    FIXED => Set::fixed(),
                    day => {
                        let day = day.parse::<Day>();
                        let day = day.map_err(|bad| format!("--set takes \"{FIXED}\" or a day: {bad}"))?;
                        Set::fresh(day, &mut Budget::patient(BYTES_OF_A_JOB))
                            .map_err(|why| why.to_string())?
                    }
                };
                let games = set.books.iter().map(spoton::people::bench::Book::game);
                let games = games.collect::<Result<Vec<Game>, _>>().map_err(|bad| refused(bad.into()))?;
                (Some(set), games)
            }
            (None, Some(name)) => (None, vec![find(name, variant.clone()).map_err(refused)?]),
            (None, None) => return Err("--graded needs --game or --set".to_owned()),
        };
        let total = u64::from(*rounds) * games.len() as u64;
        if total > u64::from(MOST_EXAM_ROUNDS) {
            return Err(format!("an exam has at most {MOST_EXAM_ROUNDS} rounds, and this one has {total}"));
        }
        let about = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "set": set.as_ref().map(|set| &set.name),
            "fingerprint": set.as_ref().map(Set::fingerprint),
            "game": game,
            "variant": variant,
            "opponent": opponent.to_string(),
            "seat": seat.word(),
            "rounds_of_each_game": rounds,
            "seed": seed,
        });
        Ok(Some(Exam {
            about,
            games,
            opponent,
            seats: *seat,
            rounds: *rounds,
            seed: *seed,
            begun: Mutex::default(),
        }))
    }

    fn begun(&self) -> MutexGuard<'_, u32> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn total(&self) -> u32 {
        self.rounds * self.games.len() as u32
    }

    /// The next round: its number from 1, its game and its terms; `None` if all have begun.
    pub fn next(&self) -> Option<(u32, Game, Terms)> {
        let place = *self.begun();
        let game = self.games.get((place / self.rounds) as usize)?;
        let number = place % self.rounds + 1;
        let terms = Terms {
            opponent: self.opponent,
            // Over all rounds, so that one round of each game has both seats, too.
            you: self.seats.of_round(place + 1),
            hints: false,
            take_back: false,
            seed: self.seed,
            number,
        };
        Some((place + 1, game.clone(), terms))
    }

    /// Begins a round, unless another call was faster.
    pub fn begin<T>(&self, number: u32, begin: impl FnOnce() -> Result<T, NoRound>) -> Result<T, NoRound> {
        let mut begun = self.begun();
        if *begun + 1 != number {
            return Err(NoRound::Changed);
        }
        let kept = begin()?;
        *begun = number;
        Ok(kept)
    }

    pub fn is_all_begun(&self) -> bool {
        *self.begun() == self.total()
    }

    /// The exam, and how far it has come.
    pub fn to_json(&self, finished: usize) -> Json {
        let mut told = self.about.clone();
        told["rounds"] = self.total().into();
        told["begun"] = (*self.begun()).into();
        told["finished"] = finished.into();
        told
    }
}

/// A shipped game, or a rule book file.
fn find(name: &str, variant: Option<String>) -> Result<Game, Refusal> {
    let is_file = name.ends_with(".toml") || name.contains(std::path::MAIN_SEPARATOR);
    let rulebook = match is_file {
        true => {
            let text = std::fs::read_to_string(name);
            let text = text.map_err(|error| Refusal(format!("cannot read {name}: {error}")))?;
            Some(own_book(text)?.text)
        }
        false => None,
    };
    let game = rulebook.is_none().then(|| name.to_owned());
    let game = AskedGame { game, rulebook, variant, target: None }.find()?;
    game.rulebook()?;
    Ok(game)
}
