//! The wording of the facts, in rounds that are easy to follow by hand.

use std::sync::Arc;

use spoton::format::{Rulebook, catalog};
use spoton::solved::outlook::Outlook;
use spoton::solver::Solver;
use spoton::teach::coach::ladder;
use spoton::words::coach::Words;

use crate::support::{book, finished, played};
use crate::truth::generous;

fn outlook(rulebook: &Arc<Rulebook>, moves: &str) -> (Outlook, String) {
    let round = played(rulebook, moves);
    let solver = generous(|budget| Solver::new(Arc::clone(rulebook), budget));
    let outlook =
        generous(|budget| Outlook::for_round(&round, &solver, budget)).expect("the round isn't over");
    let words = Words { rulebook, turn: round.position().turn() };
    let hints: Vec<String> = ladder(&outlook).iter().map(|hint| words.hint(hint, &outlook)).collect();
    (outlook, hints.join("\n"))
}

fn hints(rulebook: &Arc<Rulebook>, moves: &str) -> String {
    outlook(rulebook, moves).1
}

fn shipped(id: &str) -> Arc<Rulebook> {
    finished(&catalog::draft(id).expect("the game is shipped"))
}

#[test]
fn a_turn_with_one_good_move() {
    // At 4 on the way to 20.
    assert_eq!(
        hints(&shipped("number-maze"), "+1 +1 +1"),
        "Only one move keeps your win.\n\
         If you leave 8, what can they do?\n\
         You want to leave 5.\n\
         Play +1. +1 leaves 5: you can force a win."
    );
    // With separate numbers, a move goes to a number; it doesn't leave one.
    assert_eq!(
        hints(&shipped("sequence-math-duel"), "+1 +1 x2 x2 +1 +1"),
        "Only one move keeps your win.\n\
         If you go to 6, what can they do?\n\
         You want to go to 10.\n\
         Play x2. x2 goes to 10: you can force a win."
    );
}

#[test]
fn a_turn_that_decides_nothing() {
    let maze = shipped("number-maze");
    assert_eq!(
        hints(&maze, ""),
        "Whatever you choose, your opponent can force a win.\n\
         You lose if they play perfectly. +1 and x2 last longest. \
         +1 leaves 2: they play +1 (3) and can force a win."
    );
    let hopeless = book("title = 'T'\nstart = 4\ntarget = 9\nmoves = ['+1', '+2']\nlosing = [5, 6]");
    assert_eq!(
        hints(&hopeless, ""),
        "Whatever you choose, your opponent can force a win.\nEvery move loses immediately."
    );
    let last = book("title = 'T'\nstart = 8\ntarget = 10\nmoves = ['+1', 'x2']\npast = 'forbidden'");
    assert_eq!(hints(&last, ""), "There's only one move.\nPlay +1. +1 leaves 9: they play +1 and win.");
    let three = book("title = 'T'\nstart = 0\ntarget = 4\nmoves = ['+1..3']\npast = 'forbidden'");
    assert_eq!(hints(&three, "").lines().next(), Some("Whatever you choose, your opponent can force a win."));
}

#[test]
fn an_immediate_win_and_numbers_that_reveal_nothing() {
    assert_eq!(
        hints(&shipped("target-twenty-one"), "+3 x2 x3"),
        "Only one move keeps your win.\n\
         If you leave 19, what can they do?\n\
         Play +3. +3 goes to 21 and wins."
    );
    // From 1, both moves of Operation Target give 2, and one of them loses.
    assert_eq!(
        hints(&shipped("operation-target"), ""),
        "Only one move keeps your win.\nPlay x2. x2 leaves 2: you can force a win."
    );
}

#[test]
fn the_house_rule_is_named() {
    let rulebook = book(
        "title = 'T'\nstart = 2\ntarget = 5\nrange = [0, 5]\npast = 'forbidden'\nwinning = [1]\n\
         moves = ['+2', '-1', '/2']\nrepetition = 2",
    );
    assert_eq!(
        hints(&rulebook, "+2"),
        "Only one move keeps the draw.\n\
         If you leave 3, what can they do?\n\
         Play /2. /2 leaves 2: the same position for the second time, so it's a draw (house rule)."
    );
}
