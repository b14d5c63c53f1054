//! Properties of all books: the reader accepts legal moves in any decoration, and never reads anything else as a move.

use std::sync::Arc;

use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{Choice, Player};
use spoton::engine::round::Round;
use spoton::format::{Draft, Rulebook};
use spoton::records::Refused;
use spoton::words::prompt::Telling;

use crate::random_books::{Dice, random_book};

/// Turns with a choice in random books, a few per book.
fn turns() -> Vec<Round> {
    let mut turns = Vec::new();
    for number in 0..300 {
        let Ok(rulebook) = Draft::read("random.toml", &random_book(number).text).build() else { continue };
        let mut dice = Dice::new(number);
        let mut round = Round::new(Arc::new(rulebook), Player::One);
        for _ in 0..4 {
            let moves: Vec<Move> = round.situation().moves().collect();
            if moves.is_empty() {
                break;
            }
            if let Situation::Choose(_) = round.situation() {
                turns.push(round.clone());
            }
            round.play(moves[dice.below(moves.len())]).unwrap();
        }
    }
    assert!(turns.len() > 400, "{}", turns.len());
    turns
}

/// Some legal moves of a turn, as presented. Testing all of them would be slow if there are 64.
fn some(round: &Round, telling: &Telling) -> Vec<(Choice, String)> {
    let rulebook = round.rulebook();
    let legal: Vec<Choice> = rulebook.legal(round.position()).iter().collect();
    let step = legal.len().div_ceil(6);
    legal.into_iter().step_by(step).map(|choice| (choice, telling.write(rulebook, choice))).collect()
}

/// Other ways to write a move with signs, derived only from the typing rules.
fn spellings(written: &str) -> Vec<String> {
    let (at, operation) = match written.strip_prefix('@') {
        Some(operation) => ("@", operation),
        None => ("", written),
    };
    let (sign, amount) = operation.split_at(1);
    let signs: &[&str] = match sign {
        "+" => &["+", "＋", "➕", "+ "],
        "-" => &["-", "−", "–", "－", "- "],
        "x" => &["x", "X", "×", "✕", "*", "x ", "× "],
        _ => &["/", "÷", "／", "/ "],
    };
    let mut all: Vec<String> = signs.iter().map(|sign| format!("{at}{sign}{amount}")).collect();
    if at.is_empty() {
        let words: &[&str] = match sign {
            "+" => &["add", "Plus"],
            "-" => &["subtract", "MINUS"],
            "x" => &["multiply by", "Times"],
            _ => &["divide by", "Divide it by"],
        };
        all.extend(words.iter().map(|word| format!("{word} {amount}")));
    }
    all
}

const DECORATIONS: [&str; 24] = [
    "{}",
    "move: {}",
    "**Move:** {}",
    "**Move: {}**",
    "MOVE: `{}`.",
    "### Move: {}",
    "> move: {}",
    "- move: {}\n",
    "move:\n{}",
    "Move:\n\n**{}**\n\nThat should do.",
    "```\nmove: {}\n```",
    "```text\n{}\n```",
    "{\"move\": \"{}\"}",
    "{\"why\": \"because\", \"move\": \"{}\", \"sure\": true}",
    "```json\n{\"move\": \"{}\"}\n```",
    "$\\boxed{{}}$",
    "move: \\(\\text{{}}\\)",
    "<think>move: nothing yet</think>\n\nmove: {}",
    "<answer>{}</answer>",
    "<move>{}</move>",
    "Final answer: {}!",
    "I thought about it.\r\n\r\nmove: {}\r\n",
    "🎯 move: {} 🎯",
    "\u{feff}move : ({})",
];

#[test]
fn every_legal_move_is_read_in_every_decoration() {
    let mut read = 0;
    for round in turns() {
        let telling = Telling::new(round.rulebook(), true, None).unwrap();
        for (choice, written) in some(&round, &telling) {
            for spelling in spellings(&written) {
                for decoration in DECORATIONS {
                    let said = decoration.replace("{}", &spelling);
                    // In Markdown, a star may be one of a pair.
                    if spelling.contains('*') && decoration.contains('*') {
                        continue;
                    }
                    assert_eq!(
                        telling.read(&said, &round),
                        Ok(choice),
                        "{said}\n{}",
                        round.rulebook().rules_line()
                    );
                    read += 1;
                }
            }
        }
    }
    assert!(read > 20_000, "{read}");
}

#[test]
fn every_legal_move_of_a_disguise_is_read_in_every_decoration() {
    let mut read = 0;
    for (seed, round) in turns().into_iter().enumerate() {
        let Ok(telling) = Telling::new(round.rulebook(), true, Some(seed as u64)) else { continue };
        for (choice, name) in some(&round, &telling) {
            for spelling in [name.to_uppercase(), name.replace('-', " "), name.replace('-', "\u{2011}"), name]
            {
                for decoration in DECORATIONS {
                    let said = decoration.replace("{}", &spelling);
                    assert_eq!(
                        telling.read(&said, &round),
                        Ok(choice),
                        "{said}\n{}",
                        round.rulebook().rules_line()
                    );
                    read += 1;
                }
            }
        }
    }
    assert!(read > 20_000, "{read}");
}

fn is_a_move(rulebook: &Rulebook, written: &str) -> bool {
    written.parse().ok().and_then(|written| rulebook.choice(written)).is_some()
}

#[test]
fn no_longer_number_no_rejected_move_and_no_two_moves_are_read() {
    let mut refused = 0;
    for round in turns() {
        let rulebook = round.rulebook();
        let telling = Telling::new(rulebook, true, None).unwrap();
        let legal = some(&round, &telling);
        for (place, (_, one)) in legal.iter().enumerate() {
            let mut said: Vec<String> = Vec::new();
            for longer in [
                "{}.5",
                "{},000",
                "{}..999",
                "1{}",
                "12 {}",
                "n{}",
                "{}st",
                "{}%",
                "{} 555 0100",
                "{}{}",
                "{} {}",
            ] {
                said.push(longer.replace("{}", one));
                said.push(format!("move: {}", longer.replace("{}", one)));
                said.push(format!("I think {} is what we need.", longer.replace("{}", one)));
            }
            if !is_a_move(rulebook, &format!("{one}0")) {
                said.push(format!("move: {one}0"));
            }
            for rejected in [
                "not {}",
                "Anything but {}.",
                "I will not play {}",
                "I won't play {}.",
                "I would never play {} here",
                "Avoid {}",
                "{} loses.",
                "{} would lose because",
                "{} is a mistake",
                "{} is not legal",
                "Should I play {}?",
                "If I play {}, I get",
                "Then the opponent plays {}.",
                "Opponent's move: {}",
                "Under no circumstances {}",
                "Instead of {}",
                "<think>{}</think>",
                "<think>move: {}",
                "Your legal moves: {}",
            ] {
                said.push(rejected.replace("{}", one));
                said.push(format!("move: {}", rejected.replace("{}", one)));
            }
            if let Some((_, other)) = legal.get(place + 1) {
                for two in [
                    "{} or <>",
                    "{}, <>",
                    "{}\n<>",
                    "Both {} and <>",
                    "move: {} or <>",
                    "move: {}/<>",
                    "move: {} then <>",
                    "{\"move\": [\"{}\", \"<>\"]}",
                    "Maybe {}, maybe <>.",
                    "| {} | 1 |\n| <> | 2 |",
                ] {
                    said.push(two.replace("{}", one).replace("<>", other));
                }
            }
            for said in said {
                let read = telling.read(&said, &round).map_err(|no_move| no_move.why);
                assert_eq!(read, Err(Refused::Unreadable), "{said}\n{}", rulebook.rules_line());
                refused += 1;
            }
        }
    }
    assert!(refused > 20_000, "{refused}");
}

/// Reading takes linear time. A quadratic reader would take hours here.
#[test]
fn very_long_answers_are_refused() {
    let round = super::round("A");
    let telling = Telling::new(round.rulebook(), true, None).unwrap();
    for piece in [
        "x",
        "[",
        "<",
        "{",
        "*",
        "`",
        "``` ",
        "\\",
        "~~",
        "+",
        "+1+",
        "+1, x2 or ",
        "not x2. ",
        "{\"a\":",
        "{\"move\":",
        "<think>",
        "</think>",
        "move:",
        "move ",
        "double the ",
        "1.",
        "if ",
        "\n",
        "- ",
        "不",
    ] {
        let said = piece.repeat(300_000 / piece.len());
        assert_eq!(telling.read(&said, &round).map_err(|no| no.why), Err(Refused::Unreadable), "{piece}");
    }
}
