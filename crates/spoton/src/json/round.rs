//! The current state of a round: public facts only.

use serde::{Serialize, Serializer};

use super::position::{Barred, Position, barred};
use super::{About, Outcome, PlayerNumber};
use crate::engine::play::Move;
use crate::engine::round;
use crate::format::{Game, Rulebook};

/// A round's current state: the game, the position, the legal moves and the history, but never an evaluation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Round<'a> {
    /// The game.
    #[serde(flatten)]
    pub about: About,
    /// The target, if the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<i64>,
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// The player who started.
    pub first: PlayerNumber,
    /// The legal moves now.
    pub legal: Vec<WrittenMove<'a>>,
    /// The moves that aren't legal now.
    pub barred: Vec<Barred>,
    /// The moves so far.
    pub history: Vec<WrittenMove<'a>>,
    /// How the round ended; `null` while it isn't over.
    pub outcome: Option<Outcome>,
}

/// A round's current state.
pub fn round<'a>(game: &Game, round: &'a round::Round) -> Round<'a> {
    let (rulebook, position) = (&**round.rulebook(), round.position());
    let is_over = round.outcome().is_some();
    let written = |a_move| WrittenMove { rulebook, a_move };
    let legal = rulebook.legal(position);
    let legal = legal.iter().filter(|_| !is_over).map(|choice| written(Move::Operation(choice)));
    Round {
        about: About::new(game, rulebook),
        target: rulebook.target(),
        position: super::position(rulebook, position),
        first: round.first().into(),
        legal: legal.collect(),
        barred: if is_over { vec![] } else { barred(rulebook, position) },
        history: round.history().iter().map(|ply| written(ply.a_move)).collect(),
        outcome: round.outcome().map(Outcome::from),
    }
}

/// A move in notation. Rounds can be long and their state is written on every move, so it's written without a copy.
#[derive(Clone, Copy, Debug)]
pub struct WrittenMove<'a> {
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
