//! Dash: takes the biggest step.

use super::mind::{Turn, ends};
use super::{About, Chances};
use crate::engine::choices::Choices;
use crate::engine::play::Move;
use crate::engine::position::{Choice, Position};
use crate::format::Rulebook;
use crate::solver::Value;

pub(super) const DASH: About = About {
    id: "dash",
    title: "Dash",
    habit: "Dash takes the biggest step that fits",
    slip: 0.2,
    is_reference: false,
    looks_ahead: false,
    counts_moves: false,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let Turn { rulebook, position, legal, .. } = *turn;
    Some(Chances::evenly(biggest(rulebook, position, not_losing(rulebook, position, legal))))
}

fn not_losing<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let sound = legal.only(|choice| ends(rulebook, position, choice) != Some(Value::Loss));
    if sound.is_empty() { legal } else { sound }
}

/// The moves that change the number the most.
fn biggest<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let change = |choice: Choice| {
        let number = rulebook.result(position, choice).unwrap_or_default();
        let before = position.number_of(rulebook.owner(position, Move::Operation(choice)));
        (number - i128::from(before)).unsigned_abs()
    };
    let most = legal.iter().map(change).max();
    legal.only(|choice| Some(change(choice)) == most)
}
