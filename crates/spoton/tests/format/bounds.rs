//! Every limit: a value at the limit is valid. One past it, the error names the key, the limit and the value, and
//! points at the value.

use spoton::format::{Draft, LARGEST_FILE, quotable};

use crate::format::error_at_mark;
use crate::support::{book, plain_with, problems};

const TOP: &str = "1000000000000000000";
const PAST_TOP: &str = "1000000000000000001";

fn holds(keys: &[(&str, &str)]) {
    book(&plain_with(keys));
}

#[test]
fn integers_lie_within_10_to_the_18() {
    for (key, value) in [
        ("start", "#"),
        ("start", "[#, §7]"),
        ("target", "#"),
        ("winning", "[#]"),
        ("losing", "[3, #]"),
        ("forbidden", "[#, 3]"),
        ("range", "[#, #]"),
    ] {
        for sign in ["", "-"] {
            let value = value.replace('§', sign);
            let at = value.replace('#', &format!("{sign}{TOP}"));
            let at = if key == "range" { format!("[-{TOP}, {TOP}]") } else { at };
            // A far start, with the target on the same side as the other start.
            let target = if key == "start" { format!("{sign}2") } else { "20".to_owned() };
            holds(&[("numbers", "'separate'"), ("target", &target), (key, &at)]);

            let past = value.replacen('#', &format!("¶{sign}{PAST_TOP}"), 1).replace('#', "7");
            let needles = [&format!("`{key}`"), "-10^18 to 10^18", &format!("{sign}{PAST_TOP}")];
            error_at_mark(
                &plain_with(&[("numbers", "'separate'"), (key, &past)]),
                &needles.map(AsRef::as_ref),
            );
        }
    }
}

#[test]
fn operations_go_from_1_to_10_to_the_18() {
    for sign in ["+", "-", "x", "/"] {
        holds(&[("moves", &format!("['{sign}1', '{sign}{TOP}']"))]);
        holds(&[("moves", &format!("['{sign}{}..{TOP}']", 10i64.pow(18) - 15))]);
        for (amount, given) in [("0", "0"), (PAST_TOP, PAST_TOP), (&"9".repeat(39), "9".repeat(39).as_str())]
        {
            let operation = quotable(&format!("{sign}{given}"));
            let plain = format!("['+7', ¶'{sign}{amount}']");
            error_at_mark(&plain_with(&[("moves", &plain)]), &["`moves`", "10^18", &operation]);
            let table = format!("['+7', {{ op = ¶'{sign}{amount}' }}]");
            error_at_mark(&plain_with(&[("moves", &table)]), &["`op`", "10^18", &operation]);
            let span = format!("['+7', ¶'{sign}{TOP}..{amount}']");
            if amount != "0" {
                error_at_mark(&plain_with(&[("moves", &span)]), &["`moves`", "from 1 to 10^18"]);
            }
        }
    }
}

#[test]
fn a_book_has_1_to_16_moves_with_spans_spelled_out() {
    holds(&[("moves", "['+1']")]);
    holds(&[("moves", "['+1..16']")]);
    holds(&[("moves", "['+1..15', 'x2']")]);
    holds(&[("moves", &format!("[{}]", (1..=16).map(|k| format!("'+{k}'")).collect::<Vec<_>>().join(", ")))]);
    let needles = |given: &'static str| ["`moves`", given, "16"];
    error_at_mark(&plain_with(&[("moves", "¶[]")]), &needles("0 moves"));
    error_at_mark(&plain_with(&[("moves", "[¶'+1..17']")]), &needles("17 moves"));
    error_at_mark(&plain_with(&[("moves", "¶['+1..16', 'x2']")]), &needles("17 moves"));
    let most = format!("[¶'+1..{TOP}']");
    error_at_mark(&plain_with(&[("moves", &most)]), &needles("1000000000000000000 moves"));
}

#[test]
fn small_numbers_have_their_own_limits() {
    for (key, value, low, high, names) in [
        ("moves", "[{ op = 'x2', uses = # }]", 1, 255, "uses"),
        ("passes", "#", 0, 255, "passes"),
        ("repetition", "#", 0, 255, "repetition"),
        ("match", "{ first_to = # }", 1, 999, "first_to"),
        ("match", "{ rounds = # }", 1, 999, "rounds"),
    ] {
        for fine in [low, high] {
            holds(&[(key, &value.replace('#', &fine.to_string()))]);
        }
        for wrong in [low - 1, high + 1] {
            let text = plain_with(&[(key, &value.replace('#', &format!("¶{wrong}")))]);
            let limits = format!("from {low} to {high}");
            error_at_mark(&text, &[&format!("`{names}`"), &limits, &format!("the number {wrong}")]);
        }
    }
    holds(&[("repetition", "2")]);
    error_at_mark(&plain_with(&[("repetition", "¶1")]), &["`repetition`", "0 (never)", "2 to 255", "not 1"]);
}

#[test]
fn claims_with_a_number_go_to_10_to_the_18() {
    holds(&[("claims", &format!("['moves <= {TOP}', 'subtle >= 0']"))]);
    for claim in [format!("moves <= {PAST_TOP}"), format!("subtle >= {PAST_TOP}")] {
        let text = plain_with(&[("claims", &format!("[¶'{claim}']"))]);
        error_at_mark(&text, &["`claims`", "10^18", &claim]);
    }
}

#[test]
fn a_title_has_1_to_64_characters() {
    for letter in ["a", "é", "数", "🎲"] {
        holds(&[("title", &format!("'{}'", letter.repeat(64)))]);
        let text = plain_with(&[("title", &format!("¶'{}'", letter.repeat(65)))]);
        error_at_mark(&text, &["`title`", "65 characters", "the limit is 64"]);
    }
    holds(&[("title", "'?'")]);
    for empty in ["''", "'   '"] {
        error_at_mark(&plain_with(&[("title", &format!("¶{empty}"))]), &["`title` is empty"]);
    }
}

#[test]
fn other_texts_have_at_most_4_kib() {
    let (fine, long) = ("é".repeat(2048), format!("{}a", "é".repeat(2048)));
    for (key, value, names) in [
        ("summary", "#", "summary"),
        ("suits", "#", "suits"),
        ("notes", "['a', #]", "notes"),
        ("moves", "[{ op = 'x2', label = # }]", "label"),
        ("wording", "{ prompt = # }", "prompt"),
    ] {
        holds(&[(key, &value.replace('#', &format!("'{fine}'")))]);
        let text = plain_with(&[(key, &value.replace('#', &format!("¶'{long}'")))]);
        error_at_mark(&text, &[&format!("`{names}`"), "4097 bytes", "the limit is 4096"]);
    }
}

#[test]
fn a_file_has_at_most_64_kib() {
    assert_eq!(LARGEST_FILE, 65_536);
    let text = plain_with(&[]);
    let padded = |bytes: usize| format!("{text}#{}", " ".repeat(bytes - text.len() - 1));
    book(&padded(65_536));
    let told = problems(&padded(65_537));
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].to_string(), "book.toml:1:1: the file has 65537 bytes; the limit is 65536 (64 KiB)");
}

#[test]
fn variant_names_have_small_letters_digits_and_hyphens() {
    for name in ["short", "to-31", "7", "-", "a-b-c-9"] {
        let draft = Draft::read("book.toml", &format!("{}[variants.{name}]\ntarget = 9\n", plain_with(&[])));
        assert_eq!(draft.variants().collect::<Vec<_>>(), [name]);
        assert_eq!(draft.variant(name).unwrap().build().unwrap().target(), Some(9));
    }
    for (written, name) in [("Short", "Short"), ("a_b", "a_b"), ("'a b'", "a b"), ("'é'", "é"), ("''", "")]
    {
        let text = format!("{}[variants.¶{written}]\ntarget = 9\n", plain_with(&[]));
        error_at_mark(&text, &[&format!("the variant name \"{name}\""), "a-z, 0-9 and -"]);
    }
}

#[test]
fn texts_have_no_control_or_bidirectional_override_characters() {
    let keys = [
        ("title", "#"),
        ("summary", "#"),
        ("suits", "#"),
        ("notes", "['fine', #]"),
        ("moves", "[{ op = 'x2', label = # }]"),
        ("wording", "{ prompt = # }"),
    ];
    for (key, value) in keys {
        for unfit in ["0000", "0007", "0009", "000D", "001B", "007F", "0085", "202A", "202E", "2066", "2069"]
        {
            let text = plain_with(&[(key, &value.replace('#', &format!("¶\"a\\u{unfit}b\"")))]);
            error_at_mark(&text, &[&format!("U+{unfit}"), "isn't allowed"]);
        }
        for fit in ["00E9", "2019", "200D", "1F3B2", "4E00"] {
            let value = value.replace('#', &format!("\"a\\U{fit:0>8}b\""));
            holds(&[(key, &value)]);
        }
        if key == "wording" {
            holds(&[(key, &value.replace('#', "\"two\\nlines\""))]);
        } else {
            let text = plain_with(&[(key, &value.replace('#', "¶\"two\\nlines\""))]);
            error_at_mark(&text, &["a line break", "isn't allowed"]);
        }
    }
    // Such a character is also refused unescaped, and the error message doesn't repeat it.
    let told = problems(&plain_with(&[("title", "'a\u{202e}b'")]));
    assert!(told[0].message.contains("U+202E") && !told[0].to_string().contains('\u{202e}'), "{told:?}");
    let told = problems(&plain_with(&[("past", "'w\u{202e}ins'")]));
    assert!(!told[0].to_string().contains('\u{202e}'), "{told:?}");
}
