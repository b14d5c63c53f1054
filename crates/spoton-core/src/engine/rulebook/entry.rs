//! An entry of `moves`: what it does, when, how often, and its name.

use std::fmt;

use super::{On, Pool};
use crate::engine::computed::Computed;
use crate::engine::number_kind::Condition;
use crate::engine::operation::{Kind, Operation, Way};
use crate::engine::position::Player;
use crate::engine::written::{ON_OTHER, Written};

/// An entry of a rule book's `moves`: an operation and its conditions.
///
/// Displays as in the rule book: `+1`, `-divisor`, or `@-3` on the opponent's number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The operation or operations.
    pub op: Op,
    /// The player whose number it changes.
    pub on: On,
    /// Conditions on the number to change, in a fixed order. All must hold. If there are none, every number
    /// fits.
    pub when: Vec<Condition>,
    /// How often it may be used; `None` if unlimited.
    pub uses: Option<Uses>,
    /// The label in the rule book, if any.
    pub label: Option<String>,
}

/// The operations of an entry: one, or one per computed amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Always the same.
    Fixed(Operation),
    /// Computed from the number.
    Computed(Computed),
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Fixed(operation) => operation.fmt(f),
            Op::Computed(computed) => computed.fmt(f),
        }
    }
}

/// The placeholder for the amount in the label of a computed entry.
const AMOUNT: &str = "{amount}";

/// A label with an amount: at its placeholder, or at the end.
pub(crate) fn with_amount(label: &str, amount: i64) -> String {
    if label.contains(AMOUNT) {
        label.replace(AMOUNT, &amount.to_string())
    } else {
        format!("{label} ({amount})")
    }
}

impl Entry {
    /// The name of the whole entry: `Add 1`, `Subtract a divisor`, or the rule book's label.
    pub fn label(&self) -> String {
        match (&self.label, self.op) {
            (Some(label), Op::Fixed(_)) => label.clone(),
            (Some(label), Op::Computed(computed)) => label.replace(AMOUNT, computed.amount_in_words()),
            (None, Op::Fixed(operation)) => Written { operation, on: self.on }.label(),
            (None, Op::Computed(computed)) => computed.label(self.on),
        }
    }

    /// The name of one of its moves: `Add 1`, `Take away a divisor (3)`.
    pub fn label_of(&self, written: Written) -> String {
        match (&self.label, self.op) {
            (None, _) => written.label(),
            (Some(label), Op::Fixed(_)) => label.clone(),
            (Some(label), Op::Computed(_)) => with_amount(label, written.operation.amount()),
        }
    }

    /// How its moves are written: `+1`, or `-K (K a divisor)` if the amount is computed.
    pub(crate) fn form(&self) -> String {
        let Op::Computed(computed) = self.op else { return self.to_string() };
        let on = if self.on == On::Other { ON_OTHER.to_string() } else { String::new() };
        let bounds = match (computed.from, computed.to) {
            (None, None) => String::new(),
            (Some(from), None) => format!(" from {from} on"),
            (None, Some(to)) => format!(" up to {to}"),
            (Some(from), Some(to)) => format!(" from {from} to {to}"),
        };
        let what = computed.amount_in_words();
        format!("{on}{}K (K {what}{bounds})", computed.kind().sign())
    }

    /// A key that is unique within a rule book.
    pub(crate) fn identity(&self) -> (Op, On, Vec<Condition>) {
        let op = match self.op {
            Op::Computed(computed) => Op::Computed(computed.bounded(None, None)),
            fixed => fixed,
        };
        (op, self.on, self.when.clone())
    }

    /// A name that distinguishes it from entries with the same operation: `+1 when odd`.
    pub(crate) fn name(&self) -> String {
        let when = self.when.iter().map(Condition::to_string).collect::<Vec<_>>().join(" and ");
        if when.is_empty() { self.to_string() } else { format!("{self} when {when}") }
    }

    /// The player whose number it changes when `player` uses it.
    #[inline]
    pub fn owner(&self, player: Player) -> Player {
        self.on.affected(player)
    }

    /// Its sign.
    pub fn kind(&self) -> Kind {
        match self.op {
            Op::Fixed(operation) => operation.kind(),
            Op::Computed(computed) => computed.kind(),
        }
    }

    /// Whether its `when` allows a number.
    #[inline]
    pub fn may_be_used_at(&self, number: i64) -> bool {
        self.when.iter().all(|condition| condition.holds(number))
    }

    /// The operations it offers at a number.
    pub fn operations_at(&self, number: i64) -> impl Iterator<Item = Operation> {
        let (fixed, computed) = match self.op {
            Op::Fixed(operation) => (Some(operation), None),
            Op::Computed(computed) => (None, Some(computed)),
        };
        let computed = computed.into_iter().flat_map(move |computed| {
            computed.amounts(number).filter_map(move |amount| computed.with(amount))
        });
        let usable = self.may_be_used_at(number);
        fixed.into_iter().chain(computed).filter(move |_| usable)
    }

    /// The numbers that it changes to `result`, each with the operation that does so.
    pub(crate) fn sources_of(&self, result: i64) -> impl Iterator<Item = (i64, Operation)> {
        let (fixed, computed) = match self.op {
            Op::Fixed(operation) => (Some(operation), None),
            Op::Computed(computed) => (None, Some(computed)),
        };
        let fixed = fixed.into_iter().filter_map(move |operation| {
            let from = i64::try_from(operation.comes_from(result.into())?).ok()?;
            Some((from, operation))
        });
        let computed = computed.into_iter().flat_map(move |computed| computed.sources_of(result));
        fixed.chain(computed).filter(|(from, _)| self.may_be_used_at(*from))
    }

    /// Whether it offers a move at a number.
    pub(crate) fn offers(&self, written: Written, number: i64) -> bool {
        self.can_give(written)
            && self.may_be_used_at(number)
            && match self.op {
                Op::Fixed(_) => true,
                Op::Computed(computed) => computed.offers(number, written.operation.amount()),
            }
    }

    /// Whether it could offer a move at some number, judging by sign and bounds.
    pub fn can_give(&self, written: Written) -> bool {
        self.on == written.on
            && match self.op {
                Op::Fixed(operation) => operation == written.operation,
                Op::Computed(computed) => {
                    let (from, to) = computed.bounds();
                    computed.kind() == written.operation.kind()
                        && (from..=to).contains(&written.operation.amount())
                }
            }
    }

    /// Whether both could offer the same move, judging by signs and bounds.
    pub fn overlaps(&self, other: &Entry) -> bool {
        match (self.op, other.op) {
            (Op::Fixed(operation), _) => other.can_give(Written { operation, on: self.on }),
            (_, Op::Fixed(operation)) => self.can_give(Written { operation, on: other.on }),
            (Op::Computed(one), Op::Computed(two)) => {
                let ((from, to), (low, high)) = (one.bounds(), two.bounds());
                self.on == other.on && one.kind() == two.kind() && from.max(low) <= to.min(high)
            }
        }
    }

    /// Its direction from these numbers, which must all have the same sign (and so the same direction).
    /// `None` if it can't be used at any of them.
    pub(crate) fn way_from(&self, (first, last): (i64, i64)) -> Option<Way> {
        let (from, to) = self.ends_of_when();
        if first.max(from) > last.min(to) {
            return None;
        }
        match self.op {
            Op::Fixed(operation) => Some(operation.way_from(first)),
            Op::Computed(computed) => computed.way_from(first),
        }
    }

    /// The lowest and highest numbers that could meet its `when`.
    pub(crate) fn ends_of_when(&self) -> (i64, i64) {
        self.when.iter().fold((i64::MIN, i64::MAX), |(low, high), condition| {
            let (from, to) = condition.ends();
            (low.max(from), high.min(to))
        })
    }
}

/// An entry without conditions, limits or a label.
impl From<Written> for Entry {
    fn from(written: Written) -> Entry {
        let op = Op::Fixed(written.operation);
        Entry { op, on: written.on, when: Vec::new(), uses: None, label: None }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on == On::Other {
            write!(f, "{ON_OTHER}")?;
        }
        self.op.fmt(f)
    }
}

/// How often an entry may be used in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// At least 1.
    pub limit: u8,
    /// Whether each player has these uses, or both share them.
    pub pool: Pool,
}
