//! A position: everything that matters for the rest of the round.

use serde::{Serialize, Serializer};

use super::PlayerNumber;
use crate::engine::play::Move;
use crate::engine::position::{self, Player};
use crate::format::{NoRepeat, Numbers, Pool, Rulebook};
use crate::words::phrases;

/// A position: the numbers, the turn, and everything else that matters in its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Position {
    /// The shared number, or each player's own.
    pub numbers: Vec<i64>,
    /// The player to move.
    pub turn: PlayerNumber,
    /// Each player's last move, if the game bans repeating moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<[Option<String>; 2]>,
    /// How often each move with a limit has been used.
    #[serde(skip_serializing_if = "Uses::is_empty")]
    pub uses: Uses,
    /// How often each player has passed, if the game has passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<[u8; 2]>,
    /// The number of moves made, if the game limits the turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}

/// How often each limited entry of `moves` has been used, in the rule book's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uses(Vec<(String, Used)>);

/// A count for both players together, or one for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub enum Used {
    /// By both players together.
    Shared(u8),
    /// By each player.
    Own([u8; 2]),
}

impl Uses {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Uses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(entry, used)| (entry, used)))
    }
}

/// A move that isn't legal now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Barred {
    /// The move in notation.
    #[serde(rename = "move")]
    pub written: String,
    /// Why it isn't legal, as a sentence.
    pub reason: String,
}

/// A position as data.
pub fn position(rulebook: &Rulebook, position: &position::Position) -> Position {
    let previous = |player| {
        let last = position.last_of(player);
        last.map(|choice| rulebook.write(Move::Operation(choice)))
    };
    let used = rulebook.entries().filter_map(|(index, entry)| {
        let used = match entry.uses?.pool {
            Pool::Shared => Used::Shared(position.uses_of(Player::One, index)),
            Pool::Own => Used::Own(Player::BOTH.map(|player| position.uses_of(player, index))),
        };
        Some((rulebook.entry_key(entry), used))
    });
    Position {
        numbers: match rulebook.numbers() {
            Numbers::Shared => vec![position.number()],
            Numbers::Separate => Player::BOTH.map(|player| position.number_of(player)).to_vec(),
        },
        turn: position.turn().into(),
        previous: (rulebook.no_repeat() != NoRepeat::None).then(|| Player::BOTH.map(previous)),
        uses: Uses(used.collect()),
        passes: rulebook.passes().map(|_| Player::BOTH.map(|player| position.passes_of(player))),
        plies: rulebook.turns().map(|_| position.plies()),
    }
}

/// The moves that aren't legal at a position.
pub(super) fn barred(rulebook: &Rulebook, at: &position::Position) -> Vec<Barred> {
    let barred = rulebook.offers(at).filter_map(|offer| {
        let reason = phrases::refusal(rulebook, offer.result.err()?);
        Some(Barred { written: rulebook.write_offer(&offer), reason })
    });
    barred.collect()
}
