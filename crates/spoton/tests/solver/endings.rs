//! Perfect play by both players ends as predicted.

use std::sync::Arc;

use proptest::prelude::*;
use spoton::engine::play::{Ending, Move};
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::Rulebook;
use spoton::solved::outlook::Outlook;
use spoton::solver::{Value, Verdict};

use crate::solver::books::books;
use crate::solver::brute::Brute;
use crate::solver::{everything, generous, solved, varied};
use crate::support::{book, cases, finished};

/// Plays a perfect round. The picks choose among equally good moves. Stops after `most` moves.
fn perfect(rulebook: &Arc<Rulebook>, picks: u64, most: usize) -> Round {
    let solver = solved(rulebook);
    let mut round = Round::new(Arc::clone(rulebook), Player::One);
    let mut picks = picks | 1;
    while round.history().len() < most {
        let outlook = generous(|budget| Outlook::for_round(&round, &solver, budget));
        let Some(outlook) = outlook else { break };
        picks = picks.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let best: Vec<_> = outlook.best().collect();
        let chosen = match best.len() {
            0 => Move::Skip,
            count => Move::Operation(best[(picks >> 33) as usize % count]),
        };
        round.play(chosen).expect("the move is legal");
    }
    round
}

/// A perfect round must end as the opening's verdict predicts.
fn as_foretold(round: &Round, verdict: Verdict) -> Result<(), TestCaseError> {
    let outcome = round.outcome().expect("the round is over");
    let expected = match verdict.value {
        Value::Win => Some(Player::One),
        Value::Loss => Some(Player::Two),
        Value::Draw => None,
    };
    prop_assert_eq!(outcome.winner, expected);
    if let Some(moves) = verdict.remoteness() {
        prop_assert_eq!(round.history().len() as u64, moves);
    }
    Ok(())
}

#[test]
fn perfect_rounds_of_the_shipped_games_end_as_foretold() {
    for (id, variant) in everything() {
        let rulebook = finished(&varied(id, &variant));
        let verdict = solved(&rulebook).verdict(&rulebook.opening(Player::One)).expect("the opening");
        for picks in 0..5 {
            let round = perfect(&rulebook, picks, 10_000);
            as_foretold(&round, verdict).unwrap_or_else(|why| panic!("{id} {variant}: {why}"));
            if verdict == Verdict::DRAW {
                assert_eq!(round.outcome().map(|outcome| outcome.ending), Some(Ending::Repetition));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn perfect_rounds_end_as_foretold(text in books(), picks in any::<u64>()) {
        let rulebook = book(&text);
        let Some(brute) = Brute::new(&rulebook, 150) else { return Ok(()) };
        let verdict = brute.verdict(&rulebook.opening(Player::One));
        // Each position may occur fewer times than the house rule's limit, plus once more.
        let times = rulebook.repetition().map(usize::from);
        let longest = brute.len() * times.unwrap_or(1) + 1;
        let round = perfect(&rulebook, picks, longest);
        if times.is_some() || verdict != Verdict::DRAW {
            as_foretold(&round, verdict)?;
        }
    }
}
