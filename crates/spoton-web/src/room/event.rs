//! A table's events, and their JSON.

use serde_json::{Value as Json, json};
use spoton::engine::position::{ByPlayer, Player};
use spoton::sitting;
use spoton::view::Offer;

use crate::ids::SittingId;

/// The format version of written events.
const VERSION: u64 = 1;

/// An event at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The table was set.
    Created {
        /// The sitting at its start.
        text: String,
        /// The names of seated people. A seat without a name is open or belongs to a computer.
        names: ByPlayer<Option<String>>,
        /// Whether hints are on.
        hints: bool,
        /// The rule book's address, if it isn't a shipped one.
        book: Option<String>,
        /// The sitting and round that this one continues.
        from: Option<(SittingId, usize)>,
    },
    SeatTaken {
        player: Player,
        name: String,
    },
    /// A player moved to another device.
    SeatMoved {
        player: Player,
    },
    Offered {
        player: Player,
        offer: Offer,
    },
    Declined {
        player: Player,
    },
    /// A pupil moved on to the next partner.
    WentOn {
        player: Player,
    },
    /// The host cancelled the invitation before anyone joined.
    Cancelled {
        player: Player,
    },
    /// An event of the game.
    Game(sitting::Event),
}

/// The JSON of an event, as the store keeps it.
pub fn write(event: &Event, by: Option<Player>) -> String {
    let player = |player: &Player| json!(player.number());
    let event = match event {
        Event::Created { text, names, hints, book, from } => json!({
            "event": "created",
            "text": text,
            "names": names.0,
            "hints": hints,
            "book": book,
            "from": from.as_ref().map(|(id, round)| json!({ "sitting": id.to_string(), "round": round })),
        }),
        Event::SeatTaken { player: of, name } => {
            json!({ "event": "seat-taken", "player": player(of), "name": name })
        }
        Event::SeatMoved { player: of } => json!({ "event": "seat-moved", "player": player(of) }),
        Event::Offered { player: of, offer } => {
            json!({ "event": "offered", "player": player(of), "offer": offer.word() })
        }
        Event::Declined { player: of } => json!({ "event": "declined", "player": player(of) }),
        Event::WentOn { player: of } => json!({ "event": "went-on", "player": player(of) }),
        Event::Cancelled { player: of } => json!({ "event": "cancelled", "player": player(of) }),
        Event::Game(event) => event.to_json(),
    };
    let mut written = json!({ "v": VERSION, "by": by.map(Player::number) });
    // Outside the macro, which would copy it.
    written["event"] = event;
    written.to_string()
}

/// Reads an event from [`write()`]; `None` if it is damaged or from a newer version.
pub fn read(body: &str) -> Option<Event> {
    let json: Json = serde_json::from_str(body).ok()?;
    if json["v"].as_u64()? > VERSION {
        return None;
    }
    let event = &json["event"];
    let player = || Player::from_number(u8::try_from(event["player"].as_u64()?).ok()?);
    Some(match event["event"].as_str()? {
        "created" => {
            let name = |place: usize| match &event["names"][place] {
                Json::Null => Some(None),
                name => name.as_str().map(|name| Some(name.to_owned())),
            };
            Event::Created {
                text: event["text"].as_str()?.to_owned(),
                names: ByPlayer([name(0)?, name(1)?]),
                hints: event["hints"].as_bool()?,
                book: match &event["book"] {
                    Json::Null => None,
                    book => Some(book.as_str()?.to_owned()),
                },
                from: match &event["from"] {
                    Json::Null => None,
                    from => {
                        let round = usize::try_from(from["round"].as_u64()?).ok()?;
                        Some((from["sitting"].as_str()?.parse().ok()?, round))
                    }
                },
            }
        }
        "seat-taken" => Event::SeatTaken { player: player()?, name: event["name"].as_str()?.to_owned() },
        "seat-moved" => Event::SeatMoved { player: player()? },
        "offered" => {
            let word = event["offer"].as_str()?;
            Event::Offered {
                player: player()?,
                offer: Offer::ALL.into_iter().find(|offer| offer.word() == word)?,
            }
        }
        "declined" => Event::Declined { player: player()? },
        "went-on" => Event::WentOn { player: player()? },
        "cancelled" => Event::Cancelled { player: player()? },
        _ => Event::Game(sitting::Event::from_json(event).ok()?),
    })
}
