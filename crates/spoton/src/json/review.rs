//! A finished round, move by move.

use serde::Serialize;

use super::{PlayerNumber, Value, Whole};
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::records::Record;
use crate::teach::review;

/// A review of a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Review {
    /// The rule book's name in the record.
    pub game: String,
    /// The variant, if any.
    pub variant: Option<String>,
    /// The changed keys: `target=23`.
    pub settings: Vec<String>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// The result that the starter could force.
    pub opening: Value,
    /// The mistake that decided the round.
    pub turning_point: Option<TurningPoint>,
    /// Both players' accuracy.
    pub players: Vec<PlayerReview>,
    /// The moves in order.
    pub moves: Vec<ReviewedMove>,
    /// The choice of a player who gave up or forfeited on their own turn. If it mattered, it counts as a missed
    /// decision.
    pub unmade: Option<UnmadeChoice>,
}

/// The mistake that decided a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct TurningPoint {
    /// The move's place, from 1.
    #[serde(rename = "move")]
    pub place: usize,
    /// The number that it was made at.
    pub number: i64,
}

/// How well a player chose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct PlayerReview {
    /// The player's name.
    pub player: String,
    /// The choices that mattered.
    pub decisions: u32,
    /// Those that kept the best result.
    pub kept: u32,
    /// The decisions where the best move isn't obvious.
    pub subtle: u32,
    /// Those that kept the best result.
    pub subtle_kept: u32,
    /// `kept` as a share of `decisions`; `null` if there were none.
    pub accuracy: Option<f64>,
    /// In a race: the fewest moves the player could have needed; otherwise `null`.
    pub par: Option<u64>,
}

/// A move and what it did to the result.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ReviewedMove {
    /// The mover.
    pub player: PlayerNumber,
    /// The move in notation.
    #[serde(rename = "move")]
    pub written: String,
    /// The number before.
    pub from: i64,
    /// The number after.
    pub to: Whole,
    /// The best result that the mover could force.
    pub best: Value,
    /// The result that the mover could still force after the move.
    pub made: Value,
    /// Whether the choice mattered.
    pub decision: bool,
    /// Whether it mattered and the best move wasn't obvious.
    pub subtle: bool,
    /// The mark in an annotated record: `!`, `?!`, `?` or `??`; usually empty.
    pub mark: &'static str,
    /// After a mistake: a better move.
    pub better: Option<String>,
}

/// A choice that the player never made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct UnmadeChoice {
    /// The player.
    pub player: PlayerNumber,
    /// The best result that the player could force.
    pub best: Value,
    /// Whether the choice mattered.
    pub decision: bool,
    /// Whether it mattered and the best move wasn't obvious.
    pub subtle: bool,
}

/// A review of a round.
pub fn review(record: &Record, round: &Round, review: &review::Review) -> Review {
    let write = |a_move| round.rulebook().write(a_move);
    let moves = review.moves.iter().map(|judged| ReviewedMove {
        player: judged.player.into(),
        written: write(judged.a_move),
        from: judged.from,
        to: Whole(judged.to),
        best: judged.best.value.into(),
        made: judged.made.value.into(),
        decision: judged.decision,
        subtle: judged.subtle,
        mark: judged.mark(),
        better: judged.is_mistake().then(|| write(judged.better.a_move)),
    });
    let player = |player: Player| {
        let tally = review.tally[player];
        PlayerReview {
            player: record.players[player].clone(),
            decisions: tally.met,
            kept: tally.kept,
            subtle: tally.subtle_met,
            subtle_kept: tally.subtle_kept,
            accuracy: tally.accuracy(),
            par: review.par.map(|par| par[player].1),
        }
    };
    let turning_point = review.turning_point();
    let turning_point =
        turning_point.map(|(place, judged)| TurningPoint { place: place + 1, number: judged.at });
    Review {
        game: record.rulebook.clone(),
        variant: record.variant.clone(),
        settings: record.settings.clone(),
        result: record.result.word(),
        opening: review.opening.value.into(),
        turning_point,
        players: Player::BOTH.map(player).to_vec(),
        moves: moves.collect(),
        unmade: review.unmade.map(|unmade| UnmadeChoice {
            player: unmade.player.into(),
            best: unmade.best.value.into(),
            decision: unmade.decision,
            subtle: unmade.subtle,
        }),
    }
}
