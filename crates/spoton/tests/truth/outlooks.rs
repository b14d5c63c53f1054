//! The result that a player can force, each move's value, and why.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::Move;
use spoton::engine::position::{Choice, Player};
use spoton::engine::round::Round;
use spoton::format::catalog;
use spoton::solved::outlook::{Consequence, Foresight, Outlook, Reason};
use spoton::solver::{Budget, Solver};

use crate::solver::books::{books, circles};
use crate::solver::brute::Brute;
use crate::support::{any_move, book, cases, choice, finished, played};
use crate::truth::richer::richer;
use crate::truth::{After, Turn, follow, generous, rounds};

fn outlook_is_true(turn: &Turn<'_>) -> Result<(), TestCaseError> {
    let moves = turn.moves();
    let told: Vec<_> = turn.outlook.moves.iter().map(|judged| (judged.a_move, judged.verdict)).collect();
    prop_assert_eq!(&told, &moves);
    prop_assert_eq!(turn.outlook.verdict, turn.verdict());

    let choices = |moves: Vec<Move>| moves.into_iter().filter_map(Move::choice).collect::<Vec<Choice>>();
    let mut best =
        choices(moves.iter().filter(|(_, worth)| *worth == moves[0].1).map(|(made, _)| *made).collect());
    best.sort_by_key(|choice| turn.rulebook.legal(&turn.position).iter().position(|known| known == *choice));
    prop_assert_eq!(turn.outlook.best().collect::<Vec<_>>(), best);

    let keepers: Vec<Move> = turn.outlook.keepers().map(|reason| reason.a_move).collect();
    let keep = moves.iter().filter(|(_, worth)| worth.value == turn.verdict().value);
    prop_assert_eq!(keepers, keep.map(|(made, _)| *made).collect::<Vec<_>>());
    Ok(())
}

fn reason_is_true(turn: &Turn<'_>, reason: &Reason) -> Result<(), TestCaseError> {
    let (number, after) = turn.after(&turn.position, reason.a_move);
    prop_assert_eq!((reason.on, reason.leaves), (turn.on(reason.a_move), number));
    match after {
        After::Over(outcome) => prop_assert_eq!(reason.then, Consequence::Over(outcome)),
        After::Repeats => prop_assert_eq!(reason.then, Consequence::Repeats),
        After::On(next) => {
            let answers = turn.truth.moves(&next);
            let (best, worth) = answers[0];
            // The opponent's best result is the move's value, seen from the other side.
            prop_assert_eq!(reason.verdict, worth.before_move());
            let (leaves, then) = turn.after(&next, best);
            let ends = !matches!(then, After::On(_));
            prop_assert_eq!(
                reason.then,
                Consequence::Answer { a_move: best, on: turn.on(best), leaves, ends }
            );
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

/// A small game with cycles, so earlier positions matter.
const CIRCLES: &str = "title = 'T'\nstart = 2\ntarget = 5\nrange = [0, 5]\npast = 'forbidden'\nwinning = [1]\n\
                       moves = ['+2', '-1', '/2']\n";

/// Caches from turn to turn and from round to round never change a sentence.
#[test]
fn caches_never_change_an_outlook() {
    let mut turns = 0;
    for rules in ["repetition = 2", "repetition = 3", "no_repeat = 'own'\nrepetition = 2"] {
        let rulebook = book(&format!("{CIRCLES}{rules}"));
        let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
        let mut foresight = Foresight::default();
        for line in 0..64_usize {
            let mut round = Round::new(Arc::clone(&rulebook), Player::One);
            for turn in 0..12 {
                let known = generous(|budget| foresight.outlook(&round, &solver, budget));
                let fresh = generous(|budget| Outlook::for_round(&round, &solver, budget));
                let said = |outlook: &Option<Outlook>| {
                    let outlook = outlook.as_ref()?;
                    Some((outlook.verdict, outlook.moves.clone(), outlook.reasons().to_vec()))
                };
                assert_eq!(said(&known), said(&fresh), "line {line}, turn {turn}, {rules}");
                let Some(a_move) = any_move(&round, line >> (turn % 6)) else { break };
                round.play(a_move).expect("the move is legal");
                turns += 1;
            }
        }
    }
    assert!(turns > 300, "only {turns} turns");
}

/// Holds only a game that the house rule has changed, and counts all of its memory.
#[test]
fn cached_memory_is_counted() {
    let mut foresight = Foresight::default();
    assert_eq!(foresight.bytes(), 0);
    let maze = finished(&catalog::draft("number-maze").expect("the game is shipped"));
    let solver = generous(|budget| Solver::new(Arc::clone(&maze), budget));
    generous(|budget| foresight.outlook(&played(&maze, "+1 x2"), &solver, budget))
        .expect("the round isn't over");
    assert_eq!(foresight.bytes(), 0, "nothing comes up twice in a game that goes one way");

    let circles = book(&format!("{CIRCLES}repetition = 2"));
    let solver = generous(|budget| Solver::new(Arc::clone(&circles), budget));
    let round = played(&circles, "+2");
    generous(|budget| foresight.outlook(&round, &solver, budget)).expect("the round isn't over");
    let changed = generous(|budget| {
        Solver::from_positions(Arc::clone(&circles), [*round.position()], round.drawn_next_time(), budget)
    });
    assert!(foresight.bytes() >= changed.bytes(), "the positions, their worth, and the moves between them");
    assert!(changed.bytes() > 1);
}

proptest! {
    #![proptest_config(cases(600))]

    /// A solution revised from turn to turn, and from one round to the next, equals the game solved from scratch.
    #[test]
    fn a_revised_game_equals_the_game_solved_again(
        text in prop_oneof![2 => books(), 3 => circles(), 2 => richer()],
        lines in vec(vec(any::<u8>(), 1..40), 1..4),
    ) {
        let rulebook = book(&text);
        if Brute::new(&rulebook, 3000).is_none() {
            return Ok(());
        }
        let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
        let mut foresight = Foresight::default();
        for line in lines {
            let mut round = Round::new(Arc::clone(&rulebook), Player::One);
            for pick in line {
                let outlook = generous(|budget| foresight.outlook(&round, &solver, budget));
                let Some(outlook) = outlook else { break };
                let (position, drawn) = (*round.position(), round.drawn_next_time());
                let anew =
                    generous(|budget| Solver::from_positions(Arc::clone(&rulebook), [position], drawn, budget));
                prop_assert_eq!(&outlook.moves, &anew.moves(&position));
                prop_assert_eq!(Some(outlook.verdict), anew.verdict(&position));
                // A longer round has more repetitions.
                let lasts = |a_move: &Move| rulebook.ends_at_once(&position, *a_move).is_none();
                let moves: Vec<Move> = outlook.moves.iter().map(|judged| judged.a_move).collect();
                let lasting: Vec<Move> = moves.iter().copied().filter(lasts).collect();
                let moves = if lasting.is_empty() { moves } else { lasting };
                round.play(moves[usize::from(pick) % moves.len()]).expect("the move is legal");
                if pick % 16 == 0 {
                    round.undo();
                }
            }
        }
    }
}

/// After positions repeat, the solver searches the whole game only once, and every further query takes a few steps. The
/// test counts steps: the solver checks the budget every few thousand of them.
#[test]
fn a_question_after_a_repeat_does_not_solve_the_game_again() {
    let rulebook = book(
        "title = 'T'\nnumbers = 'separate'\nstart = 0\nrange = [-40, 40]\nwinning = [39]\n\
         moves = ['+1', '-1', 'x2', '/2', '+7', '-13']\nrepetition = 2\n",
    );
    let solver = generous(|budget| Solver::new(Arc::clone(&rulebook), budget));
    let mut foresight = Foresight::default();
    let mut round = Round::new(Arc::clone(&rulebook), Player::One);
    let mut asked = Vec::new();
    for line in
        ["+1", "+1", "x2", "-1", "+1", "/2", "+7", "+1", "-13", "+1", "+7", "-1", "-1", "x2"].repeat(4)
    {
        let mut questions = 0;
        let mut count = |_| {
            questions += 1;
            true
        };
        foresight
            .outlook(&round, &solver, &mut Budget::new(1 << 30, &mut count))
            .expect("the game is solved");
        asked.push(questions);
        if round.outcome().is_some() || round.play(Move::Operation(choice(&rulebook, line))).is_err() {
            break;
        }
    }
    let most = asked.iter().max().copied().unwrap_or_default();
    assert!(most >= 10, "one question searches the game: {asked:?}");
    assert_eq!(asked.iter().filter(|questions| **questions > most / 4).count(), 1, "{asked:?}");
}
