//! The values that each key accepts, its default, and errors for everything else.

use spoton::format::Rulebook;

use crate::format::{error_at_mark, errors_at_marks};
use crate::support::{book, plain_with};

/// A key's value, in a comparable form.
fn said(book: &Rulebook, key: &str) -> String {
    let moves = || {
        let each = book.moves().iter().map(|rule| {
            let uses = rule.uses.map(|uses| format!(" {} {}", uses.limit, uses.pool.word()));
            format!("{}{} {}", rule.op, uses.unwrap_or_default(), rule.label())
        });
        each.collect::<Vec<_>>().join(", ")
    };
    match key {
        "title" => book.title().to_owned(),
        "summary" => book.summary().to_owned(),
        "suits" => format!("{:?}", book.suits()),
        "notes" => format!("{:?}", book.notes()),
        "numbers" => book.numbers().word().to_owned(),
        "start" => format!("{:?}", book.start()),
        "target" => format!("{:?}", book.target()),
        "moves" => moves(),
        "reach" => book.reach().word().to_owned(),
        "past" => book.past().word().to_owned(),
        "winning" => format!("[{}]", book.winning().written().collect::<Vec<_>>().join(", ")),
        "losing" => format!("[{}]", book.losing().written().collect::<Vec<_>>().join(", ")),
        "forbidden" => format!("[{}]", book.forbidden().written().collect::<Vec<_>>().join(", ")),
        "range" => format!("{:?}", book.range()),
        "no_repeat" => book.no_repeat().word().to_owned(),
        "passes" => format!("{:?}", book.passes()),
        "stuck" => book.stuck().word().to_owned(),
        "repetition" => format!("{:?}", book.repetition()),
        "claims" => book.claims().iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        "match" => format!("{:?}", book.match_form()),
        _ => panic!("no such key: {key}"),
    }
}

#[test]
fn every_key_takes_what_it_should() {
    for (key, value, expected) in [
        ("title", "'A game'", "A game"),
        ("title", "'From {start} to {target}, {{so}}'", "From 1 to 20, {{so}}"),
        ("summary", "'Reach {target} from {start}.'", "Reach 20 from 1."),
        ("suits", "'two people'", r#"Some("two people")"#),
        ("notes", "['One: {target}', 'Two: {start}']", r#"["One: 20", "Two: 1"]"#),
        ("notes", "[]", "[]"),
        ("numbers", "'shared'", "shared"),
        ("numbers", "'separate'", "separate"),
        ("start", "7", "(7, 7)"),
        ("start", "-7", "(-7, -7)"),
        ("start", "0", "(0, 0)"),
        ("target", "2", "Some(2)"),
        ("target", "-2", "Some(-2)"),
        ("moves", "['+1']", "+1 Add 1"),
        ("moves", "['+1', '-2', 'x3', '/4']", "+1 Add 1, -2 Subtract 2, x3 Multiply by 3, /4 Divide by 4"),
        ("moves", "['x2..4', '+1']", "x2 Multiply by 2, x3 Multiply by 3, x4 Multiply by 4, +1 Add 1"),
        ("moves", "['-5..5']", "-5 Subtract 5"),
        ("moves", "[{ op = 'x2' }]", "x2 Multiply by 2"),
        ("moves", "[{ op = 'x2', uses = 3 }]", "x2 3 own Multiply by 2"),
        ("moves", "[{ op = 'x2', uses = 3, pool = 'own' }]", "x2 3 own Multiply by 2"),
        ("moves", "[{ op = 'x2', uses = 3, pool = 'shared' }]", "x2 3 shared Multiply by 2"),
        ("moves", "[{ op = 'x2', label = 'Double' }, '+1']", "x2 Double, +1 Add 1"),
        ("reach", "'wins'", "wins"),
        ("reach", "'loses'", "loses"),
        ("past", "'loses'", "loses"),
        ("past", "'forbidden'", "forbidden"),
        ("past", "'wins'", "wins"),
        ("winning", "[7, 5]", "[5, 7]"),
        ("winning", "[5, 7, 5]", "[5, 7]"),
        ("losing", "[7]", "[7]"),
        ("forbidden", "[-7, 1]", "[-7, 1]"),
        ("range", "[-5, 30]", "(-5, 30)"),
        ("range", "[1, 20]", "(1, 20)"),
        ("no_repeat", "'none'", "none"),
        ("no_repeat", "'own'", "own"),
        ("no_repeat", "'opponent'", "opponent"),
        ("no_repeat", "'both'", "both"),
        ("passes", "0", "Some(0)"),
        ("passes", "2", "Some(2)"),
        ("stuck", "'loses'", "loses"),
        ("stuck", "'wins'", "wins"),
        ("stuck", "'draws'", "draws"),
        ("stuck", "'skips'", "skips"),
        ("repetition", "0", "None"),
        ("repetition", "2", "Some(2)"),
        ("claims", "['ends', 'no-draws', 'skill-wins']", "ends, no-draws, skill-wins"),
        ("claims", "['first-wins', 'second-wins']", "first-wins, second-wins"),
        ("claims", "['moves <= 30', 'subtle >= 0']", "moves <= 30, subtle >= 0"),
        ("match", "{ first_to = 3 }", "Some(FirstTo(3))"),
        ("match", "{ rounds = 5 }", "Some(Rounds(5))"),
    ] {
        assert_eq!(said(&book(&plain_with(&[(key, value)])), key), expected, "{key} = {value}");
    }
    let pair = book(&plain_with(&[("numbers", "'separate'"), ("start", "[1, -3]"), ("title", "'{start}'")]));
    assert_eq!((said(&pair, "start"), said(&pair, "title")), ("(1, -3)".to_owned(), "1 and -3".to_owned()));
}

#[test]
fn every_key_but_three_can_be_left_out() {
    for (key, expected) in [
        ("summary", ""),
        ("suits", "None"),
        ("notes", "[]"),
        ("numbers", "shared"),
        ("reach", "wins"),
        ("past", "loses"),
        ("winning", "[]"),
        ("losing", "[]"),
        ("forbidden", "[]"),
        ("range", "(1, 20)"),
        ("no_repeat", "none"),
        ("passes", "None"),
        ("stuck", "loses"),
        ("repetition", "Some(3)"),
        ("claims", ""),
        ("match", "None"),
    ] {
        assert_eq!(said(&book(&plain_with(&[])), key), expected, "{key}");
    }
    let without_target = book("title = 'Open'\nstart = 3\nrange = [0, 9]\nmoves = ['+1']\n");
    assert_eq!(said(&without_target, "target"), "None");
    for key in ["title", "start", "moves"] {
        let text: String = plain_with(&[])
            .lines()
            .filter(|line| !line.starts_with(key))
            .map(|line| format!("{line}\n"))
            .collect();
        error_at_mark(&format!("¶{text}"), &[&format!("`{key}` is missing")]);
    }
}

#[test]
fn the_default_range_spans_starts_and_target() {
    for (start, target, range) in
        [("1", "20", (1, 20)), ("20", "1", (1, 20)), ("[3, 7]", "20", (3, 20)), ("[7, -3]", "-9", (-9, 7))]
    {
        let keys = [("numbers", "'separate'"), ("start", start), ("target", target)];
        assert_eq!(book(&plain_with(&keys)).range(), range);
    }
}

/// A value of each TOML type, and its name in errors.
const TYPES: &[(&str, &str, &str)] = &[
    ("text", "'word'", "\"word\""),
    ("integer", "5", "the number 5"),
    ("float", "1.5", "1.5"),
    ("boolean", "true", "true"),
    ("date", "2024-02-29", "a date"),
    ("list", "[true]", "a list"),
    ("table", "{ a = 1 }", "a table"),
];

#[test]
fn every_key_refuses_values_of_another_type() {
    for (keys, takes) in [
        (&["title", "summary", "suits", "extends"][..], &["text"][..]),
        (&["numbers", "reach", "past", "no_repeat", "stuck"], &[]),
        (&["start"], &["integer", "list"]),
        (&["target"], &["integer"]),
        (&["passes", "repetition"], &["integer"]),
        (&["notes", "moves", "winning", "losing", "forbidden", "range", "claims"], &["list"]),
        (&["match", "variants", "wording"], &["table"]),
    ] {
        for key in keys {
            for (_, value, given) in TYPES.iter().filter(|(name, _, _)| !takes.contains(name)) {
                let text = plain_with(&[(key, &format!("¶{value}"))]);
                error_at_mark(&text, &[&format!("`{key}` takes"), "not ", given]);
            }
        }
    }
}

#[test]
fn every_item_of_a_list_is_looked_at() {
    for (key, value, needle) in [
        ("notes", "['a', ¶5, ¶true]", "`notes` takes text"),
        ("winning", "[3, ¶'4', ¶5.0]", "`winning` takes a whole number"),
        ("losing", "[¶[1], 2, ¶{ a = 1 }]", "`losing` takes a whole number"),
        ("forbidden", "[¶2024-02-29]", "`forbidden` takes a whole number"),
        ("range", "[¶'low', ¶'high']", "`range` takes a whole number"),
        ("start", "[¶'1', 2]", "`start` takes a whole number"),
        ("claims", "[¶5, 'ends', ¶'end']", "`claims` takes"),
        ("moves", "[¶5, '+1', ¶true, ¶['+1']]", "`moves` takes moves"),
    ] {
        let problems = errors_at_marks(&plain_with(&[(key, value)]));
        assert!(problems.iter().all(|problem| problem.message.contains(needle)), "{problems:#?}");
    }
    for (key, value, length) in
        [("range", "¶[1]", 1), ("range", "¶[1, 20, 30]", 3), ("start", "¶[]", 0), ("start", "¶[1, 2, 3]", 3)]
    {
        let needle = format!("`{key}` takes a list of two whole numbers, not of {length}");
        error_at_mark(&plain_with(&[("numbers", "'separate'"), (key, value)]), &[&needle]);
    }
}

#[test]
fn tables_inside_refuse_other_types_too() {
    for (value, needle) in [
        ("[{ op = ¶5 }]", "`op` takes text, not the number 5"),
        ("[{ op = 'x2', uses = ¶'3' }]", "`uses` takes a whole number from 1 to 255, not the text \"3\""),
        ("[{ op = 'x2', uses = 3, pool = ¶true }]", "`pool` takes one of \"own\", \"shared\", not true"),
        ("[{ op = 'x2', label = ¶['Double'] }]", "`label` takes text, not a list"),
        ("[{ op = 'x2', label = ¶' ' }]", "`label` is empty"),
    ] {
        error_at_mark(&plain_with(&[("moves", value)]), &[needle]);
    }
    error_at_mark(&plain_with(&[("match", "{ first_to = ¶'3' }")]), &["`first_to` takes a whole number"]);
    error_at_mark(&plain_with(&[("match", "{ rounds = ¶1.5 }")]), &["`rounds` takes a whole number"]);
}

#[test]
fn words_are_taken_exactly() {
    for (key, value, needles) in [
        (
            "numbers",
            "¶'Shared'",
            &["`numbers` takes one of \"shared\", \"separate\"", "\"Shared\"", "did you mean \"shared\"?"][..],
        ),
        (
            "reach",
            "¶'win'",
            &["`reach` takes one of \"wins\", \"loses\"", "\"win\"", "did you mean \"wins\"?"],
        ),
        ("past", "¶'forbiden'", &["\"loses\", \"forbidden\", \"wins\"", "did you mean \"forbidden\"?"]),
        ("no_repeat", "¶'everyone'", &["\"none\", \"own\", \"opponent\", \"both\", not \"everyone\""]),
        ("stuck", "¶'skip'", &["\"loses\", \"wins\", \"draws\", \"skips\"", "did you mean \"skips\"?"]),
        (
            "moves",
            "[{ op = '+1', uses = 1, pool = ¶'ours' }]",
            &["`pool` takes one of \"own\", \"shared\"", "\"ours\""],
        ),
        ("claims", "[¶'moves < 30']", &["`claims`", "\"moves <= N\"", "not \"moves < 30\""]),
        ("claims", "[¶'subtle >= many']", &["`claims`", "\"subtle >= N\"", "not \"subtle >= many\""]),
    ] {
        error_at_mark(&plain_with(&[(key, value)]), needles);
    }
}

#[test]
fn operations_are_written_in_one_way_only() {
    for (operation, needle) in [
        ("1", "starts with +, -, x or /"),
        ("*2", "starts with +, -, x or /"),
        ("×2", "starts with +, -, x or /"),
        ("X2", "starts with +, -, x or /"),
        ("", "starts with +, -, x or /"),
        ("+", "plain digits"),
        ("+ 1", "plain digits"),
        ("+1 ", "plain digits"),
        ("+01", "plain digits"),
        ("+-1", "plain digits"),
        ("x1_000", "plain digits"),
        ("x٢", "plain digits"),
        ("+1.5", "plain digits"),
        ("+1..", "plain digits"),
        ("+1..+4", "plain digits"),
        ("+1..04", "plain digits"),
        ("..4", "starts with +, -, x or /"),
        ("+4..1", "write the smaller amount of a span first: +1..4"),
    ] {
        error_at_mark(
            &plain_with(&[("moves", &format!("['x7', ¶'{operation}']"))]),
            &["`moves`", operation, needle],
        );
        if !operation.contains("..") {
            let table = format!("['x7', {{ op = ¶'{operation}' }}]");
            error_at_mark(&plain_with(&[("moves", &table)]), &["`op`", operation, needle]);
        }
    }
}
