//! Tests transitions on grids too large for tables, forwards and backwards, against big integers.

use num_bigint::BigInt;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::format::Draft;

const MOST: i64 = 1_000_000_000_000_000_000;

/// Starts, targets, ranges and number lists, mostly at the limits of the format.
const ENDS: [&str; 9] = [
    "start = 0\nrange = [-1000000000000000000, 1000000000000000000]",
    "start = 1\ntarget = 1000000000000000000\nrange = [-1000000000000000000, 1000000000000000000]",
    "start = 0\ntarget = -1000000000000000000\nrange = [-1000000000000000000, 1000000000000000000]\npast = 'wins'",
    "start = 5\ntarget = 999999999999999999\nrange = [-1000000000000000000, 1000000000000000000]\npast = 'forbidden'",
    "start = -5\ntarget = 4\nrange = [-1000000000000000000, 1000000000000000000]\nreach = 'loses'",
    "start = 999999999999999990\nrange = [999999999999999980, 1000000000000000000]",
    "start = -999999999999999990\ntarget = -1000000000000000000\nrange = [-1000000000000000000, -999999999999999980]",
    "start = 3\nrange = [-999999999999999999, 1000000000000000000]\nwinning = [1000000000000000000, 0]\nlosing = [-5]\nforbidden = [7, 999999999999999999, -999999999999999998]",
    "start = 3\ntarget = 1000000000000000000\nrange = [-1000000000000000000, 1000000000000000000]\nlosing = ['multiples of 500000000000000000']\nforbidden = ['3..9']",
];

/// Moves and their conditions. The test has its own implementation of each.
const MOVES: [(&str, &str); 20] = [
    ("+1", ""),
    ("-1", ""),
    ("+7", "odd"),
    ("-3", "multiple of 3"),
    ("+1000000000000000000", ""),
    ("-1000000000000000000", ""),
    ("+999999999999999999", "below 5"),
    ("-999999999999999999", "above -5"),
    ("x2", ""),
    ("x3", "even"),
    ("x10", "from -100000000000000000 to 100000000000000001"),
    ("x1000000000000000000", ""),
    ("x1", "square"),
    ("/2", ""),
    ("/3", "above 999999999999999000"),
    ("/7", "multiple of 4"),
    ("/1000000000000000000", ""),
    ("/999999999999999999", "odd"),
    ("-2", "multiple of 1000000000000000000"),
    ("+2", "multiple of 999999999999999999"),
];

fn holds(condition: &str, number: &BigInt) -> bool {
    let words: Vec<&str> = condition.split(' ').collect();
    let bound = |word: &str| word.parse::<BigInt>().unwrap();
    match words[..] {
        [""] => true,
        ["even"] => number % 2 == BigInt::ZERO,
        ["odd"] => number % 2 != BigInt::ZERO,
        ["square"] => *number >= BigInt::ZERO && number.sqrt().pow(2) == *number,
        ["multiple", "of", factor] => number % bound(factor) == BigInt::ZERO,
        ["below", end] => *number < bound(end),
        ["above", end] => *number > bound(end),
        ["from", low, "to", high] => (bound(low)..=bound(high)).contains(number),
        _ => panic!("{condition}"),
    }
}

fn made(operation: &str, number: &BigInt) -> Option<BigInt> {
    let (sign, amount) = operation.split_at(1);
    let amount: BigInt = amount.parse().unwrap();
    match sign {
        "+" => Some(number + amount),
        "-" => Some(number - amount),
        "x" => Some(number * amount),
        _ => (number % &amount == BigInt::ZERO).then(|| number / amount),
    }
}

/// The number from which it leads to `result`.
fn unmade(operation: &str, result: &BigInt) -> Option<BigInt> {
    let (sign, amount) = operation.split_at(1);
    let inverse = match sign {
        "+" => "-",
        "-" => "+",
        "x" => "/",
        _ => "x",
    };
    made(&format!("{inverse}{amount}"), result)
}

/// The result of landing on a number by the book's definition: won, lost, continues (at a number), or
/// illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lands {
    Wins,
    Loses,
    On(BigInt),
    Nowhere,
}

fn lands(book: &Rulebook, number: BigInt) -> Lands {
    let end = |wins: bool| if wins { Lands::Wins } else { Lands::Loses };
    let is_in = |list: &[i64]| list.iter().any(|listed| BigInt::from(*listed) == number);
    if is_in(&book.forbidden().integers) {
        return Lands::Nowhere;
    }
    if let Some(target) = book.target().map(BigInt::from) {
        let climbs = target > BigInt::from(book.start().0);
        if number == target {
            return end(book.reach() == crate::format::Reach::Wins);
        }
        if (number > target) == climbs {
            return match book.past() {
                crate::format::Past::Forbidden => Lands::Nowhere,
                past => end(past == crate::format::Past::Wins),
            };
        }
    }
    let (low, high) = book.range();
    if number < low.into() || number > high.into() {
        return Lands::Nowhere;
    }
    let described = |list: &crate::format::NumberList| {
        let number = i64::try_from(&number).unwrap();
        let in_spans = list.spans.iter().any(|(low, high)| *low <= number && number <= *high);
        in_spans
            || list
                .kinds
                .iter()
                .any(|kind| holds(&kind.to_string().replace("multiples", "multiple"), &number.into()))
    };
    match () {
        () if is_in(&book.winning().integers) => Lands::Wins,
        () if is_in(&book.losing().integers) => Lands::Loses,
        () if described(book.forbidden()) => Lands::Nowhere,
        () if described(book.winning()) => Lands::Wins,
        () if described(book.losing()) => Lands::Loses,
        () => Lands::On(number),
    }
}

/// Random numbers, and those where something may change.
fn numbers(grid: &Grid, chance: &mut ChaCha8Rng) -> Vec<i64> {
    let edges = [i64::MIN, i64::MAX, MOST, -MOST, 0, grid.lowest, grid.highest];
    let mut near: Vec<i64> = edges.to_vec();
    for (operation, _) in MOVES {
        let amount: i64 = operation[1..].parse().unwrap();
        for edge in edges {
            near.extend([edge.saturating_sub(amount), edge.saturating_add(amount), edge / amount]);
            near.push(edge.saturating_mul(amount));
        }
    }
    let mut numbers: Vec<i64> =
        near.into_iter().flat_map(|number| (-3..=3).map(move |by| number.saturating_add(by))).collect();
    for _ in 0..300 {
        let size = chance.random_range(0..60);
        let small = chance.random_range(-(1_i64 << size)..=1 << size);
        numbers.extend([small, chance.random_range(grid.lowest..=grid.highest)]);
        numbers.push(small.saturating_mul(chance.random_range(2..12)));
    }
    numbers.retain(|number| (grid.lowest..=grid.highest).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[test]
fn steps_are_exact_forwards_and_backwards_as_far_as_numbers_go() {
    let mut chance = ChaCha8Rng::seed_from_u64(18);
    let (mut forwards, mut backwards) = (0, 0);
    for ends in ENDS {
        for first in 0..MOVES.len() {
            // Each alone, and combined with others.
            for count in [1, 3] {
                let moves: Vec<_> =
                    (0..count).map(|index| MOVES[(first + index * 6) % MOVES.len()]).collect();
                let written = moves.iter().map(|(operation, when)| match *when {
                    "" => format!("'{operation}'"),
                    when => format!("{{ op = '{operation}', when = '{when}' }}"),
                });
                let written: Vec<String> = written.collect();
                let text = format!("title = 'Far'\n{ends}\nmoves = [{}]", written.join(", "));
                let book = Draft::read("far", &text).build().unwrap();
                let grid = Grid::for_rulebook(&book).unwrap();
                let steps = Moves::for_grid(&book, &grid, &mut Budget::patient(1 << 20)).unwrap();
                let here = |number: &BigInt| {
                    i64::try_from(number).is_ok_and(|number| (grid.lowest..=grid.highest).contains(&number))
                };
                let number_of = |to: usize| match to {
                    WON => Lands::Wins,
                    LOST => Lands::Loses,
                    rank => Lands::On(grid.number(rank).into()),
                };
                for number in numbers(&grid, &mut chance) {
                    let rank = grid.rank(number).unwrap();
                    assert_eq!(grid.number(rank), number);
                    let number = BigInt::from(number);
                    let usable = moves.iter().filter(|(_, when)| holds(when, &number));
                    let results = usable.filter_map(|(operation, _)| made(operation, &number));
                    let expected: Vec<Lands> = results
                        .map(|result| lands(&book, result))
                        .filter(|lands| *lands != Lands::Nowhere)
                        .collect();
                    let mut found = vec![];
                    steps.steps(rank, On::Own, |step| found.push(number_of(step.to)));
                    assert_eq!(found, expected, "from {number}: {text}");
                    forwards += found.len();

                    let goes_on = lands(&book, number.clone()) == Lands::On(number.clone());
                    let sources = moves.iter().filter(|_| goes_on).filter_map(|(operation, when)| {
                        unmade(operation, &number).filter(|from| here(from) && holds(when, from))
                    });
                    let expected: Vec<Lands> = sources.map(Lands::On).collect();
                    let mut found = vec![];
                    steps.steps_to(rank, |step| found.push(number_of(step.to)));
                    assert_eq!(found, expected, "to {number}: {text}");
                    backwards += found.len();
                }
            }
        }
    }
    assert!(forwards > 100_000 && backwards > 100_000, "{forwards} {backwards}");
}

/// A list of steps is refused unless the budget has room for it twice.
#[test]
fn the_steps_of_all_numbers_keep_the_budget() {
    for moves in ["'+1'", "'+1', '+2', '+3', '-1', 'x2', '/2'"] {
        let text =
            format!("title = 'Wide'\nnumbers = 'separate'\nstart = 0\nrange = [0, 5000]\nmoves = [{moves}]");
        let book = Draft::read("wide", &text).build().unwrap();
        let grid = Grid::for_rulebook(&book).unwrap();
        let moves = Moves::for_grid(&book, &grid, &mut Budget::patient(1 << 20)).unwrap();
        let steps = |bytes| Steps::from_moves(&moves, On::Own, &mut Budget::patient(bytes));
        let held = steps(1 << 20).unwrap_or_else(|_| panic!("{text}")).bytes();
        assert!(held > 5000 * size_of::<u32>() as u64);
        assert!(matches!(steps(2 * held), Err(Unsolved::TooLarge { .. })), "{text}");
    }
}
