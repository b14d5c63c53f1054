//! An entry of `moves`: what it does, where and how often, and what it is called.

use std::fmt;

use super::{On, Pool};
use crate::engine::computed::Computed;
use crate::engine::number_kind::Condition;
use crate::engine::operation::{Kind, Operation, Way};
use crate::engine::position::Player;
use crate::engine::written::{ON_OTHER, Written};

/// An entry of a rule book's `moves`: an operation with its conditions.
///
/// It is written as the rule book writes it: `+1`, `-divisor`, on the other player's number `@-3`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What it does.
    pub op: Op,
    /// Whose number it changes.
    pub on: On,
    /// What must hold of the number that it would change: all of these, in a fixed order. Empty if it may be used at
    /// every number.
    pub when: Vec<Condition>,
    /// How often it may be used; `None` if that is not limited.
    pub uses: Option<Uses>,
    /// What the rule book calls it; `None` if it has no name of its own for it.
    pub label: Option<String>,
}

/// What an entry of `moves` does: one operation, or one for each amount that the number has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Always the same.
    Fixed(Operation),
    /// With an amount that comes from the number.
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

/// What stands for the amount in the label of a computed entry.
const AMOUNT: &str = "{amount}";

/// A label with an amount in it: in its place, or at the end.
pub(super) fn with_amount(label: &str, amount: i64) -> String {
    if label.contains(AMOUNT) {
        label.replace(AMOUNT, &amount.to_string())
    } else {
        format!("{label} ({amount})")
    }
}

impl Entry {
    /// What to call it as a whole: `Add 1`, `Subtract a divisor`, or the rule book's own name.
    pub fn label(&self) -> String {
        match (&self.label, self.op) {
            (Some(label), Op::Fixed(_)) => label.clone(),
            (Some(label), Op::Computed(computed)) => label.replace(AMOUNT, computed.amount_in_words()),
            (None, Op::Fixed(operation)) => Written { operation, on: self.on }.label(),
            (None, Op::Computed(computed)) => computed.label(self.on),
        }
    }

    /// What to call a move that it gives: `Add 1`, `Take away a divisor (3)`.
    pub fn label_of(&self, written: Written) -> String {
        match (&self.label, self.op) {
            (None, _) => written.label(),
            (Some(label), Op::Fixed(_)) => label.clone(),
            (Some(label), Op::Computed(_)) => with_amount(label, written.operation.amount()),
        }
    }

    /// How its moves are written: `+1`; `-K (K a divisor)` if the amount is computed, which nobody could write otherwise.
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

    /// What tells it apart from the other entries of its rule book: they differ in this.
    pub(crate) fn identity(&self) -> (Op, On, Vec<Condition>) {
        let op = match self.op {
            Op::Computed(computed) => Op::Computed(computed.bounded(None, None)),
            fixed => fixed,
        };
        (op, self.on, self.when.clone())
    }

    /// What to call it where it must be told from others with the same operation: `+1 when odd`.
    pub(crate) fn name(&self) -> String {
        let when = self.when.iter().map(Condition::to_string).collect::<Vec<_>>().join(" and ");
        if when.is_empty() { self.to_string() } else { format!("{self} when {when}") }
    }

    /// The owner of the number that a player changes by it.
    #[inline]
    pub fn owner(&self, player: Player) -> Player {
        self.on.of(player)
    }

    /// Its sign.
    pub fn kind(&self) -> Kind {
        match self.op {
            Op::Fixed(operation) => operation.kind(),
            Op::Computed(computed) => computed.kind(),
        }
    }

    /// Whether it may be used at a number, as far as `when` says.
    #[inline]
    pub fn may_be_used_at(&self, number: i64) -> bool {
        self.when.iter().all(|condition| condition.holds(number))
    }

    /// What it can do at a number.
    pub(crate) fn operations_at(&self, number: i64) -> impl Iterator<Item = Operation> {
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

    /// The numbers from which it leads to this one, each with what it does there.
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

    /// Whether it gives a move at some number, as far as its sign and its bounds tell.
    pub(crate) fn can_give(&self, written: Written) -> bool {
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

    /// Whether both could give the same move, as far as signs and bounds tell.
    pub(crate) fn overlaps(&self, other: &Entry) -> bool {
        match (self.op, other.op) {
            (Op::Fixed(operation), _) => other.can_give(Written { operation, on: self.on }),
            (_, Op::Fixed(operation)) => self.can_give(Written { operation, on: other.on }),
            (Op::Computed(one), Op::Computed(two)) => {
                let ((from, to), (low, high)) = (one.bounds(), two.bounds());
                self.on == other.on && one.kind() == two.kind() && from.max(low) <= to.min(high)
            }
        }
    }

    /// Which way it goes from these numbers, which all have the same sign: that is the same for all. `None` if it cannot
    /// be used at any of them.
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

    /// The lowest and the highest number that could meet its `when`.
    pub(crate) fn ends_of_when(&self) -> (i64, i64) {
        self.when.iter().fold((i64::MIN, i64::MAX), |(low, high), condition| {
            let (from, to) = condition.ends();
            (low.max(from), high.min(to))
        })
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

/// How often an operation may be used in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// From 1.
    pub limit: u8,
    /// Whether each player has so many or both together.
    pub pool: Pool,
}
