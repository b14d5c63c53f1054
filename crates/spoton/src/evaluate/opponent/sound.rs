//! Sound: the stand-in for the perfect player in games whose moves can't be counted.

use super::mind::Turn;
use super::{About, Chances};

pub(super) const SOUND: About = About {
    id: "sound",
    title: "Sound",
    habit: "Sound picks any of the best moves, however long they take",
    slip: 0.0,
    is_reference: true,
    looks_ahead: true,
    counts_moves: false,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let verdicts = (turn.verdicts)()?;
    let best = verdicts.first().map(|judged| judged.verdict.value);
    let sound = verdicts.iter().filter(|judged| Some(judged.verdict.value) == best);
    Some(Chances::evenly(sound.filter_map(|judged| judged.a_move.choice())))
}
