//! Pip: helps the opponent.

use super::mind::{Turn, ends};
use super::{About, Chances};
use crate::engine::choices::Choices;
use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::solver::MoveVerdict;

pub(super) const PIP: About = About {
    id: "pip",
    title: "Pip",
    habit: "Pip means well but often makes the move that helps you",
    slip: 0.4,
    is_reference: false,
    looks_ahead: true,
    counts_moves: false,
    choose,
};

/// How often Pip guesses if a move can end the round.
const GUESSES_AT_THE_END: f64 = 0.5;

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let helps = Chances::evenly(helpful(&(turn.verdicts)().unwrap_or_default(), turn.legal));
    // In many games, a player who only avoids immediate losses beats a guesser. So Pip often overlooks endings.
    let ends = |choice| ends(turn.rulebook, turn.position, choice).is_some();
    Some(match turn.legal.iter().any(ends) {
        true => helps.mixed_with(&Chances::evenly(turn.legal), GUESSES_AT_THE_END),
        false => helps,
    })
}

/// The worst of some moves, which help the opponent; all of them if their values are unknown.
fn helpful<'a>(verdicts: &[MoveVerdict], among: Choices<'a>) -> Choices<'a> {
    let value = |choice: Choice| {
        let judged = verdicts.iter().find(|judged| judged.a_move == Move::Operation(choice));
        judged.map(|judged| judged.verdict.value)
    };
    let worst = among.iter().filter_map(value).min();
    let helps = among.only(|choice| worst.is_some() && value(choice) == worst);
    if helps.is_empty() { among } else { helps }
}
