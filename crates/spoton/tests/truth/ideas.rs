//! The answers to tested ideas are true: a failing idea really fails, and a winning one wins every line of play.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::Step;
use spoton::engine::position::Player;
use spoton::format::Rulebook;
use spoton::solved::SolvedGame;
use spoton::solver::chart::{Chart, position_at};
use spoton::solver::{Budget, Unsolved, Value};
use spoton::teach::idea::{self, Answer, Exceptions, Fails, Idea};
use spoton::words;

use crate::solver::brute::moves_of;
use crate::support::{book, cases};
use crate::truth::generous;
use crate::truth::rim::at_the_rim;

/// Everything that can happen in a game: the numbers left to a player, to move or stuck, and the numbers that end the
/// round, with the value for the player who lands there.
struct Happens {
    left: BTreeSet<i64>,
    stuck: BTreeSet<i64>,
    ends: BTreeMap<i128, Value>,
}

impl Happens {
    fn in_rounds_of(rulebook: &Rulebook) -> Happens {
        let mut happens = Happens { left: BTreeSet::new(), stuck: BTreeSet::new(), ends: BTreeMap::new() };
        let mut waiting = vec![rulebook.start().0];
        let mut seen = BTreeSet::from([rulebook.start().0]);
        while let Some(number) = waiting.pop() {
            let position = position_at(rulebook, number).expect("the number alone decides");
            for a_move in moves_of(rulebook, &position) {
                match rulebook.play(&position, a_move).expect("the move is legal") {
                    Step::Over { number, outcome } => {
                        happens.ends.insert(number, Value::from_outcome(outcome, Player::One));
                    }
                    Step::On(next) => {
                        happens.left.insert(next.number());
                        if rulebook.ends_at_once(&position, a_move).is_some() {
                            happens.stuck.insert(next.number());
                        }
                        if seen.insert(next.number()) {
                            waiting.push(next.number());
                        }
                    }
                }
            }
        }
        happens
    }
}

/// Whether a player who leaves these numbers wins every line of play. Adds won positions until there are no more.
fn always_wins(rulebook: &Rulebook, numbers: &BTreeSet<i64>, starter: bool) -> bool {
    let start = (rulebook.start().0, starter);
    let mut places = BTreeSet::from([start]);
    let mut wins: BTreeSet<(i64, bool)> = BTreeSet::new();
    loop {
        let mut found = BTreeSet::new();
        let before = (places.len(), wins.len());
        for (at, follows) in &places {
            let position = position_at(rulebook, *at).expect("the number alone decides");
            let (mut won_at_once, mut lost_at_once, mut on) = (false, false, Vec::new());
            for a_move in moves_of(rulebook, &position) {
                match (rulebook.ends_at_once(&position, a_move), rulebook.play(&position, a_move)) {
                    // Player 1 here is the player to move.
                    (Some(outcome), _) => {
                        won_at_once |= outcome.winner == Some(Player::One);
                        lost_at_once |= outcome.winner != Some(Player::Two);
                    }
                    (None, Ok(Step::On(next))) => on.push((next.number(), !follows)),
                    _ => {}
                }
            }
            on.retain(|(next, _)| !follows || numbers.contains(next));
            let all_win = on.iter().all(|next| wins.contains(next));
            let is_won = match follows {
                true => won_at_once || (!on.is_empty() && all_win),
                false => !lost_at_once && all_win,
            };
            if is_won {
                wins.insert((*at, *follows));
            }
            found.extend(on);
        }
        places.extend(found);
        if before == (places.len(), wins.len()) {
            return wins.contains(&start);
        }
    }
}

/// Whether the follower can get a turn without an immediate win and without any of the numbers to leave.
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

/// An idea as typed, and the numbers it means.
type Form = (&'static str, fn(i128) -> bool);

/// An independent reading of the forms that the test below asks about.
const FORMS: &[Form] = &[
    ("even", |number| number % 2 == 0),
    ("odd from 3", |number| number % 2 != 0 && number >= 3),
    ("every 3 from 1", |number| number >= 1 && number % 3 == 1),
    ("primes", is_prime),
    ("squares from 2", |number| {
        number >= 2 && (2..).take_while(|root| root * root <= number).any(|root| root * root == number)
    }),
    ("multiples of 3 to 9", |number| number % 3 == 0 && number <= 9),
];

fn is_prime(number: i128) -> bool {
    number > 1 && (2..).take_while(|factor| factor * factor <= number).all(|factor| number % factor != 0)
}

/// Checks an answer about some numbers to leave. A form covers only numbers that can be left.
fn answer_is_true(
    rulebook: &Rulebook,
    chart: &Chart,
    happens: &Happens,
    numbers: &BTreeSet<i64>,
    form: Option<fn(i128) -> bool>,
    answer: &Answer,
) -> Result<(), TestCaseError> {
    let value = |number: &i64| chart.verdict(i128::from(*number)).map(|verdict| verdict.value);
    let loses = |number: i128| happens.ends.get(&number) == Some(&Value::Loss);
    // A true idea never includes a number that is bad to land on.
    let bad = |number: &&i64| {
        let is_left_badly = happens.left.contains(number) && value(number) != Some(Value::Loss);
        is_left_badly || form.is_none() && loses(i128::from(**number))
    };
    let is_false = matches!(answer, Answer::False { .. });
    if !is_false {
        prop_assert_eq!(numbers.iter().find(bad), None);
    }
    if form.is_some() {
        prop_assert_eq!(is_false, numbers.iter().any(|number| bad(&number)));
        prop_assert_eq!(matches!(answer, Answer::Nothing), numbers.is_empty());
    }
    if let Some(except) = answer.exceptions() {
        let covers = form.unwrap_or(|_| false);
        let all: Vec<i128> =
            happens.ends.keys().copied().filter(|number| covers(*number) && loses(*number)).collect();
        prop_assert_eq!(except.numbers(), (all.len() <= 12).then_some(all));
    }
    let opening = chart.opening().map(|verdict| verdict.value);
    let starter = opening == Some(Value::Win);
    match answer {
        Answer::False { number, why } => {
            prop_assert!(numbers.contains(number));
            match why {
                Fails::TheyWin => {
                    prop_assert!(value(number) == Some(Value::Win) && happens.left.contains(number))
                }
                Fails::TheyHold => {
                    prop_assert!(value(number) == Some(Value::Draw) && happens.left.contains(number))
                }
                Fails::TheyAreStuck { wins } => {
                    prop_assert!(happens.stuck.contains(number));
                    prop_assert_eq!(value(number), Some(if *wins { Value::Win } else { Value::Draw }));
                }
                Fails::Loses => prop_assert!(loses(i128::from(*number))),
                Fails::NotLeft => {
                    let lands =
                        happens.left.contains(number) || happens.ends.contains_key(&i128::from(*number));
                    prop_assert!(!lands, "{}", number);
                }
            }
            prop_assert_eq!(answer.fails_at().is_some(), matches!(why, Fails::TheyWin | Fails::TheyHold));
        }
        Answer::Complete { starter: told, .. } => {
            prop_assert!(*told == starter && opening != Some(Value::Draw));
            prop_assert!(always_wins(rulebook, numbers, starter));
        }
        Answer::Partial { .. } | Answer::Circles { .. } => {
            prop_assert!(!always_wins(rulebook, numbers, starter));
            prop_assert_eq!(
                is_left_alone(rulebook, numbers, starter),
                matches!(answer, Answer::Partial { .. })
            );
            let left_out = |stone: &i64| {
                !numbers.contains(stone) && happens.left.contains(stone) && !happens.stuck.contains(stone)
            };
            if let Answer::Partial { missing, .. } = answer {
                prop_assert_eq!(*missing, chart.stones().filter(left_out).count());
            }
        }
        Answer::NoSeat { .. } => prop_assert_eq!(opening, Some(Value::Draw)),
        _ => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn answers_to_ideas_are_true(rulebook in at_the_rim(), named in vec(-12_i64..40, 1..5)) {
        let Some(chart) = generous(|budget| Chart::from_rulebook(&rulebook, budget)) else { return Ok(()) };
        if chart.highest().abs_diff(chart.lowest()) > 60 {
            return Ok(());
        }
        let happens = Happens::in_rounds_of(&rulebook);
        let game = SolvedGame::new(Arc::clone(&rulebook));
        let tested = |said: &str| -> Option<Answer> {
            let asked: Idea = format!("leave {said}").parse().ok()?;
            Some(generous(|budget| game.test(&asked, budget)))
        };
        let told = |said: &str, why: TestCaseError| TestCaseError::fail(format!("leave {said}: {why}"));
        for numbers in [named.iter().copied().collect(), chart.stones().collect::<BTreeSet<i64>>()] {
            let spelled: Vec<String> = numbers.iter().map(i64::to_string).collect();
            let said = spelled.join(" ");
            let Some(answer) = tested(&said) else { continue };
            let checked = answer_is_true(&rulebook, &chart, &happens, &numbers, None, &answer);
            checked.map_err(|why| told(&said, why))?;
        }
        for (said, covers) in FORMS {
            let numbers = happens.left.iter().copied().filter(|number| covers((*number).into())).collect();
            let answer = tested(said).expect("a form");
            let checked = answer_is_true(&rulebook, &chart, &happens, &numbers, Some(*covers), &answer);
            checked.map_err(|why| told(said, why))?;
        }
    }
}

fn complete(starter: bool) -> Answer {
    Answer::Complete { starter, except: Exceptions::default() }
}

fn partial(missing: usize) -> Answer {
    Answer::Partial { missing, except: Exceptions::default() }
}

fn circles() -> Answer {
    Answer::Circles { except: Exceptions::default() }
}

fn no_seat() -> Answer {
    Answer::NoSeat { except: Exceptions::default() }
}

fn tested(rules: &str, said: &str) -> Answer {
    let rulebook = book(&format!("title = 'Idea'\n{rules}"));
    let asked: Idea = format!("leave {said}").parse().expect("an idea");
    generous(|budget| SolvedGame::new(Arc::clone(&rulebook)).test(&asked, budget))
}

/// Games long enough to fill a whole page with numbers, upwards and downwards.
#[test]
fn an_idea_is_followed_to_the_end_of_a_long_game() {
    let up = "start = 0\ntarget = 100\nmoves = ['+1..4']\npast = 'forbidden'";
    let down = "start = 100\ntarget = 0\nmoves = ['-1..4']\npast = 'forbidden'";
    for (rules, first, last) in [(up, 5, 95), (down, 95, 5)] {
        assert_eq!(tested(rules, "every 5 from 0"), complete(false), "{rules}");
        let but = |left_out: i64| {
            let all = (1..20).map(|step| 5 * step).filter(|number| *number != left_out);
            let all: Vec<String> = all.map(|number| number.to_string()).collect();
            tested(rules, &all.join(" "))
        };
        for left_out in [first, 50, last] {
            assert_eq!(but(left_out), partial(1), "without {left_out}, {rules}");
        }
    }
    // One more number than fits in a machine word of bits, for either player.
    let rules = "start = 0\ntarget = 33\nmoves = ['+1..4']\npast = 'forbidden'";
    assert_eq!(tested(rules, "every 5 from 3"), complete(true));
    assert_eq!(tested(rules, "every 5 from 3 to 23"), partial(1));
    // As many numbers as fit, from the other end.
    let rules = "start = 32\ntarget = 0\nmoves = ['-1..4']\npast = 'forbidden'";
    assert_eq!(tested(rules, "every 5 from 5"), complete(true));
}

/// A form's bounds also count when a player follows it.
#[test]
fn a_form_holds_within_its_bounds_alone() {
    let race = "start = 0\ntarget = 23\nmoves = ['+1..4']\npast = 'forbidden'";
    for (said, answer) in [
        ("every 5 from 3 to 18", complete(true)),
        ("every 5 from 3 to 17", partial(1)),
        ("every 5 from 8", partial(1)),
        ("every 5 from 8 to 13", partial(2)),
        ("every 5 from 8 to 13 and 3", partial(1)),
        ("every 5 from 8 to 18 and 3", complete(true)),
        ("even from 18 to 19", partial(3)),
        ("even from 4 to 3", Answer::Nothing),
    ] {
        assert_eq!(tested(race, said), answer, "{said}");
    }
}

/// A number can be played out if a player can move there. If the round is over there, or the number never occurs,
/// it can't.
#[test]
fn an_idea_can_be_played_out_from_a_position_in_play() {
    for (answer, at, said) in [
        (
            Answer::False { number: 9, why: Fails::TheyWin },
            Some(9),
            "Not true: if you leave 9, your opponent can force a win.",
        ),
        (
            Answer::False { number: 8, why: Fails::TheyHold },
            Some(8),
            "Not true: if you leave 8, your opponent can keep you from winning.",
        ),
        (Answer::False { number: 7, why: Fails::Loses }, None, "Not true: landing on 7 loses."),
        (
            Answer::False { number: 6, why: Fails::NotLeft },
            None,
            "Not true: you can never leave 6 in this game.",
        ),
        (
            complete(true),
            None,
            "True! Go first, take any immediate win, and otherwise follow it. You always win.",
        ),
        (
            complete(false),
            None,
            "True! Go second, take any immediate win, and otherwise follow it. You always win.",
        ),
        (partial(0), None, "True, but it doesn't cover every situation."),
        (partial(1), None, "True, but there is 1 more number to leave."),
        (partial(2), None, "True, but there are 2 more numbers to leave."),
        (circles(), None, "True, but following it, you could go in circles forever."),
        (no_seat(), None, "True, but from the start, neither player can force a win."),
    ] {
        assert_eq!((answer.fails_at(), words::idea::in_words(&answer).as_str()), (at, said));
    }
}

/// If numbers can repeat, each number in the chart takes memory for either player to move: its predecessors, whether it
/// comes up, and an entry in the list of numbers to visit. The list may be twice as long while it grows.
#[test]
fn following_an_idea_is_held_against_the_budget() {
    let place = size_of::<usize>();
    let circles =
        book("title = 'T'\nstart = 2\ntarget = 9\nrange = [0, 9]\nmoves = ['+3', '-1']\npast = 'forbidden'");
    let straight = book("title = 'T'\nstart = 1\ntarget = 100\nmoves = ['+1..2']\npast = 'forbidden'");
    // Plus two bits per number: whether it comes up, and whether the round ends there. If play can count through all
    // numbers, this is already known.
    for (rulebook, said, at_least, each, beside) in [
        (&circles, "leave 5 7", 2 * 9, 4 + 1 + 2 * place, 2 * 8),
        (&straight, "leave 97", (2 * 99_usize).div_ceil(64), 8, 0),
    ] {
        let chart =
            generous(|budget| Chart::from_rulebook(rulebook, budget)).expect("the number alone decides");
        let asked: Idea = said.parse().expect("an idea");
        let needs = (at_least * each + beside) as u128;
        let refused = idea::test(&asked, &chart, &mut Budget::patient(needs as u64 - 1));
        let expected = Unsolved::TooLarge {
            reached: 0,
            at_least: at_least as u128,
            needs,
            budget: needs as u64 - 1,
            table: None,
        };
        assert_eq!(refused, Err(expected), "{said}");
        assert_eq!(idea::test(&asked, &chart, &mut Budget::patient(needs as u64)).map(|_| ()), Ok(()));
    }
}

/// In a game with cycles, following an idea may or may not go round in circles.
#[test]
fn an_idea_that_goes_in_circles_differs_from_one_that_does_not() {
    let rules = "start = 2\ntarget = 9\nrange = [0, 9]\nmoves = ['+3', '-1']\npast = 'forbidden'";
    for (said, answer) in [
        // At 2 the starter goes to 5. From 8 or 4 they go to 7, and from 6 to 9.
        ("5 7", complete(true)),
        // Now the starter may also go to 1 and be at 0 next, or go to 3 and be at 2 again.
        ("1 3 5 7", circles()),
        ("3 5 7", circles()),
        // From 0, only 3 can be left.
        ("1 5 7", partial(1)),
        ("5", partial(3)),
        ("7", partial(3)),
        ("1 7", partial(2)),
        ("3", partial(3)),
        ("6", Answer::False { number: 6, why: Fails::TheyWin }),
    ] {
        assert_eq!(tested(rules, said), answer, "{said}");
    }
    let other = "start = 1\ntarget = 9\nrange = [0, 9]\nmoves = ['+3', '-1']\npast = 'forbidden'";
    assert_eq!(tested(other, "1 3 5 7"), circles());
    assert_eq!(tested(other, "3 5 7"), circles());
    let open = "start = 1\ntarget = 7\nrange = [0, 7]\nmoves = ['+2', '+3', '-1']\npast = 'forbidden'";
    assert_eq!(tested(open, "6"), no_seat());
}

/// A move that ends the round because the opponent is stuck also leaves a number.
#[test]
fn numbers_where_the_next_player_is_stuck_are_left() {
    let loses = "start = 10\nrange = [0, 10]\nmoves = ['-1..3']";
    for (said, answer) in [
        ("0 4 8", complete(true)),
        ("4 8", complete(true)),
        ("0", partial(2)),
        ("8", partial(1)),
        ("every 4 from 0", complete(true)),
        ("1", Answer::False { number: 1, why: Fails::TheyWin }),
        ("10", Answer::False { number: 10, why: Fails::NotLeft }),
    ] {
        assert_eq!(tested(loses, said), answer, "{said}");
    }
    let wins = "start = 11\nrange = [0, 11]\nmoves = ['-1..3']\nstuck = 'wins'";
    let stuck = |wins| Answer::False { number: 0, why: Fails::TheyAreStuck { wins } };
    assert_eq!(tested(wins, "every 4 from 1 and even to 1"), stuck(true));
    assert_eq!(tested(wins, "every 4 from 1"), complete(true));
    assert_eq!(tested(&loses.replace("10]", "10]\nstuck = 'draws'"), "0"), stuck(false));
    assert_eq!(
        words::idea::in_words(&stuck(true)),
        "Not true: if you leave 0, your opponent is stuck and wins."
    );
    assert_eq!(
        words::idea::in_words(&stuck(false)),
        "Not true: if you leave 0, your opponent is stuck, and it's a draw."
    );
    assert_eq!(stuck(true).fails_at(), None);
}

/// Numbers past the target count as past it, even if a list has them.
#[test]
fn lists_past_the_target_do_not_count() {
    let loses = |number| Answer::False { number, why: Fails::Loses };
    let winning = "start = 0\ntarget = 3\nmoves = ['+1', '+4']\nwinning = [4, 1]";
    assert_eq!(tested(winning, "1 4"), loses(4));
    assert_eq!(tested(winning, "1"), complete(true));
    let losing = "start = 17\ntarget = 20\nmoves = ['+1', '+2', '+5']\npast = 'wins'\nlosing = [22]";
    assert_eq!(tested(losing, "22"), complete(true));
    let kinds = "start = 14\ntarget = 19\nmoves = ['+1', '+3', '+6']\nwinning = ['multiples of 5']";
    assert_eq!(tested(kinds, "20"), loses(20));
}

/// An unreachable number isn't left, even if some other start could leave it.
#[test]
fn unreachable_numbers_cannot_be_left() {
    let even = "start = 0\ntarget = 12\nmoves = ['+2', '+4']";
    for number in [0, 3, 7, 11] {
        let not_left = Answer::False { number, why: Fails::NotLeft };
        assert_eq!(tested(even, &number.to_string()), not_left);
    }
    assert_eq!(tested(even, "6"), complete(false));
}

/// A form doesn't include the numbers where landing loses, so the answer names them.
#[test]
fn numbers_of_a_form_where_landing_loses_are_named() {
    let said = |rules: &str, idea: &str| words::idea::in_words(&tested(rules, idea));
    let all = |seat: &str, except: &str| {
        format!(
            "True (except {except}, where landing loses)! Go {seat}, take any immediate win, and otherwise follow \
             it. You always win."
        )
    };
    // From 14, /7 goes to 2, past 3.
    assert_eq!(said("start = 14\ntarget = 3\nmoves = ['/prime']", "primes"), all("first", "2"));
    let race = "start = 0\ntarget = 20\nmoves = ['+1', '+4']";
    assert_eq!(said(race, "every 5 from 0 and every 5 from 3"), all("second", "23"));
    // The numbers to leave are 2, 5 and 9.
    let list = "start = 0\ntarget = 12\nmoves = ['+1', '+2']\npast = 'forbidden'\nlosing = [6]";
    assert!(said(list, "multiples of 6").starts_with("You can't leave any of these numbers"));
    assert_eq!(
        said(list, "multiples of 3 from 6"),
        "True (except 6, where landing loses), but there are 2 more numbers to leave."
    );
    let reach = "start = 0\ntarget = 21\nmoves = ['+1..3']\nreach = 'loses'\npast = 'forbidden'";
    assert_eq!(said(reach, "every 4 from 0 and multiples of 21"), all("second", "21"));
    // A number named explicitly is always included.
    assert_eq!(tested(race, "23"), Answer::False { number: 23, why: Fails::Loses });
    // Doubling leads to every even number from 22 to 38, and to many more if the target is further away.
    let double = |target: i64| format!("start = 1\ntarget = {target}\nmoves = ['+1', 'x2']");
    let few = all("second", "22, 24, 26, 28, 30, 32, 34, 36 and 38");
    assert_eq!(said(&double(20), "even from 12 and 3 5"), few);
    for target in [100, 1_000_000_000_000] {
        let answer = said(&double(target), &format!("even from {}", target / 2 + 2));
        assert!(answer.starts_with("True (except where landing loses), but "), "{target}: {answer}");
    }
}

/// A list ends the round early, below an unreachable target.
#[test]
fn an_idea_about_few_numbers_is_answered_however_far_the_target_is() {
    let text = "title = 'Far'\nstart = 1\ntarget = 1000000000000000000\nmoves = ['+1']\nwinning = [4]";
    let idea: Idea = "leave every 4 from 2".parse().unwrap();
    let answer = SolvedGame::new(book(text)).test(&idea, &mut Budget::patient(1 << 20)).unwrap();
    assert!(!words::idea::in_words(&answer).is_empty());
}
