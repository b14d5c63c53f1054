//! A sitting's events: a log to store and replay.
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::sitting::Event;
//!
//! let moved = Event::Moved { player: Player::One, written: "+1".to_owned() };
//! let json = r#"{"event":"moved","player":1,"move":"+1"}"#;
//! assert_eq!(serde_json::to_string(&moved)?, json);
//! assert_eq!(Event::from_json(&serde_json::from_str(json)?), Ok(moved));
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::Serialize;
use serde_json::Value as Json;

use crate::engine::position::Player;
use crate::records::Refused;

/// A sitting's event. Skipped turns and outcomes follow from the rules, so they are never events. A computer's move is
/// an event and is never recomputed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// The sitting started or resumed: its full state.
    Begun {
        /// In the format of [`Setup::from_text`](super::Setup::from_text).
        text: String,
    },
    /// A move.
    Moved {
        /// The mover.
        player: Player,
        /// In notation.
        #[serde(rename = "move")]
        written: String,
    },
    /// An undo.
    TakenBack {
        /// The undone moves, in the order they were made.
        moves: Vec<String>,
    },
    /// A hint was shown to the player to move.
    #[serde(rename = "hint")]
    HintTold,
    /// The reasons were shown to the player to move.
    #[serde(rename = "why")]
    ReasonsTold,
    /// A rejected answer.
    Refused {
        /// The player.
        player: Player,
        /// The reason. The usual one isn't written.
        #[serde(skip_serializing_if = "is_illegal")]
        why: Refused,
    },
    /// A player gave up.
    Resigned {
        /// The player.
        player: Player,
    },
    /// Two computers played too long.
    Stopped,
    /// The player to move, an outside program, gave no valid answer.
    Forfeited,
    /// The player to move didn't return.
    Abandoned,
    /// The next round started.
    RoundBegun {
        /// The target, if it was drawn.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<i64>,
        /// The starter; `None` if it alternates.
        #[serde(skip_serializing_if = "Option::is_none")]
        first: Option<Player>,
    },
    /// The round continued from after its first moves, to try something out.
    PlayedOn {
        /// The number of moves kept.
        #[serde(rename = "after")]
        moves: usize,
    },
    /// The next rounds have a new target.
    TargetChanged {
        /// The target.
        target: i64,
    },
}

fn is_illegal(why: &Refused) -> bool {
    *why == Refused::Illegal
}

/// A log line isn't an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an event of a sitting: {0}")]
pub struct BadEvent(String);

impl Event {
    /// The event's name in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Event::Begun { .. } => "begun",
            Event::Moved { .. } => "moved",
            Event::TakenBack { .. } => "taken-back",
            Event::HintTold => "hint",
            Event::ReasonsTold => "why",
            Event::Refused { .. } => "refused",
            Event::Resigned { .. } => "resigned",
            Event::Stopped => "stopped",
            Event::Forfeited => "forfeited",
            Event::Abandoned => "abandoned",
            Event::RoundBegun { .. } => "round-begun",
            Event::PlayedOn { .. } => "played-on",
            Event::TargetChanged { .. } => "target-changed",
        }
    }

    /// Parses the JSON of an event. Ignores unknown keys.
    ///
    /// # Errors
    ///
    /// If this version doesn't know the event.
    pub fn from_json(json: &Json) -> Result<Event, BadEvent> {
        let bad = || BadEvent(json.to_string().chars().take(200).collect());
        let text = |key: &str| json[key].as_str().map(str::to_owned).ok_or_else(bad);
        let player_in = |key: &str| {
            let number = json[key].as_u64().and_then(|number| u8::try_from(number).ok());
            number.and_then(Player::from_number).ok_or_else(bad)
        };
        let player = || player_in("player");
        Ok(match text("event")?.as_str() {
            "begun" => Event::Begun { text: text("text")? },
            "moved" => Event::Moved { player: player()?, written: text("move")? },
            "taken-back" => {
                let moves = json["moves"].as_array().ok_or_else(bad)?.iter();
                let moves = moves.map(|written| written.as_str().map(str::to_owned).ok_or_else(bad));
                Event::TakenBack { moves: moves.collect::<Result<_, _>>()? }
            }
            "hint" => Event::HintTold,
            "why" => Event::ReasonsTold,
            "refused" => {
                let why = match &json["why"] {
                    Json::Null => Refused::Illegal,
                    why => why.as_str().and_then(Refused::from_word).ok_or_else(bad)?,
                };
                Event::Refused { player: player()?, why }
            }
            "resigned" => Event::Resigned { player: player()? },
            "stopped" => Event::Stopped,
            "forfeited" => Event::Forfeited,
            "abandoned" => Event::Abandoned,
            "round-begun" => {
                let has = |key: &str| !json[key].is_null();
                let target = has("target").then(|| json["target"].as_i64().ok_or_else(bad)).transpose()?;
                let first = has("first").then(|| player_in("first")).transpose()?;
                Event::RoundBegun { target, first }
            }
            "played-on" => {
                let moves = json["after"].as_u64().and_then(|moves| usize::try_from(moves).ok());
                Event::PlayedOn { moves: moves.ok_or_else(bad)? }
            }
            "target-changed" => Event::TargetChanged { target: json["target"].as_i64().ok_or_else(bad)? },
            _ => return Err(bad()),
        })
    }
}
