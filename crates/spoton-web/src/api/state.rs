//! The state of a round in the JSON API: the library's JSON, with what only a server knows, such as the id and the seats.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use spoton::engine::position::{ByPlayer, Player};
use spoton::json;

use super::description::Id;
use crate::ids::SittingId;
use crate::room::Room;
use crate::tables::Tables;

/// A table's current state.
#[derive(Debug)]
pub struct TableState {
    id: SittingId,
    room: Arc<Room>,
    /// The players who have the round open now.
    here: ByPlayer<bool>,
}

/// A round's current state.
#[derive(Serialize, JsonSchema)]
struct Fields<'a> {
    #[serde(flatten)]
    state: json::Round<'a>,
    #[schemars(with = "Id")]
    id: String,
    /// The round's number, from 1.
    #[schemars(range(min = 1))]
    round: usize,
    /// The number of the last event. Send it with a move as `expected_seq`.
    #[schemars(range(min = 1))]
    seq: u64,
    players: [Seated; 2],
    offer: Option<json::OpenOffer>,
    /// Whether the host cancelled the invitation.
    cancelled: bool,
    terms: Terms,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Seated {
    name: String,
    computer: Option<String>,
    /// Whether the seat is taken, by a person or a computer.
    taken: bool,
    /// Whether the player has the round open, in a page, a stream or a long poll. Always true for a computer.
    here: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Terms {
    hints: bool,
    take_back: bool,
    discover: bool,
}

impl TableState {
    pub fn current(tables: &Tables, id: SittingId, room: Arc<Room>) -> TableState {
        TableState { id, room, here: tables.live.here(id) }
    }

    fn fields(&self) -> Fields<'_> {
        let TableState { id, room, here } = self;
        let sitting = room.sitting();
        let setup = sitting.setup();
        let players = Player::BOTH.map(|player| {
            let computer = setup.computers[player].map(|opponent| opponent.to_string());
            // A computer is always present.
            let here = here[player] || computer.is_some();
            Seated { name: room.name(player), computer, taken: !room.is_open(player), here }
        });
        Fields {
            state: json::round(&setup.game, sitting.round()),
            id: id.to_string(),
            round: room.round_number(),
            seq: room.seq(),
            players,
            offer: room.offer().map(|(player, offer)| json::OpenOffer { player: player.into(), offer }),
            cancelled: room.is_cancelled(),
            terms: Terms { hints: room.hints(), take_back: setup.undo, discover: setup.help.discover },
        }
    }
}

impl Serialize for TableState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

impl JsonSchema for TableState {
    fn schema_name() -> Cow<'static, str> {
        "State".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Fields::json_schema(generator)
    }
}
