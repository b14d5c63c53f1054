//! How each opponent chooses.

use super::careful::Careful;
use super::{Chances, Mind, best_of, is_uncounted};
use crate::engine::choices::Choices;
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Choice, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solver::{Interner, MoveVerdict, Solver, Value};

/// How many moves before the end the last stretch begins.
const LAST_STRETCH: u64 = 8;
/// How often the gentlest one guesses if a move can end the round.
const GUESSES_AT_THE_END: f64 = 0.5;
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
            let helps = Chances::evenly(helpful(&verdicts().unwrap_or_default(), legal));
            // In many games, a player who only avoids losing at once beats one who guesses: Pip must not see that coming.
            match legal.iter().any(|choice| ends(rulebook, position, choice).is_some()) {
                true => helps.mixed_with(&Chances::evenly(legal), GUESSES_AT_THE_END),
                false => helps,
            }
        }
        Mind::Dash => Chances::evenly(biggest(rulebook, position, not_losing(rulebook, position, legal))),
        Mind::Careful | Mind::Momo => Chances::evenly(careful(rulebook, position, legal)),
        Mind::Otto => {
            // Whoever looks ahead sees what is nearest first.
            let winning = winning(rulebook, position, legal);
            let best = if winning.is_empty() { far_sighted(rulebook, position, legal) } else { winning };
            Chances::evenly(best)
        }
        Mind::Perfect => {
            // It never changes: where it cannot tell the quickest win, it does not play.
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

/// Whether a move ends the round at once, and for whom.
fn ends(rulebook: &Rulebook, position: &Position, choice: Choice) -> Option<Value> {
    let outcome = rulebook.ends_at_once(position, Move::Operation(choice))?;
    Some(Value::of(outcome, position.turn()))
}

fn not_losing<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let sound = legal.only(|choice| ends(rulebook, position, choice) != Some(Value::Loss));
    if sound.is_empty() { legal } else { sound }
}

/// The moves that win at once.
fn winning<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    legal.only(|choice| ends(rulebook, position, choice) == Some(Value::Win))
}

fn careful<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let careful = Careful::among(legal.iter().map(|choice| ends(rulebook, position, choice)));
    legal.only(|choice| careful.picks(ends(rulebook, position, choice)))
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
        let before = position.number_of(rulebook.owner(position, Move::Operation(choice)));
        (number - i128::from(before)).unsigned_abs()
    };
    let most = legal.iter().map(change).max();
    legal.only(|choice| Some(change(choice)) == most)
}

/// The best that looking a few moves ahead finds; what lies beyond is all the same.
fn far_sighted<'a>(rulebook: &Rulebook, position: &Position, legal: Choices<'a>) -> Choices<'a> {
    let mut ahead = Ahead { rulebook, positions: Interner::new(), known: Vec::new() };
    let mut best = Value::Loss;
    let mut judged: Vec<(Choice, Value)> = Vec::new();
    for choice in legal {
        // What is worth less than the best so far need not be known any better.
        let value = ahead.value_for_other(position, Move::Operation(choice), FAR, !best);
        let value = !value.unwrap_or(Value::Draw);
        best = best.max(value);
        judged.push((choice, value));
    }
    legal.only(|choice| judged.contains(&(choice, best)))
}

/// Looking a few moves ahead: plain minimax, in which what cannot matter is left out and nothing is looked at twice.
struct Ahead<'a> {
    rulebook: &'a Rulebook,
    positions: Interner,
    /// What each position is worth to the player on turn, as far as 0, 1, … moves show.
    known: Vec<[Option<Value>; FAR]>,
}

impl Ahead<'_> {
    /// What a move is worth to the other player, as far as so many moves show; `None` if it is not legal. Where it is worth
    /// more than `enough`, it may be any value above that.
    fn value_for_other(
        &mut self,
        position: &Position,
        a_move: Move,
        moves: usize,
        enough: Value,
    ) -> Option<Value> {
        let other = !position.turn();
        Some(match self.rulebook.play(position, a_move).ok()? {
            Step::Over { outcome, .. } => Value::of(outcome, other),
            Step::On(next) if moves <= 1 => {
                let over = self.rulebook.over_at(&next);
                over.map_or(Value::Draw, |outcome| Value::of(outcome, other))
            }
            Step::On(next) => self.value(&next, moves - 1, enough),
        })
    }

    /// What a position is worth to the player on turn, as far as so many moves show; likewise.
    fn value(&mut self, position: &Position, moves: usize, enough: Value) -> Value {
        let place = self.positions.add(*position) as usize;
        self.known.resize(self.positions.len(), [None; FAR]);
        if let Some(value) = self.known[place][moves] {
            return value;
        }
        let mut best = None;
        for choice in self.rulebook.offered(position) {
            // As long as nothing is known, everything is worth knowing.
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
            Situation::Over(outcome) => Value::of(outcome, position.turn()),
            _ => !self.value_for_other(position, Move::Skip, moves, Value::Win).unwrap_or(Value::Draw),
        });
        self.known[place][moves] = Some(value);
        value
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
