//! Thousands of random rule books, all positions, against brute force.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use spoton::engine::operation::Kind;
use spoton::engine::play::Situation;
use spoton::engine::position::Player;
use spoton::format::{NoRepeat, Numbers, Rulebook};
use spoton::solver::{Solver, Value, Verdict, survey};

use crate::solver::books::books;
use crate::solver::brute::{Brute, Seen, seen};
use crate::solver::{generous, in_order};
use crate::support::{book, cases};

/// Skips books with more positions.
const MOST: usize = 1500;

/// All applicable strategies agree with brute force at all positions.
pub fn agrees(rulebook: &Arc<Rulebook>, brute: &Brute) -> Result<(), TestCaseError> {
    let solver = generous(|budget| Solver::new(Arc::clone(rulebook), budget));
    let opening = rulebook.opening(Player::One);
    let searched =
        generous(|budget| Solver::from_positions(Arc::clone(rulebook), [opening], HashSet::new(), budget));
    let mut surveyed: HashMap<Seen, Verdict> = HashMap::new();
    for (position, verdict) in generous(|budget| survey(rulebook, budget)) {
        let twice = surveyed.insert(seen(rulebook, &position), verdict);
        prop_assert_eq!(twice, None, "surveyed twice: {:?}", position);
    }
    let mut met: HashSet<Seen> = HashSet::new();
    for position in brute.positions() {
        let expected = brute.verdict(position);
        prop_assert_eq!(solver.verdict(position), Some(expected), "{:?}", position);
        prop_assert_eq!(searched.verdict(position), Some(expected), "searched: {:?}", position);
        let as_seen = seen(rulebook, position);
        prop_assert_eq!(surveyed.get(&as_seen), Some(&expected), "surveyed: {:?}", position);
        met.insert(as_seen);
        let moves = brute.moves(position);
        prop_assert_eq!(in_order(&solver, position), moves.clone(), "{:?}", position);
        prop_assert_eq!(in_order(&searched, position), moves, "searched: {:?}", position);
    }
    prop_assert_eq!(surveyed.len(), met.len());
    Ok(())
}

proptest! {
    #![proptest_config(cases(8000))]

    #[test]
    fn the_solver_equals_brute_force(text in books()) {
        let rulebook = book(&text);
        if let Some(brute) = Brute::new(&rulebook, MOST) {
            agrees(&rulebook, &brute)?;
        }
    }
}

/// The features of a book that the solver might get wrong.
fn kinds(text: &str, rulebook: &Rulebook, brute: &Brute) -> Vec<&'static str> {
    let limited = rulebook.passes().is_some() || rulebook.moves().iter().any(|entry| entry.uses.is_some());
    let shared = rulebook.numbers() == Numbers::Shared;
    let remembers = rulebook.no_repeat() != NoRepeat::None;
    let skips = brute.positions().any(|position| rulebook.situation(position) == Situation::Skip);
    let table = shared && !limited && rulebook.goes_one_way();
    let (start, other) = rulebook.start();
    let (low, high) = rulebook.range();
    let has = |value: Value, far: u64| {
        brute
            .positions()
            .map(|position| brute.verdict(position))
            .any(|verdict| verdict.value == value && verdict.remoteness().is_none_or(|moves| moves >= far))
    };
    [
        ("a table", table),
        ("a table with memory", table && remembers),
        ("a table with memory and skips", table && remembers && skips),
        ("a table downwards", table && rulebook.moves()[0].kind() == Kind::Subtract),
        ("a table by multiplying below 0", table && start < 0 && text.contains("['x")),
        ("a table by dividing", table && text.contains("'/")),
        ("separate numbers without limits", !shared && !limited && !remembers),
        ("separate numbers with memory", !shared && remembers),
        ("two starts", start != other),
        ("a skip", skips),
        ("limited uses", text.contains("uses")),
        ("a shared pool", text.contains("pool")),
        ("limited passes", rulebook.passes().is_some()),
        ("a span", text.contains("..")),
        ("no target", rulebook.target().is_none()),
        ("a countdown", rulebook.target() < Some(start)),
        ("only negative numbers", high < 0),
        ("numbers on both sides of 0", low < 0 && high > 0),
        (
            "a start in a list",
            [rulebook.winning(), rulebook.losing()].iter().any(|list| list.lists(start.into())),
        ),
        ("results beyond 64 bits", start.abs() > 1 << 58 && text.contains("'x1000000000")),
        ("circles", rulebook.may_repeat()),
        ("a long win", has(Value::Win, 9)),
        ("a long loss", has(Value::Loss, 8)),
        ("a draw", has(Value::Draw, 0)),
        ("more than a hundred positions", brute.len() > 100),
    ]
    .into_iter()
    .filter_map(|(kind, is)| is.then_some(kind))
    .chain([""])
    .collect()
}

/// Coverage check: random books have every feature. Without it, the test above could pass without testing them.
#[test]
fn random_books_are_of_every_kind() {
    let mut runner = TestRunner::new(cases(1));
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..2500 {
        let text = books().new_tree(&mut runner).expect("a book").current();
        let rulebook = book(&text);
        let Some(brute) = Brute::new(&rulebook, MOST) else { continue };
        for kind in kinds(&text, &rulebook, &brute) {
            *met.entry(kind).or_default() += 1;
        }
    }
    assert!(met[""] > 2200, "most books are small enough: {met:#?}");
    assert!(met.values().all(|times| *times >= 3) && met.len() == 26, "{} kinds: {met:#?}", met.len());
}

/// Covers the point where a multiplication starts to go too far, without a special number at that point.
#[test]
fn a_table_knows_from_where_a_move_goes_too_far() {
    for moves in
        ["'+1', 'x2'", "'+1', 'x3'", "'+2', 'x2', 'x3'", "'+1', '+4', 'x2'", "'x2', 'x3'", "'+3', '+5'"]
    {
        for high in 20..32 {
            for ends in [
                format!("target = {high}\npast = 'loses'"),
                format!("target = {high}\npast = 'wins'"),
                format!("target = {high}\npast = 'forbidden'"),
                format!("range = [1, {high}]"),
                format!("range = [1, {high}]\nstuck = 'wins'"),
            ] {
                let text = format!("title = 'T'\nstart = 1\n{ends}\nmoves = [{moves}]");
                let rulebook = book(&text);
                let brute = Brute::new(&rulebook, MOST).expect("the game has few positions");
                agrees(&rulebook, &brute).unwrap_or_else(|why| panic!("{text}: {why}"));
            }
        }
    }
}

/// If players share the uses of moves, neither is independent.
#[test]
fn players_who_share_uses_are_not_independent() {
    for (moves, alone) in [
        ("'+1', { op = 'x2', uses = 2, pool = 'shared' }", false),
        ("'+1', { op = '+3', uses = 1, pool = 'shared' }", false),
        ("'+1', { op = 'x2', uses = 2 }", true),
        ("'+1', 'x2'", true),
    ] {
        let text = format!(
            "title = 'T'\nnumbers = 'separate'\nstart = 1\ntarget = 9\npast = 'forbidden'\nmoves = [{moves}]"
        );
        let rulebook = book(&text);
        let brute = Brute::new(&rulebook, 10_000).expect("the game has few positions");
        agrees(&rulebook, &brute).unwrap_or_else(|why| panic!("{text}: {why}"));
        let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
        assert_eq!(solver.moves_to_win(&rulebook.opening(Player::One)).is_some(), alone, "{text}");
    }
}

/// The distance of every number from the target, if only the number decides.
#[test]
fn a_race_shows_the_distance_of_each_number() {
    let distances = |moves: &str, rest: &str| {
        let text =
            format!("title = 'T'\nstart = 1\ntarget = 8\npast = 'forbidden'\nmoves = [{moves}]\n{rest}");
        let rulebook = book(&text);
        let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
        generous(|budget| solver.distances(budget))
    };
    let separate = "numbers = 'separate'";
    let expected = vec![(1, 3), (2, 2), (3, 2), (4, 1), (5, 3), (6, 2), (7, 1)];
    assert_eq!(distances("'+1', 'x2'", separate), Some(expected));
    // From 4 it depends on whether a doubling is left.
    assert_eq!(distances("'+1', { op = 'x2', uses = 1 }", separate), None);
    assert_eq!(distances("'+1', 'x2'", ""), None, "no race");
}

/// A table doesn't cover numbers beyond its ends.
#[test]
fn a_solver_has_no_value_for_numbers_it_does_not_cover() {
    let to = |target: i64| book(&format!("title = 'T'\nstart = 1\ntarget = {target}\nmoves = ['+1', 'x2']"));
    let (short, long) = (to(20), to(40));
    let solver = generous(|budget| Solver::new(Arc::clone(&short), budget));
    for (number, covered) in [(1, true), (19, true), (20, false), (21, false), (39, false)] {
        let position =
            long.read_position(&format!("{number};1")).expect("the position belongs to the longer game");
        assert_eq!(solver.verdict(&position).is_some(), covered, "{number}");
    }
}
