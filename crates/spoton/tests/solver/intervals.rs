//! Targets of any size, tested from outside. The unit tests compare stretches (runs of numbers with a common pattern)
//! with tables.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spoton::engine::position::Player;
use spoton::evaluate::opponent::Opponent;
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solver::chart::position_at;
use spoton::solver::{Budget, Solver, Unsolved, Value};
use spoton::teach::coach::Pattern;
use spoton::teach::map::{Mark, Picture};

use crate::solver::{shipped, solved};
use crate::support::{book, played};

/// The largest number.
const MOST: i64 = 1_000_000_000_000_000_000;

fn to_target(id: &str, target: i64) -> Arc<Rulebook> {
    let draft = shipped(id).set_target("--target", &target.to_string());
    Arc::new(draft.build().unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// The first player wins exactly if the target is a sum of distinct odd powers of 2.
#[test]
fn the_starter_wins_if_all_bits_are_in_odd_places() {
    let mut chance = ChaCha8Rng::seed_from_u64(14);
    let odd_places = 0x2AAA_AAAA_AAAA_AAAA_i64;
    let mut targets = vec![MOST, MOST - 1, MOST - 2, 1 << 59, (1 << 59) - 1, (1 << 59) + 2, odd_places >> 4];
    for _ in 0..1000 {
        let size = chance.random_range(2..60);
        let target: i64 = chance.random_range(2..=MOST.min(1 << size));
        // At random targets, the first player almost never wins.
        targets.extend([
            target,
            (target & odd_places).max(2),
            (target & odd_places) | 1,
            (target & odd_places) + 4,
        ]);
    }
    for target in targets.into_iter().filter(|target| (2..=MOST).contains(target)) {
        let wins = target & !odd_places == 0;
        for id in ["number-maze", "double-or-add"] {
            let rulebook = to_target(id, target);
            // A budget too small for a table, whatever the target.
            let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(1 << 20)).unwrap();
            let verdict = solver.verdict(&rulebook.opening(Player::One)).unwrap();
            assert_eq!(verdict.value == Value::Win, wins, "{id} to {target}");
            assert!(verdict.remoteness().is_some());
        }
    }
}

/// The two games have the same value and length, even at sizes that no one could play.
#[test]
fn two_games_agree_wherever_they_are_asked() {
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..20 {
        let target = chance.random_range(MOST / 2..=MOST);
        let [maze, double] = ["number-maze", "double-or-add"].map(|id| to_target(id, target));
        let solvers = [&maze, &double].map(solved);
        for _ in 0..200 {
            let size = chance.random_range(1..60);
            let number = chance.random_range(1..target.min(1 << size).max(2));
            let verdict =
                |book, solver: &Solver| solver.verdict(&position_at(book, number).unwrap()).unwrap();
            assert_eq!(verdict(&maze, &solvers[0]), verdict(&double, &solvers[1]), "{number} of {target}");
        }
    }
}

/// The display: a map by stretches, and a pattern that lists only numbers worth leaving.
#[test]
fn maps_and_patterns_are_true() {
    let mut chance = ChaCha8Rng::seed_from_u64(2);
    let sets = ["'+1', 'x2'", "'+1..3', 'x2', 'x3'", "'+1', 'x3'", "'+2', '+5', 'x2'", "'+1..4'"];
    for moves in sets {
        for target in [MOST, MOST - 1, chance.random_range(MOST / 3..MOST)] {
            let text = format!("title = 'T'\nstart = 1\ntarget = {target}\nmoves = [{moves}]");
            let rulebook = book(&text);
            let game = SolvedGame::new(Arc::clone(&rulebook));
            let mut budget = Budget::patient(1 << 26);
            let solver = game.solver(&mut budget).unwrap();
            let value = |number: i64| solver.verdict(&position_at(&rulebook, number).unwrap()).unwrap().value;
            let map = game.map(None, &mut budget).unwrap();
            let Picture::Ranges(ranges) = &map.picture else { panic!("not a map of stretches") };
            assert_eq!((ranges[0].from, ranges[ranges.len() - 1].to), (1, target - 1));
            for (piece, next) in ranges.iter().zip(ranges.iter().skip(1)) {
                assert_eq!(piece.to + 1, next.from);
            }
            for piece in ranges {
                for _ in 0..20 {
                    let number = chance.random_range(piece.from..=piece.to);
                    let mark = piece.pattern[((number - piece.from) % piece.pattern.len() as i64) as usize];
                    let expected = match value(number) {
                        Value::Win => Mark::Win,
                        // Nobody can leave the start.
                        _ if number == 1 => Mark::Loss,
                        _ => Mark::Stone,
                    };
                    assert_eq!(mark, expected, "{number} of {target}: {moves}");
                }
            }
            for _ in 0..50 {
                let size = chance.random_range(1..60);
                let number = chance.random_range(1..target.min(1 << size).max(2));
                let pattern = game.pattern(number.into(), &mut budget).unwrap();
                let Some(Pattern { from, every, to, kind: None, .. }) = pattern else { continue };
                assert!(from >= 1 && to < target && (from..=to).contains(&number));
                assert_eq!(((number - from) % every, (to - from) % every), (0, 0));
                let steps = (to - from) / every;
                let some = (0..40).map(|_| chance.random_range(0..=steps));
                for step in some.chain(0..=steps.min(40)).chain((steps - 40).max(0)..=steps) {
                    assert_eq!(value(from + step * every), Value::Loss, "{number} of {target}: {moves}");
                }
            }
        }
    }
}

/// If the moves can't be counted, their number is reported as unknown. The winner is still known.
#[test]
fn an_unknown_number_of_moves_is_never_guessed() {
    let rulebook = book(&format!(
        "title = 'Hard'\nstart = 1\ntarget = {MOST}\nmoves = ['+2', '+5', '+7', 'x2', 'x3']\npast = 'forbidden'"
    ));
    let opening = rulebook.opening(Player::One);
    let counted = solved(&rulebook).verdict(&opening).unwrap();
    assert!(counted.remoteness().is_some());
    // With less memory, the values still fit. With even less, nothing does.
    let mut kinds = [0; 3];
    for kibibytes in (500..9000).step_by(50) {
        let solver = Solver::new(Arc::clone(&rulebook), &mut Budget::patient(kibibytes << 10));
        let verdict = match solver {
            Err(Unsolved::TooLarge { needs, .. }) => {
                // The refusal gives the size of a table.
                assert!(needs > 4 * MOST as u128);
                kinds[0] += 1;
                continue;
            }
            Err(why) => panic!("{why}"),
            Ok(solver) => {
                let verdict = solver.verdict(&opening).unwrap();
                for judged in solver.moves(&opening) {
                    assert_eq!(judged.verdict.is_of_unknown_length(), verdict.is_of_unknown_length());
                }
                let best = solver.moves(&opening)[0].verdict;
                assert_eq!((best.value, best.remoteness()), (verdict.value, verdict.remoteness()));
                if verdict.is_of_unknown_length() {
                    let [perfect, sound] = ["perfect", "sound"].map(|id| Opponent::parse(id).unwrap());
                    assert_eq!(perfect.chances(&rulebook, &opening, Some(&solver)), None);
                    let chances = sound.chances(&rulebook, &opening, Some(&solver)).unwrap();
                    for (choice, _) in chances.iter() {
                        let a_move = spoton::engine::play::Move::Operation(choice);
                        assert_eq!(solver.move_verdict(&opening, a_move).unwrap().value, verdict.value);
                    }
                }
                verdict
            }
        };
        assert_eq!(verdict.value, counted.value);
        match verdict.is_of_unknown_length() {
            true => kinds[1] += 1,
            false => {
                assert_eq!(verdict, counted);
                kinds[2] += 1;
            }
        }
        assert_eq!(verdict.remoteness().is_none(), verdict.is_of_unknown_length());
    }
    assert!(kinds.iter().all(|kind| *kind > 0), "{kinds:?}");
}

/// Reviews work, but refuse rounds that would take too long.
#[test]
fn rounds_without_end_can_be_asked_about() {
    let rulebook = to_target("number-maze", MOST - 1);
    let game = SolvedGame::new(Arc::clone(&rulebook));
    assert_eq!(game.length_beyond_patience(), Some(17));
    assert_eq!(SolvedGame::new(to_target("number-maze", 20)).length_beyond_patience(), None);
    let mut budget = Budget::patient(1 << 20);
    let mut round = played(&rulebook, "+1 x2 x2");
    round.resign(Player::One);
    let review = game.review(&round, &mut budget).unwrap();
    // 4 wasn't worth leaving, and 8 gave the win back.
    assert_eq!(review.opening.value, Value::Loss);
    assert_eq!(review.turning_point().map(|(place, _)| place), Some(2));
    // There are too many positions altogether, and the solver knows that right away.
    assert!(matches!(game.ladder(&mut budget), Err(Unsolved::TooLarge { reached: 0, .. })));
    assert!(matches!(game.audit(&mut budget), Err(Unsolved::TooLarge { reached: 0, .. })));
}
