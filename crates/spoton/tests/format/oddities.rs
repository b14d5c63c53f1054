//! `check`: errors of a file and its variants, and warnings about valid books.

use spoton::format::{Problem, Severity, check};

use crate::support::{book, marked, plain_with, read};

/// Checks a text marked with `¶`: one problem per mark, with the given severity.
fn told(text: &str, severity: Severity) -> Vec<Problem> {
    let (text, places) = marked(text);
    let problems = check(&read(&text));
    let told: Vec<(usize, usize)> = problems.iter().map(|problem| problem.place.line_column()).collect();
    assert_eq!(told, places, "{text}\n{problems:#?}");
    assert!(problems.iter().all(|problem| problem.severity == severity), "{problems:#?}");
    problems
}

fn warnings(keys: &[(&str, &str)]) -> Vec<String> {
    let text = plain_with(keys);
    book(&marked(&text).0);
    told(&text, Severity::Warning).into_iter().map(|problem| problem.message).collect()
}

#[test]
fn a_plain_book_gets_no_warning() {
    assert!(warnings(&[]).is_empty());
    assert!(warnings(&[("winning", "[18]"), ("losing", "[3]"), ("forbidden", "[5]")]).is_empty());
    assert!(warnings(&[("forbidden", "[22]")]).is_empty(), "doubling 11 would land there");
}

#[test]
fn a_target_that_no_move_reaches() {
    for keys in [
        &[("moves", "['+2']"), ("target", "¶20")][..],
        &[("moves", "['x2']"), ("target", "¶20"), ("start", "0")],
        &[("moves", "['x3']"), ("target", "¶20")],
        &[("moves", "['+1']"), ("target", "¶20"), ("forbidden", "[10]")],
        &[("moves", "['+1']"), ("target", "¶20"), ("losing", "[10]")],
    ] {
        assert_eq!(warnings(keys), ["no sequence of moves lands on the target 20"], "{keys:?}");
    }
}

#[test]
fn a_label_that_means_something_else_when_it_is_typed() {
    for (label, meaning) in [
        ("undo", "a command"),
        ("Hint", "a command"),
        ("idea of Ann's", "a command"),
        ("7", "read as a menu number"),
        ("Double", "read as the move x2"),
        ("times 2", "read as the move x2"),
        ("x2", "read as the move x2"),
    ] {
        let moves = format!("[¶{{ op = '+1', label = \"{label}\" }}, 'x2']");
        let said = format!("the label \"{label}\" is {meaning}: typing it won't choose this move");
        assert_eq!(warnings(&[("moves", &moves)]), [said]);
    }
    for fine in ["Step on", "plus one", "add 1", "+1", "triple", "hints"] {
        let moves = format!("[{{ op = '+1', label = \"{fine}\" }}, 'x2']");
        assert!(warnings(&[("moves", &moves)]).is_empty(), "{fine}");
    }
    // With one question at a time, the menu has no numbers.
    let moves = ("moves", "[{ op = '+1', label = '7' }, 'x2']");
    assert!(warnings(&[moves, ("wording", "{ menu = 'questions' }")]).is_empty());
}

#[test]
fn a_first_player_who_cannot_move() {
    let nobody = "the first player can't move, so this game can't be played";
    let neither = "neither player can move, so this game can't be played";
    let skipped = "the first player can't move, so their first turn is skipped";
    let shared = "moves = ['+30']\npast = 'forbidden'\nstart = 1\ntarget = 20\n";
    let separate = "numbers = 'separate'\nstart = [19, 1]\ntarget = 20\nmoves = ['+2', '+17', '+19']\npast = 'forbidden'\n";
    for (keys, stuck, message) in [
        (shared, "loses", nobody),
        (shared, "wins", nobody),
        (shared, "draws", nobody),
        (shared, "skips", neither),
        // The opponent could move.
        (separate, "loses", nobody),
        (separate, "skips", skipped),
        (separate, "closest", skipped),
        ("start = 50\ntarget = 20\nmoves = ['+1', 'x2']\n", "loses", nobody),
    ] {
        let text = format!("title = 'My Game'\n{keys}stuck = '{stuck}'");
        let told = check(&read(&text));
        assert_eq!(told.first().map(|problem| problem.message.as_str()), Some(message), "{text}");
        assert!(
            told.iter().all(|problem| problem.severity == Severity::Warning),
            "the book is valid: {told:?}"
        );
        let sentence =
            (message != skipped).then(|| format!("{}{}.", message[..1].to_uppercase(), &message[1..]));
        assert_eq!(book(&text).unplayable(), sentence, "{text}");
    }
    assert_eq!(book(&plain_with(&[])).unplayable(), None);
}

#[test]
fn a_list_that_never_matters() {
    for (keys, needle) in [
        (&[("winning", "¶[-3]")][..], "`winning` lists -3"),
        (&[("losing", "¶[5, 100]")], "`losing` lists 100"),
        (&[("forbidden", "¶[1, 100]")], "`forbidden` lists 1, 100"),
        (&[("winning", "¶[22]")], "`winning` lists 22"),
        (&[("losing", "¶[22]"), ("past", "'wins'")], "`losing` lists 22"),
        (&[("forbidden", "¶[22]"), ("past", "'forbidden'")], "`forbidden` lists 22"),
        (&[("forbidden", "¶[0]"), ("moves", "['+1', '-1']")], "`forbidden` lists 0"),
        (&[("moves", "['+2']"), ("start", "0"), ("winning", "¶[3]")], "`winning` lists 3"),
    ] {
        let told = warnings(keys);
        assert!(told.len() == 1 && told[0].starts_with(needle), "{told:?}");
    }
}

#[test]
fn two_moves_of_one_name() {
    let told = warnings(&[("moves", "¶['+1', { op = 'x2', label = 'add 1' }]")]);
    assert!(told.len() == 1 && told[0].starts_with("two moves are called \"add 1\""), "{told:?}");
}

#[test]
fn a_book_too_large_to_look_through_gets_no_guess() {
    let keys = [("target", "1000000000000000000"), ("moves", "['+1', '+2']"), ("winning", "[5000000000]")];
    assert!(warnings(&keys).is_empty());
}

#[test]
fn a_book_too_large_to_search_gets_only_certain_warnings() {
    let large = |key, list| {
        let keys = [("target", "1000000000000000"), ("start", "5"), ("moves", "['+1', '+2']"), (key, list)];
        warnings(&keys)
    };
    assert_eq!(
        large("winning", "¶[3, 7, 1000000000000001]"),
        ["`winning` lists 3, 1000000000000001, with no effect"]
    );
    assert_eq!(large("forbidden", "¶[3]"), ["`forbidden` lists 3, with no effect"]);
    assert!(large("forbidden", "[1000000000000001]").is_empty(), "+2 would land there");
}

#[test]
fn variants_are_checked_too_and_named() {
    let text = format!(
        "{}[variants.odd]\nmoves = ['+2']\ntarget = ¶20\n[variants.fine]\ntarget = 7\n[variants.wrong]\ntarget = ¶1\n",
        plain_with(&[])
    );
    let (text, places) = marked(&text);
    let problems = check(&read(&text));
    let told: Vec<(usize, usize)> = problems.iter().map(|problem| problem.place.line_column()).collect();
    assert_eq!(told, places);
    assert_eq!(problems[0].message, "no sequence of moves lands on the target 20, in the variant \"odd\"");
    assert_eq!(problems[0].severity, Severity::Warning);
    assert!(problems[1].message.ends_with(", in the variant \"wrong\""), "{}", problems[1]);
    assert_eq!(problems[1].severity, Severity::Error);
}

#[test]
fn an_error_in_the_file_is_not_repeated_for_each_variant() {
    let text = format!(
        "{}[variants.a]\npast = 'wins'\n[variants.b]\nstart = 2\n",
        plain_with(&[("reach", "¶'win'")])
    );
    told(&text, Severity::Error);
    let text = format!("{}[variants.a]\npast = 'wins'\n", plain_with(&[("range", "¶[5, 20]")]));
    let told = told(&text, Severity::Error);
    assert!(!told[0].message.contains("variant"), "{}", told[0]);
}

#[test]
fn a_book_that_is_only_whole_with_a_variant_says_so() {
    let problems = check(&read("title = 'T'\nstart = 1\nmoves = ['+1']\n[variants.a]\ntarget = 5\n"));
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].message.contains("`target` is missing"), "{}", problems[0]);
}

#[test]
fn placeholders_that_nothing_fills_in() {
    let shown = "the braces will be shown";
    for (keys, message, help) in [
        (&[("summary", "¶'To {goal}'")][..], "`summary` has no placeholder {goal}", None),
        (&[("title", "¶'To {targt}'")], "`title` has no placeholder {targt}", Some("did you mean {target}?")),
        (
            &[("notes", "¶['{start}', 'not {Start}']")],
            "`notes` has no placeholder {Start}",
            Some("did you mean {start}?"),
        ),
        (
            &[
                ("start", "12"),
                ("target", "0"),
                ("moves", "[¶{ op = '-divisor', label = 'take {amout}' }, '-1']"),
            ],
            "`label` has no placeholder {amout}",
            Some("did you mean {amount}?"),
        ),
        (
            &[("moves", "['+1', ¶{ op = '+2', label = 'hop {amount}' }]")],
            "`label` has no placeholder {amount}",
            None,
        ),
    ] {
        let told = told(&plain_with(keys), Severity::Warning);
        assert_eq!(told[0].message, format!("{message}: {shown}"));
        assert_eq!(told[0].help.as_deref(), help);
    }
    let fine = [
        ("title", "'From {start} to {target}, { }, {}, {a b}'"),
        ("moves", "['+1', { op = '+2..4', label = 'hop {amount}' }]"),
    ];
    assert_eq!(check(&read(&plain_with(&fine))), []);
}

/// A book with separate numbers.
fn apart<'a>(keys: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("numbers", "'separate'")], keys].concat()
}

#[test]
fn a_span_or_a_kind_that_holds_the_target_or_numbers_of_another_list() {
    for (keys, told) in [
        (
            &[("moves", "['+1..3']"), ("winning", "[¶'even']")][..],
            "\"even\" in `winning` includes the target 20, but there `reach` decides",
        ),
        (
            &[("moves", "['+1..4']"), ("losing", "[3, ¶'7..9']"), ("winning", "[8]")],
            "\"7..9\" in `losing` includes 8, but `winning` lists it, so `winning` decides",
        ),
        (
            &[("moves", "['+1..4']"), ("forbidden", "[¶'7..9']"), ("winning", "[8]")],
            "\"7..9\" in `forbidden` includes 8, but `winning` lists it, so `winning` decides",
        ),
        (
            &[("moves", "['+1..4']"), ("forbidden", "['7..9']"), ("losing", "[¶'multiples of 8']")],
            "\"multiples of 8\" in `losing` and \"7..9\" in `forbidden` both include 8; `forbidden` decides",
        ),
        (
            &[("moves", "['+1..4']"), ("winning", "['square']"), ("losing", "[¶'multiples of 3']")],
            "\"multiples of 3\" in `losing` and \"square\" in `winning` both include 9; `winning` decides",
        ),
    ] {
        assert_eq!(warnings(keys), [told], "{keys:?}");
    }
    // No overlap, or an overlap only on numbers that can't occur.
    for keys in [
        &[("winning", "['2..4']"), ("losing", "['5..7']"), ("forbidden", "[8]")][..],
        &[("winning", "['odd']"), ("losing", "['multiples of 6']")],
        &[("winning", "['square', '3..5']"), ("target", "19")],
        &[("winning", "['14..19']"), ("losing", "[100]"), ("forbidden", "[22]")],
    ] {
        let told = warnings_anywhere(keys);
        assert!(told.iter().all(|told| !told.contains("decides")), "{keys:?}: {told:?}");
    }
}

fn warnings_anywhere(keys: &[(&str, &str)]) -> Vec<String> {
    check(&read(&plain_with(keys))).into_iter().map(|problem| problem.message).collect()
}

#[test]
fn a_span_or_a_kind_that_never_matters() {
    for (keys, told) in [
        (&[("winning", "[18, ¶'-9..0']")][..], "`winning` lists \"-9..0\", with no effect"),
        (&[("losing", "[¶'22..30']")], "`losing` lists \"22..30\", with no effect"),
        (&[("forbidden", "[¶'22..30', 22]")], "`forbidden` lists \"22..30\", with no effect"),
        (
            &[("moves", "['+2', 'x3']"), ("target", "21"), ("losing", "[¶'even']")],
            "`losing` lists \"even\", with no effect",
        ),
        (
            &[("moves", "['+1..3']"), ("losing", "[¶'multiples of 50', 'square']")],
            "`losing` lists \"multiples of 50\", with no effect",
        ),
    ] {
        assert_eq!(warnings(keys), [told], "{keys:?}");
    }
    // Either player may move either number there.
    let struck =
        apart(&[("moves", "['+2', { op = '+1', on = 'other' }]"), ("losing", "['multiples of 6', 18]")]);
    assert!(warnings(&struck).is_empty());
}

#[test]
fn a_move_that_can_never_be_used() {
    let no_number = "no reachable number meets its `when`";
    let no_amount = "no reachable number has such an amount";
    for (keys, name, why) in [
        (&[("moves", "['+1', ¶{ op = '+2', when = 'above 20' }]")][..], "+2 when above 20", no_number),
        (&[("moves", "['+1', ¶{ op = '+2', when = ['even', 'odd'] }]")], "+2 when even and odd", no_number),
        (&[("moves", "['+2', ¶{ op = '+4', when = 'even' }]"), ("target", "21")], "+4 when even", no_number),
        (&[("moves", "['+1', ¶{ op = '-divisor', from = 11 }]")], "-divisor", no_amount),
        (&[("moves", "['+1', ¶{ op = '-digit', from = 10 }]")], "-digit", no_amount),
        (&[("moves", "['+1', ¶{ op = '/divisor', when = 'prime' }]")], "/divisor when prime", no_amount),
        // The check doesn't visit every number.
        (
            &[("moves", "['+1', ¶{ op = '-digit', from = 10 }]"), ("target", "1000000000000000000")],
            "-digit",
            no_amount,
        ),
        (
            &[("moves", "['+1', ¶{ op = '+2', when = 'below 1' }]"), ("target", "1000000000000000000")],
            "+2 when below 1",
            no_number,
        ),
    ] {
        assert_eq!(warnings(keys), [format!("`{name}` can never be used: {why}")], "{keys:?}");
    }
    for moves in ["['+1', { op = '+2', when = 'from 19 to 30' }]", "['+1', { op = '-divisor', from = 9 }]"] {
        assert!(warnings(&[("moves", moves)]).is_empty(), "{moves}");
    }
}

#[test]
fn names_that_distinguish_moves_get_no_warning() {
    for moves in [
        "['+1', { op = '+1', when = 'odd', uses = 1 }]",
        "['-divisor', '+1', { op = '-divisor', when = 'even' }]",
        "['+1', { op = '-divisor', label = 'Take' }, { op = '-prime', label = 'Take' }]",
        "[{ op = '+1..3', label = 'Take' }]",
    ] {
        assert!(warnings(&[("moves", moves)]).is_empty(), "{moves}");
    }
    for moves in [
        "¶['+1', { op = '-divisor', label = 'Take' }, { op = '+divisor', label = 'Take' }]",
        "¶['+1', { op = '+2', label = 'Take' }, { op = '+3', label = 'take' }]",
    ] {
        assert!(warnings(&[("moves", moves)])[0].starts_with("two moves are called \"take\""), "{moves}");
    }
    let both = apart(&[("moves", "¶['+1', { op = '+1', on = 'other', label = 'Add 1' }]")]);
    assert!(warnings(&both)[0].starts_with("two moves are called \"add 1\""));
}
