//! The winner at each target of a range.

use serde::Serialize;

use super::{Chosen, PlayerNumber, Verdict};
use crate::design::audit::sweep;
use crate::engine::position::Player;
use crate::format::Game;

/// The winner at each target, and the pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sweep {
    /// The game.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// The targets at which the first player wins.
    pub first_player_wins: Vec<i64>,
    /// The targets at which the second player wins.
    pub second_player_wins: Vec<i64>,
    /// The targets at which neither wins.
    pub drawn: Vec<i64>,
    /// The winners' pattern, if there is one.
    pub pattern: Option<Pattern>,
    /// The unplayable targets.
    pub unplayable: Vec<i64>,
    /// Each playable target with its value for the first player.
    pub targets: Vec<Target>,
}

/// The winner depends on the target's remainder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pattern {
    /// The divisor; 1 if the result is always the same.
    pub divisor: i64,
    /// The winner by remainder, starting at 0; `null` for neither.
    pub winners: Vec<Option<PlayerNumber>>,
}

/// A target and its value for the first player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The target.
    pub target: i64,
    /// Its value.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A sweep over targets: one row per target, plus the pattern.
pub fn sweep(game: &Game, sweep: &sweep::Sweep) -> Sweep {
    let number = |winner: Option<Player>| winner.map(PlayerNumber::from);
    let targets = sweep
        .targets
        .iter()
        .map(|(target, verdict)| Target { target: *target, verdict: Some(*verdict).into() });
    Sweep {
        chosen: Chosen::new(game),
        first_player_wins: sweep.won_by(Some(Player::One)),
        second_player_wins: sweep.won_by(Some(Player::Two)),
        drawn: sweep.won_by(None),
        pattern: match sweep.pattern() {
            sweep::Pattern::Always(winner) => Some(Pattern { divisor: 1, winners: vec![number(winner)] }),
            sweep::Pattern::Rests { divisor, winners } => {
                Some(Pattern { divisor, winners: winners.into_iter().map(number).collect() })
            }
            sweep::Pattern::None => None,
        },
        unplayable: sweep.unplayable.clone(),
        targets: targets.collect(),
    }
}
