//! Ideas that were tested: what fails, fails; what wins, wins every line.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::Player;
use spoton::format::Rulebook;
use spoton::people::idea::{Answer, Fails, Idea};
use spoton::people::solved_game::SolvedGame;
use spoton::solver::Value;
use spoton::solver::chart::{Chart, position_at};

use crate::books::books;
use crate::brute::moves_of;
use crate::generous;
use crate::support::{book, cases};

/// Whether some move from somewhere leads to a number, and the round goes on there.
fn can_be_left(rulebook: &Rulebook, chart: &Chart, number: i64) -> bool {
    let on_turn = chart.numbers().filter(|(from, verdict)| verdict.is_some() || *from == rulebook.start().0);
    on_turn.map(|(from, _)| position_at(rulebook, from).expect("the number alone decides")).any(|position| {
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
    let position = position_at(rulebook, at).expect("the number alone decides");
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
    fn answers_to_ideas_are_true(text in books(), named in vec(-12_i64..40, 1..5)) {
        let rulebook = book(&text);
        let Some(chart) = generous(|budget| Chart::of(&rulebook, budget)) else { return Ok(()) };
        if chart.highest().abs_diff(chart.lowest()) > 60 {
            return Ok(());
        }
        let spelled: Vec<String> = named.iter().map(i64::to_string).collect();
        let stones: Vec<String> = chart.stones().map(|stone| stone.to_string()).collect();
        for said in [spelled.join(" "), stones.join(" "), "even".to_owned(), "odd from 3".to_owned(), "every 3 from 1".to_owned()] {
            let Ok(asked) = format!("leave {said}").parse::<Idea>() else { continue };
            let answer = generous(|budget| SolvedGame::new(Arc::clone(&rulebook)).test(&asked, budget));
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
