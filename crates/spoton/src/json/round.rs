//! JSON for a round as it stands: what anybody at the table may see.

use serde_json::{Map as Object, Value as Json, json};

use crate::engine::play::Move;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::Game;
use crate::words::phrases;

/// A round as it stands: the game, the position, what may be done and what was done. Never what anything is worth.
pub fn round(game: &Game, round: &Round) -> Object<String, Json> {
    let (rulebook, position) = (round.rulebook(), round.position());
    let mut object = super::about(game, rulebook);
    if let Some(target) = rulebook.target() {
        object.insert("target".to_owned(), json!(target));
    }
    if let Json::Object(position) = super::position(rulebook, position) {
        object.extend(position);
    }
    object.insert("first".to_owned(), json!(round.first().number()));
    let is_over = round.outcome().is_some();
    let legal = rulebook.legal(position);
    let legal = legal.iter().filter(|_| !is_over).map(|choice| rulebook.write(Move::Operation(choice)));
    object.insert("legal".to_owned(), legal.collect());
    let barred = rulebook.offers(position).filter(|_| !is_over).filter_map(|offer| {
        let reason = phrases::refusal(rulebook, offer.result.err()?);
        Some(json!({ "move": rulebook.write_offer(&offer), "reason": reason }))
    });
    object.insert("barred".to_owned(), barred.collect());
    let history = round.history().iter().map(|ply| rulebook.write(ply.a_move));
    object.insert("history".to_owned(), history.collect());
    let outcome = round.outcome().map(
        |outcome| json!({ "winner": outcome.winner.map(Player::number), "ending": outcome.ending.word() }),
    );
    object.insert("outcome".to_owned(), json!(outcome));
    object
}
