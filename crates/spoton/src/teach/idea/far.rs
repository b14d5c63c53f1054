//! Tests ideas about too many numbers to enumerate, one stretch at a time.
//!
//! A stretch is a range of numbers whose values repeat with a period. Within a stretch, a number's value, whether it
//! comes up, and whether an idea covers it all repeat with a common period. So testing one period covers the whole
//! range. Kinds of numbers, such as primes, don't repeat. Only the first few are tested, which is enough if one of them
//! fails.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::follow::{AfterMove, moves};
use super::{Clause, Exceptions, Fails, Idea};
use crate::engine::operation::Affine;
use crate::format::Past;
use crate::solved::landings::Landings;
use crate::solver::chart::{Chart, Piece};
use crate::solver::reachable::{FirstNumbers, plain_moves};
use crate::solver::{Budget, Unsolved, Value};

/// The maximum number of numbers to check before giving up.
const MOST_NUMBERS: u64 = 1 << 22;

/// Numbers to test between two checks for cancellation.
const PATIENCE: u64 = 1 << 12;

/// Flags in a number's state: whether the follower may reach a number where the idea gives no move. The first flag
/// applies if it's the follower's turn at this number, the second if it's the opponent's.
const FOLLOWER_MAY_STOP: u8 = 1;
const OTHER_MAY_LEAD_THERE: u8 = 2;

pub(super) struct Far<'a> {
    idea: &'a Idea,
    chart: &'a Chart,
    landings: &'a Landings<'a>,
    first: &'a FirstNumbers,
    /// The winner at every number.
    stretches: Vec<Piece<Option<Value>>>,
    looked_at: u64,
}

/// The result of testing the numbers of an idea.
pub(super) struct Looked {
    /// Whether the idea covers any number that can be left.
    pub(super) any: bool,
    /// The lowest number that fails.
    pub(super) fails: Option<(i64, Fails)>,
}

impl<'a> Far<'a> {
    /// `None` if the game isn't solved in stretches.
    pub(super) fn for_idea(
        idea: &'a Idea,
        landings: &'a Landings<'a>,
        budget: &Budget<'_>,
    ) -> Result<Option<Far<'a>>, Unsolved> {
        let chart = landings.chart;
        let Some(first) = landings.reachable.first_numbers() else { return Ok(None) };
        let far = |stretches| Far { idea, chart, landings, first, stretches, looked_at: 0 };
        Ok(chart.stretches(budget)?.map(far))
    }

    /// Counts a checked number. Returns an error if there are too many.
    fn look(&mut self, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        self.looked_at += 1;
        if self.looked_at > MOST_NUMBERS {
            return Err(self.too_many(budget));
        }
        budget.ask(self.looked_at, PATIENCE, None)
    }

    /// The error, with the memory that enumerating all numbers would need.
    fn too_many(&self, budget: &Budget<'_>) -> Unsolved {
        let numbers = u128::from(self.chart.highest().abs_diff(self.chart.lowest())) + 1;
        Unsolved::TooLarge {
            reached: 0,
            at_least: numbers,
            needs: numbers * 16,
            budget: budget.left(),
            table: None,
        }
    }

    /// Splits the range of numbers into parts, each with a period. Cuts at the given numbers and wherever a new pattern
    /// starts, either in the values or in which numbers are reachable.
    fn parts(&self, cuts: &[i64]) -> Vec<(i64, i64, i64)> {
        let last_new = self.first.repeats_from();
        let up = self.first.sign() == 1;
        // The starting number is never left.
        let (start, _) = self.chart.rulebook().start();
        let mut cuts = [cuts, &[start, start + 1, if up { last_new } else { last_new + 1 }]].concat();
        cuts.sort_unstable();
        cuts.dedup();
        let mut parts = Vec::new();
        for piece in &self.stretches {
            let inside = cuts.iter().copied().filter(|cut| (piece.from + 1..=piece.to).contains(cut));
            let mut from = piece.from;
            for next in inside.chain([piece.to + 1]) {
                let repeats = if up { from >= last_new } else { next - 1 <= last_new };
                let period = lcm(piece.pattern.len() as i64, self.first.period());
                parts.push((from, next - 1, if repeats { period } else { next - from }));
                from = next;
            }
        }
        parts
    }

    /// Tests the idea's numbers.
    pub(super) fn look_through(&mut self, budget: &mut Budget<'_>) -> Result<Looked, Unsolved> {
        let mut looked = Looked { any: false, fails: None };
        let parts = self.parts(&[]);
        // Kinds of numbers come last: once another clause fails, they only need testing below that number.
        let mut clauses: Vec<&Clause> = self.idea.0.iter().collect();
        clauses.sort_by_key(|clause| matches!(clause, Clause::Kind { .. }));
        for clause in clauses {
            match clause {
                Clause::Numbers(named) => {
                    for number in named {
                        looked.any = true;
                        looked.fails_at(*number, self.landings.fails(*number));
                    }
                }
                Clause::Every { step, through, from, to } => {
                    for (low, high, period) in &parts {
                        let low = from.unwrap_or(*low).max(*low);
                        let high = to.unwrap_or(*high).min(*high);
                        let first = low.saturating_add((through - low).rem_euclid(*step));
                        let numbers = (0..period / gcd(*period, *step))
                            .map_while(|times| first.checked_add(step.checked_mul(times)?));
                        for number in numbers.take_while(|number| *number <= high) {
                            self.look(budget)?;
                            self.look_at(number, &mut looked);
                        }
                    }
                }
                Clause::Kind { kind, from, to } => {
                    let low = from.unwrap_or(i64::MIN).max(self.chart.lowest());
                    let high = to.unwrap_or(i64::MAX).min(self.chart.highest());
                    for number in low..=high {
                        if looked.fails.is_some_and(|(fails, _)| fails <= number) {
                            break;
                        }
                        self.look(budget)?;
                        if kind.holds(number) {
                            self.look_at(number, &mut looked);
                        }
                    }
                }
            }
        }
        Ok(looked)
    }

    /// A form covers only numbers that can be left.
    fn look_at(&self, number: i64, looked: &mut Looked) {
        if self.landings.leaves(number) {
            looked.any = true;
            looked.fails_at(number, self.landings.fails(number));
        }
    }

    /// The numbers covered by its forms where landing loses. A game solved in stretches has no lists of numbers, so
    /// these are the target or past it.
    pub(super) fn exceptions(&mut self, budget: &mut Budget<'_>) -> Result<Exceptions, Unsolved> {
        let (rulebook, mut found) = (Arc::clone(self.chart.rulebook()), Exceptions::default());
        let Some(target) = rulebook.target() else { return Ok(found) };
        if self.landings.can_land_on(target) {
            found.add(target.into(), self.idea, &rulebook);
        }
        if rulebook.past() != Past::Loses {
            return Ok(found);
        }
        // Mirrors everything so that numbers go up.
        let sign = self.first.sign();
        let (start, last) = (rulebook.start().0 * sign, target * sign - 1);
        let repeats_from = self.first.repeats_from() * sign;
        let bounds = self.bounds().into_iter().map(|number| if sign == 1 { number } else { 1 - number });
        let bounds: Vec<i64> = bounds.collect();
        for does in plain_moves(&rulebook, sign) {
            let first = does.lowest_to(i128::from(target * sign) + 1).max(start.into()) as i64;
            let cuts = bounds.iter().map(|bound| does.lowest_to((*bound).into()) as i64);
            let mut cuts: Vec<i64> = cuts.chain([repeats_from, last + 1]).collect();
            cuts.sort_unstable();
            let mut from = first;
            for cut in cuts.into_iter().filter(|cut| *cut > first && *cut <= last + 1) {
                let period = match (self.period_of_idea(), from >= repeats_from) {
                    (Some(own), true) => lcm(own, self.first.period()),
                    _ => i64::MAX,
                };
                let mut any = false;
                for number in from..cut {
                    // If one period contains none, there are none at all. If it contains one, more follow.
                    if found.are_many() || number - from >= period && !any {
                        break;
                    }
                    self.look(budget)?;
                    if self.landings.reachable.on_turn(number * sign) {
                        let result = i128::from(number) * i128::from(does.factor) + i128::from(does.addend);
                        any |= found.add(result * i128::from(sign), self.idea, &rulebook);
                    }
                }
                from = cut;
            }
        }
        Ok(found)
    }

    /// The bounds of the idea's forms, plus the numbers it names.
    fn bounds(&self) -> Vec<i64> {
        let of = |clause: &Clause| match clause {
            Clause::Numbers(named) => named.iter().flat_map(|number| [*number, number + 1]).collect(),
            Clause::Every { from, to, .. } | Clause::Kind { from, to, .. } => {
                from.iter().copied().chain(to.iter().map(|to| to + 1)).collect::<Vec<i64>>()
            }
        };
        self.idea.0.iter().flat_map(of).collect()
    }

    /// The idea's period between its bounds; `None` if it doesn't repeat.
    fn period_of_idea(&self) -> Option<i64> {
        self.idea.0.iter().try_fold(1, |period, clause| match clause {
            Clause::Numbers(_) => Some(period),
            Clause::Every { step, .. } => Some(lcm(period, *step)),
            Clause::Kind { .. } => None,
        })
    }

    /// Counts the numbers to leave that the idea misses.
    pub(super) fn missing(&mut self, budget: &mut Budget<'_>) -> Result<u64, Unsolved> {
        let Some(own) = self.period_of_idea() else { return Err(self.too_many(budget)) };
        let mut cuts = self.bounds();
        cuts.push(self.first_stuck());
        let mut missing = 0;
        for (from, to, period) in self.parts(&cuts) {
            let (period, count) = (lcm(period, own), to - from + 1);
            for place in 0..period.min(count) {
                self.look(budget)?;
                let number = from + place;
                if self.landings.is_missing(number, self.idea) {
                    missing += ((count - place - 1) / period + 1).unsigned_abs();
                }
            }
        }
        Ok(missing)
    }

    /// The first number, in the direction of play, where a player would be stuck. Every later number is also stuck.
    /// If numbers go down, returns the number just above it.
    fn first_stuck(&self) -> i64 {
        let (lowest, highest) = self.chart.ends();
        let up = self.first.sign() == 1;
        let stuck = |number: i64| self.landings.stuck_at(number).is_some();
        let (mut low, mut high) = (lowest, highest + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            match stuck(middle) == up {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    /// Whether the follower may reach a number where the idea gives no move. Works backwards from the end, as when
    /// solving stretches.
    pub(super) fn may_stop(&mut self, starter: bool, budget: &mut Budget<'_>) -> Result<bool, Unsolved> {
        let Some(own) = self.period_of_idea() else { return Err(self.too_many(budget)) };
        let rulebook = self.chart.rulebook();
        let (start, _) = rulebook.start();
        let sign = self.first.sign();
        let moves: Vec<Affine> = plain_moves(rulebook, sign).collect();
        // Every boundary, mirrored so that numbers go up.
        let here = |number: i64| if sign == 1 { number } else { 1 - number };
        let mut begins: Vec<i64> = self.stretches.iter().map(|piece| here(piece.from)).collect();
        begins.extend(self.bounds().into_iter().map(here));
        begins.extend(self.stretches.last().map(|piece| here(piece.to + 1)));
        begins.extend(rulebook.target().into_iter().flat_map(|target| [target * sign, target * sign + 1]));
        let mut cuts: Vec<i64> = begins.clone();
        for does in &moves {
            cuts.extend(begins.iter().map(|number| does.lowest_to((*number).into()) as i64));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let (bottom, top) = if sign == 1 { self.chart.ends() } else { (start * sign, -self.chart.lowest()) };
        let mut states = States { moves: &moves, pieces: vec![], window: vec![] };
        let mut number = top;
        while number >= bottom {
            let cut = cuts[..cuts.partition_point(|cut| *cut <= number)].last().copied();
            let floor = states.floor(number, cut.unwrap_or(bottom).max(bottom));
            let mut period = lcm(own, states.period(number));
            for reached in moves.iter().map(|does| result(*does, number)).chain([number]) {
                period = lcm(period, self.period_at(reached * sign));
            }
            let mut found = Vec::new();
            let (mut saved, mut looks, mut power) = (0, 0, 1);
            let mut repeats = None;
            while number - (found.len() as i64) >= floor {
                self.look(budget)?;
                let at = number - found.len() as i64;
                found.push(self.state(at, sign, |reached| states.get(reached, number, &found)));
                if found.len() as i64 % period != 0 {
                    continue;
                }
                if states.looks_alike(&found, saved) {
                    repeats = Some(saved);
                    break;
                }
                looks += 1;
                if looks == power {
                    (saved, looks, power) = (found.len(), 0, power * 2);
                }
            }
            states.push(number, floor, found, repeats);
            number = floor - 1;
        }
        let state = states.at(start * sign);
        Ok(state & if starter { FOLLOWER_MAY_STOP } else { OTHER_MAY_LEAD_THERE } != 0)
    }

    /// The period of the stretch that contains a number; 1 if there's none.
    fn period_at(&self, number: i64) -> i64 {
        let place = self.stretches.partition_point(|piece| piece.to < number);
        let piece = self.stretches.get(place).filter(|piece| piece.from <= number);
        piece.map_or(1, |piece| piece.pattern.len() as i64)
    }

    /// The state of a number, from the states of the numbers after it.
    fn state(&self, number: i64, sign: i64, get: impl Fn(i64) -> u8) -> u8 {
        let leads = moves(self.chart.rulebook(), number * sign);
        let on = || {
            leads.iter().filter_map(|next| match next {
                AfterMove::On(number) => Some(*number),
                AfterMove::Over(_) => None,
            })
        };
        let is = |number: i64, state: u8| get(number * sign) & state != 0;
        let leads_there = on().any(|number| is(number, FOLLOWER_MAY_STOP));
        let fits = |number: &i64| self.idea.speaks_of(*number) && self.chart.is_stone((*number).into());
        let may_stop = !leads.contains(&AfterMove::Over(Value::Win))
            && (!on().any(|number| fits(&number))
                || on().filter(fits).any(|number| is(number, OTHER_MAY_LEAD_THERE)));
        u8::from(may_stop) * FOLLOWER_MAY_STOP + u8::from(leads_there) * OTHER_MAY_LEAD_THERE
    }
}

impl Looked {
    /// Keeps the lowest number that fails.
    fn fails_at(&mut self, number: i64, why: Option<Fails>) {
        if self.fails.is_none_or(|(fails, _)| number < fails) {
            self.fails = why.map(|why| (number, why)).or(self.fails);
        }
    }
}

/// The states of all numbers above a given number. Numbers go up.
struct States<'a> {
    moves: &'a [Affine],
    /// Highest first.
    pieces: Vec<Piece<u8>>,
    /// The states of the numbers just above, nearest last: as many as the largest addition that is looked up here.
    window: Vec<u8>,
}

/// Larger additions are looked up among the pieces, like multiplications.
const LONGEST_WINDOW: i64 = 1 << 12;

impl States<'_> {
    fn near(&self) -> impl Iterator<Item = i64> {
        let near = self.moves.iter().filter(|does| does.factor == 1 && does.addend <= LONGEST_WINDOW);
        near.map(|does| does.addend)
    }

    fn far(&self) -> impl Iterator<Item = &Affine> {
        self.moves.iter().filter(|does| does.factor > 1 || does.addend > LONGEST_WINDOW)
    }

    fn piece(&self, number: i64) -> Option<&Piece<u8>> {
        let place = self.pieces.partition_point(|piece| piece.from > number);
        self.pieces.get(place).filter(|piece| number <= piece.to)
    }

    fn at(&self, number: i64) -> u8 {
        self.piece(number).map_or(0, |piece| piece.mark(number))
    }

    /// The state of a reached number. `found` holds the states from `number` down.
    fn get(&self, reached: i64, number: i64, found: &[u8]) -> u8 {
        match usize::try_from(number - reached) {
            Ok(place) => found.get(place).copied().unwrap_or_default(),
            Err(_) => self.at(reached),
        }
    }

    /// The lowest number from which all far moves lead to the same pieces as from `number`.
    fn floor(&self, number: i64, floor: i64) -> i64 {
        self.far().fold(floor, |floor, does| {
            let reached = result(*does, number);
            let begins = self.piece(reached).map_or(number + 1, |piece| piece.from);
            floor.max(does.lowest_to(begins.into()) as i64).min(number)
        })
    }

    /// The period of the states that far moves lead to.
    fn period(&self, number: i64) -> i64 {
        let of = |does: &Affine| {
            self.piece(result(*does, number)).map_or(1, |piece| {
                let period = piece.pattern.len() as i64;
                period / gcd(period, does.factor)
            })
        };
        self.far().map(of).fold(1, lcm)
    }

    /// Whether small additions now lead to the same states as they did after `fewer` states.
    fn looks_alike(&self, found: &[u8], fewer: usize) -> bool {
        let longest = self.near().max().unwrap_or(0) as usize;
        let before = |count: usize, back: usize| match count.checked_sub(back) {
            Some(place) => found[place],
            None => self.window.len().checked_sub(back - count).map_or(0, |place| self.window[place]),
        };
        (1..=longest).all(|back| before(found.len(), back) == before(fewer, back))
    }

    /// Adds the states found from a number down. They repeat from index `repeats` on.
    fn push(&mut self, number: i64, floor: i64, found: Vec<u8>, repeats: Option<usize>) {
        let piece = |from: i64, to: i64, at: &dyn Fn(i64) -> u8, period: i64| Piece {
            from,
            to,
            pattern: (from..from + period).map(at).collect(),
        };
        let once = repeats.unwrap_or(found.len()) as i64;
        if once > 0 {
            self.add(piece(number - once + 1, number, &|at| found[(number - at) as usize], once));
        }
        if repeats.is_some() {
            let period = found.len() as i64 - once;
            let at = |at: i64| found[(once + (number - at - once) % period) as usize];
            let top = number - once;
            self.add(piece(floor, top, &at, period.min(top - floor + 1)));
        }
        let longest = self.near().max().unwrap_or(0);
        self.window = (floor..floor + longest).rev().map(|number| self.at(number)).collect();
    }

    fn add(&mut self, mut piece: Piece<u8>) {
        if piece.pattern.iter().all(|state| *state == piece.pattern[0]) {
            piece.pattern.truncate(1);
        }
        match self.pieces.last_mut() {
            Some(last) if last.pattern.len() == 1 && last.pattern == piece.pattern => last.from = piece.from,
            _ => self.pieces.push(piece),
        }
    }
}

/// Saturates: a number too large for the type is past every limit.
fn result(does: Affine, number: i64) -> i64 {
    number.saturating_mul(does.factor).saturating_add(does.addend)
}

fn gcd(one: i64, two: i64) -> i64 {
    if two == 0 { one } else { gcd(two, one % two) }
}

/// The least common multiple, saturating.
fn lcm(one: i64, two: i64) -> i64 {
    (one / gcd(one, two)).saturating_mul(two)
}
