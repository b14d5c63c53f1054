//! Number lists as the text gives them.

use std::collections::HashSet;

use super::source::{Located, Place};
use crate::engine::rulebook::{Item, NumberList};

/// A list as the source gives it.
#[derive(Clone, Debug)]
pub(super) struct GivenNumbers {
    pub(super) list: NumberList,
    /// Its spans and kinds in order, with their positions in the text.
    pub(super) descriptions: Vec<(Item, Place)>,
}

/// Places don't matter: the numbers are the same.
impl PartialEq for GivenNumbers {
    fn eq(&self, other: &GivenNumbers) -> bool {
        self.list == other.list
    }
}

impl GivenNumbers {
    pub(super) fn from_located(items: Vec<Located<Item>>) -> GivenNumbers {
        let list = NumberList::from_items(items.iter().map(|item| item.value));
        // Report duplicates once.
        let mut known = HashSet::new();
        let is_new =
            |item: &Located<Item>| !matches!(item.value, Item::Integer(_)) && known.insert(item.value);
        let descriptions = items.into_iter().filter(is_new).map(|item| (item.value, item.place)).collect();
        GivenNumbers { list, descriptions }
    }
}
