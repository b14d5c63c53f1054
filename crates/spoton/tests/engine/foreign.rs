//! Choices and positions from one rule book, used with another: refused or reinterpreted, but never a panic.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use spoton::engine::play::{Move, Refusal, Situation};
use spoton::engine::position::{Choice, Player, Position};
use spoton::engine::round::{CannotPlay, Round};
use spoton::format::Rulebook;
use spoton::solver::{Budget, Solver};
use spoton::words::describe;

use crate::support::description::descriptions;
use crate::support::{any_move, book, cases, choice, plain_with};

#[test]
fn a_choice_from_a_larger_book_is_invalid_in_a_smaller_one() {
    let large = book(&plain_with(&[("moves", "['+1..15', 'x2']")]));
    let (small, foreign) = (book(&plain_with(&[])), choice(&large, "x2"));
    let opening = small.opening(Player::One);
    assert_eq!(small.result(&opening, foreign), Err(Refusal::NotOffered));
    assert_eq!(small.play(&opening, Move::Operation(foreign)), Err(Refusal::NotOffered));
    assert_eq!(small.ends_at_once(&opening, Move::Operation(foreign)), None);
    assert_eq!(small.operation(foreign), None);
    assert_eq!(small.entry_of(&opening, foreign), None);
    assert!(!small.legal(&opening).contains(foreign));
    assert_eq!(
        (small.label(&small.opening(Player::One), foreign), small.write(Move::Operation(foreign))),
        ("?".to_owned(), "?".to_owned())
    );
    let mut round = Round::new(Arc::clone(&small), Player::One);
    assert_eq!(round.play(Move::Operation(foreign)), Err(CannotPlay::Refused(Refusal::NotOffered)));
    let (last, _) = large.entries().last().expect("the book has entries");
    assert_eq!((small.entry(last), opening.uses_of(Player::One, last)), (None, 0));
}

#[test]
fn a_book_has_as_many_choices_as_moves() {
    let large = book(&plain_with(&[("moves", "['+1..15', 'x2']")]));
    for count in 1..=15 {
        let small = book(&plain_with(&[("moves", &format!("['+1..{count}']"))]));
        let opening = small.opening(Player::One);
        for (place, offer) in large.offers(&large.opening(Player::One)).enumerate() {
            let own = (place < count).then_some(offer.entry);
            let choice = offer.choice.expect("every operation is fixed");
            assert_eq!(small.entry_of(&opening, choice), own, "{count} {place}");
            let operation = own.and_then(|_| large.operation(choice));
            assert_eq!(small.operation(choice), operation, "{count} {place}");
        }
    }
}

#[test]
fn a_refusal_is_a_standard_error() {
    let small = book(&plain_with(&[("past", "'forbidden'"), ("start", "11")]));
    let mut round = Round::new(Arc::clone(&small), Player::One);
    let refused = round.play(Move::Operation(choice(&small, "x2"))).expect_err("22 is past 20");
    let refused: Box<dyn std::error::Error> = Box::new(refused);
    assert_eq!(refused.to_string(), "that move isn't legal: it goes past 20, to 22");
    assert_eq!(refused.source().expect("the reason").to_string(), "it goes past 20, to 22");
}

#[test]
fn counts_of_another_book_are_never_counted_beyond_what_fits() {
    let own = book(&plain_with(&[
        ("target", "900"),
        ("moves", "[{ op = '+1', uses = 255 }, { op = '+2', uses = 255 }]"),
    ]));
    let mut round = Round::new(Arc::clone(&own), Player::One);
    for _ in 0..255 {
        let Some(plus_two) = own.choice("+2".parse().unwrap()) else { panic!("the book has no +2") };
        round.play(Move::Operation(choice(&own, "+1"))).expect("the move is legal");
        round.play(Move::Operation(plus_two)).expect("the move is legal");
    }
    let shared = "['+3', { op = '+2', uses = 255, pool = 'shared' }]";
    let shared = book(&plain_with(&[("target", "900"), ("moves", shared)]));
    // Player 2 has 255 uses and Player 1 none, which is impossible with this book's shared pool.
    let made = shared.play(round.position(), Move::Operation(choice(&shared, "+2")));
    assert!(made.is_ok(), "{made:?}");
}

/// Positions from a round, and its book's choices.
fn along(book: &Arc<Rulebook>, picks: &[usize]) -> (Vec<Position>, Vec<Choice>) {
    let mut round = Round::without_house_rule(Arc::clone(book), Player::One);
    for pick in picks {
        if let Some(a_move) = any_move(&round, *pick) {
            round.play(a_move).expect("the move is legal");
        }
    }
    let positions = round.history().iter().map(|ply| ply.before).chain([*round.position()]).collect();
    (positions, book.offers(round.position()).filter_map(|offer| offer.choice).collect())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn nothing_panics(one in descriptions(), other in descriptions(), picks in vec(0..16usize, 0..12)) {
        let (one, other) = (book(&one.text()), book(&other.text()));
        let (positions, choices) = along(&one, &picks);
        let mut budget = Budget::patient(1 << 18);
        let solver = Solver::new(Arc::clone(&other), &mut budget).ok();
        for position in &positions {
            let situation = other.situation(position);
            prop_assert_eq!(matches!(situation, Situation::Choose(_)), !other.legal(position).is_empty());
            for choice in &choices {
                let result = other.result(position, *choice);
                prop_assert_eq!(other.play(position, Move::Operation(*choice)).err(), result.err());
                prop_assert_eq!(other.legal(position).contains(*choice), result.is_ok());
                prop_assert_eq!(result == Err(Refusal::NotOffered), other.operation(*choice).is_none());
                other.ends_at_once(position, Move::Operation(*choice));
            }
            for offer in other.offers(position) {
                describe::left(&other, position, &offer);
            }
            describe::limits(&other, position);
            if let Some(solver) = &solver {
                solver.verdict(position);
                solver.moves(position);
            }
        }
    }
}
