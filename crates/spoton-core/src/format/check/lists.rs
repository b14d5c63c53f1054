//! Warnings about `winning`, `losing` and `forbidden`: numbers without effect, and spans and kinds that
//! overlap with something else.

use super::Reach;
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::Way;
use crate::engine::rulebook::Item;
use crate::format::Rulebook;
use crate::format::draft::Draft;
use crate::format::numbers::GivenNumbers;
use crate::format::source::{Located, Problem};

/// The maximum number of numbers to list in a warning.
const MOST_LISTED: usize = 20;

/// How many numbers to try when looking for one that two items share.
const MOST_TRIED: usize = 200;

type List<'a> = (&'static str, &'a Option<Located<GivenNumbers>>);

/// The lists, in order of precedence.
fn deciding(draft: &Draft) -> [List<'_>; 3] {
    [("forbidden", &draft.forbidden), ("winning", &draft.winning), ("losing", &draft.losing)]
}

/// Numbers, spans and kinds without effect.
///
/// If the search is too large, only reports what follows from the number alone.
pub(super) fn idle(
    rulebook: &Rulebook,
    draft: &Draft,
    reach: Option<&Reach>,
    patience: &mut usize,
) -> Vec<Problem> {
    let mut odd = Vec::new();
    let [forbidden, winning, losing] = deciding(draft);
    for (key, list) in [winning, losing, forbidden] {
        let Some(Located { value: GivenNumbers { list, descriptions }, place }) = list else { continue };
        *patience = patience.saturating_sub(list.integers.len());
        // The target takes precedence over `winning` and `losing`.
        let matters = |number: i128| {
            let can_be_landed_on = match reach {
                Some(reach) => reach.landed.contains(&number),
                None => rulebook.is_within_bounds(number).is_ok() && !lies_behind(rulebook, number),
            };
            can_be_landed_on && (key == "forbidden" || !rulebook.passes_target(number))
        };
        let idle: Vec<String> = list
            .integers
            .iter()
            .filter(|number| !matters(i128::from(**number)))
            .map(i64::to_string)
            .collect();
        if !idle.is_empty() {
            let mut listed = idle[..idle.len().min(MOST_LISTED)].join(", ");
            if let Some(more @ 1..) = idle.len().checked_sub(MOST_LISTED) {
                listed.push_str(&format!(" and {more} more"));
            }
            let message = format!("`{key}` lists {listed}, with no effect");
            odd.push(Problem::warning(place.clone(), message));
        }
        let Some(reach) = reach.filter(|_| !descriptions.is_empty()) else { continue };
        let all = [rulebook.forbidden(), rulebook.winning(), rulebook.losing()];
        let steps = reach.landed.len() * all.map(|list| list.len()).iter().sum::<usize>();
        let Some(left) = patience.checked_sub(steps) else { continue };
        *patience = left;
        let decided: Vec<i64> = reach
            .landed
            .iter()
            .filter_map(|number| i64::try_from(*number).ok())
            .filter(|number| rulebook.described_by(i128::from(*number)) == Some(key))
            .collect();
        for (item, place) in descriptions {
            if !decided.iter().any(|number| item.holds(*number)) {
                let message = format!("`{key}` lists \"{item}\", with no effect");
                odd.push(Problem::warning(place.clone(), message));
            }
        }
    }
    odd
}

/// Whether every move leads away from a number, because all moves go one way.
fn lies_behind(rulebook: &Rulebook, number: i128) -> bool {
    let (starter, other) = rulebook.start();
    match rulebook.only_way() {
        Some(Way::Up) => number < starter.min(other).into(),
        Some(Way::Down) => number > starter.max(other).into(),
        Some(Way::Stays) | None => false,
    }
}

/// Spans and kinds that include numbers already decided by something else.
pub(super) fn overlaps(rulebook: &Rulebook, draft: &Draft, patience: &mut usize) -> Vec<Problem> {
    let mut odd = Vec::new();
    let lists = deciding(draft);
    let range = rulebook.numbers_before_target();
    let is_listed = |number: &i64| {
        let mut lists = lists.iter().filter_map(|(_, list)| list.as_ref());
        rulebook.target() == Some(*number)
            || lists.any(|list| list.value.list.integers.binary_search(number).is_ok())
    };
    for (index, (key, list)) in lists.iter().enumerate() {
        let Some(list) = list else { continue };
        for (item, place) in &list.value.descriptions {
            let mut warn = |message: String| odd.push(Problem::warning(place.clone(), message));
            let of_this = format!("\"{item}\" in `{key}`");
            if let Some(target) = rulebook.target().filter(|target| item.holds(*target)) {
                warn(format!("{of_this} includes the target {target}, but there `reach` decides"));
            }
            for (other_index, (other_key, other)) in lists.iter().enumerate() {
                let Some(other) = other.as_ref().filter(|_| other_index != index) else { continue };
                let integers = &other.value.list.integers;
                *patience = patience.saturating_sub(integers.len());
                let in_range = |number: &&i64| (range.0..=range.1).contains(*number);
                if *patience == 0 {
                    return odd;
                }
                if let Some(both) = integers.iter().filter(in_range).find(|number| item.holds(**number)) {
                    warn(format!(
                        "{of_this} includes {both}, but `{other_key}` lists it, so `{other_key}` decides"
                    ));
                }
                if other_index > index {
                    continue;
                }
                let mut others = other.value.descriptions.iter();
                let both = others.find_map(|(other, _)| {
                    let both = common(*item, *other, range, patience, |number| !is_listed(&number))?;
                    Some((other, both))
                });
                if let Some((other, both)) = both {
                    warn(format!(
                        "{of_this} and \"{other}\" in `{other_key}` both include {both}; `{other_key}` decides"
                    ));
                }
            }
        }
    }
    odd
}

/// A number within bounds that both items include and that `fits`. Also `None` if the search takes too long.
fn common(
    one: Item,
    other: Item,
    (low, high): (i64, i64),
    patience: &mut usize,
    fits: impl Fn(i64) -> bool,
) -> Option<i64> {
    let (mut low, mut high) = (low, high);
    let (mut step, mut squares) = (1_i128, false);
    for item in [one, other] {
        match item {
            Item::Integer(number) => (low, high) = (low.max(number), high.min(number)),
            Item::Span(first, last) => (low, high) = (low.max(first), high.min(last)),
            Item::Kind(kind) => {
                let (first, last) = Condition::Kind(kind).ends();
                (low, high) = (low.max(first), high.min(last));
                squares |= kind == NumberKind::Square;
                step = match kind {
                    NumberKind::Even => step.max(2),
                    NumberKind::MultipleOf(factor) => step.max(factor.into()),
                    _ => step,
                };
            }
        }
    }
    if low > high {
        return None;
    }
    let nth = |index: i128| {
        if squares {
            let root = i128::from(low.max(0).isqrt()) + index;
            root * root
        } else {
            (i128::from(low) + step - 1).div_euclid(step) * step + index * step
        }
    };
    for index in 0..MOST_TRIED {
        *patience = patience.checked_sub(1)?;
        let number = i64::try_from(nth(index as i128)).ok().filter(|number| *number <= high)?;
        if number >= low && one.holds(number) && other.holds(number) && fits(number) {
            return Some(number);
        }
    }
    None
}
