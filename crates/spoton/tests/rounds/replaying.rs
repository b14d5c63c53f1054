//! Replaying records: by their own rules, to their recorded result.

use spoton::engine::play::Ending;
use spoton::engine::position::Player;
use spoton::format::{Sentence, catalog};
use spoton::records::{Circumstances, Record, RoundResult, read_all};

use crate::rounds::{circumstances, read_one};
use crate::support::{book, ended, finished, plain_with, played};

fn replayed(text: &str) -> String {
    ended(&read_one(text).replay().unwrap_or_else(|bad| panic!("{bad}\n{text}")))
}

/// Why a record can't be replayed.
fn refused(text: &str) -> String {
    match read_one(text).replay() {
        Ok(round) => panic!("this was replayed to {}: {text}", ended(&round)),
        Err(bad) => bad.to_string(),
    }
}

#[test]
fn every_ending_occurs() {
    for (tags, moves, end) in [
        ("[Rulebook \"double-or-add\"]", "x2 x2 x2 x2 +1 +1 +1 +1 0-1", "2 reached"),
        ("[Rulebook \"number-maze\"]\n[Variant \"to-15\"]", "+1 x2 x2 +1 x2 0-1", "2 overshot"),
        ("[Rulebook \"target-twenty-one\"]", "x1 x1 x1 x1 1/2-1/2", "draw repetition"),
        ("[Rulebook \"number-maze\"]\n[Setting \"winning=8\"]", "x2 x2 x2 1-0", "1 landed"),
        (
            "[Rulebook \"number-maze\"]\n[Setting \"moves=+7\"]\n[Setting \"past=forbidden\"]",
            "+7 +7 0-1",
            "2 stuck",
        ),
        ("[Rulebook \"number-maze\"]\n[Ending \"resigned\"]", "x2 1-0", "1 resigned"),
        ("[Rulebook \"number-maze\"]\n[Ending \"resigned\"]", "x2 0-1", "2 resigned"),
        ("[Rulebook \"number-maze\"]\n[Ending \"stopped\"]", "x2 1/2-1/2", "draw stopped"),
        ("[Rulebook \"number-maze\"]\n[Ending \"forfeited\"]", "x2 *", "draw forfeited"),
        ("[Rulebook \"number-maze\"]\n[Ending \"abandoned\"]", "x2 *", "draw abandoned"),
        ("[Rulebook \"number-maze\"]\n[First \"2\"]\n[Target \"4\"]", "x2 x2", "1 reached"),
        ("[Rulebook \"number-maze\"]", "x2 *", "open"),
    ] {
        assert_eq!(replayed(&format!("{tags}\n\n{moves}\n")), end, "{tags} {moves}");
    }
}

#[test]
fn a_result_that_contradicts_the_moves_is_refused() {
    for (tags, moves, needle) in [
        ("", "x2 x2 x2 1-0", "the record ends with 1-0, but its moves end with *"),
        ("[Target \"4\"]", "x2 x2 1-0", "the record ends with 1-0, but its moves end with 0-1 reached"),
        (
            "[Target \"4\"]",
            "x2 x2 1/2-1/2",
            "the record ends with 1/2-1/2, but its moves end with 0-1 reached",
        ),
        (
            "[Target \"4\"]\n[Ending \"overshot\"]",
            "x2 x2 0-1",
            "the record ends with 0-1 overshot, but its moves end with 0-1 reached",
        ),
        (
            "[Target \"4\"]\n[Ending \"resigned\"]",
            "x2 x2 0-1",
            "the record ends with 0-1 resigned, but its moves end with 0-1 reached",
        ),
        ("[Ending \"resigned\"]", "x2 *", "the record ends with * resigned, but its moves end with *"),
        (
            "[Ending \"resigned\"]",
            "x2 1/2-1/2",
            "the record ends with 1/2-1/2 resigned, but its moves end with *",
        ),
        ("[Ending \"stopped\"]", "x2 1-0", "the record ends with 1-0 stopped, but its moves end with *"),
        ("[Ending \"forfeited\"]", "x2 1-0", "the record ends with 1-0 forfeited, but its moves end with *"),
        (
            "[Ending \"forfeited\"]",
            "x2 1/2-1/2",
            "the record ends with 1/2-1/2 forfeited, but its moves end with *",
        ),
        ("[Ending \"reached\"]", "x2 1-0", "the record ends with 1-0 reached, but its moves end with *"),
    ] {
        let told = refused(&format!("[Rulebook \"number-maze\"]\n{tags}\n\n{moves}\n"));
        assert_eq!(told, needle, "{tags} {moves}");
    }
}

#[test]
fn moves_that_are_not_legal_are_refused_with_their_number_and_the_reason() {
    for (tags, moves, needle) in [
        ("[Rulebook \"double-or-add\"]", "x2 x2 x2 x2 x2", "move 5, x2: goes past 20"),
        ("[Rulebook \"operation-target\"]", "x2 x2 x2", "move 3, x2: it was your own last move"),
        ("[Rulebook \"number-maze\"]", "x2 +2", "move 2, +2: not one of this game's moves: +1 or x2"),
        (
            "[Rulebook \"number-maze\"]",
            "x2 skip",
            "move 2, skip: you can only skip a turn when no move is legal",
        ),
        ("[Rulebook \"number-maze\"]\n[Target \"2\"]", "x2 x2", "move 2, x2: the round was already over"),
        ("[Rulebook \"number-maze\"]\n[Target \"2\"]", "x2 skip", "move 2, skip: "),
        (
            "[Rulebook \"double-or-add\"]\n[Variant \"three-doublings\"]\n[Target \"999\"]",
            "x2 +1 x2 +1 x2 +1 x2",
            "move 7, x2: already used 3 times, the limit",
        ),
        ("[Rulebook \"double-or-add\"]\n[Variant \"subtract\"]", "-1", "move 1, -1: goes below 1"),
        (
            "[Rulebook \"sequence-math-duel\"]\n[Variant \"no-copying\"]",
            "+1 +1",
            "move 2, +1: it was your opponent's last move",
        ),
        (
            "[Rulebook \"target-twenty-one\"]\n[Variant \"limited-passes\"]",
            "x1 +1 x1",
            "move 3, x1: you have no passes left",
        ),
        ("[Rulebook \"number-maze\"]\n[Setting \"moves=+1,/2\"]", "/2", "move 1, /2: leaves a remainder"),
        (
            "[Rulebook \"number-maze\"]\n[Setting \"forbidden=2\"]",
            "+1",
            "move 1, +1: lands on 2, a forbidden number",
        ),
    ] {
        let told = refused(&format!("{tags}\n\n{moves}\n"));
        assert!(told.starts_with(needle), "{told}");
    }
}

#[test]
fn unknown_games_and_invalid_rules_are_refused() {
    for (tags, needles) in [
        (
            "[Rulebook \"chess\"]",
            &["this Spot On has no game \"chess\", and the record doesn't include its rules"][..],
        ),
        (
            "[Rulebook \"number-maze\"]\n[Variant \"to-16\"]",
            &["there is no variant \"to-16\"", "did you mean"],
        ),
        ("[Rulebook \"number-maze\"]\n[Setting \"tagret=3\"]", &["Setting:1:1: unknown key `tagret`"]),
        (
            "[Rulebook \"number-maze\"]\n[Setting \"start=30\"]",
            &["Setting:1:7: a setting can't turn a climb"],
        ),
        ("[Rulebook \"number-maze\"]\n[Target \"twenty\"]", &["Target:1:1: `target` takes"]),
        ("[Rulebook \"number-maze\"]\n[Target \"-5\"]", &["Target:1:1: a setting can't turn a climb"]),
        ("[Rulebook \"chess\"]\n[Rules \"e4\"]", &["Rules:1:1: not a rule book on one line"]),
        ("[Rulebook \"chess\"]\n[Rules \"{start = 1}\"]", &["`title` is missing", "`moves` is missing"]),
        (
            "[Rulebook \"chess\"]\n[Rules \"{title = 'T', start = 1, target = 1, moves = ['+1']}\"]",
            &["`target` and `start` are both 1"],
        ),
        (
            "[Rulebook \"number-maze\"]\n[Target \"15\"]\n[Rules \"{start = 1, target = 16, moves = ['+1']}\"]",
            &["the record has target 15, but its rules have another target"],
        ),
        (
            "[Rulebook \"a\"]\n[Target \"15\"]\n[Rules \"{title = 'T', start = 1, range = [0, 9], moves = ['+1']}\"]",
            &["the record has target 15, but its rules have another target"],
        ),
        (
            "[Rulebook \"a\"]\n[Rules \"{extends = 'number-maze'}\"]",
            &["`extends` is only allowed at the top level"],
        ),
    ] {
        let told = refused(&format!("{tags}\n\n*\n"));
        assert!(needles.iter().all(|needle| told.contains(needle)), "{tags}\n{told}");
    }
}

#[test]
fn a_record_is_played_by_the_rules_that_it_carries_whatever_the_game_is_today() {
    let text = "[Rulebook \"number-maze\"]\n[Variant \"long-gone\"]\n[Setting \"no_such_key=1\"]\n[Target \"9\"]\n\
                [Rules \"{start = 1, target = 9, moves = ['+4', {op = 'x2', uses = 1}], past = 'wins'}\"]\n\n+4 x2 0-1\n";
    let round = read_one(text).replay().unwrap();
    assert_eq!(ended(&round), "2 overshot");
    assert_eq!(round.rulebook().title(), "Number Maze", "the words are still the game's own");
}

#[test]
fn the_wording_of_variants_and_settings_stays() {
    let settings = ["wording.prompt=Now ({keys}): ", "title=To {target}", "target=30", "match={first_to=2}"];
    let draft = catalog::draft("operation-target").unwrap().variant("three-operations").unwrap();
    let draft = settings.iter().fold(draft, |draft, setting| draft.set("--set", setting));
    let book = finished(&draft);
    let about = Circumstances {
        variant: Some("three-operations".to_owned()),
        settings: settings.map(str::to_owned).to_vec(),
        ..circumstances("operation-target")
    };
    let record = Record::from_round(&played(&book, "+3 x2"), &about);
    for written in [record.to_string(), record.to_json().to_string()] {
        let again = read_one(&written).replay().unwrap();
        assert_eq!(again.rulebook(), &book);
        assert_eq!(again.rulebook().title(), "To 30");
    }
}

#[test]
fn a_record_of_your_own_game_includes_its_wording() {
    let text = plain_with(&[
        ("title", "'My \"own\" game to {target}'"),
        ("summary", "'From {start}.'"),
        ("moves", "['+1', { op = 'x2', uses = 2, label = 'Double it' }]"),
        ("match", "{ rounds = 3 }"),
        ("wording", "{ menu = 'legal', prompt = \"It's {player}'s turn\\n> \" }"),
    ]);
    let book = book(&text);
    let about = |name: &str| Circumstances { own_file: true, ..circumstances(name) };
    // Even if it has the name of a shipped game, it's the player's own book.
    for name in ["my-game", "operation-target"] {
        let record = Record::from_round(&played(&book, "x2 x2 +1"), &about(name));
        for written in [record.to_string(), record.to_json().to_string()] {
            let again = read_one(&written).replay().unwrap();
            assert_eq!(*again.rulebook(), book, "{name}");
            assert_eq!(again.rulebook().title(), "My \"own\" game to 20");
            assert_eq!(again.rulebook().moves()[1].label(), "Double it");
            let prompt =
                again.rulebook().wording().sentence(Sentence::Prompt).fill(|name| format!("<{name}>"));
            assert_eq!(prompt, "It's <player>'s turn\n> ");
            assert_eq!(again.position().number(), 5);
        }
    }
}

#[test]
fn a_record_of_a_replayed_round_is_the_same_record() {
    let text = "[Rulebook \"number-maze\"]\n[Variant \"to-15\"]\n\n+1 x2 x2 +1 x2\n";
    let round = read_one(text).replay().unwrap();
    let about = Circumstances { variant: Some("to-15".to_owned()), ..circumstances("number-maze") };
    let record = Record::from_round(&round, &about);
    assert_eq!((record.result, record.ending), (RoundResult::Won(Player::Two), Some(Ending::Overshot)));
    let again = Record::from_round(&read_one(&record.to_string()).replay().unwrap(), &about);
    assert_eq!(again, record);
}

#[test]
fn skipped_turns_are_written_and_replayed() {
    let keys = [("numbers", "'separate'"), ("start", "[1, 19]"), ("moves", "['+2', '+3']")];
    let book = book(&plain_with(&[&keys[..], &[("past", "'forbidden'"), ("stuck", "'skips'")]].concat()));
    let about = Circumstances { own_file: true, ..circumstances("skips") };
    let record = Record::from_round(&played(&book, "+2 skip +3 skip"), &about);
    assert!(record.to_string().ends_with("\n1. +2 skip 2. +3 skip *\n"));
    let round = read_one(&record.to_string()).replay().unwrap();
    assert_eq!((round.history().len(), round.number_of(Player::One)), (4, 6));
    let missing = record.to_string().replace("+2 skip 2. +3", "+2 2. +3");
    assert!(read_all(&missing).unwrap()[0].replay().is_err(), "a skipped turn must be written");
}
