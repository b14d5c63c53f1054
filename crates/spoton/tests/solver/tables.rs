//! Compares full tables with the general search, which stores positions. Covers all positions of books with each key of
//! both versions, alone and combined.

use std::collections::HashSet;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spoton::engine::position::Player;
use spoton::format::{NoRepeat, Numbers, Rulebook};
use spoton::solver::chart::{Chart, position_at};
use spoton::solver::{Budget, Solver, Unsolved, Value, Workers, survey};

use crate::solver::{generous, loss, solved, varied};
use crate::support::read;

const MOVES: [&str; 12] = [
    "'+1', 'x2'",
    "'+1', '+3', 'x2'",
    "'+1', '-1', 'x2'",
    "'+2', '-3', 'x1'",
    "'x3', '/2', '-1', '/1'",
    "{ op = '+1', uses = 2 }, 'x2', { op = '-1', uses = 1, pool = 'shared' }, '+3'",
    "{ op = '+1..3', uses = 1, pool = 'shared' }, { op = 'x2', uses = 2 }, '+1..2'",
    "'-divisor', '+1'",
    "'+digit', { op = '-prime', uses = 2 }",
    "{ op = '-1..half', to = 3, uses = 2 }, '+2', '-1'",
    "'+1', { op = '+2', when = 'odd' }, { op = '+2', when = 'multiple of 4', uses = 1 }, '-2'",
    "{ op = '+2', on = 'other', uses = 2 }, '+1', 'x2', { op = '-1', on = 'other' }",
];

const RULES: [&str; 17] = [
    "",
    "past = 'forbidden'",
    "past = 'wins'\nreach = 'loses'",
    "stuck = 'draws'\npast = 'forbidden'",
    "stuck = 'skips'\npast = 'forbidden'",
    "stuck = 'closest'\npast = 'forbidden'",
    "turns = 3",
    "turns = 2\nstuck = 'closest'\npast = 'forbidden'\nno_repeat = 'own'",
    "no_repeat = 'own'\nstuck = 'skips'",
    "no_repeat = 'own'\npast = 'forbidden'\nstuck = 'wins'",
    "no_repeat = 'opponent'",
    "no_repeat = 'opponent'\nstuck = 'skips'\npast = 'forbidden'",
    "no_repeat = 'both'\npast = 'forbidden'",
    "passes = 0",
    "passes = 1\nno_repeat = 'opponent'\nstuck = 'skips'",
    "losing = ['prime']\nforbidden = ['multiples of 7']\nwinning = [15]",
    "winning = ['square']\nforbidden = [6, 11]\nlosing = ['20..25']\nstuck = 'skips'",
];

const ENDS: [&str; 6] = [
    "start = 1\ntarget = 10",
    "start = 1\ntarget = 33",
    "start = [3, 1]\ntarget = 27\nrange = [-4, 27]",
    "start = 30\ntarget = 0",
    "start = [18, 21]\ntarget = 2\nrange = [0, 26]",
    "start = 9\nrange = [-3, 24]",
];

/// Whether both give all positions the same value; `None` if the general search has too many.
fn agrees(text: &str) -> Option<(usize, Numbers)> {
    let rulebook = Arc::new(read(text).build().ok()?);
    let known = survey(&rulebook, &mut Budget::patient(6 << 20)).ok()?;
    let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
    let count = known.len();
    for (position, verdict) in known {
        assert_eq!(solver.verdict(&position), Some(verdict), "{position:?} {text}");
    }
    Some((count, rulebook.numbers()))
}

#[test]
fn tables_equal_the_general_search() {
    let (mut shared, mut separate, mut positions) = (0, 0, 0);
    for moves in MOVES {
        for rules in RULES {
            for ends in ENDS {
                for numbers in ["shared", "separate"] {
                    let text =
                        format!("title = 'T'\nnumbers = '{numbers}'\n{ends}\nmoves = [{moves}]\n{rules}");
                    let Some((count, numbers)) = agrees(&text) else { continue };
                    positions += count;
                    *(if numbers == Numbers::Shared { &mut shared } else { &mut separate }) += 1;
                }
            }
        }
    }
    assert!(shared > 350 && separate > 800, "{shared} {separate}");
    assert!(positions > 1_000_000, "{positions}");
}

/// The solver fills wide tables by tiles. These have more numbers than a tile, and not a multiple of its size.
#[test]
fn tables_of_many_tiles_equal_the_general_search() {
    for text in [
        "numbers = 'separate'\nstart = [1, 4]\ntarget = 151\nmoves = ['+1', 'x2', { op = '+3', on = 'other' }]",
        "numbers = 'separate'\nstart = [150, 130]\ntarget = 0\nmoves = ['-1', '-7', '/2']\nno_repeat = 'opponent'",
        "numbers = 'separate'\nstart = 1\ntarget = 129\nmoves = ['+2', '+3', 'x2']\npast = 'forbidden'\nstuck = 'skips'\nno_repeat = 'own'",
        "numbers = 'separate'\nstart = 3\ntarget = 140\nmoves = ['+1', '-2', { op = 'x2', on = 'other' }]",
    ] {
        let text = format!("title = 'T'\n{text}");
        let rulebook = Arc::new(read(&text).build().expect("the rule book is valid"));
        let known = generous(|budget| survey(&rulebook, budget));
        let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
        assert!(solver.bytes() < 64 * known.len() as u64, "{text}: {} bytes", solver.bytes());
        for (position, verdict) in known {
            assert_eq!(solver.verdict(&position), Some(verdict), "{position:?} {text}");
        }
    }
}

/// If numbers go up and down, the solver counts whole stretches (runs of numbers) together. These have more numbers
/// than a stretch, on both sides of 0, with conditional moves.
#[test]
fn tables_of_many_stretches_equal_the_general_search() {
    let ends = [
        "start = 1\ntarget = 4000",
        "start = 0\nrange = [-2600, 3100]\nstuck = 'draws'",
        "start = 3000\ntarget = -1500\nrange = [-1500, 3000]\npast = 'wins'",
    ];
    let moves = [
        "'+1..2', { op = '-1', when = 'multiple of 3' }",
        "'+3', '-1', 'x2', '/2'",
        "'+1', '-7', { op = 'x3', when = 'even' }, { op = '+5', when = 'odd' }",
        "'+2', { op = '-3', when = ['multiple of 5', 'above 1200'] }, { op = '+1', when = 'below 900' }, '/1'",
        "'-1', '/7', { op = '+4', when = 'square' }, { op = '+6', when = 'from 1500 to 1600' }, 'x1'",
    ];
    for (ends, moves) in ends.iter().flat_map(|ends| moves.map(|moves| (ends, moves))) {
        for rules in ["", "passes = 0", "past = 'forbidden'\nstuck = 'skips'"] {
            let text = format!("title = 'T'\n{ends}\nmoves = [{moves}]\n{rules}");
            let Ok(rulebook) = read(&text).build() else { continue };
            let rulebook = Arc::new(rulebook);
            let known = generous(|budget| survey(&rulebook, budget));
            let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
            assert!(known.len() < 1_000 || solver.bytes() < 32 << 10, "{text}: {} bytes", solver.bytes());
            for (position, verdict) in known {
                assert_eq!(solver.verdict(&position), Some(verdict), "{position:?} {text}");
            }
        }
    }
}

/// Games with separate numbers where a second thread would help.
fn wide() -> [Arc<Rulebook>; 3] {
    [
        "start = [1, 4]\ntarget = 1600\nmoves = ['+1', 'x2', { op = '+3', on = 'other' }]",
        "start = [900, 830]\ntarget = 0\nmoves = ['-1', '-7', '/2']\nno_repeat = 'opponent'",
        "start = 1\ntarget = 700\nmoves = ['+2', '+3', 'x2']\npast = 'forbidden'\nstuck = 'skips'\nno_repeat = 'own'",
    ]
    .map(|text| Arc::new(read(&format!("title = 'T'\nnumbers = 'separate'\n{text}")).build().expect("the rule book is valid")))
}

/// Helper threads, whether they run or not.
#[test]
fn however_many_threads_fill_a_table_it_is_the_same() {
    fn lend(threads: usize, help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
        std::thread::scope(|scope| {
            (0..threads).for_each(|_| drop(scope.spawn(help)));
            own();
        });
    }
    let workers: [Workers; 5] = [
        |help, own| lend(1, help, own),
        |help, own| lend(3, help, own),
        |_, own| own(),
        // Called too late: nothing is left to do.
        |help, own| {
            own();
            help();
        },
        // Helpers do all the work, before or instead of the caller.
        |help, _| help(),
    ];
    for rulebook in wide() {
        let alone = solved(&rulebook);
        for workers in workers {
            let mut budget = Budget::patient(1 << 30).with_workers(Some(workers));
            let together = Solver::new(Arc::clone(&rulebook), &mut budget).expect("the game fits the budget");
            assert_eq!(together.bytes(), alone.bytes());
            let mut chance = ChaCha8Rng::seed_from_u64(2);
            let (low, high) = rulebook.range();
            for _ in 0..20_000 {
                let [one, two] = [(); 2].map(|()| chance.random_range(low + 1..high));
                let last = if rulebook.no_repeat() == NoRepeat::None { "" } else { ";-,-" };
                let position =
                    rulebook.read_position(&format!("{one},{two};1{last}")).expect("the position is valid");
                let verdict = alone.verdict(&position);
                assert!(verdict.is_some());
                assert_eq!(together.verdict(&position), verdict, "{position:?}");
            }
        }
    }
}

/// All threads respond to a stop request.
#[test]
fn all_threads_stop_when_cancelled() {
    for rulebook in wide() {
        for patience in [0, 1, 50] {
            let mut asked = 0;
            let mut keep_going = |_| {
                asked += 1;
                asked <= patience
            };
            let two: Workers = |help, own| {
                std::thread::scope(|scope| {
                    scope.spawn(help);
                    own();
                });
            };
            let mut budget = Budget::new(1 << 30, &mut keep_going).with_workers(Some(two));
            let stopped = Solver::new(Arc::clone(&rulebook), &mut budget).err();
            assert!(matches!(stopped, Some(Unsolved::Stopped { .. })), "{stopped:?}");
        }
    }
}

/// The duel without copying, at sizes too large for a search of single positions.
#[test]
fn a_far_target_without_copying_is_answered() {
    let rulebook = varied("sequence-math-duel", "no-copying").set_target("--target", "2000");
    let rulebook = Arc::new(rulebook.build().expect("the rule book is valid"));
    let mut budget = Budget::patient(64 << 20);
    assert!(matches!(survey(&rulebook, &mut budget), Err(Unsolved::TooLarge { .. })));
    let solver = Solver::new(Arc::clone(&rulebook), &mut budget).expect("the game fits the budget");
    // Follows the law of values from the opening along the best moves.
    let mut position = rulebook.opening(Player::One);
    let mut left =
        solver.verdict(&position).and_then(|verdict| verdict.remoteness()).expect("the game isn't drawn");
    while left > 1 {
        let moves = solver.moves(&position);
        let verdict = solver.verdict(&position).expect("the position is reachable");
        assert_eq!((moves[0].verdict, verdict.remoteness()), (verdict, Some(left)));
        let Ok(spoton::engine::play::Step::On(next)) = rulebook.play(&position, moves[0].a_move) else {
            panic!("{left} moves are left");
        };
        (position, left) = (next, left - 1);
    }
    assert!(solver.verdict(&position).is_some_and(|verdict| verdict.value == Value::Win));
}

/// A table that play barely uses isn't allocated: a search visits the few positions.
#[test]
fn a_few_positions_get_no_wide_table() {
    let text = "title = 'T'\nstart = 1\ntarget = 1000000\nmoves = ['x2', 'x3', '/2']";
    let rulebook = Arc::new(read(text).build().expect("the rule book is valid"));
    let held = allocation_counter::measure(|| drop(solved(&rulebook))).bytes_max;
    assert!(held < 1_000_000, "{held}");
}

/// Each stretch of a table is counted together. If no move is legal throughout it, some of its numbers may be stuck.
#[test]
fn numbers_without_a_move_are_lost_wherever_they_are() {
    let moves = "'/2', '/3', { op = 'x5', when = 'below 900' }";
    let text = format!("title = 'T'\nstart = 4\nrange = [1, 5000]\nmoves = [{moves}]");
    let rulebook = Arc::new(read(&text).build().expect("the rule book is valid"));
    let chart = generous(|budget| Chart::from_rulebook(&rulebook, budget)).expect("the number alone decides");
    let roots: Vec<_> = (1..=5000).filter_map(|number| position_at(&rulebook, number)).collect();
    let searched = generous(|budget| {
        Solver::from_positions(Arc::clone(&rulebook), roots.iter().copied(), HashSet::new(), budget)
    });
    let mut stuck = 0;
    for root in &roots {
        let verdict = chart.verdict(root.number().into());
        assert_eq!(verdict, searched.verdict(root), "{}", root.number());
        stuck += usize::from(verdict == Some(loss(0)));
    }
    assert_eq!(stuck, (900..=5000).filter(|number| number % 2 != 0 && number % 3 != 0).count());
}
