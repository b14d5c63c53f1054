//! Warnings about version 2 books are true: checks every warning about a random small book at all reachable positions.
//! Also checks that all overlaps are reported.

use std::collections::HashSet;

use spoton::engine::play::{Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::format::{Draft, Entry, NumberList, Rulebook, Severity, check};

use crate::version2::books::{Version, book};

/// Skips books with more positions.
const MOST_POSITIONS: usize = 3_000;

/// All reachable positions; `None` if there are too many.
fn positions(book: &Rulebook) -> Option<Vec<Position>> {
    let opening = book.opening(Player::One);
    let (mut all, mut known) = (vec![opening], HashSet::from([opening]));
    let mut next = 0;
    while let Some(position) = all.get(next).copied() {
        next += 1;
        for a_move in book.situation(&position).moves() {
            if let Ok(Step::On(after)) = book.play(&position, a_move)
                && known.insert(after)
            {
                all.push(after);
            }
        }
        if all.len() > MOST_POSITIONS {
            return None;
        }
    }
    Some(all)
}

/// Whether two books play the same at these positions, ignoring reasons for refusals.
fn play_alike(one: &Rulebook, other: &Rulebook, positions: &[Position]) -> bool {
    positions.iter().all(|position| {
        one.situation(position) == other.situation(position)
            && one
                .situation(position)
                .moves()
                .all(|a_move| one.play(position, a_move) == other.play(position, a_move))
    })
}

fn list<'a>(book: &'a Rulebook, key: &str) -> &'a NumberList {
    match key {
        "winning" => book.winning(),
        "losing" => book.losing(),
        "forbidden" => book.forbidden(),
        _ => panic!("no such list: {key}"),
    }
}

/// The book without some items of a list.
fn without(draft: &Draft, book: &Rulebook, key: &str, items: &[&str]) -> Rulebook {
    let left = list(book, key).written().filter(|item| !items.contains(&item.as_str()));
    let left = left.map(|item| if item.parse::<i64>().is_ok() { item } else { format!("'{item}'") });
    let setting = format!("{key}=[{}]", left.collect::<Vec<_>>().join(", "));
    draft.clone().set("--set", &setting).build().expect("removing items adds no contradiction")
}

/// Whether the text of a span or a kind includes a number.
fn holds(item: &str, number: i64) -> bool {
    match item {
        "even" => number % 2 == 0,
        "odd" => number % 2 != 0,
        "prime" => number >= 2 && (2..number).all(|factor| number % factor != 0),
        "square" => (0..=number).any(|root| root * root == number),
        _ => match (item.split_once(".."), item.strip_prefix("multiples of ")) {
            (Some((low, high)), _) => (low.parse().unwrap()..=high.parse().unwrap()).contains(&number),
            (_, Some(factor)) => number % factor.parse::<i64>().unwrap() == 0,
            _ => panic!("no such item: {item}"),
        },
    }
}

fn name(entry: &Entry) -> String {
    let when: Vec<String> = entry.when.iter().map(ToString::to_string).collect();
    if when.is_empty() { entry.to_string() } else { format!("{entry} when {}", when.join(" and ")) }
}

/// The numbers of the range up to the target.
fn numbers(book: &Rulebook) -> impl Iterator<Item = i64> {
    let (low, high) = book.range();
    (low..=high).filter(|number| !book.passes_target((*number).into()))
}

fn quoted(message: &str) -> Vec<&str> {
    message.split('"').skip(1).step_by(2).collect()
}

fn ticked(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

/// Checks that a warning is true. Returns its kind.
fn is_true(message: &str, draft: &Draft, book: &Rulebook, positions: &[Position]) -> &'static str {
    let offers = || positions.iter().flat_map(|position| book.offers(position));
    if message.contains(" player can't move, so ") || message.starts_with("neither player can move, so ") {
        match book.situation(&book.opening(Player::One)) {
            Situation::Choose(_) => panic!("{message}"),
            Situation::Skip => {
                assert!(message.ends_with("skipped") && book.unplayable().is_none(), "{message}")
            }
            Situation::Over(_) => assert!(message.ends_with("so this game can't be played"), "{message}"),
        }
        return "stuck";
    }
    if let Some(target) = message.strip_prefix("no sequence of moves lands on the target ") {
        let target = target.parse::<i128>().unwrap();
        assert!(offers().all(|offer| offer.result != Ok(target)), "{message}");
        return "target";
    }
    if message.contains(" can never be used: ") {
        let named = ticked(message)[0];
        let (index, _) =
            book.entries().find(|(_, entry)| name(entry) == named).expect("the warning names an entry");
        assert!(offers().all(|offer| offer.entry != index || offer.result.is_err()), "{message}");
        return "never used";
    }
    if message.ends_with(", with no effect") {
        let key = ticked(message)[0];
        let listed = message.split(" lists ").nth(1).unwrap().split(", with").next().unwrap();
        let items: Vec<&str> = listed.split(", ").map(|item| item.trim_matches('"')).collect();
        assert!(play_alike(book, &without(draft, book, key, &items), positions), "{message}");
        return "idle";
    }
    if message.starts_with("two moves are called ") {
        return "called alike";
    }
    let number: i64 = if message.contains(" includes the target ") {
        let target = message.split(" includes the target ").nth(1).unwrap().split(',').next().unwrap();
        assert_eq!(book.target().map(|target| target.to_string()).as_deref(), Some(target), "{message}");
        target.parse().unwrap()
    } else {
        let number = message.split(" include ").nth(1).or(message.split(" includes ").nth(1)).unwrap();
        let number: i64 = number.split([',', ';']).next().unwrap().parse().unwrap();
        assert_ne!(book.target(), Some(number), "{message}");
        if message.contains(" lists it, so ") {
            assert!(list(book, ticked(message)[1]).integers.contains(&number), "{message}");
        } else {
            let [overruled, decides] = [ticked(message)[0], ticked(message)[1]];
            let place = |key: &str| ["forbidden", "winning", "losing"].iter().position(|known| *known == key);
            assert!(place(decides) < place(overruled), "{message}");
        }
        number
    };
    assert!(numbers(book).any(|known| known == number), "{message}");
    assert!(quoted(message).iter().all(|item| holds(item, number)), "{message}");
    "overlap"
}

/// All overlaps that must be reported: the item, its list, and what it overlaps.
fn overlaps(book: &Rulebook) -> HashSet<(String, &'static str, &'static str)> {
    let keys = ["forbidden", "winning", "losing"];
    let descriptions = |key| list(book, key).written().filter(|item| item.parse::<i64>().is_err());
    let is_listed = |number: &i64| {
        keys.iter().any(|key| list(book, key).integers.contains(number)) || book.target() == Some(*number)
    };
    let mut found = HashSet::new();
    for (index, key) in keys.into_iter().enumerate() {
        for item in descriptions(key) {
            if book.target().is_some_and(|target| holds(&item, target)) {
                found.insert((item.clone(), key, "target"));
            }
            for (other_index, other) in keys.into_iter().enumerate().filter(|(other, _)| *other != index) {
                let integers = &list(book, other).integers;
                if numbers(book).any(|number| integers.contains(&number) && holds(&item, number)) {
                    found.insert((item.clone(), key, "integer"));
                }
                let both = |number: i64| {
                    holds(&item, number)
                        && !is_listed(&number)
                        && descriptions(other).any(|other| holds(&other, number))
                };
                if other_index < index && numbers(book).any(both) {
                    found.insert((item.clone(), key, other));
                }
            }
        }
    }
    found
}

#[test]
fn version_2_warnings_are_true_and_overlaps_are_reported() {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    for number in 0..1_500 {
        let text = book(number, Version::Two).text();
        let draft = Draft::read("book.toml", &text);
        let Ok(rulebook) = draft.build() else { continue };
        let (low, high) = rulebook.range();
        if low < -400 || high > 400 {
            continue;
        }
        let Some(positions) = positions(&rulebook) else { continue };
        let mut told = HashSet::new();
        for problem in check(&draft) {
            assert_eq!(problem.severity, Severity::Warning, "{text}\n{problem}");
            let message = problem.message;
            let kind = is_true(&message, &draft, &rulebook, &positions);
            match seen.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, times)) => *times += 1,
                None => seen.push((kind, 1)),
            }
            if kind == "overlap" {
                let item = quoted(&message)[0].to_owned();
                let keys = ["forbidden", "winning", "losing"];
                let key = |key: &str| *keys.iter().find(|known| **known == key).unwrap();
                let with = match () {
                    _ if message.contains(" the target ") => "target",
                    _ if message.contains(" lists it, so ") => "integer",
                    _ => key(ticked(&message)[1]),
                };
                told.insert((item, key(ticked(&message)[0]), with));
            }
        }
        assert_eq!(told, overlaps(&rulebook), "{text}");
    }
    for kind in ["overlap", "idle", "never used", "target", "stuck"] {
        let times = seen.iter().find(|(known, _)| *known == kind).map_or(0, |(_, times)| *times);
        assert!(times >= 20, "{kind}: {seen:?}");
    }
}
