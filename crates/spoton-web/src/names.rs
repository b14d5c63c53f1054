//! Player names: which are valid, and which look alike.
//!
//! Records accept more (`spoton::records::is_name`), and old rounds keep their names. These rules are stricter, so that
//! nobody can pass for the opponent.

use spoton::format::is_hidden;
use spoton::records::is_name;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::{GeneralSecurityProfile, skeleton};

/// The rules for names, in words.
pub const NAME_FORM: &str =
    "Use 1 to 32 visible characters. Some emoji and invisible characters aren't allowed.";

/// Why a name is refused if it looks like another one.
pub(crate) const LOOKS_ALIKE: &str = "This name looks like your opponent's. Choose another one.";

/// Whether a name is valid: short, with at least one visible character and no invisible ones.
pub fn is_fine(name: &str) -> bool {
    is_name(name) && name.chars().all(is_plain) && name.chars().any(is_visible) && marks_fit(name)
}

/// Whether each combining mark follows a letter of the same script. After any other character, it may be invisible.
fn marks_fit(name: &str) -> bool {
    let mut letter: Option<char> = None;
    name.nfc().all(|c| {
        if is_combining_mark(c) {
            return letter.is_some_and(|letter| {
                !c.script_extension().intersection(letter.script_extension()).is_empty()
            });
        }
        letter = Some(c).filter(|c| c.is_alphabetic());
        true
    })
}

/// Whether it's a visible character or a plain space.
fn is_plain(c: char) -> bool {
    c == ' ' || is_assigned(c) && is_printable(c) && !is_hidden(c) && !is_blank(c)
}

/// Whether Rust prints it unescaped: no format character, such as the Arabic signs around numbers. The `a` in front
/// keeps marks unescaped.
fn is_printable(c: char) -> bool {
    let is_of_objects = matches!(c, '\u{fffc}' | '\u{fffd}');
    !is_of_objects && !format!("a{c}").escape_debug().to_string().contains("\\u{")
}

/// Whether it's assigned, not private use or deprecated, and not from a historic script. Some historic scripts have
/// blank letters.
fn is_assigned(c: char) -> bool {
    let unfit = [
        IdentifierType::Not_Character,
        IdentifierType::Deprecated,
        IdentifierType::Default_Ignorable,
        IdentifierType::Exclusion,
    ];
    c.identifier_type().is_some_and(|kind| !unfit.contains(&kind))
}

/// Whether it looks like a space or is invisible: fillers, selectors, tags.
fn is_blank(c: char) -> bool {
    skeleton(c.encode_utf8(&mut [0; 4])).all(char::is_whitespace)
}

/// Whether it's visible alone. A combining mark isn't.
fn is_visible(c: char) -> bool {
    c != ' ' && !is_combining_mark(c)
}

/// Whether people could confuse two names: the same letters in other forms, in capitals, or look-alikes from other
/// alphabets.
pub(crate) fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (shapes(one), shapes(other));
    one.iter().zip(&other).any(|(one, other)| one == other)
}

/// A name's letter shapes: unchanged, in lower case, in upper case, and with each letter in the case that looks Latin.
/// Greek nu looks like v in lower case but like N in upper case; kappa looks like K only in upper case.
fn shapes(name: &str) -> [String; 4] {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name: String = words.join(" ").nfkc().collect();
    let shape = |text: &str| {
        let shape: String = skeleton(&without_loose_marks(text)).collect();
        // The skeleton of eta is an n with a mark below.
        skeleton(&without_loose_marks(&shape)).collect::<String>()
    };
    let latin = |c: char| {
        let [lower, upper]: [String; 2] = [c.to_lowercase().collect(), c.to_uppercase().collect()];
        let [lower, upper] = [lower, upper].map(|letter| shape(&letter).to_lowercase());
        if lower.is_ascii() || !upper.is_ascii() { lower } else { upper }
    };
    [
        shape(&shape(&name).to_lowercase()),
        shape(&name.to_lowercase()),
        shape(&shape(&name.to_uppercase()).to_lowercase()),
        shape(&name.chars().map(latin).collect::<String>()),
    ]
}

/// Drops marks on Latin, Greek or Cyrillic letters that don't compose with them, and all dots above and below: a
/// single dot is easy to miss.
fn without_loose_marks(text: &str) -> String {
    let mut is_bare = false;
    let is_kept = |c: &char| {
        if is_combining_mark(*c) {
            return !is_bare;
        }
        is_bare = matches!(c.script(), Script::Latin | Script::Greek | Script::Cyrillic);
        true
    };
    let without_dots = text.nfkd().filter(|c| !matches!(c, '\u{307}' | '\u{323}'));
    without_dots.nfkc().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_have_names_in_every_script() {
        for name in [
            "Mia",
            "Zoë",
            "O'Brien",
            "Anna-Lena",
            "Jörg 2",
            "Ὀδυσσεύς",
            "Наташа",
            "Ґанна",
            "李小龍",
            "さくら",
            "김민준",
            "محمد",
            "שרה",
            "आरव",
            "สมชาย",
            "ნინო",
            "Nguyễn Thị",
            "R2-D2",
            "🦊",
            "<b>Ben</b>",
            "7",
            "Ann & Ben",
            "é",
            "e\u{301}",
            "မောင်",
            "សុខា",
            "ကျော်",
            "অনন্যা",
            "ස්‌රී".split('\u{200c}').next().unwrap(),
            "יִצְחָק",
            "مُحَمَّد",
            "Yẹ́misí",
            "Ŋgàrà",
            "ᏣᎳᎩ",
            "ⴰⵎⴰⵢⴰⵙ",
        ] {
            assert!(is_fine(name), "{name}");
        }
    }

    #[test]
    fn invisible_characters_are_removed_from_names() {
        let unseen = [
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{17b5}',
            '\u{180b}',
            '\u{180e}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{202e}',
            '\u{2028}',
            '\u{2060}',
            '\u{2064}',
            '\u{2066}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{fff9}',
            '\u{1d173}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e007f}',
            '\u{e0100}',
            '\u{e01ef}',
            '\u{e000}',
            '\u{f8ff}',
            '\u{f0000}',
            '\u{10fffd}',
            '\u{378}',
            '\u{fdd0}',
            '\u{ffff}',
            '\u{10ffff}',
            '\u{1bca0}',
            '\u{2fe0}',
            '\u{a0}',
            '\u{2003}',
            '\u{3000}',
            '\u{7}',
            '\t',
            '\n',
            '\u{85}',
            '\u{600}',
            '\u{605}',
            '\u{6dd}',
            '\u{890}',
            '\u{891}',
            '\u{8e2}',
            '\u{70f}',
            '\u{1039}',
            '\u{17d2}',
            '\u{1a60}',
            '\u{2d7f}',
            '\u{1107f}',
            '\u{110bd}',
            '\u{13430}',
            '\u{13441}',
            '\u{13442}',
            '\u{16fe4}',
            '\u{fffc}',
            '\u{fffd}',
            '\u{1d159}',
        ];
        for c in unseen {
            for name in [format!("Mia{c}"), format!("M{c}ia"), c.to_string()] {
                assert!(!is_fine(&name), "U+{:04X}", u32::from(c));
            }
        }
        for nothing in ["", " ", "   ", "\u{301}", " \u{301}\u{308}"] {
            assert!(!is_fine(nothing), "{nothing:?}");
        }
        assert!(is_fine(&"x".repeat(32)) && !is_fine(&"x".repeat(33)));
    }

    #[test]
    fn similar_names_are_found() {
        for (one, other) in [
            ("Mia", "Mia"),
            ("Mia", "mia"),
            ("PIP", "Pip"),
            ("Ann B", "Ann  B"),
            ("Ann B", " Ann B "),
            ("Mia", "Ｍｉａ"),
            ("Zoe\u{308}", "Zoë"),
            ("Mia", "Mi\u{307}a"),
            ("MIA", "Mİa"),
            ("Mia", "Mia\u{307}"),
            ("Мия", "Мия\u{307}"),
            ("Mia", "Miạ"),
            // Cyrillic, Greek.
            ("Mia", "М\u{456}\u{430}"),
            ("Ann", "Αnn"),
            ("BOB", "ВОВ"),
            ("Bob", "ВОВ"),
            ("Ivo", "l\u{3bd}o"),
            ("pax", "рах"),
            ("Τim", "Tim"),
            ("Ουτις", "Oυτις"),
            // Within one alphabet.
            ("Bill", "BiIl"),
            ("Bob", "B0b"),
            ("modern", "modem"),
            ("Mia", "𝐌𝐢𝐚"),
            // Kappa and the Cyrillic ka look like K only in upper case, nu like v only in lower case.
            ("kevin", "κeνin"),
            ("Kevin", "Кeνin"),
            ("Viktor", "Viκtοr"),
            ("vik", "νικ"),
            ("Tom", "тοm"),
            ("nick", "ηick"),
        ] {
            assert!(look_alike(one, other) && look_alike(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("Ann", "Anna"),
            ("Mia", "Mio"),
            ("Jose", "José"),
            ("Mia", "Mia 2"),
            ("Ваня", "Маня"),
            ("Player 1", "Player 2"),
        ] {
            assert!(!look_alike(one, other) && !look_alike(other, one), "{one} {other}");
        }
    }
}
