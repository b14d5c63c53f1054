//! Keys that are valid separately but contradict each other.

use crate::format::{error_at_mark, errors_at_marks};
use crate::support::{book, plain_with, problems};

#[test]
fn keys_that_contradict_each_other() {
    for (keys, needles) in [
        (&[("start", "¶[1, 2]")][..], &["`start`", "numbers = \"separate\""][..]),
        (&[("numbers", "'shared'"), ("start", "¶[1, 2]")], &["`start`", "numbers = \"separate\""]),
        (&[("target", "¶1")], &["`target` and `start` are both 1"]),
        (
            &[("numbers", "'separate'"), ("start", "[1, 20]"), ("target", "¶20")],
            &["`target` and `start` are both 20"],
        ),
        (
            &[("numbers", "'separate'"), ("start", "[1, 30]"), ("target", "¶20")],
            &["the same side of the `target`", "20 is between 1 and 30"],
        ),
        (
            &[("numbers", "'separate'"), ("start", "[30, 1]"), ("target", "¶20")],
            &["the same side of the `target`", "20 is between 30 and 1"],
        ),
        (&[("range", "¶[20, 1]")], &["`range` goes from low to high", "20 is above 1"]),
        (&[("range", "¶[2, 20]")], &["`range` must include the start", "1 is outside 2 to 20"]),
        (&[("range", "¶[1, 19]")], &["`range` must include the target", "20 is outside 1 to 19"]),
        (
            &[("numbers", "'separate'"), ("start", "[1, -5]"), ("range", "¶[1, 20]")],
            &["`range` must include the start", "-5 is outside 1 to 20"],
        ),
        (&[("winning", "¶[3, 20]")], &["`winning` can't include the target 20"]),
        (&[("losing", "¶[3, 20]")], &["`losing` can't include the target 20"]),
        (&[("forbidden", "¶[3, 20]")], &["`forbidden` can't include the target 20"]),
        (&[("winning", "[3, 4]"), ("losing", "¶[4, 5]")], &["4 is in both `winning` and `losing`"]),
        (&[("winning", "[3, 4]"), ("forbidden", "¶[4]")], &["4 is in both `winning` and `forbidden`"]),
        (&[("losing", "[3, 4]"), ("forbidden", "¶[3]")], &["3 is in both `losing` and `forbidden`"]),
        (&[("moves", "['+1', ¶'+1']")], &["`moves` lists +1 twice"]),
        (&[("moves", "['x2', '+1', ¶{ op = 'x2', uses = 3 }]")], &["`moves` lists x2 twice"]),
        (&[("moves", "['+3', ¶'+1..4']")], &["`moves` lists +3 twice"]),
        (&[("moves", "[¶{ uses = 3 }]")], &["no `op`"]),
        (&[("moves", "[{ op = 'x2', pool = ¶'shared' }]")], &["`pool` needs `uses`"]),
        (&[("match", "¶{ first_to = 3, rounds = 5 }")], &["`match` takes exactly one"]),
        (&[("match", "¶{}")], &["`match` takes exactly one"]),
    ] {
        error_at_mark(&plain_with(keys), needles);
    }
}

#[test]
fn without_a_target_some_keys_have_no_meaning() {
    let text = "start = 3\nmoves = ['+1']\ntitle = 'Open'\n";
    book(&format!("{text}range = [0, 9]\n"));
    error_at_mark(&format!("¶{text}"), &["`target` is missing", "`range` is required"]);
    error_at_mark(&format!("{text}range = [0, 9]\nreach = ¶'wins'\n"), &["`reach` needs a `target`"]);
    error_at_mark(&format!("{text}range = [0, 9]\npast = ¶'loses'\n"), &["`past` needs a `target`"]);
    error_at_mark(&format!("{text}range = ¶[4, 9]\n"), &["`range` must include the start, but 3"]);
}

#[test]
fn apparent_contradictions_are_valid() {
    for keys in [
        &[("winning", "[1]")][..],
        &[("losing", "[1]")],
        &[("forbidden", "[1]")],
        &[("winning", "[40]"), ("losing", "[-40]"), ("forbidden", "[50]")],
        &[("range", "[1, 20]")],
        &[("numbers", "'separate'"), ("start", "[5, 5]")],
        &[("reach", "'loses'"), ("past", "'forbidden'")],
        &[("moves", "['+1', 'x1', '/1', '-1']")],
        &[("passes", "0")],
    ] {
        book(&plain_with(keys));
    }
    book("title = 'One number'\nstart = 3\nrange = [3, 3]\nmoves = ['x1']\n");
}

#[test]
fn contradictions_are_reported_together() {
    let text = "title = 'Muddle'\nnumbers = 'separate'\nstart = [1, 30]\ntarget = ¶20\nrange = ¶[2, 30]\n\
                moves = ['+1']\nwinning = ¶[20]\nlosing = [7]\nforbidden = ¶[7]\n";
    errors_at_marks(text);
    let told = problems("start = 3\nreach = 'wins'\npast = 'wins'\n");
    let told: Vec<&str> = told.iter().map(|problem| problem.message.as_str()).collect();
    let expected = [
        "`title` is missing",
        "`moves` is missing",
        "`reach` needs a `target`",
        "`past` needs a `target`",
        "`target` is missing; without one, `range` is required",
    ];
    assert_eq!(told, expected);
}
