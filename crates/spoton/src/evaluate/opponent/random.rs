//! Random: a reference player.

use super::mind::Turn;
use super::{About, Chances};

pub(super) const RANDOM: About = About {
    id: "random",
    title: "Random",
    habit: "Random picks any legal move",
    slip: 0.0,
    is_reference: true,
    looks_ahead: false,
    counts_moves: false,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    Some(Chances::evenly(turn.legal))
}
