//! A rule book in words: what a stranger needs to know to play.
//!
//! ```
//! use spoton::format::catalog;
//! use spoton::words::describe;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let rules = describe::rules(&maze);
//! assert!(rules.contains(&"Whoever lands exactly on 20 wins.".to_owned()), "{rules:?}");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use std::collections::BTreeSet;

use crate::engine::computed::Source;
use crate::engine::number_kind::{Condition, NumberKind};
use crate::engine::operation::Kind;
use crate::engine::position::{EntryIndex, Position};
use crate::engine::written::Offer;
use crate::format::{
    Direction, Entry, NoRepeat, NumberList, Numbers, On, Op, Past, Pool, Reach, Rulebook, Stuck,
};
use crate::words::phrases::{and_list, count, match_form, or_list, times};

/// What to play for, in a sentence or two.
pub fn goal(rulebook: &Rulebook) -> String {
    let strikes = strikes(rulebook);
    let mut said = Vec::new();
    if let Some(target) = rulebook.target() {
        said.push(match rulebook.reach() {
            Reach::Wins if strikes => format!("The player whose number lands exactly on {target} wins."),
            Reach::Wins => format!("Land exactly on {target} to win."),
            Reach::Loses if strikes => format!("The player whose number lands on {target} loses."),
            Reach::Loses => format!("Whoever lands on {target} loses."),
        });
        said.push(match rulebook.past() {
            Past::Loses => "Going past it loses.".to_owned(),
            Past::Forbidden => "Going past it is not allowed.".to_owned(),
            Past::Wins => "Going past it wins.".to_owned(),
        });
    }
    if !rulebook.winning().is_empty() {
        said.push(format!("Landing on {} wins.", some_of(rulebook.winning())));
    }
    if !rulebook.losing().is_empty() {
        said.push(format!("Landing on {} loses.", some_of(rulebook.losing())));
    }
    if let Some(turns) = turns(rulebook) {
        said.push(turns);
    }
    if said.is_empty() {
        said.push(stuck(rulebook));
    }
    said.join(" ")
}

/// Whether some move changes the other player's number.
fn strikes(rulebook: &Rulebook) -> bool {
    rulebook.moves().iter().any(|entry| entry.on == On::Other)
}

/// The rules, a sentence or two each, in the order in which a player meets them.
pub fn rules(rulebook: &Rulebook) -> Vec<String> {
    let mut rules = vec![opening(rulebook), operations(rulebook)];
    rules.extend(amounts(rulebook));
    let whoever = if strikes(rulebook) {
        rules.push("Some moves change the other player's number. What a number lands on counts for the player whose number it is, whoever made the move.".to_owned());
        "The player whose number"
    } else {
        "Whoever"
    };
    if let Some(target) = rulebook.target() {
        rules.push(match rulebook.reach() {
            Reach::Wins => format!("{whoever} lands exactly on {target} wins."),
            Reach::Loses => format!("{whoever} lands exactly on {target} loses."),
        });
        rules.push(match rulebook.past() {
            Past::Loses => format!("{whoever} goes past {target} loses at once."),
            Past::Forbidden => format!("A move that would go past {target} is not allowed."),
            Past::Wins => format!("{whoever} goes past {target} wins."),
        });
    }
    if !rulebook.winning().is_empty() {
        rules.push(format!("{whoever} lands on {} wins.", some_of(rulebook.winning())));
    }
    if !rulebook.losing().is_empty() {
        rules.push(format!("{whoever} lands on {} loses.", some_of(rulebook.losing())));
    }
    if !rulebook.forbidden().is_empty() {
        rules.push(format!("No move may land on {}.", some_of(rulebook.forbidden())));
    }
    rules.extend(which_goes_first(rulebook));
    rules.extend(range(rulebook));
    if rulebook.moves().iter().any(|entry| matches!(entry.op, Op::Fixed(operation) if operation.divides())) {
        rules.push("A division is only allowed where nothing is left over.".to_owned());
    }
    rules.extend(match rulebook.no_repeat() {
        NoRepeat::None => None,
        NoRepeat::Own => Some("You may not choose the operation that you chose on your own last turn.".to_owned()),
        NoRepeat::Opponent => Some("You may not choose the operation that the other player has just chosen.".to_owned()),
        NoRepeat::Both => Some(
            "You may not choose the operation that you chose last yourself, nor the one that the other player chose last."
                .to_owned(),
        ),
    });
    if let Some(passes) = rulebook.passes() {
        rules.push(match passes {
            0 => "A move must change the number.".to_owned(),
            passes => format!(
                "A move that leaves the number as it is counts as a pass; each player has {} in a round.",
                count(passes, "pass", "passes")
            ),
        });
    }
    rules.push("There is no skipping: whoever is on turn must choose an operation.".to_owned());
    rules.push(stuck(rulebook));
    rules.extend(turns(rulebook));
    if let Some(most) = rulebook.repetition()
        && rulebook.may_repeat()
    {
        rules.push(format!(
            "House rule: when the same position, with the same player on turn, comes up for the {} time, the round is a draw.",
            ordinal(most)
        ));
    }
    if let Some(form) = rulebook.match_form() {
        rules.push(format!("Suggested match: {}. The players take turns in starting.", match_form(form)));
    }
    rules
}

fn opening(rulebook: &Rulebook) -> String {
    let (starter, other) = rulebook.start();
    match rulebook.numbers() {
        Numbers::Shared => format!("Both players change one number. It begins at {starter}."),
        Numbers::Separate if starter == other => {
            format!("Each player has a number of their own. Both begin at {starter}.")
        }
        Numbers::Separate => format!(
            "Each player has a number of their own. Whoever starts begins at {starter}, the other player at {other}."
        ),
    }
}

fn operations(rulebook: &Rulebook) -> String {
    let list = rulebook.moves().iter().map(|entry| {
        let mut said = vec![entry.to_string()];
        if let Op::Computed(computed) = entry.op {
            said.extend(match (computed.from, computed.to) {
                (None, None) => None,
                (Some(from), None) => Some(format!("at least {from}")),
                (None, Some(to)) => Some(format!("at most {to}")),
                (Some(from), Some(to)) if from == to => Some(format!("just {from}")),
                (Some(from), Some(to)) => Some(format!("from {from} to {to}")),
            });
        }
        if !entry.when.is_empty() {
            said.push(format!("only from {}", condition(&entry.when)));
        }
        if let Some(uses) = entry.uses {
            let by = match uses.pool {
                Pool::Own => "by each player",
                Pool::Shared => "by both together",
            };
            said.push(format!("at most {} in a round {by}", times(uses.limit)));
        }
        format!("{} ({})", entry.label(), said.join("; "))
    });
    let one = matches!(rulebook.moves(), [entry] if matches!(entry.op, Op::Fixed(_)));
    format!(
        "The players take turns and choose {}: {}.",
        if one { "this operation" } else { "one operation" },
        list.collect::<Vec<_>>().join(", ")
    )
}

/// What the computed amounts are, a sentence each.
fn amounts(rulebook: &Rulebook) -> Vec<String> {
    let sources: BTreeSet<(Source, bool)> = rulebook
        .moves()
        .iter()
        .filter_map(|entry| match entry.op {
            Op::Computed(computed) => Some((computed.source(), computed.kind() == Kind::Divide)),
            Op::Fixed(_) => None,
        })
        .collect();
    let has = |source, dividing| sources.contains(&(source, dividing));
    let mut said = Vec::new();
    if has(Source::Divisor, false) {
        said.push(
            "A divisor is a whole number that divides the number evenly and is less than it.".to_owned(),
        );
    }
    if has(Source::Divisor, true) {
        said.push(
            "A divisor to divide by is more than 1 and less than the number, and divides it evenly."
                .to_owned(),
        );
    }
    if has(Source::Prime, false) || has(Source::Prime, true) {
        said.push("A prime factor is a prime number that divides the number evenly.".to_owned());
    }
    if has(Source::Digit, false) {
        said.push("A digit is one of those that the number is written with, but not 0.".to_owned());
    }
    if has(Source::Half, false) {
        said.push("At most half means from 1 to half of the number, rounded down.".to_owned());
    }
    if !said.is_empty() {
        said.push(
            "These come from the number as it is before the move, and below 1 there are none.".to_owned(),
        );
    }
    said
}

/// Which rule decides if several speak of a number; `None` if that cannot be.
fn which_goes_first(rulebook: &Rulebook) -> Option<String> {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    if !lists.iter().any(|list| list.has_descriptions()) {
        return None;
    }
    let first = match rulebook.target() {
        Some(_) => "the target and what lies past it go first, then",
        None => "first come",
    };
    Some(format!(
        "If several of these rules speak of a number, {first} numbers that are named one by one, then what is not allowed, then what wins."
    ))
}

/// Numbers that meet all of some conditions: `an odd number`, `a number that is odd and below 9`.
pub fn condition(when: &[Condition]) -> String {
    match when {
        [] => "any number".to_owned(),
        [Condition::Kind(kind)] => a_number(*kind),
        [one] => format!("a number {one}"),
        several => {
            let said = several.iter().map(|condition| match condition {
                Condition::Kind(NumberKind::Even | NumberKind::Odd | NumberKind::Prime) => {
                    condition.to_string()
                }
                Condition::Kind(_) => format!("a {condition}"),
                other => other.to_string(),
            });
            format!("a number that is {}", and_list(said))
        }
    }
}

/// One number of a kind: `an even number`, `a multiple of 7`.
pub fn a_number(kind: NumberKind) -> String {
    match kind {
        NumberKind::Even => "an even number".to_owned(),
        NumberKind::Odd => "an odd number".to_owned(),
        NumberKind::Prime => "a prime number".to_owned(),
        NumberKind::Square => "a square number".to_owned(),
        NumberKind::MultipleOf(factor) => format!("a multiple of {factor}"),
    }
}

/// The range; `None` if no move could leave it without going past the target.
fn range(rulebook: &Rulebook) -> Option<String> {
    let (low, high) = rulebook.range();
    // Dividing counts as down and multiplying as up, by 1 too.
    let goes_down = |entry: &Entry| matches!(entry.kind(), Kind::Subtract | Kind::Divide);
    let down = rulebook.moves().iter().any(goes_down);
    let up = rulebook.moves().iter().any(|entry| !goes_down(entry));
    // Below 0, multiplying goes down and dividing goes up.
    let (down, up) = if low < 0 { (true, true) } else { (down, up) };
    match rulebook.direction() {
        Some(Direction::Climb) => down.then(|| format!("A move that would go below {low} is not allowed.")),
        Some(Direction::Countdown) => {
            up.then(|| format!("A move that would go above {high} is not allowed."))
        }
        None => Some(format!("A move that would leave the numbers from {low} to {high} is not allowed.")),
    }
}

fn stuck(rulebook: &Rulebook) -> String {
    match rulebook.stuck() {
        Stuck::Loses => "Whoever has no legal move loses.",
        Stuck::Wins => "Whoever has no legal move wins.",
        Stuck::Draws => "When somebody has no legal move, the round is a draw.",
        Stuck::Skips => {
            "The turn of a player without a legal move goes over; when neither has one, the round is a draw."
        }
        Stuck::Closest => {
            "The turn of a player without a legal move goes over; when neither has one, the player whose number is closer to the target wins, and equally close is a draw."
        }
    }
    .to_owned()
}

/// How many turns there are; `None` if they are not limited.
fn turns(rulebook: &Rulebook) -> Option<String> {
    let turns = count(rulebook.turns()?, "turn", "turns");
    Some(format!(
        "Each player has {turns}. If nobody has won by then, the player whose number is closer to the target wins; equally close is a draw."
    ))
}

/// Numbers of a list; only the first of them if there are very many.
fn some_of(list: &NumberList) -> String {
    const MOST: usize = 20;
    let integers = list.integers.iter().take(MOST).map(i64::to_string);
    let spans = list.spans.iter().map(|(low, high)| format!("a number from {low} to {high}"));
    let mut said: Vec<String> =
        integers.chain(spans).chain(list.kinds.iter().copied().map(a_number)).collect();
    match list.integers.len().checked_sub(MOST) {
        Some(more) if more > 0 => {
            let further = format!("one of {more} further numbers");
            said.insert(MOST, further);
            match said.split_last() {
                Some((last, others)) => format!("{} or {last}", others.join(", ")),
                None => String::new(),
            }
        }
        _ => or_list(said),
    }
}

fn ordinal(number: u8) -> String {
    match number {
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => format!(
            "{number}{}",
            match (number % 10, number % 100) {
                (_, 11..=13) => "th",
                (1, _) => "st",
                (2, _) => "nd",
                (3, _) => "rd",
                _ => "th",
            }
        ),
    }
}

/// What is left to the player on turn of the limited uses and passes that a move would take; `None` if it takes none.
pub fn left(rulebook: &Rulebook, position: &Position, offer: &Offer) -> Option<String> {
    let mut left = Vec::new();
    left.extend(uses_left(rulebook, position, offer.entry).map(|uses| format!("{uses} left")));
    if let Some(passes) = rulebook.passes()
        && let Some(written) = offer.choice.and_then(|choice| rulebook.written(choice))
        && let before = position.number_of(written.on.of(position.turn()))
        && written.operation.apply(before) == Some(before.into())
    {
        let passes = passes.saturating_sub(position.passes_of(position.turn()));
        left.push(format!("{} left", count(passes, "pass", "passes")));
    }
    (!left.is_empty()).then(|| and_list(left))
}

/// Which of their turns the player on turn has, such as `3 of 10`; `None` if turns are not limited.
pub fn which_turn(rulebook: &Rulebook, position: &Position) -> Option<String> {
    rulebook.turns().map(|turns| format!("{} of {turns}", position.plies() / 2 + 1))
}

/// How often the player on turn may still use an entry of `moves`; `None` if that is not limited.
fn uses_left(rulebook: &Rulebook, position: &Position, entry: EntryIndex) -> Option<u8> {
    let uses = rulebook.entry(entry)?.uses?;
    Some(uses.limit.saturating_sub(position.uses_of(position.turn(), entry)))
}

/// What is left of limited uses and passes to the player on turn, as a list.
pub fn limits(rulebook: &Rulebook, position: &Position) -> Vec<String> {
    let uses = rulebook.entries().filter_map(|(index, entry)| {
        let left = uses_left(rulebook, position, index)?;
        Some(format!("{} ({})", entry.label(), count(left, "use", "uses")))
    });
    let passes = rulebook.passes().map(|passes| passes.saturating_sub(position.passes_of(position.turn())));
    uses.chain(passes.map(|left| count(left, "pass", "passes"))).collect()
}
