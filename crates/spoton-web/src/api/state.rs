//! A table as programs see it.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::json;
use spoton::engine::position::{ByPlayer, Player};
use spoton::json;

use crate::ids::SittingId;
use crate::room::Room;
use crate::tables::Tables;

/// A table's current state.
#[derive(Debug)]
pub struct TableState {
    id: SittingId,
    room: Arc<Room>,
    /// Who has the round open now.
    here: ByPlayer<bool>,
}

impl TableState {
    pub fn current(tables: &Tables, id: SittingId, room: Arc<Room>) -> TableState {
        TableState { id, room, here: tables.live.here(id) }
    }
}

impl Serialize for TableState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TableState { id, room, here } = self;
        let sitting = room.sitting();
        let mut state = serializer.serialize_map(None)?;
        json::round(&sitting.setup().game, sitting.round(), &mut state)?;
        state.serialize_entry("id", &id.to_string())?;
        state.serialize_entry("round", &room.round_number())?;
        state.serialize_entry("seq", &room.seq())?;
        let player = |player: Player| {
            let computer = sitting.setup().computers[player].map(|opponent| opponent.to_string());
            // A computer is always present.
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
