//! The moves on offer.

use super::viewer::{Seating, Viewer};
use crate::engine::play::{Move, Refusal};
use crate::engine::position::{ByPlayer, Choice, Player};
use crate::engine::round::Round;
use crate::engine::written::{ON_OTHER, Offer};
use crate::evaluate::opponent::Opponent;
use crate::words::{describe, menu, phrases};

/// A move of the player to move, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveView {
    /// The move; `None` for an entry without an amount at this number.
    pub choice: Option<Choice>,
    /// The player's input for it in a menu: its line number, or its amount.
    pub key: String,
    /// In notation: `x2`.
    pub written: String,
    /// In words: `Multiply by 2`.
    pub label: String,
    /// The player whose number it changes.
    pub owner: Player,
    /// The number before.
    pub from: i128,
    /// The number after, or why the move isn't legal: `goes past 20`.
    pub to: Result<i128, String>,
    /// The uses and passes left, if they are limited: `2 uses left`.
    pub left: Option<String>,
    /// Whether it overshoots the target.
    pub overshoots: bool,
    /// The offer behind it.
    pub offer: Offer,
}

impl MoveView {
    /// Whether the rules allow it now.
    pub fn is_legal(&self) -> bool {
        self.to.is_ok()
    }

    /// The reason why the rules don't allow it now.
    pub fn reason(&self) -> Option<&str> {
        self.to.as_ref().err().map(String::as_str)
    }

    /// Whether it changes the opponent's number.
    pub fn is_on_other(&self) -> bool {
        self.written.starts_with(ON_OTHER)
    }
}

/// The moves of a round without a table, such as a puzzle's; empty once it's over.
pub fn moves(round: &Round) -> Vec<MoveView> {
    if round.outcome().is_some() {
        return vec![];
    }
    with_reasons(round, |why| phrases::refusal(round.rulebook(), why))
}

/// The moves of the player to move at a table.
pub(super) fn at_table(
    round: &Round,
    viewer: Viewer,
    seating: &Seating,
    computers: &ByPlayer<Option<Opponent>>,
) -> Vec<MoveView> {
    let (rulebook, turn) = (round.rulebook(), round.position().turn());
    // If a computer is to move, the reasons use its name.
    let by_name = computers[turn].is_some();
    with_reasons(round, |why| match by_name {
        false => phrases::refusal(rulebook, why),
        true => {
            let opponent = (viewer.alone() != Some(!turn)).then(|| seating.names[!turn].as_str());
            phrases::refusal_to(rulebook, why, &seating.names[turn], opponent)
        }
    })
}

fn with_reasons(round: &Round, reason: impl Fn(Refusal) -> String) -> Vec<MoveView> {
    let (rulebook, position) = (round.rulebook(), round.position());
    let a_move = |(key, offer): (String, Offer)| {
        let owner = rulebook.owner(position, offer.choice.map_or(Move::Skip, Move::Operation));
        MoveView {
            choice: offer.choice,
            key,
            written: rulebook.write_offer(&offer),
            label: rulebook.label_of_offer(&offer),
            owner,
            from: round.number_of(owner),
            to: offer.result.map_err(&reason),
            left: describe::left(rulebook, position, &offer),
            overshoots: offer.result.is_ok_and(|number| rulebook.passes_target(number)),
            offer,
        }
    };
    menu::all_lines(rulebook, position).into_iter().map(a_move).collect()
}
