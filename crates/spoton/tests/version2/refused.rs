//! Version 2 books that must be refused: random valid books, each with one thing broken.

use spoton::format::Draft;

use crate::random_books::Dice;
use crate::version2::books::{Book, Item, Version, book};

fn is_refused(text: &str) -> bool {
    Draft::read("book.toml", text).build().is_err()
}

/// Items of `moves` that are invalid in every book.
const ITEMS: &[&str] = &[
    "{ op = '+1', from = 2 }",
    "{ op = '+1', to = 2 }",
    "{ op = '+31..33', from = 32, uses = 1 }",
    "{ op = '-divisor', from = 5, to = 4, when = 'above 3' }",
    "{ op = '-digit', from = 0, when = 'above 3' }",
    "{ op = '+digit', to = 0, when = 'above 3' }",
    "{ op = '-prime', to = 10000, when = 'above 3' }",
    "{ op = '-1..half', from = 10000, when = 'above 3' }",
    "'xdivisor'",
    "'xprime'",
    "'/digit'",
    "'xdigit'",
    "'+1..half'",
    "'/1..half'",
    "'-2..half'",
    "'-half'",
    "'-divisors'",
    "'divisor'",
    "'@-77'",
    "{ op = '@-77' }",
    "{ op = '+77', when = [] }",
    "{ op = '+77', when = '' }",
    "{ op = '+77', when = 'large' }",
    "{ op = '+77', when = 3 }",
    "{ op = '+77', when = ['odd', 'large'] }",
    "{ op = '+77', when = 'multiple of 0' }",
    "{ op = '+77', when = 'multiples of -3' }",
    "{ op = '+77', when = 'multiple of 1000000000000000001' }",
    "{ op = '+77', when = 'below' }",
    "{ op = '+77', when = 'above 1000000000000000001' }",
    "{ op = '+77', when = 'below -1000000000000000001' }",
    "{ op = '+77', when = 'from 5 to 4' }",
    "{ op = '+77', when = 'from 5' }",
    "{ op = '+77', on = 'both' }",
    "{ op = '-digit', pool = 'shared', when = 'above 3' }",
    "{ op = '-digit', uses = 0, when = 'above 3' }",
    "{ op = '-digit', uses = 256, when = 'above 3' }",
    "{ op = '+77', frm = 3 }",
];

/// Keys that are invalid in every book.
const KEYS: &[&[(&str, &str)]] = &[
    &[("turns", "0")],
    &[("turns", "256")],
    &[("turns", "'three'")],
    &[("stuck", "'close'")],
    &[("winning", "['triangular']")],
    &[("winning", "['9..3']")],
    &[("losing", "['multiples of 0']")],
    &[("losing", "['below 3']")],
    &[("forbidden", "['7']")],
    &[("forbidden", "['1..2..3']")],
    &[("forbidden", "[true]")],
    &[("winning", "[-77, 'even']"), ("losing", "['odd', -77]"), ("forbidden", "[]")],
    &[("winning", "['prime']"), ("losing", "[-77]"), ("forbidden", "['odd', -77]")],
];

/// Ways to break a book that depend on the book.
fn depending(book: &Book, dice: &mut Dice) -> Vec<String> {
    let mut texts = Vec::new();
    let entries = book.entries();
    let known = &entries[dice.below(entries.len())];
    // The same entry again. A different limit or label doesn't make it distinct.
    let again = Item { uses: Some((9, true)), label: None, from: None, to: None, ..known.clone() };
    texts.push(book.text_with(&[&again.written(book.separate, dice)], &[]));
    if !book.separate {
        texts.push(book.text_with(&["{ op = '+77', on = 'other' }"], &[]));
    }
    if !book.separate || book.target.is_none() {
        texts.push(book.text_with(&[], &[("stuck", "'closest'")]));
        texts.push(book.text_with(&[], &[("turns", "3")]));
    }
    if let Some(target) = book.target {
        let list = format!("['even', {target}]");
        texts.push(book.text_with(&[], &[("winning", &list), ("losing", "[]"), ("forbidden", "[]")]));
    }
    texts
}

#[test]
fn version_2_books_with_one_thing_spoilt_are_refused() {
    for number in 0..600 {
        let book = book(number, Version::Two);
        assert!(!is_refused(&book.text()), "this is in order:\n{}", book.text());
        let mut dice = Dice::new(number);
        let mut texts = depending(&book, &mut dice);
        texts.push(book.text_with(&[dice.pick(ITEMS)], &[]));
        texts.push(book.text_with(&[], dice.pick(KEYS)));
        for text in texts {
            assert!(is_refused(&text), "this is taken for a book:\n{text}");
        }
    }
}

/// Just within a bound, and just past it.
#[test]
fn version_2_bounds_are_where_the_format_has_them() {
    let text = |rest: &str| format!("title = 'T'\n{rest}");
    let cases: &[(&str, &str)] = &[
        // The number of amounts is half of the largest number.
        (
            "start = 9\nrange = [1, 129]\nmoves = ['-1..half']",
            "start = 9\nrange = [1, 130]\nmoves = ['-1..half']",
        ),
        (
            "start = 9\nrange = [1, 127]\nmoves = ['-1..half', '+3']",
            "start = 9\nrange = [1, 128]\nmoves = ['-1..half', '+3']",
        ),
        // A move of two entries counts once.
        (
            "start = 9\nrange = [1, 129]\nmoves = ['-1..half', '-3', { op = '-5', when = 'odd' }]",
            "start = 9\nrange = [1, 129]\nmoves = ['-1..half', '-3', { op = '+5', when = 'odd' }]",
        ),
        // Conditions count, uses don't.
        (
            "start = 9\nrange = [1, 400]\nmoves = [{ op = '-1..half', when = 'below 130' }]",
            "start = 9\nrange = [1, 400]\nmoves = [{ op = '-1..half', uses = 1 }]",
        ),
        (
            "start = 9\nrange = [1, 400]\nmoves = [{ op = '-1..half', from = 3, to = 66 }]",
            "start = 9\nrange = [1, 400]\nmoves = [{ op = '-1..half', from = 3, to = 67 }]",
        ),
        // Amounts end at 9,999.
        (
            "start = 9\nrange = [1, 1000000]\nmoves = [{ op = '-1..half', from = 9936 }]",
            "start = 9\nrange = [1, 1000000]\nmoves = [{ op = '-1..half', from = 9935 }]",
        ),
        // The maximum for the player's own number plus the maximum for the opponent's.
        (
            "numbers = 'separate'\nstart = 9\nrange = [1, 65]\nmoves = ['-1..half', { op = '-1..half', on = 'other' }]",
            "numbers = 'separate'\nstart = 9\nrange = [1, 66]\nmoves = ['-1..half', { op = '-1..half', on = 'other' }]",
        ),
        // 7,560 has 64 divisors, the most below 10,000.
        (
            "start = 9\nrange = [-9999, 9999]\nmoves = ['-divisor', '+10']",
            "start = 9\nrange = [-9999, 9999]\nmoves = ['-divisor', '+10', '+11']",
        ),
        (
            "start = 9\nrange = [1, 9999]\nmoves = ['/prime']",
            "start = 9\nrange = [1, 10000]\nmoves = ['/prime']",
        ),
        (
            "start = 9\nrange = [-9999, 50]\nmoves = ['+divisor']",
            "start = 9\nrange = [-10000, 50]\nmoves = ['+divisor']",
        ),
        // Numbers past the target don't count.
        (
            "start = 9\nrange = [1, 100000]\ntarget = 9999\nmoves = ['+prime']",
            "start = 9\nrange = [1, 100000]\ntarget = 10001\nmoves = ['+prime']",
        ),
        // Sixteen entries, counting a computed one as one.
        (
            "start = 9\ntarget = 99\nmoves = ['+1..15', '+digit']",
            "start = 9\ntarget = 99\nmoves = ['+1..16', '+digit']",
        ),
        // Entries must differ by operation, owner or condition.
        (
            "start = 9\ntarget = 99\nmoves = ['+1', { op = '+1', when = 'odd' }, { op = '+1', when = 'even' }]",
            "start = 9\ntarget = 99\nmoves = ['+1', { op = '+1', when = 'odd' }, { op = '+1', when = 'odd', uses = 2 }]",
        ),
        (
            "start = 9\ntarget = 99\nmoves = [{ op = '+digit', to = 4, when = 'odd' }, '+digit']",
            "start = 9\ntarget = 99\nmoves = [{ op = '+digit', to = 4 }, { op = '+digit', from = 5 }]",
        ),
        (
            "numbers = 'separate'\nstart = 9\ntarget = 99\nmoves = ['+1', { op = '+1', on = 'other' }]",
            "numbers = 'separate'\nstart = 9\ntarget = 99\nmoves = ['+1', { op = '+1', on = 'own' }]",
        ),
        // Spans and kinds may overlap anything; integers may not.
        (
            "start = 9\ntarget = 99\nmoves = ['+1']\nwinning = ['9..99', 'odd', 12]\nlosing = ['odd', '12..14']",
            "start = 9\ntarget = 99\nmoves = ['+1']\nwinning = ['9..99', 'odd', 12]\nlosing = ['odd', 12]",
        ),
        // An entry without any amount is odd, but valid.
        (
            "start = 9\ntarget = 99\nmoves = ['+1', { op = '+digit', from = 10, to = 9999 }]",
            "start = 9\ntarget = 99\nmoves = ['+1', { op = '+digit', from = 10, to = 9 }]",
        ),
    ];
    for (within, beyond) in cases {
        let (within, beyond) = (text(within), text(beyond));
        let problems = Draft::read("book.toml", &within).build().err();
        assert!(problems.is_none(), "{within}\n{problems:#?}");
        assert!(is_refused(&beyond), "this is taken for a book:\n{beyond}");
    }
}

#[test]
fn version_2_too_many_moves_are_reported_with_the_number() {
    let text = "title = 'T'\nstart = 9\nrange = [1, 130]\nmoves = ['-1..half']";
    let problems = Draft::read("book.toml", text).build().expect_err("65 moves at 130");
    assert!(problems.iter().any(|problem| problem.to_string().contains("130")), "{problems:#?}");
}
