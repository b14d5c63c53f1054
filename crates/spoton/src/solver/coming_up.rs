//! Which numbers come up in a game in which the number alone decides: at which of them somebody can be on turn, and on
//! which of them a round can end.

use super::chart::{Chart, position_at};
use super::{Budget, Unsolved};
use crate::engine::operation::{Affine, Way};
use crate::engine::play::Step;
use crate::format::{Entry, Op, Rulebook};

/// How many numbers are looked at between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

/// What can happen at each number of a chart, if play begins where the rule book says.
pub(crate) struct ComingUp {
    lowest: i64,
    /// Whether somebody can be on turn at every number, and no number ends the round: then nothing else is held.
    all_come_up: bool,
    /// The numbers at which somebody can be on turn: the start, and whatever can be left.
    on_turn: Bits,
    /// The numbers that a move can land on and that end the round.
    ends: Bits,
}

impl ComingUp {
    /// Plays every move from every number that comes up.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub(crate) fn of(chart: &Chart, budget: &mut Budget<'_>) -> Result<ComingUp, Unsolved> {
        let rulebook = chart.rulebook();
        let (lowest, (start, _)) = (chart.lowest(), rulebook.start());
        if counts_through(rulebook) {
            return Ok(ComingUp { lowest, all_come_up: true, on_turn: Bits::none(0), ends: Bits::none(0) });
        }
        let count = chart.highest().abs_diff(lowest) + 1;
        // If numbers go one way, the next that comes up is found by looking through them; else all of them may wait at
        // the same time, in a list that has room for twice as many when it grows.
        let one_way = rulebook.goes_one_way();
        let waiting = if one_way { 0 } else { u128::from(count) * 3 * size_of::<i64>() as u128 };
        budget.require_bytes(0, count.into(), 2 * Bits::bytes(count) + waiting)?;
        let (on_turn, ends) = (Bits::none(count), Bits::none(count));
        let mut coming_up = ComingUp { lowest, all_come_up: false, on_turn, ends };
        coming_up.on_turn.add(start.abs_diff(lowest));
        let place = |number: i128| {
            let inside = (lowest.into()..=chart.highest().into()).contains(&number);
            inside.then(|| (number as i64).abs_diff(lowest))
        };
        let mut looked_at = 0;
        let mut ask = || {
            looked_at += 1;
            budget.ask(looked_at, PATIENCE, Some(count))
        };
        let expand = |number: i64, coming_up: &mut ComingUp, found: &mut Vec<i64>| {
            let Some(position) = position_at(rulebook, number) else { return };
            for a_move in rulebook.situation(&position).moves() {
                match rulebook.play(&position, a_move) {
                    Ok(Step::On(next)) => {
                        let is_new =
                            place(next.number().into()).is_some_and(|place| coming_up.on_turn.add(place));
                        if is_new && !one_way {
                            found.push(next.number());
                        }
                    }
                    Ok(Step::Over { number, .. }) => {
                        place(number).map(|place| coming_up.ends.add(place));
                    }
                    Err(_) => {}
                }
            }
        };
        let mut found = Vec::new();
        if one_way {
            let upwards = start == lowest;
            for step in 0..count {
                ask()?;
                let place = if upwards { step } else { count - 1 - step };
                if coming_up.on_turn.has(place) {
                    expand(lowest + place as i64, &mut coming_up, &mut found);
                }
            }
        } else {
            found.push(start);
            while let Some(number) = found.pop() {
                ask()?;
                expand(number, &mut coming_up, &mut found);
            }
        }
        Ok(coming_up)
    }

    /// How many bytes it holds.
    pub(crate) fn bytes(&self) -> u64 {
        ((self.on_turn.0.len() + self.ends.0.len()) * size_of::<u64>()) as u64
    }

    /// Whether somebody can be on turn at a number of the chart, were it only at the opening.
    pub(crate) fn on_turn(&self, number: i64) -> bool {
        self.all_come_up || self.on_turn.has(number.abs_diff(self.lowest))
    }

    /// Whether a move can land on a number of the chart and thereby end the round.
    pub(crate) fn ends(&self, number: i64) -> bool {
        self.ends.has(number.abs_diff(self.lowest))
    }
}

/// Whether somebody can be on turn at every number from the start to before the end, in a book that only adds and
/// multiplies one way, and has no lists and nothing to remember. Numbers come up through the smallest addition once as many in a row have; and where it is
/// large, a number that does not come up is not far away, as most are no multiples.
pub(crate) fn all_numbers_come_up(rulebook: &Rulebook, (lowest, highest): (i64, i64)) -> bool {
    const FAR: i64 = 256;
    // What goes down below 0 goes up if it is looked at from there.
    let (sign, end) = if rulebook.only_way() == Some(Way::Up) { (1, highest) } else { (-1, -lowest) };
    let start = rulebook.start().0 * sign;
    let does = |entry: &Entry| match entry.op {
        Op::Fixed(operation) => {
            operation.as_affine().map(|does| Affine { factor: does.factor, addend: does.addend * sign })
        }
        Op::Computed(_) => None,
    };
    let moves: Vec<Affine> = rulebook.moves().iter().filter_map(does).collect();
    let additions = moves.iter().filter(|does| does.factor == 1).map(|does| does.addend);
    let Some(least) = additions.min() else { return start >= end };
    let mut comes_up = vec![start];
    for number in start + 1..=start.saturating_add(least.min(FAR) - 1).min(end) {
        let leads_here = |before: &i64| {
            let to = |does: &Affine| i128::from(*before) * i128::from(does.factor) + i128::from(does.addend);
            moves.iter().any(|does| to(does) == i128::from(number))
        };
        if !comes_up.iter().any(leads_here) {
            return false;
        }
        comes_up.push(number);
    }
    true
}

/// Whether play can go through all numbers one by one: then none has to be looked at.
fn counts_through(rulebook: &Rulebook) -> bool {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let step = match rulebook.only_way() {
        Some(Way::Up) => 1,
        Some(Way::Down) => -1,
        Some(Way::Stays) | None => return false,
    };
    let is_step = |entry: &Entry| match entry.op {
        Op::Fixed(operation) => {
            entry.when.is_empty() && operation.as_affine() == Some(Affine { factor: 1, addend: step })
        }
        Op::Computed(_) => false,
    };
    lists.iter().all(|list| list.is_empty()) && rulebook.moves().iter().any(is_step)
}

/// A set of the numbers below a limit, a bit for each.
struct Bits(Vec<u64>);

impl Bits {
    fn bytes(count: u64) -> u128 {
        u128::from(count.div_ceil(64)) * size_of::<u64>() as u128
    }

    fn none(count: u64) -> Bits {
        Bits(vec![0; count.div_ceil(64) as usize])
    }

    fn has(&self, place: u64) -> bool {
        self.0.get((place / 64) as usize).is_some_and(|word| word & 1 << (place % 64) != 0)
    }

    /// Adds a number; whether it is new.
    fn add(&mut self, place: u64) -> bool {
        let word = &mut self.0[(place / 64) as usize];
        let is_new = *word & 1 << (place % 64) == 0;
        *word |= 1 << (place % 64);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::format::Draft;

    /// Whether all numbers come up is the same whether they are gone through or not.
    #[test]
    fn all_numbers_come_up_where_none_is_missing() {
        let moves = [
            "'+1', 'x2'",
            "'+2', 'x2'",
            "'+2', 'x3'",
            "'+2', 'x2', 'x3'",
            "'+3', 'x2'",
            "'+4', 'x2', 'x3'",
            "'x2'",
            "'+2', '+3'",
            "'+5', 'x2', 'x3', 'x4', 'x5'",
            "'+6', 'x2', 'x3', 'x4', 'x5'",
            "'+300', 'x2'",
            "'+7', '+1'",
            "'+6', 'x2', 'x3', 'x4', 'x5', 'x6'",
        ];
        for moves in moves {
            for (start, target) in [(1, 5), (1, 400), (2, 400), (3, 700), (1, 2), (399, 400)] {
                let text = format!("title = 'T'\nstart = {start}\ntarget = {target}\nmoves = [{moves}]");
                let rulebook = Arc::new(Draft::read("t", &text).build().unwrap());
                let mut budget = Budget::patient(1 << 20);
                let chart = Chart::of(&rulebook, &mut budget).unwrap().unwrap();
                let coming_up = ComingUp::of(&chart, &mut budget).unwrap();
                let all = (chart.lowest()..=chart.highest()).all(|number| coming_up.on_turn(number));
                assert_eq!(all_numbers_come_up(&rulebook, (chart.lowest(), chart.highest())), all, "{text}");
            }
        }
    }
}
