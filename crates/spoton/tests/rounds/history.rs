//! Rounds in progress: history, undo, repetition and resignation.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Ending, Move, Outcome, Situation, Step};
use spoton::engine::position::{Player, Position};
use spoton::engine::round::{CannotPlay, Round};
use spoton::format::Rulebook;

use crate::support::description::descriptions;
use crate::support::{any_move, book, cases, choice, ended, plain_with, play, played, played_from};

fn with(keys: &[(&str, &str)]) -> Arc<Rulebook> {
    book(&plain_with(keys))
}

/// Player 2 is too close to the target to move.
fn one_sided() -> Arc<Rulebook> {
    let keys = [("numbers", "'separate'"), ("start", "[1, 19]"), ("moves", "['+2', '+3']")];
    with(&[&keys[..], &[("past", "'forbidden'"), ("stuck", "'skips'")]].concat())
}

/// All visible state of a round.
fn seen(round: &Round) -> impl PartialEq + std::fmt::Debug + use<> {
    let choices = Player::BOTH.map(|player| round.last_choice_of(player).map(|(ply, choice)| (*ply, choice)));
    let numbers = Player::BOTH.map(|player| round.number_of(player));
    (round.first(), *round.position(), round.history().to_vec(), round.outcome(), choices, numbers)
}

#[test]
fn the_history_holds_every_move_with_where_it_was_made_and_what_it_gave() {
    let book = with(&[]);
    let round = played_from(&book, Player::Two, "+1 x2 +1");
    let told: Vec<_> = round
        .history()
        .iter()
        .map(|ply| (ply.player(), ply.before.number(), ply.a_move, ply.number))
        .collect();
    let (add, double) = (Move::Operation(choice(&book, "+1")), Move::Operation(choice(&book, "x2")));
    let expected = [(Player::Two, 1, add, 2), (Player::One, 2, double, 4), (Player::Two, 4, add, 5)];
    assert_eq!(told, expected);
    assert_eq!((round.first(), round.position().turn()), (Player::Two, Player::One));
    assert_eq!(round.last_choice_of(Player::One), Some((&round.history()[1], choice(&book, "x2"))));
}

#[test]
fn a_list_of_moves_says_where_a_turn_must_be_skipped() {
    let bad = spoton::records::set_up(&one_sided(), ["+2", "+3"]).unwrap_err();
    assert_eq!(bad.to_string(), "move 2: +3: Player 2 has no legal move here; write skip first");
}

#[test]
fn a_skipped_turn_is_a_part_of_the_history() {
    let round = played(&one_sided(), "+2 skip +3");
    let moves: Vec<(Player, bool, i128)> =
        round.history().iter().map(|ply| (ply.player(), ply.a_move == Move::Skip, ply.number)).collect();
    assert_eq!(moves, [(Player::One, false, 3), (Player::Two, true, 19), (Player::One, false, 6)]);
    assert_eq!(round.last_choice_of(Player::Two), None);
    assert_eq!((round.number_of(Player::One), round.number_of(Player::Two)), (6, 19));
}

#[test]
fn after_the_end_nothing_can_be_played() {
    let book = with(&[("target", "2")]);
    let mut round = played(&book, "+1");
    let before = seen(&round);
    assert_eq!(round.play(Move::Operation(choice(&book, "+1"))), Err(CannotPlay::Over));
    assert_eq!(round.play(Move::Skip), Err(CannotPlay::Over));
    round.resign(Player::One);
    round.stop();
    assert!(seen(&round) == before);
    let outcome = Outcome { winner: Some(Player::One), ending: Ending::Reached };
    assert_eq!(round.situation(), Situation::Over(outcome));
}

#[test]
fn a_round_may_be_given_up_or_stopped() {
    let book = with(&[]);
    for loser in Player::BOTH {
        let mut round = played(&book, "+1");
        round.resign(loser);
        let outcome = Outcome { winner: Some(!loser), ending: Ending::Resigned };
        assert_eq!(round.outcome(), Some(outcome), "on either player's turn");
    }
    let mut round = played(&book, "+1");
    round.stop();
    assert_eq!(ended(&round), "draw stopped");
}

#[test]
fn taking_back_goes_one_choice_back_whatever_came_after_it() {
    let short = with(&[("target", "5")]);
    let repeating = with(&[("moves", "['x1', '+1']")]);
    let stuck = with(&[("moves", "['+1']"), ("no_repeat", "'own'")]);
    for (name, book, moves, end, kept) in [
        ("a move", &short, "+1 x2", "open", "+1"),
        ("a landing", &short, "+1 x2 +1", "1 reached", "+1 x2"),
        ("going past", &short, "+1 x2 x2", "2 overshot", "+1 x2"),
        ("being stuck", &stuck, "+1 +1", "2 stuck", "+1"),
        ("a repetition", &repeating, "x1 x1 x1 x1", "draw repetition", "x1 x1 x1"),
        ("a skipped turn", &one_sided(), "+2 skip +3 skip", "open", "+2 skip"),
        ("a turn before a skipped one", &one_sided(), "+2 skip +3", "open", "+2 skip"),
    ] {
        let mut round = played(book, moves);
        assert_eq!(ended(&round), end, "{name}");
        let last = *round.history().iter().rfind(|ply| ply.a_move != Move::Skip).unwrap();
        assert_eq!(round.undo(), Some(last), "{name}");
        assert!(seen(&round) == seen(&played(book, kept)), "{name}");
    }
}

#[test]
fn taking_back_undoes_a_resignation_with_the_move_before_it() {
    let book = with(&[]);
    let mut round = played(&book, "+1 x2");
    round.resign(Player::One);
    assert!(round.undo().is_some());
    assert!(seen(&round) == seen(&played(&book, "+1")));
    play(&mut round, "+1");
    assert_eq!(ended(&round), "open");
}

#[test]
fn at_the_opening_there_is_nothing_to_undo() {
    let mut round = played(&with(&[]), "");
    assert_eq!(round.undo(), None);
    let skipping = with(&[
        ("numbers", "'separate'"),
        ("start", "[19, 1]"),
        ("moves", "['+2', '+3']"),
        ("past", "'forbidden'"),
        ("stuck", "'skips'"),
    ]);
    let mut round = played(&skipping, "skip");
    assert_eq!(round.undo(), None, "a skipped turn is not a choice");
    assert_eq!(round.history().len(), 1);
    play(&mut round, "+2 skip");
    assert!(round.undo().is_some());
    assert!(seen(&round) == seen(&played(&skipping, "skip")));
}

#[test]
fn an_undone_position_does_not_count_as_repeated() {
    let mut round = played(&with(&[("moves", "['x1', '+1']")]), "x1 x1 x1");
    for _ in 0..5 {
        play(&mut round, "x1");
        assert_eq!(ended(&round), "draw repetition");
        round.undo();
    }
    play(&mut round, "+1 x1 x1 x1");
    assert_eq!(ended(&round), "open");
    play(&mut round, "x1");
    assert_eq!(ended(&round), "draw repetition");
}

#[test]
fn the_round_is_drawn_when_a_position_comes_up_too_often_the_opening_counted() {
    for (repetition, passes) in [("2", 2), ("3", 4), ("4", 6), ("255", 508)] {
        let book = with(&[("moves", "['x1', '+1']"), ("repetition", repetition)]);
        let mut round = played(&book, &"x1 ".repeat(passes - 1));
        assert_eq!(ended(&round), "open", "{repetition}");
        play(&mut round, "x1");
        assert_eq!(ended(&round), "draw repetition", "{repetition}");
    }
    let never = with(&[("moves", "['x1', '+1']"), ("repetition", "0")]);
    assert_eq!(ended(&played(&never, &"x1 ".repeat(1000))), "open");
    let by_default = with(&[("moves", "['x1', '+1']")]);
    assert_eq!(ended(&played(&by_default, "x1 x1 x1 x1")), "draw repetition");
}

#[test]
fn a_position_is_repeated_only_with_the_same_player_on_turn_and_the_same_memory() {
    let back_and_forth = with(&[("moves", "['+1', '-1']"), ("range", "[0, 20]"), ("repetition", "2")]);
    assert_eq!(ended(&played(&back_and_forth, "+1 -1")), "draw repetition");
    let three_long = with(&[("moves", "['+1', '-1', '-2']"), ("range", "[-9, 20]"), ("repetition", "2")]);
    assert_eq!(ended(&played(&three_long, "+1 +1 -2")), "open", "1 again, with Player 2 on turn");
    assert_eq!(
        ended(&played(&three_long, "+1 +1 -2 +1 -1")),
        "draw repetition",
        "and 1 once more with Player 2"
    );
    let limited = with(&[("moves", "['x1', '+1']"), ("passes", "9"), ("repetition", "2")]);
    assert_eq!(ended(&played(&limited, "x1 x1 x1 x1 x1 x1")), "open", "every pass leaves fewer passes");
    let remembered = with(&[
        ("moves", "['+1', '-1', 'x1']"),
        ("range", "[0, 20]"),
        ("no_repeat", "'own'"),
        ("repetition", "2"),
    ]);
    assert_eq!(ended(&played(&remembered, "+1 -1")), "open", "no moves at the opening");
    assert_eq!(ended(&played(&remembered, "+1 -1 -1 +1")), "open");
    assert_eq!(ended(&played(&remembered, "+1 -1 -1 +1 +1 -1")), "draw repetition");
}

/// Above 0, all unlimited moves go up. The limited one leads below 0, where doubling goes down.
#[test]
fn a_limited_move_may_lead_to_where_positions_repeat() {
    let keys = [("range", "[-10, 20]"), ("repetition", "2")];
    let sinking = with(&[&keys[..], &[("moves", "['+1', 'x2', { op = '-5', uses = 1 }]")]].concat());
    let mut round = played(&sinking, "+1 -5 x2 +1 +1");
    assert_eq!((ended(&round), round.position().number()), ("open".to_owned(), -4));
    play(&mut round, "+1");
    assert_eq!((ended(&round), round.position().number()), ("draw repetition".to_owned(), -3));

    let rising = [("start", "-1"), ("target", "-20"), ("range", "[-20, 10]"), ("repetition", "2")];
    let rising = with(&[&rising[..], &[("moves", "['-1', 'x2', { op = '+5', uses = 1 }]")]].concat());
    assert_eq!(ended(&played(&rising, "-1 +5 x2 -1 -1 -1")), "draw repetition");

    let zero = with(&[("start", "0"), ("moves", "['+1', 'x2']"), ("repetition", "2")]);
    assert_eq!(ended(&played(&zero, "x2 x2")), "draw repetition", "doubling 0 goes nowhere");
}

/// Searches for a repeated position, visiting at most `most` positions.
fn comes_round(book: &Rulebook, most: usize) -> bool {
    let mut on_the_way: HashMap<Position, bool> = HashMap::new();
    let mut stack = vec![(book.opening(Player::One), false)];
    while let Some((position, done)) = stack.pop() {
        if done {
            on_the_way.insert(position, false);
            continue;
        }
        match on_the_way.get(&position) {
            Some(true) => return true,
            Some(false) => continue,
            None if on_the_way.len() >= most => return false,
            None => {}
        }
        on_the_way.insert(position, true);
        stack.push((position, true));
        let moves: Vec<Move> = match book.situation(&position) {
            Situation::Choose(legal) => legal.iter().map(Move::Operation).collect(),
            Situation::Skip => vec![Move::Skip],
            Situation::Over(_) => vec![],
        };
        for a_move in moves {
            if let Ok(Step::On(next)) = book.play(&position, a_move) {
                if on_the_way.get(&next) == Some(&true) {
                    return true;
                }
                stack.push((next, false));
            }
        }
    }
    false
}

#[test]
fn a_turn_that_goes_over_counts_as_a_position_too() {
    // Player 2 can't move; Player 1 goes up and down.
    let book = with(&[
        ("numbers", "'separate'"),
        ("start", "[10, 19]"),
        ("moves", "['+2', '-2']"),
        ("forbidden", "[17]"),
        ("past", "'forbidden'"),
        ("range", "[1, 20]"),
        ("stuck", "'skips'"),
    ]);
    let round = played(&book, "+2 skip -2 skip +2 skip -2 skip");
    assert_eq!(ended(&round), "draw repetition");
    assert_eq!(round.history().len(), 8);
}

proptest! {
    #![proptest_config(cases(1500))]

    /// The house rule is active whenever a position can repeat.
    #[test]
    fn every_book_in_which_positions_repeat_is_known_to_be_one(description in descriptions()) {
        let book = book(&description.text());
        prop_assert!(book.may_repeat() || !comes_round(&book, 2000));
        prop_assert!(!book.goes_one_way() || !book.may_repeat());
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Repeated undo restores every earlier state. Playing on from any of them behaves as if nothing had been
    /// undone.
    #[test]
    fn taking_back_and_playing_on(description in descriptions(), picks in vec(any::<u8>(), 1..20)) {
        let book = book(&description.text());
        let mut round = Round::new(Arc::clone(&book), Player::One);
        let mut states = vec![round.clone()];
        for pick in &picks {
            let Some(a_move) = any_move(&round, (*pick).into()) else { break };
            round.play(a_move).unwrap();
            states.push(round.clone());
        }
        let full = states.len();
        while let Some(taken_back) = round.undo() {
            prop_assert!(taken_back.a_move != Move::Skip);
            let length = round.history().len();
            prop_assert!(seen(&round) == seen(&states[length]));
            let mut again = round.clone();
            for state in &states[length + 1..full] {
                again.play(state.history().last().unwrap().a_move).unwrap();
            }
            prop_assert!(seen(&again) == seen(&states[full - 1]));
        }
        prop_assert!(round.history().iter().all(|ply| ply.a_move == Move::Skip));
    }
}

#[test]
fn a_position_one_below_the_limit_is_drawn_next_time() {
    let numbers = |repetition: &str, moves: &str| {
        let keys = [("moves", "['+1', '-1', 'x1']"), ("range", "[0, 20]"), ("repetition", repetition)];
        let drawn = played(&with(&keys), moves).drawn_next_time();
        let mut drawn: Vec<(i64, u8)> =
            drawn.iter().map(|position| (position.number(), position.turn().number())).collect();
        drawn.sort_unstable();
        drawn
    };
    assert_eq!(numbers("2", ""), [(1, 1)]);
    assert_eq!(numbers("2", "+1 +1 +1"), [(1, 1), (2, 2), (3, 1), (4, 2)]);
    assert_eq!(numbers("3", "+1 +1"), []);
    assert_eq!(numbers("3", "+1 -1"), [(1, 1)]);
    assert_eq!(numbers("3", "+1 -1 +1"), [(1, 1), (2, 2)]);
    assert_eq!(numbers("4", "+1 -1 +1"), []);
    assert_eq!(numbers("4", "+1 -1 +1 -1"), [(1, 1)]);
    assert_eq!(numbers("0", "+1 -1 +1 -1"), []);
    let keys = [("moves", "['+1', '-1']"), ("range", "[0, 20]"), ("repetition", "2")];
    let mut free = Round::without_house_rule(with(&keys), Player::One);
    play(&mut free, "+1 -1 +1");
    assert!(free.drawn_next_time().is_empty());
}
