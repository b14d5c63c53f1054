//! A depth-limited search proves exactly those results that the solution reaches within that depth.

use std::sync::Arc;

use spoton::engine::position::Position;
use spoton::format::{Draft, Rulebook};
use spoton::solver::{Budget, Horizon, Solver, Unsolved, Value, best_seen, survey};

use crate::random_books::random_book;
use crate::solver::{everything, generous, support, varied};

/// Compares some of a game's positions. Returns how many.
fn compare(rulebook: &Arc<Rulebook>, name: &str) -> usize {
    const MOST: usize = 150;
    let few = &mut Budget::patient(4 << 20);
    let Ok(all) = survey(rulebook, few) else { return 0 };
    let Ok(solver) = Solver::new(Arc::clone(rulebook), few) else { return 0 };
    let mut horizon = Horizon::new(Arc::clone(rulebook));
    let step = all.len().div_ceil(MOST).max(1);
    let positions: Vec<Position> = all.step_by(step).map(|(position, _)| position).collect();
    for position in &positions {
        for moves in [1, 2, 3, 5] {
            let seen = generous(|budget| horizon.moves(position, moves, budget));
            assert_eq!(seen.len(), rulebook.situation(position).moves().count());
            for seen in &seen {
                let truth = solver.move_verdict(position, seen.a_move).unwrap();
                let at = || format!("{name} {} {moves}", rulebook.position_text(position));
                match (truth.remoteness(), seen.verdict) {
                    (Some(remoteness), Some(proved)) if remoteness <= moves.into() => {
                        assert_eq!(proved, truth, "{}", at());
                    }
                    (None, Some(proved)) => assert_eq!(proved.value, Value::Draw, "{}", at()),
                    (Some(remoteness), None) => assert!(remoteness > moves.into(), "{}", at()),
                    (None, None) => {}
                    (Some(_), Some(_)) => panic!("{}: beyond the horizon", at()),
                }
            }
            if let Some(best) = best_seen(&seen) {
                assert_eq!(Some(best), solver.moves(position).first().map(|judged| judged.verdict));
            }
        }
    }
    positions.len()
}

#[test]
fn every_value_shown_is_the_solution() {
    let mut compared = 0;
    for (id, variant) in everything() {
        compared += compare(&support::finished(&varied(id, &variant)), id);
    }
    for number in 0..400 {
        let book = random_book(number);
        if let Ok(rulebook) = Draft::read("random.toml", &book.text).build() {
            compared += compare(&Arc::new(rulebook), &book.text);
        }
    }
    assert!(compared > 5_000, "{compared}");
}

#[test]
fn a_horizon_keeps_to_its_budget_and_can_be_cancelled() {
    let text = "title = 'T'\nnumbers = 'separate'\nstart = 1\ntarget = 1000000\nmoves = ['+1..9', 'x2']";
    let book = support::book(text);
    let opening = book.read_position("1,1;1").unwrap();
    let mut horizon = Horizon::new(Arc::clone(&book));
    let refused = horizon.moves(&opening, 9, &mut Budget::patient(100_000));
    assert!(matches!(refused, Err(Unsolved::TooLarge { .. })), "{refused:?}");
    let mut stop = |_| false;
    let stopped = Horizon::new(book).moves(&opening, 9, &mut Budget::new(1 << 30, &mut stop));
    assert!(matches!(stopped, Err(Unsolved::Stopped { .. })), "{stopped:?}");
}
