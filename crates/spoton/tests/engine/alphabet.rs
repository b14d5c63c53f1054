//! A game's alphabet, checked against all numbers in its range.

use std::collections::BTreeSet;

use spoton::engine::play::Move;
use spoton::engine::written::Written;
use spoton::format::{Draft, Op, Rulebook, catalog};

use crate::random_books::random_book;

/// All moves that some number offers: each move once, by entry with ascending amounts, with or without checking `when`.
fn by_every_number(book: &Rulebook, with_when: bool) -> Vec<String> {
    let (low, high) = book.range();
    let (low, high) = match book.target() {
        Some(target) if book.passes_target((target - 1).into()) => (target + 1, high),
        Some(target) => (low, target - 1),
        None => (low, high),
    };
    let mut written: Vec<String> = Vec::new();
    for entry in book.moves() {
        let operations: Vec<_> = match entry.op {
            Op::Fixed(operation) => vec![operation],
            Op::Computed(computed) => {
                let numbers = (low..=high).filter(|number| !with_when || entry.may_be_used_at(*number));
                let amounts: BTreeSet<i64> = numbers.flat_map(|number| computed.amounts(number)).collect();
                amounts.into_iter().filter_map(|amount| computed.with(amount)).collect()
            }
        };
        for operation in operations {
            let a_move = Written { operation, on: entry.on }.to_string();
            if !written.contains(&a_move) {
                written.push(a_move);
            }
        }
    }
    written
}

#[test]
fn it_has_every_move_that_some_number_has_and_no_other() {
    let shipped = catalog::ids().filter_map(|id| catalog::draft(id)?.build().ok());
    let texts =
        ["-divisor", "+divisor", "/divisor", "-prime", "+prime", "/prime", "-digit", "+digit", "-1..half"];
    let bounds = [(0, 9), (3, 12), (-5, 40), (90, 140), (9_900, 9_998), (10_000, 10_050)];
    let computed = texts.iter().flat_map(|op| {
        bounds.iter().map(move |(low, high)| {
            let moves = format!("['-2', {{ op = '{op}', from = 2 }}, '+3']");
            format!(
                "title = 'T'\nstart = {low}\nrange = [{low}, {high}]\nmoves = {moves}\nwinning = [{high}]"
            )
        })
    });
    let drawn = (0..400).map(|number| random_book(number).text);
    let read = computed.chain(drawn).filter_map(|text| Draft::read("book.toml", &text).build().ok());
    let mut looked_at = 0;
    for book in shipped.chain(read).filter(|book| book.range().1.abs_diff(book.range().0) <= 20_000) {
        let alphabet = book.alphabet();
        let written: Vec<String> =
            alphabet.choices().iter().map(|choice| book.write(Move::Operation(*choice))).collect();
        assert_eq!(alphabet.choices().len(), written.len());
        for (place, choice) in alphabet.choices().iter().enumerate() {
            assert_eq!(alphabet.place(*choice), Some(place));
        }
        if book.moves().iter().all(|entry| entry.when.is_empty()) {
            assert_eq!(written, by_every_number(&book, false), "{}", book.rules_line());
            looked_at += 1;
        }
        for a_move in by_every_number(&book, true) {
            assert!(written.contains(&a_move), "{a_move} of {}", book.rules_line());
        }
    }
    assert!(looked_at > 150, "{looked_at}");
}
