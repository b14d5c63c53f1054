//! Lists of numbers that mean something when somebody lands there: integers, spans and kinds.
//!
//! What a number means is decided first by the integers, then by spans and kinds, which is why they are asked apart.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::LARGEST;
use super::source::{Located, Place};
use crate::engine::number_kind::{NotAKind, NumberKind};

/// The numbers of `winning`, `losing` or `forbidden`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NumberList {
    /// Numbers one by one, rising.
    pub integers: Vec<i64>,
    /// From a number to another, both of them counted; rising.
    pub spans: Vec<(i64, i64)>,
    /// Kinds of numbers, in a fixed order.
    pub kinds: Vec<NumberKind>,
}

/// An item of such a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Integer(i64),
    Span(i64, i64),
    Kind(NumberKind),
}

/// Such a list as a source gives it.
#[derive(Clone, Debug)]
pub(super) struct GivenNumbers {
    pub(super) list: NumberList,
    /// Its spans and kinds in their order, with the places where they stand.
    pub(super) descriptions: Vec<(Item, Place)>,
}

/// Where they stand makes no other numbers of them.
impl PartialEq for GivenNumbers {
    fn eq(&self, other: &GivenNumbers) -> bool {
        self.list == other.list
    }
}

impl GivenNumbers {
    pub(super) fn of(items: Vec<Located<Item>>) -> GivenNumbers {
        let list = NumberList::of(items.iter().map(|item| item.value));
        // What stands twice is told of once.
        let mut known = HashSet::new();
        let is_new =
            |item: &Located<Item>| !matches!(item.value, Item::Integer(_)) && known.insert(item.value);
        let descriptions = items.into_iter().filter(is_new).map(|item| (item.value, item.place)).collect();
        GivenNumbers { list, descriptions }
    }
}

impl NumberList {
    fn of(items: impl IntoIterator<Item = Item>) -> NumberList {
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

    /// Whether it has nothing in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.integers.is_empty() && !self.has_descriptions()
    }

    /// Whether it has spans or kinds.
    #[inline]
    pub fn has_descriptions(&self) -> bool {
        !(self.spans.is_empty() && self.kinds.is_empty())
    }

    /// Whether it has this very number.
    #[inline]
    pub fn lists(&self, number: i128) -> bool {
        !self.integers.is_empty()
            && i64::try_from(number).is_ok_and(|number| self.integers.binary_search(&number).is_ok())
    }

    /// Whether one of its spans or kinds has this number.
    #[inline]
    pub fn describes(&self, number: i128) -> bool {
        self.has_descriptions()
            && i64::try_from(number).is_ok_and(|number| {
                self.spans.iter().any(|(low, high)| (*low..=*high).contains(&number))
                    || self.kinds.iter().any(|kind| kind.holds(number))
            })
    }

    /// How many integers, spans and kinds it has.
    pub fn len(&self) -> usize {
        self.integers.len() + self.spans.len() + self.kinds.len()
    }

    /// Its items as a rule book writes them, without quotation marks: integers, spans, kinds.
    pub fn written(&self) -> impl Iterator<Item = String> {
        let integers = self.integers.iter().map(|number| Item::Integer(*number));
        let spans = self.spans.iter().map(|(low, high)| Item::Span(*low, *high));
        let kinds = self.kinds.iter().map(|kind| Item::Kind(*kind));
        integers.chain(spans).chain(kinds).map(|item| item.to_string())
    }
}

impl Item {
    /// Whether a number is meant by it.
    pub(super) fn holds(self, number: i64) -> bool {
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

    /// Reads a span or a kind; integers are no texts in a rule book.
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
