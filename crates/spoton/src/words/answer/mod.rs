//! Reads the answers of programs and language models: a move, or why it is none. Nothing is guessed.
//!
//! The grammar is documented in `docs/answers.md`. Its steps:
//!
//! | step | file |
//! |---|---|
//! | JSON is unwrapped, thinking is cut, markup is removed | `text.rs` |
//! | the text is split into words, numbers and signs | `spelling.rs` |
//! | the deciding place is found: the last `move:` line, else the whole answer | here |
//! | the moves that it names are found | `vocabulary.rs` |
//! | those that it doesn't choose are dismissed: "not x2", "x2 loses" | `stance.rs` |
//! | exactly one move must be left | here |
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
//! for said in ["+1", "{\"move\":\"+1\"}", "I could go for +2, but no.\nmove: +1", "I'll add 1.", "**Move:** ＋ 1"] {
//!     let choice = answer::read(said, &round).unwrap();
//!     assert_eq!(round.rulebook().write(Move::Operation(choice)), "+1");
//! }
//! assert_eq!(answer::read("+2", &round).unwrap_err().why, Refused::Illegal);
//! for said in ["one more", "Anything but +1.", "+1 or +2", "+1.5", "<think>move: +1"] {
//!     assert_eq!(answer::read(said, &round).unwrap_err().why, Refused::Unreadable);
//! }
//! ```

mod stance;
mod text;
mod vocabulary;

use std::ops::Range;

use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::engine::round::Round;
use crate::engine::written::Written;
use crate::format::quotable;
use crate::records::{Refused, Unplayable, read_move};
use crate::words::spelling::{Token, tokens};
pub(crate) use vocabulary::Vocabulary;

/// The version of the grammar by which answers are read. Results under another one can't be compared answer by answer.
pub const GRAMMAR: u32 = 2;

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

    /// A length limit ended the answer. Whatever it says, the rest could have said something else.
    pub fn cut_off() -> NoMove {
        NoMove::unreadable("a length limit cut the answer off")
    }
}

/// Reads an answer.
///
/// # Errors
///
/// If it names no move, several, or one that is not legal now.
pub fn read(said: &str, round: &Round) -> Result<Choice, NoMove> {
    read_by(said, round, &Vocabulary::new(round, None))
}

/// The same with the names of a vocabulary.
pub(crate) fn read_by(said: &str, round: &Round, vocabulary: &Vocabulary<'_>) -> Result<Choice, NoMove> {
    if tokens(said).iter().all(|token| token.is_mark('\n')) {
        return Err(NoMove::unreadable("the answer is empty"));
    }
    let unwrapped = text::without_json(said);
    if unwrapped.is_cut {
        return Err(NoMove::cut_off());
    }
    let text = text::without_markup(&text::without_thinking(&unwrapped.text));
    let tokens = tokens(&text);
    if tokens.iter().all(|token| token.is_mark('\n')) {
        return Err(NoMove::unreadable("the answer has no text outside of its thinking"));
    }
    let place = marked(&tokens).unwrap_or(0..tokens.len());
    let said = match &tokens[place.clone()] {
        [] => "",
        [first, .., last] => &text[first.at.start..last.at.end],
        [only] => &text[only.at.clone()],
    };
    if let Some(written) = vocabulary.whole(&tokens, place.clone()) {
        return only_move(said, [written], round);
    }
    let mut mentions = vocabulary.mentions(&tokens, place.clone());
    stance::judge(&tokens, place, &mut mentions);
    let is_mere_talk = !mentions.is_empty() && mentions.iter().all(|mention| mention.is_dismissed);
    mentions.retain(|mention| !mention.is_dismissed);
    if is_mere_talk {
        return Err(NoMove::unreadable("the answer speaks of a move without choosing one"));
    }
    if mentions.iter().any(|mention| mention.is_alternative) {
        return Err(NoMove::unreadable(SEVERAL));
    }
    only_move(said, mentions.into_iter().map(|mention| mention.named), round)
}

const SEVERAL: &str = "the answer names more than one move";

/// Behind the last `move:` to the end of its line; if nothing is there, the next paragraph.
fn marked(tokens: &[Token]) -> Option<Range<usize>> {
    let is_colon =
        |place: usize| tokens.get(place).is_some_and(|token| token.is_mark(':') || token.is_mark('='));
    let word = |place: usize| tokens.get(place).and_then(Token::word);
    let behind = |place: usize| {
        let place = place + 1 + usize::from(word(place + 1) == Some("is"));
        (is_colon(place)).then_some(place + 1)
    };
    let is_newline = |place: &usize| tokens[*place].is_mark('\n');
    let mut marks = (0..tokens.len()).rev().filter(|place| word(*place) == Some("move"));
    let begin = marks.find_map(|place| behind(place).filter(|_| stance::is_own(&tokens[..place])))?;
    let end = (begin..tokens.len()).find(is_newline).unwrap_or(tokens.len());
    if end > begin {
        return Some(begin..end);
    }
    let begin = (end..tokens.len()).find(|place| !is_newline(place)).unwrap_or(tokens.len());
    let is_gap =
        |place: &usize| is_newline(place) && tokens.get(place + 1).is_none_or(|next| next.is_mark('\n'));
    Some(begin..(begin..tokens.len()).find(is_gap).unwrap_or(tokens.len()))
}

/// The only legal move that is named; or the only move, if it is not legal.
fn only_move(said: &str, named: impl IntoIterator<Item = Written>, round: &Round) -> Result<Choice, NoMove> {
    let mut legal: Vec<Choice> = Vec::new();
    let mut illegal: Vec<NoMove> = Vec::new();
    for written in named {
        match read_move(&written.to_string(), round) {
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
        ([], []) => Err(NoMove::unreadable(format!("\"{}\" names no move of this game", quotable(said)))),
        _ => Err(NoMove::unreadable(SEVERAL)),
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

    /// A model that is asked again can do something about it. What is read as which move, `tests/answers` says.
    #[test]
    fn a_refusal_says_what_was_wrong() {
        for (said, why, reason) in [
            ("x2", Refused::Illegal, "goes past 10"),
            (" \n", Refused::Unreadable, "the answer is empty"),
            ("<think>+1</think>", Refused::Unreadable, "the answer has no text outside of its thinking"),
            ("+1 or +2", Refused::Unreadable, "the answer names more than one move"),
            ("move: +1, +2", Refused::Unreadable, "the answer names more than one move"),
            ("I won't play +1.", Refused::Unreadable, "the answer speaks of a move without choosing one"),
            ("move: 1", Refused::Unreadable, "\"1\" names no move of this game"),
            ("{\"answer\": \"+1\", \"cut\": true}", Refused::Unreadable, "a length limit cut the answer off"),
        ] {
            let no_move = read(said, &round()).unwrap_err();
            assert_eq!((no_move.why, &*no_move.reason), (why, reason), "{said}");
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
