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

use crate::engine::operation::{Operation, Way};
use crate::engine::position::{EntryIndex, Position};
use crate::engine::written::Offer;
use crate::format::{Direction, NoRepeat, Numbers, Past, Pool, Reach, Rulebook, Stuck};
use crate::words::phrases::{and_list, count, match_form, times};

/// What to play for, in a sentence or two.
pub fn goal(rulebook: &Rulebook) -> String {
    let mut said = Vec::new();
    if let Some(target) = rulebook.target() {
        said.push(match rulebook.reach() {
            Reach::Wins => format!("Land exactly on {target} to win."),
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
    if said.is_empty() {
        said.push(stuck(rulebook));
    }
    said.join(" ")
}

/// The rules, a sentence or two each, in the order in which a player meets them.
pub fn rules(rulebook: &Rulebook) -> Vec<String> {
    let mut rules = vec![opening(rulebook), operations(rulebook)];
    if let Some(target) = rulebook.target() {
        rules.push(match rulebook.reach() {
            Reach::Wins => format!("Whoever lands exactly on {target} wins."),
            Reach::Loses => format!("Whoever lands exactly on {target} loses."),
        });
        rules.push(match rulebook.past() {
            Past::Loses => format!("Whoever goes past {target} loses at once."),
            Past::Forbidden => format!("A move that would go past {target} is not allowed."),
            Past::Wins => format!("Whoever goes past {target} wins."),
        });
    }
    if !rulebook.winning().is_empty() {
        rules.push(format!("Whoever lands on {} wins.", some_of(rulebook.winning())));
    }
    if !rulebook.losing().is_empty() {
        rules.push(format!("Whoever lands on {} loses.", some_of(rulebook.losing())));
    }
    if !rulebook.forbidden().is_empty() {
        rules.push(format!("No move may land on {}.", some_of(rulebook.forbidden())));
    }
    rules.extend(range(rulebook));
    if rulebook.moves().iter().any(|entry| entry.operation.divides()) {
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
        let mut said = format!("{} ({entry}", entry.label());
        if let Some(uses) = entry.uses {
            let by = match uses.pool {
                Pool::Own => "by each player",
                Pool::Shared => "by both together",
            };
            said.push_str(&format!("; at most {} in a round {by}", times(uses.limit)));
        }
        said + ")"
    });
    let one = rulebook.moves().len() == 1;
    format!(
        "The players take turns and choose {}: {}.",
        if one { "this operation" } else { "one operation" },
        list.collect::<Vec<_>>().join(", ")
    )
}

/// The range; `None` if no move could leave it without going past the target.
fn range(rulebook: &Rulebook) -> Option<String> {
    let (low, high) = rulebook.range();
    let some = |goes: fn(Operation) -> bool| rulebook.moves().iter().any(|entry| goes(entry.operation));
    // Dividing counts as down and multiplying as up, by 1 too.
    let down = some(|operation| operation.divides() || operation.way_from(1) == Way::Down);
    let up = some(|operation| !operation.divides() && operation.way_from(1) != Way::Down);
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
    }
    .to_owned()
}

/// A list of numbers; only the first of them if there are very many.
fn some_of(numbers: &[i64]) -> String {
    const MOST: usize = 20;
    match numbers.len().checked_sub(MOST) {
        Some(more) if more > 0 => {
            let shown: Vec<String> = numbers[..MOST].iter().map(i64::to_string).collect();
            format!("{} or one of {more} further numbers", shown.join(", "))
        }
        _ => crate::words::phrases::or_list(numbers),
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
        && offer.operation.apply(position.number()) == Some(i128::from(position.number()))
    {
        let passes = passes.saturating_sub(position.passes_of(position.turn()));
        left.push(format!("{} left", count(passes, "pass", "passes")));
    }
    (!left.is_empty()).then(|| and_list(left))
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
