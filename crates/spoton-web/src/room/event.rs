//! A table's events, and their JSON.

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use spoton::engine::position::{ByPlayer, Player};
use spoton::sitting;
use spoton::view::Offer;

use crate::ids::SittingId;

/// The format version of written events.
const VERSION: u64 = 1;

/// An event at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The table was set.
    Created {
        /// The sitting at its start.
        text: String,
        /// The names of the people in the seats; `None` if a seat is open or a computer's.
        names: ByPlayer<Option<String>>,
        /// Whether hints are on.
        hints: bool,
        /// The rule book's address, if it isn't a shipped one.
        book: Option<String>,
        /// The sitting and round that this one continues.
        #[serde(serialize_with = "earlier")]
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
    #[serde(untagged)]
    Game(sitting::Event),
}

/// A stored event.
#[derive(Serialize)]
struct StoredEvent<'a> {
    v: u64,
    by: Option<Player>,
    event: &'a Event,
}

/// The JSON of an event, as the store keeps it.
pub fn write(event: &Event, by: Option<Player>) -> String {
    let stored = StoredEvent { v: VERSION, by, event };
    // Never fails: every key is text.
    serde_json::to_string(&stored).unwrap_or_default()
}

fn earlier<S: Serializer>(from: &Option<(SittingId, usize)>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Earlier {
        sitting: String,
        round: usize,
    }
    from.as_ref().map(|(id, round)| Earlier { sitting: id.to_string(), round: *round }).serialize(serializer)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Servers keep logs for years, so the JSON of an event never changes.
    #[test]
    fn every_event_comes_back_from_its_json() {
        let player = Player::Two;
        let created = |names, book: Option<&str>, from| Event::Created {
            text: "[Game \"x\"]".to_owned(),
            names: ByPlayer(names),
            hints: true,
            book: book.map(str::to_owned),
            from,
        };
        let earlier = SittingId([0; 16]);
        for (event, json) in [
            (
                created([Some("Ann".to_owned()), None], None, None),
                r#"{"event":"created","text":"[Game \"x\"]","names":["Ann",null],"hints":true,"book":null,"from":null}"#,
            ),
            (
                created([None, None], Some("b7"), Some((earlier, 3))),
                r#"{"event":"created","text":"[Game \"x\"]","names":[null,null],"hints":true,"book":"b7","from":{"sitting":"00000000000000000000000000","round":3}}"#,
            ),
            (
                Event::SeatTaken { player, name: "Ben".to_owned() },
                r#"{"event":"seat-taken","player":2,"name":"Ben"}"#,
            ),
            (Event::SeatMoved { player }, r#"{"event":"seat-moved","player":2}"#),
            (
                Event::Offered { player, offer: Offer::TakeBack },
                r#"{"event":"offered","player":2,"offer":"take-back"}"#,
            ),
            (
                Event::Offered { player, offer: Offer::AnotherTarget },
                r#"{"event":"offered","player":2,"offer":"another-target"}"#,
            ),
            (Event::Declined { player }, r#"{"event":"declined","player":2}"#),
            (Event::WentOn { player }, r#"{"event":"went-on","player":2}"#),
            (Event::Cancelled { player }, r#"{"event":"cancelled","player":2}"#),
            (Event::Game(sitting::Event::HintTold), r#"{"event":"hint"}"#),
        ] {
            let written = write(&event, Some(Player::One));
            assert_eq!(written, format!(r#"{{"v":1,"by":1,"event":{json}}}"#));
            assert_eq!(read(&written), Some(event));
        }
        assert_eq!(
            write(&Event::Cancelled { player }, None),
            r#"{"v":1,"by":null,"event":{"event":"cancelled","player":2}}"#
        );
    }
}
