//! Names of players: which are fine, and which look alike.
//!
//! Records take more than this (`spoton::records::is_name`), and old rounds keep their names. These rules are for people
//! who can't see each other: nobody may pass for the other player.

use spoton::format::is_hidden;
use spoton::records::is_name;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::{GeneralSecurityProfile, skeleton};

/// What a name may be, in words.
pub const NAME_FORM: &str =
    "Use 1 to 32 visible characters. Some emoji and invisible characters aren't allowed.";

/// Why a name is refused next to another.
pub const LOOKS_ALIKE: &str = "This name looks like the other player's. Choose another one.";

/// Whether a text can be a player's name: short enough, nothing invisible in it, and something visible.
pub fn is_fine(name: &str) -> bool {
    is_name(name) && name.chars().all(is_plain) && name.chars().any(is_visible)
}

/// A character that everyone sees, or a plain space.
fn is_plain(c: char) -> bool {
    c == ' ' || is_assigned(c) && !is_hidden(c) && !is_blank(c)
}

/// Not unassigned, for private use or deprecated.
fn is_assigned(c: char) -> bool {
    let unfit =
        [IdentifierType::Not_Character, IdentifierType::Deprecated, IdentifierType::Default_Ignorable];
    c.identifier_type().is_some_and(|kind| !unfit.contains(&kind))
}

/// Looks like a space, or like nothing at all: fillers, selectors, tags.
fn is_blank(c: char) -> bool {
    skeleton(c.encode_utf8(&mut [0; 4])).all(char::is_whitespace)
}

/// Marks alone have nothing to sit on.
fn is_visible(c: char) -> bool {
    c != ' ' && !is_combining_mark(c)
}

/// Whether people could take one name for the other: the same letters in other forms, in capitals, or from alphabets
/// that share their shapes.
pub fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (shapes(one), shapes(other));
    one.iter().zip(&other).any(|(one, other)| one == other)
}

/// A name by the shapes of its letters, in three ways: as it is, in small letters, and in capitals. Greek nu is a v in
/// small letters and an N in capitals.
fn shapes(name: &str) -> [String; 3] {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name: String = words.join(" ").nfkc().collect();
    let shape = |text: &str| skeleton(text).collect::<String>();
    [
        shape(&shape(&name).to_lowercase()),
        shape(&name.to_lowercase()),
        shape(&shape(&name.to_uppercase()).to_lowercase()),
    ]
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
        ] {
            assert!(is_fine(name), "{name}");
        }
    }

    #[test]
    fn what_nobody_sees_is_no_part_of_a_name() {
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
    fn names_that_look_alike_are_told() {
        for (one, other) in [
            ("Mia", "Mia"),
            ("Mia", "mia"),
            ("PIP", "Pip"),
            ("Ann B", "Ann  B"),
            ("Ann B", " Ann B "),
            ("Mia", "Ｍｉａ"),
            ("Zoe\u{308}", "Zoë"),
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
