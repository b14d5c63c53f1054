//! Invented games: brute force confirms their certificates, and the same seed always gives the same games.

use std::collections::{BTreeSet, HashMap};

use spoton::design::invent::{Bounds, Invented, Inventor, LEVELS};
use spoton::format::{Draft, check};
use spoton::solver::{Budget, Value};

use crate::version2::audits::Brute;
use crate::version2::books::{Amount, Book, Item, Kind, Listed};
use crate::version2::oracle::{Graph, Habit, Rules, Worth};

fn invent(seed: u64, bounds: Bounds, count: usize) -> Vec<Invented> {
    let mut inventor = Inventor::new(seed, bounds);
    let budget = &mut Budget::patient(64 << 20);
    let next = |_| {
        inventor.next(budget).expect("nobody cancels the search").expect("the supply of games is endless")
    };
    (0..count).map(next).collect()
}

/// Parses the text for the second engine: one key per line.
fn read(text: &str) -> Book {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.map(|value| value.trim_matches('"'))
    };
    let number = |key: &str| value(key).and_then(|value| value.parse().ok()).expect("a number");
    let word = |key: &str, words: &[&'static str]| {
        *words.iter().find(|word| Some(**word) == value(key)).expect("a known word")
    };
    let list = |key: &str| -> Vec<String> {
        let items = value(key).unwrap_or_default().trim_matches(['[', ']']).replace(", uses", " uses");
        let items = items.split(", ").filter(|item| !item.is_empty());
        items.map(|item| item.replace('"', "")).collect()
    };
    let items = list("moves").into_iter().map(|entry| {
        // `+1`, or `{ op = x3 uses = 2 }`
        let words: Vec<&str> = entry.trim_matches(['{', '}', ' ']).split(' ').collect();
        let (op, uses) = match words[..] {
            [op] => (op, None),
            ["op", "=", op, "uses", "=", uses] => (op, Some(uses)),
            _ => panic!("{entry}"),
        };
        let amount = match &op[1..] {
            "digit" => Amount::Digit,
            amount => Amount::Fixed(amount.parse().expect("a number")),
        };
        let uses = uses.map(|uses| (uses.parse().expect("a number"), false));
        Item { uses, ..Item::new(op.chars().next().expect("a sign"), amount) }
    });
    let mut book = Book::new(number("start"), items.collect());
    book.target = Some(number("target"));
    book.past = word("past", &["loses", "forbidden", "wins"]);
    book.no_repeat = word("no_repeat", &["none", "own", "opponent", "both"]);
    let kind = |kind: String| match kind.as_str() {
        "prime" => Kind::Prime,
        "square" => Kind::Square,
        multiples => {
            let of = multiples.strip_prefix("multiples of ").expect("a kind");
            Kind::Multiples(of.parse().expect("a number"))
        }
    };
    book.forbidden = list("forbidden").into_iter().map(|item| Listed::Kind(kind(item))).collect();
    book
}

fn check_certificate(game: &Invented, bounds: &Bounds) {
    let text = &game.text;
    let warnings = check(&Draft::read("invented.toml", text));
    assert!(warnings.is_empty(), "{text}\n{warnings:#?}");
    let book = read(text);
    let rules = Rules::new(&book);
    let opening = rules.opening(0);
    let graph = Graph::from(rules, &[opening], 60_000).expect("the game is small enough");
    let brute = Brute::new(&graph);
    let figures = &game.certificate.figures;
    let longest = brute.longest(0, &mut HashMap::new());
    assert!(longest.is_some() && !brute.can_end_drawn(), "{text}");
    assert_eq!((figures.longest, figures.always_ends, figures.can_draw), (longest, true, false), "{text}");
    let (value, length, seat) = match graph.worth(0) {
        Worth::Win(moves) => (Value::Win, moves, 0),
        Worth::Loss(moves) => (Value::Loss, moves, 1),
        Worth::Draw => panic!("drawn: {text}"),
    };
    assert_eq!((figures.opening.value, figures.opening.remoteness()), (value, Some(length)), "{text}");
    assert!(bounds.length.contains(&length), "{text}");
    let subtle = brute.count(|place| brute.is_subtle(place));
    assert_eq!((figures.positions, figures.subtle), (brute.seen.len() as u64, subtle), "{text}");
    assert_eq!(figures.decisions, brute.count(|place| brute.is_decision(place)), "{text}");
    assert!(bounds.subtle.contains(&subtle), "{text}");
    let habits = if seat == 0 { [Habit::Careful, Habit::Perfect] } else { [Habit::Perfect, Habit::Careful] };
    let guess = brute.chances(habits).expect("the chances converge")[seat];
    assert!((guess - game.certificate.guess).abs() < 1e-9, "{guess}: {text}");
    assert!(bounds.guess.is_none_or(|most| guess <= most + 1e-9), "{text}");
    let order = brute.orders(1_000).into_iter().find(|order| brute.order_wins(seat, order));
    assert_eq!(order, None, "{text}");
}

#[test]
fn every_certificate_is_true() {
    let bounds = Bounds::usual();
    let games = invent(20_261_115, bounds.clone(), 100);
    games.iter().for_each(|game| check_certificate(game, &bounds));
    let prints: BTreeSet<String> = games.iter().map(|game| game.rulebook.fingerprint()).collect();
    let figures: BTreeSet<String> = games.iter().map(|game| format!("{:?}", game.certificate)).collect();
    assert_eq!((prints.len(), figures.len()), (100, 100), "all of them are different");
}

#[test]
fn every_level_has_its_games() {
    for level in LEVELS {
        let bounds = Bounds::of_level(level).expect("the level exists");
        let games = invent(level.into(), bounds.clone(), if level == 1 { 2 } else { 10 });
        games.iter().for_each(|game| check_certificate(game, &bounds));
    }
    assert_eq!((Bounds::of_level(0), Bounds::of_level(6)), (None, None));
}

/// Generator 1 never changes. If this fails, put your change into a generator 2.
#[test]
fn generator_1_invents_what_it_always_did() {
    let mut texts = String::new();
    for seed in [0, 1, 20_261_115, u64::MAX] {
        for game in invent(seed, Bounds::usual(), 5) {
            texts.push_str(&game.text);
            texts.push('\n');
        }
    }
    for game in invent(7, Bounds::of_level(3).expect("the level exists"), 3) {
        texts.push_str(&game.text);
        texts.push('\n');
    }
    assert_eq!(texts, include_str!("../golden/invented-1.txt"));
}

#[test]
fn games_like_another_keep_its_ends_and_bans() {
    let like = spoton::format::catalog::draft("sequence-math-duel").unwrap().build().unwrap();
    let mut inventor = Inventor::new(3, Bounds { guess: None, ..Bounds::usual() }).like(like.into());
    let budget = &mut Budget::patient(64 << 20);
    for _ in 0..3 {
        let game = inventor.next(budget).unwrap().expect("the supply of games is endless");
        assert!(game.text.contains("numbers = \"separate\""), "{}", game.text);
        assert_eq!(game.rulebook.start(), (1, 1), "{}", game.text);
    }
}

#[test]
fn bounds_that_nothing_fits_are_given_up() {
    let nothing = Bounds { length: 1..=1, subtle: 50..=60, guess: None };
    let found = Inventor::new(1, nothing).next(&mut Budget::patient(64 << 20));
    assert!(found.is_ok_and(|found| found.is_none()));
}
