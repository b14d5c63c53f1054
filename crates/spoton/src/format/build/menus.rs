//! How many moves a book offers at a number. Computed amounts can be very many, and nobody reads such a menu.

use crate::engine::choices::{MOST_CHOICES, Menu, MenuIter};
use crate::engine::computed::{LARGEST_AMOUNT, Source};
use crate::format::draft::Draft;
use crate::format::source::{Place, Problem};
use crate::format::vocabulary::On;
use crate::format::{Entry, Op, Rulebook};

/// How many numbers are tried one by one. A book in which more could have too long a menu is refused.
const MOST_TRIED: u64 = 1_000_000;

/// What is wrong with the amounts that a book computes; `None` if nothing is.
pub(super) fn problem(rulebook: &Rulebook, draft: &Draft) -> Option<Problem> {
    let place = &draft.moves.as_ref()?.place;
    let range = draft.range.as_ref().map(|range| &range.place);
    too_far(rulebook, range.unwrap_or(place)).or_else(|| too_many(rulebook, place))
}

/// Divisors and primes are only looked for in numbers that are not too large.
fn too_far(rulebook: &Rulebook, place: &Place) -> Option<Problem> {
    let divides = |entry: &&Entry| match entry.op {
        Op::Computed(computed) => matches!(computed.source(), Source::Divisor | Source::Prime),
        Op::Fixed(_) => false,
    };
    let entry = rulebook.moves().iter().find(divides)?;
    let (low, high) = rulebook.numbers_on_turn();
    let most = i64::from(LARGEST_AMOUNT);
    let outside = [low, high].into_iter().find(|end| !(-most..=most).contains(end))?;
    let message =
        format!("`{entry}` needs a `range` within -{most} to {most}, and this one goes to {outside}");
    Some(Problem::error(place.clone(), message))
}

fn too_many(rulebook: &Rulebook, place: &Place) -> Option<Problem> {
    let (low, high) = rulebook.numbers_on_turn();
    let at_most: i64 = rulebook.moves().iter().map(|entry| at_most(entry, high)).sum();
    if at_most <= MOST_CHOICES as i64 {
        return None;
    }
    let first = low.max(1);
    let tried = first..=high.min(first.saturating_add(MOST_TRIED as i64 - 1));
    let count = |on: On, number: i64| {
        let (own, other) = match on {
            On::Own => (number, 0),
            On::Other => (0, number),
        };
        let menu = Menu::at_numbers(rulebook, own, other);
        let of_this = |choice| rulebook.written(choice).is_some_and(|written| written.on == on);
        MenuIter::new(menu).filter(|choice| of_this(*choice)).count()
    };
    // Below 1 nothing is computed, and there are few fixed operations.
    let most =
        |on: On| tried.clone().map(|number| (count(on, number), number)).max_by_key(|(count, _)| *count);
    let has_other = rulebook.moves().iter().any(|entry| entry.on == On::Other);
    let (own, number) = most(On::Own).unwrap_or_default();
    let (other, other_number) = if has_other { most(On::Other).unwrap_or_default() } else { (0, 0) };
    if own + other > MOST_CHOICES {
        let at = if other > own { other_number } else { number };
        let message =
            format!("`moves` offers {} moves at {at}; at most {MOST_CHOICES} are allowed", own + other);
        return Some(Problem::error(place.clone(), message).help("bound the amounts with `from` and `to`"));
    }
    if *tried.end() < high {
        let message =
            format!("`moves` could offer {at_most} moves at a number; at most {MOST_CHOICES} are allowed");
        return Some(Problem::error(place.clone(), message).help("bound the amounts with `from` and `to`"));
    }
    None
}

/// The most moves that an entry gives at any number.
fn at_most(entry: &Entry, highest: i64) -> i64 {
    match entry.op {
        Op::Fixed(_) => 1,
        Op::Computed(computed) => computed.most_amounts(highest),
    }
}
