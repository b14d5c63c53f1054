//! How each opponent chooses.

use super::{Chances, Mind, best_of};
use crate::engine::choices::Choices;
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solver::{MoveVerdict, Solver, Value};

/// How many moves before the end the last stretch begins.
const LAST_STRETCH: u64 = 8;
/// How many moves the one who looks ahead sees.
const FAR: usize = 3;

/// The chances of an opponent that does not slip, with the round if there is one. `None` if it needs a solution and
/// there is none.
pub(super) fn choose(
    mind: Mind,
    rulebook: &Rulebook,
    position: &Position,
    solver: Option<&Solver>,
    round: Option<&Round>,
    verdicts: impl FnOnce() -> Option<Vec<MoveVerdict>>,
) -> Option<Chances> {
    let Situation::Choose(legal) = rulebook.situation(position) else { return Some(Chances::default()) };
    Some(match mind {
        Mind::Random => Chances::evenly(legal),
        Mind::Pip => {
            Chances::evenly(helpful(&verdicts().unwrap_or_default(), not_losing(rulebook, position, legal)))
        }
        Mind::Dash => Chances::evenly(biggest(rulebook, position, not_losing(rulebook, position, legal))),
        Mind::Careful | Mind::Momo => Chances::evenly(careful(rulebook, position, legal)),
        Mind::Otto => Chances::evenly(far_sighted(rulebook, position, legal)),
        Mind::Perfect => Chances::evenly(best_of(&verdicts()?)),
        Mind::Nina => {
            let verdicts = verdicts()?;
            let near = verdicts.first().and_then(|judged| judged.verdict.remoteness());
            match near {
                Some(moves) if moves <= LAST_STRETCH => Chances::evenly(best_of(&verdicts)),
                _ => Chances::evenly(careful(rulebook, position, legal)),
            }
        }
        Mind::Sage => {
            let verdicts = verdicts()?;
            match verdicts.first()?.verdict.value {
                Value::Win => Chances::evenly(best_of(&verdicts)),
                Value::Draw => {
                    let onward = without_repetition(round, verdicts);
                    traps(rulebook, position, solver?, &onward, Value::Draw)
                }
                Value::Loss => traps(rulebook, position, solver?, &verdicts, Value::Loss),
            }
        }
    })
}

/// Whether a move ends the round at once, and for whom.
fn ends(rulebook: &Rulebook, position: &Position, choice: Choice) -> Option<Value> {
    let outcome = rulebook.ends_at_once(position, Move::Operation(choice))?;
    Some(Value::of(outcome, position.turn()))
}

fn not_losing<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let sound = legal.only(|choice| ends(rulebook, position, choice) != Some(Value::Loss));
    if sound.is_empty() { legal } else { sound }
}

fn careful<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let winning = legal.only(|choice| ends(rulebook, position, choice) == Some(Value::Win));
    if winning.is_empty() { not_losing(rulebook, position, legal) } else { winning }
}

/// The worst of some moves; all of them if it is not known which are worse.
fn helpful<'a>(verdicts: &[MoveVerdict], among: Choices<'a>) -> Choices<'a> {
    let value = |choice: Choice| {
        let judged = verdicts.iter().find(|judged| judged.a_move == Move::Operation(choice));
        judged.map(|judged| judged.verdict.value)
    };
    let worst = among.iter().filter_map(value).min();
    let helps = among.only(|choice| worst.is_some() && value(choice) == worst);
    if helps.is_empty() { among } else { helps }
}

/// The moves that change the number most.
fn biggest<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let change = |choice: Choice| {
        let number = rulebook.result(position, choice).unwrap_or_default();
        (number - i128::from(position.number())).unsigned_abs()
    };
    let most = legal.iter().map(change).max();
    legal.only(|choice| Some(change(choice)) == most)
}

/// The best that looking a few moves ahead finds; what lies beyond is all the same.
fn far_sighted<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let judged = legal
        .iter()
        .map(|choice| (choice, !value_for_other(rulebook, position, Move::Operation(choice), FAR)));
    let judged: Vec<(Choice, Value)> = judged.collect();
    let best = judged.iter().map(|(_, value)| *value).max();
    legal.only(|choice| judged.iter().any(|(known, value)| *known == choice && Some(*value) == best))
}

/// What a move is worth to the other player, as far as so many moves show (plain minimax).
fn value_for_other(rulebook: &Rulebook, position: &Position, a_move: Move, moves: usize) -> Value {
    let mover = position.turn();
    let next = match rulebook.play(position, a_move) {
        Ok(Step::Over { outcome, .. }) => return Value::of(outcome, !mover),
        Ok(Step::On(next)) => next,
        Err(_) => return Value::Draw,
    };
    match rulebook.situation(&next) {
        Situation::Over(outcome) => Value::of(outcome, !mover),
        _ if moves <= 1 => Value::Draw,
        Situation::Skip => !value_for_other(rulebook, &next, Move::Skip, moves - 1),
        Situation::Choose(choices) => {
            let replies = choices
                .iter()
                .map(|choice| !value_for_other(rulebook, &next, Move::Operation(choice), moves - 1));
            replies.max().unwrap_or(Value::Draw)
        }
    }
}

/// Among the moves that are worth as much as the best: the more likely somebody who looks one move ahead is to go
/// wrong after it, the more often it is chosen.
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

/// Leaves out the drawing moves that lead back to a position of the round, as long as another drawing move is left.
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
