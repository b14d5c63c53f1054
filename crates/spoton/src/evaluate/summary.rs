//! Results over many rounds, by player, game and seat.
//!
//! ```
//! use spoton::evaluate::summary::Summary;
//!
//! assert_eq!(Summary::from_rounds([]).lines().count(), 0);
//! ```

use std::collections::BTreeMap;

use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::evaluate::interval::Clusters;
use crate::records::{Record, Refusals};
use crate::solver::Value;
use crate::teach::review::{Review, Tally};

/// Results by player, game and seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary(BTreeMap<Seat, Line>);

/// A player's seat in a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat {
    /// The player's name.
    pub player: String,
    /// The game. Settings and variants count as separate games.
    pub game: String,
    /// Whether the player went second.
    pub second: bool,
}

impl Seat {
    /// The seat: `first` or `second`.
    pub fn word(&self) -> &'static str {
        if self.second { "second" } else { "first" }
    }
}

/// An interval's unit of observation. Counts within a unit are correlated, so they weigh less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Rounds of one game: the interval applies to further rounds of it.
    #[default]
    Round,
    /// Several games: the interval applies to other games of the same kind.
    Game,
}

impl Unit {
    /// The unit: `round` or `game`.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Round => "round",
            Unit::Game => "game",
        }
    }
}

/// A share with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The part.
    pub part: u32,
    /// The whole.
    pub whole: u32,
    /// The interval; `None` if the whole is 0.
    pub interval: Option<[f64; 2]>,
}

/// The results of a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Rounds.
    pub rounds: u32,
    /// Rounds won.
    pub won: u32,
    /// Rounds drawn.
    pub drawn: u32,
    /// Rounds lost.
    pub lost: u32,
    /// Rounds forfeited because this player, an outside program, gave no valid answer.
    pub forfeited: u32,
    /// Rounds without a result for this player: not over, or forfeited by the opponent.
    pub unfinished: u32,
    /// Finished and reviewed rounds.
    pub judged: u32,
    /// How many of these ended at least as well as best play allows from the seat.
    pub at_best: u32,
    /// The choices that mattered.
    pub tally: Tally,
    /// Rejected answers.
    pub refusals: Refusals,
    /// The intervals' unit.
    pub unit: Unit,
    /// The number of units.
    pub units: u32,
    /// The percentages by unit.
    spread: Spread,
}

/// The percentages with intervals, as clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spread {
    won: Clusters,
    at_best: Clusters,
    kept: Clusters,
    subtle_kept: Clusters,
}

impl Spread {
    fn all_mut(&mut self) -> [&mut Clusters; 4] {
        [&mut self.won, &mut self.at_best, &mut self.kept, &mut self.subtle_kept]
    }
}

impl Line {
    /// The rounds that count as finished for this player.
    pub fn over(&self) -> u32 {
        self.rounds - self.unfinished
    }

    /// The share of finished rounds won.
    pub(crate) fn won_share(&self) -> Share {
        self.shares()[0]
    }

    /// The share of reviewed rounds that ended at least as well as best play allows.
    pub(crate) fn at_best_share(&self) -> Share {
        self.shares()[1]
    }

    /// The percentage of correct choices, counting only those that mattered.
    pub(crate) fn kept_share(&self) -> Share {
        self.shares()[2]
    }

    /// The same for choices that weren't obvious.
    pub(crate) fn subtle_share(&self) -> Share {
        self.shares()[3]
    }

    fn shares(&self) -> [Share; 4] {
        let Tally { met, kept, subtle_met, subtle_kept } = self.tally;
        let counts =
            [(self.won, self.over()), (self.at_best, self.judged), (kept, met), (subtle_kept, subtle_met)];
        let Spread { won, at_best, kept, subtle_kept } = self.spread;
        let mut clusters = [won, at_best, kept, subtle_kept].into_iter();
        counts.map(|(part, whole)| Share {
            part,
            whole,
            interval: clusters.next().and_then(|clusters| clusters.interval()),
        })
    }

    /// Combines several games, each as one unit. A single game keeps its rounds as units.
    pub(crate) fn over_games(games: impl IntoIterator<Item = Line>) -> Line {
        let played: Vec<Line> = games.into_iter().filter(|line| line.rounds > 0).collect();
        if let [only] = played[..] {
            return only;
        }
        let mut all = Line { unit: Unit::Game, ..Line::default() };
        played.iter().for_each(|game| all.add_unit(game));
        all
    }

    /// Adds more rounds of the same game.
    pub(crate) fn merge(&mut self, other: &Line) {
        self.add_counts(other);
        self.units += other.units;
        let mut theirs = other.spread;
        for (own, other) in self.spread.all_mut().into_iter().zip(theirs.all_mut()) {
            own.merge(other);
        }
    }

    /// Adds a round or a game.
    fn add_unit(&mut self, unit: &Line) {
        self.add_counts(unit);
        self.units += 1;
        let counted = unit.shares();
        for (clusters, Share { part, whole, .. }) in self.spread.all_mut().into_iter().zip(counted) {
            clusters.add(part.into(), whole.into());
        }
    }

    fn add_counts(&mut self, other: &Line) {
        self.rounds += other.rounds;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.forfeited += other.forfeited;
        self.unfinished += other.unfinished;
        self.judged += other.judged;
        self.at_best += other.at_best;
        self.tally.add(other.tally);
        for (refused, count) in other.refusals.iter() {
            self.refusals.add(refused, count);
        }
    }
}

impl Summary {
    /// Counts rounds, each with its record and review.
    pub fn from_rounds<'a>(rounds: impl IntoIterator<Item = (&'a Record, &'a Round, &'a Review)>) -> Summary {
        let mut summary = Summary::default();
        for (record, round, review) in rounds {
            summary.count(record, round, Some(review));
        }
        summary
    }

    /// Counts a round. Without a review, only its result counts.
    pub fn count(&mut self, record: &Record, round: &Round, review: Option<&Review>) {
        let outcome = round.outcome();
        let broken_off = outcome.map(|outcome| outcome.ending).filter(|ending| ending.is_without_result());
        let forfeited = broken_off == Some(Ending::Forfeited);
        for player in Player::BOTH {
            let seat = Seat {
                player: record.players[player].clone(),
                game: game(record),
                second: player != record.first,
            };
            let mut line = Line { rounds: 1, ..Line::default() };
            let at_fault = forfeited && player == round.position().turn();
            let is_over = outcome.is_some() && (broken_off.is_none() || at_fault);
            line.judged += u32::from(is_over && review.is_some());
            let at_best = |result| {
                review.is_some_and(|review| result >= review.seat(player) && !review.gave_up_unplayed(player))
            };
            match outcome.map(|outcome| Value::from_outcome(outcome, player)) {
                Some(_) if at_fault => line.forfeited += 1,
                Some(result) if is_over => {
                    match result {
                        Value::Win => line.won += 1,
                        Value::Draw => line.drawn += 1,
                        Value::Loss => line.lost += 1,
                    }
                    line.at_best += u32::from(at_best(result));
                }
                Some(_) | None => line.unfinished += 1,
            }
            if let Some(review) = review {
                line.tally.add(review.tally[player]);
            }
            for (refused, count) in record.refusals(player).iter() {
                line.refusals.add(refused, count);
            }
            self.0.entry(seat).or_default().add_unit(&line);
        }
    }

    /// All games combined under one name.
    #[must_use]
    pub fn total(&self, name: &str) -> Summary {
        let mut games: BTreeMap<Seat, Vec<Line>> = BTreeMap::new();
        for (seat, line) in &self.0 {
            games.entry(Seat { game: name.to_owned(), ..seat.clone() }).or_default().push(*line);
        }
        Summary(games.into_iter().map(|(seat, lines)| (seat, Line::over_games(lines))).collect())
    }

    /// Every seat's results, sorted by player, game and seat.
    pub fn lines(&self) -> impl Iterator<Item = (&Seat, &Line)> {
        self.0.iter()
    }

    /// The seats of a player.
    #[must_use]
    pub fn of_player(&self, name: &str) -> Summary {
        let lines = self.0.iter().filter(|(seat, _)| seat.player == name);
        Summary(lines.map(|(seat, line)| (seat.clone(), *line)).collect())
    }
}

/// The game. Settings and variants count as separate games.
fn game(record: &Record) -> String {
    let changes = record.variant.iter().chain(&record.settings);
    changes.fold(record.rulebook.clone(), |game, change| format!("{game} {change}"))
}
