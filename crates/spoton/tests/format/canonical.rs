//! A book on one line, as records carry it, and the fingerprint of its rules.

use proptest::prelude::*;
use spoton::format::Draft;

use crate::support::description::descriptions;
use crate::support::{book, cases, plain_with};

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_book_comes_back_from_its_line(description in descriptions()) {
        let book = book(&description.text());
        let again = Draft::read_line("line", &book.whole_line()).build();
        let again = again.map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        prop_assert_eq!(again.whole_line(), book.whole_line());
        prop_assert_eq!(again.fingerprint(), book.fingerprint());
        prop_assert_eq!(&again, &*book);
    }
}

#[test]
fn words_come_back_from_the_line_whatever_is_in_them() {
    let text = r#"
title = "It's \"{target}\" \\ or {start}"
summary = 'C:\{target} {{x}}'
start = 1
target = 20
moves = [{ op = "+1", label = "It's \\ \"one\"" }, { op = "x2", uses = 2, pool = "shared" }]
match = { rounds = 7 }
[wording]
menu = "questions"
opening = "Line one\nIt's {target}\n\\n"
prompt = 'no quotes \n here'
"#;
    let book = book(text);
    assert_eq!(book.title(), "It's \"20\" \\ or 1");
    let line = book.whole_line();
    assert!(!line.contains('\n'));
    let again = Draft::read_line("line", &line).build().unwrap();
    assert_eq!(again, *book);
    assert_eq!(again.moves()[0].label(), "It's \\ \"one\"");
}

#[test]
fn a_title_that_is_long_once_it_is_filled_in_comes_back() {
    let keys = [("title", &*format!("'{}{{target}}'", "a".repeat(56))), ("target", "1000000000000000000")];
    let long = book(&plain_with(&keys));
    assert_eq!(long.title().chars().count(), 75);
    let again = Draft::read_line("line", &long.whole_line()).build().unwrap();
    assert_eq!(again.title(), long.title());
}

#[test]
fn the_rules_line_leaves_defaults_out() {
    let keys = [
        ("numbers", "'shared'"),
        ("reach", "'wins'"),
        ("past", "'loses'"),
        ("range", "[1, 20]"),
        ("stuck", "'loses'"),
    ];
    assert_eq!(book(&plain_with(&keys)).rules_line(), "{start = 1, target = 20, moves = ['+1', 'x2']}");
    let wide = book(&plain_with(&[("range", "[0, 20]"), ("repetition", "0"), ("passes", "2")]));
    let rules = "{start = 1, target = 20, moves = ['+1', 'x2'], range = [0, 20], passes = 2, repetition = 0}";
    assert_eq!(wide.rules_line(), rules);
}

#[test]
fn a_fingerprint_is_the_same_for_books_that_play_the_same() {
    let of = |keys: &[(&str, &str)]| book(&plain_with(keys)).fingerprint();
    let plain = of(&[]);
    assert_eq!(plain.len(), 16);
    for keys in [
        &[("title", "'Another'")][..],
        &[("summary", "'Words'"), ("claims", "['ends']"), ("match", "{ rounds = 3 }")],
        &[("moves", "[{ op = '+1', label = 'One more' }, 'x2']")],
        &[("range", "[1, 20]"), ("repetition", "3")],
        &[("wording", "{ prompt = 'Go: ' }")],
    ] {
        assert_eq!(of(keys), plain, "{keys:?}");
    }
    for keys in [
        &[("start", "2")][..],
        &[("target", "21")],
        &[("moves", "['x2', '+1']")],
        &[("moves", "['+1', { op = 'x2', uses = 9 }]")],
        &[("numbers", "'separate'")],
        &[("reach", "'loses'")],
        &[("past", "'wins'")],
        &[("winning", "[3]")],
        &[("losing", "[3]")],
        &[("forbidden", "[3]")],
        &[("range", "[0, 20]")],
        &[("no_repeat", "'own'")],
        &[("passes", "1")],
        &[("stuck", "'draws'")],
        &[("repetition", "2")],
    ] {
        assert_ne!(of(keys), plain, "{keys:?}");
    }
}

#[test]
fn a_line_without_a_rule_book_is_refused() {
    for line in
        ["", "nonsense", "[1, 2]", "{start = 1", "{title = 'T', start = 1}", "{title = 'T', strat = 1}"]
    {
        assert!(Draft::read_line("line", line).build().is_err(), "{line}");
    }
}
