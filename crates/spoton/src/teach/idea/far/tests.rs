//! Compares ideas tested in stretches with the same ideas tested number by number.

use std::sync::Arc;

use super::super::{Answer, test};
use super::*;
use crate::format::{Draft, Rulebook};
use crate::solver::Solver;

const GAMES: [&str; 24] = [
    "moves = ['+1', 'x2']",
    "moves = ['+1', 'x2']\npast = 'forbidden'",
    "moves = ['+1', 'x2']\npast = 'wins'",
    "moves = ['+1', 'x2']\nreach = 'loses'",
    "moves = ['+1', 'x3']\npast = 'forbidden'",
    "moves = ['+2', 'x2']\npast = 'forbidden'",
    "moves = ['+2', 'x2']\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['+2', 'x3']\npast = 'forbidden'\nstuck = 'draws'",
    "moves = ['+1..3']",
    "moves = ['+1..4']\npast = 'forbidden'",
    "moves = ['+2', '+3']\npast = 'forbidden'",
    "moves = ['+2', '+5']\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['+4', '+6']\npast = 'forbidden'",
    "moves = ['+1..3', 'x2', 'x3']",
    "moves = ['+3', '+4', 'x2']\npast = 'forbidden'\nstuck = 'draws'",
    "moves = ['+2', '+5', '+7', 'x2', 'x3']\npast = 'forbidden'",
    "moves = ['+5', 'x2']\npast = 'forbidden'",
    "moves = ['+6', 'x2', 'x5']\nstuck = 'wins'\npast = 'forbidden'",
    "moves = ['+3', 'x7']\nreach = 'loses'\npast = 'forbidden'",
    "moves = ['x2', 'x3']",
    "moves = ['x2', 'x5']\npast = 'forbidden'\nstuck = 'wins'",
    "moves = ['+1', '+40', 'x7']",
    "moves = ['+9', 'x2', 'x3']\npast = 'wins'",
    "moves = ['+1', '+2', 'x2']\nreach = 'loses'\npast = 'forbidden'",
];

/// The climbing game, the same game below 0 and, if it has no multiplications, as a countdown.
fn books(rules: &str, target: i64) -> Vec<Arc<Rulebook>> {
    let down = rules.replace('+', "-");
    let mut texts = vec![
        format!("title = 'Up'\nstart = 1\ntarget = {target}\n{rules}"),
        format!("title = 'Below'\nstart = -1\ntarget = -{target}\n{down}"),
    ];
    if !rules.contains('x') {
        texts.push(format!("title = 'Down'\nstart = {target}\ntarget = 0\n{down}"));
    }
    texts.iter().filter_map(|text| Draft::read("far", text).build().ok().map(Arc::new)).collect()
}

/// Deterministic randomness.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0) * u128::from(limit)) >> 64) as i64
    }
}

/// Ideas in all forms. Many are built from the numbers to leave, so they're true.
fn ideas(chart: &Chart, chance: &mut Chance) -> Vec<String> {
    let (lowest, highest) = chart.ends();
    let count = highest.abs_diff(lowest) + 1;
    let stones: Vec<i64> = chart.stones().collect();
    let list = |numbers: &[i64]| {
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        format!("leave {}", numbers.join(" "))
    };
    let mut ideas: Vec<String> = ["even", "odd", "primes", "squares", "multiples of 3", "multiples of 5"]
        .iter()
        .map(|form| format!("leave {form}"))
        .collect();
    if !stones.is_empty() {
        ideas.push(list(&stones));
        ideas.push(list(&stones[stones.len() / 2..]));
        ideas.push(list(&stones[..stones.len().div_ceil(2)]));
        let without = chance.below(stones.len() as u64) as usize;
        let some: Vec<i64> = (0..).zip(&stones).filter(|(at, _)| *at != without).map(|(_, it)| *it).collect();
        if !some.is_empty() {
            ideas.push(list(&some));
        }
    }
    for _ in 0..6 {
        let mut number = || lowest - 2 + chance.below(count + 4);
        let (one, two, through) = (number(), number(), number());
        let (low, high) = (one.min(two), one.max(two));
        let every = 1 + chance.below(9);
        ideas.push(format!("leave every {every} from {through} to {high}"));
        ideas.push(format!("leave even from {low} to {high} and {through}"));
        ideas.push(format!("leave odd from {low} and odd to {low} and primes from {high}"));
    }
    // The longest true idea: continues while each step is a number to leave.
    for _ in 0..6 {
        if stones.is_empty() {
            break;
        }
        let from = stones[chance.below(stones.len() as u64) as usize];
        let every = 1 + chance.below(6);
        let numbers = (0..).map(|times| from + times * every);
        let Some(to) = numbers.take_while(|number| chart.is_stone((*number).into())).last() else { continue };
        ideas.push(format!("leave every {every} from {from} to {to}"));
        let rest: Vec<i64> = stones.iter().copied().filter(|stone| !(from..=to).contains(stone)).collect();
        if !rest.is_empty() {
            ideas.push(format!("leave every {every} from {from} to {to} and {}", list(&rest)));
        }
    }
    ideas
}

#[test]
fn they_say_what_going_through_all_numbers_says() {
    let mut chance = Chance(14);
    let mut kinds = [0; 5];
    for rules in GAMES {
        for target in (2..40).chain([60, 64, 97, 128, 200, 333, 600]) {
            for book in books(rules, target) {
                let mut budget = Budget::patient(1 << 26);
                let dense = Chart::from_rulebook(&book, &mut budget).unwrap().unwrap();
                let solver = Solver::by_intervals(Arc::clone(&book), &mut budget).unwrap().unwrap();
                let far = Chart::without_limit(&Arc::new(solver)).unwrap();
                for text in ideas(&dense, &mut chance) {
                    let idea: Idea = text.parse().unwrap();
                    let expected = test(&idea, &dense, &mut budget).unwrap();
                    let at = || format!("{text}: {} {}", book.title(), book.whole_line());
                    match test(&idea, &far, &mut budget) {
                        Ok(answer) => assert_eq!(answer, expected, "{}", at()),
                        // Kinds don't repeat, so following them can't be analyzed.
                        Err(Unsolved::TooLarge { .. }) => assert!(
                            text.contains('s')
                                && matches!(expected, Answer::Complete { .. } | Answer::Partial { .. }),
                            "{}",
                            at()
                        ),
                        Err(why) => panic!("{why}: {}", at()),
                    }
                    kinds[match expected {
                        Answer::False { .. } => 0,
                        Answer::Complete { .. } => 1,
                        Answer::Partial { .. } => 2,
                        Answer::Nothing => 3,
                        _ => 4,
                    }] += 1;
                }
            }
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 100), "{kinds:?}");
}

/// If only a few numbers are reachable, listing them gives the same answer as scanning all.
#[test]
fn few_numbers_are_as_good_as_all() {
    let mut chance = Chance(3);
    let mut few = 0;
    for rules in [
        "moves = ['x2', 'x3']",
        "moves = ['x2', 'x5']\npast = 'forbidden'\nstuck = 'wins'",
        "moves = ['x3', 'x7', 'x10']\npast = 'forbidden'\nlosing = [27, 100]",
        "moves = ['x2', '/2', 'x3']\nstart = 6\npast = 'forbidden'",
        "moves = ['x10', '/10', 'x3', 'x7']\nwinning = [630]",
    ] {
        for target in [7000, 30_000, 65_536, 100_000] {
            let start = if rules.contains("start") { "" } else { "start = 1\n" };
            let text = format!("title = 'Few'\ntarget = {target}\n{start}{rules}");
            let book = Arc::new(Draft::read("few", &text).build().unwrap());
            let chart = Chart::from_rulebook(&book, &mut Budget::patient(1 << 28)).unwrap().unwrap();
            let mut numbers: Vec<i64> = (0..40).map(|_| 1 << chance.below(14)).collect();
            numbers.extend(
                chart.stones().filter(|stone| 6_i64.pow(9) % stone == 0 || 10_i64.pow(9) % stone == 0),
            );
            for number in numbers {
                for text in [
                    format!("leave {number}"),
                    format!("leave even to {number}"),
                    format!("leave multiples of 9 and {number}"),
                    format!("leave every 3 from {number}"),
                    "leave squares".to_owned(),
                ] {
                    let idea: Idea = text.parse().unwrap();
                    let all = test(&idea, &chart, &mut Budget::patient(1 << 28)).unwrap();
                    // Too little memory for one bit per number.
                    let Ok(listed) = test(&idea, &chart, &mut Budget::patient(chart.highest() as u64 / 6))
                    else {
                        continue;
                    };
                    few += 1;
                    assert_eq!(listed, all, "{text}: {rules}");
                }
            }
        }
    }
    assert!(few > 1000, "{few}");
}
