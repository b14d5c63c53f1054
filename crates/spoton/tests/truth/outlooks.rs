//! What a player can force, what each move is worth, and why.

use proptest::prelude::*;
use spoton::engine::play::Move;
use spoton::engine::position::Choice;
use spoton::people::coach::{Consequence, Reason};

use crate::support::cases;
use crate::{After, Turn, follow, rounds};

fn outlook_is_true(turn: &Turn<'_>) -> Result<(), TestCaseError> {
    let moves = turn.moves();
    let told: Vec<_> = turn.outlook.moves.iter().map(|judged| (judged.a_move, judged.verdict)).collect();
    prop_assert_eq!(&told, &moves);
    prop_assert_eq!(turn.outlook.verdict, turn.verdict());

    let choices = |moves: Vec<Move>| moves.into_iter().filter_map(Move::choice).collect::<Vec<Choice>>();
    let mut best =
        choices(moves.iter().filter(|(_, worth)| *worth == moves[0].1).map(|(made, _)| *made).collect());
    best.sort();
    prop_assert_eq!(turn.outlook.best().collect::<Vec<_>>(), best);

    let keepers: Vec<Move> = turn.outlook.keepers().map(|reason| reason.a_move).collect();
    let keep = moves.iter().filter(|(_, worth)| worth.value == turn.verdict().value);
    prop_assert_eq!(keepers, keep.map(|(made, _)| *made).collect::<Vec<_>>());
    Ok(())
}

fn reason_is_true(turn: &Turn<'_>, reason: &Reason) -> Result<(), TestCaseError> {
    let (number, after) = turn.after(&turn.position, reason.a_move);
    prop_assert_eq!(reason.leaves, number);
    match after {
        After::Over(outcome) => prop_assert_eq!(reason.then, Consequence::Over(outcome)),
        After::Repeats => prop_assert_eq!(reason.then, Consequence::Repeats),
        After::On(next) => {
            let answers = turn.truth.moves(&next);
            let (best, worth) = answers[0];
            // What is best for the other player is what the move was worth, seen from the other side.
            prop_assert_eq!(reason.verdict, worth.before_move());
            let (leaves, then) = turn.after(&next, best);
            let ends = !matches!(then, After::On(_));
            prop_assert_eq!(reason.then, Consequence::Answer { a_move: best, leaves, ends });
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(5000))]

    #[test]
    fn outlooks_and_their_reasons_are_true(round in rounds()) {
        follow(round, |turn| {
            outlook_is_true(turn)?;
            let moves: Vec<Move> = turn.outlook.moves.iter().map(|judged| judged.a_move).collect();
            let reasons = turn.outlook.reasons();
            prop_assert_eq!(reasons.iter().map(|reason| reason.a_move).collect::<Vec<_>>(), moves);
            for (reason, judged) in reasons.iter().zip(&turn.outlook.moves) {
                prop_assert_eq!(reason.verdict, judged.verdict);
                reason_is_true(turn, reason)?;
            }
            Ok(())
        })?;
    }
}
