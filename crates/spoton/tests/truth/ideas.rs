//! Ideas that were tested: what fails, fails; what wins, wins every line.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Move, Step};
use spoton::engine::position::Player;
use spoton::format::Rulebook;
use spoton::people::idea::{self, Answer, Fails, Idea};
use spoton::people::solved_game::SolvedGame;
use spoton::solver::chart::{Chart, position_at};
use spoton::solver::{Budget, Unsolved, Value};

use crate::books::{books, circles};
use crate::brute::moves_of;
use crate::generous;
use crate::richer::richer;
use crate::support::{book, cases};

/// Whether some move from somewhere leads to a number, and the round goes on there.
fn can_be_left(rulebook: &Rulebook, chart: &Chart, number: i64) -> bool {
    let on_turn = chart.numbers().filter(|(from, verdict)| verdict.is_some() || *from == rulebook.start().0);
    on_turn.map(|(from, _)| position_at(rulebook, from).expect("the number alone decides")).any(|position| {
        moves_of(rulebook, &position).iter().any(|a_move| {
            // In a book of version 2, one may leave the other player stuck.
            let ends = !rulebook.has_richer_numbers() && rulebook.ends_at_once(&position, *a_move).is_some();
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

/// Whether play can come to a turn of the follower at which none of the numbers can be left and no move wins at once.
fn is_left_alone(rulebook: &Rulebook, numbers: &BTreeSet<i64>, starter: bool) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![(rulebook.start().0, starter)];
    while let Some((at, follows)) = waiting.pop() {
        if !seen.insert((at, follows)) {
            continue;
        }
        let position = position_at(rulebook, at).expect("the number alone decides");
        let mut on = Vec::new();
        let mut wins = false;
        for a_move in moves_of(rulebook, &position) {
            match (rulebook.ends_at_once(&position, a_move), rulebook.play(&position, a_move)) {
                (None, Ok(Step::On(next))) if !follows || numbers.contains(&next.number()) => {
                    on.push(next.number());
                }
                (Some(outcome), _) => wins |= outcome.winner == Some(Player::One),
                _ => {}
            }
        }
        if follows && wins {
            continue;
        }
        if follows && on.is_empty() {
            return true;
        }
        waiting.extend(on.into_iter().map(|next| (next, !follows)));
    }
    false
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn answers_to_ideas_are_true(text in prop_oneof![2 => books(), 1 => circles(), 2 => richer()], named in vec(-12_i64..40, 1..5)) {
        prop_assume!(crate::support::read(&text).build().is_ok());
        let rulebook = book(&text);
        let Some(chart) = generous(|budget| Chart::of(&rulebook, budget)) else { return Ok(()) };
        if chart.highest().abs_diff(chart.lowest()) > 60 {
            return Ok(());
        }
        let spelled: Vec<String> = named.iter().map(i64::to_string).collect();
        let stones: Vec<String> = chart.stones().map(|stone| stone.to_string()).collect();
        for said in [spelled.join(" "), stones.join(" "), "even".to_owned(), "odd from 3".to_owned(), "every 3 from 1".to_owned(), "primes".to_owned(), "squares from 2".to_owned(), "multiples of 3 to 9".to_owned()] {
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
                            let losing = rulebook.losing();
                            prop_assert!(target || losing.lists(number.into()) || losing.describes(number.into()));
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
                    prop_assert_eq!(is_left_alone(&rulebook, &numbers, starter), answer != Answer::Circles);
                    let left_out = |stone: &i64| !numbers.contains(stone) && can_be_left(&rulebook, &chart, *stone);
                    let left_out = chart.stones().filter(left_out).count();
                    prop_assert!(answer == Answer::Circles || answer == Answer::Partial { missing: left_out }, "{}", said);
                }
                Answer::NoSeat => {
                    prop_assert_eq!(chart.opening().map(|verdict| verdict.value), Some(Value::Draw));
                }
                _ => {}
            }
        }
    }
}

fn tested(rules: &str, said: &str) -> Answer {
    let rulebook = book(&format!("title = 'Idea'\n{rules}"));
    let asked: Idea = format!("leave {said}").parse().expect("an idea");
    let chart = generous(|budget| Chart::of(&rulebook, budget)).expect("the number alone decides");
    generous(|budget| idea::test(&asked, &chart, budget))
}

/// Games that are long enough for a whole page of numbers, upwards and downwards.
#[test]
fn an_idea_is_followed_to_the_end_of_a_long_game() {
    let up = "start = 0\ntarget = 100\nmoves = ['+1..4']\npast = 'forbidden'";
    let down = "start = 100\ntarget = 0\nmoves = ['-1..4']\npast = 'forbidden'";
    for (rules, first, last) in [(up, 5, 95), (down, 95, 5)] {
        assert_eq!(tested(rules, "every 5 from 0"), Answer::Complete { starter: false }, "{rules}");
        let but = |left_out: i64| {
            let all = (1..20).map(|step| 5 * step).filter(|number| *number != left_out);
            let all: Vec<String> = all.map(|number| number.to_string()).collect();
            tested(rules, &all.join(" "))
        };
        for left_out in [first, 50, last] {
            assert_eq!(but(left_out), Answer::Partial { missing: 1 }, "without {left_out}, {rules}");
        }
    }
    // One more number than fits in a word of bits, for either player.
    let rules = "start = 0\ntarget = 33\nmoves = ['+1..4']\npast = 'forbidden'";
    assert_eq!(tested(rules, "every 5 from 3"), Answer::Complete { starter: true });
    assert_eq!(tested(rules, "every 5 from 3 to 23"), Answer::Partial { missing: 1 });
    // As many as fit, from the other end.
    let rules = "start = 32\ntarget = 0\nmoves = ['-1..4']\npast = 'forbidden'";
    assert_eq!(tested(rules, "every 5 from 5"), Answer::Complete { starter: true });
}

/// The bounds of a form count when it is followed, too.
#[test]
fn a_form_holds_within_its_bounds_alone() {
    let race = "start = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'";
    for (said, answer) in [
        ("every 5 from 3 to 18", Answer::Complete { starter: true }),
        ("every 5 from 3 to 17", Answer::Partial { missing: 1 }),
        ("every 5 from 8", Answer::Partial { missing: 1 }),
        ("every 5 from 8 to 13", Answer::Partial { missing: 2 }),
        ("every 5 from 8 to 13 and 3", Answer::Partial { missing: 1 }),
        ("every 5 from 8 to 18 and 3", Answer::Complete { starter: true }),
        ("even from 18 to 19", Answer::Partial { missing: 3 }),
        ("even from 4 to 3", Answer::Nothing),
    ] {
        assert_eq!(tested(race, said), answer, "{said}");
    }
}

/// A number at which somebody can be on turn can be played out; one at which the round is over, or never is, cannot.
#[test]
fn an_idea_can_be_played_out_where_somebody_is_on_turn() {
    for (answer, at, said) in [
        (
            Answer::False { number: 9, why: Fails::TheyWin },
            Some(9),
            "Not true: if you leave 9, the other player can force a win.",
        ),
        (
            Answer::False { number: 8, why: Fails::TheyHold },
            Some(8),
            "Not true: if you leave 8, the other player can keep you from winning.",
        ),
        (Answer::False { number: 7, why: Fails::Loses }, None, "Not true: landing on 7 loses at once."),
        (
            Answer::False { number: 6, why: Fails::NotLeft },
            None,
            "Not true: you can never leave 6 in this game.",
        ),
        (
            Answer::Complete { starter: true },
            None,
            "True, and it is all you need: go first, follow it, and you always win.",
        ),
        (
            Answer::Complete { starter: false },
            None,
            "True, and it is all you need: go second, follow it, and you always win.",
        ),
        (
            Answer::Partial { missing: 0 },
            None,
            "True, but not the whole story: it does not say what to do everywhere.",
        ),
        (Answer::Partial { missing: 1 }, None, "True, but not the whole story: 1 number is missing."),
        (Answer::Partial { missing: 2 }, None, "True, but not the whole story: 2 numbers are missing."),
        (
            Answer::Circles,
            None,
            "True, but not the whole story: following it, you could go round in circles.",
        ),
        (
            Answer::NoSeat,
            None,
            "True, but not the whole story: from the start, neither player can force a win.",
        ),
    ] {
        assert_eq!((answer.fails_at(), idea::in_words(&answer).as_str()), (at, said));
    }
}

/// Where numbers can come back, each number of the chart takes room for either player on turn: what leads to it, whether
/// it comes up, and a place among those to look at, of which there may be twice as many while that list grows.
#[test]
fn following_an_idea_is_held_against_the_budget() {
    let place = size_of::<usize>();
    let circles =
        book("title = 'T'\nstart = 2\ntarget = 9\nrange = [0, 9]\nmoves = ['+3', '-1']\npast = 'forbidden'");
    let straight = book("title = 'T'\nstart = 1\ntarget = 100\nmoves = ['+1..2']\npast = 'forbidden'");
    for (rulebook, said, at_least, each) in [
        (&circles, "leave 5 7", 2 * 9, 4 + 1 + 2 * place),
        (&straight, "leave 97", (2 * 99_usize).div_ceil(64), 8),
    ] {
        let chart = generous(|budget| Chart::of(rulebook, budget)).expect("the number alone decides");
        let asked: Idea = said.parse().expect("an idea");
        let needs = (at_least * each) as u128;
        let refused = idea::test(&asked, &chart, &mut Budget::patient(needs as u64 - 1));
        let expected =
            Unsolved::TooLarge { reached: 0, at_least: at_least as u128, needs, budget: needs as u64 - 1 };
        assert_eq!(refused, Err(expected), "{said}");
        assert_eq!(idea::test(&asked, &chart, &mut Budget::patient(needs as u64)).map(|_| ()), Ok(()));
    }
}

/// In a game that can go round in circles, an idea may lead round with it, or not.
#[test]
fn an_idea_that_leads_round_in_circles_is_told_from_one_that_does_not() {
    let rules = "start = 2\ntarget = 9\nrange = [0, 9]\nmoves = ['+3', '-1']\npast = 'forbidden'";
    for (said, answer) in [
        // At 2 the starter goes to 5. From 8 or 4 they go to 7, and from 6 to 9.
        ("5 7", Answer::Complete { starter: true }),
        // Now they may also go to 1 and be at 0 next, or to 3 and be at 2 again.
        ("1 3 5 7", Answer::Circles),
        ("3 5 7", Answer::Circles),
        // From 0, only 3 can be left.
        ("1 5 7", Answer::Partial { missing: 1 }),
        ("5", Answer::Partial { missing: 3 }),
        ("7", Answer::Partial { missing: 3 }),
        ("1 7", Answer::Partial { missing: 2 }),
        ("3", Answer::Partial { missing: 3 }),
        ("6", Answer::False { number: 6, why: Fails::TheyWin }),
    ] {
        assert_eq!(tested(rules, said), answer, "{said}");
    }
    let other = "start = 1\ntarget = 9\nrange = [0, 9]\nmoves = ['+3', '-1']\npast = 'forbidden'";
    assert_eq!(tested(other, "1 3 5 7"), Answer::Circles);
    assert_eq!(tested(other, "3 5 7"), Answer::Circles);
    let open = "start = 1\ntarget = 7\nrange = [0, 7]\nmoves = ['+2', '+3', '-1']\npast = 'forbidden'";
    assert_eq!(tested(open, "6"), Answer::NoSeat);
}
