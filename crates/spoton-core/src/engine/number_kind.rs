//! Kinds of numbers (even, odd, prime, square, multiples of 7), and conditions on numbers.
//!
//! ```
//! use spoton::engine::number_kind::{Condition, NumberKind};
//!
//! assert!(NumberKind::Prime.holds(23) && !NumberKind::Prime.holds(1));
//! let sevens: NumberKind = "multiples of 7".parse()?;
//! assert!(sevens.holds(-14));
//! let small: Condition = "below 10".parse()?;
//! assert!(small.holds(9) && !small.holds(10));
//! # Ok::<(), spoton::engine::number_kind::NotAKind>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::engine::rulebook::LARGEST;

/// A kind of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NumberKind {
    /// Includes 0 and -4.
    Even,
    /// Numbers that aren't even.
    Odd,
    /// Prime numbers, starting at 2.
    Prime,
    /// 0, 1, 4, 9 …
    Square,
    /// Multiples of a positive number. 0 is a multiple of everything.
    MultipleOf(i64),
}

impl NumberKind {
    /// The kinds without a parameter, with their words.
    pub(crate) const PLAIN: [(&'static str, NumberKind); 4] = [
        ("even", NumberKind::Even),
        ("odd", NumberKind::Odd),
        ("prime", NumberKind::Prime),
        ("square", NumberKind::Square),
    ];

    /// The notations of kinds in lists, for messages.
    pub(crate) const FORMS: &'static [&'static str] = &["even", "odd", "prime", "square", "multiples of K"];

    /// Whether a number is of this kind.
    pub fn holds(self, number: i64) -> bool {
        match self {
            NumberKind::Even => number % 2 == 0,
            NumberKind::Odd => number % 2 != 0,
            NumberKind::Prime => u64::try_from(number).is_ok_and(is_prime),
            NumberKind::Square => u64::try_from(number).is_ok_and(|number| number.isqrt().pow(2) == number),
            NumberKind::MultipleOf(factor) => number % factor == 0,
        }
    }
}

impl fmt::Display for NumberKind {
    /// Writes it as a list in a rule book does: `multiples of 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberKind::MultipleOf(factor) => write!(f, "multiples of {factor}"),
            plain => {
                let word = NumberKind::PLAIN.iter().find(|(_, kind)| kind == plain).map(|(word, _)| *word);
                f.write_str(word.unwrap_or_default())
            }
        }
    }
}

/// Text that isn't a kind of number or a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAKind {
    /// Unknown words.
    #[error("unknown words")]
    Words,
    /// A number is out of bounds or badly written.
    #[error("a number is out of bounds or not in plain digits")]
    Bounds,
    /// A span from a number to a lower one.
    #[error("the second number is below the first")]
    Downwards,
}

impl FromStr for NumberKind {
    type Err = NotAKind;

    fn from_str(text: &str) -> Result<NumberKind, NotAKind> {
        if let Some((_, kind)) = NumberKind::PLAIN.iter().find(|(word, _)| *word == text) {
            return Ok(*kind);
        }
        let factor = text.strip_prefix("multiples of ").or(text.strip_prefix("multiple of "));
        let factor = whole(factor.ok_or(NotAKind::Words)?).filter(|factor| *factor >= 1);
        factor.map(NumberKind::MultipleOf).ok_or(NotAKind::Bounds)
    }
}

/// Parses an integer in plain digits, within the bounds of rule books.
fn whole(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok().filter(|number: &i64| number.to_string() == text)?;
    (-LARGEST..=LARGEST).contains(&number).then_some(number)
}

/// A condition on the number that a move would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// The number is of a kind.
    Kind(NumberKind),
    /// It's below this.
    Below(i64),
    /// It's above this.
    Above(i64),
    /// It's in this range, inclusive.
    FromTo(i64, i64),
}

impl Condition {
    /// The notations of conditions, for messages.
    pub(crate) const FORMS: &'static [&'static str] =
        &["even", "odd", "prime", "square", "multiple of K", "below K", "above K", "from A to B"];

    /// Whether a number meets it.
    pub fn holds(self, number: i64) -> bool {
        let (low, high) = self.ends();
        (low..=high).contains(&number)
            && match self {
                Condition::Kind(kind) => kind.holds(number),
                _ => true,
            }
    }

    /// The lowest and highest numbers that could meet it.
    pub(crate) fn ends(self) -> (i64, i64) {
        match self {
            Condition::Kind(NumberKind::Prime) => (2, i64::MAX),
            Condition::Kind(NumberKind::Square) => (0, i64::MAX),
            Condition::Kind(_) => (i64::MIN, i64::MAX),
            Condition::Below(bound) => (i64::MIN, bound - 1),
            Condition::Above(bound) => (bound + 1, i64::MAX),
            Condition::FromTo(low, high) => (low, high),
        }
    }
}

impl fmt::Display for Condition {
    /// Writes it as a rule book does: `multiple of 7`, `from 3 to 9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Kind(NumberKind::MultipleOf(factor)) => write!(f, "multiple of {factor}"),
            Condition::Kind(kind) => write!(f, "{kind}"),
            Condition::Below(bound) => write!(f, "below {bound}"),
            Condition::Above(bound) => write!(f, "above {bound}"),
            Condition::FromTo(low, high) => write!(f, "from {low} to {high}"),
        }
    }
}

impl FromStr for Condition {
    type Err = NotAKind;

    fn from_str(text: &str) -> Result<Condition, NotAKind> {
        let number = |text: &str| whole(text).ok_or(NotAKind::Bounds);
        if let Some(bound) = text.strip_prefix("below ") {
            return Ok(Condition::Below(number(bound)?));
        }
        if let Some(bound) = text.strip_prefix("above ") {
            return Ok(Condition::Above(number(bound)?));
        }
        if let Some((low, high)) = text.strip_prefix("from ").and_then(|rest| rest.split_once(" to ")) {
            let (low, high) = (number(low)?, number(high)?);
            return if low <= high { Ok(Condition::FromTo(low, high)) } else { Err(NotAKind::Downwards) };
        }
        text.parse().map(Condition::Kind)
    }
}

/// Primality by trial division, then the Miller–Rabin test. These bases make it exact below 2^64.
pub(crate) fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if number < 2 {
        return false;
    }
    for prime in BASES {
        if number.is_multiple_of(prime) {
            return number == prime;
        }
    }
    if number < 41 * 41 {
        return true;
    }
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(number)) as u64;
    let power = |base: u64, mut exponent: u64| {
        let (mut result, mut square) = (1, base);
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = times(result, square);
            }
            square = times(square, square);
            exponent /= 2;
        }
        result
    };
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    BASES.into_iter().all(|base| {
        let mut x = power(base, odd);
        if x == 1 || x == number - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = times(x, x);
            x == number - 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_those_of_a_sieve_and_hold_at_the_largest_numbers() {
        const MOST: usize = 200_000;
        let mut composite = vec![false; MOST];
        for number in 2..MOST {
            assert_eq!(is_prime(number as u64), !composite[number], "{number}");
            if !composite[number] {
                (number * 2..MOST).step_by(number).for_each(|multiple| composite[multiple] = true);
            }
        }
        // The largest prime below 10^18, its neighbours, a Carmichael number and the square of a prime.
        assert!(is_prime(999_999_999_999_999_989));
        for composite in
            [0, 1, 999_999_999_999_999_987, 999_999_999_999_999_991, 825_265, 1_000_003_u64.pow(2)]
        {
            assert!(!is_prime(composite), "{composite}");
        }
    }

    #[test]
    fn kinds_below_zero_and_at_zero() {
        let held = |number| {
            let plain = NumberKind::PLAIN.iter().map(|(_, kind)| *kind);
            plain.chain([NumberKind::MultipleOf(7)]).filter(|kind| kind.holds(number)).collect::<Vec<_>>()
        };
        assert_eq!(held(0), [NumberKind::Even, NumberKind::Square, NumberKind::MultipleOf(7)]);
        assert_eq!(held(-4), [NumberKind::Even]);
        assert_eq!(held(-7), [NumberKind::Odd, NumberKind::MultipleOf(7)]);
        assert_eq!(held(49), [NumberKind::Odd, NumberKind::Square, NumberKind::MultipleOf(7)]);
        assert_eq!(held(LARGEST), [NumberKind::Even, NumberKind::Square]);
    }

    #[test]
    fn a_condition_reads_what_it_writes_and_nothing_sloppy() {
        for text in ["even", "odd", "prime", "square", "multiple of 7", "below -3", "above 0", "from -2 to 9"]
        {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
        }
        assert_eq!("multiples of 7".parse::<Condition>(), "multiple of 7".parse());
        for (text, why) in [
            ("", NotAKind::Words),
            ("primes", NotAKind::Words),
            ("multiples of", NotAKind::Words),
            ("multiples of 0", NotAKind::Bounds),
            ("multiples of -2", NotAKind::Bounds),
            ("multiples of 07", NotAKind::Bounds),
            ("multiples of 1000000000000000001", NotAKind::Bounds),
            ("below", NotAKind::Words),
            ("below ten", NotAKind::Bounds),
            ("above 1000000000000000001", NotAKind::Bounds),
            ("from 3", NotAKind::Words),
            ("from 3 to 2", NotAKind::Downwards),
        ] {
            assert_eq!(text.parse::<Condition>(), Err(why), "{text}");
        }
        assert_eq!("multiples of 1000000000000000000".parse(), Ok(NumberKind::MultipleOf(LARGEST)));
    }
}
