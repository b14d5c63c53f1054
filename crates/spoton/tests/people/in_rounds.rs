//! Opponents within a round, where history matters.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::{Choice, Player, Position};
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::Rulebook;
use spoton::solved::outlook::Outlook;
use spoton::solver::{Solver, Value, Verdict};

use crate::people::{any_book, books, generous, legal, named, shipped, solved};
use crate::solver::brute::Brute;
use crate::support::{any_move, book, cases};

/// The possible choices in a round, in book order.
fn chances(opponent: Opponent, round: &Round, solver: &Solver, outlook: &Outlook) -> Vec<(Choice, f64)> {
    let chances = opponent.chances_in_round(round, Some(solver), Some(outlook)).expect("the game is solved");
    let mut chances: Vec<(Choice, f64)> = chances.iter().collect();
    chances.sort_by_key(|(choice, _)| *choice);
    chances
}

/// The invariants of a turn.
fn check(round: &Round, solver: &Solver) {
    let (rulebook, position) = (round.rulebook(), round.position());
    let legal = legal(rulebook, position);
    if round.outcome().is_some() || legal.is_empty() {
        return;
    }
    let brute = Brute::from(rulebook, &[*position], &round.drawn_next_time(), usize::MAX)
        .expect("the search has no limit");
    let judged: Vec<(Choice, Verdict)> = brute
        .moves(position)
        .into_iter()
        .filter_map(|(a_move, verdict)| Some((a_move.choice()?, verdict)))
        .collect();
    let best = judged[0].1;
    let worth =
        |choice: Choice| judged.iter().find(|(known, _)| *known == choice).expect("the move is legal").1;
    let outlook = generous(|budget| Outlook::for_round(round, solver, budget)).expect("the round isn't over");
    let here = || {
        let numbers: Vec<i64> = round.history().iter().map(|ply| ply.before.number()).collect();
        format!("at {} after {numbers:?}, {}", position.number(), rulebook.rules_line())
    };

    for opponent in Opponent::all() {
        let chances = chances(opponent, round, solver, &outlook);
        let distinct: HashSet<Choice> = chances.iter().map(|(choice, _)| *choice).collect();
        assert_eq!(distinct.len(), chances.len(), "{opponent} {}", here());
        assert!(distinct.iter().all(|choice| legal.contains(choice)), "{opponent} {}", here());
        let sum: f64 = chances.iter().map(|(_, chance)| chance).sum();
        assert!(
            (sum - 1.0).abs() < 1e-12 && chances.iter().all(|(_, chance)| *chance > 0.0),
            "{opponent} {}",
            here()
        );
    }

    // The reference players, including the house rule.
    let mut perfect: Vec<Choice> =
        judged.iter().filter(|(_, verdict)| *verdict == best).map(|(choice, _)| *choice).collect();
    perfect.sort();
    let chosen = |name: &str| -> Vec<Choice> {
        chances(named(name), round, solver, &outlook).into_iter().map(|(choice, _)| choice).collect()
    };
    assert_eq!(chosen("perfect"), perfect, "{}", here());

    // The strongest opponent gives nothing away and doesn't repeat positions unnecessarily.
    let sage = chosen("sage");
    for choice in &sage {
        assert_eq!(worth(*choice).value, best.value, "sage {}", here());
    }
    let comes_back = |choice: &Choice| match rulebook.play(position, Move::Operation(*choice)) {
        Ok(Step::On(next)) => round.history().iter().any(|ply| ply.before == next),
        _ => false,
    };
    let draws =
        || judged.iter().filter(|(_, verdict)| verdict.value == Value::Draw).map(|(choice, _)| choice);
    if best.value == Value::Draw && !draws().all(comes_back) {
        assert!(!sage.iter().any(comes_back), "sage goes in circles {}", here());
    }
}

fn along(rulebook: &Arc<Rulebook>, first: Player, picks: &[u8]) {
    let solver = solved(rulebook);
    let mut round = Round::new(Arc::clone(rulebook), first);
    for pick in picks {
        check(&round, &solver);
        let Some(a_move) = any_move(&round, usize::from(*pick)) else { break };
        round.play(a_move).expect("the move is legal");
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_opponent_in_rounds_of_random_books(text in any_book(), picks in vec(any::<u8>(), 0..15)) {
        let rulebook = book(&text);
        if Brute::new(&rulebook, 150).is_some() {
            along(&rulebook, Player::One, &picks);
        }
    }

    #[test]
    fn everybody_in_circles(text in books::circles(), picks in vec(any::<u8>(), 0..15)) {
        prop_assume!(crate::support::read(&text).build().is_ok());
        along(&book(&text), Player::Two, &picks);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn every_opponent_plays_games_without_an_end(
        subtract in any::<bool>(),
        picks in vec(any::<u8>(), 0..25),
    ) {
        let name = if subtract { "double-or-add/subtract" } else { "target-twenty-one" };
        along(&shipped(name), Player::One, &picks);
    }
}

/// In a drawn game with alternatives, two of the strongest opponents repeat a position only if every other move loses.
#[test]
fn strong_opponents_avoid_repeating_a_drawn_position() {
    // At 2, both +1 and -1 draw; 1 was visited before.
    let rulebook = book("title = 'T'\nstart = 1\nrange = [0, 9]\nmoves = ['+1', '-1']\nrepetition = 0");
    let solver = solved(&rulebook);
    let mut round = Round::new(Arc::clone(&rulebook), Player::One);
    round.play(any_move(&round, 0).expect("+1")).expect("the move is legal");
    round.play(any_move(&round, 1).expect("-1")).expect("the move is legal");
    // Back at 1: play has visited 2, but not 0.
    let outlook =
        generous(|budget| Outlook::for_round(&round, &solver, budget)).expect("the round isn't over");
    let sage = chances(named("sage"), &round, &solver, &outlook);
    let numbers: Vec<i128> = sage
        .iter()
        .map(|(choice, _)| rulebook.result(round.position(), *choice).expect("the move is legal"))
        .collect();
    assert_eq!(numbers, [0]);
    // Without history, both moves are equal.
    let position: Position = *round.position();
    let without = named("sage").chances(&rulebook, &position, Some(&solver)).expect("the game is solved");
    assert_eq!(without.iter().count(), 2);
}
