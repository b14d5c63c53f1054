//! Round trips: a record comes back unchanged from text and from JSON.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::MatchForm;
use spoton::records::{Circumstances, Record, read_all, seal, unseal};

use crate::support::description::{Description, descriptions};
use crate::support::{any_move, book, cases, ended, in_short};

/// All kinds of letters, and every character with a meaning in records.
const TEXT: &str = r#"[a-z0-9 éß数🎲"'\\{}\[\];.*#=<>/!?-]{0,30}"#;

/// A rule book with its own wording.
#[derive(Clone, Debug)]
struct OwnBook {
    description: Description,
    title: String,
    separator: String,
}

impl OwnBook {
    fn text(&self) -> String {
        let quoted = |text: &str| {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            format!("\"{escaped}\"")
        };
        let braces = self.separator.replace('{', "{{").replace('}', "}}");
        format!(
            "title = {}\n{}[wording]\nseparator = {}\n",
            quoted(&format!("T{}", self.title)),
            self.description.rules(),
            quoted(&braces)
        )
    }
}

fn own_books() -> impl Strategy<Value = OwnBook> {
    let separator = (TEXT, TEXT).prop_map(|(one, two)| format!("{one}\n{two}"));
    (descriptions(), TEXT, separator).prop_map(|(description, title, separator)| OwnBook {
        description,
        title,
        separator,
    })
}

fn names() -> impl Strategy<Value = String> {
    TEXT.prop_map(|text| format!("P{text}"))
}

/// A comment as the text form writes it: single spaces, and no closing brace.
fn comments() -> impl Strategy<Value = String> {
    let words = vec(r#"[a-zé数0-9"'\\{\[\];.*!?-]{1,12}"#, 1..25).prop_map(|words| words.join(" "));
    prop_oneof![3 => Just(String::new()), 1 => words]
}

fn circumstances() -> impl Strategy<Value = Circumstances> {
    let form =
        prop_oneof![(1..=999u16).prop_map(MatchForm::FirstTo), (1..=999u16).prop_map(MatchForm::Rounds)];
    let computer = || option::of(TEXT);
    let in_match = option::of((form, 1..=u32::MAX));
    (names(), option::of(TEXT), vec(TEXT, 0..3), (names(), names()), (computer(), computer()), in_match)
        .prop_map(|(rulebook, variant, settings, (one, two), computers, in_match)| Circumstances {
            rulebook,
            own_file: true,
            variant,
            settings,
            players: ByPlayer([one, two]),
            computers: ByPlayer([computers.0, computers.1]),
            in_match,
        })
}

/// A person's additions to a record: marks and comments per move, and tags.
type Remarks = (Vec<(&'static str, String)>, Vec<(String, String)>);

fn remarks() -> impl Strategy<Value = Remarks> {
    let mark = select(vec!["", "", "", "!", "?", "!!", "??", "!?", "?!"]);
    let tags = vec(("X[A-Za-z0-9_]{0,6}", TEXT), 0..3).prop_map(|mut tags| {
        tags.sort();
        tags.dedup_by(|one, two| one.0 == two.0);
        tags
    });
    (vec((mark, comments()), 30), tags)
}

fn record_of(round: &Round, about: &Circumstances, (said, tags): &Remarks) -> Record {
    let mut record = Record::from_round(round, about);
    for (recorded, (mark, comment)) in record.moves.iter_mut().zip(said) {
        recorded.mark = (*mark).to_owned();
        recorded.comment = comment.clone();
    }
    record.other_tags = tags.clone();
    record
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn every_form_gives_the_same_record_back(
        own in own_books(),
        first in select(&Player::BOTH),
        picks in vec(any::<u8>(), 0..30),
        end in 0..4u8,
        about in circumstances(),
        remarks in remarks(),
    ) {
        let book = book(&own.text());
        let mut round = Round::new(Arc::clone(&book), first);
        for pick in picks {
            let Some(a_move) = any_move(&round, pick.into()) else { break };
            round.play(a_move).unwrap();
        }
        match end {
            0 => round.resign(Player::One),
            1 => round.stop(),
            _ => {}
        }
        let record = record_of(&round, &about, &remarks);

        let (text, json) = (record.to_string(), record.to_json().to_string());
        prop_assert!(!json.contains('\n'));
        for written in [&text, &json] {
            let again = read_all(written).map_err(|bad| TestCaseError::fail(format!("{bad}\n{written}")))?;
            prop_assert_eq!(&again, std::slice::from_ref(&record));
            prop_assert_eq!(&again[0].to_string(), &text);
            prop_assert_eq!(&again[0].to_json().to_string(), &json);
            let replayed = again[0].replay().map_err(|bad| TestCaseError::fail(format!("{bad}\n{written}")))?;
            prop_assert_eq!(ended(&replayed), round.outcome().map_or("open".to_owned(), in_short));
            prop_assert_eq!(replayed.history(), round.history());
            prop_assert_eq!(replayed.rulebook(), &book);
        }

        let twice = format!("{text}\n{text}");
        prop_assert_eq!(read_all(&twice).map(|records| records.len()), Ok(2));
        let sealed = seal(&twice);
        prop_assert_eq!(unseal(sealed.as_bytes()), Ok(twice.as_str()));
        prop_assert_eq!(read_all(&sealed).map(|records| records.len()), Ok(2), "to a reader the seal is a remark");
    }

    /// Reading any file returns records or an error. Valid records can be written and read again.
    #[test]
    fn any_text_is_read_or_refused(pieces in vec(select(PIECES), 0..40), noise in TEXT) {
        let text = pieces.concat();
        let with_game = format!("[Rulebook \"number-maze\"]\n\n{text}");
        let json = format!("{{\"rulebook\":\"number-maze\",{text}");
        for text in [&text, &with_game, &json, &noise, &format!("{with_game}{noise}")] {
            for record in read_all(text).unwrap_or_default() {
                let _ = record.replay();
                prop_assert_eq!(read_all(&record.to_string()), Ok(vec![record.clone()]));
                prop_assert_eq!(read_all(&record.to_json().to_string()), Ok(vec![record]));
            }
        }
    }
}

/// Fragments of records.
const PIECES: &[&str] = &[
    "+1 ",
    "x2",
    "x2?! ",
    "skip ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "1. ",
    "2...",
    "* ",
    "1-0",
    "{",
    "}",
    "{a  b}",
    ";",
    "[",
    "]",
    "\n[Rulebook \"double-or-add\"]\n",
    "\n[First \"2\"]\n",
    "\n[Target \"15\"]\n",
    "\n[Event \"x\\\"y\"]\n",
    "\"moves\":[\"+1\",\"x2\"],",
    "\"first\":2",
    "\"comments\":{\"1\":\"c\"}",
    ",",
    "}",
    "\\",
    "\"",
];
