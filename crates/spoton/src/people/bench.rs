//! Sets of fifty certified games to measure players with, from one hidden choice to twenty; and how a player did on one.
//!
//! Version 1 of the set never changes: its books are kept as they were invented, and a test invents them again. The set of
//! a day is drawn from its date, the same for everybody: anybody can make it, but it stands in no book until somebody puts it there.
//!
//! ```
//! use spoton::people::bench::Set;
//!
//! let set = Set::fixed();
//! assert_eq!((set.books.len(), set.books[0].depth, set.books[49].depth), (50, 1, 20));
//! let game = set.books[0].game()?;
//! assert_eq!(game.id(), "bench-1-01");
//! # Ok::<(), spoton::format::BadGame>(())
//! ```

mod played;

pub use played::{NoScore, Played, PlayedGame, Reviewed};

use super::arena::{Meeting, SeatResult};
use super::chances::Odds;
use super::day::Day;
use super::invent::{Bounds, Inventor};
use super::summary::Line;
use crate::engine::position::{ByPlayer, Player};
use crate::format::{BadGame, BookText, Changes, Game, fingerprint};
use crate::solver::{Budget, Unsolved};

/// Fifty games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// The version of the fixed set, or the day of a fresh one.
    pub name: String,
    /// The games, from the shallowest to the deepest.
    pub books: Vec<Book>,
}

/// A game of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// What it is called: `bench-1-07`.
    pub id: String,
    /// How many of its choices matter without showing it at once.
    pub depth: u64,
    /// The rule book, with its certificate as a comment.
    pub text: String,
}

impl Book {
    /// The game, to be played.
    ///
    /// # Errors
    ///
    /// Never, for a book of a set.
    pub fn game(&self) -> Result<Game, BadGame> {
        let (id, source_name) = (self.id.clone(), format!("{}.toml", self.id));
        let book = BookText { id, own_file: true, source_name, text: self.text.clone() };
        Game::new(book, self.id.clone(), &Changes::default())
    }
}

/// How many games a set has, and how deep the deepest are.
const BOOKS: u64 = 50;
const DEEPEST: u64 = 20;
/// The only version of the fixed set so far. It never changes.
const VERSION: u64 = 1;
const VERSION_1: &str = include_str!("bench/set-1.txt");
/// What stands between two books there.
const BETWEEN: &str = "---\n";

/// How deep a game of a set is, by its place from 0: every depth has two or three.
fn depth(place: u64) -> u64 {
    1 + place * DEEPEST / BOOKS
}

/// What the games of a depth must be like. Guessing gets nowhere in the deeper ones.
fn bounds(depth: u64) -> Bounds {
    Bounds {
        length: 4..=21,
        subtle: depth..=depth,
        guess: Bounds::usual().guess.filter(|_| depth >= DEEPEST / 2),
    }
}

impl Set {
    /// Version 1.
    pub fn fixed() -> Set {
        Set::of(VERSION.to_string(), VERSION_1.split(BETWEEN).map(str::to_owned))
    }

    /// The set of a day.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
    pub fn fresh(day: Day, budget: &mut Budget<'_>) -> Result<Set, Unsolved> {
        Ok(Set::of(day.to_string(), invent(day.number(), budget)?.into_iter()))
    }

    /// The fixed set as it was invented, to be held against the one that is kept.
    ///
    /// # Errors
    ///
    /// If the caller does not want to go on.
    pub fn invented_again(budget: &mut Budget<'_>) -> Result<Set, Unsolved> {
        Ok(Set::of(VERSION.to_string(), invent(VERSION, budget)?.into_iter()))
    }

    fn of(name: String, texts: impl Iterator<Item = String>) -> Set {
        let books = (0..).zip(texts).map(|(place, text)| Book {
            id: format!("bench-{name}-{:02}", place + 1),
            depth: depth(place),
            text,
        });
        Set { books: books.collect(), name }
    }

    /// The books as they are kept.
    pub fn text(&self) -> String {
        self.books.iter().map(|book| book.text.as_str()).collect::<Vec<_>>().join(BETWEEN)
    }

    /// A short text that is the same only for the same books: 16 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", fingerprint(self.text().as_bytes()))
    }
}

/// The books of a seed: each depth has an inventor of its own.
fn invent(seed: u64, budget: &mut Budget<'_>) -> Result<Vec<String>, Unsolved> {
    let mut texts = Vec::new();
    for depth in 1..=DEEPEST {
        let mut inventor = Inventor::new(seed * 100 + depth, bounds(depth));
        for _ in (0..BOOKS).filter(|place| self::depth(*place) == depth) {
            // There are always enough of them.
            texts.extend(inventor.next(budget)?.map(|invented| invented.text));
        }
    }
    Ok(texts)
}

/// How a player did on a set, by seat: never one number alone.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Going first, and going second.
    pub seats: [SeatScore; 2],
    /// How often the player, if it is a program, wrote something that nobody had asked for.
    pub unasked: u64,
}

/// How a player did from one seat over many games, beside what perfect play and guessing would. Shares are of rounds won.
#[derive(Clone, Debug, Default)]
pub struct SeatScore {
    /// How many times the seat was counted: what the sums below are over.
    times: u32,
    perfect: Option<f64>,
    careful: Option<f64>,
    exact: Option<f64>,
    /// What was played.
    pub got: Line,
}

impl SeatScore {
    /// How many rounds of all a perfect player would win there against the same opponent, exactly. Against a perfect one nobody
    /// can win more; against a weaker one, whoever sets traps can.
    pub fn perfect(&self) -> Option<f64> {
        self.share(self.perfect)
    }

    /// How many the careful guesser would.
    pub fn careful(&self) -> Option<f64> {
        self.share(self.careful)
    }

    /// How many this player would, if its every chance is known.
    pub fn exact(&self) -> Option<f64> {
        self.share(self.exact)
    }

    /// Together with another seat.
    fn and(&self, other: &SeatScore) -> SeatScore {
        let sum = |one: Option<f64>, two: Option<f64>| Some(one? + two?);
        let mut got = self.got;
        got.add(&other.got);
        SeatScore {
            times: self.times + other.times,
            perfect: sum(self.perfect, other.perfect),
            careful: sum(self.careful, other.careful),
            exact: sum(self.exact, other.exact),
            got,
        }
    }

    fn share(&self, sum: Option<f64>) -> Option<f64> {
        Some(sum? / f64::from(self.times.max(1)))
    }
}

impl Score {
    /// Both seats together; `None` if one was played more often than the other, since they are not worth the same.
    pub fn both_seats(&self) -> Option<SeatScore> {
        let [first, second] = &self.seats;
        (first.got.rounds == second.got.rounds).then(|| first.and(second))
    }

    /// Counts one more game, in which the player was Player 1. Both seats count, whether they were played or not.
    pub fn count(&mut self, meeting: &Meeting, names: &ByPlayer<String>) {
        for seat in meeting.seats(names).iter().filter(|seat| seat.player == Player::One) {
            self.count_seat(seat, 1);
        }
        self.unasked += meeting.unasked[Player::One];
    }

    /// Counts the rounds of one more game, in which the player was this one. Only seats that were played count, and each
    /// as often as it was: so what perfect play would win stands beside what was got for whatever rounds there are.
    pub fn count_played(&mut self, meeting: &Meeting, names: &ByPlayer<String>, player: Player) {
        for seat in meeting.seats(names).iter().filter(|seat| seat.player == player) {
            if let Some(line) = seat.got {
                self.count_seat(seat, line.rounds);
            }
        }
    }

    /// Counts a seat so many times.
    fn count_seat(&mut self, seat: &SeatResult<'_>, times: u32) {
        let score = &mut self.seats[usize::from(seat.second)];
        score.times += times;
        let add = |sum: &mut Option<f64>, odds: Option<Odds>| {
            if let Some(odds) = odds {
                *sum = Some(sum.unwrap_or_default() + odds.wins[seat.player] * f64::from(times));
            }
        };
        add(&mut score.perfect, seat.perfect);
        add(&mut score.careful, seat.careful);
        add(&mut score.exact, seat.exact);
        if let Some(line) = seat.got {
            score.got.add(line);
        }
    }
}
