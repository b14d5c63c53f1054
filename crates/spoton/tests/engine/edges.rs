//! Extreme numbers: positions go up to 10^18, and larger results are still exact.

use spoton::engine::operation::{Kind, Operation};
use spoton::engine::play::{Ending, Move, Outcome, Refusal, Step};
use spoton::engine::position::{Player, Position};

use crate::engine::turns::offers;
use crate::support::{book, choice, ended, plain_with, played};

const TOP: &str = "1000000000000000000";
const BELOW_TOP: &str = "999999999999999999";
const SQUARE: i128 = 1_000_000_000_000_000_000_000_000_000_000_000_000;

#[test]
fn the_largest_numbers_can_be_played_with() {
    let climb = book(&plain_with(&[("start", BELOW_TOP), ("target", TOP), ("moves", "['+1']")]));
    assert_eq!(ended(&played(&climb, "+1")), "1 reached");
    let (low, step) = (format!("-{TOP}"), format!("['+{TOP}']"));
    let across = book(&plain_with(&[("start", &low), ("target", TOP), ("moves", &step)]));
    assert_eq!(ended(&played(&across, &format!("+{TOP} +{TOP}"))), "2 reached");
    let down = format!("['-{TOP}']");
    let back = book(&plain_with(&[("start", TOP), ("target", &low), ("moves", &down)]));
    assert_eq!(ended(&played(&back, &format!("-{TOP} -{TOP}"))), "2 reached");
}

#[test]
fn a_result_too_large_for_a_position_is_past_the_target_in_full() {
    let times = format!("['x{TOP}']");
    for (past, end) in [("'loses'", "2 overshot"), ("'wins'", "1 overshot")] {
        let keys = [("start", BELOW_TOP), ("target", TOP), ("moves", &times), ("past", past)];
        let round = played(&book(&plain_with(&keys)), &format!("x{TOP}"));
        assert_eq!(ended(&round), end);
        assert_eq!(round.number_of(Player::One), SQUARE - 10i128.pow(18));
        assert_eq!(round.number_of(Player::One).to_string(), format!("{BELOW_TOP}000000000000000000"));
        assert_eq!(round.history()[0].number, round.number_of(Player::Two));
    }
    let (start, target) = (format!("-{BELOW_TOP}"), format!("-{TOP}"));
    let keys = [("start", start.as_str()), ("target", &target), ("moves", &times)];
    let round = played(&book(&plain_with(&keys)), &format!("x{TOP}"));
    assert_eq!((ended(&round), round.number_of(Player::One)), ("2 overshot".into(), 10i128.pow(18) - SQUARE));

    let keys = [("start", BELOW_TOP), ("target", TOP), ("moves", &times), ("past", "'forbidden'")];
    let refused = book(&plain_with(&keys));
    let opening = refused.opening(Player::One);
    let expected = Refusal::PastTarget { number: SQUARE - 10i128.pow(18), target: 10i64.pow(18) };
    assert_eq!(refused.result(&opening, choice(&refused, &format!("x{TOP}"))), Err(expected));
}

#[test]
fn a_result_too_large_for_a_position_is_outside_the_range_in_full() {
    let text = |start: &str, moves: &str| {
        book(&format!("title = 'Edges'\nstart = {start}\nrange = [-{TOP}, {TOP}]\nmoves = {moves}\n"))
    };
    let moves = format!("['x{TOP}', '+{TOP}', '-{TOP}', '+1', '-1', '/{TOP}']");
    let at = |start: &str| {
        let book = text(start, &moves);
        offers(&book, &book.opening(Player::One))
    };
    let (square, double) = (SQUARE, 2 * 10i128.pow(18));
    assert_eq!(
        at(TOP),
        format!(
            "x{TOP}: outside {square}, +{TOP}: outside {double}, -{TOP}: 0, +1: outside {}, -1: {BELOW_TOP}, /{TOP}: 1",
            10i128.pow(18) + 1
        )
    );
    assert_eq!(
        at(&format!("-{TOP}")),
        format!(
            "x{TOP}: outside -{square}, +{TOP}: 0, -{TOP}: outside -{double}, +1: -{BELOW_TOP}, -1: outside -{}, /{TOP}: -1",
            10i128.pow(18) + 1
        )
    );
    let stuck = text(TOP, "['+1', 'x2']");
    assert_eq!(ended(&played(&stuck, "")), "2 stuck");
}

#[test]
fn too_large_a_result_is_never_taken_for_a_listed_number() {
    // 2^64 wraps to 0 in 64 bits. It must not match a listed 0.
    let text = "title = 'Wrap'\nstart = 4294967296\ntarget = 4294967297\nmoves = ['x4294967296']\n";
    let book = book(&format!("{text}range = [0, 4294967297]\nforbidden = [0]\npast = 'wins'\n"));
    let step = book.play(
        &book.opening(Player::One),
        spoton::engine::play::Move::Operation(choice(&book, "x4294967296")),
    );
    assert!(matches!(step, Ok(Step::Over { number: 18_446_744_073_709_551_616, .. })), "{step:?}");
}

#[test]
fn an_operation_knows_its_kind_its_amount_and_whether_it_divides() {
    for (written, kind, word, amount, divides) in [
        ("+3", Kind::Add, "add", 3, false),
        ("-7", Kind::Subtract, "subtract", 7, false),
        ("x2", Kind::Multiply, "multiply", 2, false),
        ("/1000000000000000000", Kind::Divide, "divide", 10i64.pow(18), true),
        ("/1", Kind::Divide, "divide", 1, true),
    ] {
        let operation: Operation = written.parse().expect("an operation");
        assert_eq!((operation.kind(), operation.kind().word(), operation.amount()), (kind, word, amount));
        assert_eq!(operation.divides(), divides, "{written}");
    }
}

/// A move ends a round by where it lands, or by leaving the opponent without a move.
#[test]
fn a_move_ends_the_round_or_does_not() {
    let text = "title = 'End'\nstart = 5\ntarget = 9\nmoves = ['+1', '+2', '+3', '+4', '+5']\nlosing = [6]\n\
                forbidden = [8]\npast = 'forbidden'\n";
    let book = book(text);
    let at = |position: &Position, written: &str| {
        book.ends_at_once(position, Move::Operation(choice(&book, written)))
    };
    for first in Player::BOTH {
        let opening = book.opening(first);
        let over = |winner, ending| Some(Outcome { winner: Some(winner), ending });
        assert_eq!(at(&opening, "+4"), over(first, Ending::Reached));
        assert_eq!(at(&opening, "+1"), over(!first, Ending::Landed));
        assert_eq!(at(&opening, "+2"), None, "from 7 the other can move");
        assert_eq!(at(&opening, "+3"), None, "8 is forbidden");
        assert_eq!(at(&opening, "+5"), None, "10 is past the target");
        assert_eq!(book.ends_at_once(&opening, Move::Skip), None, "there is something to choose");
    }
    let stuck = |rule: &str| {
        let keys = [("start", "5"), ("target", "9"), ("moves", "['+2', '+3']"), ("past", "'forbidden'")];
        let book = crate::support::book(&plain_with(&[&keys[..], &[("stuck", rule)]].concat()));
        book.ends_at_once(&book.opening(Player::One), Move::Operation(choice(&book, "+3")))
    };
    for (rule, winner) in
        [("'loses'", Some(Player::One)), ("'wins'", Some(Player::Two)), ("'draws'", None), ("'skips'", None)]
    {
        assert_eq!(stuck(rule), Some(Outcome { winner, ending: Ending::Stuck }), "{rule}");
    }
}
