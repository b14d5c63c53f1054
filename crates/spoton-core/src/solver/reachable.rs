//! The numbers that play can reach in a game where only the number decides: those with a turn, and those that
//! end a round.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::chart::{Chart, position_at};
use super::{Budget, Unsolved, too_large_is_none};
use crate::engine::operation::{Affine, Way};
use crate::engine::play::Step;
use crate::format::{Entry, Op, Rulebook};

/// Numbers per call to the budget.
const PATIENCE: u64 = 1 << 16;

/// The memory limit in bytes for listing reachable numbers, if there is no room for a bit per number.
const FEW: u64 = 64 << 20;

/// The numbers of a chart that play can reach from the rule book's opening.
pub struct Reachable(Found);

/// How they are stored.
enum Found {
    /// Every number can have a turn, and none ends the round.
    All,
    /// A bit per number, from the lowest.
    Many { lowest: i64, on_turn: Bits, ends: Bits },
    /// Sorted lists, for few reachable numbers in a wide range.
    Few { on_turn: Vec<i64>, ends: Vec<i64> },
    /// Too many for lists, but determined by the first ones. No number ends the round.
    FromFirst(FirstNumbers),
}

impl Reachable {
    /// Plays all moves from all reachable numbers.
    ///
    /// # Errors
    ///
    /// If it exceeds the budget, or the caller stops it.
    pub fn from_chart(chart: &Chart, budget: &mut Budget<'_>) -> Result<Reachable, Unsolved> {
        let rulebook = chart.rulebook();
        let (lowest, (start, _)) = (chart.lowest(), rulebook.start());
        if chart.has_no_table()
            && let Some(first) = Reachable::from_first(chart, budget)?
        {
            return Ok(first);
        }
        if counts_through(rulebook) {
            return Ok(Reachable(Found::All));
        }
        let count = chart.highest().abs_diff(lowest) + 1;
        // If numbers only go one way, a scan finds the next one. Otherwise all may be queued at the same
        // time, in a list with spare capacity.
        let one_way = rulebook.goes_one_way();
        let waiting = if one_way { 0 } else { u128::from(count) * 3 * size_of::<i64>() as u128 };
        if budget.require_bytes(0, count.into(), 2 * Bits::bytes(count) + waiting).is_err() {
            return budget.within(FEW, |budget| Reachable::few(chart, budget));
        }
        let (mut on_turn, mut ends) = (Bits::none(count), Bits::none(count));
        on_turn.add(start.abs_diff(lowest));
        let place = |number: i128| {
            let inside = (lowest.into()..=chart.highest().into()).contains(&number);
            inside.then(|| (number as i64).abs_diff(lowest))
        };
        let mut looked_at = 0;
        let mut ask = || {
            looked_at += 1;
            budget.ask(looked_at, PATIENCE, Some(count))
        };
        let mut expand = |number: i64, on_turn: &mut Bits, found: &mut Vec<i64>| {
            for landed in landings(rulebook, number) {
                match landed {
                    Landed::On(next) => {
                        let is_new = place(next.into()).is_some_and(|place| on_turn.add(place));
                        if is_new && !one_way {
                            found.push(next);
                        }
                    }
                    Landed::Over(number) => {
                        place(number).map(|place| ends.add(place));
                    }
                }
            }
        };
        let mut found = Vec::new();
        if one_way {
            let upwards = start == lowest;
            for step in 0..count {
                ask()?;
                let place = if upwards { step } else { count - 1 - step };
                if on_turn.has(place) {
                    expand(lowest + place as i64, &mut on_turn, &mut found);
                }
            }
        } else {
            found.push(start);
            while let Some(number) = found.pop() {
                ask()?;
                expand(number, &mut on_turn, &mut found);
            }
        }
        Ok(Reachable(Found::Many { lowest, on_turn, ends }))
    }

    /// [`Reachable::from_chart`] for a game of stretches, without iterating all numbers; `None` if it has lists.
    pub fn from_first(chart: &Chart, budget: &mut Budget<'_>) -> Result<Option<Reachable>, Unsolved> {
        let first = too_large_is_none(FirstNumbers::find(chart.rulebook(), chart.ends(), budget))?;
        Ok(first.map(|first| Reachable(Found::FromFirst(first))))
    }

    /// [`Reachable::from_chart`] for few reachable numbers in a wide range.
    fn few(chart: &Chart, budget: &mut Budget<'_>) -> Result<Reachable, Unsolved> {
        const BYTES_EACH: u64 = 128;
        let rulebook = chart.rulebook();
        let inside = |number: &i64| (chart.lowest()..=chart.highest()).contains(number);
        let (start, _) = rulebook.start();
        let (mut on_turn, mut ends) = (BTreeSet::from([start]), BTreeSet::new());
        let (mut found, mut looked_at) = (vec![start], 0);
        while let Some(number) = found.pop() {
            looked_at += 1;
            budget.require(looked_at, (on_turn.len() + ends.len()) as u128, BYTES_EACH)?;
            budget.ask(looked_at, PATIENCE, None)?;
            for landed in landings(rulebook, number) {
                match landed {
                    Landed::On(next) if on_turn.insert(next) => found.push(next),
                    Landed::On(_) => {}
                    Landed::Over(number) => ends.extend(i64::try_from(number).ok().filter(inside)),
                }
            }
        }
        let (on_turn, ends) = (on_turn.into_iter().collect(), ends.into_iter().collect());
        Ok(Reachable(Found::Few { on_turn, ends }))
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        let words = match &self.0 {
            Found::All => 0,
            Found::Many { on_turn, ends, .. } => on_turn.0.len() + ends.0.len(),
            Found::Few { on_turn, ends } => on_turn.len() + ends.len(),
            Found::FromFirst(first) => first.by_remainder.len(),
        };
        (words * size_of::<u64>()) as u64
    }

    /// The reachable numbers, if they are few.
    pub fn list(&self) -> Option<&[i64]> {
        if let Found::Few { on_turn, .. } = &self.0 { Some(on_turn) } else { None }
    }

    /// The first numbers, if there are too many reachable numbers for anything else.
    pub fn first_numbers(&self) -> Option<&FirstNumbers> {
        if let Found::FromFirst(first) = &self.0 { Some(first) } else { None }
    }

    /// Whether a number of the chart can have a turn, even if only at the opening.
    pub fn on_turn(&self, number: i64) -> bool {
        match &self.0 {
            Found::All => true,
            Found::Many { lowest, on_turn, .. } => on_turn.has(number.abs_diff(*lowest)),
            Found::Few { on_turn, .. } => on_turn.binary_search(&number).is_ok(),
            Found::FromFirst(first) => first.on_turn(number),
        }
    }

    /// Whether a move can land on a number of the chart and end the round.
    pub fn ends(&self, number: i64) -> bool {
        match &self.0 {
            Found::All | Found::FromFirst(_) => false,
            Found::Many { lowest, ends, .. } => ends.has(number.abs_diff(*lowest)),
            Found::Few { ends, .. } => ends.binary_search(&number).is_ok(),
        }
    }
}

/// The result of a move.
enum Landed {
    /// The next turn is at this number.
    On(i64),
    /// The round is over.
    Over(i128),
}

/// The results of all moves from a number.
fn landings(rulebook: &Rulebook, number: i64) -> impl Iterator<Item = Landed> {
    let position = position_at(rulebook, number);
    position.into_iter().flat_map(move |position| {
        rulebook.situation(&position).moves().filter_map(move |a_move| {
            match rulebook.play(&position, a_move) {
                Ok(Step::On(next)) => Some(Landed::On(next.number())),
                Ok(Step::Over { number, .. }) => Some(Landed::Over(number)),
                Err(_) => None,
            }
        })
    })
}

/// The numbers that can have a turn, in a book that only adds and multiplies in one direction, without lists
/// or memory. From a reachable number, the smallest addition reaches all later numbers with the same
/// remainder. So the first reachable number for each remainder determines the rest.
pub struct FirstNumbers {
    /// -1 if numbers go down, in which case they are negated.
    sign: i64,
    /// The smallest addition.
    step: i64,
    /// The first reachable number for each remainder; `i64::MAX` if there is none.
    by_remainder: Vec<i64>,
}

impl FirstNumbers {
    /// Returns `None` if no move adds, or the book has number lists.
    fn find(
        rulebook: &Rulebook,
        (lowest, highest): (i64, i64),
        budget: &mut Budget<'_>,
    ) -> Result<Option<FirstNumbers>, Unsolved> {
        let (sign, end) = if rulebook.only_way() == Some(Way::Up) { (1, highest) } else { (-1, -lowest) };
        let moves: Vec<Affine> = plain_moves(rulebook, sign).collect();
        let additions = moves.iter().filter(|does| does.factor == 1).map(|does| does.addend);
        let Some(step) = additions.min().filter(|_| !rulebook.has_lists()) else { return Ok(None) };
        // Room for the first number of each remainder, and for a few queued numbers.
        budget.require(0, step as u128, 8 * size_of::<i64>() as u64)?;
        let mut first = FirstNumbers { sign, step, by_remainder: vec![i64::MAX; step as usize] };
        let mut waiting = BinaryHeap::from([Reverse(rulebook.start().0 * sign)]);
        let mut looked_at = 0;
        while let Some(Reverse(number)) = waiting.pop() {
            looked_at += 1;
            budget.ask(looked_at, PATIENCE, None)?;
            let known = &mut first.by_remainder[number.rem_euclid(step) as usize];
            if number >= *known {
                continue;
            }
            *known = number;
            for does in &moves {
                let next = number.saturating_mul(does.factor).saturating_add(does.addend);
                if next <= end && next < first.by_remainder[next.rem_euclid(step) as usize] {
                    waiting.push(Reverse(next));
                }
            }
        }
        Ok(Some(first))
    }

    fn on_turn(&self, number: i64) -> bool {
        let number = number * self.sign;
        number >= self.by_remainder[number.rem_euclid(self.step) as usize]
    }

    /// Among the numbers from `from` to `to`, `every` apart, finds the part where moves can reach every one.
    /// Returns its first and last number, or `None` if there is no such part.
    pub fn reachable_part(&self, (from, to): (i64, i64), every: i64) -> Option<(i64, i64)> {
        // Negate if numbers go down.
        let (from, to) = if self.sign == 1 { (from, to) } else { (-to, -from) };
        let start = self.by_remainder.iter().copied().min()?;
        // Remainders and steps repeat together with this period.
        let period = self.step * every;
        let mut least = from;
        for number in (from..=to).step_by(every as usize).take(self.step as usize) {
            let first = self.by_remainder[number.rem_euclid(self.step) as usize];
            if first == i64::MAX {
                return None;
            }
            // The start is never reached again.
            let missing = if first == start { first } else { first - 1 };
            if number <= missing {
                least = least.max(number + (missing - number) / period * period + every);
            }
        }
        (least <= to).then_some(if self.sign == 1 { (least, to) } else { (-to, -least) })
    }

    /// -1 if the numbers go down.
    pub fn sign(&self) -> i64 {
        self.sign
    }

    /// The period of the reachable numbers.
    pub fn period(&self) -> i64 {
        self.step
    }

    /// The number from which they are periodic, in the direction of play.
    pub fn repeats_from(&self) -> i64 {
        let known = self.by_remainder.iter().filter(|number| **number < i64::MAX);
        known.max().map_or(0, |last| last * self.sign)
    }
}

/// The effects of a one-way book's moves, negated if it goes down. Omits computed moves.
pub fn plain_moves(rulebook: &Rulebook, sign: i64) -> impl Iterator<Item = Affine> {
    rulebook.moves().iter().filter_map(move |entry| match entry.op {
        Op::Fixed(operation) => {
            operation.as_affine().map(|does| Affine { factor: does.factor, addend: does.addend * sign })
        }
        Op::Computed(_) => None,
    })
}

/// Whether every number from the start to the last one before the end can have a turn, in a book that only
/// adds and multiplies in one direction, without lists or memory. After enough consecutive reachable numbers,
/// the smallest addition reaches the rest. If that addition is large, some number near the start is
/// unreachable, because few numbers are multiples.
pub fn all_numbers_are_reachable(rulebook: &Rulebook, (lowest, highest): (i64, i64)) -> bool {
    const FAR: i64 = 256;
    // Negating turns a book that goes down below 0 into one that goes up.
    let (sign, end) = if rulebook.only_way() == Some(Way::Up) { (1, highest) } else { (-1, -lowest) };
    let start = rulebook.start().0 * sign;
    let moves: Vec<Affine> = plain_moves(rulebook, sign).collect();
    let additions = moves.iter().filter(|does| does.factor == 1).map(|does| does.addend);
    let Some(least) = additions.min() else { return start >= end };
    let mut reached = vec![start];
    for number in start + 1..=start.saturating_add(least.min(FAR) - 1).min(end) {
        let leads_here = |before: &i64| {
            let to = |does: &Affine| i128::from(*before) * i128::from(does.factor) + i128::from(does.addend);
            moves.iter().any(|does| to(does) == i128::from(number))
        };
        if !reached.iter().any(leads_here) {
            return false;
        }
        reached.push(number);
    }
    true
}

/// Whether play can reach all numbers one by one, so that none needs a check.
fn counts_through(rulebook: &Rulebook) -> bool {
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
    !rulebook.has_lists() && rulebook.moves().iter().any(is_step)
}

/// A bit set of the numbers below a limit.
pub(crate) struct Bits(Vec<u64>);

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

    /// Adds a number. Returns whether it's new.
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

    /// `all_numbers_are_reachable` agrees with visiting all numbers.
    #[test]
    fn all_numbers_are_reachable_if_none_is_missing() {
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
                let chart = Chart::from_rulebook(&rulebook, &mut budget).unwrap().unwrap();
                let reachable = Reachable::from_chart(&chart, &mut budget).unwrap();
                let all = (chart.lowest()..=chart.highest()).all(|number| reachable.on_turn(number));
                assert_eq!(
                    all_numbers_are_reachable(&rulebook, (chart.lowest(), chart.highest())),
                    all,
                    "{text}"
                );
            }
        }
    }

    /// Some remainders are never reached.
    #[test]
    fn reachable_numbers_repeat_from_the_last_first_number() {
        for (moves, start) in
            [("'+2'", 1), ("'+2', '+4'", 3), ("'+6', 'x2'", 1), ("'+10', '+15'", 2), ("'+1'", 5)]
        {
            let text = format!("title = 'T'\nstart = {start}\ntarget = 500\nmoves = [{moves}]");
            let rulebook = Draft::read("t", &text).build().unwrap();
            let first =
                FirstNumbers::find(&rulebook, (start, 499), &mut Budget::patient(1 << 20)).unwrap().unwrap();
            let recurs = |number: &i64| first.on_turn(*number) == first.on_turn(number + first.period());
            let from = first.repeats_from();
            assert!((start..400).contains(&from) && (from..400).all(|number| recurs(&number)), "{text}");
        }
    }

    /// A scan in one direction needs two bits per number, and no queue.
    #[test]
    fn numbers_that_go_one_way_need_no_queue() {
        let text =
            "title = 'T'\nstart = 1\ntarget = 100000\nmoves = ['+1', '+2', 'x2']\nforbidden = [60, 90]";
        let rulebook = Arc::new(Draft::read("t", text).build().unwrap());
        let chart = Chart::from_rulebook(&rulebook, &mut Budget::patient(1 << 24)).unwrap().unwrap();
        let reachable = Reachable::from_chart(&chart, &mut Budget::patient(100_000 / 2)).unwrap();
        assert!([2, 59, 61, 99_999].into_iter().all(|number| reachable.on_turn(number)));
        assert!(!reachable.on_turn(60));
    }
}
