//! A grading server's exam: the rounds that a model plays. The server's host sets them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::{Args, ValueEnum};
use serde::Serialize;
use spoton::day::Day;
use spoton::design::sets::Set;
use spoton::engine::position::Player;
use spoton::evaluate::opponent::Opponent;
use spoton::format::Game;
use spoton::solver::Budget;
use spoton::words::prompt;

use crate::answer::Refusal;
use crate::arguments::AskedGame;
use crate::limits::{BYTES_OF_A_JOB, MOST_EXAM_ROUNDS};
use crate::rounds::NoRound;
use crate::table::Terms;

/// The name of the fixed set, which never changes.
const FIXED: &str = "fixed";

/// The exam's terms. The model can't change them.
#[derive(Args, Debug)]
#[command(next_help_heading = "The exam")]
pub struct ExamArguments {
    /// Set an exam: no hints and no undo. Needs --game or --set
    #[arg(long)]
    pub graded: bool,
    /// Game to play: an id or a rule book file
    #[arg(long, value_name = "GAME", requires = "graded", conflicts_with = "set")]
    pub game: Option<String>,
    /// Variant of the game
    #[arg(long, value_name = "VARIANT", requires = "game")]
    pub variant: Option<String>,
    /// Set of 50 games instead: "fixed", or a day such as 2026-11-18
    #[arg(long, value_name = "SET", requires = "graded")]
    pub set: Option<String>,
    /// Opponent
    #[arg(long, value_name = "WHO", default_value = "perfect", requires = "graded")]
    pub opponent: String,
    /// The model's seat; "both" alternates
    #[arg(long, value_name = "SEAT", default_value = "both", requires = "graded")]
    pub seat: Seats,
    /// Rounds per game
    #[arg(long, value_name = "N", default_value_t = 2, requires = "graded", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// The opponent's random seed
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
    /// The model's player in round `number`, counted from 1. Player 1 always goes first.
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

/// The conditions of an exam.
#[derive(Debug, Serialize)]
struct About {
    /// The version of Spot On.
    version: &'static str,
    /// The set of games, if it's one of the benchmark's.
    set: Option<String>,
    /// The set's fingerprint.
    fingerprint: Option<String>,
    /// The game, if it's only one.
    game: Option<String>,
    variant: Option<String>,
    /// The opponent's id.
    opponent: String,
    /// The model's seat: `first`, `second` or `both`.
    seat: &'static str,
    rounds_of_each_game: u32,
    seed: u64,
    /// The fingerprint of the prompts' wording.
    prompt_fingerprint: String,
    /// The fingerprint of the instructions and tools.
    tools_fingerprint: String,
}

/// An exam and its progress.
#[derive(Debug, Serialize)]
pub struct Progress<'a> {
    #[serde(flatten)]
    about: &'a About,
    /// The number of rounds.
    rounds: u32,
    /// How many have begun.
    begun: u32,
    /// How many are over.
    finished: usize,
}

/// An exam, and how many of its rounds have begun.
#[derive(Debug)]
pub struct Exam {
    about: About,
    games: Vec<Game>,
    opponent: Opponent,
    seats: Seats,
    rounds: u32,
    seed: u64,
    begun: Mutex<u32>,
}

impl Exam {
    /// Reads the exam from the arguments. Returns `None` if rounds aren't graded.
    pub fn from_arguments(
        arguments: &ExamArguments,
        tools_fingerprint: String,
    ) -> Result<Option<Exam>, String> {
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
                let games = set.books.iter().map(spoton::design::sets::Book::game);
                let games = games.collect::<Result<Vec<Game>, _>>().map_err(|bad| refused(bad.into()))?;
                (Some(set), games)
            }
            (None, Some(name)) => (None, vec![find(name, variant.clone()).map_err(refused)?]),
            (None, None) => return Err("--graded needs --game or --set".to_owned()),
        };
        let total = u64::from(*rounds) * games.len() as u64;
        if total > u64::from(MOST_EXAM_ROUNDS) {
            return Err(format!("an exam has at most {MOST_EXAM_ROUNDS} rounds, but this one has {total}"));
        }
        let about = About {
            version: env!("CARGO_PKG_VERSION"),
            fingerprint: set.as_ref().map(Set::fingerprint),
            set: set.map(|set| set.name),
            game: game.clone(),
            variant: variant.clone(),
            opponent: opponent.to_string(),
            seat: seat.word(),
            rounds_of_each_game: *rounds,
            seed: *seed,
            prompt_fingerprint: prompt::fingerprint(),
            tools_fingerprint,
        };
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

    /// The next round: its number from 1, its game and its terms. Returns `None` if all have begun.
    pub fn next(&self) -> Option<(u32, Game, Terms)> {
        let place = *self.begun();
        let game = self.games.get((place / self.rounds) as usize)?;
        let number = place % self.rounds + 1;
        let terms = Terms {
            opponent: self.opponent,
            // Alternates over all rounds: with one round per game, the model still gets both seats.
            you: self.seats.of_round(place + 1),
            hints: false,
            take_back: false,
            seed: self.seed,
            number,
        };
        Some((place + 1, game.clone(), terms))
    }

    /// Begins a round, unless a concurrent call was faster.
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

    /// The exam and its progress.
    pub fn progress(&self, finished: usize) -> Progress<'_> {
        Progress { about: &self.about, rounds: self.total(), begun: *self.begun(), finished }
    }
}

/// A shipped game or a rule book file.
fn find(name: &str, variant: Option<String>) -> Result<Game, Refusal> {
    let is_file = name.ends_with(".toml") || name.contains(std::path::MAIN_SEPARATOR);
    let rulebook = match is_file {
        true => {
            let text = spoton_host::files::read_text(name.as_ref());
            Some(text.map_err(|bad| Refusal(bad.to_string()))?)
        }
        false => None,
    };
    let game = rulebook.is_none().then(|| name.to_owned());
    let game = AskedGame { game, rulebook, variant, target: None }.find()?;
    game.rulebook()?;
    Ok(game)
}
