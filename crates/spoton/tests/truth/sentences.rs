//! The sentences about a turn, rebuilt from the truth alone.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use spoton::engine::play::{Ending, Move};
use spoton::engine::position::Player;
use spoton::engine::written::On;
use spoton::format::{Numbers, Rulebook};
use spoton::solver::{Value, Verdict};
use spoton::teach::coach::ladder;
use spoton::words::coach::Words;

use crate::support::cases;
use crate::truth::{After, Turn, follow, rounds};

fn written(rulebook: &Rulebook, a_move: Move) -> String {
    let operation = |choice| rulebook.written(choice).expect("one of the moves").to_string();
    a_move.choice().map_or("skip".to_owned(), operation)
}

fn can_force(verdict: Verdict) -> String {
    let who = match verdict.value {
        Value::Win => "You",
        Value::Loss => "Your opponent",
        Value::Draw => return "Neither of you can force a win.".to_owned(),
    };
    match verdict.remoteness() {
        Some(1) => format!("{who} can force a win in 1 move."),
        moves => format!("{who} can force a win within {} moves.", moves.unwrap_or(0)),
    }
}

/// The expected sentence about a move.
fn sentence(turn: &Turn<'_>, a_move: Move, verdict: Verdict) -> String {
    let rulebook = turn.rulebook;
    let shared = rulebook.numbers() == Numbers::Shared;
    let me = turn.position.turn();
    let operation = written(rulebook, a_move);
    let (number, after) = turn.after(&turn.position, a_move);
    let leaves = match a_move {
        Move::Skip => "The turn is skipped".to_owned(),
        _ if turn.on(a_move) == On::Other => format!("{operation} makes their number {number}"),
        _ if shared => format!("{operation} leaves {number}"),
        _ => format!("{operation} goes to {number}"),
    };
    let next = match after {
        After::Over(outcome) => {
            let (end, close) = match outcome.winner {
                None => ("draws", "just as close to"),
                Some(winner) if winner == me => ("wins", "closer to"),
                Some(_) => ("loses", "not as close to"),
            };
            let because = match outcome.ending {
                Ending::Closest | Ending::Turns => {
                    check_closeness(turn, a_move, outcome.winner);
                    let target = rulebook.target().expect("a target");
                    match (turn.on(a_move), end) {
                        (On::Own, _) => format!(", {close} {target}"),
                        (On::Other, "wins") => format!(": they are further from {target}"),
                        (On::Other, "loses") => format!(": they are closer to {target}"),
                        (On::Other, _) => format!(": both are equally close to {target}"),
                    }
                }
                _ => String::new(),
            };
            return match (a_move, turn.on(a_move)) {
                (Move::Skip, _) => format!("The turn is skipped, and that {end}{because}."),
                (_, On::Other) => format!("{leaves} and {end}{because}."),
                (_, On::Own) => format!("{operation} goes to {number} and {end}{because}."),
            };
        }
        After::Repeats => {
            let times = match rulebook.repetition().expect("the book has the house rule") {
                2 => "second".to_owned(),
                3 => "third".to_owned(),
                4 => "fourth".to_owned(),
                5 => "fifth".to_owned(),
                times => format!("{times}th"),
            };
            return format!("{leaves}: the same position for the {times} time, so it's a draw (house rule).");
        }
        After::On(next) => next,
    };
    match verdict.value {
        Value::Win => return format!("{leaves}: you can force a win."),
        Value::Draw => return format!("{leaves}: neither of you can force a win."),
        Value::Loss => {}
    }
    let answer = turn.truth.moves(&next)[0].0;
    let answered = written(rulebook, answer);
    match turn.after(&next, answer) {
        (_, After::On(_)) if answer == Move::Skip => {
            format!("{leaves}: they can't move, but they can force a win.")
        }
        _ if answer == Move::Skip => {
            format!("{leaves}: they can't move, the turns run out, and they win.")
        }
        (number, After::On(_)) if turn.on(answer) == On::Other => {
            format!("{leaves}: they play {answered} (your number: {number}) and can force a win.")
        }
        (number, After::On(_)) if shared => {
            format!("{leaves}: they play {answered} ({number}) and can force a win.")
        }
        (number, After::On(_)) => {
            format!("{leaves}: they play {answered} ({number}) and can force a win.")
        }
        _ => format!("{leaves}: they play {answered} and win."),
    }
}

/// The expected sentences about all moves. A sentence about several moves appears once, at the first of them.
fn grouped(turn: &Turn<'_>) -> Vec<String> {
    let moves = turn.moves();
    let sentences: Vec<String> =
        moves.iter().map(|(made, verdict)| sentence(turn, *made, *verdict)).collect();
    let ends = [
        ("wins.", " win immediately."),
        ("draws.", " draw immediately."),
        ("loses.", " lose immediately."),
        (": you can force a win.", ": you can force a win."),
        (": neither of you can force a win.", ": neither of you can force a win."),
    ];
    let end_of = |sentence: &str| ends.iter().position(|(of_one, _)| sentence.ends_with(of_one));
    let mut lines = Vec::new();
    for (place, sentence) in sentences.iter().enumerate() {
        let alike = |other: &&String| end_of(other) == end_of(sentence);
        let Some(end) = end_of(sentence).filter(|_| sentences.iter().filter(alike).count() > 1) else {
            lines.push(sentence.clone());
            continue;
        };
        if sentences[..place].iter().any(|earlier| end_of(earlier) == Some(end)) {
            continue;
        }
        let fitting = moves.iter().zip(&sentences).filter(|(_, other)| end_of(other) == Some(end));
        let mut names: Vec<String> = fitting.map(|((made, _), _)| written(turn.rulebook, *made)).collect();
        if names.len() > 8 {
            let others = names.split_off(6).len();
            names.push(format!("{others} other moves"));
        }
        let last = names.pop().expect("several moves");
        lines.push(format!("{} and {last}{}", names.join(", "), ends[end].1));
    }
    lines
}

/// A winner by closeness really is closer.
fn check_closeness(turn: &Turn<'_>, a_move: Move, winner: Option<Player>) {
    let rulebook = turn.rulebook;
    let target = i128::from(rulebook.target().expect("a target"));
    let owner = rulebook.owner(&turn.position, a_move);
    let number = |player: Player| match player == owner {
        true => turn.after(&turn.position, a_move).0,
        false => turn.position.number_of(player).into(),
    };
    let [one, two] = Player::BOTH.map(|player| (number(player) - target).abs());
    let closer = if one == two { None } else { Some(if one < two { Player::One } else { Player::Two }) };
    assert_eq!(closer, winner);
}

proptest! {
    #![proptest_config(cases(5000))]

    #[test]
    fn every_sentence_is_true(round in rounds()) {
        follow(round, |turn| {
            let words = Words { rulebook: turn.rulebook, turn: turn.position.turn() };
            let mut expected = vec![can_force(turn.verdict())];
            expected.extend(grouped(turn).into_iter().map(|line| format!("  {line}")));
            prop_assert_eq!(words.why(&turn.outlook, None), expected);
            Ok(())
        })?;
    }
}

/// The tests must cover every kind of sentence: one that never appears was never compared with the truth.
#[test]
fn every_kind_of_sentence_comes_up() {
    let mut said = String::new();
    let mut runner = TestRunner::new(cases(1));
    for _ in 0..4000 {
        let round = rounds().new_tree(&mut runner).expect("a round").current();
        let followed = follow(round, |turn| {
            let words = Words { rulebook: turn.rulebook, turn: turn.position.turn() };
            said += &words.why(&turn.outlook, None).join("\n");
            for hint in ladder(&turn.outlook) {
                said += &format!("\n{}\n", words.hint(&hint, &turn.outlook));
            }
            Ok(())
        });
        followed.expect("the test finds no contradiction");
    }
    for expected in [
        "You can force a win in 1 move.",
        "Your opponent can force a win within 2 moves.",
        "Neither of you can force a win.",
        "and wins.",
        "and loses.",
        "and draws.",
        ": the same position for the second time, so it's a draw (house rule).",
        ": the same position for the third time, so it's a draw (house rule).",
        " and x2 win immediately.",
        " and x2 lose immediately.",
        " and x2: you can force a win.",
        " and x2: neither of you can force a win.",
        ": you can force a win.",
        ": neither of you can force a win.",
        "x2 and win.",
        ": they play +1 (",
        ": they can't move, but they can force a win.",
        "The turn is skipped: you can force a win.",
        "The turn is skipped: neither of you",
        "The turn is skipped: they play",
        "There's only one move.",
        "Both moves are equally good.",
        "All 3 moves are equally good.",
        "Whatever you choose, your opponent can force a win.",
        "Only one move keeps your win.",
        "2 of 3 moves keep the draw.",
        ", what can they do?",
        ", what happens?",
        "You want to leave ",
        "You want to go to ",
        "If you make their number ",
        "You want to make their number ",
        " makes their number ",
        " (your number: ",
        "wins, closer to ",
        "loses, not as close to ",
        "draws, just as close to ",
        "wins: they are further from ",
        "loses: they are closer to ",
        "You lose if they play perfectly. +1 lasts longest. ",
        "\nPlay ",
    ] {
        let times = said.matches(expected).count();
        assert!(times >= 2, "{expected:?} came up {times} times");
    }
}
