//! Operations whose amount depends on the number they change: `-divisor`, `/prime`, `+digit`, `-1..half`.
//!
//! ```
//! use spoton::engine::computed::Computed;
//!
//! let take_a_divisor: Computed = "-divisor".parse()?;
//! assert_eq!(take_a_divisor.amounts(12).collect::<Vec<_>>(), [1, 2, 3, 4, 6]);
//! let share_out: Computed = "/prime".parse()?;
//! assert_eq!(share_out.amounts(12).collect::<Vec<_>>(), [2, 3]);
//! # Ok::<(), spoton::engine::computed::NotComputed>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::number_kind::is_prime;
use super::operation::{Kind, Operation, Way};
use crate::engine::rulebook::On;

/// The limit on computed amounts.
pub const LARGEST_AMOUNT: u16 = 9_999;

/// The source of an amount, given the number before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A divisor below the number itself. For division, also above 1.
    Divisor,
    /// A prime factor of the number.
    Prime,
    /// A nonzero digit of the number.
    Digit,
    /// From 1 to half of the number, rounded down.
    Half,
}

/// An operation with a computed amount, within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Computed {
    kind: Kind,
    source: Source,
    /// The bounds in the rule book.
    pub(crate) from: Option<u16>,
    pub(crate) to: Option<u16>,
}

/// All computed operations, with their notation and parts.
const ALL: [(&str, Kind, Source); 9] = [
    ("-divisor", Kind::Subtract, Source::Divisor),
    ("+divisor", Kind::Add, Source::Divisor),
    ("/divisor", Kind::Divide, Source::Divisor),
    ("-prime", Kind::Subtract, Source::Prime),
    ("+prime", Kind::Add, Source::Prime),
    ("/prime", Kind::Divide, Source::Prime),
    ("-digit", Kind::Subtract, Source::Digit),
    ("+digit", Kind::Add, Source::Digit),
    ("-1..half", Kind::Subtract, Source::Half),
];

impl Computed {
    /// The notations of all computed operations.
    pub(crate) fn forms() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(written, ..)| *written)
    }

    /// Sets the bounds on its amounts.
    #[must_use]
    pub(crate) fn bounded(self, from: Option<u16>, to: Option<u16>) -> Computed {
        Computed { from, to, ..self }
    }

    /// Whether the rule book limits its amounts.
    pub(crate) fn is_bounded(self) -> bool {
        self.from.is_some() || self.to.is_some()
    }

    /// Its sign.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The source of its amounts.
    pub fn source(self) -> Source {
        self.source
    }

    /// The smallest and largest amounts within its bounds.
    pub fn bounds(self) -> (i64, i64) {
        (self.from.unwrap_or(1).into(), self.to.unwrap_or(LARGEST_AMOUNT).into())
    }

    /// Whether a number offers this amount.
    #[inline]
    pub fn offers(self, number: i64, amount: i64) -> bool {
        let (from, to) = self.bounds();
        if number < 1 || amount < from || amount > to {
            return false;
        }
        // No rule book with divisors has larger numbers, and factoring them would be slow.
        if number > LARGEST_AMOUNT.into() && matches!(self.source, Source::Divisor | Source::Prime) {
            return false;
        }
        match self.source {
            Source::Divisor => {
                number % amount == 0 && amount < number && (amount > 1 || self.kind != Kind::Divide)
            }
            Source::Prime => number % amount == 0 && is_prime(amount as u64),
            Source::Digit => digits(number) & (1 << amount.min(15)) != 0,
            Source::Half => amount <= number / 2,
        }
    }

    /// The amounts offered at a number, ascending; none below 1.
    #[inline]
    pub fn amounts(self, number: i64) -> Amounts {
        let (from, to) = self.bounds();
        let number = number.max(0);
        match self.source {
            Source::Digit => {
                let within = (1_u32 << (to.min(9) + 1)) - (1 << from.min(10));
                Amounts(Found::Digits(digits(number) & within as u16))
            }
            Source::Half => Amounts(Found::All { next: from, last: to.min(number / 2) }),
            Source::Divisor | Source::Prime => {
                // No rule book with divisors has larger numbers.
                let number = if number > LARGEST_AMOUNT.into() { 0 } else { number as u32 };
                Amounts(Found::Divisors(Divisors { of: self, number, small: 0, rises: true }))
            }
        }
    }

    /// The smallest amount above `after` that a number offers. `after` is at least 0.
    pub(crate) fn next_amount(self, number: i64, after: i64) -> Option<i64> {
        let (from, _) = self.bounds();
        let mut rest = self.amounts(number);
        match &mut rest.0 {
            Found::Digits(digits) => *digits &= u16::MAX.checked_shl(after as u32 + 1).unwrap_or(0),
            Found::All { next, .. } => *next = from.max(after + 1),
            Found::Divisors(Divisors { number, small, rises, .. }) => {
                *rises = after < number.isqrt().into();
                *small = if *rises { after as u32 } else { *number / (after as u32 + 1) + 1 };
            }
        }
        rest.next()
    }

    /// A bound on the amounts at a number. The number minus or plus this bound never decreases as the number
    /// grows.
    pub(crate) fn largest_amount(self, number: i64) -> i64 {
        let (_, to) = self.bounds();
        let largest = match self.source {
            Source::Digit => 9,
            Source::Half | Source::Divisor => number.max(0) / 2,
            Source::Prime => number.max(0),
        };
        largest.min(to)
    }

    /// The maximum number of amounts that any number up to `highest` can offer.
    pub(crate) fn most_amounts(self, highest: i64) -> i64 {
        let (from, to) = self.bounds();
        let within = |to: i64| (to - from + 1).max(0);
        match self.source {
            // 7,560 and 9,240 have 64 divisors each, the most up to 9,999. The number itself doesn't count,
            // nor does 1 for division.
            Source::Divisor => within(to).min(if self.kind == Kind::Divide { 62 } else { 63 }),
            // The product of the first five primes is 2,310, and six exceed 9,999.
            Source::Prime => within(to).min(5),
            Source::Digit => within(to.min(9)),
            Source::Half => within(to.min(highest.max(0) / 2)),
        }
    }

    /// The numbers that one of its amounts changes to `result`, each with that operation.
    pub(crate) fn sources_of(self, result: i64) -> impl Iterator<Item = (i64, Operation)> {
        let (from, to) = self.bounds();
        let most = match (self.source, self.kind) {
            (Source::Digit, _) => to.min(9),
            // The amount subtracted is at most what remains.
            (Source::Half, _) => to.min(result.max(0)),
            // Adding or subtracting a divisor of a number leaves a multiple of that divisor.
            (Source::Divisor | Source::Prime, Kind::Add | Kind::Subtract) if result > 0 => to.min(result),
            (Source::Divisor | Source::Prime, _) => to,
        };
        (from..=most).filter_map(move |amount| {
            let operation = self.with(amount)?;
            let number = i64::try_from(operation.comes_from(result.into())?).ok()?;
            self.offers(number, amount).then_some((number, operation))
        })
    }

    /// The operation with one of its amounts.
    #[inline]
    pub fn with(self, amount: i64) -> Option<Operation> {
        Operation::new(self.kind, amount)
    }

    /// Its direction from a number, the same for all amounts; `None` if there are none.
    pub(crate) fn way_from(self, number: i64) -> Option<Way> {
        (number >= 1).then_some(if self.kind == Kind::Add { Way::Up } else { Way::Down })
    }

    /// Its amount in words before one is chosen: `a divisor`.
    pub(crate) fn amount_in_words(self) -> &'static str {
        match self.source {
            Source::Divisor => "a divisor",
            Source::Prime => "a prime factor",
            Source::Digit => "a digit",
            Source::Half => "at most half",
        }
    }

    /// Its label before an amount is chosen: `Subtract a divisor`, `Add a digit of the other number to it`.
    pub fn label(self, on: On) -> String {
        let what = self.amount_in_words();
        let other = on == On::Other;
        match (self.kind, self.source) {
            (Kind::Add, _) if other => format!("Add {what} of the other number to it"),
            (Kind::Add, _) => format!("Add {what}"),
            (Kind::Subtract, Source::Half) if other => format!("Subtract {what} of the other number"),
            (Kind::Subtract, _) if other => format!("Subtract {what} of the other number from it"),
            (Kind::Subtract, _) => format!("Subtract {what}"),
            (_, _) if other => format!("Divide the other number by {what} of it"),
            (_, _) => format!("Divide by {what}"),
        }
    }
}

/// The iterator of [`Computed::amounts`].
#[derive(Clone, Debug)]
pub struct Amounts(Found);

#[derive(Clone, Debug)]
enum Found {
    /// A bit per remaining digit.
    Digits(u16),
    All {
        next: i64,
        last: i64,
    },
    Divisors(Divisors),
}

/// A number's divisors, or only its prime divisors. They form pairs: the smaller ones ascend to the square
/// root, then descend while their partners ascend.
#[derive(Clone, Debug)]
struct Divisors {
    of: Computed,
    number: u32,
    /// The smaller divisor of the current pair.
    small: u32,
    rises: bool,
}

impl Divisors {
    fn next(&mut self) -> Option<i64> {
        let Divisors { of, number, small, rises } = self;
        let offers = |amount: u32| of.offers((*number).into(), amount.into());
        while *rises && (*small + 1).pow(2) <= *number {
            *small += 1;
            if number.is_multiple_of(*small) && offers(*small) {
                return Some((*small).into());
            }
        }
        if *rises {
            // A square root is its own partner, so it is yielded once.
            *rises = false;
            *small += u32::from(small.pow(2) != *number);
        }
        while *small > 1 {
            *small -= 1;
            if number.is_multiple_of(*small) && offers(*number / *small) {
                return Some((*number / *small).into());
            }
        }
        None
    }

    /// Fast path for consuming the whole iterator. One bit per small divisor is enough: no square root is
    /// above 99.
    fn fold<B>(mut self, init: B, mut f: impl FnMut(B, i64) -> B) -> B {
        let (mut done, mut seen) = (init, 0_u128);
        if !(self.rises && self.small == 0) {
            while let Some(amount) = self.next() {
                done = f(done, amount);
            }
            return done;
        }
        let offers = |amount: u32| self.of.offers(self.number.into(), amount.into());
        for small in (1..).take_while(|small: &u32| small.pow(2) <= self.number) {
            if self.number.is_multiple_of(small) {
                seen |= 1 << small;
                if offers(small) {
                    done = f(done, small.into());
                }
            }
        }
        while seen != 0 {
            let small = seen.ilog2();
            seen ^= 1 << small;
            let partner = self.number / small;
            if partner != small && offers(partner) {
                done = f(done, partner.into());
            }
        }
        done
    }
}

impl Iterator for Amounts {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        match &mut self.0 {
            Found::Digits(digits) => {
                let digit = (*digits != 0).then(|| digits.trailing_zeros())?;
                *digits &= *digits - 1;
                Some(digit.into())
            }
            Found::All { next, last } => {
                *next += 1;
                (*next <= *last + 1).then_some(*next - 1)
            }
            Found::Divisors(divisors) => divisors.next(),
        }
    }

    /// Checks the kind once instead of per item.
    #[inline]
    fn fold<B, F: FnMut(B, i64) -> B>(self, init: B, mut f: F) -> B {
        match self.0 {
            Found::Digits(mut digits) => {
                let mut done = init;
                while digits != 0 {
                    done = f(done, digits.trailing_zeros().into());
                    digits &= digits - 1;
                }
                done
            }
            Found::All { next, last } => (next..=last).fold(init, f),
            Found::Divisors(divisors) => divisors.fold(init, f),
        }
    }
}

/// The nonzero digits of a number, a bit each.
#[inline]
fn digits(mut number: i64) -> u16 {
    let mut found = 0;
    while number > 0 {
        found |= 1 << (number % 10);
        number /= 10;
    }
    found & !1
}

impl fmt::Display for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = |(_, kind, source): &&(&str, Kind, Source)| (*kind, *source) == (self.kind, self.source);
        f.write_str(ALL.iter().find(same).map_or("", |(written, ..)| written))
    }
}

/// Text that isn't a computed operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a computed move such as -divisor")]
#[non_exhaustive]
pub struct NotComputed;

impl FromStr for Computed {
    type Err = NotComputed;

    fn from_str(text: &str) -> Result<Computed, NotComputed> {
        let (_, kind, source) = *ALL.iter().find(|(written, ..)| *written == text).ok_or(NotComputed)?;
        Ok(Computed { kind, source, from: None, to: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: tries every amount.
    fn by_definition(computed: Computed, number: i64) -> Vec<i64> {
        let (from, to) = computed.bounds();
        let divides = |amount: i64| number % amount == 0;
        let prime = |amount: i64| amount >= 2 && (2..amount).all(|factor| amount % factor != 0);
        let fits = |amount: &i64| match computed.source {
            _ if number < 1 => false,
            Source::Divisor => {
                divides(*amount) && *amount < number && (computed.kind != Kind::Divide || *amount > 1)
            }
            Source::Prime => divides(*amount) && prime(*amount),
            Source::Digit => *amount < 10 && number.to_string().contains(&amount.to_string()),
            Source::Half => 2 * amount <= number,
        };
        (from..=to.min(number.max(9))).filter(fits).collect()
    }

    #[test]
    fn amounts_are_those_of_the_definition_and_rise() {
        for (written, ..) in ALL {
            let computed: Computed = written.parse().unwrap();
            assert_eq!(computed.to_string(), written);
            for (from, to) in
                [(None, None), (Some(2), None), (None, Some(7)), (Some(3), Some(3)), (Some(9_999), None)]
            {
                let computed = computed.bounded(from, to);
                for number in (-3..=420).chain([840, 2310, 7560, 9240, 9999]) {
                    let known = by_definition(computed, number);
                    assert_eq!(computed.amounts(number).collect::<Vec<_>>(), known, "{computed} {number}");
                    for taken in [0, 1, 3] {
                        let (mut amounts, mut folded) = (computed.amounts(number), Vec::new());
                        folded.extend((0..taken).map_while(|_| amounts.next()));
                        amounts.for_each(|amount| folded.push(amount));
                        assert_eq!(folded, known, "{computed} {number}");
                    }
                    assert!(known.len() as i64 <= computed.most_amounts(number), "{computed} {number}");
                    let largest = computed.largest_amount(number);
                    assert!(known.iter().all(|amount| *amount <= largest), "{computed} {number}");
                    for (with, next) in
                        [(1, computed.largest_amount(number + 1)), (-1, computed.largest_amount(number + 1))]
                    {
                        assert!(number + with * largest <= number + 1 + with * next, "{computed} {number}");
                    }
                    for after in 0..=number.max(20) {
                        let next = known.iter().copied().find(|amount| *amount > after);
                        assert_eq!(computed.next_amount(number, after), next, "{computed} {number} {after}");
                    }
                    for amount in -1..=number.max(20) {
                        assert_eq!(
                            computed.offers(number, amount),
                            known.contains(&amount),
                            "{computed} {number}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_bound_on_amounts_holds() {
        for (written, ..) in ALL {
            let computed: Computed = written.parse().unwrap();
            let most = (1..=9_999).map(|number| computed.amounts(number).count()).max().unwrap();
            let said = computed.most_amounts(9_999);
            // Four digits have at most four values, but longer numbers may have all nine.
            let digits = computed.source() == Source::Digit;
            assert!(if digits { said == 9 } else { said == most as i64 }, "{written} {most} {said}");
        }
    }

    #[test]
    fn where_a_number_can_come_from() {
        for (written, ..) in ALL {
            for (from, to) in [(None, None), (Some(2), Some(5))] {
                let computed: Computed = written.parse::<Computed>().unwrap().bounded(from, to);
                for result in -3..=60 {
                    let mut found: Vec<(i64, Operation)> = computed.sources_of(result).collect();
                    found.sort_unstable();
                    let all = (-3..=600).flat_map(|number| {
                        let operations =
                            computed.amounts(number).filter_map(move |amount| computed.with(amount));
                        operations.map(move |operation| (number, operation))
                    });
                    let leads = |(number, operation): &(i64, Operation)| {
                        operation.apply(*number) == Some(i128::from(result))
                    };
                    let known: Vec<(i64, Operation)> = all.filter(leads).collect();
                    found.retain(|(number, _)| *number <= 600);
                    assert_eq!(found, known, "{computed} {result}");
                }
            }
        }
    }

    #[test]
    fn large_numbers_do_no_harm() {
        let half = "-1..half".parse::<Computed>().unwrap().bounded(Some(5), Some(8));
        assert_eq!(half.amounts(crate::engine::rulebook::LARGEST).collect::<Vec<_>>(), [5, 6, 7, 8]);
        let digit: Computed = "+digit".parse().unwrap();
        assert_eq!(digit.amounts(987_600_000_000_000_000).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert_eq!(digit.amounts(i64::MAX).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8, 9]);
        for (written, ..) in ALL {
            assert_eq!(written.parse::<Computed>().unwrap().amounts(i64::MIN).count(), 0);
        }
    }
}
