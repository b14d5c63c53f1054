//! Nina: plays the endgame perfectly.

use super::mind::{Turn, best_of};
use super::{About, Chances};

pub(super) const NINA: About = About {
    id: "nina",
    title: "Nina",
    habit: "Nina knows the endgame by heart",
    slip: 0.05,
    is_reference: false,
    looks_ahead: true,
    counts_moves: false,
    choose,
};

/// The length of the endgame, in moves.
const LAST_STRETCH: u64 = 8;

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let verdicts = (turn.verdicts)()?;
    let near = verdicts.first().and_then(|judged| judged.verdict.remoteness());
    Some(match near {
        Some(moves) if moves <= LAST_STRETCH => Chances::evenly(best_of(&verdicts)),
        _ => turn.careful(),
    })
}
