//! Random books with edge cases of the format: openings in lists, listed numbers past the target or outside the range,
//! and players who are stuck. They are the other modules' random books, with random lists around the start and the
//! target.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use spoton::format::Rulebook;

use crate::solver::books::{books, circles, plain};
use crate::support::read;
use crate::truth::richer::richer;

/// A list's key, its numbers as distances from the start or from the target, and a kind or span.
type Rim = (&'static str, Vec<(bool, i64)>, &'static str);

fn rims() -> impl Strategy<Value = Vec<Rim>> {
    let number = (any::<bool>(), prop_oneof![3 => Just(0), 3 => -3..=3i64, 1 => -12..=12i64]);
    let key = select(vec!["winning", "losing", "forbidden"]);
    let described = select(vec!["", "", "", "'even'", "'multiples of 5'", "'prime'", "'4..9'"]);
    vec((key, vec(number, 0..3), described), 0..3)
}

/// A random book with edge cases. Skips a list that would make the book invalid.
pub fn at_the_rim() -> impl Strategy<Value = Arc<Rulebook>> {
    let text = prop_oneof![2 => books(), 2 => circles(), 1 => plain(), 2 => richer()];
    (text, rims()).prop_map(|(text, rims)| {
        let mut draft = read(&text);
        let mut book = Arc::new(draft.build().unwrap_or_else(|why| panic!("{text}\n{why:?}")));
        for (key, numbers, described) in rims {
            let anchor = |from_target: &bool| match book.target() {
                Some(target) if *from_target => target,
                _ => book.start().0,
            };
            let numbers = numbers.iter().map(|(from_target, away)| anchor(from_target) + away);
            let numbers = numbers.map(|number| number.to_string()).chain([described.to_owned()]);
            let list: Vec<String> = numbers.filter(|item| !item.is_empty()).collect();
            let changed = draft.clone().set("--set", &format!("{key}=[{}]", list.join(", ")));
            if let Ok(built) = changed.build() {
                (draft, book) = (changed, Arc::new(built));
            }
        }
        book
    })
}
