//! The fast path of a sweep, for books without memory that only add and multiply upwards. Their numbers fall into
//! stretches in which every move does the same kind of thing, and a tight loop fills each stretch.

use std::ops::Range;

use super::filling::{Filling, PATIENCE};
use super::grid::Grid;
use super::sweep::{at, goes_up};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::operation::{Affine, Operation};
use crate::engine::play::{Move, Situation, Step as Played};
use crate::engine::position::{Choice, Player};
use crate::format::{Direction, Rulebook};

/// The numbers of a book, from the lowest to the highest that a player can be on turn at.
pub(super) struct Stretches {
    lowest: i64,
    highest: i64,
    steps: Vec<Step>,
    /// Numbers from which some move lands on the target or on a number of the lists, in falling order.
    special: Vec<i64>,
}

/// A move of such a book.
struct Step {
    choice: Choice,
    operation: Operation,
    does: Affine,
    /// The highest number from which it stays in the table.
    stays_up_to: i64,
}

/// An upper bound on the special numbers.
pub(super) fn specials(rulebook: &Rulebook) -> usize {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let listed: usize = lists.iter().map(|list| list.integers.len()).sum();
    (listed + 1) * rulebook.moves().len()
}

impl Stretches {
    /// The stretches of a book that goes one way; `None` if it is not that plain.
    pub(super) fn of(rulebook: &Rulebook, grid: &Grid) -> Option<Stretches> {
        let (lowest, highest) = (grid.lowest, grid.highest);
        let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
        let fits = !grid.pairs
            && grid.controls == 1
            && rulebook.has_only_fixed_moves()
            && rulebook.moves().iter().all(|entry| entry.when.is_empty())
            && !lists.iter().any(|list| list.has_descriptions())
            && rulebook.direction() != Some(Direction::Countdown)
            && goes_up(rulebook);
        if !fits {
            return None;
        }
        let mut steps = Vec::with_capacity(rulebook.moves().len());
        for choice in rulebook.fixed_choices() {
            let operation = rulebook.operation(choice)?;
            let does = operation.as_affine().filter(|does| does.factor == 1 || does.addend == 0)?;
            let stays_up_to = i64::try_from(does.highest_to(highest.into())).ok()?;
            steps.push(Step { choice, operation, does, stays_up_to });
        }
        let mut special = Vec::with_capacity(specials(rulebook));
        let listed = lists.into_iter().flat_map(|list| &list.integers).copied();
        for landed in listed.chain(rulebook.target()) {
            let from = steps.iter().filter_map(|step| step.operation.comes_from(landed.into()));
            let from = from.filter_map(|number| i64::try_from(number).ok());
            special.extend(from.filter(|number| (lowest..=highest).contains(number)));
        }
        special.sort_unstable_by(|a, b| b.cmp(a));
        special.dedup();
        Some(Stretches { lowest, highest, steps, special })
    }

    pub(super) fn fill<S: Score>(
        &self,
        filling: &mut Filling<'_, S, &mut [S]>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let mut steps = Vec::new();
        let mut special = self.special.iter().copied().peekable();
        let mut number = self.highest;
        while number >= self.lowest {
            if special.next_if_eq(&number).is_some() {
                filling.fill_number((number - self.lowest) as usize, &mut steps);
                number -= 1;
                continue;
            }
            let next_special = special.peek().map_or(self.lowest, |special| special + 1);
            let limits = self.steps.iter().map(|step| step.stays_up_to);
            let next_change = limits.filter(|limit| *limit < number).max();
            let next_change = next_change.map_or(self.lowest, |limit| limit + 1);
            let patience = number.saturating_sub(PATIENCE as i64);
            let from = next_special.max(next_change).max(patience).max(self.lowest);
            self.fill_stretch(filling, from, number);
            number = from - 1;
            filling.ask((self.highest - number) as usize, budget)?;
        }
        Ok(())
    }

    /// Fills the numbers `from..=to`, in which each move either stays in the table or goes past its end. What going
    /// past the end leads to is the same for all of them and for all moves, and so is being stuck: the rules are asked
    /// about one.
    fn fill_stretch<S: Score>(&self, filling: &mut Filling<'_, S, &mut [S]>, from: i64, to: i64) {
        let rulebook = filling.moves.rulebook;
        let mut leaves = None;
        let mut moves = Moves { by_one: false, adds: vec![], factors: vec![] };
        for step in &self.steps {
            match step.does {
                _ if to > step.stays_up_to => leaves = Some(step.choice),
                Affine { factor: 1, addend: 1 } => moves.by_one = true,
                Affine { factor: 1, addend } => moves.adds.push(addend as usize),
                Affine { factor, .. } => moves.factors.push(factor as usize),
            }
        }
        let position = at(to, (None, None));
        let leaves = leaves.map(|choice| rulebook.play(&position, Move::Operation(choice)));
        let mut floor = match leaves {
            Some(Ok(Played::Over { outcome, .. })) => S::of(Verdict::new(Value::of(outcome, Player::One), 1)),
            _ => S::NONE,
        };
        let none_stays = !moves.by_one && moves.adds.is_empty() && moves.factors.is_empty();
        if none_stays && let Situation::Over(outcome) = rulebook.situation(&position) {
            floor = S::of(Verdict::new(Value::of(outcome, Player::One), 0));
        }
        let stretch = (from - self.lowest) as usize..(to - self.lowest) as usize + 1;
        moves.fill(filling.cells, stretch, self.lowest as usize, floor);
    }
}

/// The moves that stay in the table.
struct Moves {
    /// Whether `+1` is one of them.
    by_one: bool,
    /// By how much the other additions add.
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
        // With the counts known, the loops over the moves are unrolled.
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
    // The cell after the one to fill was filled just now. Kept at hand, it need not come back from memory.
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
