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

/// Reads an answer: `+1`, `{"move":"+1"}`, many words with a last line such as `move: +1`, or many words that name
/// just one legal move.
///
/// # Errors
///
/// If it names no move, several, or one that is not legal now.
pub fn read(said: &str, round: &Round) -> Result<Choice, NoMove> {
    let said = said.trim();
    if said.is_empty() {
        return Err(NoMove::unreadable("the answer is empty"));
    }
    if let Ok(json) = serde_json::from_str::<Json>(said) {
        let written = json.as_str().or_else(|| json.get("move")?.as_str());
        if let Some(written) = written {
            return one_move(written, round);
        }
        if json.is_object() {
            return Err(NoMove::unreadable("the answer has no \"move\" that is a text"));
        }
    }
    let of_line = |line: &str| {
        let line = line.trim();
        let is_marked = line.get(..MOVE.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(MOVE));
        is_marked.then(|| line[MOVE.len()..].to_owned())
    };
    match said.lines().rev().find_map(of_line) {
        Some(written) => one_move(&written, round),
        None => only_move(said, round),
    }
}

/// A move that stands by itself.
fn one_move(written: &str, round: &Round) -> Result<Choice, NoMove> {
    // What people put around a word is no part of it.
    let written = written.trim().trim_matches(AROUND);
    match read_move(written, round) {
        Ok(Move::Operation(choice)) => Ok(choice),
        Err(why @ Unplayable::NotLegal { .. }) => {
            Err(NoMove { why: Refused::Illegal, reason: why.to_string() })
        }
        Ok(Move::Skip) | Err(_) => {
            Err(NoMove::unreadable(format!("\"{}\" is not a move of this game", quotable(written))))
        }
    }
}

const AROUND: [char; 14] = ['"', '\'', '`', '*', '(', ')', '[', ']', ',', ';', ':', '.', '!', '?'];

/// The only legal move that is named among other words; or the only move, if it is not legal.
fn only_move(said: &str, round: &Round) -> Result<Choice, NoMove> {
    let mut legal: Vec<Choice> = Vec::new();
    let mut illegal: Vec<NoMove> = Vec::new();
    for word in said.split_whitespace() {
        match one_move(word, round) {
            Ok(choice) if !legal.contains(&choice) => legal.push(choice),
            Err(no_move) if no_move.why == Refused::Illegal && !illegal.contains(&no_move) => {
                illegal.push(no_move);
            }
            Ok(_) | Err(_) => {}
        }
    }
    match (&legal[..], &mut illegal[..]) {
        ([choice], _) => Ok(*choice),
        ([], [no_move]) => Err(no_move.clone()),
        ([], []) => Err(NoMove::unreadable("the answer names no move of this game")),
        _ => Err(NoMove::unreadable("the answer names more than one move")),
    }
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
            ("move: +1", "+1"),
            ("Move: `+1`.", "+1"),
            ("x2 passes, so\nMOVE: -3\n", "-3"),
            ("move: +1\nno, wait\nmove: +2", "+2"),
            ("I choose (+2)!", "+2"),
            ("+2, yes: +2.", "+2"),
            // The only legal one that is named.
            ("x2 would be too far; +1", "+1"),
        ] {
            let choice = read(said, &round()).unwrap_or_else(|no| panic!("{said}: {no:?}"));
            assert_eq!(round().rulebook().write(Move::Operation(choice)), written, "{said}");
        }
    }

    #[test]
    fn what_is_no_move_is_told_from_what_is_not_legal() {
        for said in ["x2", "{\"move\":\"x2\"}", "I double: x2", "move: x2"] {
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
            "null",
            "\u{0}\u{1b}[2J",
            "+1\nmove: none",
        ] {
            assert_eq!(
                read(said, &round()).map_err(|no_move| no_move.why),
                Err(Refused::Unreadable),
                "{said}"
            );
        }
    }
}
