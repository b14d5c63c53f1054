//! The sentences of a dialogue: defaults, placeholders, and errors.

use spoton::format::{Sentence, Template};

use crate::format::{error_at_mark, errors_at_marks};
use crate::support::{book, plain_with};

fn named(template: &Template) -> String {
    template.fill(|name| format!("<{name}>"))
}

#[test]
fn every_sentence_can_be_given_with_every_placeholder_it_has() {
    for sentence in Sentence::ALL {
        let info = sentence.info();
        let placeholders: String = info.placeholders.iter().map(|name| format!("{{{name}}}")).collect();
        let book = book(&format!("{}[wording]\n{} = 'Said: {placeholders}'\n", plain_with(&[]), info.key));
        let expected: String = info.placeholders.iter().map(|name| format!("<{name}>")).collect();
        assert_eq!(named(book.wording().sentence(*sentence)), format!("Said: {expected}"), "{}", info.key);
        assert!(!info.about.is_empty());
    }
}

#[test]
fn a_missing_sentence_gets_its_default() {
    let shared = book(&plain_with(&[]));
    let separate = book(&plain_with(&[("numbers", "'separate'")]));
    for sentence in Sentence::ALL {
        let info = sentence.info();
        let as_named = |text: &str| text.replace('{', "<").replace('}', ">");
        assert_eq!(named(shared.wording().sentence(*sentence)), as_named(info.default), "{}", info.key);
        let default = info.default_separate.unwrap_or(info.default);
        assert_eq!(named(separate.wording().sentence(*sentence)), as_named(default), "{}", info.key);
    }
    assert_eq!(shared.wording().menu().word(), "all");
}

#[test]
fn menus_behave_in_three_ways() {
    for menu in ["all", "legal", "questions"] {
        let book = book(&format!("{}[wording]\nmenu = '{menu}'\n", plain_with(&[])));
        assert_eq!(book.wording().menu().word(), menu);
    }
}

#[test]
fn a_sentence_may_be_empty_have_several_lines_and_braces() {
    let text = format!(
        "{}[wording]\nopening = ''\nseparator = \"\"\"\none\ntwo\"\"\"\nnone = '{{{{-}}}}'\n",
        plain_with(&[])
    );
    let book = book(&text);
    assert!(book.wording().sentence(Sentence::Opening).is_empty());
    assert_eq!(named(book.wording().sentence(Sentence::Separator)), "one\ntwo");
    assert_eq!(named(book.wording().sentence(Sentence::None)), "{-}");
}

#[test]
fn unknown_placeholders_in_a_sentence_are_reported() {
    for (line, needles) in [
        ("prompt = 'Go ¶{playr}: '", &["`prompt` has no placeholder {playr}", "did you mean {player}?"][..]),
        ("prompt = 'Go ¶{Player}: '", &["{Player}", "did you mean {player}?"]),
        ("prompt = '{player} ¶{}'", &["`prompt` has no placeholder {}"]),
        ("prompt = '{player} ¶{ player }'", &["{ player }"]),
        ("prompt = '{{weather}} ¶{weather}'", &["{weather}", "it has {target} {player} ", "{keys}"]),
        (
            "none = '¶{player}'",
            &["`none` has no placeholder {player}", "it has none; for braces, write {{ and }}"],
        ),
        ("item = '{key}. {Operation} ¶{left}'", &["`item` has no placeholder {left}"]),
        ("prompt = \"a \\\"b\\\"\\n\\u00e9 ¶{playr}\"", &["{playr}"]),
        ("turn = \"\"\"\nGrüße, {player}\n  ¶{nunber}\"\"\"", &["{nunber}", "did you mean {number}?"]),
        ("turn = '''\n¶{x}'''", &["{x}"]),
        ("prompt = 'Go ¶{'", &["`prompt` has an unmatched {", "braces as {{ and }}"]),
        ("prompt = 'Go ¶} on'", &["`prompt` has an unmatched }"]),
        ("prompt = '{player} ¶{ {keys}'", &["`prompt` has an unmatched {"]),
        ("prompt = '{player} ¶}'", &["`prompt` has an unmatched }"]),
        ("prompt = '{{{{ {player} }} ¶}'", &["`prompt` has an unmatched }"]),
        ("turn = \"¶{player\\n}}\"", &["`turn` has an unmatched {"]),
    ] {
        error_at_mark(&format!("{}[wording]\n{line}\n", plain_with(&[])), needles);
    }
}

#[test]
fn every_error_in_a_sentence_is_reported() {
    let line = "prompt = '¶{a} {keys} ¶{a} ¶{b} ¶} {{a}} ¶{a} ¶{'\n";
    let told = errors_at_marks(&format!("{}[wording]\n{line}", plain_with(&[])));
    assert_eq!(told.len(), 6);
}

#[test]
fn a_sentence_takes_a_text() {
    for value in ["5", "true", "['x']", "{ a = 'x' }"] {
        error_at_mark(
            &format!("{}[wording]\nprompt = ¶{value}\n", plain_with(&[])),
            &["`prompt` takes text"],
        );
    }
    error_at_mark(&format!("{}[wording]\nmenu = ¶5\n", plain_with(&[])), &["`menu` takes one of"]);
}
