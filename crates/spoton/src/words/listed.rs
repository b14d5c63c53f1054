//! The numbers of `winning`, `losing` and `forbidden` in words. Leaves out numbers past the target or outside the range
//! because the lists don't apply to them.

use super::describe::condition;
use super::phrases::or_list;
use crate::engine::number_kind::Condition;
use crate::engine::play::{Ending, Refusal};
use crate::format::{Direction, NumberList, Past, Rulebook};

/// The numbers that win; `None` if there are none.
pub(super) fn winning(rulebook: &Rulebook) -> Option<String> {
    in_words(rulebook, rulebook.winning(), |number| lands(rulebook, number) == Some(true))
}

/// The numbers that lose; `None` if there are none.
pub(super) fn losing(rulebook: &Rulebook) -> Option<String> {
    in_words(rulebook, rulebook.losing(), |number| lands(rulebook, number) == Some(false))
}

/// The numbers that no move may land on; `None` if there are none.
pub(super) fn forbidden(rulebook: &Rulebook) -> Option<String> {
    let is_refused = |number| matches!(rulebook.admits(number), Err(Refusal::Forbidden { .. }));
    in_words(rulebook, rulebook.forbidden(), is_refused)
}

/// Whether the lists make landing on a number win or lose; `None` if they don't decide.
fn lands(rulebook: &Rulebook, number: i128) -> Option<bool> {
    rulebook.admits(number).ok()?;
    let (wins, ending) = rulebook.landing_of_number(number)?;
    (ending == Ending::Landed).then_some(wins)
}

/// A list's items that apply to at least one number. A long list shows only its first integers.
fn in_words(rulebook: &Rulebook, list: &NumberList, counts: impl Fn(i128) -> bool) -> Option<String> {
    const MOST: usize = 20;
    let integers = list.integers.iter().filter(|number| counts(i128::from(**number)));
    let integers: Vec<String> = integers.map(i64::to_string).collect();
    let further = integers.len().saturating_sub(MOST);
    let mut said: Vec<String> = integers.into_iter().take(MOST).collect();
    said.extend((further > 0).then(|| match further {
        1 => "one other number".to_owned(),
        _ => format!("one of {further} other numbers"),
    }));
    let (low, high) = rulebook.numbers_on_turn();
    let some_count = |low: i64, high: i64, holds: &dyn Fn(i64) -> bool| {
        /// Assumes that every item applies in wider ranges.
        const MOST_TRIED: u64 = 10_000;
        high.abs_diff(low) > MOST_TRIED || (low..=high).any(|number| holds(number) && counts(number.into()))
    };
    for (from, to) in &list.spans {
        let (from, to) = (low.max(*from), high.min(*to));
        if from <= to && some_count(from, to, &|_| true) {
            said.push(match from == to {
                true => from.to_string(),
                false => format!("a number from {from} to {to}"),
            });
        }
    }
    for kind in list.kinds.iter().copied().filter(|kind| some_count(low, high, &|number| kind.holds(number)))
    {
        let bound = rulebook.target().filter(|_| rulebook.past() != Past::Forbidden).map(|target| {
            match rulebook.direction() {
                Some(Direction::Countdown) => Condition::Above(target),
                _ => Condition::Below(target),
            }
        });
        said.push(condition(&[Some(Condition::Kind(kind)), bound].into_iter().flatten().collect::<Vec<_>>()));
    }
    match (&said[..], further) {
        ([], _) => None,
        ([others @ .., last], 1..) => Some(format!("{} or {last}", others.join(", "))),
        _ => Some(or_list(said)),
    }
}
