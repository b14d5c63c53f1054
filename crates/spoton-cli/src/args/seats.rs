//! `--seat`: who goes first.

use spoton::engine::position::Player;

/// The player who goes first.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    First,
    Second,
    Both,
}

impl Seats {
    /// The player who goes first. Rounds count from 1.
    pub fn first(self, round: u32) -> Player {
        match self {
            Seats::First => Player::One,
            Seats::Second => Player::Two,
            Seats::Both if round % 2 == 1 => Player::One,
            Seats::Both => Player::Two,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Seats::First => "first",
            Seats::Second => "second",
            Seats::Both => "both",
        }
    }
}
