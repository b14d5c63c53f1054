//! Why a move isn't allowed, and conditions on numbers, in words. The rules of a game as sentences are in
//! `words/describe.rs` of the crate `spoton`.

use crate::engine::computed::{Computed, Source};
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::Kind;
use crate::engine::play::Refusal;
use crate::engine::position::{Choice, EntryIndex};
use crate::engine::rulebook::{Entry, Op, Pool, Rulebook};
use crate::text::{and_list, times};

/// Why a move isn't allowed, as the end of a sentence: `goes past 20`.
pub fn refusal(rulebook: &Rulebook, refusal: Refusal) -> String {
    match refusal {
        Refusal::NotOffered => "not a move in this game".to_owned(),
        Refusal::UsedUp { entry, limit, pool } => used_up_text(rulebook.entry(entry), limit, pool),
        Refusal::RepeatsOwn => "it was your own last move".to_owned(),
        Refusal::RepeatsOpponent => "it was your opponent's last move".to_owned(),
        Refusal::NotHere { entry, .. } => not_here(rulebook.entry(entry)),
        Refusal::NoAmount { entry, number, amount } => no_amount(rulebook.entry(entry), number, amount),
        Refusal::NoEntry { choice, number, used_up } => no_entry(rulebook, choice, number, used_up),
        Refusal::Remainder => "leaves a remainder".to_owned(),
        Refusal::Forbidden { number } => format!("lands on {number}, a forbidden number"),
        Refusal::PastTarget { target, .. } => format!("goes past {target}"),
        Refusal::OutOfRange { number } => {
            let (low, high) = rulebook.range();
            if number < i128::from(low) { format!("goes below {low}") } else { format!("goes above {high}") }
        }
        Refusal::NoPassLeft { .. } => "you have no passes left".to_owned(),
        Refusal::NotStuck => "you can't skip your turn".to_owned(),
    }
}

/// The numbers from which an entry can be used: `only from an odd number`.
fn not_here(entry: Option<&Entry>) -> String {
    entry.map_or("not at this number".to_owned(), |entry| format!("only from {}", condition(&entry.when)))
}

/// Why none of several entries allows a move now, with the conditions under which they would: `only from an odd number,
/// or where 4 is a divisor`.
fn no_entry(rulebook: &Rulebook, choice: Choice, number: i64, used_up: u16) -> String {
    let Some(written) = rulebook.written(choice) else { return refusal(rulebook, Refusal::NotOffered) };
    let is_used_up = |index: EntryIndex| used_up & 1 << index.place() != 0;
    let (used, elsewhere): (Vec<EntryIndex>, Vec<EntryIndex>) =
        rulebook.entries_with(written).partition(|index| is_used_up(*index));
    let used: Vec<String> = used
        .into_iter()
        .filter_map(|index| rulebook.entry(index))
        .filter(|entry| entry.offers(written, number) || rulebook.is_offered_somewhere(entry, written))
        .filter_map(|entry| {
            let uses = entry.uses?;
            Some(used_up_text(Some(entry), uses.limit, uses.pool))
        })
        .collect();
    let elsewhere: Vec<&Entry> = elsewhere.into_iter().filter_map(|index| rulebook.entry(index)).collect();
    let could: Vec<&Entry> =
        elsewhere.iter().copied().filter(|entry| rulebook.is_offered_somewhere(entry, written)).collect();
    let any = rulebook.entries_with(written).next().and_then(|index| rulebook.entry(index));
    let amount = written.operation.amount();
    let only = match could.as_slice() {
        [] if used.is_empty() => any.map(|entry| of_one_entry(entry, number, amount)),
        [] => None,
        [entry] if used.is_empty() => Some(of_one_entry(entry, number, amount)),
        entries => {
            let (computed, fixed): (Vec<&Entry>, Vec<&Entry>) =
                entries.iter().partition(|entry| matches!(entry.op, Op::Computed(_)));
            let from = fixed.iter().map(|entry| format!("from {}", condition(&entry.when)));
            let from = from.collect::<Vec<_>>().join(" or ");
            let places = computed.iter().map(|entry| if_offered(entry, number, amount));
            let all = Some(from).filter(|from| !from.is_empty()).into_iter().chain(places);
            Some(format!("only {}", all.collect::<Vec<_>>().join(", or ")))
        }
    };
    match only {
        Some(only) if used.is_empty() => only,
        Some(only) => format!("{}; otherwise {only}", used.join("; ")),
        None => used.join("; "),
    }
}

/// Why the only entry that could provide a move doesn't provide it at this number.
fn of_one_entry(entry: &Entry, number: i64, amount: i64) -> String {
    match entry.may_be_used_at(number) {
        false => not_here(Some(entry)),
        true => no_amount(Some(entry), number, Some(amount)),
    }
}

/// The condition for a computed entry's amount: `where 4 is a divisor`.
fn if_offered(entry: &Entry, number: i64, amount: i64) -> String {
    let Op::Computed(computed) = entry.op else { return String::new() };
    let from = match entry.when.as_slice() {
        [] => String::new(),
        when => format!("from {} ", condition(when)),
    };
    let what = match computed.source() {
        Source::Divisor if amount == number => "a divisor below the number",
        Source::Divisor => "a divisor",
        Source::Prime => "a prime factor",
        Source::Digit => "a digit",
        Source::Half => "at most half the number",
    };
    // Every number divides 0, and -14 contains the digit 4, but computed moves need a number of at least 1.
    let positive = if number < 1 && computed.source() != Source::Half { " of a number above 0" } else { "" };
    format!("{from}where {amount} is {what}{positive}")
}

/// Why an entry of `moves` has no uses left: `already used twice, the limit`.
fn used_up_text(entry: Option<&Entry>, limit: u8, pool: Pool) -> String {
    // The limit counts all the entry's amounts, not just this one.
    let which = match entry {
        Some(Entry { op: Op::Computed(_), .. }) => "this kind of move was ",
        _ => "",
    };
    let times = times(limit);
    let limit = match pool {
        Pool::Own => "the limit",
        Pool::Shared => "the shared limit",
    };
    let whence = match entry {
        Some(entry) if !entry.when.is_empty() => format!(" from {}", condition(&entry.when)),
        _ => String::new(),
    };
    format!("{which}already used {times}{whence}, {limit}")
}

/// Why a number lacks an amount: `12 divided by 5 leaves a remainder`.
fn no_amount(entry: Option<&Entry>, number: i64, amount: Option<i64>) -> String {
    let Some(Op::Computed(computed)) = entry.map(|entry| entry.op) else {
        return format!("{number} doesn't have it");
    };
    if number < 1 {
        return format!("{number} is below 1");
    }
    match amount {
        Some(amount) => wrong_amount(computed, number, amount),
        None => none_of(computed, number),
    }
}

/// Why this amount isn't available at a number.
fn wrong_amount(computed: Computed, number: i64, amount: i64) -> String {
    let divides = number % amount.max(1) == 0;
    match computed.source() {
        Source::Divisor if !divides => format!("{number} divided by {amount} leaves a remainder"),
        Source::Divisor if amount == number => format!("a divisor must be below {number}"),
        Source::Divisor => "a divisor must be above 1".to_owned(),
        Source::Prime if divides => format!("{amount} isn't a prime number"),
        Source::Prime => format!("{number} divided by {amount} leaves a remainder"),
        Source::Digit => format!("{amount} isn't a digit of {number}"),
        Source::Half => format!("{amount} is more than half of {number}"),
    }
}

/// Why a positive number has no amount at all.
fn none_of(computed: Computed, number: i64) -> String {
    let bounds = bounds_of_amounts(computed).map_or(String::new(), |bounds| format!(" {bounds}"));
    match computed.source() {
        Source::Divisor => {
            // Dividing by 1 isn't a move.
            let least = computed.bounds().0.max(if computed.kind() == Kind::Divide { 2 } else { 1 });
            let most = computed.bounds().1;
            let least = (least > 1).then(|| format!("at least {least}"));
            let most = if most < number { format!("at most {most}") } else { format!("less than {number}") };
            format!("no divisor of {number} is {}", and_list(least.into_iter().chain([most])))
        }
        Source::Prime => format!("{number} has no prime factor{bounds}"),
        Source::Digit => format!("{number} has no digit{bounds}"),
        Source::Half => format!("half of {number} is less than {}", computed.bounds().0),
    }
}

/// The amounts a player can choose: `2 or more`. Returns `None` if the rule book sets no bounds.
pub fn amounts_allowed(computed: Computed) -> Option<String> {
    match (computed.from, computed.to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("{from} or more")),
        (None, Some(to)) => Some(format!("{to} or less")),
        (Some(from), Some(to)) if from == to => Some(format!("only {from}")),
        (Some(from), Some(to)) => Some(format!("from {from} to {to}")),
    }
}

/// The same after a noun: `of at least 2`. Returns `None` if the rule book sets no bounds.
fn bounds_of_amounts(computed: Computed) -> Option<String> {
    match (computed.from, computed.to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("of at least {from}")),
        (None, Some(to)) => Some(format!("of at most {to}")),
        (Some(from), Some(to)) if from == to => Some(format!("equal to {from}")),
        (Some(from), Some(to)) => Some(format!("from {from} to {to}")),
    }
}

/// A number that meets all the conditions: `an odd number`, `a multiple of 7 below 50`.
pub fn condition(when: &[Condition]) -> String {
    let mut adjectives = Vec::new();
    let mut multiples = Vec::new();
    let mut bounds = Vec::new();
    for condition in when {
        match condition {
            Condition::Kind(NumberKind::MultipleOf(factor)) => {
                multiples.push(format!("multiple of {factor}"))
            }
            Condition::Kind(kind) => adjectives.push(kind.to_string()),
            bound => bounds.push(bound.to_string()),
        }
    }
    if adjectives.is_empty() && multiples.is_empty() && bounds.is_empty() {
        return "any number".to_owned();
    }
    let noun = if multiples.is_empty() { "number".to_owned() } else { multiples.join(" and ") };
    let bounds = and_list(bounds);
    let words = adjectives.into_iter().chain([noun]).chain(Some(bounds).filter(|said| !said.is_empty()));
    with_article(&words.collect::<Vec<_>>().join(" "))
}

/// Adds `a` or `an`.
fn with_article(words: &str) -> String {
    let vowel = words.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {words}", if vowel { "an" } else { "a" })
}
