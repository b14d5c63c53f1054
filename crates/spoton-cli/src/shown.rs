//! Writers for all output. Invariant: no untrusted control character reaches a terminal.

use std::borrow::Cow;
use std::io::{self, BufWriter, Stderr, StdoutLock, Write};
use std::path::Path;

use serde::Serialize;
use spoton::format::{Rulebook, is_hidden, shown, shown_lines};

use crate::output::Colour;

/// A path for a message.
pub fn path(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    /// Text with our own colours.
    Coloured,
    Json,
}

/// A writer that replaces hidden characters.
pub struct Shown<W: Write> {
    out: W,
    form: Form,
}

/// Standard output.
pub type Out = Shown<StdoutLock<'static>>;

/// Standard output, for text.
pub fn out() -> Out {
    Shown { out: io::stdout().lock(), form: Form::Text }
}

/// Standard output, for text with colours if they are on.
pub fn coloured_out(colour: Colour) -> Out {
    Shown { form: if colour.is_on() { Form::Coloured } else { Form::Text }, ..out() }
}

/// Standard output, for JSON. Hidden characters become escapes, so nothing is lost.
pub fn json_out() -> Out {
    Shown { form: Form::Json, ..out() }
}

/// Standard output, as text or JSON.
pub fn answer_out(json: bool) -> Out {
    if json { json_out() } else { out() }
}

/// Prints why a valid game can't be played, if so. Every command with text about a game calls this first.
pub fn unplayable_first(rulebook: &Rulebook) -> io::Result<()> {
    rulebook.unplayable().map_or(Ok(()), |why| writeln!(out(), "{why}\n"))
}

/// Standard error.
pub fn err() -> Shown<Stderr> {
    Shown { out: io::stderr(), form: Form::Text }
}

impl<W: Write> Shown<W> {
    /// Writes an answer as a line of JSON.
    pub fn answer(&mut self, answer: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self, answer)?;
        writeln!(self)
    }

    /// A buffered version for many short lines. The caller flushes it.
    pub fn buffered(self) -> Shown<BufWriter<W>> {
        Shown { out: BufWriter::new(self.out), form: self.form }
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Fast path: most texts have no hidden characters.
        let is_ordinary = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if bytes.iter().all(is_ordinary) {
            self.out.write_all(bytes)?;
        } else {
            let text = String::from_utf8_lossy(bytes);
            self.out.write_all(self.form.escape(&text).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Form {
    fn escape(self, text: &str) -> Cow<'_, str> {
        match self {
            _ if !text.contains(is_hidden) => text.into(),
            Form::Text => shown_lines(text).into(),
            Form::Json => numbered(text).into(),
            Form::Coloured => {
                let mut safe = String::new();
                for (index, piece) in text.split('\u{1b}').enumerate() {
                    let colour = if index > 0 { length_of_colour(piece) } else { None };
                    match colour {
                        Some(length) => {
                            let (colour, rest) = piece.split_at(length);
                            safe.extend(["\u{1b}", colour, &shown_lines(rest)]);
                        }
                        None if index > 0 => safe.push_str(&shown_lines(&format!("\u{1b}{piece}"))),
                        None => safe.push_str(&shown_lines(piece)),
                    }
                }
                safe.into()
            }
        }
    }
}

/// The length of a colour sequence after its escape; `None` for any other sequence.
fn length_of_colour(after_escape: &str) -> Option<usize> {
    let end = after_escape.find('m')?;
    let numbers = after_escape[..end].strip_prefix('[')?;
    numbers.chars().all(|c| c.is_ascii_digit() || c == ';').then_some(end + 1)
}

/// JSON with `\u` escapes for hidden characters. Except for line breaks between objects, they occur only inside
/// strings.
fn numbered(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_hidden(c) {
            safe.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOREIGN: &str = "a\u{1b}[2J\u{85}\u{202e}\u{7f}\r\n\tb";

    fn written(form: Form, text: &str) -> String {
        let mut shown = Shown { out: Vec::new(), form };
        shown.write_all(text.as_bytes()).unwrap();
        String::from_utf8(shown.out).unwrap()
    }

    #[test]
    fn only_our_own_colours_come_through() {
        assert_eq!(written(Form::Text, FOREIGN), "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}\n\tb");
        let green = "\u{1b}[32mgreen\u{1b}[0m";
        assert_eq!(written(Form::Coloured, green), green);
        assert_eq!(written(Form::Coloured, FOREIGN), written(Form::Text, FOREIGN));
        assert_eq!(written(Form::Text, green), "\u{fffd}[32mgreen\u{fffd}[0m");
    }

    #[test]
    fn json_readers_see_the_same_value() {
        let value = serde_json::json!({ "name": FOREIGN });
        let printed = written(Form::Json, &format!("{value}\n"));
        assert!(!printed.trim_end().contains(is_hidden), "{printed}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&printed).unwrap(), value);
    }
}
