//! An event as programs see it.

use schemars::JsonSchema;
use serde::Serialize;
use spoton::json::PlayerNumber;
use spoton::sitting;
use spoton::view::Offer;

use crate::room;
use crate::store::{Millis, Stored};

/// An event. The keys before `kind` depend on it.
#[derive(Serialize, JsonSchema)]
pub struct Event {
    /// The event's number.
    pub seq: u64,
    /// The name of a player who joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The player's offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    offer: Option<Offer>,
    /// The move that a player made.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    /// The moves that were undone, in the order they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    /// The new target, or a round's random target.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<i64>,
    /// The player who starts the round, if the starter doesn't alternate.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<PlayerNumber>,
    /// The kind of event.
    kind: &'static str,
    /// The player who did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<PlayerNumber>,
    /// Milliseconds since 1970.
    at: Millis,
}

impl Event {
    /// Returns a stored event as programs see it; `None` if it's corrupted.
    pub fn stored(stored: &Stored) -> Option<Event> {
        Some(Event::new(stored.seq, stored.at, &room::read(&stored.body)?))
    }

    /// Returns an event as programs see it.
    pub fn new(seq: u64, at: Millis, event: &room::Event) -> Event {
        use room::Event as Table;
        use sitting::Event as Game;
        let (kind, player) = match event {
            Table::Created { .. } => ("created", None),
            Table::SeatTaken { player, .. } => ("seat-taken", Some(player)),
            Table::SeatMoved { player } => ("seat-moved", Some(player)),
            Table::Offered { player, .. } => ("offered", Some(player)),
            Table::Declined { player } => ("declined", Some(player)),
            Table::WentOn { player } => ("went-on", Some(player)),
            Table::Cancelled { player } => ("cancelled", Some(player)),
            Table::Game(Game::Moved { player, .. }) => ("move", Some(player)),
            Table::Game(Game::HintTold | Game::ReasonsTold) => ("hint", None),
            Table::Game(Game::Resigned { player }) => ("resigned", Some(player)),
            Table::Game(other) => (other.word(), None),
        };
        let mut told = Event {
            seq,
            name: None,
            offer: None,
            written: None,
            moves: None,
            target: None,
            first: None,
            kind,
            player: player.map(|player| (*player).into()),
            at,
        };
        match event {
            Table::SeatTaken { name, .. } => told.name = Some(name.clone()),
            Table::Offered { offer, .. } => told.offer = Some(*offer),
            Table::Game(Game::Moved { written, .. }) => told.written = Some(written.clone()),
            Table::Game(Game::TakenBack { moves }) => told.moves = Some(moves.clone()),
            Table::Game(Game::RoundBegun { target, first }) => {
                told.target = *target;
                told.first = first.map(PlayerNumber::from);
            }
            Table::Game(Game::TargetChanged { target }) => told.target = Some(*target),
            _ => {}
        }
        told
    }
}
