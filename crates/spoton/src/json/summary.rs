//! Results over many rounds, by player, game and seat.

use serde::Serialize;

use crate::evaluate::summary;
use crate::records::Refused;

/// A player's results in a game from one seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryLine {
    /// The player's name.
    pub player: String,
    /// The game.
    pub game: String,
    /// `first` or `second`.
    pub seat: &'static str,
    /// The counts.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The counts from one seat, each share with its 95% interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counts {
    /// The rounds played.
    pub rounds: u32,
    /// Those won.
    pub won: u32,
    /// The interval of the share of rounds won.
    pub won_interval: Option<[f64; 2]>,
    /// Those drawn.
    pub drawn: u32,
    /// Those lost.
    pub lost: u32,
    /// Lost rounds that an outside program forfeited.
    pub forfeited: u32,
    /// Those that never ended.
    pub unfinished: u32,
    /// Those that ended at least as well as the seat allows under perfect play.
    pub as_good_as_the_seat_allows: u32,
    /// The interval of their share.
    pub as_good_interval: Option<[f64; 2]>,
    /// The choices that mattered.
    pub decisions: u32,
    /// Those that kept the best result.
    pub kept: u32,
    /// The interval of their share.
    pub kept_interval: Option<[f64; 2]>,
    /// The decisions where the best move isn't obvious.
    pub subtle: u32,
    /// Those that kept the best result.
    pub subtle_kept: u32,
    /// The interval of their share.
    pub subtle_interval: Option<[f64; 2]>,
    /// The answers that named an illegal move.
    pub illegal: u64,
    /// The answers that named no move.
    pub unreadable: u64,
    /// The answers that came too late.
    pub late: u64,
    /// How often the program ended instead of answering.
    pub died: u64,
    /// How often it wrote too much.
    pub flooded: u64,
    /// The unit that the intervals count as one observation: rounds of the game, or games of the same kind.
    pub clustered_by: &'static str,
    /// The number of observations.
    pub clusters: u32,
}

/// A summary of many rounds.
pub fn summary(summary: &summary::Summary) -> Vec<SummaryLine> {
    let lines = summary.lines().map(|(seat, line)| SummaryLine {
        player: seat.player.clone(),
        game: seat.game.clone(),
        seat: seat.word(),
        counts: line.into(),
    });
    lines.collect()
}

impl From<&summary::Line> for Counts {
    fn from(line: &summary::Line) -> Counts {
        Counts {
            rounds: line.rounds,
            won: line.won,
            won_interval: line.won_share().interval,
            drawn: line.drawn,
            lost: line.lost,
            forfeited: line.forfeited,
            unfinished: line.unfinished,
            as_good_as_the_seat_allows: line.at_best,
            as_good_interval: line.at_best_share().interval,
            decisions: line.tally.met,
            kept: line.tally.kept,
            kept_interval: line.kept_share().interval,
            subtle: line.tally.subtle_met,
            subtle_kept: line.tally.subtle_kept,
            subtle_interval: line.subtle_share().interval,
            illegal: line.refusals[Refused::Illegal],
            unreadable: line.refusals[Refused::Unreadable],
            late: line.refusals[Refused::Late],
            died: line.refusals[Refused::Died],
            flooded: line.refusals[Refused::Flooded],
            clustered_by: line.unit.word(),
            clusters: line.units,
        }
    }
}
