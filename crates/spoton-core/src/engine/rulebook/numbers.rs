//! Number lists: integers, spans and kinds.
//!
//! Integers take precedence over spans and kinds, so they have separate queries.

use std::fmt;
use std::str::FromStr;

use super::LARGEST;
use crate::engine::number_kind::{NotAKind, NumberKind};

/// The numbers of `winning`, `losing` or `forbidden`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NumberList {
    /// Single numbers, ascending.
    pub integers: Vec<i64>,
    /// Inclusive spans, ascending.
    pub spans: Vec<(i64, i64)>,
    /// Kinds, in a fixed order.
    pub kinds: Vec<NumberKind>,
}

/// An item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Integer(i64),
    Span(i64, i64),
    Kind(NumberKind),
}

impl NumberList {
    pub(crate) fn from_items(items: impl IntoIterator<Item = Item>) -> NumberList {
        let mut list = NumberList::default();
        for item in items {
            match item {
                Item::Integer(number) => list.integers.push(number),
                Item::Span(low, high) => list.spans.push((low, high)),
                Item::Kind(kind) => list.kinds.push(kind),
            }
        }
        list.integers.sort_unstable();
        list.integers.dedup();
        list.spans.sort_unstable();
        list.spans.dedup();
        list.kinds.sort_unstable();
        list.kinds.dedup();
        list
    }

    /// Whether the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.integers.is_empty() && !self.has_descriptions()
    }

    /// Whether it has spans or kinds.
    #[inline]
    pub fn has_descriptions(&self) -> bool {
        !(self.spans.is_empty() && self.kinds.is_empty())
    }

    /// Whether it lists this integer.
    #[inline]
    pub fn lists(&self, number: i128) -> bool {
        !self.integers.is_empty()
            && i64::try_from(number).is_ok_and(|number| self.integers.binary_search(&number).is_ok())
    }

    /// Whether one of its spans or kinds includes this number.
    #[inline]
    pub fn describes(&self, number: i128) -> bool {
        self.has_descriptions()
            && i64::try_from(number).is_ok_and(|number| {
                self.spans.iter().any(|(low, high)| (*low..=*high).contains(&number))
                    || self.kinds.iter().any(|kind| kind.holds(number))
            })
    }

    /// The count of integers, spans and kinds.
    pub fn len(&self) -> usize {
        self.integers.len() + self.spans.len() + self.kinds.len()
    }

    /// Its items as in a rule book, without quotation marks: integers, spans, kinds.
    pub fn written(&self) -> impl Iterator<Item = String> {
        let integers = self.integers.iter().map(|number| Item::Integer(*number));
        let spans = self.spans.iter().map(|(low, high)| Item::Span(*low, *high));
        let kinds = self.kinds.iter().map(|kind| Item::Kind(*kind));
        integers.chain(spans).chain(kinds).map(|item| item.to_string())
    }
}

impl Item {
    /// Whether the item includes a number.
    pub(crate) fn holds(self, number: i64) -> bool {
        match self {
            Item::Integer(integer) => integer == number,
            Item::Span(low, high) => (low..=high).contains(&number),
            Item::Kind(kind) => kind.holds(number),
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Integer(number) => write!(f, "{number}"),
            Item::Span(low, high) => write!(f, "{low}..{high}"),
            Item::Kind(kind) => write!(f, "{kind}"),
        }
    }
}

impl FromStr for Item {
    type Err = NotAKind;

    /// Reads a span or a kind. Integers aren't text in a rule book.
    fn from_str(text: &str) -> Result<Item, NotAKind> {
        let Some((low, high)) = text.split_once("..") else { return text.parse().map(Item::Kind) };
        let end = |text: &str| {
            let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
            number.filter(|number| (-LARGEST..=LARGEST).contains(number)).ok_or(NotAKind::Bounds)
        };
        let (low, high) = (end(low)?, end(high)?);
        if low <= high { Ok(Item::Span(low, high)) } else { Err(NotAKind::Downwards) }
    }
}
