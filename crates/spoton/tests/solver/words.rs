//! No sentence is false: the facts behind every hint, reason, pattern and answer to an idea, against brute force.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::chart::{Chart, number_alone_decides};
use spoton::coach::{Hint, Outlook, Pattern, Then, Words, ladder};
use spoton::idea::{self, Answer, Fails, Idea};
use spoton::play::{Move, Step};
use spoton::position::Player;
use spoton::round::Round;
use spoton::rulebook::Rulebook;
use spoton::solver::{Budget, Value};

use crate::books::books;
use crate::brute::{Brute, moves_of};
use crate::support::{any_move, book, cases, read};
use crate::{generous, solved};

const MOST: usize = 600;

/// The number that a legal move gives.
fn number_after(rulebook: &Rulebook, round: &Round, a_move: Move) -> i128 {
    let turn = round.position().turn();
    match rulebook.play(round.position(), a_move) {
        Ok(Step::Over { number, .. }) => number,
        Ok(Step::On(next)) => i128::from(next.number_of(turn)),
        Err(why) => panic!("{why:?}"),
    }
}

/// Holds everything that is said on a turn against brute force.
fn check_turn(round: &Round, outlook: &Outlook, brute: &Brute) -> Result<(), TestCaseError> {
    let (rulebook, position) = (round.rulebook(), round.position());
    let truth = brute.moves(position);
    let best = truth[0].1;
    prop_assert_eq!(outlook.verdict, best);
    let reasons = outlook.reasons();
    prop_assert_eq!(reasons.len(), truth.len());
    for (reason, (a_move, verdict)) in reasons.iter().zip(&truth) {
        prop_assert_eq!((reason.a_move, reason.verdict), (*a_move, *verdict));
        prop_assert_eq!(reason.leaves, number_after(rulebook, round, reason.a_move));
        match reason.then {
            Then::Over(outcome) => {
                prop_assert_eq!(rulebook.ends_at_once(position, reason.a_move), Some(outcome));
            }
            Then::Repeats => prop_assert!(false, "nothing has come up before"),
            Then::Answer { a_move: answer, leaves, ends } => {
                let Ok(Step::On(next)) = rulebook.play(position, reason.a_move) else {
                    panic!("the round goes on")
                };
                let answers = brute.moves(&next);
                let (_, worth) = answers.iter().find(|(known, _)| *known == answer).expect("a legal answer");
                prop_assert_eq!(*worth, answers[0].1, "the best answer");
                // A bad move is refuted by it.
                prop_assert_eq!(reason.verdict.value == Value::Loss, worth.value == Value::Win);
                prop_assert_eq!(rulebook.ends_at_once(&next, answer).is_some(), ends);
                let mut after = Round::without_house_rule(Arc::clone(rulebook), round.first());
                for ply in round.history() {
                    after.play(ply.a_move).expect("played before");
                }
                after.play(reason.a_move).expect("a legal move");
                prop_assert_eq!(leaves, number_after(rulebook, &after, answer));
            }
        }
    }
    let worth_of = |leaves: i128| -> Vec<Value> {
        reasons.iter().filter(|reason| reason.leaves == leaves).map(|reason| reason.verdict.value).collect()
    };
    let keeping = truth.iter().filter(|(_, verdict)| verdict.value == best.value).count();
    let words = Words { rulebook, turn: position.turn() };
    for hint in ladder(outlook) {
        prop_assert!(!words.hint(&hint, outlook).is_empty());
        match hint {
            Hint::OnlyMove => prop_assert_eq!(truth.len(), 1),
            Hint::AllTheSame { moves, value } => {
                prop_assert_eq!((moves, keeping, value), (truth.len(), truth.len(), best.value));
            }
            Hint::Matters { keep, moves, value } => {
                prop_assert_eq!((keep, moves, value), (keeping, truth.len(), best.value));
                prop_assert!(keep < moves);
            }
            Hint::WhatIf { leaves, goes_on } => {
                let values = worth_of(leaves);
                prop_assert!(!values.is_empty() && values.iter().any(|value| *value < best.value));
                let ends = |reason: &&spoton::coach::Reason| matches!(reason.then, Then::Over(_));
                let asked = reasons.iter().filter(|r| r.leaves == leaves && r.verdict.value < best.value);
                prop_assert!(asked.filter(|reason| !ends(reason)).count() > 0 || !goes_on);
            }
            Hint::Stone { leaves } => {
                let values = worth_of(leaves);
                prop_assert!(!values.is_empty() && values.iter().all(|value| *value == best.value));
            }
            Hint::Proof { choice } => {
                let (_, verdict) =
                    truth.iter().find(|(a_move, _)| *a_move == Move::Operation(choice)).expect("legal");
                prop_assert_eq!(*verdict, best);
            }
        }
    }
    Ok(())
}

/// What a number is worth to whoever is on turn there, by a game that begins there.
fn worth_at(text: &str, number: i64, (low, high): (i64, i64)) -> Option<Value> {
    let draft =
        read(text).set("--set", &format!("range={low},{high}")).set("--set", &format!("start={number}"));
    let rulebook = draft.finish().ok()?;
    Some(Brute::new(&rulebook, 4 * MOST)?.verdict(&rulebook.opening(Player::One)).value)
}

/// Whether some move from somewhere leads to a number, and the round goes on there.
fn can_be_left(rulebook: &Rulebook, chart: &Chart, number: i64) -> bool {
    let on_turn = chart.numbers().filter(|(from, verdict)| verdict.is_some() || *from == rulebook.start().0);
    on_turn.map(|(from, _)| spoton::chart::position_at(rulebook, from).expect("the number alone decides")).any(|position| {
        moves_of(rulebook, &position).iter().any(|a_move| {
            let ends = rulebook.ends_at_once(&position, *a_move).is_some();
            matches!(rulebook.play(&position, *a_move), Ok(Step::On(next)) if next.number() == number && !ends)
        })
    })
}

/// Whether every line in which one player follows the numbers ends with that player winning.
fn always_wins(
    rulebook: &Rulebook,
    numbers: &BTreeSet<i64>,
    at: i64,
    follows: bool,
    path: &mut Vec<(i64, bool)>,
) -> bool {
    if path.contains(&(at, follows)) {
        return false;
    }
    let position = spoton::chart::position_at(rulebook, at).expect("the number alone decides");
    let moves = moves_of(rulebook, &position);
    let outcome = |a_move: &Move| rulebook.ends_at_once(&position, *a_move).map(|outcome| outcome.winner);
    if follows && moves.iter().any(|a_move| outcome(a_move) == Some(Some(Player::One))) {
        return true;
    }
    path.push((at, follows));
    let on = |a_move: &Move| match (outcome(a_move), rulebook.play(&position, *a_move)) {
        (None, Ok(Step::On(next))) => Some(next.number()),
        _ => None,
    };
    let wins = if follows {
        let left: Vec<i64> = moves.iter().filter_map(on).filter(|next| numbers.contains(next)).collect();
        !left.is_empty() && left.iter().all(|next| always_wins(rulebook, numbers, *next, false, path))
    } else {
        moves.iter().all(|a_move| match on(a_move) {
            Some(next) => always_wins(rulebook, numbers, next, true, path),
            None => outcome(a_move) == Some(Some(Player::Two)),
        })
    };
    path.pop();
    wins
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn everything_that_is_said_on_a_turn_is_true(text in books(), picks in vec(any::<u8>(), 0..8)) {
        let rulebook = book(&text);
        let Some(brute) = Brute::new(&rulebook, MOST) else { return Ok(()) };
        let solver = solved(&rulebook);
        // The history is another matter, held against the truth beside this.
        let mut round = Round::without_house_rule(Arc::clone(&rulebook), Player::One);
        for pick in picks {
            let Some(outlook) = generous(|budget| Outlook::of(&round, &solver, budget)) else { break };
            check_turn(&round, &outlook, &brute)?;
            let Some(a_move) = any_move(&round, pick.into()) else { break };
            round.play(a_move).expect("a legal move");
        }
    }

    #[test]
    fn charts_patterns_and_ideas_are_true(text in books(), named in vec(-12_i64..40, 1..5)) {
        let rulebook = book(&text);
        let Some(chart) = generous(|budget| Chart::of(&rulebook, budget)) else {
            prop_assert!(!number_alone_decides(&rulebook));
            return Ok(());
        };
        if chart.highest().abs_diff(chart.lowest()) > 60 {
            return Ok(());
        }
        for (number, verdict) in chart.numbers() {
            let (Some(verdict), Some(worth)) = (verdict, worth_at(&text, number, rulebook.range())) else { continue };
            prop_assert_eq!(verdict.value, worth, "at {}", number);
            if let Some(pattern) = Pattern::around(&chart, i128::from(number)) {
                prop_assert!(pattern.numbers().any(|spoken_of| spoken_of == number));
                for spoken_of in pattern.numbers() {
                    prop_assert!(chart.is_stone(i128::from(spoken_of)), "{} speaks of {}", pattern, spoken_of);
                }
            }
        }
        let spelled: Vec<String> = named.iter().map(i64::to_string).collect();
        let stones: Vec<String> = chart.stones().map(|stone| stone.to_string()).collect();
        for said in [spelled.join(" "), stones.join(" "), "even".to_owned(), "odd from 3".to_owned(), "every 3 from 1".to_owned()] {
            let Ok(asked) = format!("leave {said}").parse::<Idea>() else { continue };
            let mut budget = Budget { bytes: 1 << 28, keep_going: &mut |_| true };
            let answer = idea::test(&asked, &rulebook, &mut budget).expect("small enough");
            let numbers: BTreeSet<i64> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
            let plain = !said.contains(|c: char| c.is_ascii_alphabetic());
            match answer {
                Answer::False { number, why } => {
                    prop_assert!(!plain || numbers.contains(&number));
                    let value = chart.verdict(i128::from(number)).map(|verdict| verdict.value);
                    match why {
                        Fails::TheyWin => prop_assert_eq!(value, Some(Value::Win)),
                        Fails::TheyHold => prop_assert_eq!(value, Some(Value::Draw)),
Fails::Loses => {
                            let target = rulebook.target() == Some(number);
                            prop_assert!(target || rulebook.losing().contains(&number));
                        }
                        Fails::NotLeft => prop_assert!(!can_be_left(&rulebook, &chart, number), "{}", number),
                    }
                }
                Answer::Complete { starter } if plain => {
                    let at = rulebook.start().0;
                    prop_assert!(always_wins(&rulebook, &numbers, at, starter, &mut Vec::new()), "{}", said);
                }
                Answer::Partial { .. } | Answer::Circles if plain => {
                    let at = rulebook.start().0;
                    let starter = chart.opening().map(|verdict| verdict.value) == Some(Value::Win);
                    prop_assert!(!always_wins(&rulebook, &numbers, at, starter, &mut Vec::new()), "{}", said);
                }
                Answer::NoSeat => {
                    prop_assert_eq!(chart.opening().map(|verdict| verdict.value), Some(Value::Draw));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn the_words_of_the_ladder() {
    let rulebook = book("title = 'T'\nstart = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'");
    let solver = solved(&rulebook);
    let round = Round::new(Arc::clone(&rulebook), Player::One);
    let outlook = generous(|budget| Outlook::of(&round, &solver, budget)).expect("it goes on");
    let words = Words { rulebook: &rulebook, turn: Player::One };
    let said: Vec<String> = ladder(&outlook).iter().map(|hint| words.hint(hint, &outlook)).collect();
    let expected = [
        "Only one move keeps your win.",
        "If you leave 1, what can they do?",
        "You want to leave 3.",
        "Play +3. +3 leaves 3: whatever they do, you can force a win.",
    ];
    assert_eq!(said, expected);
}
