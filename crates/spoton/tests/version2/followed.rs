//! Ideas reported as true, and patterns, taken literally: every printed number can be left, and following the
//! text wins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use spoton::format::Draft;
use spoton::solved::SolvedGame;
use spoton::solver::Budget;
use spoton::teach::idea::{Answer, Idea};
use spoton::words::idea;

use crate::random_books::Dice;
use crate::version2::around_zero::book_around_zero;
use crate::version2::books::{Book, Kind, Version};
use crate::version2::edges::{plain, plain_edge_book};
use crate::version2::oracle::{Graph, Leads, Rules, Turn, Worth};

/// An idea, the numbers it means, and those it names explicitly.
struct RandomIdea {
    words: String,
    means: Box<dyn Fn(i128) -> bool>,
    named: Vec<i64>,
}

fn asked(dice: &mut Dice, (low, high): (i64, i64)) -> RandomIdea {
    let number = dice.between(low, high);
    let (from, to) = (number, number + dice.between(0, high - low));
    let step = dice.between(2, 6);
    let named: Vec<i64> = if dice.chance(20) { vec![dice.between(low, high)] } else { vec![] };
    let (words, means): (String, Box<dyn Fn(i128) -> bool>) = match dice.below(8) {
        0 => ("even".to_owned(), Box::new(|n| Kind::Even.holds(n))),
        1 => ("odd".to_owned(), Box::new(|n| Kind::Odd.holds(n))),
        2 => ("primes".to_owned(), Box::new(|n| Kind::Prime.holds(n))),
        3 => (format!("squares from {from}"), Box::new(move |n| Kind::Square.holds(n) && n >= from.into())),
        4 => (format!("multiples of {step}"), Box::new(move |n| n % i128::from(step) == 0)),
        5 => {
            let within = move |n: i128| n >= from.into() && n <= to.into();
            (format!("odd from {from} to {to}"), Box::new(move |n| within(n) && Kind::Odd.holds(n)))
        }
        _ => {
            let every = move |n: i128| n >= from.into() && (n - i128::from(from)) % i128::from(step) == 0;
            (format!("every {step} from {from}"), Box::new(every))
        }
    };
    if named.is_empty() {
        return RandomIdea { words: format!("leave {words}"), means, named };
    }
    let list = named.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let all = named.clone();
    let means = Box::new(move |n: i128| means(n) || all.iter().any(|number| i128::from(*number) == n));
    RandomIdea { words: format!("leave {words} and {list}"), means, named }
}

/// The exceptions of an answer, parsed from its text alone.
fn excepted(said: &str, rules: &Rules<'_>, number: i128) -> bool {
    if said.contains("(except where landing loses)") {
        return rules.landing_loses(number);
    }
    let Some((_, rest)) = said.split_once("(except ") else { return false };
    let (list, _) = rest.split_once(", where landing loses)").expect("the list is closed");
    list.replace(" and ", ", ").split(", ").any(|listed| listed.parse() == Ok(number))
}

/// Whether a seat always wins by taking the text literally: it wins right away if possible, and otherwise lands on any
/// of the idea's numbers.
fn always_wins(graph: &Graph<'_>, seat: usize, means: &dyn Fn(i128) -> bool) -> bool {
    let mut won = vec![false; graph.nodes.len()];
    loop {
        let mut changed = false;
        for (place, node) in graph.nodes.iter().enumerate() {
            let wins = |turn: &Turn| match turn.leads {
                Leads::Over(end) => end.winner == Some(seat),
                Leads::To(next) => won[next],
            };
            let is_won = match node.over {
                Some(end) => end.winner == Some(seat),
                None if node.spot.turn != seat || node.turns[0].legal.is_none() => {
                    node.turns.iter().all(wins)
                }
                None => {
                    let at_once =
                        |turn: &&Turn| graph.ends_at_once(turn).is_some_and(|end| end.winner == Some(seat));
                    let meant = |turn: &&Turn| turn.legal.is_some_and(|legal| means(legal.result));
                    let picked: Vec<&Turn> = match node.turns.iter().any(|turn| at_once(&turn)) {
                        true => node.turns.iter().filter(at_once).collect(),
                        false => node.turns.iter().filter(meant).collect(),
                    };
                    !picked.is_empty() && picked.into_iter().all(wins)
                }
            };
            changed |= is_won && !won[place];
            won[place] |= is_won;
        }
        if !changed {
            return won[0];
        }
    }
}

/// All numbers that a move can land on, and whether landing there is ever less than a win.
fn landings(graph: &Graph<'_>) -> BTreeMap<i128, bool> {
    let mut found: BTreeMap<i128, bool> = BTreeMap::new();
    for (place, node) in graph.nodes.iter().enumerate() {
        for turn in &node.turns {
            let Some(legal) = turn.legal else { continue };
            let wins = matches!(graph.worth_of(place, turn), Worth::Win(_));
            *found.entry(legal.result).or_default() |= !wins;
        }
    }
    found
}

fn graph_of(book: &Book) -> Option<Graph<'_>> {
    let rules = Rules::new(book);
    let opening = rules.opening(0);
    Graph::from(rules, &[opening], 60)
}

fn game_of(book: &Book) -> SolvedGame {
    let text = book.text();
    let built = Draft::read("book.toml", &text).build();
    SolvedGame::new(Arc::new(built.unwrap_or_else(|bad| panic!("{text}\n{bad}"))))
}

fn ideas_hold(book_of: impl Fn(u64) -> Book, least: u64) {
    let (mut complete, mut with_exceptions, mut partial) = (0, 0, 0);
    for number in 0..2_500 {
        let book = book_of(number);
        let Some(graph) = graph_of(&book) else { continue };
        let game = game_of(&book);
        let lands = landings(&graph);
        let mut dice = Dice::new(number);
        let (low, high) = book.bounds();
        for _ in 0..8 {
            let RandomIdea { words, means, named } = asked(&mut dice, (low, high));
            let idea: Idea = words.parse().expect("an idea");
            let answer = game.test(&idea, &mut Budget::patient(1 << 26)).expect("the game is small enough");
            let said = idea::in_words(&answer);
            let at = || format!("book {number}\n{}\n{words}: {said}", book.text());
            let Some(exceptions) = answer.exceptions() else { continue };
            let meant = |n: i128| means(n) && !excepted(&said, &graph.rules, n);
            // A true idea excepts exactly those of its numbers that are bad to land on.
            for (landed, is_bad) in &lands {
                assert!(!*is_bad || !meant(*landed), "{landed}\n{}", at());
                let is_excepted = excepted(&said, &graph.rules, *landed) && means(*landed);
                assert_eq!(
                    is_excepted,
                    means(*landed) && graph.rules.landing_loses(*landed),
                    "{landed}\n{}",
                    at()
                );
            }
            for number in exceptions.numbers().into_iter().flatten() {
                assert!(means(number) && lands.contains_key(&number), "{number}\n{}", at());
                assert!(!named.iter().any(|named| i128::from(*named) == number), "{number}\n{}", at());
                with_exceptions += 1;
            }
            match answer {
                Answer::Complete { starter, .. } => {
                    complete += 1;
                    assert!(always_wins(&graph, usize::from(!starter), &meant), "{}", at());
                }
                _ => partial += 1,
            }
        }
    }
    assert!(
        complete > least && partial > least && with_exceptions > least / 2,
        "{complete} {partial} {with_exceptions}"
    );
}

#[test]
fn ideas_about_version_1_books_are_true_as_printed() {
    ideas_hold(|number| plain_edge_book(number, Version::One), 150);
}

#[test]
fn ideas_about_version_2_books_are_true_as_printed() {
    ideas_hold(|number| plain_edge_book(number, Version::Two), 150);
}

#[test]
fn ideas_about_books_around_zero_are_true_as_printed() {
    ideas_hold(|number| plain(book_around_zero(number)), 20);
}

/// The numbers that a pattern names, parsed from its text alone.
fn named_by(said: &str) -> Vec<i64> {
    let numbers: Vec<i64> = said.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let step = |from: i64, to: i64, step: i64| (from..=to).step_by(step as usize).collect();
    match (said, numbers.as_slice()) {
        (_, [first, second, every, last]) if said.contains(" and so on, every ") => {
            assert_eq!(second - first, *every, "{said}");
            step(*first, *last, *every)
        }
        (_, [of, from, to]) if said.starts_with("leave a multiple of ") => {
            (*from..=*to).filter(|number| number % of == 0).collect()
        }
        (_, [from, to]) => {
            let kind = match said {
                _ if said.starts_with("leave an even number from ") => Kind::Even,
                _ if said.starts_with("leave an odd number from ") => Kind::Odd,
                _ if said.starts_with("leave a prime number from ") => Kind::Prime,
                _ if said.starts_with("leave a square number from ") => Kind::Square,
                _ => panic!("{said}"),
            };
            (*from..=*to).filter(|number| kind.holds((*number).into())).collect()
        }
        _ => panic!("{said}"),
    }
}

fn patterns_hold(book_of: impl Fn(u64) -> Book, least: u64) {
    let mut patterns = 0;
    for number in 0..4_000 {
        let book = book_of(number);
        let Some(graph) = graph_of(&book) else { continue };
        // The numbers that moves leave, and whether leaving each one always wins.
        let mut left: BTreeMap<i64, bool> = BTreeMap::new();
        for (place, node) in graph.nodes.iter().enumerate() {
            for turn in &node.turns {
                let (Some(_), Leads::To(next)) = (turn.legal, turn.leads) else { continue };
                let wins = matches!(graph.worth_of(place, turn), Worth::Win(_));
                *left.entry(graph.nodes[next].spot.numbers[0]).or_insert(true) &= wins;
            }
        }
        let game = game_of(&book);
        for about in left.iter().filter(|(_, wins)| **wins).map(|(number, _)| *number) {
            let found =
                game.pattern(about.into(), &mut Budget::patient(1 << 26)).expect("the game is small enough");
            let Some(pattern) = found else { continue };
            patterns += 1;
            let said = pattern.to_string();
            let named: BTreeSet<i64> = named_by(&said).into_iter().collect();
            let at = || format!("book {number}\n{}\nafter {about}: {said}", book.text());
            assert!(named.contains(&about) && named.len() >= 3, "{}", at());
            for number in named {
                assert_eq!(left.get(&number), Some(&true), "{number}\n{}", at());
            }
        }
    }
    assert!(patterns > least, "only {patterns} patterns");
}

#[test]
fn patterns_of_version_1_books_name_numbers_that_can_be_left() {
    patterns_hold(|number| plain_edge_book(number, Version::One), 400);
}

#[test]
fn patterns_of_version_2_books_name_numbers_that_can_be_left() {
    patterns_hold(|number| plain_edge_book(number, Version::Two), 400);
}

#[test]
fn patterns_of_books_around_zero_name_numbers_that_can_be_left() {
    patterns_hold(|number| plain(book_around_zero(number)), 10);
}
