//! Careful: a reference player.

use super::mind::Turn;
use super::{About, Chances};

pub(super) const CAREFUL: About = About {
    id: "careful",
    title: "Careful",
    habit: "Careful takes an immediate win and avoids an immediate loss",
    slip: 0.0,
    is_reference: true,
    looks_ahead: false,
    counts_moves: false,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    Some(turn.careful())
}
