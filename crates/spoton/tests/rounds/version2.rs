//! Version 2 records, with moves on the opponent's number. They appear only if the rules need them.

use spoton::format::Draft;
use spoton::records::{Circumstances, Record, Unplayable, read_move, replay_all, seal, set_up};

use crate::rounds::{circumstances, read_one};
use crate::support::{book, ended, finished, plain_with, played};

/// The version of a round's record, in text and in JSON.
fn version(text: &str, own_file: bool) -> u32 {
    let record =
        Record::from_round(&played(&book(text), ""), &Circumstances { own_file, ..circumstances("own") });
    let in_json = record.to_json()["spoton"].as_u64().unwrap();
    let line = format!("[SpotOn \"{in_json}\"]\n");
    assert!(record.to_string().starts_with(&line), "{record}");
    in_json as u32
}

#[test]
fn only_what_an_older_program_would_not_understand_is_version_2() {
    let apart = ("numbers", "'separate'");
    for (keys, own, shipped) in [
        (&[][..], 1, 1),
        (&[("moves", "[{ op = '+1..3', uses = 1, label = 'Take {amount}' }]")], 1, 1),
        (&[("moves", "[{ op = '+1', on = 'own' }]")], 1, 1),
        (&[apart, ("stuck", "'skips'")], 1, 1),
        (&[("winning", "[3, 5]")], 1, 1),
        (&[("moves", "['-divisor']")], 2, 2),
        (&[("moves", "['+1', { op = '+2', when = 'odd' }]")], 2, 2),
        (&[apart, ("moves", "['+1', { op = '+2', on = 'other' }]")], 2, 2),
        (&[("winning", "['even']")], 2, 2),
        (&[("losing", "['3..5']")], 2, 2),
        (&[("forbidden", "['multiples of 7']")], 2, 2),
        (&[apart, ("stuck", "'closest'")], 2, 2),
        (&[apart, ("turns", "5")], 2, 2),
        // Only a player's own file keeps its wording.
        (&[("wording", "{ moved_other = 'Ouch' }")], 2, 1),
        (&[("wording", "{ closest = 'Close' }")], 2, 1),
        (&[("wording", "{ turns = 'Over' }")], 2, 1),
        (&[("wording", "{ moved = 'There' }")], 1, 1),
    ] {
        let text = plain_with(keys);
        assert_eq!((version(&text, true), version(&text, false)), (own, shipped), "{text}");
        assert_eq!(book(&text).needs_version_2(), own == 2, "{text}");
    }
}

#[test]
fn either_version_is_read_and_written_as_it_has_to_be() {
    let moves = "[Rules \"{title = 'T', start = 12, target = 0, moves = ['-divisor']}\"]\n\n1. -4 -2 *\n";
    for version in ["[SpotOn \"1\"]\n", "[SpotOn \"2\"]\n", ""] {
        let record = read_one(&format!("{version}[Rulebook \"t\"]\n{moves}"));
        assert_eq!(record.replay().unwrap().position().number(), 6);
        assert!(record.to_string().starts_with("[SpotOn \"2\"]\n"), "{record}");
    }
    let old = read_one("[SpotOn \"2\"]\n[Rulebook \"number-maze\"]\n\n1. +1 *\n");
    assert!(old.to_string().starts_with("[SpotOn \"1\"]\n"), "{old}");
    let broken = read_one("[Rulebook \"t\"]\n[Rules \"{turns = \"]\n\n*\n");
    assert!(broken.to_string().starts_with("[SpotOn \"1\"]\n"), "{broken}");
    assert!(seal("x").starts_with("; spoton save 1 "), "the seal has its own version");
}

const STRIKES: &str = "title = 'Strikes'\nnumbers = 'separate'\nstart = 12\ntarget = 0\npast = 'forbidden'\n\
                       moves = ['-1..half', { op = '-3', on = 'other' }, { op = '-2', when = 'even' }, \
                       { op = '-2', when = 'odd', uses = 1 }]";

#[test]
fn moves_on_the_other_number_come_back() {
    let strikes = finished(&Draft::read("strikes.toml", STRIKES));
    let round = played(&strikes, "-6 @-3 @-3 -2 @-3");
    let numbers = spoton::engine::position::Player::BOTH.map(|player| round.number_of(player));
    assert_eq!(numbers, [3, 4]);
    let record = Record::from_round(&round, &Circumstances { own_file: true, ..circumstances("strikes") });
    assert!(record.to_string().ends_with("\n1. -6 @-3 2. @-3 -2 3. @-3 *\n"), "{record}");
    assert_eq!(record.to_json()["moves"], serde_json::json!(["-6", "@-3", "@-3", "-2", "@-3"]));
    for written in [record.to_string(), record.to_json().to_string()] {
        assert_eq!(read_one(&written), record);
        assert_eq!(replay_all(&written).unwrap()[0].1.history(), round.history());
    }
    let marked = record.to_string().replace("1. -6 @-3 2. @-3", "1.-6 @-3?! {ouch} 2.@-3!");
    let marked = read_one(&marked);
    let said: Vec<(&str, &str, &str)> = marked
        .moves
        .iter()
        .take(3)
        .map(|said| (said.written.as_str(), said.mark.as_str(), said.comment.as_str()))
        .collect();
    assert_eq!(said, [("-6", "", ""), ("@-3", "?!", "ouch"), ("@-3", "!", "")]);
    assert_eq!(read_one(&marked.to_string()), marked);
    assert_eq!(ended(&marked.replay().unwrap()), "open");
}

#[test]
fn positions_are_set_up_by_moves_on_either_number() {
    let strikes = finished(&Draft::read("strikes.toml", STRIKES));
    let text = |moves: &[&str]| {
        let round = set_up(&strikes, moves.iter().copied()).unwrap_or_else(|bad| panic!("{bad}"));
        strikes.position_text(round.position())
    };
    assert_eq!(text(&["-6", "@-3"]), "3,12;1;;0/0");
    assert_eq!(text(&["-6", "@ −3"]), "3,12;1;;0/0", "as people may write it");
    assert_eq!(text(&["-1", "-6", "-2"]), "9,6;2;;0/0", "the first entry that has it spends nothing");
    for (moves, told) in [
        (&["@-4"][..], "move 1: @-4: not one of this game's moves: -1..half, @-3 or -2"),
        (&["x2"], "move 1: x2: not one of this game's moves: -1..half, @-3 or -2"),
        (&["-divisor"], "move 1: -divisor: not one of this game's moves: -1..half, @-3 or -2"),
    ] {
        let bad = set_up(&strikes, moves.iter().copied()).unwrap_err();
        assert_eq!(bad.to_string(), told);
    }
    let round = played(&strikes, "");
    assert!(matches!(read_move("-7", &round), Err(Unplayable::NotLegal { .. })));
}
