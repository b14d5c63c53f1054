//! The operations of moves: `+1`, `-1`, `x2`, `/2`.
//!
//! ```
//! use spoton::engine::operation::Operation;
//!
//! let double: Operation = "x2".parse()?;
//! assert_eq!((double.apply(8), double.label().as_str()), (Some(16), "Multiply by 2"));
//! let half: Operation = "/2".parse()?;
//! assert_eq!(half.apply(7), None); // not divisible
//! # Ok::<(), spoton::engine::operation::NotAnOperation>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::engine::rulebook::LARGEST;

/// The four kinds of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `+k`
    Add,
    /// `-k`
    Subtract,
    /// `xk`
    Multiply,
    /// `/k`, legal only without a remainder
    Divide,
}

impl Kind {
    /// All kinds, in display order.
    pub const ALL: [Kind; 4] = [Kind::Add, Kind::Subtract, Kind::Multiply, Kind::Divide];

    /// The sign in rule books and records.
    pub fn sign(self) -> char {
        match self {
            Kind::Add => '+',
            Kind::Subtract => '-',
            Kind::Multiply => 'x',
            Kind::Divide => '/',
        }
    }

    /// The word that players type: `add`, `multiply`.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Add => "add",
            Kind::Subtract => "subtract",
            Kind::Multiply => "multiply",
            Kind::Divide => "divide",
        }
    }
}

/// An operation and its amount, from 1 to 10^18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operation {
    kind: Kind,
    amount: i64,
}

/// The direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// To a larger number.
    Up,
    /// To a smaller number.
    Down,
    /// The number stays the same.
    Stays,
}

/// An affine map: the number times a factor, plus an addend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Affine {
    /// At least 1.
    pub factor: i64,
    /// Added after the multiplication; may be negative.
    pub addend: i64,
}

impl Affine {
    /// The highest number whose result is at most `result`.
    pub(crate) fn highest_to(self, result: i128) -> i128 {
        floored(result - i128::from(self.addend), self.factor)
    }

    /// The lowest number whose result is at least `result`.
    pub fn lowest_to(self, result: i128) -> i128 {
        -floored(i128::from(self.addend) - result, self.factor)
    }
}

/// Floor division by a positive number. 64-bit division is several times faster, and usually suffices.
fn floored(number: i128, by: i64) -> i128 {
    match i64::try_from(number) {
        Ok(number) => i128::from(number.div_euclid(by)),
        Err(_) => number.div_euclid(i128::from(by)),
    }
}

/// Exact division by a positive number; `None` if it leaves a remainder.
fn divided(number: i128, by: i64) -> Option<i128> {
    match i64::try_from(number) {
        Ok(number) => (number % by == 0).then(|| i128::from(number / by)),
        Err(_) => (number % i128::from(by) == 0).then(|| number / i128::from(by)),
    }
}

impl Operation {
    /// Returns `None` if the amount is out of bounds.
    #[inline]
    pub fn new(kind: Kind, amount: i64) -> Option<Operation> {
        (1..=LARGEST).contains(&amount).then_some(Operation { kind, amount })
    }

    /// Its sign. Only for parsing and printing: other methods give its effect.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The amount it adds, subtracts, multiplies or divides by.
    pub fn amount(self) -> i64 {
        self.amount
    }

    /// The exact result; `None` if a division leaves a remainder.
    ///
    /// Two factors of at most 10^18 fit in 128 bits, so nothing can overflow.
    #[inline]
    pub fn apply(self, number: i64) -> Option<i128> {
        let (number, amount) = (i128::from(number), i128::from(self.amount));
        match self.kind {
            Kind::Add => Some(number + amount),
            Kind::Subtract => Some(number - amount),
            Kind::Multiply => Some(number * amount),
            Kind::Divide => divided(number, self.amount),
        }
    }

    /// The number that gives this result. There is at most one.
    pub fn comes_from(self, result: i128) -> Option<i128> {
        let amount = i128::from(self.amount);
        match self.kind {
            Kind::Add => result.checked_sub(amount),
            Kind::Subtract => result.checked_add(amount),
            Kind::Multiply => divided(result, self.amount),
            Kind::Divide => result.checked_mul(amount),
        }
    }

    /// Its effect on all numbers; `None` for a division, which isn't always possible.
    pub(crate) fn as_affine(self) -> Option<Affine> {
        match self.kind {
            Kind::Add => Some(Affine { factor: 1, addend: self.amount }),
            Kind::Subtract => Some(Affine { factor: 1, addend: -self.amount }),
            Kind::Multiply => Some(Affine { factor: self.amount, addend: 0 }),
            Kind::Divide => None,
        }
    }

    /// Whether it's a division, which needs a zero remainder.
    pub fn divides(self) -> bool {
        self.as_affine().is_none()
    }

    /// Its direction from a number. It's the same for all positive numbers, and for all negative ones.
    pub(crate) fn way_from(self, number: i64) -> Way {
        let away_from_zero = if number > 0 { Way::Up } else { Way::Down };
        let towards_zero = if number > 0 { Way::Down } else { Way::Up };
        match self.kind {
            Kind::Add => Way::Up,
            Kind::Subtract => Way::Down,
            _ if number == 0 || self.amount == 1 => Way::Stays,
            Kind::Multiply => away_from_zero,
            Kind::Divide => towards_zero,
        }
    }

    /// The label in menus: `Add 1`, `Multiply by 2`.
    pub fn label(self) -> String {
        let verb = match self.kind {
            Kind::Add => "Add",
            Kind::Subtract => "Subtract",
            Kind::Multiply => "Multiply by",
            Kind::Divide => "Divide by",
        };
        format!("{verb} {}", self.amount)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.sign(), self.amount)
    }
}

/// Why text isn't an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAnOperation {
    /// It doesn't start with one of the four signs.
    #[error("a move starts with +, -, x or /")]
    Sign,
    /// The sign isn't followed by a plain number.
    #[error("the sign must be followed by a whole number in plain digits, without a sign or leading zeros")]
    Amount,
    /// The number is 0 or too large.
    #[error("the amount must be from 1 to 10^18")]
    Bounds,
}

impl FromStr for Operation {
    type Err = NotAnOperation;

    /// Parses the notation of files. Input from players is parsed more leniently (see
    /// [`crate::engine::spelling`]).
    fn from_str(text: &str) -> Result<Operation, NotAnOperation> {
        let kind =
            Kind::ALL.into_iter().find(|kind| text.starts_with(kind.sign())).ok_or(NotAnOperation::Sign)?;
        let amount = plain_amount(&text[1..])?;
        Operation::new(kind, amount).ok_or(NotAnOperation::Bounds)
    }
}

/// Parses plain ASCII digits.
pub(crate) fn plain_amount(digits: &str) -> Result<i64, NotAnOperation> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotAnOperation::Amount);
    }
    if digits == "0" {
        return Err(NotAnOperation::Bounds);
    }
    if digits.starts_with('0') {
        return Err(NotAnOperation::Amount);
    }
    digits.parse().map_err(|_| NotAnOperation::Bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_nothing_sloppy() {
        for text in ["+1", "-3", "x2", "/1000000000000000000"] {
            assert_eq!(text.parse::<Operation>().unwrap().to_string(), text);
        }
        for (text, why) in [
            ("", NotAnOperation::Sign),
            ("2", NotAnOperation::Sign),
            ("*2", NotAnOperation::Sign),
            ("×2", NotAnOperation::Sign),
            ("+", NotAnOperation::Amount),
            ("++1", NotAnOperation::Amount),
            ("+01", NotAnOperation::Amount),
            ("x-2", NotAnOperation::Amount),
            ("+١", NotAnOperation::Amount),
            ("+0", NotAnOperation::Bounds),
            ("x1000000000000000001", NotAnOperation::Bounds),
            ("x99999999999999999999999999", NotAnOperation::Bounds),
        ] {
            assert_eq!(text.parse::<Operation>(), Err(why), "{text}");
        }
    }

    #[test]
    fn results_are_exact_at_the_edges() {
        let by = |text: &str, number| text.parse::<Operation>().unwrap().apply(number);
        assert_eq!(by("x1000000000000000000", LARGEST), Some(10i128.pow(36)));
        assert_eq!(by("x1000000000000000000", -LARGEST), Some(-(10i128.pow(36))));
        assert_eq!(by("-1000000000000000000", -LARGEST), Some(-2 * 10i128.pow(18)));
        assert_eq!(by("/3", 9), Some(3));
        assert_eq!(by("/3", -9), Some(-3));
        assert_eq!(by("/3", 10), None);
        assert_eq!(by("/3", 0), Some(0));
    }

    fn all() -> impl Iterator<Item = Operation> {
        let amounts = [1, 2, 3, 4, 7, LARGEST - 1, LARGEST];
        Kind::ALL
            .into_iter()
            .flat_map(move |kind| amounts.map(|amount| Operation::new(kind, amount).unwrap()))
    }

    fn numbers() -> impl Iterator<Item = i64> {
        (-50..=50).chain([-LARGEST, -LARGEST / 2, LARGEST / 3, LARGEST])
    }

    #[test]
    fn an_operation_describes_itself_correctly() {
        for operation in all() {
            for number in numbers() {
                let Some(result) = operation.apply(number) else {
                    assert!(operation.divides(), "{operation} from {number}");
                    continue;
                };
                assert_eq!(
                    operation.comes_from(result),
                    Some(i128::from(number)),
                    "{operation} from {number}"
                );
                let way = match result.cmp(&i128::from(number)) {
                    std::cmp::Ordering::Greater => Way::Up,
                    std::cmp::Ordering::Less => Way::Down,
                    std::cmp::Ordering::Equal => Way::Stays,
                };
                assert_eq!(operation.way_from(number), way, "{operation} from {number}");
                if let Some(Affine { factor, addend }) = operation.as_affine() {
                    assert_eq!(i128::from(number) * i128::from(factor) + i128::from(addend), result);
                }
            }
        }
    }

    #[test]
    fn a_number_comes_from_where_the_operation_leads_to_it_and_from_nowhere_else() {
        for operation in all() {
            for result in numbers() {
                let from = operation.comes_from(result.into());
                let known = numbers().find(|number| operation.apply(*number) == Some(result.into()));
                assert!(known.is_none() || from == known.map(i128::from), "{operation} to {result}");
                if let Some(from) = from.and_then(|from| i64::try_from(from).ok()) {
                    assert_eq!(operation.apply(from), Some(result.into()), "{operation} to {result}");
                }
            }
        }
        assert_eq!("/1000000000000000000".parse::<Operation>().unwrap().comes_from(10i128.pow(36)), None);
    }

    #[test]
    fn the_ends_of_what_leads_below_and_above_are_exact() {
        for affine in all().filter_map(Operation::as_affine).filter(|affine| affine.factor < 10) {
            for result in numbers().map(i128::from) {
                let to = |number: i128| number * i128::from(affine.factor) + i128::from(affine.addend);
                let (highest, lowest) = (affine.highest_to(result), affine.lowest_to(result));
                assert!(to(highest) <= result && to(highest + 1) > result, "{affine:?} {result}");
                assert!(to(lowest) >= result && to(lowest - 1) < result, "{affine:?} {result}");
            }
        }
    }
}
