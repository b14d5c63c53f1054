//! How everybody did over many rounds: by player, game and seat.
//!
//! ```
//! use spoton::people::summary::{Summary, interval};
//!
//! assert_eq!(Summary::of([]).lines().count(), 0);
//! // Of 10 rounds 5 were won: 19 times out of 20 the true share lies between these.
//! let [low, high] = interval(5, 10).unwrap();
//! assert!((0.23..0.24).contains(&low) && (0.76..0.77).contains(&high));
//! ```

use std::collections::BTreeMap;

use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::people::review::{Review, Tally};
use crate::records::{Record, Refusals, Refused};
use crate::solver::Value;
use crate::words::page::{WIDTH, columns_within, wrap};

/// How everybody did, by player, game and seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// How the rounds from one seat went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
}

impl Line {
    /// How many rounds came to an end for this player.
    pub fn over(&self) -> u32 {
        self.rounds - self.unfinished
    }

    pub(crate) fn add(&mut self, other: &Line) {
        let Line { rounds, won, drawn, lost, forfeited, unfinished, judged, at_best, tally, refusals } =
            other;
        self.rounds += rounds;
        self.won += won;
        self.drawn += drawn;
        self.lost += lost;
        self.forfeited += forfeited;
        self.unfinished += unfinished;
        self.judged += judged;
        self.at_best += at_best;
        self.tally.add(*tally);
        for (refused, count) in refusals.iter() {
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
            let line = self.0.entry(seat).or_default();
            line.rounds += 1;
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
        }
    }

    /// All games together, under one name.
    #[must_use]
    pub fn total(&self, name: &str) -> Summary {
        let mut lines: BTreeMap<Seat, Line> = BTreeMap::new();
        for (seat, line) in &self.0 {
            lines.entry(Seat { game: name.to_owned(), ..seat.clone() }).or_default().add(line);
        }
        Summary(lines)
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

/// Where a share lies with 95 % confidence (Wilson's interval); `None` if nothing was counted.
pub fn interval(part: u32, whole: u32) -> Option<[f64; 2]> {
    const Z: f64 = 1.959_963_984_540_054;
    if whole == 0 {
        return None;
    }
    let (share, count) = (f64::from(part) / f64::from(whole), f64::from(whole));
    let centre = (share + Z * Z / (2.0 * count)) / (1.0 + Z * Z / count);
    let spread =
        Z / (1.0 + Z * Z / count) * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    Some([(centre - spread).max(0.0), (centre + spread).min(1.0)])
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
        let Tally { met, kept, subtle_met, subtle_kept } = line.tally;
        let numbers = [
            ("Rounds", line.rounds.to_string()),
            ("Won", share(line.won, line.over())),
            ("Drawn", line.drawn.to_string()),
            ("Lost", line.lost.to_string()),
            ("At best", share(line.at_best, line.judged)),
            ("Right", share(kept, met)),
            ("Unseen", share(subtle_kept, subtle_met)),
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
            they count as rounds, and nowhere else.\n";
    }
    page + "In brackets, from ten on: the likely range. It holds 19 times out of 20.\n"
}

/// What the numbers of a seat are indented by.
const INDENT: &str = "  ";

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("{INDENT}{line}")).collect::<Vec<_>>().join("\n")
}

/// A share, and where the true one lies if that can be said.
fn share(part: u32, whole: u32) -> String {
    match interval(part, whole).filter(|_| whole >= ENOUGH) {
        Some([low, high]) => format!("{part} of {whole} ({:.0}-{:.0} %)", low * 100.0, high * 100.0),
        None if whole > 0 => format!("{part} of {whole}"),
        None => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from a table of Wilson intervals.
    #[test]
    fn intervals_are_wilsons() {
        let close =
            |[low, high]: [f64; 2], (a, b): (f64, f64)| (low - a).abs() < 5e-4 && (high - b).abs() < 5e-4;
        assert!(close(interval(0, 10).unwrap(), (0.0, 0.2775)));
        assert!(close(interval(5, 10).unwrap(), (0.2366, 0.7634)));
        assert!(close(interval(81, 263).unwrap(), (0.2553, 0.3662)));
        assert_eq!(interval(0, 0), None);
    }
}
