//! Momo: looks one move ahead.

use super::mind::Turn;
use super::{About, Chances};

pub(super) const MOMO: About = About {
    id: "momo",
    title: "Momo",
    habit: "Momo looks one move ahead and slips now and then",
    slip: 0.15,
    is_reference: false,
    looks_ahead: false,
    counts_moves: false,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    Some(turn.careful())
}
