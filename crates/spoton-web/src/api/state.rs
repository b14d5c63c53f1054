//! A table as programs see it.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value as Json, json};
use spoton::engine::position::{ByPlayer, Player};
use spoton::json;

use crate::ids::SittingId;
use crate::room::{self, Event, Room};
use crate::store::{Millis, Stored};
use crate::tables::Tables;

/// A table as it stands.
pub struct State {
    id: SittingId,
    room: Arc<Room>,
    /// Who has it open just now.
    here: ByPlayer<bool>,
}

impl State {
    pub fn of(tables: &Tables, id: SittingId, room: Arc<Room>) -> State {
        State { id, room, here: tables.live.here(id) }
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let State { id, room, here } = self;
        let sitting = room.sitting();
        let mut state = serializer.serialize_map(None)?;
        json::round(&sitting.setup().game, sitting.round(), &mut state)?;
        state.serialize_entry("id", &id.to_string())?;
        state.serialize_entry("round", &room.round_number())?;
        state.serialize_entry("seq", &room.seq())?;
        let player = |player: Player| {
            let computer = sitting.setup().computers[player].map(|opponent| opponent.to_string());
            // A computer is always there.
            let here = here[player] || computer.is_some();
            json!({ "name": room.name(player), "computer": computer, "taken": !room.is_open(player), "here": here })
        };
        state.serialize_entry("players", &Player::BOTH.map(player))?;
        let offer =
            room.offer().map(|(player, offer)| json!({ "player": player.number(), "offer": offer.word() }));
        state.serialize_entry("offer", &offer)?;
        state.serialize_entry("cancelled", &room.is_cancelled())?;
        let help = sitting.setup().help;
        let terms =
            json!({ "hints": room.hints(), "take_back": sitting.setup().undo, "discover": help.discover });
        state.serialize_entry("terms", &terms)?;
        state.end()
    }
}

/// An event from the store as programs see it; `None` if it is damaged.
pub fn stored_event(stored: &Stored) -> Option<Json> {
    Some(event(stored.seq, stored.at, &room::read(&stored.body)?))
}

/// An event as programs see it.
pub fn event(seq: u64, at: Millis, event: &Event) -> Json {
    use spoton::sitting::Event as Game;
    let mut json = json!({ "seq": seq });
    let mut add =
        |key: &str, value: Json| drop(json.as_object_mut().map(|json| json.insert(key.to_owned(), value)));
    let (kind, player) = match event {
        Event::Created { .. } => ("created", None),
        Event::SeatTaken { player, name } => {
            add("name", json!(name));
            ("seat-taken", Some(*player))
        }
        Event::SeatMoved { player } => ("seat-moved", Some(*player)),
        Event::Offered { player, offer } => {
            add("offer", json!(offer.word()));
            ("offered", Some(*player))
        }
        Event::Declined { player } => ("declined", Some(*player)),
        Event::WentOn { player } => ("went-on", Some(*player)),
        Event::Cancelled { player } => ("cancelled", Some(*player)),
        Event::Game(Game::Moved { player, written }) => {
            add("move", json!(written));
            ("move", Some(*player))
        }
        Event::Game(Game::TakenBack { moves }) => {
            add("moves", json!(moves));
            ("taken-back", None)
        }
        Event::Game(Game::HintTold | Game::ReasonsTold) => ("hint", None),
        Event::Game(Game::Resigned { player }) => ("resigned", Some(*player)),
        Event::Game(Game::RoundBegun { target, first }) => {
            if let Some(target) = target {
                add("target", json!(target));
            }
            if let Some(first) = first {
                add("first", json!(first.number()));
            }
            ("round-begun", None)
        }
        Event::Game(Game::TargetChanged { target }) => {
            add("target", json!(target));
            ("target-changed", None)
        }
        Event::Game(other) => (other.word(), None),
    };
    add("kind", json!(kind));
    if let Some(player) = player {
        add("player", json!(player.number()));
    }
    add("at", json!(at));
    json
}
