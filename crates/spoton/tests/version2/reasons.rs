//! Why a move from several entries isn't legal: the reason names each entry, and is always true.

use std::collections::BTreeSet;

use spoton::engine::play::Move;
use spoton::format::{Draft, Rulebook};
use spoton::words::phrases;

use crate::version2::books::{Amount, Condition, Item, Kind, Version};
use crate::version2::edges::edge_book;
use crate::version2::oracle::{Graph, Rules, Spot, Written, amounts, apply};

/// The words for a number that meets some conditions.
fn condition(when: &[Condition]) -> String {
    let (mut adjectives, mut multiples, mut bounds) = (vec![], vec![], vec![]);
    for condition in when {
        match condition {
            Condition::Kind(Kind::Multiples(of)) => multiples.push(format!("multiple of {of}")),
            Condition::Kind(kind) => adjectives.push(kind.to_string()),
            bound => bounds.push(bound.to_string()),
        }
    }
    let noun = if multiples.is_empty() { "number".to_owned() } else { multiples.join(" and ") };
    adjectives.push(noun);
    if !bounds.is_empty() {
        adjectives.push(bounds.join(" and "));
    }
    let words = adjectives.join(" ");
    format!("{} {words}", if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" })
}

fn offers(entry: &Item, written: Written, number: i64) -> bool {
    (entry.sign, entry.on_other) == (written.sign, written.on_other)
        && entry.when.iter().all(|condition| condition.holds(number))
        && amounts(entry, number).contains(&written.amount)
}

/// How a reason names an entry that would offer a move at another number.
fn place(entry: &Item, amount: i64, number: i64) -> String {
    let from = if entry.when.is_empty() { String::new() } else { format!("from {}", condition(&entry.when)) };
    let what = match entry.amount {
        Amount::Divisor if amount == number => "a divisor below the number",
        Amount::Divisor => "a divisor",
        Amount::Prime => "a prime factor",
        Amount::Digit => "a digit",
        Amount::Half => "at most half the number",
        Amount::Fixed(_) | Amount::Span(..) => return from,
    };
    let above = if number < 1 && entry.amount != Amount::Half { " of a number above 0" } else { "" };
    let space = if from.is_empty() { "" } else { " " };
    format!("{from}{space}where {amount} is {what}{above}")
}

/// How a reason says that an entry has no uses left.
fn used(entry: &Item) -> String {
    let (limit, shared) = entry.uses.expect("the entry has limited uses");
    let kind = if entry.is_computed() { "this kind of move was " } else { "" };
    let times = ["", "once", "twice"][usize::from(limit)];
    let limit = if shared { "the shared limit" } else { "the limit" };
    let from =
        if entry.when.is_empty() { String::new() } else { format!(" from {}", condition(&entry.when)) };
    format!("{kind}already used {times}{from}, {limit}")
}

/// Checks that a reason follows from the rules. Returns whether several entries are involved.
fn reason_is_true(rules: &Rules<'_>, spot: &Spot, written: Written, said: &str) -> Result<bool, String> {
    let number = spot.numbers[Rules::owner(spot, written.on_other)];
    let (low, high) = rules.book.bounds();
    let (mut here, mut spent, mut elsewhere) = (vec![], vec![], vec![]);
    for (index, entry) in rules.entries.iter().enumerate() {
        let offers_now = offers(entry, written, number);
        let could = || (low..=high).any(|number| rules.may_come_up(number) && offers(entry, written, number));
        match rules.has_uses_left(spot, index) {
            true if offers_now => here.push(entry),
            true if could() => elsewhere.push(entry),
            // Once used up, it offers the move nowhere.
            false if offers_now || could() => spent.push(entry),
            _ => {}
        }
    }
    if !here.is_empty() {
        let result = apply(number, written);
        let is_common = match said {
            "it was your own last move" => spot.last[spot.turn] == Some(written),
            "it was your opponent's last move" => spot.last[1 - spot.turn] == Some(written),
            "leaves a remainder" => result.is_none(),
            "you have no passes left" => result == Some(number.into()),
            _ => ["lands on ", "goes past ", "goes below ", "goes above "]
                .iter()
                .any(|word| said.starts_with(word)),
        };
        return if is_common { Ok(false) } else { Err(format!("{said}, though an entry offers it")) };
    }
    if spent.len() + elsewhere.len() < 2 {
        return Ok(false);
    }
    let (uses, only) = match said.split_once("; otherwise ") {
        Some((uses, only)) => (Some(uses), Some(only)),
        None if said.starts_with("only ") => (None, Some(said)),
        None => (Some(said), None),
    };
    let uses: BTreeSet<String> =
        uses.into_iter().flat_map(|uses| uses.split("; ")).map(str::to_owned).collect();
    let only = only.map_or("", |only| only.strip_prefix("only ").unwrap_or(only));
    let mut places: BTreeSet<String> = BTreeSet::new();
    for part in only.split(", or ").filter(|part| !part.is_empty()) {
        let mut fixed = part.split(" or from ");
        places.extend(fixed.next().map(str::to_owned));
        places.extend(fixed.map(|rest| format!("from {rest}")));
    }
    let found = (uses, places);
    let expected = (
        spent.iter().map(|entry| used(entry)).collect(),
        elsewhere.iter().map(|entry| place(entry, written.amount, number)).collect(),
    );
    if found == expected { Ok(true) } else { Err(format!("{said}: {found:?}, expected {expected:?}")) }
}

/// All moves that any entry offers at any number.
fn all_written(rules: &Rules<'_>) -> BTreeSet<Written> {
    let (low, high) = rules.book.bounds();
    let of_entry = |entry: &Item| {
        let (sign, on_other) = (entry.sign, entry.on_other);
        let all = (low..=high).flat_map(|number| amounts(entry, number));
        all.map(|amount| Written { on_other, sign, amount }).collect::<Vec<_>>()
    };
    rules.entries.iter().flat_map(of_entry).collect()
}

fn built(text: &str) -> Rulebook {
    Draft::read("book.toml", text).build().unwrap_or_else(|bad| panic!("{text}\n{bad}"))
}

#[test]
fn a_reason_names_every_entry_that_could_give_the_move() {
    let mut of_several = 0;
    for number in 0..6_000 {
        let book = edge_book(number, Version::Two);
        let rules = Rules::new(&book);
        let opening = rules.opening(0);
        let Some(graph) = Graph::from(rules, &[opening], 60) else { continue };
        let rulebook = built(&book.text());
        let all = all_written(&graph.rules);
        for node in &graph.nodes {
            let legal: Vec<Written> =
                graph.rules.legal(&node.spot).iter().map(|legal| legal.written).collect();
            let position = rulebook.read_position(&graph.rules.text(&node.spot)).expect("a position");
            for written in all.iter().filter(|written| !legal.contains(written)) {
                let choice =
                    rulebook.choice(written.to_string().parse().unwrap()).expect("an entry offers the move");
                let why =
                    rulebook.play(&position, Move::Operation(choice)).expect_err("the move isn't legal");
                let said = phrases::refusal(&rulebook, why);
                let found = reason_is_true(&graph.rules, &node.spot, *written, &said);
                let found = found.unwrap_or_else(|why| {
                    panic!(
                        "book {number}\n{}\n{written} at {}: {why}",
                        book.text(),
                        graph.rules.text(&node.spot)
                    )
                });
                of_several += usize::from(found);
            }
        }
    }
    assert!(of_several > 3_000, "only {of_several} reasons with several entries");
}

#[test]
fn reasons_with_several_entries_in_words() {
    let reason = |moves: &str, keys: &str, position: &str, written: &str| {
        let rulebook = built(&format!("title = 'T'\nstart = 6\ntarget = 40\nmoves = [{moves}]\n{keys}"));
        let position = rulebook.read_position(position).expect("a position");
        let choice = rulebook.choice(written.parse().unwrap()).expect("an entry offers the move");
        phrases::refusal(&rulebook, rulebook.result(&position, choice).expect_err("the move isn't legal"))
    };
    let both = "{ op = '+4', when = 'odd' }, '+divisor'";
    assert_eq!(reason(both, "", "6;1", "+4"), "only from an odd number, or where 4 is a divisor");
    assert_eq!(reason(both, "no_repeat = 'own'", "8;1;+4,-", "+4"), "it was your own last move");
    // 4 isn't a prime factor of anything.
    assert_eq!(reason("{ op = '+4', when = 'odd' }, '+prime'", "", "6;1", "+4"), "only from an odd number");
    // No odd number has 4 as a divisor.
    let never = "'x2', { op = '+4', when = 'below 3' }, { op = '+divisor', when = 'odd' }";
    assert_eq!(reason(never, "range = [0, 40]", "6;1", "+4"), "only from a number below 3");
    // Nobody ever moves at a number where landing wins, loses or is refused.
    let squares = "{ op = '+4', when = 'square' }, { op = '+4', when = 'from 12 to 14' }";
    let both = "only from a square number or from a number from 12 to 14";
    assert_eq!(reason(squares, "", "6;1", "+4"), both);
    for listed in [
        "losing = ['12..14']",
        "winning = [12, 13]\nlosing = [14]",
        "forbidden = [12]\nlosing = ['prime']\nwinning = [14]",
    ] {
        assert_eq!(reason(squares, listed, "6;1", "+4"), "only from a square number", "{listed}");
    }
    // But a player can start there.
    let start = "{ op = '+4', when = 'square' }, { op = '+4', when = 'from 5 to 6' }, 'x2'";
    let both = "only from a square number or from a number from 5 to 6";
    assert_eq!(reason(start, "losing = ['5..6']", "8;1", "+4"), both);
    let limited = "{ op = '+4', uses = 1 }, '+divisor'";
    assert_eq!(
        reason(limited, "", "10;1;;1/0", "+4"),
        "already used once, the limit; otherwise only where 4 is a divisor"
    );
    // An entry that's used up can't give the move at another number.
    let odd = "{ op = '+4', when = 'odd', uses = 1 }, '+divisor'";
    let spent = "already used once from an odd number, the limit";
    assert_eq!(reason(odd, "", "6;1;;0/0", "+4"), "only from an odd number, or where 4 is a divisor");
    assert_eq!(reason(odd, "", "6;1;;1/0", "+4"), format!("{spent}; otherwise only where 4 is a divisor"));
    assert_eq!(
        reason(odd, "range = [0, 40]", "0;1;;1/0", "+4"),
        format!("{spent}; otherwise only where 4 is a divisor of a number above 0")
    );
    // The second entry is unlimited, so the first one's limit isn't the reason.
    assert_eq!(reason(limited, "no_repeat = 'own'", "8;1;+4,-;1/0", "+4"), "it was your own last move");
}
