//! What may be done to a number on a turn: `+1`, `-1`, `x2`, `/2`.

use std::fmt;
use std::str::FromStr;

use crate::format::LARGEST;

/// The four kinds of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `+k`
    Add,
    /// `-k`
    Subtract,
    /// `xk`
    Multiply,
    /// `/k`, legal only where it divides exactly
    Divide,
}

impl Kind {
    /// All kinds, in the order in which people list them.
    pub const ALL: [Kind; 4] = [Kind::Add, Kind::Subtract, Kind::Multiply, Kind::Divide];

    /// The sign that rule books and records use.
    pub fn sign(self) -> char {
        match self {
            Kind::Add => '+',
            Kind::Subtract => '-',
            Kind::Multiply => 'x',
            Kind::Divide => '/',
        }
    }

    /// The word for it, as a player types it: `add`, `multiply`.
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

impl Operation {
    /// An operation, or nothing where the amount is out of bounds.
    pub fn new(kind: Kind, amount: i64) -> Option<Operation> {
        (1..=LARGEST).contains(&amount).then_some(Operation { kind, amount })
    }

    /// What kind it is.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// By how much it adds, subtracts, multiplies or divides.
    pub fn amount(self) -> i64 {
        self.amount
    }

    /// The exact result; nothing where a division leaves a remainder.
    ///
    /// Two factors of at most 10^18 always fit in 128 bits, so nothing here can wrap.
    #[inline]
    pub fn apply(self, number: i64) -> Option<i128> {
        let (number, amount) = (i128::from(number), i128::from(self.amount));
        match self.kind {
            Kind::Add => Some(number + amount),
            Kind::Subtract => Some(number - amount),
            Kind::Multiply => Some(number * amount),
            Kind::Divide => (number % amount == 0).then(|| number / amount),
        }
    }

    /// The words for a menu: `Add 1`, `Multiply by 2`.
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

/// Why a text is not an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnOperation {
    /// It does not begin with one of the four signs.
    #[error("an operation begins with +, -, x or /")]
    Sign,
    /// What follows the sign is not a plain number.
    #[error("after the sign comes a whole number in plain digits, without sign or leading zeros")]
    Amount,
    /// The number is 0 or too large.
    #[error("the number in an operation lies from 1 to 1000000000000000000 (10^18)")]
    Bounds,
}

impl FromStr for Operation {
    type Err = NotAnOperation;

    /// Reads the form that files use; what players type is read more kindly (see [`crate::words::typed`]).
    fn from_str(text: &str) -> Result<Operation, NotAnOperation> {
        let kind =
            Kind::ALL.into_iter().find(|kind| text.starts_with(kind.sign())).ok_or(NotAnOperation::Sign)?;
        let amount = plain_amount(&text[1..])?;
        Operation::new(kind, amount).ok_or(NotAnOperation::Bounds)
    }
}

/// A number in plain ASCII digits.
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
}
