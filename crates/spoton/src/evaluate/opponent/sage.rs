//! Sage: plays perfectly and sets traps.

use super::mind::{Turn, best_of, careful};
use super::{About, Chances};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solver::{MoveVerdict, Solver, Value};

pub(super) const SAGE: About = About {
    id: "sage",
    title: "Sage",
    habit: "Sage never gives away a win and sets traps when losing",
    slip: 0.0,
    is_reference: false,
    looks_ahead: true,
    counts_moves: false,
    choose,
};

fn choose(turn: &Turn<'_>) -> Option<Chances> {
    let Turn { rulebook, position, .. } = *turn;
    let verdicts = (turn.verdicts)()?;
    Some(match verdicts.first()?.verdict.value {
        Value::Win => Chances::evenly(best_of(&verdicts)),
        Value::Draw => {
            let onward = without_repetition(turn.round, verdicts);
            traps(rulebook, position, turn.solver?, &onward, Value::Draw)
        }
        Value::Loss => traps(rulebook, position, turn.solver?, &verdicts, Value::Loss),
    })
}

/// Weighs the best moves by how likely a player who looks one move ahead is to go wrong after each.
fn traps(
    rulebook: &Rulebook,
    position: &Position,
    solver: &Solver,
    verdicts: &[MoveVerdict],
    value: Value,
) -> Chances {
    let weight = |choice: Choice| -> f64 {
        let Ok(Step::On(next)) = rulebook.play(position, Move::Operation(choice)) else { return 0.0 };
        let Situation::Choose(legal) = rulebook.situation(&next) else { return 0.0 };
        let replies = careful(rulebook, &next, legal);
        let goes_wrong = |reply: Choice| {
            let reply = solver.move_verdict(&next, Move::Operation(reply));
            reply.is_some_and(|verdict| verdict.value < !value)
        };
        replies.only(goes_wrong).len() as f64 / replies.len() as f64
    };
    let equal = || verdicts.iter().filter(|judged| judged.verdict.value == value);
    let weights: Vec<(Choice, f64)> =
        equal().filter_map(|judged| judged.a_move.choice()).map(|choice| (choice, weight(choice))).collect();
    if weights.iter().any(|(_, weight)| *weight > 0.0) {
        Chances::weighted(weights)
    } else {
        Chances::evenly(best_of(verdicts))
    }
}

/// Removes drawing moves that return to an earlier position in the round, if another drawing move is left.
fn without_repetition(round: Option<&Round>, verdicts: Vec<MoveVerdict>) -> Vec<MoveVerdict> {
    let Some(round) = round else { return verdicts };
    let goes_on = |judged: &&MoveVerdict| match round.rulebook().play(round.position(), judged.a_move) {
        Ok(Step::On(next)) => round.history().iter().all(|ply| ply.before != next),
        _ => true,
    };
    let draws = verdicts.iter().filter(|judged| judged.verdict.value == Value::Draw);
    let onward: Vec<MoveVerdict> = draws.filter(goes_on).copied().collect();
    if onward.is_empty() { verdicts } else { onward }
}
