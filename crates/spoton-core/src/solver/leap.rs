//! A fixed operation on a [`Grid`], precomputed so that each number takes a few comparisons. Operations are
//! monotonic, so the numbers that one keeps on the grid are contiguous, and so are its results.

use super::grid::Grid;
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::{Affine, Kind};
use crate::format::{Entry, Op};

/// The results of landing on the target, above the grid and below it, if each is the same for all numbers
/// there.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    pub(super) on_target: Option<usize>,
    pub(super) above: Option<usize>,
    pub(super) below: Option<usize>,
}

/// An inclusive range.
#[derive(Clone, Copy)]
struct Span {
    low: i64,
    high: i64,
}

impl Span {
    /// There are no numbers beyond 64 bits.
    fn new(low: i128, high: i128) -> Span {
        let near = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Span { low: near(low), high: near(high) }
    }

    #[inline]
    fn has(self, number: i64) -> bool {
        self.low <= number && number <= self.high
    }
}

/// Exact division by modular inverse: multiplying by the inverse maps exactly the multiples to small
/// quotients. Much faster than dividing.
#[derive(Clone, Copy)]
struct Multiples {
    of: i64,
    /// The inverse of the odd part, and the power of 2.
    inverse: u64,
    twos: u32,
    largest: u64,
}

impl Multiples {
    fn new(number: i64) -> Multiples {
        let (twos, magnitude) = (number.trailing_zeros(), number.unsigned_abs());
        let odd = magnitude >> twos;
        // Newton's iteration: starts with three correct bits, and doubles them each time.
        let inverse = (0..5)
            .fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
        Multiples { of: number, inverse, twos, largest: u64::MAX / magnitude }
    }

    /// The quotient; `None` if there is a remainder.
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

/// The kinds of numbers that a leap needs.
enum Needs {
    Any,
    Multiples(Multiples),
    Kinds(Vec<NumberKind>),
}

impl Needs {
    fn from_kinds(kinds: Vec<NumberKind>) -> Needs {
        match kinds[..] {
            [] => Needs::Any,
            [NumberKind::Even] => Needs::Multiples(Multiples::new(2)),
            [NumberKind::MultipleOf(factor)] => Needs::Multiples(Multiples::new(factor)),
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
    /// The results of a multiplication, and the numbers that a division applies to.
    multiples: Multiples,
    /// The numbers of the grid where it may be used: a contiguous range, and the kinds they must have.
    usable: Span,
    needs: Needs,
    /// The numbers that it keeps on the grid, usable or not.
    stays: Span,
    /// The results from usable numbers, on the grid or not.
    reached: Span,
    /// The number that it changes to the target.
    before_target: Option<i64>,
    outside: Outside,
}

impl Leap {
    /// Precomputes an entry, given the results of leaving the grid; `None` if its amounts are computed.
    pub(super) fn precompute(
        entry: &Entry,
        grid: &Grid,
        target: Option<i64>,
        outside: Outside,
    ) -> Option<Leap> {
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
            // The inverse of a division is a multiplication.
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
            multiples: Multiples::new(operation.amount()),
            usable,
            needs: Needs::from_kinds(kinds.collect()),
            stays,
            reached,
            before_target: before_target.and_then(|number| i64::try_from(number).ok()),
            outside,
        })
    }

    /// The rank it leads to from a number of the grid, or the ending; `None` if it isn't legal there.
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

    /// The number on the grid that it changes to another one, if it can be used there.
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

    /// Where in a stretch of the grid it changes the number and continues the round; `None` if finding out
    /// would mean checking each number.
    pub(super) fn leads_on(&self, low: i64, high: i64) -> Option<LeadsOn> {
        let stretch = Span { low, high };
        if high < self.usable.low || low > self.usable.high {
            return Some(LeadsOn::Never);
        }
        let inside = |span: Span| span.has(low) && span.has(high);
        let scales = matches!(self.kind, Kind::Multiply | Kind::Divide);
        // A move that changes nothing may not count.
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

/// Where in a stretch a leap continues the round.
pub(super) enum LeadsOn {
    Never,
    Always,
    /// At this 0-based index in the stretch, then at regular intervals.
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
