//! Parts that several answers share.

use serde::{Serialize, Serializer};

use crate::engine::play;
use crate::engine::position::Player;
use crate::format::{Game, Rulebook};
use crate::solver;
use crate::words::phrases;

/// The game of an answer and its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct About {
    /// The game's id.
    pub game: String,
    /// The variant, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The changed keys: `target=23`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// The fingerprint of the rules as played.
    pub rulebook_hash: String,
}

impl About {
    pub(super) fn new(game: &Game, rulebook: &Rulebook) -> About {
        let Chosen { game, variant, settings } = Chosen::new(game);
        About { game, variant, settings, rulebook_hash: rulebook.fingerprint() }
    }
}

/// The game of an answer that doesn't depend on a particular target. Every key is always present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chosen {
    /// The game's id.
    pub game: String,
    /// The variant, if any.
    pub variant: Option<String>,
    /// The changed keys: `target=23`.
    pub settings: Vec<String>,
}

impl Chosen {
    pub(super) fn new(game: &Game) -> Chosen {
        Chosen {
            game: game.id().to_owned(),
            variant: game.variant.clone(),
            settings: game.written_settings(),
        }
    }
}

/// A player's number: 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerNumber(u8);

impl From<Player> for PlayerNumber {
    fn from(player: Player) -> PlayerNumber {
        PlayerNumber(player.number())
    }
}

/// The result that the player to move can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// A win.
    Win,
    /// Nothing: the opponent can force a win.
    Loss,
    /// A draw.
    Draw,
}

impl From<solver::Value> for Value {
    fn from(value: solver::Value) -> Value {
        match value {
            solver::Value::Win => Value::Win,
            solver::Value::Loss => Value::Loss,
            solver::Value::Draw => Value::Draw,
        }
    }
}

/// The value of a position or a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The result that the player to move, or the mover, can force. `null` if the position can't come up.
    pub value: Option<Value>,
    /// The moves until the end under best play: the winner hurries, the loser delays. `null` for draws.
    pub remoteness: Option<u64>,
    /// Why a win or a loss has no `remoteness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness_unknown: Option<&'static str>,
}

impl From<Option<solver::Verdict>> for Verdict {
    fn from(verdict: Option<solver::Verdict>) -> Verdict {
        let is_of_unknown_length = verdict.is_some_and(solver::Verdict::is_of_unknown_length);
        Verdict {
            value: verdict.map(|verdict| verdict.value.into()),
            remoteness: verdict.and_then(solver::Verdict::remoteness),
            remoteness_unknown: is_of_unknown_length.then_some(phrases::LENGTH_IS_UNKNOWN),
        }
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Outcome {
    /// The winner; `null` if there is none.
    pub winner: Option<PlayerNumber>,
    /// The reason: `reached`, `overshot`, `stuck`, `resigned` …
    pub ending: &'static str,
}

impl From<play::Outcome> for Outcome {
    fn from(outcome: play::Outcome) -> Outcome {
        Outcome { winner: outcome.winner.map(PlayerNumber::from), ending: outcome.ending.word() }
    }
}

/// A whole number, quoted if it's too large for programs that parse JSON numbers as floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(pub i128);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) => serializer.serialize_i64(number),
            Err(_) => serializer.collect_str(&self.0),
        }
    }
}
