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

use super::arena::{Asked, Meeting, SeatResult};
use super::chances::Odds;
use super::day::Day;
use super::interval::Clusters;
use super::invent::{Bounds, Inventor};
use super::opponent::Opponent;
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

/// What a result depends on, beside the player and the set.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The version of Spot On.
    pub version: &'static str,
    /// Whom the player met.
    pub against: Opponent,
    /// The seed of all chance.
    pub seed: u64,
    /// How many rounds of each game there were.
    pub rounds: u32,
    /// Which seat the player had: `first`, `second` or `both`.
    pub seat: &'static str,
    /// How the player was asked, if it is a program.
    pub asked: Option<Asked>,
    /// How long a program had for an answer, in milliseconds.
    pub move_time: Option<u64>,
}

/// How a player did on many games, by seat: never one number alone.
#[derive(Clone, Debug)]
pub struct Score {
    against: Opponent,
    games: Vec<GameScore>,
    /// How often the player, if it is a program, wrote something that nobody had asked for.
    pub unasked: u64,
}

/// How a player did on one game: all of its rounds are one observation.
#[derive(Clone, Debug)]
struct GameScore {
    game: String,
    /// Going first, and going second.
    seats: [SeatCount; 2],
}

/// What was counted from one seat of a game. Expectations are sums over as many times as the seat was counted.
#[derive(Clone, Copy, Debug, Default)]
struct SeatCount {
    times: u32,
    perfect: Option<f64>,
    careful: Option<f64>,
    exact: Option<f64>,
    /// How many of the rounds that were played a perfect player would win.
    ceiling: f64,
    got: Line,
}

/// How a player did from one seat over many games, beside what perfect play and guessing would. Shares are of rounds won.
#[derive(Clone, Debug)]
pub struct SeatScore {
    /// The share of rounds that a perfect player would win there against the same opponent, exactly. Against a perfect one
    /// nobody can win more; against a weaker one, a player who sets traps can.
    pub perfect: Option<f64>,
    /// The share that the careful guesser would win.
    pub careful: Option<f64>,
    /// The share that this player would win, if its every chance is known.
    pub exact: Option<f64>,
    /// What was won of what perfect play would have won; `None` if that is nothing.
    pub of_ceiling: Option<f64>,
    /// The 95% interval of that.
    pub of_ceiling_interval: Option<[f64; 2]>,
    /// What was played.
    pub got: Line,
}

impl SeatCount {
    /// Counts a seat so many times.
    fn count(&mut self, seat: &SeatResult<'_>, times: u32) {
        self.times += times;
        let wins = |odds: Option<Odds>| odds.map(|odds| odds.wins[seat.player]);
        let add = |sum: &mut Option<f64>, odds: Option<Odds>| {
            if let Some(wins) = wins(odds) {
                *sum = Some(sum.unwrap_or_default() + wins * f64::from(times));
            }
        };
        add(&mut self.perfect, seat.perfect);
        add(&mut self.careful, seat.careful);
        add(&mut self.exact, seat.exact);
        if let Some(line) = seat.got {
            self.ceiling += wins(seat.perfect).unwrap_or_default() * f64::from(line.rounds);
            self.got.merge(line);
        }
    }
}

impl Score {
    /// No games so far, against an opponent.
    pub fn against(opponent: Opponent) -> Score {
        Score { against: opponent, games: Vec::new(), unasked: 0 }
    }

    /// Going first, and going second.
    pub fn seats(&self) -> [SeatScore; 2] {
        [0, 1].map(|seat| self.over(&[seat]))
    }

    /// Both seats together; `None` if one was played more often than the other, since they are not worth the same.
    pub fn both_seats(&self) -> Option<SeatScore> {
        let [first, second] = self.seats();
        (first.got.rounds == second.got.rounds).then(|| self.all())
    }

    /// All rounds, from whichever seat.
    pub fn all(&self) -> SeatScore {
        self.over(&[0, 1])
    }

    /// Some seats of all games. The seats of a game belong together: who has understood it wins from one, and not the other.
    fn over(&self, seats: &[usize]) -> SeatScore {
        let counts = || self.games.iter().flat_map(|game| seats.iter().map(|seat| &game.seats[*seat]));
        let times: u32 = counts().map(|count| count.times).sum();
        let share = |of: fn(&SeatCount) -> Option<f64>| {
            let known: Vec<f64> = counts().filter(|count| count.times > 0).map(of).collect::<Option<_>>()?;
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / f64::from(times))
        };
        let of_game = |game: &GameScore| {
            let (mut line, mut ceiling) = (Line::default(), 0.0);
            for seat in seats {
                line.merge(&game.seats[*seat].got);
                ceiling += game.seats[*seat].ceiling;
            }
            (line, ceiling)
        };
        let games: Vec<(Line, f64)> = self.games.iter().map(of_game).collect();
        let played: Vec<&(Line, f64)> = games.iter().filter(|(line, _)| line.rounds > 0).collect();
        let ceilings = match played[..] {
            // Of a single game, the rounds are the observations.
            [(Line { won, rounds, .. }, ceiling)] => {
                let won = |round| f64::from(u8::from(round < *won));
                Clusters::of((0..*rounds).map(|round| (won(round), ceiling / f64::from(*rounds))))
            }
            _ => Clusters::of(played.iter().map(|(line, ceiling)| (f64::from(line.won), *ceiling))),
        };
        let (perfect, exact) = (share(|count| count.perfect), share(|count| count.exact));
        let (of_ceiling, of_ceiling_interval) = match (perfect, exact) {
            (None, _) => (None, None),
            // Without chance in it, it has no interval.
            (Some(perfect), Some(exact)) => ((perfect > 0.0).then(|| exact / perfect), None),
            (Some(_), None) if self.against == Opponent::perfect() => (ceilings.share(), ceilings.interval()),
            (Some(_), None) => (ceilings.share(), ceilings.ratio_interval()),
        };
        SeatScore {
            perfect,
            careful: share(|count| count.careful),
            exact,
            of_ceiling,
            of_ceiling_interval,
            got: Line::over_games(games.into_iter().map(|(line, _)| line)),
        }
    }

    /// Counts one more game, in which the player was Player 1. Both seats count, whether they were played or not.
    pub fn count(&mut self, game: &str, meeting: &Meeting, names: &ByPlayer<String>) {
        for seat in meeting.seats(names).iter().filter(|seat| seat.player == Player::One) {
            self.game(game).seats[usize::from(seat.second)].count(seat, 1);
        }
        self.unasked += meeting.unasked[Player::One];
    }

    /// Counts rounds of a game, in which the player was this one. Only seats that were played count, and each
    /// as often as it was: so what perfect play would win stands beside what was got for whatever rounds there are.
    pub fn count_played(&mut self, game: &str, meeting: &Meeting, names: &ByPlayer<String>, player: Player) {
        for seat in meeting.seats(names).iter().filter(|seat| seat.player == player) {
            if let Some(line) = seat.got {
                self.game(game).seats[usize::from(seat.second)].count(seat, line.rounds);
            }
        }
    }

    fn game(&mut self, game: &str) -> &mut GameScore {
        let place = self.games.iter().position(|known| known.game == game).unwrap_or_else(|| {
            self.games.push(GameScore { game: game.to_owned(), seats: Default::default() });
            self.games.len() - 1
        });
        &mut self.games[place]
    }
}
