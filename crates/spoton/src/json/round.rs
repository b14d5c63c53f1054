//! JSON for the current state of a round: public facts only.

use serde::ser::{Error, Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;

use super::position::barred;
use super::{About, Outcome};
use crate::engine::play::Move;
use crate::engine::round::Round;
use crate::format::{Game, Rulebook};

/// Writes a round's current state: the game, the position, the legal moves and the history, but never an evaluation.
/// Streams into the caller's object because rounds can be long and this runs on every move.
///
/// # Errors
///
/// The serializer's errors.
pub fn round<M: SerializeMap>(game: &Game, round: &Round, to: &mut M) -> Result<(), M::Error> {
    let (rulebook, position) = (round.rulebook(), round.position());
    add_keys(&About::new(game, rulebook), to)?;
    if let Some(target) = rulebook.target() {
        to.serialize_entry("target", &target)?;
    }
    add_keys(&super::position(rulebook, position), to)?;
    to.serialize_entry("first", &round.first().number())?;
    let is_over = round.outcome().is_some();
    let written = |a_move| WrittenMove { rulebook, a_move };
    let legal = rulebook.legal(position);
    let legal = legal.iter().filter(|_| !is_over).map(|choice| written(Move::Operation(choice)));
    to.serialize_entry("legal", &legal.collect::<Vec<_>>())?;
    let barred = if is_over { vec![] } else { barred(rulebook, position) };
    to.serialize_entry("barred", &barred)?;
    let history = round.history().iter().map(|ply| written(ply.a_move));
    to.serialize_entry("history", &history.collect::<Vec<_>>())?;
    to.serialize_entry("outcome", &round.outcome().map(Outcome::from))
}

/// Writes the keys of a part into the caller's object.
fn add_keys<M: SerializeMap>(part: &impl Serialize, to: &mut M) -> Result<(), M::Error> {
    let Json::Object(keys) = serde_json::to_value(part).map_err(M::Error::custom)? else { return Ok(()) };
    keys.iter().try_for_each(|(key, value)| to.serialize_entry(key, value))
}

/// A move in notation.
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
