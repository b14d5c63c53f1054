//! Compares all shortcuts with the one legality check at every reachable position of thousands of random rule books,
//! with all keys.
//!
//! The check is `Rulebook::result`, which `Rulebook::offers` applies to every move. `oracle` compares it with an engine
//! on big integers. The shortcuts are: the numbers that allow every move (`legal`, `play`), whether play goes one way
//! or may repeat, lower bounds on positions, the solver's tables and races, the numbers of a chart, and warnings based
//! on numbers alone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use spoton::engine::play::{Move, Refusal, Step};
use spoton::engine::position::{Choice, Player, Position};
use spoton::format::{Rulebook, check};
use spoton::solver::chart::Chart;
use spoton::solver::{Budget, Solver, Unsolved, survey};

use crate::solver::books;
use crate::support::description::descriptions;
use crate::support::{cases, finished, read};

/// The test visits only part of larger games.
const MOST: usize = 800;

/// Two kinds of random books: arbitrary ones, and ones biased towards shortcuts.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => descriptions().prop_map(|description| description.text()),
        2 => books::books(),
        1 => books::plain(),
    ]
}

/// The reachable positions, found by checking each move separately.
struct Reached {
    positions: Vec<Position>,
    /// The successors of moves that don't end the round, by index.
    next: Vec<Vec<usize>>,
    /// Whether the search was complete.
    complete: bool,
}

fn reached(book: &Rulebook) -> Reached {
    let opening = book.opening(Player::One);
    let mut found = Reached { positions: vec![opening], next: vec![], complete: true };
    let mut known: HashMap<Position, usize> = HashMap::from([(opening, 0)]);
    while let Some(position) = found.positions.get(found.next.len()).copied() {
        let chosen = book.offers(&position).filter_map(|offer| offer.choice).map(Move::Operation);
        let steps = chosen.chain([Move::Skip]).filter_map(|a_move| book.play(&position, a_move).ok());
        let mut leads = Vec::new();
        for step in steps {
            let Step::On(next) = step else { continue };
            if found.positions.len() >= MOST && !known.contains_key(&next) {
                found.complete = false;
                continue;
            }
            let index = *known.entry(next).or_insert(found.positions.len());
            if index == found.positions.len() {
                found.positions.push(next);
            }
            leads.push(index);
        }
        found.next.push(leads);
    }
    found
}

impl Reached {
    /// Whether some line of play repeats a position.
    fn has_circle(&self) -> bool {
        let mut ways_in = vec![0; self.positions.len()];
        self.next.iter().flatten().for_each(|next| ways_in[*next] += 1);
        let mut free: Vec<usize> = (0..ways_in.len()).filter(|index| ways_in[*index] == 0).collect();
        let mut taken = 0;
        while let Some(index) = free.pop() {
            taken += 1;
            for next in &self.next[index] {
                ways_in[*next] -= 1;
                if ways_in[*next] == 0 {
                    free.push(*next);
                }
            }
        }
        taken < self.positions.len()
    }
}

fn budgeted<T>(
    bytes: u64,
    solve: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Unsolved> {
    solve(&mut Budget::patient(bytes))
}

fn generous<T>(solve: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>) -> T {
    budgeted(1 << 26, solve).unwrap_or_else(|why| panic!("{why}"))
}

/// Whether landing on a number ends the round, by the format's definition.
fn ends(book: &Rulebook, number: i128) -> bool {
    book.target().map(i128::from) == Some(number)
        || book.passes_target(number)
        || [book.winning(), book.losing()].iter().any(|list| list.lists(number) || list.describes(number))
}

fn moves_are_as_the_check_says(book: &Rulebook, position: &Position) -> Result<(), TestCaseError> {
    let legal: Vec<Choice> =
        book.offers(position).filter(|offer| offer.result.is_ok()).filter_map(|offer| offer.choice).collect();
    prop_assert_eq!(book.legal(position).iter().collect::<Vec<_>>(), legal, "{:?}", position);
    for offer in book.offers(position) {
        let Some(choice) = offer.choice else { continue };
        prop_assert_eq!(book.result(position, choice), offer.result);
        match (book.play(position, Move::Operation(choice)), offer.result) {
            (Err(why), Err(known)) => prop_assert_eq!(why, known),
            (Ok(Step::On(next)), Ok(number)) => {
                prop_assert!(!ends(book, number), "{} at {:?}", book.write_offer(&offer), position);
                prop_assert_eq!(i128::from(next.number_of(position.turn())), number);
                prop_assert_eq!(next.turn(), !position.turn());
            }
            (Ok(Step::Over { number: landed, .. }), Ok(number)) => {
                prop_assert!(ends(book, number), "{} at {:?}", book.write_offer(&offer), position);
                prop_assert_eq!(landed, number);
            }
            (made, result) => prop_assert!(false, "{:?} {:?}", made, result),
        }
    }
    Ok(())
}

/// Checks a book. Returns the shortcuts that it exercised.
fn agrees(text: &str) -> Result<Vec<&'static str>, TestCaseError> {
    let draft = read(text);
    let book = finished(&draft);
    let reached = reached(&book);
    let mut held = vec!["any"];

    let mut ups = HashSet::new();
    let mut landed: HashSet<i128> = HashSet::new();
    let mut refused: HashSet<i128> = HashSet::new();
    for position in &reached.positions {
        moves_are_as_the_check_says(&book, position)?;
        for offer in book.offers(position) {
            match offer.result {
                Ok(number) => {
                    landed.insert(number);
                    ups.insert(number.cmp(&i128::from(position.number())));
                }
                Err(Refusal::Forbidden { number }) => drop(refused.insert(number)),
                Err(_) => {}
            }
        }
    }

    if book.goes_one_way() {
        held.push("goes one way");
        prop_assert!(ups.len() <= 1 && !ups.contains(&std::cmp::Ordering::Equal), "{:?}", ups);
    }
    nothing_is_called_idle_that_matters(&book, &check(&draft), &landed, &refused)?;
    if !reached.complete {
        return Ok(held);
    }
    if !book.may_repeat() {
        held.push("never repeats");
        prop_assert!(!reached.has_circle());
    } else if reached.has_circle() {
        held.push("repeats");
    }

    let surveyed = generous(|budget| survey(&book, budget));
    match budgeted(0, |budget| survey(&book, budget)) {
        Err(Unsolved::TooLarge { reached: 0, at_least, .. }) => {
            prop_assert!(at_least <= surveyed.len() as u128, "{} of {}", at_least, surveyed.len());
            held.extend((at_least > 2).then_some("lower bound"));
        }
        refused => prop_assert!(false, "{:?}", refused.map(|surveyed| surveyed.len())),
    }
    let solver = generous(|budget| Solver::new(Arc::clone(&book), budget));
    let opening = [book.opening(Player::One)];
    let searched =
        generous(|budget| Solver::from_positions(Arc::clone(&book), opening, HashSet::new(), budget));
    // A chart may have far more numbers than play reaches, or even too many to fit.
    let chart = budgeted(1 << 20, |budget| Chart::from_rulebook(&book, budget)).ok().flatten();
    held.extend(chart.as_ref().map(|_| "chart"));
    for position in &reached.positions {
        let verdict = solver.verdict(position);
        prop_assert!(verdict.is_some() && verdict == searched.verdict(position), "{:?}", position);
        let Some(chart) = &chart else { continue };
        prop_assert!((chart.lowest()..=chart.highest()).contains(&position.number()), "{:?}", position);
        let is_listed =
            ends(&book, position.number().into()) || book.forbidden().lists(position.number().into());
        let expected = if is_listed { None } else { verdict };
        prop_assert_eq!(chart.verdict(position.number().into()), expected, "{:?}", position);
    }
    let limited = book.passes().is_some() || book.moves().iter().any(|entry| entry.uses.is_some());
    let remembers = book.no_repeat() != spoton::format::NoRepeat::None;
    if book.goes_one_way() && !limited && book.numbers() == spoton::format::Numbers::Shared {
        held.push(if remembers { "table with memory" } else { "table" });
    }
    Ok(held)
}

/// If Spot On reports that numbers have no effect, they really have none.
fn nothing_is_called_idle_that_matters(
    book: &Rulebook,
    told: &[spoton::format::Problem],
    landed: &HashSet<i128>,
    refused: &HashSet<i128>,
) -> Result<(), TestCaseError> {
    for problem in told {
        if problem.message.starts_with("no sequence of moves lands") {
            prop_assert!(
                !book.target().is_some_and(|target| landed.contains(&target.into())),
                "{}",
                problem.message
            );
        }
        for (key, met) in [("winning", landed), ("losing", landed), ("forbidden", refused)] {
            let Some(listed) = problem.message.strip_prefix(&format!("`{key}` lists ")) else { continue };
            let (low, high) = book.range();
            let numbers = listed.split([',', ' ']).filter_map(|word| word.parse::<i128>().ok());
            for number in numbers.take_while(|_| !listed.contains(" more,")) {
                let inside = number >= low.into() && number <= high.into() && !book.passes_target(number);
                prop_assert!(!(inside && met.contains(&number)), "{}: {}", number, problem.message);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn every_shortcut_agrees_with_the_one_check(text in texts()) {
        agrees(&text)?;
    }
}

/// Coverage check: random books exercise every shortcut. Without it, the test above could pass without testing them.
#[test]
fn every_shortcut_has_a_reference() {
    let mut runner = TestRunner::new(cases(1));
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..1000 {
        let text = texts().new_tree(&mut runner).expect("a book").current();
        for kind in agrees(&text).expect("both engines agree") {
            *met.entry(kind).or_default() += 1;
        }
    }
    assert!(met.len() == 8 && met.values().all(|times| *times >= 20), "{met:#?}");
}
