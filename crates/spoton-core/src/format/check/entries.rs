//! Warnings about entries of `moves`: ambiguous names, and entries that can never be used.

use super::Reach;
use crate::engine::computed::{Computed, Source};
use crate::engine::operation::Operation;
use crate::engine::spelling::{Spelled, spelled};
use crate::engine::written::Written;
use crate::format::draft::Draft;
use crate::format::source::Problem;
use crate::format::{COMMAND_WORDS, Entry, Menu, Op, Rulebook};
use crate::text::quotable;

/// Moves with the same name.
pub(super) fn called_alike(draft: &Draft) -> Vec<Problem> {
    let Some(moves) = &draft.moves else { return Vec::new() };
    let mut odd = Vec::new();
    for (index, entry) in moves.value.entries.iter().enumerate() {
        let name = name(entry);
        let earlier = &moves.value.entries[..index];
        if earlier.iter().any(|other| can_be_mistaken(entry, other) && self::name(other) == name) {
            let message =
                format!("two moves are called \"{}\": the name alone can't choose one", quotable(&name));
            odd.push(Problem::warning(moves.place.clone(), message));
        }
    }
    odd
}

/// The label before an amount is filled in.
fn name(entry: &Entry) -> String {
    entry.label.clone().unwrap_or_else(|| entry.label()).to_lowercase()
}

/// Whether two entries with the same name give moves with the same name but different notation.
fn can_be_mistaken(one: &Entry, other: &Entry) -> bool {
    match (one.op, other.op) {
        (Op::Fixed(_), Op::Fixed(_)) => (one.op, one.on) != (other.op, other.on),
        (Op::Computed(_), Op::Computed(_)) => (one.kind(), one.on) != (other.kind(), other.on),
        // Names of computed moves include the amount.
        _ => false,
    }
}

/// Labels that mean something else when typed: a command, a menu number, or another move.
pub(super) fn labels_read_otherwise(rulebook: &Rulebook, draft: &Draft) -> Vec<Problem> {
    let Some(moves) = &draft.moves else { return Vec::new() };
    let odd = moves.value.iter().filter_map(|(entry, place)| {
        let label = entry.label.as_deref()?;
        let meaning = read_otherwise(label.trim(), entry, rulebook)?;
        let message =
            format!("the label \"{}\" is {meaning}: typing it won't choose this move", quotable(label));
        Some(Problem::warning(place.clone(), message))
    });
    odd.collect()
}

/// The meaning of a typed label; `None` if it chooses its own move.
fn read_otherwise(label: &str, entry: &Entry, rulebook: &Rulebook) -> Option<String> {
    let first_word = label.split_whitespace().next().unwrap_or_default();
    let is_command = COMMAND_WORDS.iter().any(|word| label.eq_ignore_ascii_case(word));
    // The player's own words follow `idea`.
    if is_command || first_word.eq_ignore_ascii_case("idea") {
        return Some("a command".to_owned());
    }
    if rulebook.wording().menu() != Menu::Questions && label.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some("read as a menu number".to_owned());
    }
    let Spelled { on, kind, amount } = spelled(label)?;
    let written = Written { operation: Operation::new(kind, amount?)?, on };
    let is_this = entry.on == on && entry.op == Op::Fixed(written.operation);
    // Moves with the same name have their own warning.
    let is_named_so =
        |other: &Entry| name(other) == label.to_lowercase() && (other.op, other.on) != (entry.op, entry.on);
    let is_another = rulebook.choice(written).is_some() && !rulebook.moves().iter().any(is_named_so);
    (!is_this && is_another).then(|| format!("read as the move {written}"))
}

/// Entries that can never be used: their `when` never holds, or they never have an amount.
pub(super) fn never_used(rulebook: &Rulebook, draft: &Draft, reach: Option<&Reach>) -> Vec<Problem> {
    let Some(moves) = &draft.moves else { return Vec::new() };
    let why = |entry: &Entry| match reach {
        Some(reach) => why_not_among(entry, reach),
        None => why_not_within(entry, rulebook.numbers_on_turn()),
    };
    let odd = moves.value.iter().filter_map(|(entry, place)| {
        let message = format!("`{}` can never be used: {}", entry.name(), why(entry)?);
        Some(Problem::warning(place.clone(), message))
    });
    odd.collect()
}

const NEVER_HOLDS: &str = "no reachable number meets its `when`";
const NO_AMOUNT: &str = "no reachable number has such an amount";

fn why_not_among(entry: &Entry, reach: &Reach) -> Option<&'static str> {
    let mut usable = reach.passed.iter().filter(|number| entry.may_be_used_at(**number)).peekable();
    match entry.op {
        _ if usable.peek().is_none() => Some(NEVER_HOLDS),
        Op::Computed(computed) if usable.all(|number| computed.next_amount(*number, 0).is_none()) => {
            Some(NO_AMOUNT)
        }
        _ => None,
    }
}

/// The same for games with too many numbers to search.
fn why_not_within(entry: &Entry, (low, high): (i64, i64)) -> Option<&'static str> {
    let (from, to) = entry.ends_of_when();
    match entry.op {
        _ if from.max(low) > to.min(high) => Some(NEVER_HOLDS),
        Op::Computed(computed) if least_with_amount(computed) > high => Some(NO_AMOUNT),
        _ => None,
    }
}

/// No number below this has an amount.
fn least_with_amount(computed: Computed) -> i64 {
    let (from, _) = computed.bounds();
    match computed.source() {
        Source::Digit if from > 9 => i64::MAX,
        Source::Digit => 1,
        Source::Half => 2 * from,
        Source::Divisor | Source::Prime => from,
    }
}
