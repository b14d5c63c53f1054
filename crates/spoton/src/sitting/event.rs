//! What happened in a sitting, one event after another: a log that can be stored and replayed.
//!
//! ```
//! use spoton::engine::position::Player;
//! use spoton::sitting::Event;
//!
//! let moved = Event::Moved { player: Player::One, written: "+1".to_owned() };
//! let json = moved.to_json();
//! assert_eq!(json.to_string(), r#"{"event":"moved","player":1,"move":"+1"}"#);
//! assert_eq!(Event::from_json(&json), Ok(moved));
//! ```

use serde_json::{Map, Value as Json, json};

use crate::engine::position::Player;
use crate::records::Refused;

/// Something that happened. Skipped turns and outcomes follow from the rules, so they are never events; a computer's move
/// is one, and never computed again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The players sat down, or took a round up again: the sitting written down.
    Begun {
        /// As [`Setup::from_text`](super::Setup::from_text) reads it.
        text: String,
    },
    /// A move was made.
    Moved {
        /// By whom.
        player: Player,
        /// As records write it.
        written: String,
    },
    /// Choices were taken back.
    TakenBack {
        /// Which, in the order in which they had been made.
        moves: Vec<String>,
    },
    /// A hint was told to the player on turn.
    HintTold,
    /// The player on turn was told what each move leads to.
    ReasonsTold,
    /// An answer of a player does not count.
    Refused {
        /// Whose.
        player: Player,
        /// Why not.
        why: Refused,
    },
    /// A player gave the round up.
    Resigned {
        /// Who.
        player: Player,
    },
    /// Two computers had gone on for too long.
    Stopped,
    /// The player on turn, an outside program, gave no answer that counts.
    Forfeited,
    /// The player on turn did not come back.
    Abandoned,
    /// The next round began.
    RoundBegun {
        /// The target, if it was drawn.
        target: Option<i64>,
        /// Who starts it; `None` if the starter alternates.
        first: Option<Player>,
    },
    /// The round was taken up again after its first so many moves, to try something out.
    PlayedOn {
        /// How many.
        moves: usize,
    },
    /// The rounds to come have another target.
    TargetChanged {
        /// That target.
        target: i64,
    },
}

/// A line of a log is not an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an event of a sitting: {0}")]
pub struct BadEvent(String);

impl Event {
    /// The word that JSON uses for what happened.
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

    /// The event as JSON.
    pub fn to_json(&self) -> Json {
        let mut object = Map::new();
        object.insert("event".to_owned(), json!(self.word()));
        let mut add = |key: &str, value: Json| object.insert(key.to_owned(), value);
        match self {
            Event::Begun { text } => drop(add("text", json!(text))),
            Event::Moved { player, written } => {
                add("player", json!(player.number()));
                add("move", json!(written));
            }
            Event::TakenBack { moves } => drop(add("moves", json!(moves))),
            Event::Resigned { player } => drop(add("player", json!(player.number()))),
            Event::Refused { player, why } => {
                add("player", json!(player.number()));
                if *why != Refused::Illegal {
                    add("why", json!(why.word()));
                }
            }
            Event::RoundBegun { target, first } => {
                if let Some(target) = target {
                    add("target", json!(target));
                }
                if let Some(first) = first {
                    add("first", json!(first.number()));
                }
            }
            Event::PlayedOn { moves } => drop(add("after", json!(moves))),
            Event::TargetChanged { target } => drop(add("target", json!(target))),
            Event::HintTold | Event::ReasonsTold | Event::Stopped | Event::Forfeited | Event::Abandoned => {}
        }
        Json::Object(object)
    }

    /// Reads what [`Event::to_json`] wrote. Keys that are not known are passed over.
    ///
    /// # Errors
    ///
    /// If it is not an event, or one that this version does not know.
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
