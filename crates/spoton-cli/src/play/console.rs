//! Where the dialogue goes and the answers come from: a terminal with line editing, or a pipe.

use std::io::{self, BufRead, IsTerminal, Write, stdin, stdout};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use spoton::format::{is_hidden, shown_lines};

use crate::output::Colour;
use crate::shown::{self, Out, coloured_out};
use crate::signals;

/// No answer is longer than this; what comes after it in a line is thrown away.
const LONGEST_LINE: usize = 4096;
/// No more of an answer than this is printed again.
const LONGEST_ECHO: usize = 200;

/// What came back from a question.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Line(String),
    /// There is no more input.
    End,
    /// The player interrupted.
    Interrupted,
}

pub trait Console {
    /// Prints a text of the dialogue and ends the line.
    fn say(&mut self, text: &str) -> io::Result<()>;

    /// Asks a question and waits for the answer.
    fn ask(&mut self, prompt: &str) -> io::Result<Answer>;

    /// Shows a question and an answer that the computer gave.
    fn show_answer(&mut self, prompt: &str, answer: &str) -> io::Result<()> {
        self.say(&format!("{prompt}{answer}"))
    }

    /// Tells something that is not a part of the dialogue.
    fn notice(&mut self, text: &str) -> io::Result<()>;

    /// Whether a person sits there, to be offered things.
    fn is_terminal(&self) -> bool;
}

/// The console that fits standard input and output.
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
        // Bracketed paste would have to be switched off again when the program is told to end.
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
        // Only the last line of a prompt is one to the editor.
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
                // Bytes that are no text are no answer.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {}
                // The terminal is gone, and with it the input.
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

/// Lines read and written as they are: pipes, files, and terminals that can do no more.
pub struct Plain<R, W> {
    pub input: R,
    pub output: W,
    /// Whether to print each line that was read, so that a piped round reads like a dialogue.
    pub echoes: bool,
    pub terminal: bool,
}

impl<R: BufRead, W: Write> Console for Plain<R, W> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Answer> {
        // If the input is printed again, the space before it is printed with it: a prompt that is never answered ends
        // its line without one.
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
        // If nobody reads the errors, the dialogue goes on all the same.
        let _ = writeln!(shown::err(), "{text}");
        Ok(())
    }

    fn is_terminal(&self) -> bool {
        self.terminal
    }
}

/// A line without its end, cut if it is too long; `None` at the end of the input.
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

/// A line as it can be printed again: control characters escaped, and not too long.
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
    fn what_could_harm_a_terminal_is_escaped_and_long_lines_are_cut() {
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
