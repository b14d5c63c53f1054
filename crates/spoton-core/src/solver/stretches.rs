//! The fast path of a sweep with one number, for books whose moves add or multiply. Within a stretch (a run
//! of consecutive numbers), every move behaves the same way, so a tight loop can fill it. `linked` handles
//! books with more state than the number.
//!
//! Games that go down are mirrored. Everything here uses heights: the number or, in a game that goes down,
//! its negative.

mod linked;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::filling::{Filling, PATIENCE};
use super::grid::Grid;
use super::sweep::{at, goes_up};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::computed::Computed;
use crate::engine::operation::{Affine, Kind, Operation};
use crate::engine::play::{Move, Situation, Step as Played};
use crate::engine::position::{Choice, Player};
use crate::format::{Direction, Op, Rulebook};
use linked::Linked;

/// The heights that a player can have on their turn.
pub(super) struct Stretches {
    lowest: i64,
    /// 1 if heights are numbers, -1 if they are negated.
    sign: i64,
    /// The fixed moves, in the order of the book's entries.
    steps: Vec<Step>,
    /// The moves with computed amounts, and the greatest height where they are sure to stay in the table.
    /// Only for books without memory and lists.
    computed: Vec<Computed>,
    computed_stay_up_to: i64,
    /// Heights where some move lands on the target or a listed number, descending.
    special: Vec<i64>,
}

/// A move of such a book.
struct Step {
    choice: Choice,
    operation: Operation,
    /// Its effect on a height.
    does: Affine,
    /// The greatest height where it stays in the table.
    stays_up_to: i64,
}

/// An upper bound on the number of special heights.
pub(super) fn specials(rulebook: &Rulebook) -> usize {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let listed: usize = lists.iter().map(|list| list.integers.len()).sum();
    (listed + 1) * rulebook.moves().len()
}

impl Stretches {
    /// The stretches of a one-way book; `None` if it isn't simple enough.
    pub(super) fn find(rulebook: &Rulebook, grid: &Grid) -> Option<Stretches> {
        let (sign, turned, (lowest, highest)) = match goes_up(rulebook) {
            true => (1, Direction::Countdown, (grid.lowest, grid.highest)),
            false => (-1, Direction::Climb, (-grid.highest, -grid.lowest)),
        };
        let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
        let fits = !grid.pairs
            && rulebook.only_way().is_some()
            && (rulebook.has_only_fixed_moves()
                || grid.memory_states == 1 && lists.iter().all(|list| list.is_empty()))
            && rulebook.moves().iter().all(|entry| entry.when.is_empty())
            && !lists.iter().any(|list| list.has_descriptions())
            && rulebook.direction() != Some(turned);
        if !fits {
            return None;
        }
        let mut steps = Vec::with_capacity(rulebook.moves().len());
        for choice in rulebook.fixed_choices() {
            let operation = rulebook.operation(choice)?;
            let Affine { factor, addend } = operation.as_affine()?;
            let does = Affine { factor, addend: sign * addend };
            if factor != 1 && addend != 0 {
                return None;
            }
            let stays_up_to = i64::try_from(does.highest_to(highest.into())).ok()?;
            steps.push(Step { choice, operation, does, stays_up_to });
        }
        let mut computed = Vec::new();
        for entry in rulebook.moves() {
            if let Op::Computed(operation) = entry.op {
                if operation.kind() == Kind::Divide {
                    return None;
                }
                computed.push(operation);
            }
        }
        let stays = |height: i64| {
            computed.iter().all(|entry| height + entry.largest_amount(sign * height) <= highest)
        };
        // Results grow with the height, so bisection works.
        let (mut computed_stay_up_to, mut beyond) = (lowest - 1, highest + 1);
        while beyond - computed_stay_up_to > 1 {
            let middle = computed_stay_up_to + (beyond - computed_stay_up_to) / 2;
            *(if stays(middle) { &mut computed_stay_up_to } else { &mut beyond }) = middle;
        }
        let mut special = Vec::with_capacity(specials(rulebook));
        let listed = lists.into_iter().flat_map(|list| &list.integers).copied();
        for landed in listed.chain(rulebook.target()) {
            let from = steps.iter().filter_map(|step| step.operation.comes_from(landed.into()));
            let from = from.filter_map(|number| i64::try_from(number).ok()?.checked_mul(sign));
            special.extend(from.filter(|height| (lowest..=highest).contains(height)));
        }
        special.sort_unstable_by(|a, b| b.cmp(a));
        special.dedup();
        Some(Stretches { lowest, sign, steps, computed, computed_stay_up_to, special })
    }

    pub(super) fn fill<S: Score>(
        &self,
        filling: &mut Filling<'_, S, &mut [S]>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let mut steps = Vec::new();
        // Above this height, whether they stay depends on the amounts.
        filling.fill_numbers(self.rank(self.computed_stay_up_to + 1), budget)?;
        let mut height = self.computed_stay_up_to;
        let first = self.special.partition_point(|special| *special > height);
        let mut special = self.special[first..].iter().copied().peekable();
        while height >= self.lowest {
            if special.next_if_eq(&height).is_some() {
                filling.fill_number(self.rank(height), &mut steps);
                height -= 1;
                continue;
            }
            let next_special = special.peek().map_or(self.lowest, |special| special + 1);
            let limits = self.steps.iter().map(|step| step.stays_up_to);
            let next_change = limits.filter(|limit| *limit < height).max();
            let next_change = next_change.map_or(self.lowest, |limit| limit + 1);
            let from = next_special.max(next_change).max(self.lowest);
            self.fill_stretch(filling, from, height, budget)?;
            height = from - 1;
        }
        Ok(())
    }

    fn rank(&self, height: i64) -> usize {
        (height - self.lowest) as usize
    }

    /// Fills the heights `from..=to`, where each move either stays in the table or goes past its end. Going
    /// past the end has the same result for all heights and moves, and so does being stuck. So one query to
    /// the rules is enough.
    fn fill_stretch<S: Score>(
        &self,
        filling: &mut Filling<'_, S, &mut [S]>,
        from: i64,
        to: i64,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let rulebook = filling.moves.rulebook;
        let position = at(self.sign * to, (None, None));
        let leaves = self.steps.iter().find(|step| to > step.stays_up_to);
        let leaves = leaves.map(|step| rulebook.play(&position, Move::Operation(step.choice)));
        let left = match leaves {
            Some(Ok(Played::Over { outcome, .. })) => {
                S::from_verdict(Verdict::new(Value::from_outcome(outcome, Player::One), 1))
            }
            _ => S::NONE,
        };
        let stretch = self.rank(from)..self.rank(to) + 1;
        let staying = self.steps.iter().enumerate().filter(|(_, step)| to <= step.stays_up_to);
        if filling.moves.grid.memory_states > 1 {
            let staying = staying.map(|(place, step)| (place, step.does));
            let linked = Linked::prepare(filling, self.rank(to), self.lowest, staying.collect(), left);
            return linked.fill(filling, stretch, budget);
        }
        if !self.computed.is_empty() {
            let hops: Vec<Affine> = staying.map(|(_, step)| step.does).collect();
            return self.fill_computed(filling, stretch, &hops, left, budget);
        }
        let mut moves = Moves { by_one: false, adds: vec![], factors: vec![] };
        for (_, step) in staying {
            match step.does {
                Affine { factor: 1, addend: 1 } => moves.by_one = true,
                Affine { factor: 1, addend } => moves.adds.push(addend as usize),
                Affine { factor, .. } => moves.factors.push(factor as usize),
            }
        }
        let mut floor = left;
        let none_stays = !moves.by_one && moves.adds.is_empty() && moves.factors.is_empty();
        if none_stays && let Situation::Over(outcome) = rulebook.situation(&position) {
            floor = S::from_verdict(Verdict::new(Value::from_outcome(outcome, Player::One), 0));
        }
        for part in from_the_end(stretch, PATIENCE) {
            let done = filling.cells.len() - part.start;
            moves.fill(filling.cells, part, self.lowest as usize, floor);
            filling.ask(done, budget)?;
        }
        Ok(())
    }
}

impl Stretches {
    /// Fills a stretch where all computed moves stay in the table, and so do these fixed ones.
    fn fill_computed<S: Score>(
        &self,
        filling: &mut Filling<'_, S, &mut [S]>,
        stretch: Range<usize>,
        hops: &[Affine],
        floor: S,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        for part in from_the_end(stretch, PATIENCE) {
            let done = filling.cells.len() - part.start;
            for rank in part.rev() {
                let (cells, height, mut best) = (&*filling.cells, self.lowest + rank as i64, floor);
                for hop in hops {
                    let to = self.rank(height * hop.factor + hop.addend);
                    best = best.max(cells[to].before_move());
                }
                for computed in &self.computed {
                    best = computed
                        .amounts(self.sign * height)
                        .fold(best, |best, amount| best.max(cells[rank + amount as usize].before_move()));
                }
                filling.set(rank, best);
            }
            filling.ask(done, budget)?;
        }
        Ok(())
    }
}

/// Splits a stretch into parts of at most `most`, last one first.
fn from_the_end(stretch: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let ends = (stretch.start + 1..=stretch.end).rev().step_by(most);
    ends.map(move |end| stretch.start.max(end.saturating_sub(most))..end)
}

/// The moves that stay in the table.
struct Moves {
    /// Whether `+1` is one of them.
    by_one: bool,
    /// The amounts of the other additions.
    adds: Vec<usize>,
    factors: Vec<usize>,
}

impl Moves {
    /// Fills a stretch of cells from its end back. No cell gets less than the floor.
    fn fill<S: Score>(&self, cells: &mut [S], stretch: Range<usize>, lowest: usize, floor: S) {
        macro_rules! unrolled {
            ($(($adds:literal, $factors:literal)),+) => {
                match (self.adds.len(), self.factors.len()) {
                    $(($adds, $factors) => {
                        let adds: [usize; $adds] = std::array::from_fn(|index| self.adds[index]);
                        let factors: [usize; $factors] = std::array::from_fn(|index| self.factors[index]);
                        fill_cells(cells, stretch, lowest, floor, self.by_one, &adds, &factors);
                    })+
                    _ => fill_cells(cells, stretch, lowest, floor, self.by_one, &self.adds, &self.factors),
                }
            };
        }
        // Known counts let the compiler unroll the loops over moves.
        unrolled!((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2))
    }
}

#[inline(always)]
fn fill_cells<S: Score>(
    cells: &mut [S],
    stretch: Range<usize>,
    lowest: usize,
    floor: S,
    by_one: bool,
    adds: &[usize],
    factors: &[usize],
) {
    // The previous cell was just filled. Keeping it in a register avoids a reload.
    let mut after = cells.get(stretch.end).copied().unwrap_or(floor);
    for index in stretch.rev() {
        let mut best = if by_one { floor.max(after.before_move()) } else { floor };
        for factor in factors {
            best = best.max(cells[(index + lowest) * factor - lowest].before_move());
        }
        for add in adds {
            best = best.max(cells[index + add].before_move());
        }
        cells[index] = best;
        after = best;
    }
}
