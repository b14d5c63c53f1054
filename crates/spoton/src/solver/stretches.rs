//! A quick way to fill the cells of a sweep, for books without memory that only add and multiply upwards. Their numbers
//! fall into stretches in which every move does the same kind of thing, and a tight loop fills each stretch.

use std::ops::Range;

use super::sweep::{PATIENCE, Sweep, goes_up};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::operation::Kind;
use crate::format::{Direction, MoveRule, NoRepeat, Past, Rulebook, Stuck};

/// The numbers of a book, from the lowest to the highest that a player can be on turn at.
pub(super) struct Stretches {
    lowest: i64,
    highest: i64,
    /// For each move, the highest number from which it stays in the table.
    stays_up_to: Vec<i64>,
    /// Numbers from which some move lands on a number that is out of the ordinary, in falling order.
    special: Vec<i64>,
}

/// How many numbers can be special at most.
pub(super) fn specials(rulebook: &Rulebook) -> usize {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let listed: usize = lists.iter().map(|list| list.len()).sum();
    (listed + 1) * rulebook.moves().len()
}

impl Stretches {
    /// The stretches of a book; nothing where it is not that plain.
    pub(super) fn of(rulebook: &Rulebook, lowest: i64, highest: i64) -> Option<Stretches> {
        let adds_or_multiplies =
            |rule: &MoveRule| matches!(rule.operation.kind(), Kind::Add | Kind::Multiply);
        let fits = rulebook.no_repeat() == NoRepeat::None
            && rulebook.direction() != Some(Direction::Countdown)
            && goes_up(rulebook)
            && rulebook.moves().iter().all(adds_or_multiplies);
        if !fits {
            return None;
        }
        let mut special = Vec::with_capacity(specials(rulebook));
        let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
        for landed in lists.into_iter().flatten().copied().chain(rulebook.target()) {
            for rule in rulebook.moves() {
                let amount = rule.operation.amount();
                let from = match rule.operation.kind() {
                    Kind::Add => Some(landed - amount),
                    _ => (landed % amount == 0).then(|| landed / amount),
                };
                special.extend(from.filter(|number| (lowest..=highest).contains(number)));
            }
        }
        special.sort_unstable_by(|a, b| b.cmp(a));
        special.dedup();
        let stays_up_to = |rule: &MoveRule| match rule.operation.kind() {
            Kind::Add => highest - rule.operation.amount(),
            _ => highest / rule.operation.amount(),
        };
        Some(Stretches {
            lowest,
            highest,
            stays_up_to: rulebook.moves().iter().map(stays_up_to).collect(),
            special,
        })
    }

    pub(super) fn fill<S: Score>(
        &self,
        rulebook: &Rulebook,
        sweep: &mut Sweep<S>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let mut special = self.special.iter().copied().peekable();
        let mut number = self.highest;
        while number >= self.lowest {
            if special.next_if_eq(&number).is_some() {
                sweep.fill_number(rulebook, number);
                number -= 1;
                continue;
            }
            let next_special = special.peek().map_or(self.lowest, |special| special + 1);
            let next_change = self.stays_up_to.iter().filter(|limit| **limit < number).max();
            let next_change = next_change.map_or(self.lowest, |limit| limit + 1);
            let patience = number.saturating_sub(PATIENCE as i64);
            let from = next_special.max(next_change).max(patience).max(self.lowest);
            self.fill_stretch(rulebook, sweep, from, number);
            number = from - 1;
            sweep.ask((self.highest - number) as usize, budget)?;
        }
        Ok(())
    }

    /// Fills the numbers `from..=to`, in which each move either stays in the table or goes past its end.
    fn fill_stretch<S: Score>(&self, rulebook: &Rulebook, sweep: &mut Sweep<S>, from: i64, to: i64) {
        let mut leaves = false;
        let mut moves = Moves { by_one: false, adds: vec![], factors: vec![] };
        for (rule, limit) in rulebook.moves().iter().zip(&self.stays_up_to) {
            let amount = rule.operation.amount() as usize;
            match rule.operation.kind() {
                _ if to > *limit => leaves = true,
                Kind::Add if amount == 1 => moves.by_one = true,
                Kind::Add => moves.adds.push(amount),
                _ => moves.factors.push(amount),
            }
        }
        let past = match rulebook.past() {
            _ if !leaves || rulebook.target().is_none() => None,
            Past::Forbidden => None,
            Past::Loses => Some(Verdict::new(Value::Loss, 1)),
            Past::Wins => Some(Verdict::new(Value::Win, 1)),
        };
        let stuck = match rulebook.stuck() {
            Stuck::Loses => Verdict::new(Value::Loss, 0),
            Stuck::Wins => Verdict::new(Value::Win, 0),
            Stuck::Draws | Stuck::Skips => Verdict::DRAW,
        };
        let none_stays = !moves.by_one && moves.adds.is_empty() && moves.factors.is_empty();
        let floor = past.or(none_stays.then_some(stuck)).map_or(S::NONE, S::of);
        let stretch = (from - self.lowest) as usize..(to - self.lowest) as usize + 1;
        moves.fill(&mut sweep.cells, stretch, self.lowest as usize, floor);
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
