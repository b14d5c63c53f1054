//! A player's results on a set of games.

use serde::Serialize;

use super::{Counts, Meeting, Prompting};
use crate::design::sets::Set;
use crate::evaluate::bench;
use crate::records::Refused;

/// A player's results on a set, with the conditions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// The set's name.
    pub set: String,
    /// The set's fingerprint.
    pub fingerprint: String,
    /// The version of Spot On.
    pub version: &'static str,
    /// An opponent's id, or a program's command.
    pub player: String,
    /// The opponent's id.
    pub against: String,
    /// The random seed.
    pub seed: u64,
    /// The rounds per game.
    pub rounds: u32,
    /// The player's seat: `first`, `second` or `both`.
    pub seat: &'static str,
    /// How the player was prompted, if it's a program.
    pub asked: Option<Prompting>,
    /// A program's time limit per answer, in milliseconds.
    pub move_time: Option<u64>,
    /// The forfeited rounds.
    pub forfeited: u32,
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
    /// The results.
    #[serde(flatten)]
    pub results: Results,
    /// How often the program wrote unrequested output.
    pub unasked: u64,
}

/// A player's results over rounds of arbitrary games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The player's name.
    pub player: String,
    /// The opponent's id.
    pub against: String,
    /// The results.
    #[serde(flatten)]
    pub results: Results,
}

/// Results by seat, and in each game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// The results from each seat.
    pub seats: Vec<SeatScore>,
    /// Both seats together. `null` if the player had one seat more often than the other.
    pub both_seats: Option<SeatScore>,
    /// The wins relative to perfect play, over all rounds; `null` if perfect play wins nothing.
    pub of_ceiling: Option<f64>,
    /// Its 95% interval.
    pub of_ceiling_interval: Option<[f64; 2]>,
    /// The results in each game.
    pub games: Vec<Meeting>,
}

/// A player's results from one seat over many games. Shares are the fraction of rounds won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatScore {
    /// The share that a perfect player would win from this seat against the same opponent.
    pub perfect: Option<f64>,
    /// The share that the careful guesser would win.
    pub careful: Option<f64>,
    /// The exact share that this player would win, if it's a computer opponent.
    pub exact: Option<f64>,
    /// The played results.
    pub got: Counts,
    /// The wins relative to perfect play; `null` if perfect play wins nothing.
    pub of_ceiling: Option<f64>,
    /// Its 95% interval.
    pub of_ceiling_interval: Option<[f64; 2]>,
    /// `first` or `second`, if it's one seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'static str>,
}

/// A player's results on a set, by seat, with each game's result.
pub fn bench(
    set: &Set,
    player: &str,
    terms: &bench::Terms,
    score: &bench::Score,
    games: Vec<Meeting>,
) -> Bench {
    let all = score.all().got;
    Bench {
        set: set.name.clone(),
        fingerprint: set.fingerprint(),
        version: terms.version,
        player: player.to_owned(),
        against: terms.against.to_string(),
        seed: terms.seed,
        rounds: terms.rounds,
        seat: terms.seat,
        asked: terms.asked.as_ref().map(super::asked),
        move_time: terms.move_time,
        forfeited: all.forfeited,
        illegal: all.refusals[Refused::Illegal],
        unreadable: all.refusals[Refused::Unreadable],
        late: all.refusals[Refused::Late],
        died: all.refusals[Refused::Died],
        flooded: all.refusals[Refused::Flooded],
        results: results(score, games),
        unasked: score.unasked,
    }
}

/// A player's results over rounds of arbitrary games, by seat, with each game's result.
pub fn score(player: &str, against: &str, score: &bench::Score, games: Vec<Meeting>) -> Score {
    Score { player: player.to_owned(), against: against.to_owned(), results: results(score, games) }
}

fn results(score: &bench::Score, games: Vec<Meeting>) -> Results {
    let all = score.all();
    let [first, second] = score.seats();
    Results {
        seats: vec![seat(&first, Some("first")), seat(&second, Some("second"))],
        both_seats: score.both_seats().map(|both| seat(&both, None)),
        of_ceiling: all.of_ceiling,
        of_ceiling_interval: all.of_ceiling_interval,
        games,
    }
}

fn seat(score: &bench::SeatScore, seat: Option<&'static str>) -> SeatScore {
    SeatScore {
        perfect: score.perfect,
        careful: score.careful,
        exact: score.exact,
        got: (&score.got).into(),
        of_ceiling: score.of_ceiling,
        of_ceiling_interval: score.of_ceiling_interval,
        seat,
    }
}
