//! The ladder of hints: each step is true, reveals less than the next, and appears only if it helps.

use proptest::prelude::*;
use spoton::engine::play::Move;
use spoton::solver::Value;
use spoton::teach::coach::{Hint, ladder};

use crate::support::cases;
use crate::truth::{After, Turn, follow, rounds};

fn ladder_is_true(turn: &Turn<'_>) -> Result<(), TestCaseError> {
    let moves = turn.moves();
    let value = turn.verdict().value;
    let hints = ladder(&turn.outlook);
    if moves == [(Move::Skip, turn.verdict())] {
        prop_assert_eq!(hints, vec![], "a turn that goes over needs no hint");
        return Ok(());
    }
    let keep = moves.iter().filter(|(_, worth)| worth.value == value).count();
    let mut rest = hints.iter();
    let first = rest.next().expect("there is something to choose");
    let expected = match moves.len() {
        1 => Hint::OnlyMove,
        moves if keep == moves => Hint::AllTheSame { moves, value },
        moves => Hint::Matters { keep, moves, value },
    };
    prop_assert_eq!(first, &expected);
    if let Hint::Matters { value, .. } = expected {
        prop_assert!(value != Value::Loss, "a loss that some moves keep and others do not");
    }

    let good = turn.numbers_of(|worth| worth == value);
    let bad = turn.numbers_of(|worth| worth != value);
    let best_ends = !matches!(turn.after(&turn.position, moves[0].0).1, After::On(_));
    let (mut asks, mut names) = (false, false);
    for hint in rest {
        match hint {
            Hint::WhatIf { on, leaves, goes_on } => {
                let gives = &(*on, *leaves);
                asks = true;
                prop_assert!(!names, "a question after the answer");
                prop_assert!(bad.contains(gives) && !good.contains(gives), "{gives:?} is not a mistake");
                let goes_on_there = |made: &(Move, _)| {
                    let (number, after) = turn.after(&turn.position, made.0);
                    let same = (turn.on(made.0), number) == *gives;
                    (same && made.1 != turn.verdict()).then_some(matches!(after, After::On(_)))
                };
                let ends: Vec<bool> = moves.iter().filter_map(goes_on_there).collect();
                prop_assert!(ends.contains(goes_on));
            }
            Hint::Stone { on, leaves } => {
                names = true;
                let gives = &(*on, *leaves);
                prop_assert!(good.contains(gives) && !bad.contains(gives), "{gives:?} shouldn't be left");
                prop_assert!(!best_ends, "a number to leave for nobody");
            }
            Hint::Proof { choice } => prop_assert_eq!(Move::Operation(*choice), moves[0].0),
            other => prop_assert!(false, "{other:?} is no further step"),
        }
    }
    // The ladder leaves out a step only if it would be misleading or reveal no less than the next one.
    let matters = matches!(expected, Hint::Matters { .. });
    let best_leaves = (turn.on(moves[0].0), turn.after(&turn.position, moves[0].0).0);
    prop_assert_eq!(asks, matters && bad.iter().any(|number| !good.contains(number)));
    prop_assert_eq!(names, matters && !best_ends && !bad.contains(&best_leaves));
    let proved = matches!(hints.last(), Some(Hint::Proof { .. }));
    prop_assert!(proved, "without the move itself");
    Ok(())
}

proptest! {
    #![proptest_config(cases(5000))]

    #[test]
    fn every_step_of_the_ladder_is_true(round in rounds()) {
        follow(round, ladder_is_true)?;
    }
}
