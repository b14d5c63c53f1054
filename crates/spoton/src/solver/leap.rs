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

/// The multiples of a number from 1 on. Times its inverse among the numbers of 64 bits, they become the small numbers that
/// they are multiples by, and nothing else does: that takes a fraction of the time of a division.
#[derive(Clone, Copy)]
struct Multiples {
    of: i64,
    /// The inverse of what is odd in it, and how often 2 is in it.
    inverse: u64,
    twos: u32,
    largest: u64,
}

impl Multiples {
    fn of(number: i64) -> Multiples {
        let (twos, magnitude) = (number.trailing_zeros(), number.unsigned_abs());
        let odd = magnitude >> twos;
        // Three bits of it are right, and each time twice as many.
        let inverse = (0..5)
            .fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
        Multiples { of: number, inverse, twos, largest: u64::MAX / magnitude }
    }

    /// How many times it goes into a number; `None` if something is left over.
    #[inline(always)]
    fn divide(self, number: i64) -> Option<i64> {
        let times = number.unsigned_abs().wrapping_mul(self.inverse).rotate_right(self.twos);
        let signed = if number < 0 { times.wrapping_neg() } else { times };
        (times <= self.largest).then_some(signed as i64)
    }

    #[inline(always)]
    fn has(self, number: i64) -> bool {
        self.divide(number).is_some()
    }
}

/// The numbers of a kind that a leap needs.
enum Needs {
    Any,
    Multiples(Multiples),
    Kinds(Vec<NumberKind>),
}

impl Needs {
    fn of(kinds: Vec<NumberKind>) -> Needs {
        match kinds[..] {
            [] => Needs::Any,
            [NumberKind::Even] => Needs::Multiples(Multiples::of(2)),
            [NumberKind::MultipleOf(factor)] => Needs::Multiples(Multiples::of(factor)),
            _ => Needs::Kinds(kinds),
        }
    }

    #[inline(always)]
    fn hold(&self, number: i64) -> bool {
        match self {
            Needs::Any => true,
            Needs::Multiples(multiples) => multiples.has(number),
            Needs::Kinds(kinds) => kinds.iter().all(|kind| kind.holds(number)),
        }
    }
}

pub(super) struct Leap {
    kind: Kind,
    amount: i64,
    /// What a multiplication leads to, and what a division can be made at.
    multiples: Multiples,
    /// The numbers of the grid at which it may be used, as far as they lie together, and of which kinds they must be.
    usable: Span,
    needs: Needs,
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
            multiples: Multiples::of(operation.amount()),
            usable,
            needs: Needs::of(kinds.collect()),
            stays,
            reached,
            before_target: before_target.and_then(|number| i64::try_from(number).ok()),
            outside,
        })
    }

    /// The rank to which it leads from a number of the grid, or what it ends; `None` if it may not be made there.
    #[inline(always)]
    pub(super) fn landing(&self, number: i64, grid: &Grid) -> Option<usize> {
        if !self.usable.has(number) || !self.needs.hold(number) {
            return None;
        }
        if self.stays.has(number) {
            let result = match self.kind {
                Kind::Add => number + self.amount,
                Kind::Subtract => number - self.amount,
                Kind::Multiply => number * self.amount,
                Kind::Divide => self.multiples.divide(number)?,
            };
            return grid.rank(result);
        }
        match () {
            () if self.before_target == Some(number) => self.outside.on_target,
            () if self.kind == Kind::Divide && !self.multiples.has(number) => None,
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
            Kind::Multiply => self.multiples.divide(number)?,
            Kind::Divide => number * self.amount,
        };
        self.needs.hold(from).then_some(from)
    }

    /// From which numbers of a stretch of the grid it leads on to another number, if that is known without asking each.
    pub(super) fn leads_on(&self, low: i64, high: i64) -> Option<LeadsOn> {
        let stretch = Span { low, high };
        if high < self.usable.low || low > self.usable.high {
            return Some(LeadsOn::Never);
        }
        let inside = |span: Span| span.has(low) && span.has(high);
        let scales = matches!(self.kind, Kind::Multiply | Kind::Divide);
        // What stays where it is may not count as a move.
        let stays_there = scales && (self.amount == 1 || stretch.has(0));
        if !inside(self.usable) || !inside(self.stays) || stays_there {
            return None;
        }
        match (&self.needs, self.kind) {
            (Needs::Any, Kind::Divide) => Some(LeadsOn::from(self.multiples, stretch)),
            (Needs::Any, _) => Some(LeadsOn::Always),
            (Needs::Multiples(multiples), kind) if kind != Kind::Divide => {
                Some(LeadsOn::from(*multiples, stretch))
            }
            _ => None,
        }
    }
}

/// From which numbers of a stretch a leap leads on.
pub(super) enum LeadsOn {
    Never,
    Always,
    /// From the number at this place of the stretch, counted from 0, and from there on from every so many.
    Every {
        first: usize,
        every: usize,
    },
}

impl LeadsOn {
    fn from(multiples: Multiples, stretch: Span) -> LeadsOn {
        let first = (-stretch.low).rem_euclid(multiples.of);
        let long = |distance: i64| usize::try_from(distance).unwrap_or(usize::MAX);
        LeadsOn::Every { first: long(first), every: long(multiples.of) }
    }
}
