//! Perfect: a reference player.

use super::mind::{Turn, best_of};
use super::{About, Chances};

pub(super) const PERFECT: About = About {
    id: "perfect",
    title: "Perfect",
    habit: "Perfect wins as fast and loses as late as possible",
    slip: 0.0,
    is_reference: true,
    looks_ahead: true,
    counts_moves: true,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let verdicts = (turn.verdicts)()?;
    // Doesn't play if the fastest win is unknown. This never changes.
    if verdicts.iter().any(|judged| judged.verdict.is_of_unknown_length()) {
        return None;
    }
    Some(Chances::evenly(best_of(&verdicts)))
}
