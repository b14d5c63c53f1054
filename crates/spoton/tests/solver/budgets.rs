//! Budgets: the solver refuses before it uses memory, limits hold to the byte, and cancelled solvers stop.

use std::collections::HashSet;
use std::sync::Arc;

use spoton::design::portrait::Portrait;
use spoton::engine::position::{Player, Position};
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solver::chart::Chart;
use spoton::solver::{Budget, Progress, Solver, Unsolved, survey};

use crate::solver::brute::Brute;
use crate::solver::{generous, loss, opening_verdict, solved, win};
use crate::support::book;

const LARGEST: &str = "1000000000000000000";
const DEFAULT: u64 = 1 << 30;
/// Enough to find out that a budget is too small for anything.
const LEAST: u64 = 1024;

fn rules(rules: &str) -> Arc<Rulebook> {
    book(&format!("title = 'T'\n{}", rules.replace("LARGEST", LARGEST)))
}

/// Sends all queries to a solver under a budget. Returns the errors, or the numbers of answers.
fn questions(rulebook: &Arc<Rulebook>, budget: &mut Budget<'_>) -> [Result<usize, Unsolved>; 6] {
    let opening = rulebook.opening(Player::One);
    [
        Solver::new(Arc::clone(rulebook), budget).map(|_| 1),
        Solver::from_positions(Arc::clone(rulebook), [opening], HashSet::from([opening]), budget).map(|_| 1),
        survey(rulebook, budget).map(|all| all.len()),
        Solver::new(Arc::clone(rulebook), budget)
            .and_then(|solver| solver.distances(&mut Budget::patient(budget.left() - solver.bytes())))
            .map(|all| all.map_or(0, |all| all.len())),
        Chart::from_rulebook(rulebook, budget).map(|chart| usize::from(chart.is_some())),
        Solver::new(Arc::clone(rulebook), budget)
            .and_then(|solver| {
                Portrait::from_solver(&solver, &mut Budget::patient(budget.left() - solver.bytes()))
            })
            .map(|_| 1),
    ]
}

#[test]
fn a_game_that_is_obviously_too_large_is_refused_first() {
    for text in [
        "start = 1\ntarget = LARGEST\nmoves = ['x1', '+1..8', '-1..7']\npast = 'forbidden'",
        "start = LARGEST\ntarget = -LARGEST\nmoves = ['-1..3', '/2']\nstuck = 'skips'",
        "start = 1\ntarget = LARGEST\nmoves = ['x2', '+2', '+1']\nno_repeat = 'opponent'\npasses = 255",
        "start = 1\ntarget = LARGEST\nmoves = ['+7', { op = '+1', uses = 255 }]\nlosing = [-1, 0, 1]",
        "numbers = 'separate'\nstart = [1, 2]\ntarget = LARGEST\nmoves = ['+1', 'x2']\nstuck = 'wins'",
        "start = 1\ntarget = LARGEST\nmoves = ['+1']\npasses = 1",
        "start = -LARGEST\nrange = [-LARGEST, LARGEST]\nmoves = ['+1..16']\npasses = 1",
        "start = 1\ntarget = LARGEST\nmoves = ['+1', '+2']\nno_repeat = 'own'\npasses = 1",
        "start = 1\ntarget = LARGEST\nmoves = ['+3', '+2', '+1']\nno_repeat = 'both'\npasses = 1",
        "start = 1\ntarget = LARGEST\nmoves = ['+1']\nwinning = [900000000000000000]\npasses = 1",
        // Listed numbers at or behind the start don't limit play.
        "start = 5\ntarget = LARGEST\nmoves = ['+1']\nwinning = [5]\npasses = 1",
        "start = -5\ntarget = -LARGEST\nmoves = ['-1']\nwinning = [-5]\npasses = 1",
        "start = -5\ntarget = -LARGEST\nmoves = ['-1']\nlosing = [-4, 7]\nrange = [-LARGEST, 9]\npasses = 1",
        "start = -5\ntarget = -LARGEST\nmoves = ['-1']\nlosing = [-900000000000000000]\npasses = 1",
    ] {
        let rulebook = rules(text);
        let mut asked = 0;
        let mut refused = None;
        let used = allocation_counter::measure(|| {
            let mut keep_going = |_: Progress| {
                asked += 1;
                true
            };
            let mut budget = Budget::new(DEFAULT, &mut keep_going);
            refused = Solver::new(Arc::clone(&rulebook), &mut budget).err();
            let surveyed = survey(&rulebook, &mut budget).err();
            assert!(matches!(surveyed, Some(Unsolved::TooLarge { reached: 0, .. })), "{text}: {surveyed:?}");
        });
        let Some(Unsolved::TooLarge { reached: 0, at_least, budget: DEFAULT, .. }) = refused else {
            panic!("{text}: {refused:?}");
        };
        assert!((10_u128.pow(17)..10_u128.pow(19)).contains(&at_least), "{text}: {at_least}");
        assert_eq!(asked, 0, "{text}");
        assert!(used.bytes_max < 4096, "{text}: {} bytes", used.bytes_max);
    }
}

/// If moves only add and multiply, the count of numbers doesn't matter.
#[test]
fn numbers_without_end_are_answered_if_they_are_added_to() {
    const MOST: u64 = 1_000_000_000_000_000_000;
    for (text, expected) in [
        ("start = 1\ntarget = LARGEST\nmoves = ['+1']", win(MOST - 1)),
        ("start = 1\ntarget = 999999999999999999\nmoves = ['+1', 'x2']", loss(MOST - 2)),
        ("start = -LARGEST\nrange = [-LARGEST, LARGEST]\nmoves = ['+1..16']", win(235_294_117_647_058_823)),
        ("start = LARGEST\ntarget = 0\nmoves = ['-1..4']", loss(400_000_000_000_000_000)),
        (
            "start = 1\ntarget = LARGEST\nmoves = ['+1', '+2']\nno_repeat = 'own'",
            loss(666_666_666_666_666_666),
        ),
        (
            "start = 1\ntarget = LARGEST\nmoves = ['+3', '+2', '+1']\nno_repeat = 'both'",
            win(499_999_999_999_999_999),
        ),
        (
            "start = 1\ntarget = LARGEST\nmoves = ['+1']\nwinning = [900000000000000000]",
            win(MOST / 10 * 9 - 1),
        ),
        ("start = 5\ntarget = LARGEST\nmoves = ['+1']\nwinning = [5]", win(MOST - 5)),
        ("numbers = 'separate'\nstart = [1, 2]\ntarget = LARGEST\nmoves = ['+1', 'x2']", loss(162)),
        (
            "start = -5\ntarget = -LARGEST\nmoves = ['-1']\nlosing = [-4, 7]\nrange = [-LARGEST, 9]",
            win(MOST - 5),
        ),
        (
            "start = -5\ntarget = -LARGEST\nmoves = ['-1']\nlosing = [-900000000000000000]",
            loss(MOST / 10 * 9 - 5),
        ),
    ] {
        let rulebook = rules(text);
        let mut budget = Budget::patient(1 << 20);
        let solver =
            Solver::new(Arc::clone(&rulebook), &mut budget).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(solver.verdict(&rulebook.opening(Player::One)), Some(expected), "{text}");
    }
}

#[test]
fn large_numbers_with_few_positions_are_answered() {
    for (text, expected) in [
        ("start = 1\ntarget = LARGEST\nmoves = ['x10']", loss(18)),
        ("start = 1\ntarget = LARGEST\nmoves = ['+1']\nwinning = [4]", win(3)),
        ("start = -1\ntarget = -LARGEST\nmoves = ['-1']\nwinning = [-4]", win(3)),
        ("start = 1\ntarget = LARGEST\nmoves = ['+1']\nforbidden = [2]\nstuck = 'wins'", win(0)),
        ("start = 0\ntarget = LARGEST\nmoves = ['+LARGEST', 'x1']", win(1)),
        ("start = 1\ntarget = LARGEST\nmoves = ['+1']\nno_repeat = 'own'", loss(2)),
        ("start = 1\ntarget = LARGEST\nmoves = [{ op = '+1', uses = 3 }]\nstuck = 'wins'", win(6)),
        (
            "start = LARGEST\ntarget = -LARGEST\nmoves = ['x10']\npast = 'wins'\nrange = [-LARGEST, LARGEST]",
            loss(0),
        ),
        ("start = -1\ntarget = -LARGEST\nmoves = ['x1000000']\nreach = 'loses'", loss(3)),
        // The opponent arrives right away, however far the starting player is.
        (
            "numbers = 'separate'\nstart = [1, 999999999999999999]\ntarget = LARGEST\nmoves = ['+1', '+2']",
            loss(2),
        ),
        ("numbers = 'separate'\nstart = [1, 5]\ntarget = LARGEST\nmoves = ['+1']\nlosing = [7]", win(4)),
    ] {
        let rulebook = rules(text);
        assert_eq!(opening_verdict(&rulebook), expected, "{text}");
    }
    // A grid of powers of 2 and 5 between numbers too large for a table.
    let grid = rules("start = LARGEST\ntarget = 1\nmoves = ['/2', '/5', '/10']");
    let brute = Brute::new(&grid, 1000).expect("the game has few positions");
    assert!(brute.len() > 500);
    let opening = grid.opening(Player::One);
    assert_eq!(opening_verdict(&grid), brute.verdict(&opening));
}

#[test]
fn the_reachable_positions_count_and_not_what_limits_would_allow() {
    let moves: Vec<String> = (1..=16).map(|step| format!("{{ op = '+{step}', uses = 3 }}")).collect();
    let rulebook = rules(&format!("start = 0\ntarget = 12\nmoves = [{}]", moves.join(", ")));
    assert_eq!(generous(|budget| survey(&rulebook, budget)).len(), 475);
}

/// Books that exceed every small budget, one per strategy.
const LARGE: [&str; 7] = [
    // A table of one number, and one that remembers last moves.
    "start = 1\ntarget = 300000\nmoves = ['+1', 'x2']\nlosing = ['multiple of 700']",
    "start = 1\ntarget = 20000\nmoves = ['+1..3', 'x2']\nno_repeat = 'both'\nstuck = 'skips'",
    // A countdown.
    "start = 300000\ntarget = 1\nmoves = ['-1..3']\nlosing = ['multiples of 700']",
    // Full tables: limits, cycles, and both players together.
    "start = 0\ntarget = 3000\nmoves = [{ op = '+1', uses = 3 }, { op = '-1', uses = 3, pool = 'shared' }, '+2', 'x2']",
    "start = 1\ntarget = 140000\nmoves = ['+1..5', '-1..5', 'x1..6']",
    "numbers = 'separate'\nstart = 1\ntarget = 400\nmoves = ['+1', '+3', 'x2']\nno_repeat = 'opponent'",
    // The general search: positions remember moves with computed amounts.
    "start = 12\ntarget = 240\nrange = [1, 240]\nmoves = ['+divisor', '-1']\nno_repeat = 'own'",
];

#[test]
fn the_solver_stays_within_its_budget() {
    for text in LARGE {
        let rulebook = rules(text);
        for bytes in [0, 100, 1000, 4096, 10_000, 1 << 16, 300_000, 1 << 20] {
            let mut answers = None;
            let used = allocation_counter::measure(|| {
                answers = Some(questions(&rulebook, &mut Budget::patient(bytes)));
            });
            assert!(used.bytes_max <= bytes.max(LEAST), "{text}: {} of {bytes} bytes", used.bytes_max);
            for refused in answers.into_iter().flatten().filter_map(Result::err) {
                let Unsolved::TooLarge { budget, needs, .. } = refused else { panic!("{text}: {refused:?}") };
                assert!(budget <= bytes);
                assert!(needs > u128::from(budget), "{text}: {needs} of {bytes} bytes");
            }
        }
        // Test many sizes, because tables grow in steps.
        for bytes in std::iter::successors(Some(20_000), |bytes| Some(bytes + bytes / 8)).take(36) {
            let ask = || drop(Solver::new(Arc::clone(&rulebook), &mut Budget::patient(bytes)));
            let used = allocation_counter::measure(ask).bytes_max;
            assert!(used <= bytes, "{text}: {used} of {bytes} bytes");
        }
        // The limit matters: the full answer takes more.
        let whole = allocation_counter::measure(|| drop(solved(&rulebook)));
        assert!(whole.bytes_max > 1 << 20, "{text}: {}", whole.bytes_max);
    }
}

/// Stretches (runs of numbers with a common pattern) take the place of a table that would fit, and far less memory.
#[test]
fn an_unneeded_table_takes_no_memory() {
    for text in [
        "start = 1\ntarget = 300000\nmoves = ['+1', 'x2']\nlosing = [100, 2000, 30000]",
        "start = 1\ntarget = 100000\nmoves = ['+1..3', 'x2']\nno_repeat = 'both'\nstuck = 'skips'",
        "numbers = 'separate'\nstart = 1\ntarget = 6000\nmoves = ['+1', 'x2']",
    ] {
        let rulebook = rules(text);
        let opening = rulebook.opening(Player::One);
        let table = generous(|budget| Solver::by_table(Arc::clone(&rulebook), budget));
        let table = table.expect("the game has a table").verdict(&opening);
        let mut found = None;
        let used = allocation_counter::measure(|| found = solved(&rulebook).verdict(&opening)).bytes_max;
        assert_eq!(found, table, "{text}");
        assert!(used < 1 << 19, "{text}: {used}");
        for bytes in std::iter::successors(Some(2048), |bytes| Some(bytes * 2)).take(16) {
            let ask = || drop(Solver::new(Arc::clone(&rulebook), &mut Budget::patient(bytes)));
            let used = allocation_counter::measure(ask).bytes_max;
            assert!(used <= bytes, "{text}: {used} of {bytes} bytes");
        }
    }
}

#[test]
fn a_query_that_fits_in_memory_is_answered() {
    for (text, a_table) in LARGE.into_iter().zip([true, true, true, false, false, false, false]) {
        let rulebook = rules(text);
        let ask = |bytes: u64| Solver::new(Arc::clone(&rulebook), &mut Budget::patient(bytes));
        let held = allocation_counter::measure(|| assert!(ask(DEFAULT).is_ok())).bytes_max;
        // A table's size is known in advance; a search only learns it while growing.
        let enough = if a_table { held + 8192 } else { 2 * held };
        assert!(ask(enough).is_ok(), "{text}: {enough} bytes are not enough, and it holds {held}");
    }
}

#[test]
fn a_solver_stops_as_soon_as_it_is_cancelled() {
    for text in LARGE {
        let rulebook = rules(text);
        let mut last = 0;
        let mut asked = 0;
        // First without cancelling, to check that the callback runs often enough.
        let solver = Solver::new(
            Arc::clone(&rulebook),
            &mut Budget::new(DEFAULT, &mut |progress| {
                assert!(progress.positions < last + 100_000, "{text}: from {last} to {}", progress.positions);
                last = progress.positions;
                asked += 1;
                true
            }),
        );
        assert!(solver.is_ok());
        assert!(asked > 1, "{text}: never asked");
        for stop_at in [1, 2, asked / 2 + 1, asked] {
            let (mut asked, mut said) = (0, 0);
            let stopped = Solver::new(
                Arc::clone(&rulebook),
                &mut Budget::new(DEFAULT, &mut |progress| {
                    asked += 1;
                    said = progress.positions;
                    asked < stop_at
                }),
            );
            assert_eq!(
                stopped.err(),
                Some(Unsolved::Stopped { reached: said }),
                "{text}, stopped at {stop_at}"
            );
            assert_eq!(asked, stop_at, "{text}: asked again after a no");
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for text in LARGE {
        let rulebook = rules(text);
        let opening = rulebook.opening(Player::One);
        for bytes in [1 << 16, DEFAULT] {
            let ask = || {
                let mut progress: Vec<Progress> = Vec::new();
                let mut keep_going = |so_far: Progress| {
                    progress.push(so_far);
                    true
                };
                let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::new(bytes, &mut keep_going));
                let answer = solver.map(|solver| (solver.verdict(&opening), solver.moves(&opening)));
                (answer, progress)
            };
            assert_eq!(ask(), ask(), "{text}");
        }
    }
    let everything = || {
        let rulebook = rules("start = 1\ntarget = 90\nmoves = ['+1', 'x2', { op = '-1', uses = 2 }]");
        generous(|budget| survey(&rulebook, budget)).collect::<Vec<_>>()
    };
    // Also in the same order.
    assert_eq!(everything(), everything());
}

/// The error for a book if there is no memory at all: a lower bound on the positions, and their bytes.
fn refused(rulebook: &Arc<Rulebook>) -> (u128, u128) {
    match Solver::new(Arc::clone(rulebook), &mut Budget::patient(0)) {
        Err(Unsolved::TooLarge { reached: 0, at_least, needs, budget: 0, .. }) => (at_least, needs),
        other => panic!("{:?}", other.map(|solver| solver.bytes())),
    }
}

/// A table has a cell per number, and the error gives their count. It also has room for the numbers from which a move
/// lands on something special, and slightly more.
#[test]
fn a_table_asks_for_what_it_holds() {
    for (text, cells, specials) in [
        ("start = 1\ntarget = 1000\nmoves = ['+1', 'x2']", 999, 2),
        (
            "start = 0\ntarget = 5000\nmoves = ['+1..3']\nlosing = [4907, 4909]\nwinning = [4912]\nforbidden = [4913, 4920]",
            5000,
            18,
        ),
        ("start = 3000\ntarget = 0\nmoves = ['-1..3']", 3000, 3),
        // For each number: the player's own last move, or none.
        ("start = 0\ntarget = 2000\nmoves = ['+1', '+2']\nno_repeat = 'opponent'", 3 * 2000, 2),
    ] {
        let rulebook = rules(text);
        let needs = 2 * cells + 8 * specials + 4096;
        assert_eq!(refused(&rulebook), (cells, needs), "{text}");
        let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(needs as u64))
            .expect("the game fits the budget");
        assert_eq!(u128::from(solver.bytes()), 2 * cells, "{text}");
        let one_less = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(needs as u64 - 1));
        assert!(matches!(one_less, Err(Unsolved::TooLarge { .. })), "{text}");
    }
}

/// A round may be as long as there are numbers. Cells take four bytes if that exceeds two, and eight if it
/// exceeds four.
#[test]
fn a_cell_takes_as_many_bytes_as_the_longest_way_needs() {
    let (short, long) = (i16::MAX as u128 - 2, i32::MAX as u128 - 2);
    for (cells, each) in [
        (short - 1, 2),
        (short, 4),
        (long / 2 + 1, 4),
        (long - 1, 4),
        (long, 8),
        (long + 1, 8),
        (long + 5, 8),
    ] {
        let rulebook = rules(&format!("start = 0\ntarget = {cells}\nmoves = ['+1']"));
        assert_eq!(refused(&rulebook), (cells, each * cells + 8 + 4096));
    }
    // Skips may double the length, and separate numbers double it again.
    for (rules_of, each) in [("stuck = 'skips'", 2), ("stuck = 'skips'\nno_repeat = 'own'", 2)] {
        let text = |target: u128| format!("start = 0\ntarget = {target}\nmoves = ['+1', '+2']\n{rules_of}");
        let needs = |target| refused(&rules(&text(target)));
        let (fewer, more) = (needs(short / each), needs(short / each + 1));
        assert!((fewer.1 - 4112) == 2 * fewer.0 && (more.1 - 4112) == 4 * more.0, "{fewer:?} {more:?}");
    }
}

/// Division approaches 0 but never crosses it, so a table ends there.
#[test]
fn a_table_of_divisions_ends_before_zero() {
    for text in [
        "start = 64\nrange = [-100, 64]\nmoves = ['/2', '/3']",
        "start = -64\nrange = [-64, 100]\nmoves = ['/2', '/3']",
        "start = 64\nrange = [-100, 64]\nmoves = ['/2', '/3']\nwinning = [4]",
    ] {
        let rulebook = rules(text);
        assert_eq!(solved(&rulebook).bytes(), 2 * 64, "{text}");
        let brute = Brute::new(&rulebook, 100).expect("the game has few positions");
        assert_eq!(opening_verdict(&rulebook), brute.verdict(&rulebook.opening(Player::One)), "{text}");
    }
}

/// With limited uses or passes, the number alone doesn't decide, even if play goes one way.
#[test]
fn games_with_limited_moves_are_solved_like_brute_force() {
    for text in [
        "start = 0\ntarget = 9\nmoves = [{ op = '+1', uses = 1 }, '+2', '+3']\npast = 'forbidden'",
        "start = 0\ntarget = 7\nmoves = [{ op = '+1', uses = 2, pool = 'shared' }, '+2']\npast = 'forbidden'",
        "start = 0\ntarget = 8\nmoves = [{ op = '+1', uses = 1 }, { op = '+2', uses = 2 }, '+3']\npast = 'loses'",
    ] {
        let rulebook = rules(text);
        let brute = Brute::new(&rulebook, 10_000).expect("the game has few positions");
        let solver = solved(&rulebook);
        for position in brute.positions() {
            assert_eq!(solver.verdict(position), Some(brute.verdict(position)), "{text}: {position:?}");
        }
    }
}

/// Messages show rounded bytes, but never less than needed.
#[test]
fn a_refusal_gives_the_memory_in_words() {
    let said = |needs: u128, budget: u64| {
        let refused = Unsolved::TooLarge { reached: 0, at_least: 7, needs, budget, table: None };
        let said = refused.to_string();
        let words = said.strip_prefix("too large: at least 7 positions need ").map(str::to_owned);
        words.unwrap_or_else(|| panic!("{said}"))
    };
    for (needs, budget, words) in [
        (1000, 999, "1000 bytes or more; the memory limit is 999 bytes"),
        ((1 << 20) - 1, 0, "1048575 bytes or more; the memory limit is 0 bytes"),
        (1 << 20, (1 << 20) - 1, "1 MiB or more; the memory limit is 1048575 bytes"),
        ((1 << 20) + 1, 1 << 20, "2 MiB or more; the memory limit is 1 MiB"),
        (9999 << 20, 5 << 20, "9999 MiB or more; the memory limit is 5 MiB"),
        ((9999 << 20) + 1, 5 << 20, "10 GiB or more; the memory limit is 5 MiB"),
        (10_240 << 20, 9999 << 20, "10 GiB or more; the memory limit is 9999 MiB"),
        ((10_240 << 20) + 1, 10_240 << 20, "11 GiB or more; the memory limit is 10 GiB"),
    ] {
        assert_eq!(said(needs, budget), words);
    }
    for (table, and) in [(None, ""), (Some((7 << 20) - 1), ". 7 MiB is enough")] {
        let full = Unsolved::TooLarge { reached: 12, at_least: 40, needs: 5000, budget: 3 << 20, table };
        assert_eq!(
            full.to_string(),
            format!("too large: 12 positions filled the memory limit of 3 MiB, and there are more{and}")
        );
    }
    // Only the smaller of two bounds appears: that of a search, or the size of a table.
    for (needs, words) in [(202 << 30, "7630 MiB"), (3 << 30, "3072 MiB or more")] {
        let (budget, table) = (1 << 30, Some(7630 << 20));
        let refused = Unsolved::TooLarge { reached: 0, at_least: 700_000, needs, budget, table };
        let expected =
            format!("too large: at least 700,000 positions need {words}; the memory limit is 1024 MiB");
        assert_eq!(refused.to_string(), expected);
    }
    assert_eq!(Budget::patient(12_345).left(), 12_345);
}

/// If a refused game could use a table, the error gives the table's size, and that much memory is enough.
#[test]
fn the_memory_that_an_error_asks_for_is_enough() {
    for text in &LARGE[3..6] {
        let rulebook = rules(text);
        let Err(Unsolved::TooLarge { table: Some(bytes), budget, .. }) =
            Solver::new(Arc::clone(&rulebook), &mut Budget::patient(300_000))
        else {
            panic!("{text}: it does not fit")
        };
        assert!(bytes > u128::from(budget), "{text}: {bytes}");
        assert!(Solver::new(rulebook, &mut Budget::patient(bytes as u64)).is_ok(), "{text}: {bytes}");
    }
}

/// A solver's reported bytes match what it holds.
#[test]
fn the_bytes_of_a_solver_are_those_that_it_holds() {
    for text in LARGE {
        let rulebook = rules(text);
        let mut solver = None;
        let held = allocation_counter::measure(|| solver = Some(solved(&rulebook))).bytes_current as u64;
        let said = solver.expect("the game is solved").bytes();
        assert!(said <= held && held < said + 8192, "{text}: reports {said}, holds {held}");
    }
    // Drawn positions count too, in a table with an eighth of its slots free.
    let rulebook = rules(LARGE[4]);
    let mut solver = None;
    let held = allocation_counter::measure(|| {
        let opening = rulebook.opening(Player::One);
        let all: HashSet<Position> =
            generous(|budget| survey(&rulebook, budget)).map(|(position, _)| position).collect();
        let roots = [opening];
        solver = Some(generous(|budget| Solver::from_positions(Arc::clone(&rulebook), roots, all, budget)));
    });
    let (said, held) = (solver.expect("the game is solved").bytes(), held.bytes_current as u64);
    assert!(said <= held && held - said <= held / 8 + 8192, "reports {said}, holds {held}");
}

/// A search reserves room for its results and for what the next position may add: as many positions as moves, at three
/// times their size while a table grows, and the moves themselves.
#[test]
fn a_search_asks_for_what_one_more_position_may_add() {
    let rulebook = rules("start = 1\ntarget = 20\nmoves = ['+1', '-1']\nrange = [0, 20]");
    let opening = rulebook.opening(Player::One);
    let ask = |bytes: u64| {
        let mut budget = Budget::patient(bytes);
        Solver::from_positions(Arc::clone(&rulebook), [opening], HashSet::new(), &mut budget).err()
    };
    let each = 3 * size_of::<Position>() + 48;
    let needs = (17 * each + 16 * 12) as u64;
    let refused = |budget: u64| Unsolved::TooLarge {
        reached: 0,
        at_least: 1,
        needs: needs.into(),
        budget,
        table: None,
    };
    assert_eq!(ask(0), Some(refused(0)));
    assert_eq!(ask(needs - 1), Some(refused(needs - 1)));
    assert!(matches!(ask(needs), Some(Unsolved::TooLarge { reached: 1, .. })), "it begins, and is soon full");
}

/// A chart has a mark per number that can have a turn. If play goes both ways, it makes a table for them.
/// Otherwise the solver has them already.
#[test]
fn a_chart_asks_for_a_mark_for_each_number() {
    let both_ways = rules("start = 1\ntarget = 20\nrange = [0, 20]\nmoves = ['+1', '-1']");
    let Err(refused) = Chart::from_rulebook(&both_ways, &mut Budget::patient(0)) else {
        panic!("the solver worked without memory")
    };
    let needs = 20 * 8;
    assert_eq!(refused, Unsolved::TooLarge { reached: 0, at_least: 20, needs, budget: 0, table: None });

    let one_way = SolvedGame::new(rules("start = 1\ntarget = 1000\nmoves = ['+1', 'x2']"));
    generous(|budget| one_way.solver(budget));
    let solver = one_way.bytes();
    let chart = |bytes: u64| one_way.chart(&mut Budget::patient(bytes)).map(|chart| chart.is_some());
    let (needs, budget) = (u128::from(solver) + 999, solver + 998);
    assert_eq!(
        chart(budget),
        Err(Unsolved::TooLarge { reached: 0, at_least: 999, needs, budget, table: None })
    );
    assert_eq!(chart(solver + 999), Ok(true));
}

/// A portrait stopped on the second call has visited only part of the game.
#[test]
fn a_portrait_stops_as_soon_as_it_is_cancelled() {
    let rulebook = rules(LARGE[4]);
    let solver = solved(&rulebook);
    let positions = generous(|budget| survey(&rulebook, budget)).len() as u64;
    let mut asked = 0;
    let mut once = |_: Progress| {
        asked += 1;
        asked < 2
    };
    let stopped = Portrait::from_solver(&solver, &mut Budget::new(DEFAULT, &mut once)).err();
    let Some(Unsolved::Stopped { reached }) = stopped else { panic!("{stopped:?}") };
    assert!((1..positions).contains(&reached), "{reached} of {positions}");
}

/// Cycle detection takes three 4-byte integers per position, in addition to the position's other data.
#[test]
fn a_portrait_asks_for_what_it_holds() {
    let circles = rules("start = 1\ntarget = LARGEST\nmoves = ['x2', 'x3', '/2']");
    let solver = solved(&circles);
    let positions = generous(|budget| survey(&circles, budget)).len() as u128;
    let portrait = |bytes: u128| Portrait::from_solver(&solver, &mut Budget::patient(bytes as u64));
    let refused = portrait(12 * positions - 1).err();
    let Some(Unsolved::TooLarge { at_least, needs, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((at_least, needs), (positions, 12 * positions));
    assert!(portrait(12 * positions).is_ok());
    // A table doesn't show what play can reach. A search finds that first, and it counts once.
    let table = rules("start = 1\ntarget = 20000\nmoves = ['+1', 'x2']");
    let solver = solved(&table);
    let held = allocation_counter::measure(|| {
        assert!(Portrait::from_solver(&solver, &mut Budget::patient(DEFAULT)).is_ok());
    });
    assert!(Portrait::from_solver(&solver, &mut Budget::patient(2 * held.bytes_max)).is_ok());
}
