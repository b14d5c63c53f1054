//! JSON for two players against each other.

use serde_json::{Value as Json, json};

use crate::engine::position::{ByPlayer, Player};
use crate::format::{Game, Rulebook};
use crate::people::arena::Meeting;
use crate::people::chances::Odds;

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
    add("played", super::summary(&meeting.summary));
    Json::Object(object)
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
