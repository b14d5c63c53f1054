//! The moves so far, as every surface lists them.

use crate::engine::play::Move;
use crate::engine::position::Player;
use crate::engine::round::{Ply, Round};

/// A past move.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    round: &'a Round,
    ply: &'a Ply,
}

impl Made<'_> {
    /// The player who moved.
    pub fn player(&self) -> Player {
        self.ply.player()
    }

    /// The player whose number it changed.
    pub fn owner(&self) -> Player {
        self.ply.owner
    }

    /// The move in notation: `x2`.
    pub fn written(&self) -> String {
        self.round.rulebook().write(self.ply.a_move)
    }

    /// The number before.
    pub fn from(&self) -> i128 {
        self.ply.before.number_of(self.ply.owner).into()
    }

    /// The number after.
    pub fn to(&self) -> i128 {
        self.ply.number
    }

    /// Whether the turn was skipped because there was no legal move.
    pub fn is_skip(&self) -> bool {
        self.ply.a_move == Move::Skip
    }
}

/// The moves of a round so far.
pub fn history(round: &Round) -> impl DoubleEndedIterator<Item = Made<'_>> + ExactSizeIterator {
    round.history().iter().map(move |ply| Made { round, ply })
}
