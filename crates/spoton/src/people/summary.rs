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

use crate::engine::position::Player;
use crate::people::review::{Review, Tally};
use crate::records::Record;
use crate::solver::Value;

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
    /// Whether the player had the first turn.
    pub first: bool,
}

impl Seat {
    /// The seat in a word: `first` or `second`.
    pub fn word(&self) -> &'static str {
        if self.first { "first" } else { "second" }
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
    /// How many are not over.
    pub unfinished: u32,
    /// How many ended at least as well as the seat allows against best play.
    pub at_best: u32,
    /// The choices that mattered.
    pub tally: Tally,
    /// How many answers were not legal.
    pub illegal: u64,
}

impl Line {
    /// How many rounds are over.
    pub fn over(&self) -> u32 {
        self.rounds - self.unfinished
    }
}

impl Summary {
    /// Counts rounds, each with its record and what looking back on it found.
    pub fn of<'a>(rounds: impl IntoIterator<Item = (&'a Record, &'a Review)>) -> Summary {
        let mut lines: BTreeMap<Seat, Line> = BTreeMap::new();
        for (record, review) in rounds {
            for player in Player::BOTH {
                let seat = Seat {
                    player: record.players[player].clone(),
                    game: game(record),
                    first: player == record.first,
                };
                let line = lines.entry(seat).or_default();
                line.rounds += 1;
                match review.outcome.map(|outcome| Value::of(outcome, player)) {
                    None => line.unfinished += 1,
                    Some(result) => {
                        match result {
                            Value::Win => line.won += 1,
                            Value::Draw => line.drawn += 1,
                            Value::Loss => line.lost += 1,
                        }
                        line.at_best += u32::from(result >= review.seat(player));
                    }
                }
                line.tally.add(review.tally[player]);
                line.illegal = line.illegal.saturating_add(record.refused(player));
            }
        }
        Summary(lines)
    }

    /// Every seat that somebody had, by player, game and seat.
    pub fn lines(&self) -> impl Iterator<Item = (&Seat, &Line)> {
        self.0.iter()
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

/// A summary in words, as a page.
pub fn in_words(summary: &Summary) -> String {
    let share = |part: u32, whole: u32| match interval(part, whole) {
        Some([low, high]) => format!("{part} of {whole} ({:.0} to {:.0} %)", low * 100.0, high * 100.0),
        None => "none yet".to_owned(),
    };
    let mut page = String::new();
    for (seat, line) in summary.lines() {
        let Tally { met, kept, subtle_met, subtle_kept } = line.tally;
        page.push_str(&format!("{}, {}, going {}\n", seat.player, seat.game, seat.word()));
        page.push_str(&format!(
            "  rounds: {} ({} won, {} drawn, {} lost, {} not finished)\n",
            line.rounds, line.won, line.drawn, line.lost, line.unfinished
        ));
        page.push_str(&format!("  as good as the seat allows: {}\n", share(line.at_best, line.over())));
        page.push_str(&format!("  choices that mattered, right: {}\n", share(kept, met)));
        page.push_str(&format!("  of these not to be seen at once: {}\n", share(subtle_kept, subtle_met)));
        page.push_str(&format!("  answers that were not legal: {}\n\n", line.illegal));
    }
    page.push_str("In brackets: where the true share lies, 19 times out of 20.\n");
    page
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
