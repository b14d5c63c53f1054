//! The line protocol for engines, similar to UCI: requests and replies. Documented in `docs/engines.md`.
//!
//! ```
//! use spoton::words::protocol::{How, Reply, Request};
//!
//! let request = Request::read("position 3;1 moves +1 x2")?;
//! assert_eq!(request, Request::Position { at: Some("3;1".into()), moves: vec!["+1".into(), "x2".into()] });
//! let go = Request::Go { how: How::Time(500), among: vec![] };
//! assert_eq!(go.to_string(), "go time 500");
//! assert!(!go.is_answered_by("info value win remoteness 5") && go.is_answered_by("bestmove x2"));
//! assert_eq!(Reply::read("bestmove x2"), Some(Reply::BestMove("x2".into())));
//! # Ok::<(), String>(())
//! ```

use std::fmt;

use crate::format::{is_hidden, quotable};
use crate::records::listed_moves;
use crate::solver::Verdict;

/// A request to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Asks the engine to identify itself.
    Hello,
    /// A new round starts.
    NewGame,
    /// A rule book on one line.
    Rules(String),
    /// The current position.
    Position {
        /// The starting position as a short text. `None` means the opening with Player 1 to move.
        at: Option<String>,
        /// The moves since then.
        moves: Vec<String>,
    },
    /// Asks for a move.
    Go {
        /// The search limit.
        how: How,
        /// The moves to choose from. Empty means all.
        among: Vec<String>,
    },
    /// Ends the program.
    Quit,
}

/// An engine's search limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A number of moves ahead, from 1 to 255.
    Depth(u8),
    /// A time in milliseconds.
    Time(u64),
    /// No limit: searches to the end of the game.
    Perfect,
}

/// The maximum time per move: one day.
const LONGEST_TIME: u64 = 86_400_000;

impl How {
    /// Reads `depth 4`, `time 500` or `perfect`.
    ///
    /// # Errors
    ///
    /// The correct form.
    pub fn read(words: &str) -> Result<How, String> {
        let number =
            |digits: &str, most: u64| digits.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
        match words.split_whitespace().collect::<Vec<_>>()[..] {
            [] | ["perfect"] => Ok(How::Perfect),
            ["depth", moves] => number(moves, u8::MAX.into())
                .map(|moves| How::Depth(moves as u8))
                .ok_or_else(|| "depth takes a whole number from 1 to 255".to_owned()),
            ["time", ms] => number(ms, LONGEST_TIME)
                .map(How::Time)
                .ok_or_else(|| format!("time takes milliseconds from 1 to {LONGEST_TIME}")),
            _ => Err(format!("\"{}\": expected depth N, time MS or perfect", quotable(words))),
        }
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Depth(moves) => write!(f, "depth {moves}"),
            How::Time(ms) => write!(f, "time {ms}"),
            How::Perfect => f.write_str("perfect"),
        }
    }
}

impl Request {
    /// Parses a line sent to an engine.
    ///
    /// # Errors
    ///
    /// The problem, to send as `error …`.
    pub fn read(line: &str) -> Result<Request, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        match (word, rest) {
            ("spoton", "") => Ok(Request::Hello),
            ("newgame", "") => Ok(Request::NewGame),
            ("quit", "") => Ok(Request::Quit),
            ("spoton" | "newgame" | "quit", _) => Err(format!("{word} takes no arguments")),
            ("rules", "") => Err(
                "rules takes a rule book on one line, such as {start = 1, target = 20, moves = ['+1', 'x2']}"
                    .to_owned(),
            ),
            ("rules", book) => Ok(Request::Rules(book.to_owned())),
            ("position", rest) => {
                let (at, moves) = split_at_word(rest, "moves");
                let at = match words(at)[..] {
                    [ref at] if at == "opening" => None,
                    [ref at] => Some(at.clone()),
                    _ => {
                        return Err(
                            "expected position opening or position TEXT, optionally followed by moves …"
                                .to_owned(),
                        );
                    }
                };
                let moves = listed_moves(moves.unwrap_or_default());
                Ok(Request::Position { at, moves: moves.map(str::to_owned).collect() })
            }
            ("go", rest) => {
                let (how, among) = split_at_word(rest, "among");
                let how = How::read(how)?;
                match among.map(|among| listed_moves(among).map(str::to_owned).collect::<Vec<String>>()) {
                    Some(among) if among.is_empty() => Err("among needs moves".to_owned()),
                    among => Ok(Request::Go { how, among: among.unwrap_or_default() }),
                }
            }
            ("", _) => Err("the line is empty".to_owned()),
            _ => Err(format!(
                "unknown request \"{}\"; the requests are spoton, newgame, rules, position, go and quit",
                quotable(word)
            )),
        }
    }

    /// The first word of the line that ends the answer.
    pub fn answer(&self) -> &'static str {
        match self {
            Request::Hello => "spotonok",
            Request::NewGame | Request::Rules(_) | Request::Position { .. } => "ok",
            Request::Go { .. } => "bestmove",
            Request::Quit => "bye",
        }
    }

    /// Whether a line ends the answer to this request.
    pub fn is_answered_by(&self, line: &str) -> bool {
        let Some(reply) = Reply::read(line) else { return false };
        match self {
            _ if matches!(reply, Reply::Error(_)) => true,
            Request::Hello => reply == Reply::Hello,
            Request::NewGame | Request::Rules(_) | Request::Position { .. } => reply == Reply::Ok,
            Request::Go { .. } => matches!(reply, Reply::BestMove(_)),
            Request::Quit => reply == Reply::Bye,
        }
    }
}

/// Splits a string at a word.
fn split_at_word<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    let mut from = 0;
    for part in text.split_whitespace() {
        let at = text[from..].find(part).map_or(from, |at| from + at);
        if part == word {
            return (&text[..at], Some(&text[at + word.len()..]));
        }
        from = at + part.len();
    }
    (text, None)
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |word: &str, moves: &[String]| match moves {
            [] => String::new(),
            moves => format!(" {word} {}", moves.join(" ")),
        };
        match self {
            Request::Hello => f.write_str("spoton"),
            Request::NewGame => f.write_str("newgame"),
            Request::Rules(book) => write!(f, "rules {book}"),
            Request::Position { at, moves } => {
                let at = at.as_deref().unwrap_or("opening");
                write!(f, "position {at}{}", listed("moves", moves))
            }
            Request::Go { how, among } => write!(f, "go {how}{}", listed("among", among)),
            Request::Quit => f.write_str("quit"),
        }
    }
}

/// A line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A property, such as `name` or `author`, and its value.
    Id(String, String),
    /// The engine is ready and speaks this protocol.
    Hello,
    /// The engine understood the request.
    Ok,
    /// The result so far.
    Info {
        /// The search depth in moves, if reported.
        depth: Option<u64>,
        /// `win`, `draw`, `loss` or `unknown`, for the player to move.
        value: String,
        /// The moves to the end, for a win or a loss.
        remoteness: Option<u64>,
    },
    /// A message for people.
    Remark(String),
    /// The chosen move; `skip` if there is none.
    BestMove(String),
    /// The engine can't carry out the request.
    Error(String),
    /// The engine exits.
    Bye,
}

impl Reply {
    /// The line for a verdict. Without one, its value is `unknown`.
    pub fn info(depth: Option<u64>, verdict: Option<Verdict>) -> Reply {
        let value = verdict.map_or("unknown", |verdict| verdict.value.word()).to_owned();
        Reply::Info { depth, value, remoteness: verdict.and_then(Verdict::remoteness) }
    }

    /// Explains why a line that looks like a reply isn't one.
    ///
    /// ```
    /// use spoton::words::protocol::Reply;
    ///
    /// assert_eq!(Reply::why_not("BESTMOVE +1"), Some("protocol words are lower case"));
    /// assert_eq!(Reply::why_not("bestmove\u{1b}[0m +1"), Some("it has control characters"));
    /// assert_eq!(Reply::why_not("bestmove: +1"), Some("protocol words have no colon"));
    /// assert_eq!(Reply::why_not("thinking"), None);
    /// ```
    pub fn why_not(line: &str) -> Option<&'static str> {
        let lower = line.to_lowercase();
        let is_reply = |line: &str| Reply::read(line).is_some();
        if line.trim().chars().any(is_hidden) {
            Some("it has control characters")
        } else if is_reply(line) {
            None
        } else if is_reply(&lower) {
            Some("protocol words are lower case")
        } else if is_reply(&lower.replacen(':', " ", 1)) {
            Some("protocol words have no colon")
        } else {
            None
        }
    }

    /// Parses a line from an engine; `None` if it isn't a reply.
    pub fn read(line: &str) -> Option<Reply> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match (word, rest) {
            ("spotonok", "") => Reply::Hello,
            ("ok", "") => Reply::Ok,
            ("bye", "") => Reply::Bye,
            ("error", why) => Reply::Error(why.to_owned()),
            ("bestmove", written) => Reply::BestMove(written.to_owned()),
            ("id", rest) => {
                let (what, it) = rest.split_once(char::is_whitespace)?;
                Reply::Id(what.to_owned(), it.trim().to_owned())
            }
            ("info", rest) => return info(rest),
            _ => return None,
        })
    }
}

fn info(rest: &str) -> Option<Reply> {
    if let Some(remark) = rest.strip_prefix("string ") {
        return Some(Reply::Remark(remark.to_owned()));
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (mut depth, mut value, mut remoteness) = (None, None, None);
    for pair in words.chunks(2) {
        match *pair {
            ["depth", moves] => depth = Some(moves.parse().ok()?),
            ["value", worth @ ("win" | "draw" | "loss" | "unknown")] => value = Some(worth.to_owned()),
            ["remoteness", moves] => remoteness = Some(moves.parse().ok()?),
            _ => return None,
        }
    }
    Some(Reply::Info { depth, value: value?, remoteness })
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(what, it) => write!(f, "id {what} {it}"),
            Reply::Hello => f.write_str("spotonok"),
            Reply::Ok => f.write_str("ok"),
            Reply::Info { depth, value, remoteness } => {
                f.write_str("info")?;
                if let Some(depth) = depth {
                    write!(f, " depth {depth}")?;
                }
                write!(f, " value {value}")?;
                remoteness.map_or(Ok(()), |moves| write!(f, " remoteness {moves}"))
            }
            Reply::Remark(remark) => write!(f, "info string {remark}"),
            Reply::BestMove(written) => write!(f, "bestmove {written}"),
            // An error fits on one line.
            Reply::Error(why) => write!(f, "error {}", why.split_whitespace().collect::<Vec<_>>().join(" ")),
            Reply::Bye => f.write_str("bye"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_they_are_written() {
        for line in [
            "spoton",
            "newgame",
            "rules {start = 1, target = 20, moves = ['+1', 'x2']}",
            "position opening",
            "position 3,5;2;+1,-;1/0",
            "position opening moves +1 @-3 skip",
            "go perfect",
            "go depth 255",
            "go time 86400000 among +1 x2",
            "go perfect among /2",
            "quit",
        ] {
            assert_eq!(Request::read(line).unwrap().to_string(), line);
            assert_eq!(
                Request::read(&format!("  {}\r\n", line.replacen(' ', "\t ", 1))).unwrap().to_string(),
                line
            );
        }
        assert_eq!(Request::read("go").unwrap().to_string(), "go perfect");
        for line in [
            "",
            " ",
            "uci",
            "spoton 2",
            "quit now",
            "rules",
            "position",
            "position moves +1",
            "position opening x2",
            "go depth",
            "go depth 0",
            "go depth 256",
            "go depth -1",
            "go time 0",
            "go time 99999999999999999999",
            "go slowly",
            "go depth 3 time 5",
            "go among",
            "\u{0}\u{1b}[2J",
        ] {
            assert!(Request::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn replies_are_read_as_they_are_written() {
        for line in [
            "id name Spot On",
            "spotonok",
            "ok",
            "info value unknown",
            "info depth 4 value win remoteness 3",
            "info string twice round",
            "bestmove @-3",
            "error no such thing",
            "bye",
        ] {
            assert_eq!(Reply::read(line).unwrap().to_string(), line);
        }
        for line in
            ["", "okay", "ok ok", "info", "info value", "info value good", "info depth x value win", "best"]
        {
            assert_eq!(Reply::read(line), None, "{line}");
        }
        assert_eq!(Reply::Error("two\nlines".to_owned()).to_string(), "error two lines");
    }
}
