//! JSON for a round as it stands: what anybody at the table may see.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value as Json, json};

use crate::engine::play::Move;
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::{Game, Rulebook};
use crate::words::phrases;

/// Writes the keys of a round as it stands: the game, the position, what may be done and what was done. Never what
/// anything is worth. They go straight to where they are wanted, among other keys, since rounds may be long and this is
/// asked for with every move.
///
/// # Errors
///
/// Those of whatever they are written to.
pub fn round<M: SerializeMap>(game: &Game, round: &Round, to: &mut M) -> Result<(), M::Error> {
    let (rulebook, position) = (round.rulebook(), round.position());
    for (key, value) in &super::about(game, rulebook) {
        to.serialize_entry(key, value)?;
    }
    if let Some(target) = rulebook.target() {
        to.serialize_entry("target", &target)?;
    }
    if let Json::Object(position) = super::position(rulebook, position) {
        for (key, value) in &position {
            to.serialize_entry(key, value)?;
        }
    }
    to.serialize_entry("first", &round.first().number())?;
    let is_over = round.outcome().is_some();
    let written = |a_move| WrittenMove { rulebook, a_move };
    let legal = rulebook.legal(position);
    let legal = legal.iter().filter(|_| !is_over).map(|choice| written(Move::Operation(choice)));
    to.serialize_entry("legal", &legal.collect::<Vec<_>>())?;
    let barred = rulebook.offers(position).filter(|_| !is_over).filter_map(|offer| {
        let reason = phrases::refusal(rulebook, offer.result.err()?);
        Some(json!({ "move": rulebook.write_offer(&offer), "reason": reason }))
    });
    to.serialize_entry("barred", &barred.collect::<Vec<_>>())?;
    let history = round.history().iter().map(|ply| written(ply.a_move));
    to.serialize_entry("history", &history.collect::<Vec<_>>())?;
    let outcome = round.outcome().map(
        |outcome| json!({ "winner": outcome.winner.map(Player::number), "ending": outcome.ending.word() }),
    );
    to.serialize_entry("outcome", &outcome)
}

/// A move as it is written.
struct WrittenMove<'a> {
    rulebook: &'a Rulebook,
    a_move: Move,
}

impl Serialize for WrittenMove<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.a_move.choice().and_then(|choice| self.rulebook.written(choice)) {
            Some(written) => serializer.collect_str(&written),
            None => serializer.serialize_str(&self.rulebook.write(self.a_move)),
        }
    }
}
