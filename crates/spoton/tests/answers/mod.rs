//! Answers from language models, with the verdicts of a fair reader who knows the rules and the legal moves but not the
//! code.

mod properties;

use std::sync::Arc;

use serde_json::Value as Json;
use spoton::engine::play::Move;
use spoton::engine::position::Player;
use spoton::engine::round::Round;
use spoton::format::{Draft, catalog};
use spoton::records::Refused;
use spoton::words::answer::NoMove;
use spoton::words::prompt::Telling;

/// The games in the tables, by the letters in the rows.
fn round(game: &str) -> Round {
    let own = |keys: &str| Draft::read("table.toml", &format!("title = 'Table'\n{keys}"));
    let draft = match game {
        "A" => own("start = 4\ntarget = 21\nmoves = ['+1', 'x2']"),
        "B" => own(
            "start = 12\ntarget = 40\nrange = [0, 40]\nmoves = ['+1', '+2', '+3', '-1', 'x3', { op = 'x2', when = 'odd' }]",
        ),
        "C" => own("start = 20\ntarget = 0\nmoves = ['-1', '-2', '-3', '-10', '/2']"),
        "D" => own(
            "numbers = 'separate'\nstart = [14, 18]\ntarget = 40\nrange = [0, 40]\nmoves = ['+1', '+10', { op = '-3', on = 'other' }, 'x2']",
        ),
        // Computed amounts: the divisors of 12.
        "E" => own("start = 12\ntarget = 0\nmoves = ['-divisor']"),
        // 16 moves. Some are prefixes of others, and x20 goes past 500.
        "F" => own(
            "start = 50\ntarget = 500\nrange = [0, 500]\npast = 'forbidden'\nmoves = ['+1..13', 'x2', 'x20', '-1']",
        ),
        // Custom labels.
        "G" => own(
            "start = 9\ntarget = 0\nmoves = [{ op = '-1', label = 'Take 1' }, { op = '-2', label = 'Take 2' }, { op = '/3', label = 'Share' }]",
        ),
        // x2 goes past 10.
        "H" => own(
            "start = 7\ntarget = 10\nmoves = ['+1', '+2', '-3', 'x2']\nrange = [1, 10]\npast = 'forbidden'",
        ),
        "I" => own("start = 4\ntarget = 40\nmoves = ['+1', 'x2', '+3', '+10']"),
        id => catalog::draft(id).unwrap_or_else(|| panic!("no game {id}")),
    };
    Round::new(Arc::new(draft.build().unwrap()), Player::One)
}

fn read(row: &Json, round: &Round) -> Result<String, Refused> {
    let telling = Telling::new(round.rulebook(), true, row["disguise"].as_u64()).unwrap();
    let read = match row["cut"] == true {
        true => Err(NoMove::cut_off()),
        false => telling.read(row["answer"].as_str().unwrap(), round),
    };
    read.map(|choice| round.rulebook().write(Move::Operation(choice))).map_err(|no_move| no_move.why)
}

fn is_fair(verdict: &str, read: &Result<String, Refused>) -> bool {
    match (verdict, read) {
        ("unreadable", Err(Refused::Unreadable))
        | ("illegal", Err(Refused::Illegal))
        | ("refused", Err(_)) => true,
        (verdict, Ok(written)) => verdict == written,
        _ => false,
    }
}

/// The rows with a different verdict, and the number of rows.
fn held_against(table: &str) -> (Vec<String>, usize) {
    let rows: Vec<Json> = table.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let wrong = rows.iter().filter_map(|row| {
        let read = read(row, &round(row["game"].as_str().unwrap()));
        (!is_fair(row["verdict"].as_str().unwrap(), &read)).then(|| format!("{read:?} for {row}"))
    });
    (wrong.collect(), rows.len())
}

#[test]
fn answers_are_read_as_a_fair_reader_reads_them() {
    let (wrong, rows) = held_against(include_str!("fair_reader.jsonl"));
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 300, "{rows}");
}

#[test]
fn other_games_and_styles_are_read_as_fairly() {
    let (wrong, rows) = held_against(include_str!("more_games.jsonl"));
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 60, "{rows}");
}

/// Half of these rows were written by someone who hadn't seen the parser.
#[test]
fn only_a_clear_choice_counts() {
    let (wrong, rows) = held_against(include_str!("choosing.jsonl"));
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 200, "{rows}");
}

/// These rows come from the grammar's text: longer numbers, withdrawn, later and conditional moves, and clean choices.
#[test]
fn a_move_that_is_withdrawn_or_put_off_does_not_count() {
    let (wrong, rows) = held_against(include_str!("withdrawn.jsonl"));
    assert!(wrong.is_empty(), "{} of {rows}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 200, "{rows}");
}

#[test]
fn the_games_of_the_table_have_the_moves_that_its_rows_speak_of() {
    for (game, moves) in [
        ("A", "+1 x2"),
        ("B", "+1 +2 +3 -1 x3"),
        ("C", "-1 -2 -3 -10 /2"),
        ("D", "+1 +10 @-3 x2"),
        ("E", "-1 -2 -3 -4 -6"),
        ("G", "-1 -2 /3"),
        ("H", "+1 +2 -3"),
        ("I", "+1 x2 +3 +10"),
    ] {
        let round = round(game);
        let legal = round.rulebook().legal(round.position());
        let legal: Vec<String> =
            legal.iter().map(|choice| round.rulebook().write(Move::Operation(choice))).collect();
        assert_eq!(legal.join(" "), moves, "{game}");
    }
}
