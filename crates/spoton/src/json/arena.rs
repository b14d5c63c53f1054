//! JSON for two players against each other.

use serde_json::{Value as Json, json};

use crate::engine::position::{ByPlayer, Player};
use crate::format::{Game, Rulebook};
use crate::people::arena::{Asked, Meeting, SeatResult};
use crate::people::chances::Odds;
use crate::solver::Value;
use crate::words::answer::GRAMMAR;

/// How two players fare in a game. `players` are as records name them.
pub fn meeting(
    game: &Game,
    rulebook: &Rulebook,
    players: &ByPlayer<String>,
    names: &ByPlayer<String>,
    meeting: &Meeting,
) -> Json {
    let mut object = super::about(game, rulebook);
    let mut add = |key: &str, value: Json| drop(object.insert(key.to_owned(), value));
    if let Some(targets) = &game.targets {
        add("targets", json!(format!("{}..{}", targets.start(), targets.end())));
    }
    let player = |player: Player| json!({ "player": players[player], "name": names[player] });
    add("players", Player::BOTH.map(player).to_vec().into());
    add("exact", meeting.exact.as_ref().map_or(Json::Null, odds));
    let in_its_place = meeting.in_its_place.iter().map(|place| {
        json!({
            "in_place_of": place.player.number(),
            "player": place.opponent.to_string(),
            "exact": odds(&place.odds),
        })
    });
    add("in_its_place", in_its_place.collect());
    if let Some(power) = meeting.beyond_patience {
        add("best_play_is_longer_than", json!(10_u64.saturating_pow(power)));
    }
    add("played", super::summary(&meeting.summary));
    let seat = |seat: &SeatResult<'_>| {
        json!({
            "player": seat.player.number(),
            "name": names[seat.player],
            "seat": if seat.second { "second" } else { "first" },
            "value": seat.value.map(Value::word),
            "perfect": seat.perfect.map(|odds| chances(odds, seat.player)),
            "careful": seat.careful.map(|odds| chances(odds, seat.player)),
            "exact": seat.exact.map(|odds| chances(odds, seat.player)),
            "got": seat.got.map(super::counted),
        })
    };
    add("seats", meeting.seats(names).iter().map(seat).collect());
    add("asked", meeting.asked.as_ref().map_or(Json::Null, asked));
    if meeting.asked.is_some() {
        add("unasked", meeting.unasked.0.to_vec().into());
    }
    Json::Object(object)
}

/// How outside programs were asked.
pub fn asked(asked: &Asked) -> Json {
    json!({
        "tries": asked.tries,
        "legal_list": asked.legal_list,
        "prompt": asked.prompt,
        "disguise": asked.disguise,
        "seat": asked.seat,
        "grammar": GRAMMAR,
    })
}

/// The chances of one player.
fn chances(odds: Odds, player: Player) -> Json {
    json!({ "wins": odds.wins[player], "drawn": odds.drawn() })
}

/// Odds by who goes first.
fn odds(odds: &ByPlayer<Odds>) -> Json {
    let from = |first: Player| {
        let odds = odds[first];
        json!({
            "first": first.number(),
            "wins": [odds.wins[Player::One], odds.wins[Player::Two]],
            "drawn": odds.drawn(),
        })
    };
    Player::BOTH.map(from).to_vec().into()
}
