//! Shell quoting for commands that people copy.

use std::ffi::OsStr;

use spoton::format::is_hidden;

/// Quotes a word for a shell if it needs quotes.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let Some(text) = word.to_str().filter(|text| !text.contains(is_hidden)) else {
        return escaped(word.as_encoded_bytes());
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    match !text.is_empty() && !text.starts_with('=') && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Quotes a file name so that it isn't parsed as an option.
pub fn quoted_file(path: impl AsRef<OsStr>) -> String {
    let quoted = quoted(path);
    if quoted.starts_with('-') || quoted.starts_with("'-") { format!("./{quoted}") } else { quoted }
}

/// Quotes bytes that include hidden characters, in the `$'…'` form that most shells read. Bytes outside ASCII become
/// `\x` escapes.
fn escaped(bytes: &[u8]) -> String {
    let escape = |byte: &u8| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        byte => format!("\\x{byte:02x}"),
    };
    format!("$'{}'", bytes.iter().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_one_word_to_a_shell() {
        assert_eq!(quoted("range=1,20"), "range=1,20");
        assert_eq!(quoted("pip; touch X #"), "'pip; touch X #'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("a\u{1b}[2J\u{85}'\n"), "$'a\\x1b[2J\\xc2\\x85\\'\\x0a'");
        assert_eq!((quoted(""), quoted("=ls"), quoted("~")), ("''".into(), "'=ls'".into(), "'~'".into()));
        assert_eq!((quoted_file("-x.toml"), quoted_file("- x")), ("./-x.toml".into(), "./'- x'".into()));
    }
}
