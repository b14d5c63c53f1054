//! Input and output of line mode: a terminal with line editing, or a pipe.

use std::io::{self, BufRead, IsTerminal, Write, stdin, stdout};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use spoton::format::{is_hidden, shown_lines};

use crate::output::Colour;
use crate::shown::{self, Out, coloured_out};
use crate::signals;

/// The maximum length of an answer in bytes; the rest of the line is dropped.
const LONGEST_LINE: usize = 4096;
/// The maximum number of characters echoed from an answer.
const LONGEST_ECHO: usize = 200;

/// The reply to a question.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Line(String),
    /// End of input.
    End,
    /// The player pressed Ctrl-C.
    Interrupted,
}

pub trait Console {
    /// Prints a line of dialogue.
    fn say(&mut self, text: &str) -> io::Result<()>;

    /// Prints a prompt and waits for the answer.
    fn ask(&mut self, prompt: &str) -> io::Result<Answer>;

    /// Prints a prompt with the computer's answer.
    fn show_answer(&mut self, prompt: &str, answer: &str) -> io::Result<()> {
        self.say(&format!("{prompt}{answer}"))
    }

    /// Prints a message that isn't part of the dialogue.
    fn notice(&mut self, text: &str) -> io::Result<()>;

    /// Whether a person is reading, so that offers make sense.
    fn is_terminal(&self) -> bool;
}

/// The console for standard input and output.
pub fn open(colour: Colour) -> io::Result<Box<dyn Console>> {
    let (reads, writes) = (stdin().is_terminal(), stdout().is_terminal());
    let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    if reads && writes && !dumb {
        Ok(Box::new(Terminal::open(coloured_out(colour))?))
    } else {
        let terminal = reads && writes;
        let output = coloured_out(colour);
        Ok(Box::new(Plain { input: stdin().lock(), output, echoes: !reads, terminal }))
    }
}

/// A terminal with line editing and history.
struct Terminal {
    output: Out,
    editor: Editor<(), MemHistory>,
}

impl Terminal {
    fn open(output: Out) -> io::Result<Terminal> {
        // We would have to turn bracketed paste off again when a signal ends the program.
        let config = Config::builder().auto_add_history(true).bracketed_paste(false).build();
        let history = MemHistory::with_config(&config);
        let editor = Editor::with_history(config, history).map_err(io::Error::other)?;
        Ok(Terminal { output, editor })
    }
}

impl Console for Terminal {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Answer> {
        self.output.flush()?;
        let prompt = &*shown_lines(prompt);
        // The editor accepts only a single-line prompt.
        let (above, prompt) = match prompt.rsplit_once('\n') {
            Some((above, last)) => (Some(above), last),
            None => (None, prompt),
        };
        if let Some(above) = above {
            self.say(above)?;
        }
        loop {
            match signals::asking(|| self.editor.readline(prompt)) {
                Ok(line) => return Ok(Answer::Line(line.chars().take(LONGEST_LINE).collect())),
                Err(ReadlineError::Interrupted) => return Ok(Answer::Interrupted),
                Err(ReadlineError::Eof) => return Ok(Answer::End),
                Err(ReadlineError::Signal(_)) => {}
                // Invalid UTF-8: ask again.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {}
                // The terminal is gone.
                Err(_) => return Ok(Answer::End),
            }
        }
    }

    fn notice(&mut self, text: &str) -> io::Result<()> {
        self.say(text)
    }

    fn is_terminal(&self) -> bool {
        true
    }
}

/// Plain lines: pipes, files and dumb terminals.
pub struct Plain<R, W> {
    pub input: R,
    pub output: W,
    /// Whether to echo each line, so that a piped round reads like a dialogue.
    pub echoes: bool,
    pub terminal: bool,
}

impl<R: BufRead, W: Write> Console for Plain<R, W> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Answer> {
        // With echo, the prompt's trailing space is printed with the answer. An unanswered prompt ends without one.
        let shown = if self.echoes { prompt.trim_end_matches(' ') } else { prompt };
        write!(self.output, "{shown}")?;
        self.output.flush()?;
        let line = read_line(&mut self.input)?;
        match line {
            Some(line) => {
                if self.echoes {
                    let answer = format!("{}{}", &prompt[shown.len()..], echo(&line));
                    writeln!(self.output, "{}", if line.is_empty() { "" } else { &answer })?;
                }
                Ok(Answer::Line(line))
            }
            None => {
                writeln!(self.output)?;
                Ok(Answer::End)
            }
        }
    }

    fn notice(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            return self.say(text);
        }
        // A closed standard error must not end the dialogue.
        let _ = writeln!(shown::err(), "{text}");
        Ok(())
    }

    fn is_terminal(&self) -> bool {
        self.terminal
    }
}

/// Reads a line without its line ending, cut to the maximum length. Returns `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            break;
        }
        any = true;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST_LINE - line.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(any.then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// A line ready to echo: control characters are escaped, and long lines are cut.
fn echo(line: &str) -> String {
    let mut shown = String::new();
    for c in line.chars().take(LONGEST_ECHO) {
        if is_hidden(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if line.chars().nth(LONGEST_ECHO).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(input: &str) -> Plain<&[u8], Vec<u8>> {
        Plain { input: input.as_bytes(), output: Vec::new(), echoes: true, terminal: false }
    }

    #[test]
    fn answers_are_printed_again_and_an_unanswered_prompt_ends_its_line() {
        let mut console = plain("2\r\n\nlast");
        for expected in ["2", "", "last"] {
            assert_eq!(console.ask("Choice: ").unwrap(), Answer::Line(expected.to_owned()));
        }
        assert_eq!(console.ask("Choice: ").unwrap(), Answer::End);
        assert_eq!(String::from_utf8(console.output).unwrap(), "Choice: 2\nChoice:\nChoice: last\nChoice:\n");
    }

    #[test]
    fn control_characters_are_escaped_and_long_lines_are_cut() {
        assert_eq!(echo("a\u{1b}[2Jb\t\u{202e}"), "a\\u{1b}[2Jb\\t\\u{202e}");
        let long = "x".repeat(100_000);
        assert_eq!(echo(&long).chars().count(), LONGEST_ECHO + 1);
        let mut console = plain("");
        let input = format!("{long}\nnext\n");
        console.input = input.as_bytes();
        let Answer::Line(first) = console.ask("").unwrap() else { panic!("no line") };
        assert_eq!(first.len(), LONGEST_LINE);
        assert_eq!(console.ask("").unwrap(), Answer::Line("next".to_owned()));
    }
}
