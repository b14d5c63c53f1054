//! How each opponent chooses.

use super::{Chances, Mind, best_of, is_uncounted};
use crate::engine::choices::Choices;
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solved::careful::Careful;
use crate::solver::{Interner, MoveVerdict, Solver, Value};

/// The length of the endgame, in moves.
const LAST_STRETCH: u64 = 8;
/// How often Pip guesses if a move can end the round.
const GUESSES_AT_THE_END: f64 = 0.5;
/// How many moves Otto looks ahead.
const FAR: usize = 3;

/// The probabilities of an opponent without slips, with the round if there is one. `None` if it needs a solution and
/// there's none.
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
            let helps = Chances::evenly(helpful(&verdicts().unwrap_or_default(), legal));
            // In many games, a player who only avoids immediate losses beats a guesser. So Pip often overlooks endings.
            match legal.iter().any(|choice| ends(rulebook, position, choice).is_some()) {
                true => helps.mixed_with(&Chances::evenly(legal), GUESSES_AT_THE_END),
                false => helps,
            }
        }
        Mind::Dash => Chances::evenly(biggest(rulebook, position, not_losing(rulebook, position, legal))),
        Mind::Careful | Mind::Momo => Chances::evenly(careful(rulebook, position, legal)),
        Mind::Otto => {
            // Prefers an immediate win over a later one.
            let winning = winning(rulebook, position, legal);
            let best = if winning.is_empty() { far_sighted(rulebook, position, legal) } else { winning };
            Chances::evenly(best)
        }
        Mind::Perfect => {
            // Doesn't play if the fastest win is unknown. This never changes.
            let verdicts = verdicts().filter(|verdicts| !is_uncounted(verdicts))?;
            Chances::evenly(best_of(&verdicts))
        }
        Mind::Sound => {
            let verdicts = verdicts()?;
            let best = verdicts.first().map(|judged| judged.verdict.value);
            let sound = verdicts.iter().filter(|judged| Some(judged.verdict.value) == best);
            Chances::evenly(sound.filter_map(|judged| judged.a_move.choice()))
        }
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

/// The result for the mover if a move ends the round immediately.
fn ends(rulebook: &Rulebook, position: &Position, choice: Choice) -> Option<Value> {
    let outcome = rulebook.ends_at_once(position, Move::Operation(choice))?;
    Some(Value::from_outcome(outcome, position.turn()))
}

fn not_losing<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let sound = legal.only(|choice| ends(rulebook, position, choice) != Some(Value::Loss));
    if sound.is_empty() { legal } else { sound }
}

/// The moves that win immediately.
fn winning<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    legal.only(|choice| ends(rulebook, position, choice) == Some(Value::Win))
}

fn careful<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let careful = Careful::among(legal.iter().map(|choice| ends(rulebook, position, choice)));
    legal.only(|choice| careful.picks(ends(rulebook, position, choice)))
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

/// The best moves found by looking a few moves ahead. Everything beyond that counts as a draw.
fn far_sighted<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let mut ahead = Ahead { rulebook, positions: Interner::default(), known: Vec::new() };
    let mut best = Value::Loss;
    let mut judged: Vec<(Choice, Value)> = Vec::new();
    for choice in legal {
        // Pruning: a value below the best so far needn't be exact.
        let value = ahead.value_for_other(position, Move::Operation(choice), FAR, !best);
        let value = !value.unwrap_or(Value::Draw);
        best = best.max(value);
        judged.push((choice, value));
    }
    legal.only(|choice| judged.contains(&(choice, best)))
}

/// Fixed-depth minimax with pruning and a transposition table.
struct Ahead<'a> {
    rulebook: &'a Rulebook,
    positions: Interner,
    /// The value of each position for the player to move, at depth 0, 1, …
    known: Vec<[Option<Value>; FAR]>,
}

impl Ahead<'_> {
    /// The value of a move for the opponent at a given depth; `None` if it isn't legal. If it exceeds `enough`, it
    /// may be any value above that.
    fn value_for_other(
        &mut self,
        position: &Position,
        a_move: Move,
        moves: usize,
        enough: Value,
    ) -> Option<Value> {
        let other = !position.turn();
        Some(match self.rulebook.play(position, a_move).ok()? {
            Step::Over { outcome, .. } => Value::from_outcome(outcome, other),
            Step::On(next) if moves <= 1 => {
                let over = self.rulebook.over_at(&next);
                over.map_or(Value::Draw, |outcome| Value::from_outcome(outcome, other))
            }
            Step::On(next) => self.value(&next, moves - 1, enough),
        })
    }

    /// The value of a position for the player to move at a given depth, with `enough` as above.
    fn value(&mut self, position: &Position, moves: usize, enough: Value) -> Value {
        let place = self.positions.add(*position) as usize;
        self.known.resize(self.positions.len(), [None; FAR]);
        if let Some(value) = self.known[place][moves] {
            return value;
        }
        let mut best = None;
        for choice in self.rulebook.offered(position) {
            // There's no bound until a value is known.
            let enough_for_other = !best.unwrap_or(Value::Loss);
            let worth = self.value_for_other(position, Move::Operation(choice), moves, enough_for_other);
            best = best.max(worth.map(|value| !value));
            match best {
                Some(Value::Win) => break,
                Some(value) if value > enough => return value,
                _ => {}
            }
        }
        let value = best.unwrap_or_else(|| match self.rulebook.situation(position) {
            Situation::Over(outcome) => Value::from_outcome(outcome, position.turn()),
            _ => !self.value_for_other(position, Move::Skip, moves, Value::Win).unwrap_or(Value::Draw),
        });
        self.known[place][moves] = Some(value);
        value
    }
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
