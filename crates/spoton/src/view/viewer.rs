//! The viewer of a table, and a surface's knowledge of its seats.

use serde::Serialize;

use crate::engine::position::{ByPlayer, Player};
use crate::sitting::Sitting;

/// The viewer of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A person in one seat.
    Seat(Player),
    /// Two people on one device. Both go by their names.
    Both,
    /// A spectator.
    Nobody,
    /// The host of the class that the round belongs to. Sees everything and plays nothing.
    Host,
    /// A program in one seat. It gets hints if the round has them, but no ideas and no maps.
    Program(Player),
}

impl Viewer {
    /// The viewer with these seats.
    pub fn seated(seats: &[Player]) -> Viewer {
        match seats {
            [] => Viewer::Nobody,
            [own] => Viewer::Seat(*own),
            _ => Viewer::Both,
        }
    }

    /// The viewer at the keyboard of a sitting on one device.
    pub fn at_keyboard(sitting: &Sitting) -> Viewer {
        match (sitting.only_person(), sitting.a_person_plays()) {
            (Some(own), _) => Viewer::Seat(own),
            (None, true) => Viewer::Both,
            (None, false) => Viewer::Nobody,
        }
    }

    /// Whether the viewer plays in this seat.
    pub fn plays(self, player: Player) -> bool {
        match self {
            Viewer::Seat(own) | Viewer::Program(own) => own == player,
            Viewer::Both => true,
            Viewer::Nobody | Viewer::Host => false,
        }
    }

    /// Whether the viewer plays at all.
    pub fn is_seated(self) -> bool {
        Player::BOTH.into_iter().any(|player| self.plays(player))
    }

    /// The player called "you": the one seat of the viewer.
    pub fn alone(self) -> Option<Player> {
        match self {
            Viewer::Seat(own) | Viewer::Program(own) => Some(own),
            Viewer::Both | Viewer::Nobody | Viewer::Host => None,
        }
    }
}

/// An offer from one player to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// To undo the last move.
    TakeBack,
    /// Another round.
    Rematch,
    /// Another round with another target.
    AnotherTarget,
}

impl Offer {
    /// All of them.
    pub const ALL: [Offer; 3] = [Offer::TakeBack, Offer::Rematch, Offer::AnotherTarget];

    /// The word in logs and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Offer::TakeBack => "take-back",
            Offer::Rematch => "rematch",
            Offer::AnotherTarget => "another-target",
        }
    }
}

/// A surface's knowledge of a sitting's seats.
#[derive(Clone, Debug)]
pub struct Seating {
    /// The players' names.
    pub names: ByPlayer<String>,
    /// The seats that nobody has taken.
    pub open: ByPlayer<bool>,
    /// Whether the players agreed to hints.
    pub hints: bool,
    /// An offer that the opponent hasn't answered.
    pub offer: Option<(Player, Offer)>,
}

impl Seating {
    /// The sitting's own seats: all taken, with hints.
    pub fn from_sitting(sitting: &Sitting) -> Seating {
        let names = sitting.setup().names.clone();
        Seating { names, open: ByPlayer([false, false]), hints: true, offer: None }
    }
}
