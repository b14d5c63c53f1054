//! Mistyped keys, invalid TOML, and several mistakes together.

use spoton::format::{Draft, catalog};

use crate::format::{error_at_mark, errors_at_marks};
use crate::support::{plain_with, problems, read};

#[test]
fn a_mistyped_key_is_answered_with_the_one_that_was_meant() {
    for (line, needles) in [
        ("¶tagret = 20", &["unknown key `tagret`", "did you mean `target`?"][..]),
        ("¶Forbidden = [3]", &["unknown key `Forbidden`", "did you mean `forbidden`?"]),
        ("¶norepeat = 'own'", &["unknown key `norepeat`", "did you mean `no_repeat`?"]),
        ("¶no-repeat = 'own'", &["unknown key `no-repeat`", "did you mean `no_repeat`?"]),
        ("¶extend = 'number-maze'", &["unknown key `extend`", "did you mean `extends`?"]),
        ("¶variant = { a = 1 }", &["unknown key `variant`", "did you mean `variants`?"]),
        ("¶colour = 'red'", &["unknown key `colour`", "known: title, summary,", "extends, variants"]),
        ("¶\"a key\" = 1", &["unknown key `a key`"]),
        ("match = { ¶first_too = 3 }", &["unknown `match` key `first_too`", "did you mean `first_to`?"]),
        ("[variants.a]\n¶tagret = 30", &["unknown key `tagret`", "did you mean `target`?"]),
        ("[wording]\n¶promt = 'Go: '", &["unknown sentence `promt`", "did you mean `prompt`?"]),
        ("[wording]\n¶meny = 'all'", &["unknown sentence `meny`", "did you mean `menu`?"]),
        ("[variants.a.wording]\n¶opning = ''", &["unknown sentence `opning`", "did you mean `opening`?"]),
        (
            "[wording]\nmenu = ¶'al'",
            &["`menu` takes one of \"all\", \"legal\", \"questions\"", "did you mean \"all\"?"],
        ),
        ("[variants.a]\n¶extends = 'number-maze'", &["`extends` is only allowed at the top level"]),
        (
            "[variants.a]\n[variants.a.¶variants.b]\ntarget = 3",
            &["`variants` is only allowed at the top level"],
        ),
        ("[variants]\na = ¶3", &["`a` takes a table of keys, not the number 3"]),
    ] {
        error_at_mark(&format!("{}{line}\n", plain_with(&[])), needles);
    }
    let moves = "['+1', { op = 'x2', ¶use = 3 }, ¶{ ¶opp = 'x3' }]";
    let told = errors_at_marks(&plain_with(&[("moves", moves)]));
    assert!(told[0].to_string().contains("unknown move key `use` (did you mean `uses`?)"), "{told:?}");
    assert!(told[1].to_string().contains("no `op`"), "{told:?}");
    assert!(told[2].to_string().contains("unknown move key `opp` (did you mean `op`?)"), "{told:?}");
}

#[test]
fn extending_an_unknown_game_suggests_the_nearest_one() {
    let needles = ["\"number-maz\"", "did you mean \"number-maze\"?"];
    error_at_mark("extends = ¶'number-maz'\npast = 'forbidden'\n", &needles);
    let all: Vec<&str> = catalog::ids().collect();
    error_at_mark("extends = ¶'chess'\n", &["\"chess\"", &all.join(", ")]);
    error_at_mark("extends = ¶'number-maze.toml'\n", &["\"number-maze.toml\""]);
}

#[test]
fn all_errors_of_a_file_are_reported_together_with_their_places() {
    let text = r#"# A game in which nearly everything is wrong.
title = ¶5
¶sumary = "…"
start = ¶1000000000000000001
target = 20
moves = ["+1", ¶"x0", { op = "x2", uses = ¶256 }]
past = ¶"win"
losing = [3, ¶true]
range = ¶[30, 10]
claims = ["ends", ¶"fun"]
repetition = ¶1
match = ¶{ first_to = 3, rounds = 5 }

[variants.¶Short]
target = 9

[variants.long]
target = ¶[]

[wording]
prompt = "Grüße: {keys} ¶{playr}"
¶turm = ""
"#;
    let told = errors_at_marks(text);
    assert_eq!(told.len(), 15);
    for (problem, needle) in told.iter().zip([
        "`title` takes text",
        "unknown key `sumary` (did you mean `summary`?)",
        "`start` takes a whole number",
        "\"x0\"",
        "`uses` takes",
        "`past` takes one of",
        "`losing` takes",
        "`range` goes from low to high",
        "`claims` takes",
        "`repetition` takes",
        "`match` takes",
        "the variant name \"Short\"",
        "`target` takes",
        "`prompt` has no placeholder {playr} (did you mean {player}?)",
        "unknown sentence `turm` (did you mean `turn`?)",
    ]) {
        assert!(problem.to_string().contains(needle), "{needle:?} is missing in: {problem}");
    }
}

#[test]
fn a_place_counts_lines_and_characters() {
    error_at_mark("title = 'Grüße 🎲'\nstart = 1\ntarget = 20\nmoves = ['+1', ¶'x']\n", &["\"x\""]);
    error_at_mark("title = 'T'\r\nstart = 1\r\ntarget = ¶'20'\r\nmoves = ['+1']\r\n", &["`target`"]);
    error_at_mark("title = 'T'\nstart = 1\ntarget = 20\nmoves = [\n  '+1',\n  ¶'é',\n]\n", &["\"é\""]);
    let told = problems(&plain_with(&[("title", "''")]));
    assert_eq!(told[0].to_string(), "book.toml:1:9: `title` is empty; a game needs a name");
}

#[test]
fn a_toml_error_is_reported_once_with_its_place() {
    for text in [
        "title = 'T'\nstart = ¶= ¶1\ntarget = 20\nmoves = ['+1']\n",
        "title = 'T'\nstart = 1\n¶start = 2\ntarget = 20\nmoves = ['+1']\n",
        "title = 'T'\nstart = ¶01\ntarget = 20\nmoves = ['+1']\n",
        "title = 'T'\nstart = ¶\ntarget = 20\nmoves = ['+1']\n",
        "title = 'T'\nstart = 1\ntarget = 20\nmoves = ['+1'¶\n",
        "title = \"T¶\nstart = 1\ntarget = 20\nmoves = ['+1']\n",
    ] {
        for problem in errors_at_marks(text) {
            assert!(problem.message.starts_with("not valid TOML: "), "{problem}");
        }
    }
}

#[test]
fn toml_errors_and_other_errors_are_reported_together() {
    let text = "title = 'T'\nstart = ¶= ¶1\ntarget = ¶'20'\nmoves = ['+1']\npast = ¶wins\n¶tagret = 3\nreach = ¶'won'\n";
    let told = errors_at_marks(text);
    let syntax: Vec<bool> =
        told.iter().map(|problem| problem.message.starts_with("not valid TOML: ")).collect();
    assert_eq!(syntax, [true, true, false, true, false, false], "{told:#?}");
}

#[test]
fn keys_inside_an_open_quote_are_not_reported_as_missing() {
    let told = problems("title = \"\"\"T\nstart = 1\ntarget = 20\nmoves = ['+1']\n");
    assert!(told.iter().all(|problem| problem.message.starts_with("not valid TOML: ")), "{told:#?}");
    for (text, quote) in [("title = 'T\n", "'"), ("title = \"T\nstart = 1\npast = 'wins'\n", "\"")] {
        let told: Vec<String> = problems(text).iter().map(|problem| problem.message.clone()).collect();
        assert_eq!(told, [format!("not valid TOML: the closing {quote} is missing")], "{text}");
    }
}

#[test]
fn a_mistyped_key_is_not_also_reported_as_missing() {
    for (mistyped, rest) in [
        ("taget = 20", "title = 'T'\nstart = 1\nmoves = ['+1']\npast = 'wins'\nreach = 'wins'\n"),
        ("rnage = [1, 20]", "title = 'T'\nstart = 1\nmoves = ['+1']\n"),
        ("strat = 1", "title = 'T'\ntarget = 20\nmoves = ['+1']\n"),
        ("numbrs = 'separate'", "title = 'T'\nstart = [1, 2]\ntarget = 20\nmoves = ['+1']\n"),
    ] {
        let told = problems(&format!("{mistyped}\n{rest}"));
        assert_eq!(told.len(), 1, "{told:#?}");
        assert!(told[0].message.starts_with("unknown key"), "{told:#?}");
    }
}

#[test]
fn nothing_and_rubbish_are_refused_with_a_reason() {
    assert_eq!(problems("").len(), 4);
    assert_eq!(problems("# nothing but a remark\n").len(), 4);
    for rubbish in
        ["\u{0}", "}{", "[[[", "=", "\u{feff}\u{feff}", "a.b.c", "'''", "[variants.a", "\"\\u{1}\" = 1"]
    {
        assert!(!problems(rubbish).is_empty(), "{rubbish:?}");
    }
    let deep = format!("moves = {}", "[".repeat(60_000));
    assert!(!problems(&deep).is_empty());
    let wide = "x = 1\n".repeat(10_000);
    assert!(!problems(&wide).is_empty());
    let draft = Draft::read("my game.toml", "titel = 'T'");
    assert!(draft.build().unwrap_err()[0].to_string().starts_with("my game.toml:1:1: unknown key `titel`"));
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_do_no_harm() {
    let text = format!("\u{feff}{}", plain_with(&[("summary", "'Two'")])).replace('\n', "\r\n");
    assert_eq!(read(&text).build().unwrap().summary(), "Two");
}

#[test]
fn a_move_or_a_span_in_another_spelling_is_answered_with_the_right_one() {
    for (given, right) in [
        ("+ 3", "+3"),
        ("*2", "x2"),
        ("X2", "x2"),
        ("×2", "x2"),
        ("÷ 2", "/2"),
        (":2", "/2"),
        ("−1", "-1"),
        ("add 1", "+1"),
        ("double", "x2"),
        ("+1-4", "+1..4"),
        ("+1 .. 4", "+1..4"),
        ("+1..+4", "+1..4"),
        ("-1–3", "-1..3"),
        ("* 2 to 5", "x2..5"),
    ] {
        let help = format!("write \"{right}\"");
        error_at_mark(&plain_with(&[("moves", &format!("['+7', ¶'{given}']"))]), &["`moves`", given, &help]);
        error_at_mark(
            &plain_with(&[("moves", &format!("['+7', {{ op = ¶'{given}' }}]"))]),
            &["`op`", given, &help],
        );
        // The suggestion works.
        let taken = read(&plain_with(&[("moves", &format!("['+7', '{right}']"))]));
        assert!(taken.build().is_ok(), "{right}");
    }
    for (given, right) in [
        ("20-22", "20..22"),
        ("20 - 22", "20..22"),
        ("20–22", "20..22"),
        ("20 to 22", "20..22"),
        ("20...22", "20..22"),
        ("20 .. 22", "20..22"),
        ("-5--2", "-5..-2"),
        ("-5..=2", "-5..2"),
    ] {
        let help = format!("write \"{right}\"");
        error_at_mark(
            &plain_with(&[("forbidden", &format!("[3, ¶'{given}']"))]),
            &["`forbidden`", given, &help],
        );
        assert!(read(&plain_with(&[("forbidden", &format!("[3, '{right}']"))])).build().is_ok(), "{right}");
    }
    // A span in `moves` also needs a sign.
    for (given, right) in [("20-22", "+20..22"), ("1-4", "+1..4"), ("1 to 4", "+1..4"), ("1..4", "+1..4")] {
        let help = format!("write \"{right}\", or with -, x or / instead of +");
        error_at_mark(&plain_with(&[("moves", &format!("['+7', ¶'{given}']"))]), &["`moves`", given, &help]);
        assert!(read(&plain_with(&[("moves", &format!("['+7', '{right}']"))])).build().is_ok(), "{right}");
    }
    let when = plain_with(&[("moves", "['+7', { op = '+1', when = ¶'20-22' }]")]);
    error_at_mark(&when, &["`when`", "20-22", "write \"from 20 to 22\""]);
}

#[test]
fn nothing_is_suggested_without_a_similar_spelling() {
    for given in ["22-20", "20-", "a-b", "2020-01-02", "20-22-24"] {
        let told = problems(&plain_with(&[("forbidden", &format!("['{given}']"))]));
        assert!(!told[0].to_string().contains("write"), "{told:?}");
    }
    for given in ["3", "+", "+1.5", "+3-1", "+1 +2", "4-1", "0-3", "1-40", "1-", "a-b"] {
        let told = problems(&plain_with(&[("moves", &format!("['{given}']"))]));
        assert!(!told[0].to_string().contains("write"), "{told:?}");
    }
}
