//! How everybody did over many rounds: by player, game and seat.
//!
//! ```
//! use spoton::people::summary::Summary;
//!
//! assert_eq!(Summary::of([]).lines().count(), 0);
//! ```

use std::collections::BTreeMap;

use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::people::interval::Clusters;
use crate::people::review::{Review, Tally};
use crate::records::{Record, Refusals, Refused};
use crate::solver::Value;
use crate::words::page::{WIDTH, columns_within, wrap};

/// How everybody did, by player, game and seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary(BTreeMap<Seat, Line>);

/// Who sat where in which game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat {
    /// The player's name.
    pub player: String,
    /// What was played: settings and variants make games of their own.
    pub game: String,
    /// Whether the other player had the first turn.
    pub second: bool,
}

impl Seat {
    /// The seat in a word: `first` or `second`.
    pub fn word(&self) -> &'static str {
        if self.second { "second" } else { "first" }
    }
}

/// The observations that an interval is about. What happens within one of them is alike, and says less than it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Rounds of one game: the interval is about more rounds of it.
    #[default]
    Round,
    /// Several games: the interval is about other games of the same kind.
    Game,
}

impl Unit {
    /// The unit in a word: `round` or `game`.
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
    /// How many.
    pub part: u32,
    /// Of how many.
    pub whole: u32,
    /// The interval; `None` if nothing was counted.
    pub interval: Option<[f64; 2]>,
}

/// How the rounds from one seat went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// How many rounds there were.
    pub rounds: u32,
    /// How many of them were won.
    pub won: u32,
    /// How many were drawn.
    pub drawn: u32,
    /// How many were lost.
    pub lost: u32,
    /// How many ended because this player, an outside program, gave no answer that counts.
    pub forfeited: u32,
    /// How many came to no end: they are not over, or the other player forfeited them.
    pub unfinished: u32,
    /// How many of those that came to an end were looked back on.
    pub judged: u32,
    /// How many of these ended at least as well as the seat allows against best play.
    pub at_best: u32,
    /// The choices that mattered.
    pub tally: Tally,
    /// How many answers did not count.
    pub refusals: Refusals,
    /// What the intervals are about.
    pub unit: Unit,
    /// How many of these there are.
    pub units: u32,
    /// The shares by unit.
    spread: Spread,
}

/// The shares that have an interval, as clusters.
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
    /// How many rounds came to an end for this player.
    pub fn over(&self) -> u32 {
        self.rounds - self.unfinished
    }

    /// The rounds that were won, of those that are over.
    pub fn won_share(&self) -> Share {
        self.shares()[0]
    }

    /// The rounds that ended at least as well as the seat allows, of those that were judged.
    pub fn at_best_share(&self) -> Share {
        self.shares()[1]
    }

    /// The choices that were right, of those that mattered.
    pub fn kept_share(&self) -> Share {
        self.shares()[2]
    }

    /// The same for the hidden ones.
    pub fn subtle_share(&self) -> Share {
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

    /// Several games together, each of them one unit. A single game stays as it is, with its rounds as units.
    pub(crate) fn over_games(games: impl IntoIterator<Item = Line>) -> Line {
        let played: Vec<Line> = games.into_iter().filter(|line| line.rounds > 0).collect();
        if let [only] = played[..] {
            return only;
        }
        let mut all = Line { unit: Unit::Game, ..Line::default() };
        played.iter().for_each(|game| all.add_unit(game));
        all
    }

    /// More rounds of the same game.
    pub(crate) fn merge(&mut self, other: &Line) {
        self.add_counts(other);
        self.units += other.units;
        let mut theirs = other.spread;
        for (own, other) in self.spread.all_mut().into_iter().zip(theirs.all_mut()) {
            own.merge(other);
        }
    }

    /// One more round, or game.
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
    /// Counts rounds, each with its record, the round itself and what looking back on it found.
    pub fn of<'a>(rounds: impl IntoIterator<Item = (&'a Record, &'a Round, &'a Review)>) -> Summary {
        let mut summary = Summary::default();
        for (record, round, review) in rounds {
            summary.count(record, round, Some(review));
        }
        summary
    }

    /// Counts one more round. Without a look back on it, only its result counts.
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
            match outcome.map(|outcome| Value::of(outcome, player)) {
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

    /// All games together, under one name.
    #[must_use]
    pub fn total(&self, name: &str) -> Summary {
        let mut games: BTreeMap<Seat, Vec<Line>> = BTreeMap::new();
        for (seat, line) in &self.0 {
            games.entry(Seat { game: name.to_owned(), ..seat.clone() }).or_default().push(*line);
        }
        Summary(games.into_iter().map(|(seat, lines)| (seat, Line::over_games(lines))).collect())
    }

    /// Every seat that somebody had, by player, game and seat.
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

/// What was played: settings and variants make games of their own.
fn game(record: &Record) -> String {
    let changes = record.variant.iter().chain(&record.settings);
    changes.fold(record.rulebook.clone(), |game, change| format!("{game} {change}"))
}

/// From so many on, a share says something about the next ones as well.
const ENOUGH: u32 = 10;

/// A summary on a page, a few lines for each seat, with what the names of the numbers mean.
pub fn page(summary: &Summary) -> String {
    seats(summary) + &legend(summary)
}

/// A few lines for each seat.
pub fn seats(summary: &Summary) -> String {
    let mut page = String::new();
    for (seat, line) in summary.lines() {
        let numbers = [
            ("Rounds", line.rounds.to_string()),
            ("Won", share(line.won_share())),
            ("Drawn", line.drawn.to_string()),
            ("Lost", line.lost.to_string()),
            ("At best", share(line.at_best_share())),
            ("Right", share(line.kept_share())),
            ("Unseen", share(line.subtle_share())),
            ("Illegal", line.refusals[Refused::Illegal].to_string()),
        ];
        // Only outside programs have these, and the good ones none.
        let of_programs = [
            ("Unreadable", line.refusals[Refused::Unreadable]),
            ("Late", line.refusals[Refused::Late]),
            ("Died", line.refusals[Refused::Died]),
            ("Flooded", line.refusals[Refused::Flooded]),
            ("Forfeited", line.forfeited.into()),
        ];
        let of_programs = of_programs.into_iter().filter(|(_, number)| *number > 0);
        let of_programs = of_programs.map(|(name, number)| (name, number.to_string()));
        let numbers = numbers.into_iter().chain(of_programs);
        let numbers: Vec<String> = numbers.map(|(name, number)| format!("{name}: {number}")).collect();
        let who = format!("{}, {}, goes {}", seat.player, seat.game, seat.word());
        page.push_str(&format!("{}\n", wrap(&who, "", "  ")));
        page.push_str(&format!("{}\n\n", indented(&columns_within(&numbers, WIDTH - INDENT.len()))));
    }
    page
}

/// What the names of the numbers mean.
pub fn legend(summary: &Summary) -> String {
    let mut page = "At best: rounds that went as well as they could against a perfect player.\n\
        Right: choices that mattered and were right.\n\
        Unseen: the same, but only where the difference did not show at once.\n\
        Illegal: answers that the rules do not allow.\n\
        Rounds that are not over yet count as rounds, and nowhere else.\n"
        .to_owned();
    let of_programs = |(refused, count): (Refused, u64)| refused != Refused::Illegal && count > 0;
    let has_failed = |line: &Line| line.forfeited > 0 || line.refusals.iter().any(of_programs);
    if summary.lines().any(|(_, line)| has_failed(line)) {
        page += "Unreadable, late, died, flooded: what a program did instead of giving a move.\n\
            Forfeited: rounds that ended by that. Nobody won them, and for the other player\n\
            they count as rounds, and nowhere else.\n\
            If the choice that was refused mattered, it counts as wrong.\n";
    }
    let about = match summary.lines().next().map(|(_, line)| line.unit) {
        Some(Unit::Game) => "for other games like these",
        Some(Unit::Round) | None => "for more rounds of the game",
    };
    page + &format!("In brackets, from ten on: the 95% interval {about}.\n")
}

/// What the numbers of a seat are indented by.
const INDENT: &str = "  ";

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("{INDENT}{line}")).collect::<Vec<_>>().join("\n")
}

/// A share, with its interval if there are enough.
fn share(Share { part, whole, interval }: Share) -> String {
    match interval.filter(|_| whole >= ENOUGH) {
        Some([low, high]) => format!("{part} of {whole} ({:.0}-{:.0} %)", low * 100.0, high * 100.0),
        None if whole > 0 => format!("{part} of {whole}"),
        None => "-".to_owned(),
    }
}
