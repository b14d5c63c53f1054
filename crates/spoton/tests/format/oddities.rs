//! What `check` says: the errors of a file and of its variants, and what is odd in a book that can be played.

use spoton::format::{Problem, Severity, check};

use crate::support::{book, marked, plain_with, read};

/// Checks a text marked with `¶`: one problem at each mark, of the given severity.
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
        assert_eq!(warnings(keys), ["no moves ever land on the target 20"], "{keys:?}");
    }
}

#[test]
fn a_starter_who_is_stuck_at_once() {
    let stuck = "whoever starts has no legal move at once";
    let never = "no moves ever land on the target 20";
    let keys = [("moves", "['+30']"), ("past", "'forbidden'"), ("stuck", "'skips'")];
    let told: Vec<String> =
        check(&read(&plain_with(&keys))).into_iter().map(|problem| problem.message).collect();
    assert_eq!(told, [stuck, never]);
    let beside = [
        ("numbers", "'separate'"),
        ("start", "[19, 1]"),
        ("moves", "¶['+2', '+17', '+19']"),
        ("past", "'forbidden'"),
    ];
    assert_eq!(warnings(&beside), [stuck], "the other player could move");
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
fn variants_are_checked_too_and_named() {
    let text = format!(
        "{}[variants.odd]\nmoves = ['+2']\ntarget = ¶20\n[variants.fine]\ntarget = 7\n[variants.wrong]\ntarget = ¶1\n",
        plain_with(&[])
    );
    let (text, places) = marked(&text);
    let problems = check(&read(&text));
    let told: Vec<(usize, usize)> = problems.iter().map(|problem| problem.place.line_column()).collect();
    assert_eq!(told, places);
    assert_eq!(problems[0].message, "no moves ever land on the target 20, in the variant \"odd\"");
    assert_eq!(problems[0].severity, Severity::Warning);
    assert!(problems[1].message.ends_with(", in the variant \"wrong\""), "{}", problems[1]);
    assert_eq!(problems[1].severity, Severity::Error);
}

#[test]
fn what_is_wrong_in_the_file_is_not_told_again_for_each_variant() {
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
    assert!(problems[0].message.contains("without a `target`"), "{}", problems[0]);
}
