//! What an outside program answers, understood: a move, or why it is none. Nothing is guessed.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{play::Move, position::Player, round::Round};
//! use spoton::format::Draft;
//! use spoton::records::Refused;
//! use spoton::words::answer;
//!
//! let text = "title = 'Five'\nstart = 4\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
//! let round = Round::new(Arc::new(Draft::read("five.toml", text).build().unwrap()), Player::One);
//! for said in ["+1", "{\"move\":\"+1\"}", "I could go for +2, but no.\nmove: +1", "I play +1."] {
//!     let choice = answer::read(said, &round).unwrap();
//!     assert_eq!(round.rulebook().write(Move::Operation(choice)), "+1");
//! }
//! assert_eq!(answer::read("+2", &round).unwrap_err().why, Refused::Illegal);
//! assert_eq!(answer::read("one more", &round).unwrap_err().why, Refused::Unreadable);
//! ```

use serde_json::Value as Json;

use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::engine::round::Round;
use crate::format::quotable;
use crate::records::{Refused, Unplayable, read_move};

/// An answer that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMove {
    /// Whether it is no move of this game, or one that is not legal now.
    pub why: Refused,
    /// The same in words.
    pub reason: String,
}

impl NoMove {
    fn unreadable(reason: impl Into<String>) -> NoMove {
        NoMove { why: Refused::Unreadable, reason: reason.into() }
    }
}

/// What stands before the move in an answer of many words.
const MOVE: &str = "move:";

/// Reads an answer: `+1`, `{"move":"+1"}`, many words with a last `move: +1`, or many words that name just one legal move.
/// Many lines of words fit on one as `{"answer":"…"}`. If nothing stands behind `move:` on its line, the move is looked for in
/// all that follows.
///
/// # Errors
///
/// If it names no move, several, or one that is not legal now.
pub fn read(said: &str, round: &Round) -> Result<Choice, NoMove> {
    read_by(said, |text| named(text).collect(), |written| read_move(written, round))
}

/// The same for moves that are called something else: how they are found in a text, and what each of them is.
pub(crate) fn read_by(
    said: &str,
    named: impl Fn(&str) -> Vec<&str>,
    read: impl Fn(&str) -> Result<Move, Unplayable>,
) -> Result<Choice, NoMove> {
    let only_move = |said: &str| only_move(said, named(said), &read);
    let said = said.trim_start_matches('\u{feff}').trim();
    if said.is_empty() {
        return Err(NoMove::unreadable("the answer is empty"));
    }
    if let Ok(Json::Object(answer)) = serde_json::from_str(said) {
        // The last of two would hide the first.
        let is_said_once = |key: &str| said.matches(&format!("\"{key}\"")).count() == 1;
        return match (answer.get("move"), answer.get("answer")) {
            (Some(Json::String(written)), None) if is_said_once("move") => only_move(written),
            (None, Some(Json::String(words))) if is_said_once("answer") => {
                only_move(marked(words).unwrap_or(words))
            }
            _ => Err(NoMove::unreadable("the answer has no \"move\" that is a text, or more than one")),
        };
    }
    only_move(marked(said).unwrap_or(said))
}

/// What stands behind the last `move:`, to the end of its line; all that follows if there is nothing on it.
fn marked(said: &str) -> Option<&str> {
    let lower = said.to_ascii_lowercase();
    let mut begins = lower.rmatch_indices(MOVE).map(|(at, _)| at);
    let at = begins.find(|at| !is_part_of_word(lower[..*at].chars().next_back()))?;
    let follows = &said[at + MOVE.len()..];
    let line = follows.lines().next().unwrap_or_default();
    // The signs of Markdown are left over from `**move:**`.
    let is_nothing = |c: char| c.is_whitespace() || "*_`".contains(c);
    Some(if line.chars().all(is_nothing) { follows } else { line })
}

fn is_part_of_word(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

/// Whether a character beside something written like a move makes it a part of something else: `+1+2` is neither.
fn belongs_to_it(c: Option<char>) -> bool {
    is_part_of_word(c) || c.is_some_and(|c| "+-/@".contains(c))
}

/// The only legal move that is named; or the only move, if it is not legal.
fn only_move(
    said: &str,
    named: Vec<&str>,
    read: impl Fn(&str) -> Result<Move, Unplayable>,
) -> Result<Choice, NoMove> {
    let mut legal: Vec<Choice> = Vec::new();
    let mut illegal: Vec<NoMove> = Vec::new();
    for written in named {
        match read(written) {
            Ok(Move::Operation(choice)) if !legal.contains(&choice) => legal.push(choice),
            Err(why @ Unplayable::NotLegal { .. }) => {
                let no_move = NoMove { why: Refused::Illegal, reason: why.to_string() };
                if !illegal.contains(&no_move) {
                    illegal.push(no_move);
                }
            }
            Ok(_) | Err(_) => {}
        }
    }
    match (&legal[..], &illegal[..]) {
        ([choice], _) => Ok(*choice),
        ([], [no_move]) => Err(no_move.clone()),
        ([], []) => {
            Err(NoMove::unreadable(format!("\"{}\" names no move of this game", quotable(said.trim()))))
        }
        _ => Err(NoMove::unreadable("the answer names more than one move")),
    }
}

/// Every piece of a text that is written like a move and stands by itself, whatever signs stand around it.
pub(crate) fn named(said: &str) -> impl Iterator<Item = &str> {
    let begins = |at: usize| {
        let sign = said[at..].chars().next();
        let before = said[..at].chars().next_back();
        sign.is_some_and(|sign| "+-x/@".contains(sign)) && !belongs_to_it(before)
    };
    let places = said.char_indices().map(|(at, _)| at).filter(move |at| begins(*at));
    places.filter_map(|at| {
        let rest = &said[at..];
        let sign = rest.find(|c: char| c.is_ascii_digit())?;
        let digits = rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - sign);
        let end = sign + digits;
        let stands_alone = sign <= 2 && !belongs_to_it(rest[end..].chars().next());
        stands_alone.then(|| &rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::position::Player;
    use crate::format::Draft;

    fn round() -> Round {
        let text = "title = 'Ten'\nstart = 7\ntarget = 10\nmoves = ['+1', '+2', '-3', 'x2']\nrange = [1, 10]\npast = 'forbidden'";
        Round::new(Arc::new(Draft::read("ten.toml", text).build().unwrap()), Player::One)
    }

    #[test]
    fn a_move_is_found_in_an_answer_of_any_form() {
        for (said, written) in [
            ("+1", "+1"),
            ("  +1\r\n", "+1"),
            ("\"-3\"", "-3"),
            ("{\"move\": \"+2\", \"because\": \"x2 would pass\"}", "+2"),
            ("{\"answer\": \"x2 passes, +2 does not.\\nmove: +1\"}", "+1"),
            ("{\"answer\": \"+2 it is\"}", "+2"),
            ("move: +1", "+1"),
            ("Move: `+1`.", "+1"),
            ("x2 passes, so\nMOVE: -3\n", "-3"),
            ("move: +1\nno, wait\nmove: +2", "+2"),
            ("I choose (+2)!", "+2"),
            ("+2, yes: +2.", "+2"),
            // The only legal one that is named.
            ("x2 would be too far; +1", "+1"),
            ("+1 is worse than -3. move: +1", "+1"),
            ("Let me think: +1 gives 8, +2 gives 9; move: -3, I think", "-3"),
            ("\u{feff}+1", "+1"),
            ("<move>+1</move>", "+1"),
            ("\\boxed{+1}", "+1"),
            ("answer=+1", "+1"),
            // On the next line, or after some.
            ("move:\n+1", "+1"),
            ("+2 is better than x2.\nMove:  \r\n\r\n  `-3`\r\n", "-3"),
            ("**Move:**\n\n+2\n\nThat leaves 9.", "+2"),
            ("move:\n```\n+1\n```", "+1"),
            ("{\"answer\": \"+1 or +2\\nmove:\\n+2\"}", "+2"),
            ("move:\n+1\nNo, wait.\nmove: +2", "+2"),
            ("move:\nx2 goes past, so +1", "+1"),
        ] {
            let choice = read(said, &round()).unwrap_or_else(|no| panic!("{said}: {no:?}"));
            assert_eq!(round().rulebook().write(Move::Operation(choice)), written, "{said}");
        }
    }

    #[test]
    fn what_is_no_move_is_told_from_what_is_not_legal() {
        for said in ["x2", "{\"move\":\"x2\"}", "I double: x2", "move: x2", "+1?\nmove:\nx2"] {
            let no_move = read(said, &round()).unwrap_err();
            assert_eq!((no_move.why, &*no_move.reason), (Refused::Illegal, "goes past 10"), "{said}");
        }
        for said in [
            "",
            " ",
            "1",
            "+9",
            "add 1",
            "+1+2",
            "+1 or +2",
            "move:",
            "move: +1 or +2",
            "skip",
            "{}",
            "[\"+1\",\"+2\"]",
            "{\"move\":1}",
            "{\"answer\":\"+1 or +2\"}",
            "{\"answer\":\"+1\",\"answer\":\"+2\"}",
            "{\"answer\":\"+1\",\"move\":\"+2\"}",
            "null",
            "\u{0}\u{1b}[2J",
            "+1\nmove: none",
            "+1\nmove:",
            "+1\nmove:\nnone",
            "move:\n+1\n+2",
            "move:\n- +1\n- +2",
            "move: +1\nmove:\n",
            "move: ?\n+1",
            "<move>+1</move> because +2 loses",
            "\\boxed{+1} since +2 loses",
            "+1's better than +2",
            "move=+1, not +2",
            "{\"move\":\"+1\"} +2",
            "{\"move\":\"+1\",\"move\":\"+2\"}",
            "_+1_ or $+2$",
            "max2",
            "2026-11-16",
            "12+1",
        ] {
            assert_eq!(
                read(said, &round()).map_err(|no_move| no_move.why),
                Err(Refused::Unreadable),
                "{said}"
            );
        }
    }

    #[test]
    fn what_is_no_move_is_quoted_without_what_is_around_it() {
        for said in ["move: +4", "move:\n +4 \n", "  +4 ", "{\"move\": \" +4\"}"] {
            let no_move = read(said, &round()).unwrap_err();
            assert_eq!(no_move.reason, "\"+4\" names no move of this game", "{said}");
        }
    }
}
