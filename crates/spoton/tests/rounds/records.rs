//! How records look, in both forms.

use spoton::engine::position::{ByPlayer, Player};
use spoton::format::{Draft, MatchForm, catalog};
use spoton::records::{Circumstances, Record, RecordedMove};

use crate::rounds::{circumstances, read_one};
use crate::support::{finished, plain_with, played, played_from, read};

fn maze_to_15() -> Draft {
    catalog::draft("number-maze").unwrap().variant("to-15").unwrap()
}

/// A round of a match, with everything that a record can contain.
fn full() -> Record {
    let round = played_from(&finished(&maze_to_15()), Player::Two, "+1 x2 x2 +1 x2");
    let mut record = Record::from_round(
        &round,
        &Circumstances {
            variant: Some("to-15".to_owned()),
            players: ByPlayer(["Ada \"Countess\"".to_owned(), "Dash".to_owned()]),
            computers: ByPlayer([None, Some("perfect".to_owned())]),
            in_match: Some((MatchForm::FirstTo(3), 2)),
            ..circumstances("number-maze")
        },
    );
    record.moves[2] =
        RecordedMove { mark: "?!".to_owned(), comment: "hasty".to_owned(), ..record.moves[2].clone() };
    record.other_tags.push(("Date".to_owned(), "2024-02-29".to_owned()));
    record
}

#[test]
fn the_text_is_for_people() {
    let expected = r#"[SpotOn "1"]
[Rulebook "number-maze"]
[Variant "to-15"]
[Target "15"]
[Rules "{start = 1, target = 15, moves = ['+1', 'x2']}"]
[Player1 "Ada \"Countess\""]
[Player2 "Dash"]
[Computer2 "perfect"]
[First "2"]
[Match "first-to 3"]
[Round "2"]
[Result "1-0"]
[Ending "overshot"]
[Date "2024-02-29"]

1. +1 x2 2. x2?! {hasty} +1 3. x2 1-0
"#;
    assert_eq!(full().to_string(), expected);
    assert_eq!(read_one(expected), full());
}

#[test]
fn the_json_is_for_machines() {
    let expected = concat!(
        r#"{"spoton":1,"rulebook":"number-maze","variant":"to-15","target":15,"#,
        r#""rules":"{start = 1, target = 15, moves = ['+1', 'x2']}","player1":"Ada \"Countess\"","player2":"Dash","#,
        r#""computer2":"perfect","first":2,"match":"first-to 3","round":2,"result":"1-0","ending":"overshot","#,
        r#""moves":["+1","x2","x2","+1","x2"],"marks":{"3":"?!"},"comments":{"3":"hasty"},"#,
        r#""tags":{"Date":"2024-02-29"}}"#,
    );
    assert_eq!(full().to_json().to_string(), expected);
    assert_eq!(read_one(expected), full());
}

#[test]
fn the_same_round_gives_the_same_record_byte_for_byte() {
    assert_eq!(full().to_string(), full().to_string());
    assert_eq!(full().to_json().to_string(), full().to_json().to_string());
    let again = read_one(&full().to_string());
    assert_eq!(again.to_string(), full().to_string());
    assert_eq!(again.to_json().to_string(), full().to_json().to_string());
}

#[test]
fn settings_keep_their_order() {
    let draft = catalog::draft("number-maze").unwrap().set("--set", "past=wins").set("--set", "target=31");
    let settings = vec!["past=wins".to_owned(), "target=31".to_owned()];
    let round = played(&finished(&draft), "x2");
    let record = Record::from_round(&round, &Circumstances { settings, ..circumstances("number-maze") });
    let text = record.to_string();
    assert!(text.contains("[Setting \"past=wins\"]\n[Setting \"target=31\"]\n[Target \"31\"]\n"), "{text}");
    assert!(text.ends_with("[Result \"*\"]\n\n1. x2 *\n"), "{text}");
    assert_eq!(record.to_json()["settings"].to_string(), r#"["past=wins","target=31"]"#);
    assert_eq!(read_one(&text), record);
}

#[test]
fn a_round_without_a_target_or_without_moves_has_a_record_too() {
    let book = finished(&read("title = 'Open'\nstart = 3\nrange = [0, 9]\nmoves = ['+1', '-1']\n"));
    let record =
        Record::from_round(&played(&book, ""), &Circumstances { own_file: true, ..circumstances("open") });
    assert_eq!((record.target.as_deref(), record.moves.len()), (None, 0));
    let text = record.to_string();
    assert!(text.ends_with("[Result \"*\"]\n\n*\n"), "{text}");
    assert_eq!(read_one(&text), record);
    assert_eq!(read_one(&record.to_json().to_string()), record);
}

#[test]
fn long_rounds_and_comments_are_broken_into_lines() {
    let book = finished(&read(&plain_with(&[("target", "999"), ("moves", "['+1']")])));
    let mut record = Record::from_round(&played(&book, &"+1 ".repeat(60)), &circumstances("long"));
    record.moves[7].comment = "a remark of several words that goes on and on ".repeat(5).trim().to_owned();
    record.moves[9].comment =
        "[Result \"0-1\"] is no tag; 1-0 is no result {nor is this a second one".to_owned();
    let text = record.to_string();
    let body = text.split_once("\n\n").unwrap().1;
    assert!(body.lines().count() > 5);
    assert!(body.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(read_one(&text), record);
}

#[test]
fn a_closing_brace_in_a_comment_is_softened() {
    let mut record = full();
    record.moves[2].comment = "a } in {a} comment".to_owned();
    // Both forms replace the brace, so that each converts to the other.
    for written in [record.to_string(), record.to_json().to_string()] {
        assert_eq!(read_one(&written).moves[2].comment, "a ) in {a) comment");
    }
}

#[test]
fn whatever_a_setting_or_a_file_is_called_the_record_can_be_read() {
    let draft = catalog::draft("number-maze")
        .unwrap()
        .set("--set", "wording.turn=one\ntwo")
        .set("--set", "target=\t31");
    let record = Record::from_round(
        &played(&finished(&draft), "x2"),
        &Circumstances {
            settings: vec!["wording.turn=one\ntwo".to_owned(), "target=\t31".to_owned()],
            variant: None,
            ..circumstances("number-maze")
        },
    );
    for written in [record.to_string(), record.to_json().to_string()] {
        assert_eq!(read_one(&written).settings, ["wording.turn=one two", "target= 31"]);
        assert!(read_one(&written).replay().is_ok());
    }
    let odd = Record::from_round(
        &played(&finished(&draft), ""),
        &circumstances("two\nlines\\ and \"quotes\" \u{202e}"),
    );
    assert_eq!(read_one(&odd.to_string()).rulebook, "two lines\\ and \"quotes\"  ");
    assert_eq!(read_one(&odd.to_json().to_string()).rulebook, "two lines\\ and \"quotes\"  ");
}
