//! Limits how many moves a book offers at one number. Computed amounts could make menus too long to read.

use std::collections::HashSet;

use crate::engine::choices::MOST_CHOICES;
use crate::engine::computed::{LARGEST_AMOUNT, Source};
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::Kind;
use crate::engine::rulebook::On;
use crate::format::draft::Draft;
use crate::format::source::{Place, Problem};
use crate::format::{Entry, LARGEST, Op, Rulebook};

/// Numbers up to here are tried one by one. Above this, divisors and primes are never offered, and half of
/// the number exceeds every amount. So amounts depend only on the digits.
const TRIED_ONE_BY_ONE: i64 = 2 * LARGEST_AMOUNT as i64;

/// Above that, the number of candidates to try of each kind.
const TRIED_OF_A_KIND: i64 = 200;

/// Returns the problem with the computed amounts of a book, or `None`.
pub(super) fn problem(rulebook: &Rulebook, draft: &Draft) -> Option<Problem> {
    if rulebook.has_only_fixed_moves() {
        return None;
    }
    too_far(rulebook, draft).or_else(|| too_many(rulebook, draft))
}

/// Rejects divisors and primes in ranges of large numbers, where finding them would be slow.
fn too_far(rulebook: &Rulebook, draft: &Draft) -> Option<Problem> {
    let divides = |entry: &Entry| match entry.op {
        Op::Computed(computed) => matches!(computed.source(), Source::Divisor | Source::Prime),
        Op::Fixed(_) => false,
    };
    let (entry, place) = draft.moves.as_ref()?.value.iter().find(|(entry, _)| divides(entry))?;
    let (low, high) = rulebook.numbers_before_target();
    let most = i64::from(LARGEST_AMOUNT);
    let outside = [low, high].into_iter().find(|end| !(-most..=most).contains(end))?;
    let range = draft.range.as_ref().map(|range| &range.place);
    let place = by_option(draft).or(range).unwrap_or(place);
    let message =
        format!("`{entry}` needs a `range` within -{most} to {most}, but this one goes to {outside}");
    Some(Problem::error(place.clone(), message))
}

/// The place of the command-line option that sets how far the numbers go, if any: that's what to change.
fn by_option(draft: &Draft) -> Option<&Place> {
    let ends = [
        draft.range.as_ref().map(|range| &range.place),
        draft.target.as_ref().map(|target| &target.place),
        draft.start.as_ref().map(|start| &start.place),
    ];
    ends.into_iter().flatten().find(|place| place.source.name.starts_with("--"))
}

fn too_many(rulebook: &Rulebook, draft: &Draft) -> Option<Problem> {
    let moves = draft.moves.as_ref()?;
    let (low, high) = rulebook.numbers_before_target();
    let at_most: i64 = rulebook.moves().iter().map(|entry| at_most(entry, high)).sum();
    if at_most <= MOST_CHOICES as i64 {
        return None;
    }
    let most = |on: On| {
        let most = Most::scan(rulebook, on, low.max(1), high);
        let all = most.number.map(|number| count(rulebook, on, number, usize::MAX));
        Most { count: all.unwrap_or_default(), ..most }
    };
    let (own, other) = (most(On::Own), most(On::Other));
    if own.at_most + other.at_most <= MOST_CHOICES {
        return None;
    }
    let offers = match (own.number, other.number) {
        _ if own.count + other.count <= MOST_CHOICES => {
            format!("up to {} moves beyond {TRIED_ONE_BY_ONE}", own.at_most + other.at_most)
        }
        (Some(number), _) if own.count > MOST_CHOICES || other.count == 0 => {
            format!("{} moves at {number}", own.count)
        }
        (_, Some(number)) if other.count > MOST_CHOICES || own.count == 0 => {
            format!("{} moves when the other number is {number}", other.count)
        }
        (number, other_number) => format!(
            "{} moves at {} when the other number is {}",
            own.count + other.count,
            number.unwrap_or(low),
            other_number.unwrap_or(low)
        ),
    };
    // If one entry alone is too much, point at it.
    let alone = moves.value.iter().find(|(entry, _)| {
        let most = if entry.on == On::Own { &own } else { &other };
        let number = most.number.unwrap_or(high);
        entry.operations_at(number).take(MOST_CHOICES + 1).count() > MOST_CHOICES
    });
    let place = by_option(draft).unwrap_or(alone.map_or(&moves.place, |(_, place)| place));
    let message = format!("`moves` offers {offers}; the limit is {MOST_CHOICES}");
    Some(Problem::error(place.clone(), message).help("limit the amounts with `from` and `to`"))
}

/// The maximum number of moves that an entry offers at any number.
fn at_most(entry: &Entry, highest: i64) -> i64 {
    match entry.op {
        Op::Fixed(_) => 1,
        Op::Computed(computed) => computed.most_amounts(highest),
    }
}

/// The maximum number of moves on a player's number, or the first count over the limit.
#[derive(Default)]
struct Most {
    count: usize,
    /// The number that offers `count` moves.
    number: Option<i64>,
    /// An upper bound for all numbers.
    at_most: usize,
}

impl Most {
    /// Searches from a positive number up. Nothing is computed at 0 and below, so few moves are offered
    /// there.
    fn scan(rulebook: &Rulebook, on: On, low: i64, high: i64) -> Most {
        let mut most = Most::default();
        // If the other number has no moves, only counts over the limit matter.
        let alone = rulebook.moves().iter().all(|entry| entry.on == on);
        for number in low..=high.min(TRIED_ONE_BY_ONE) {
            let at_most = count_at_most(rulebook, on, number);
            if at_most <= most.count || alone && at_most <= MOST_CHOICES {
                most.at_most = most.at_most.max(at_most);
                continue;
            }
            most.try_number(rulebook, on, number);
            if most.count > MOST_CHOICES {
                return most;
            }
        }
        most.look_beyond(rulebook, on, low.max(TRIED_ONE_BY_ONE + 1), high);
        most
    }

    fn try_number(&mut self, rulebook: &Rulebook, on: On, number: i64) {
        let count = count(rulebook, on, number, MOST_CHOICES + 1);
        if count > self.count {
            *self = Most { count, number: Some(number), at_most: self.at_most.max(count) };
        }
    }

    /// Tries the large numbers by kind (prime, odd, even) in each range between the bounds of the entries'
    /// conditions.
    fn look_beyond(&mut self, rulebook: &Rulebook, on: On, low: i64, high: i64) {
        let needs: Vec<(&Entry, Needs)> = rulebook
            .moves()
            .iter()
            .filter(|entry| entry.on == on)
            .map(|entry| (entry, Needs::for_entry(entry)))
            .filter(|(_, needs)| needs.can_be_met())
            .collect();
        // The required multiple itself may be prime, so try it.
        for (_, needs) in &needs {
            let number = i64::try_from(needs.multiple).ok().filter(|number| (low..=high).contains(number));
            number.into_iter().for_each(|number| self.try_number(rulebook, on, number));
        }
        let ends = needs.iter().flat_map(|(_, needs)| [Some(needs.from), needs.to.checked_add(1)]);
        let mut firsts: Vec<i64> =
            ends.flatten().chain([low]).filter(|first| (low..=high).contains(first)).collect();
        firsts.sort_unstable();
        firsts.dedup();
        for (index, first) in firsts.iter().enumerate() {
            let last = firsts.get(index + 1).map_or(high, |next| next - 1);
            for like in [Like::Prime, Like::Odd, Like::Even] {
                let met = |needs: &Needs| needs.from <= *first && last <= needs.to && needs.are_met_by(like);
                let met: Vec<&(&Entry, Needs)> = needs.iter().filter(|(_, needs)| met(needs)).collect();
                let offered = offered_at_most(met.iter().map(|(entry, _)| *entry), last);
                if offered <= self.at_most {
                    continue;
                }
                for number in some_numbers(like, *first, last, met.iter().map(|(_, needs)| needs)) {
                    self.try_number(rulebook, on, number);
                    if self.count > MOST_CHOICES {
                        return;
                    }
                }
                self.at_most = self.at_most.max(offered);
            }
        }
    }
}

/// Counts the moves offered on a player's number, from that number alone. Counts at most `of_an_entry` per
/// entry.
fn count(rulebook: &Rulebook, on: On, number: i64, of_an_entry: usize) -> usize {
    let mut offered: Vec<(Kind, i64)> = Vec::new();
    let usable = rulebook.moves().iter().filter(|entry| entry.on == on && entry.may_be_used_at(number));
    for entry in usable {
        match entry.op {
            Op::Fixed(operation) => offered.push((operation.kind(), operation.amount())),
            Op::Computed(computed) if matches!(computed.source(), Source::Divisor | Source::Prime) => {
                // Divisors come in pairs.
                let small = (1..=number.isqrt()).filter(|small| number % small == 0);
                let both = small.flat_map(|small| [small, number / small]);
                let fitting = both.filter(|amount| computed.offers(number, *amount));
                offered.extend(fitting.map(|amount| (computed.kind(), amount)));
            }
            Op::Computed(computed) => {
                let amounts = computed.amounts(number).take(of_an_entry);
                offered.extend(amounts.map(|amount| (computed.kind(), amount)));
            }
        }
    }
    offered.sort_unstable();
    offered.dedup();
    offered.len()
}

/// A cheap upper bound for [`count`].
fn count_at_most(rulebook: &Rulebook, on: On, number: i64) -> usize {
    let usable = rulebook.moves().iter().filter(|entry| entry.on == on && entry.may_be_used_at(number));
    usable.map(|entry| at_most(entry, number)).sum::<i64>() as usize
}

/// The maximum number of moves that some entries could offer together at large numbers up to `last`.
fn offered_at_most<'a>(entries: impl Iterator<Item = &'a Entry>, last: i64) -> usize {
    let mut offered: HashSet<(Kind, i64)> = HashSet::new();
    let mut digits: HashSet<(Kind, i64)> = HashSet::new();
    for entry in entries {
        match entry.op {
            Op::Fixed(operation) => drop(offered.insert((operation.kind(), operation.amount()))),
            Op::Computed(computed) => {
                let (from, to) = computed.bounds();
                let amounts = |to: i64| (from..=to).map(|amount| (computed.kind(), amount));
                match computed.source() {
                    Source::Half => offered.extend(amounts(to)),
                    Source::Digit => digits.extend(amounts(to.min(9))),
                    Source::Divisor | Source::Prime => {}
                }
            }
        }
    }
    // A number has at most as many distinct digits as its length.
    let places = last.to_string().len();
    let further = |kind: Kind| {
        let is_new = |digit: &&(Kind, i64)| digit.0 == kind && !offered.contains(digit);
        digits.iter().filter(is_new).count().min(places)
    };
    offered.len() + further(Kind::Add) + further(Kind::Subtract)
}

/// The kinds of large numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Like {
    Prime,
    Odd,
    Even,
}

/// The conditions a number must meet for an entry to be usable.
struct Needs {
    from: i64,
    to: i64,
    even: bool,
    odd: bool,
    prime: bool,
    square: bool,
    /// The number must be a multiple of this.
    multiple: i128,
}

impl Needs {
    fn for_entry(entry: &Entry) -> Needs {
        let (from, to) = entry.ends_of_when();
        let has = |kind| entry.when.contains(&Condition::Kind(kind));
        let mut multiple: i128 = 1;
        for condition in &entry.when {
            if let Condition::Kind(NumberKind::MultipleOf(factor)) = condition {
                multiple = common_multiple(multiple, (*factor).into());
            }
        }
        let (even, odd) = (has(NumberKind::Even), has(NumberKind::Odd));
        Needs {
            from,
            to,
            even,
            odd,
            prime: has(NumberKind::Prime),
            square: has(NumberKind::Square),
            multiple,
        }
    }

    fn can_be_met(&self) -> bool {
        self.multiple <= LARGEST.into() && !(self.even && self.odd) && !(self.prime && self.square)
    }

    /// Whether a large number of this kind could meet the needs. A large prime isn't a multiple of a smaller
    /// number.
    fn are_met_by(&self, like: Like) -> bool {
        match like {
            Like::Prime => !self.even && !self.square && self.multiple == 1,
            Like::Odd => !self.even && !self.prime && self.multiple % 2 == 1,
            Like::Even => !self.odd && !self.prime,
        }
    }
}

/// The least common multiple, capped above every number in a rule book.
fn common_multiple(a: i128, b: i128) -> i128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x * b).min(i128::from(LARGEST) + 1)
}

/// Numbers in a range that could meet all needs. Starts at its beginning and, if there is one, at a number
/// that contains all digits.
fn some_numbers<'a>(
    like: Like,
    first: i64,
    last: i64,
    needs: impl Iterator<Item = &'a Needs> + Clone,
) -> Vec<i64> {
    let parity = if like == Like::Even { 2 } else { 1 };
    let step = needs.clone().fold(parity, |step, needs| common_multiple(step, needs.multiple));
    let Some(step) = i64::try_from(step).ok().filter(|step| *step <= LARGEST) else { return Vec::new() };
    let square = needs.clone().any(|needs| needs.square);
    // Leaves the last digits free, so that they can meet the needs.
    let all_digits = 123_456_789 * 10_i64.pow(if step < 10_000 { 6 } else { 9 });
    let mut numbers = Vec::new();
    for first in [first, all_digits.max(first)] {
        for index in 0..TRIED_OF_A_KIND {
            let number = if square {
                let root = first.isqrt().checked_add(index);
                root.and_then(|root| root.checked_mul(root))
            } else {
                let from_step =
                    (first - 1).checked_div_euclid(step).and_then(|steps| steps.checked_add(1 + index));
                from_step.and_then(|steps| steps.checked_mul(step))
            };
            numbers.extend(number.filter(|number| (first..=last).contains(number)));
        }
    }
    numbers
}
