//! Handwritten records, and errors for unreadable ones.

use spoton::engine::play::Ending;
use spoton::engine::position::{ByPlayer, Player};
use spoton::format::MatchForm;
use spoton::records::{RoundResult, VERSION, is_name, read_all};

use crate::rounds::read_one;
use crate::support::ended;

#[test]
fn the_least_that_a_record_needs_is_the_game_and_the_moves() {
    let record = read_one("[Rulebook \"number-maze\"]\n1. x2 x2 2. +1\n");
    assert_eq!(record.players, ByPlayer(["Player 1".to_owned(), "Player 2".to_owned()]));
    assert_eq!((record.first, record.result, record.ending), (Player::One, RoundResult::Open, None));
    assert_eq!((record.rules.clone(), record.in_match), (None, None));
    let round = record.replay().unwrap();
    assert_eq!((ended(&round), round.position().number()), ("open".to_owned(), 5));
    assert_eq!(record, read_one(r#"{"rulebook": "number-maze", "moves": ["x2", "x2", "+1"]}"#));
    assert_eq!(read_one("[Rulebook \"number-maze\"]\n").moves, []);
}

#[test]
fn the_end_of_a_round_need_not_be_stated() {
    let by_hand = "[Rulebook \"number-maze\"]\n[Target \"10\"]\n\nx2 x2 +1 x2";
    assert_eq!(ended(&read_one(by_hand).replay().unwrap()), "2 reached");
    let with_result = format!("{by_hand} 0-1");
    assert_eq!(read_one(&with_result).result, RoundResult::Won(Player::Two));
    assert_eq!(ended(&read_one(&with_result).replay().unwrap()), "2 reached");
}

#[test]
fn moves_may_be_numbered_and_remarked_upon_in_many_ways() {
    let plain = read_one("[Rulebook \"number-maze\"]\n\n1. x2 x2 2. +1 x2\n");
    for body in [
        "x2 x2 +1 x2",
        "1.x2 x2 2.+1 x2",
        "1. x2 1... x2 2. +1 2... x2",
        "1. x2\n   x2\n\n2. +1 x2",
        "1. x2 x2 ; the rest of a line is a remark { 3. +1\n2. +1 x2",
        "; a whole line\n1. x2 x2 2. +1 x2",
        "1. x2 x2;no blank before it\n2. +1 x2 *",
    ] {
        assert_eq!(read_one(&format!("[Rulebook \"number-maze\"]\n\n{body}\n")), plain, "{body}");
    }
    let text = "[Rulebook \"number-maze\"]\n\n{Before  the\nround} 1. x2!! {one\n[and a half]\n; two}{three} x2?{} 2. +1 x2?! *\n";
    let record = read_one(text);
    let told: Vec<(&str, &str)> =
        record.moves.iter().map(|recorded| (recorded.mark.as_str(), recorded.comment.as_str())).collect();
    assert_eq!(told, [("!!", "one [and a half] ; two three"), ("?", ""), ("", ""), ("?!", "")]);
    assert_eq!(record.other_tags, [("Comment".to_owned(), "Before the round".to_owned())]);
    let again = read_one(&record.to_string());
    assert_eq!(again, record, "a comment before the first move becomes a tag");
    let blanks = read_one("[Rulebook \"a\"]\n\n+1 { one \t two\n\n  three } {} {four}\n");
    assert_eq!(blanks.moves[0].comment, "one two three four");
    let json = "{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"comments\":{\"1\":\" one \\t two\\nthree four \"}}";
    assert_eq!(read_one(json), blanks);
}

#[test]
fn remarks_before_the_first_move_stay_together() {
    let record = read_one("[Rulebook \"number-maze\"]\n[Comment \"one\"]\n\n{two} {three} 1. x2\n");
    assert_eq!(record.other_tags, [("Comment".to_owned(), "one two three".to_owned())]);
    assert_eq!(read_one(&record.to_json().to_string()), record);
}

#[test]
fn a_repeated_tag_counts_once() {
    let record = read_one("[Rulebook \"a\"]\n[Event \"one\"]\n[Rulebook \"b\"]\n[Event \"two\"]\n");
    assert_eq!((record.rulebook.as_str(), record.other_tags.len()), ("b", 1));
    assert_eq!(read_one(&record.to_json().to_string()), record);
}

/// Oddities cause warnings, and both forms preserve them.
#[test]
fn odd_records_load_with_a_warning_and_are_not_changed() {
    for (tags, warnings) in [
        ("[Player1 \"Ann\"]\n", &[][..]),
        ("[Player1 \"12345678901234567890123\"]\n", &[]),
        ("[Player1 \"Ann\"]\n[Player1 \"Ben\"]\n", &["[Player1] appears more than once, first as \"Ann\""]),
        (
            "[First \"1\"]\n[First \"2\"]\n[First \"1\"]\n[Event \"a\"]\n[Event \"a\"]\n",
            &["[Event] appears more than once", "[First] appears more than once, first as \"1\""],
        ),
        ("[Round \"3\"]\n", &["[Round \"3\"]: no [Match] tag"]),
        ("[Match \"first-to 3\"]\n[Round \"4294967296\"]\n", &["[Round \"4294967296\"]: no such round"]),
        ("[Illegal1 \"4294967296\"]\n", &[]),
        (
            "[Illegal1 \"99999999999999999999999\"]\n",
            &["[Illegal1 \"99999999999999999999999\"]: too large to count"],
        ),
    ] {
        let text = format!("[Rulebook \"number-maze\"]\n{tags}\n1. x2 *\n");
        let record = read_one(&text);
        let told = record.warnings();
        assert_eq!(told.len(), warnings.len(), "{told:?}");
        assert!(told.iter().zip(warnings).all(|(told, warning)| told.starts_with(warning)), "{told:?}");
        let written = record.to_string();
        for tag in tags.lines() {
            let count = |text: &str| text.lines().filter(|line| *line == tag).count();
            assert_eq!(count(&written), count(&text), "{tag} in {written}");
        }
        assert_eq!(read_one(&written), record);
        assert_eq!(read_one(&record.to_json().to_string()), record);
        assert!(record.replay().is_ok());
    }
}

#[test]
fn numbers_and_repeated_keys_in_json_are_read_as_written() {
    let name = "12345678901234567890123";
    let record = read_one(&format!("{{\"rulebook\":\"a\",\"player1\":{name},\"tags\":{{\"Event\":1e400}}}}"));
    assert_eq!((record.players.0[0].as_str(), record.other_tags[0].1.as_str()), (name, "1e400"));
    let doubled = read_one("{\"rulebook\":\"a\",\"player1\":\"Ann\",\"player1\":\"Ben\"}");
    assert_eq!(doubled.players.0[0], "Ben");
    assert_eq!(doubled.superseded, [("Player1".to_owned(), "Ann".to_owned())]);
}

#[test]
fn every_tag_is_read() {
    let text = r#"; a save begins with a remark
[SpotOn "1"]
[Rulebook "my game"]
[Variant "short"]
[Setting "target=15"]
[Setting "past=wins"]
[Target "15"]
[Rules "{title = 'T', start = 1, target = 15, moves = ['+1']}"]
[Player1 "Ada \\ \"A\""]
[Computer1 "random"]
[Player2 "数 🎲"]
[First "2"]
[Match "rounds 999"]
[Round "4294967295"]
[Result "1/2-1/2"]
[Ending "stopped"]
[Whatever_1 "else"]

1. +1 1/2-1/2
"#;
    let record = read_one(text);
    assert_eq!((record.rulebook.as_str(), record.variant.as_deref()), ("my game", Some("short")));
    assert_eq!(record.settings, ["target=15", "past=wins"]);
    assert_eq!(record.target.as_deref(), Some("15"));
    assert_eq!(record.players.0, ["Ada \\ \"A\"", "数 🎲"]);
    assert_eq!(record.computers.0, [Some("random".to_owned()), None]);
    assert_eq!((record.first, record.in_match), (Player::Two, Some((MatchForm::Rounds(999), u32::MAX))));
    assert_eq!((record.result, record.ending), (RoundResult::Drawn, Some(Ending::Stopped)));
    assert_eq!(record.other_tags, [("Whatever_1".to_owned(), "else".to_owned())]);
    assert_eq!(read_one(&record.to_json().to_string()), record);
}

#[test]
fn a_file_can_have_several_records() {
    let one = "[Rulebook \"number-maze\"]\n\n1. x2 *\n";
    let two = "[Rulebook \"double-or-add\"]\n[First \"2\"]\n\n1. +1 {two\n[lines]} *\n";
    let records = read_all(&format!("{one}\n{two}{one}")).unwrap();
    let games: Vec<&str> = records.iter().map(|record| record.rulebook.as_str()).collect();
    assert_eq!(games, ["number-maze", "double-or-add", "number-maze"]);
    let lines: String = records.iter().map(|record| format!("{}\n\n", record.to_json())).collect();
    assert_eq!(read_all(&lines).unwrap(), records);
    let windows = format!("{one}\n{two}{one}").replace('\n', "\r\n");
    assert_eq!(read_all(&windows).unwrap(), records);
    assert_eq!(read_all("").unwrap(), []);
    assert_eq!(read_all("\n  \n; nothing but a remark\n").unwrap(), []);
}

/// The error in words.
fn told(text: &str) -> String {
    match read_all(text) {
        Ok(records) => panic!("this was read: {text}\n{records:?}"),
        Err(bad) => bad.to_string(),
    }
}

#[test]
fn an_unreadable_text_is_reported_with_its_line_and_a_reason() {
    for (text, needles) in [
        ("1. x2 *", &["line 1: ", "this record has no [Rulebook"][..]),
        ("[First \"1\"]\n\n1. x2\n", &["line 1: ", "this record has no [Rulebook"]),
        ("[Rulebook \"\"]\n", &["this record has no [Rulebook"]),
        (
            "[Rulebook \"a\"]\n[Result]\n",
            &["line 2: ", "a tag must look like [Result \"1-0\"], not [Result]"],
        ),
        ("[Rulebook \"a]\n", &["line 1: ", "a tag must look like"]),
        ("[Rulebook a]\n", &["line 1: ", "a tag must look like"]),
        ("[Rulebook \"a\" \"b\"]\n", &["line 1: ", "a tag must look like"]),
        ("[Rulebook \"a\\\"]\n", &["line 1: ", "a tag must look like"]),
        ("[Rule-book \"a\"]\n", &["line 1: ", "a tag must look like"]),
        ("[Rulebook \"a\"]\n[First \"3\"]\n", &["line 2: ", "[First \"3\"]", "1 or 2"]),
        (
            "[Rulebook \"a\"]\n\n[Result \"2-0\"]\n",
            &["line 3: ", "[Result \"2-0\"]", "1-0, 0-1, 1/2-1/2 or *"],
        ),
        ("[Rulebook \"a\"]\n[Ending \"lost\"]\n", &["line 2: ", "[Ending \"lost\"]", "a known ending"]),
        ("[Rulebook \"a\"]\n[Match \"best-of 3\"]\n", &["line 2: ", "[Match \"best-of 3\"]", "first-to N"]),
        ("[Rulebook \"a\"]\n[Match \"rounds 1000\"]\n", &["line 2: ", "[Match \"rounds 1000\"]"]),
        ("[Rulebook \"a\"]\n[Match \"rounds\"]\n", &["line 2: ", "[Match \"rounds\"]"]),
        ("[Rulebook \"a\"]\n[Round \"0\"]\n", &["line 2: ", "[Round \"0\"]", "from 1"]),
        ("[Rulebook \"a\"]\n[Player1 \"\"]\n", &["line 2: ", "[Player1 \"\"]", "1 to 32 characters"]),
        ("[Rulebook \"a\"]\n[Player2 \"   \"]\n", &["line 2: ", "1 to 32 characters"]),
        ("[Rulebook \"a\"]\n[Player2 \"\u{7}\"]\n", &["line 2: ", "[Player2] contains the character U+0007"]),
        ("[Rulebook \"a\u{202e}\"]\n", &["line 1: ", "[Rulebook] contains the character U+202E"]),
        ("[SpotOn \"one\"]\n", &["line 1: ", "a version number"]),
        ("[SpotOn \"3\"]\n[Rulebook \"a\"]\n", &["line 1: ", "version 3", "up to 2", "newer"]),
        ("[Rulebook \"a\"]\n\n1. @\n", &["line 3: ", "\"@\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. @@-3\n", &["line 3: ", "\"@@-3\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. @skip\n", &["line 3: ", "\"@skip\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. -divisor\n", &["line 3: ", "\"-divisor\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. x2\n2. double\n", &["line 4: ", "\"double\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. *2\n", &["line 3: ", "\"*2\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. +1 ?\n", &["line 3: ", "\"?\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. +1}\n", &["line 3: ", "\"+1}\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. +0\n", &["line 3: ", "\"+0\" isn't a move"]),
        ("[Rulebook \"a\"]\n\n1. x2 1-0\n2. +1\n", &["line 4: ", "2. comes after the end of the round"]),
        ("[Rulebook \"a\"]\n\n1. x2 {a remark\n\n2. +1\n", &["line 1: ", "a comment isn't closed"]),
        (
            "[Rulebook \"a\"]\n\n1. x2 {a\u{1b}[31m} *\n",
            &["line 3: ", "a comment contains a control character"],
        ),
        (
            "[Rulebook \"a\"]\n[Result \"1-0\"]\n\n1. x2 0-1\n",
            &["line 4: ", "the moves end with 0-1, but [Result] is 1-0"],
        ),
        ("[Rulebook \"a\"]\n\n1. x2 *\n\n[Rulebook \"b\"]\n[First \"0\"]\n", &["line 6: ", "[First \"0\"]"]),
    ] {
        let told = told(text);
        assert!(needles.iter().all(|needle| told.contains(needle)), "{text}\n{needles:?} in: {told}");
    }
    let long = format!("[Rulebook \"a\"]\n[Player1 \"{}\"]\n", "é".repeat(33));
    assert!(told(&long).starts_with("line 2: [Player1"));
}

#[test]
fn an_unreadable_json_line_is_reported_with_its_line_and_a_reason() {
    for (text, needles) in [
        ("{\"rulebook\":", &["line 1: ", "not valid JSON"][..]),
        ("{}\n", &["line 1: ", "this record has no [Rulebook"]),
        ("{\"rulebook\":\"a\"}\n[1]\n", &["line 2: ", "a record must be a JSON object"]),
        ("{\"rulebook\":\"a\"}\n\nnonsense\n", &["line 3: ", "not valid JSON"]),
        ("{\"rulebook\":null}", &["\"rulebook\" takes text"]),
        ("{\"rulebook\":[\"a\"]}", &["\"rulebook\" takes text"]),
        ("{\"rulebook\":\"a\",\"moves\":\"+1\"}", &["\"moves\" takes a list of texts"]),
        ("{\"rulebook\":\"a\",\"moves\":[true]}", &["\"moves\" takes text"]),
        ("{\"rulebook\":\"a\",\"moves\":[\"+1 *\"]}", &["\"+1 *\" isn't a move"]),
        ("{\"rulebook\":\"a\",\"moves\":[\"double\"]}", &["\"double\" isn't a move"]),
        ("{\"rulebook\":\"a\",\"settings\":{}}", &["\"settings\" takes a list of texts"]),
        ("{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"marks\":[\"!\"]}", &["\"marks\" takes an object"]),
        (
            "{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"marks\":{\"1\":\"good\"}}",
            &["a mark may only contain ! and ?"],
        ),
        ("{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"marks\":{\"2\":\"!\"}}", &["\"marks\" refers to move 2"]),
        (
            "{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"comments\":{\"0\":\"x\"}}",
            &["\"comments\" refers to move 0"],
        ),
        (
            "{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"comments\":{\"x\":\"x\"}}",
            &["\"comments\" refers to move x"],
        ),
        (
            "{\"rulebook\":\"a\",\"moves\":[\"+1\"],\"comments\":{\"1\":\"\\u0007\"}}",
            &["a comment contains a control character"],
        ),
        ("{\"rulebook\":\"a\",\"comments\":7}", &["\"comments\" takes an object"]),
        ("{\"rulebook\":\"a\",\"tags\":[]}", &["\"tags\" takes an object"]),
        ("{\"rulebook\":\"a\",\"tags\":{\"a tag\":\"x\"}}", &["\"a tag\" isn't a tag name"]),
        ("{\"rulebook\":\"a\",\"\":\"x\"}", &["\"\" isn't a tag name"]),
        ("{\"rulebook\":\"a\",\"first\":3}", &["[First \"3\"]", "1 or 2"]),
        ("{\"rulebook\":\"a\",\"first\":1.0}", &["[First \"1.0\"]", "1 or 2"]),
        ("{\"rulebook\":\"a\",\"result\":\"won\"}", &["[Result \"won\"]"]),
        ("{\"rulebook\":\"a\",\"ending\":\"won\"}", &["[Ending \"won\"]"]),
        ("{\"rulebook\":\"a\",\"match\":\"3\"}", &["[Match \"3\"]"]),
        ("{\"rulebook\":\"a\",\"round\":-1}", &["[Round \"-1\"]"]),
        ("{\"rulebook\":\"a\",\"player1\":\"\"}", &["[Player1 \"\"]", "1 to 32 characters"]),
        ("{\"rulebook\":\"a\\n\"}", &["[Rulebook] contains the character U+000A"]),
        ("{\"spoton\":3,\"rulebook\":\"a\"}", &["version 3", "newer"]),
    ] {
        let told = told(text);
        assert!(told.starts_with("line "), "{told}");
        assert!(needles.iter().all(|needle| told.contains(needle)), "{text}\n{needles:?} in: {told}");
    }
    assert_eq!(VERSION, 2, "a new version needs new golden files");
}

#[test]
fn a_long_file_is_read_without_delay() {
    // No timing: a quadratic reader would never finish.
    let lines = "[a line of a remark]\n".repeat(200_000);
    assert_eq!(read_one(&format!("[Rulebook \"a\"]\n\n1. +1 {{{lines}}} *\n")).moves.len(), 1);
    let tags: String = (0..50_000).map(|number| format!("[T{number} \"x\"]\n")).collect();
    assert_eq!(read_one(&format!("[Rulebook \"a\"]\n{tags}")).other_tags.len(), 50_000);
}

#[test]
fn names_have_1_to_32_characters_to_show() {
    for name in ["A", "Ada Lovelace", "数", &"é".repeat(32), " a "] {
        assert!(is_name(name), "{name:?}");
    }
    for name in ["", " ", "\u{3000}", "a\nb", "\u{1b}[31m", "\u{202e}", &"é".repeat(33)] {
        assert!(!is_name(name), "{name:?}");
    }
}
