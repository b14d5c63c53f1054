//! Rounds from random version 2 books survive round trips through records and short text, and JSON shows their
//! positions.

use std::sync::Arc;

use serde_json::json;
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::{BookText, Changes, Draft, Game};
use spoton::json;
use spoton::records::{Circumstances, Record, read_all, set_up};
use spoton::solver::{Budget, Solver};

use crate::random_books::Dice;
use crate::version2::books::{Version, book};

#[test]
fn version_2_rounds_come_back_from_their_records() {
    let (mut newer, mut on_other) = (0, 0);
    for number in 0..1_000 {
        let text = book(number, Version::Two).text();
        let rulebook = Arc::new(Draft::read("book.toml", &text).build().expect("the rule book is valid"));
        let mut dice = Dice::new(number);
        let mut round = Round::new(Arc::clone(&rulebook), dice.pick(&Player::BOTH));
        for _ in 0..30 {
            let a_move = match round.situation() {
                Situation::Choose(legal) => legal.get(dice.below(legal.len())).map(Move::Operation),
                Situation::Skip => Some(Move::Skip),
                Situation::Over(_) => None,
            };
            let Some(a_move) = a_move else { break };
            round.play(a_move).expect("the move is legal");
            if round.outcome().is_none() {
                let text = rulebook.position_text(round.position());
                assert_eq!(rulebook.read_position(&text).as_ref(), Ok(round.position()), "{text}");
            }
        }
        let circumstances = Circumstances {
            rulebook: "any".to_owned(),
            own_file: true,
            variant: None,
            settings: vec![],
            players: ByPlayer(["Ann".to_owned(), "Ben".to_owned()]),
            computers: ByPlayer([None, None]),
            in_match: None,
        };
        let record = Record::from_round(&round, &circumstances);
        newer += usize::from(record.to_string().starts_with("[SpotOn \"2\"]"));
        on_other += usize::from(record.moves.iter().any(|recorded| recorded.written.starts_with('@')));
        for written in [record.to_string(), record.to_json().to_string()] {
            let read = read_all(&written).unwrap_or_else(|bad| panic!("{bad}\n{written}"));
            assert_eq!(read, std::slice::from_ref(&record));
            let replayed = read[0].replay().unwrap_or_else(|bad| panic!("{bad}\n{written}"));
            assert_eq!((replayed.history(), replayed.outcome()), (round.history(), round.outcome()));
            assert_eq!(replayed.rulebook().whole_line(), rulebook.whole_line());
        }
    }
    assert!(newer > 500 && on_other > 50, "{newer} {on_other}");
}

/// The JSON of a position.
fn solution(text: &str, moves: &[&str]) -> serde_json::Value {
    let own = BookText {
        id: "own".to_owned(),
        own_file: true,
        source_name: "own.toml".to_owned(),
        text: text.to_owned(),
    };
    let game = Game::new(own, "own.toml".to_owned(), &Changes::default()).expect("the game exists");
    let rulebook = Arc::new(game.rulebook().expect("the rule book is valid"));
    let round = set_up(&rulebook, moves.iter().copied()).unwrap_or_else(|bad| panic!("{bad}"));
    let solver = Solver::new(rulebook, &mut Budget::patient(1 << 24)).expect("the game is small enough");
    serde_json::to_value(json::solution(&game, &solver, &round)).unwrap()
}

#[test]
fn version_2_positions_name_their_entries() {
    let text = "title = 'Own'\nnumbers = 'separate'\nstart = 3\ntarget = 20\nturns = 6\npasses = 1\nmoves = [\
                { op = '+1', when = 'odd', uses = 2 }, { op = '+1', when = ['even', 'below 9'], uses = 3, pool = 'shared' }, \
                { op = '+1', on = 'other', uses = 1 }, { op = '-divisor', to = 2, uses = 4 }, \
                { op = '-divisor', from = 3, when = 'above 5', uses = 5 }, 'x1']";
    let told = solution(text, &["+1", "+1", "@+1", "-1"]);
    assert_eq!(
        told["position"].to_string(),
        json!({
            "numbers": [4, 4],
            "turn": 1,
            "uses": {
                "+1 when odd": [1, 1],
                "+1 when even and below 9": 0,
                "@+1": [1, 0],
                "-divisor": [0, 1],
                "-divisor when above 5": [0, 0],
            },
            "passes": [0, 0],
            "plies": 4,
        })
        .to_string()
    );
}

#[test]
fn version_2_moves_and_barred_ones_are_written_as_they_are() {
    let text = "title = 'Own'\nstart = 6\ntarget = 0\nmoves = ['-prime', '-digit', { op = '/divisor', when = 'odd' }, \
                { op = '-1', when = 'odd' }, { op = '-1', when = 'multiple of 5' }]\npast = 'forbidden'";
    let written = |list: &serde_json::Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|item| item["move"].as_str().unwrap().to_owned()).collect()
    };
    let at_6 = solution(text, &[]);
    let mut moves = written(&at_6["moves"]);
    moves.sort();
    assert_eq!(moves, ["-2", "-3", "-6"]);
    assert_eq!(written(&at_6["barred"]), ["/divisor", "-1"]);
    let at_1 = solution(
        "title = 'Own'\nstart = 1\ntarget = 9\nmoves = ['+prime', '+digit', '-divisor', \
                         { op = '+digit', when = 'even', uses = 1 }]",
        &[],
    );
    assert_eq!(written(&at_1["moves"]), ["+1"]);
    assert_eq!(written(&at_1["barred"]), ["+prime", "-divisor", "+digit"]);
}
