//! A fixed operation on a [`Grid`], prepared so that each number takes a few comparisons: every operation keeps the order
//! of numbers, so the numbers from which it stays on the grid lie together, and so do those to which it leads.

use super::grid::Grid;
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::{Affine, Kind};
use crate::format::{Entry, Op};

/// What landing on the target, above the grid and below it comes to, where that is the same for all numbers there.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    pub(super) on_target: Option<usize>,
    pub(super) above: Option<usize>,
    pub(super) below: Option<usize>,
}

/// A stretch of numbers, with its ends.
#[derive(Clone, Copy)]
struct Span {
    low: i64,
    high: i64,
}

impl Span {
    /// Beyond 64 bits there are no numbers.
    fn new(low: i128, high: i128) -> Span {
        let near = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Span { low: near(low), high: near(high) }
    }

    #[inline]
    fn has(self, number: i64) -> bool {
        self.low <= number && number <= self.high
    }
}

pub(super) struct Leap {
    kind: Kind,
    amount: i64,
    /// The numbers of the grid at which it may be used, as far as they lie together, and the kinds that they must be of.
    usable: Span,
    kinds: Vec<NumberKind>,
    /// Those from which it does not leave the grid, usable or not.
    stays: Span,
    /// Those to which it leads from usable ones, on the grid or not.
    reached: Span,
    /// The one from which it leads to the target.
    before_target: Option<i64>,
    outside: Outside,
}

impl Leap {
    /// What an entry does, given what leaving the grid comes to; `None` if its amounts are computed.
    pub(super) fn of(entry: &Entry, grid: &Grid, target: Option<i64>, outside: Outside) -> Option<Leap> {
        let Op::Fixed(operation) = entry.op else { return None };
        let ends = entry.when.iter().map(|condition| condition.ends());
        let usable = ends.fold(Span { low: grid.lowest, high: grid.highest }, |usable, (low, high)| Span {
            low: usable.low.max(low),
            high: usable.high.min(high),
        });
        let after = |affine: Affine, span: Span| {
            let at = |number: i64| i128::from(number) * i128::from(affine.factor) + i128::from(affine.addend);
            Span::new(at(span.low), at(span.high))
        };
        let before = |affine: Affine, span: Span| {
            Span::new(affine.lowest_to(span.low.into()), affine.highest_to(span.high.into()))
        };
        let all = Span { low: grid.lowest, high: grid.highest };
        let (stays, reached) = match operation.as_affine() {
            Some(affine) => (before(affine, all), after(affine, usable)),
            // Backwards, a division is a multiplication.
            None => {
                let back = Affine { factor: operation.amount(), addend: 0 };
                (after(back, all), before(back, usable))
            }
        };
        let kinds = entry.when.iter().filter_map(|condition| match condition {
            Condition::Kind(kind) => Some(*kind),
            _ => None,
        });
        let before_target = target.and_then(|target| operation.comes_from(target.into()));
        Some(Leap {
            kind: operation.kind(),
            amount: operation.amount(),
            usable,
            kinds: kinds.collect(),
            stays,
            reached,
            before_target: before_target.and_then(|number| i64::try_from(number).ok()),
            outside,
        })
    }

    #[inline(always)]
    fn is_right_kind(&self, number: i64) -> bool {
        self.kinds.is_empty() || self.kinds.iter().all(|kind| kind.holds(number))
    }

    /// The rank to which it leads from a number of the grid, or what it ends; `None` if it may not be made there.
    #[inline(always)]
    pub(super) fn landing(&self, number: i64, grid: &Grid) -> Option<usize> {
        if !self.usable.has(number) || !self.is_right_kind(number) {
            return None;
        }
        if self.stays.has(number) {
            let result = match self.kind {
                Kind::Add => number + self.amount,
                Kind::Subtract => number - self.amount,
                Kind::Multiply => number * self.amount,
                Kind::Divide if number % self.amount == 0 => number / self.amount,
                Kind::Divide => return None,
            };
            return grid.rank(result);
        }
        match () {
            () if self.before_target == Some(number) => self.outside.on_target,
            () if self.kind == Kind::Divide && number % self.amount != 0 => None,
            () if number > self.stays.high => self.outside.above,
            () => self.outside.below,
        }
    }

    /// The number of the grid from which it leads to another; `None` if there is none, or if it may not be used there.
    #[inline(always)]
    pub(super) fn comes_from(&self, number: i64) -> Option<i64> {
        if !self.reached.has(number) {
            return None;
        }
        let from = match self.kind {
            Kind::Add => number - self.amount,
            Kind::Subtract => number + self.amount,
            Kind::Multiply if number % self.amount == 0 => number / self.amount,
            Kind::Multiply => return None,
            Kind::Divide => number * self.amount,
        };
        self.is_right_kind(from).then_some(from)
    }
}
