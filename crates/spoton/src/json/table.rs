//! A table as one viewer sees it.

use serde::{Serialize, Serializer};

use super::{Outcome, PlayerNumber, Whole};
use crate::engine::position::Player;
use crate::view::{EndView, Made, MoveView, Offer, Requests, Stage, TableView, WhyNot};

/// A table as one viewer sees it: whose turn it is, the moves, the history, how the round ended, and what the viewer
/// may ask for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The title of the game.
    pub title: String,
    /// The target, if the game has one.
    pub target: Option<i64>,
    /// The viewer's player; `null` for spectators and for two people on one device.
    pub you: Option<PlayerNumber>,
    /// The number that both players change; `null` if each has a number.
    pub number: Option<Whole>,
    /// The two players.
    pub players: [SeatedPlayer; 2],
    /// The player to move; `null` while a seat is open and when the round is over.
    pub turn: Option<PlayerNumber>,
    /// The moves of the player to move, legal or not.
    pub moves: Vec<OfferedMove>,
    /// The moves so far.
    pub history: Vec<MadeMove>,
    /// How the round ended; `null` while it isn't over.
    pub ending: Option<Ending>,
    /// The rounds that each player has won; `null` without a match.
    pub score: Option<[u32; 2]>,
    /// An open offer.
    pub offer: Option<OpenOffer>,
    /// The requests that the viewer can make now.
    pub requests: Allowed,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatedPlayer {
    /// The name, or "You".
    pub name: String,
    /// The computer opponent's id; `null` for people.
    pub computer: Option<String>,
    /// The player's own number, or the shared one.
    pub number: Whole,
    /// Whether a player has this seat.
    pub taken: bool,
}

/// A move of the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferedMove {
    /// In notation.
    #[serde(rename = "move")]
    pub written: String,
    /// In words.
    pub label: String,
    /// The player's input for it in a menu.
    pub key: String,
    /// The player whose number it changes.
    pub owner: PlayerNumber,
    /// The number before.
    pub from: Whole,
    /// The number after; `null` if the move isn't legal.
    pub to: Option<Whole>,
    /// Why the move isn't legal.
    pub reason: Option<String>,
    /// The uses and passes left, if they are limited.
    pub left: Option<String>,
}

/// A past move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MadeMove {
    /// The player who moved.
    pub player: PlayerNumber,
    /// In notation.
    #[serde(rename = "move")]
    pub written: String,
    /// The player whose number it changed.
    pub owner: PlayerNumber,
    /// The number before.
    pub from: Whole,
    /// The number after.
    pub to: Whole,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The winner, and the reason.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The verdict: "You win!"
    pub verdict: String,
    /// The event, as a sentence.
    pub how: String,
}

/// An offer that the opponent hasn't answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct OpenOffer {
    /// The player who made it.
    pub player: PlayerNumber,
    /// The kind of offer.
    pub offer: Offer,
}

/// The requests that the viewer can make now: `null`, or why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Allowed {
    /// A hint, or the reasons.
    pub hint: Option<String>,
    /// Testing an idea.
    pub idea: Option<String>,
    /// The map of the game.
    pub map: Option<String>,
    /// Undoing a move.
    pub undo: Option<String>,
    /// The facts about the game.
    pub facts: Option<String>,
    /// Giving up.
    pub give_up: Option<String>,
}

/// A table as data.
pub fn table(view: &TableView<'_>) -> Table {
    let players = Player::BOTH.map(|player| {
        let seen = &view.players[player];
        SeatedPlayer {
            name: seen.name.clone(),
            computer: seen.computer.map(|opponent| opponent.to_string()),
            number: Whole(seen.number),
            taken: !seen.is_open,
        }
    });
    Table {
        title: view.rulebook().title().to_owned(),
        target: view.rulebook().target(),
        you: view.viewer.alone().map(PlayerNumber::from),
        number: view.shared_number().map(Whole),
        players,
        turn: match view.stage {
            Stage::Turn { player, .. } => Some(player.into()),
            Stage::Open | Stage::Over(_) => None,
        },
        moves: view.moves.iter().map(offered).collect(),
        history: view.history().map(made).collect(),
        ending: view.end().map(ending),
        score: view.score.map(|series| series.score().0),
        offer: view.offer.map(|(player, offer)| OpenOffer { player: player.into(), offer }),
        requests: allowed(&view.requests),
    }
}

fn offered(a_move: &MoveView) -> OfferedMove {
    OfferedMove {
        written: a_move.written.clone(),
        label: a_move.label.clone(),
        key: a_move.key.clone(),
        owner: a_move.owner.into(),
        from: Whole(a_move.from),
        to: a_move.to.as_ref().ok().copied().map(Whole),
        reason: a_move.reason().map(str::to_owned),
        left: a_move.left.clone(),
    }
}

fn made(made: Made<'_>) -> MadeMove {
    MadeMove {
        player: made.player().into(),
        written: made.written(),
        owner: made.owner().into(),
        from: Whole(made.from()),
        to: Whole(made.to()),
    }
}

fn ending(end: &EndView) -> Ending {
    Ending { outcome: end.outcome.into(), verdict: end.verdict.clone(), how: end.how.clone() }
}

fn allowed(requests: &Requests) -> Allowed {
    let why_not = |request: &Result<(), WhyNot>| request.as_ref().err().map(ToString::to_string);
    let Requests { hint, idea, map, undo, facts, give_up } = requests;
    Allowed {
        hint: why_not(hint),
        idea: why_not(idea),
        map: why_not(map),
        undo: why_not(undo),
        facts: why_not(facts),
        give_up: why_not(give_up),
    }
}

impl Serialize for TableView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        table(self).serialize(serializer)
    }
}
