//! Reads answers from programs and language models: the move, or why there is none. Never guesses.
//!
//! The grammar is documented in `docs/answers.md`. Its steps:
//!
//! | step | file |
//! |---|---|
//! | JSON is unwrapped, thinking is cut, markup is removed | `text.rs` |
//! | the text is split into words, numbers and signs | `engine/spelling.rs` |
//! | the place that counts is found: the last `move:` line, else the whole answer | here |
//! | the moves that it names are found | `mentions.rs` |
//! | those that it doesn't choose are dismissed: "not x2", "x2 loses" | `stance.rs` |
//! | those that it chooses are found: "I'll play x2", "Best move: x2" | `choosing.rs` |
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

mod choosing;
mod mentions;
mod stance;
mod text;

use std::ops::Range;

use crate::engine::play::Move;
use crate::engine::position::Choice;
use crate::engine::round::Round;
use crate::engine::spelling::{Token, tokens};
use crate::engine::vocabulary::Vocabulary;
use crate::engine::written::Written;
use crate::format::quotable;
use crate::records::{Refused, Unplayable, read_move};
use choosing::Stance;
pub(crate) use mentions::vocabulary;
use stance::Mention;

/// The grammar's version. Don't compare individual answers across versions.
pub const GRAMMAR: u32 = 4;

/// An answer without a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMove {
    /// Whether the answer is unreadable or names a move that isn't legal now.
    pub why: Refused,
    /// The reason in words.
    pub reason: String,
}

impl NoMove {
    fn unreadable(reason: impl Into<String>) -> NoMove {
        NoMove { why: Refused::Unreadable, reason: reason.into() }
    }

    /// The error if a length limit cut the answer off. The missing rest could have changed the move.
    pub fn cut_off() -> NoMove {
        NoMove::unreadable("a length limit cut the answer off")
    }
}

/// Reads an answer.
///
/// # Errors
///
/// If it chooses no move, several, or one that isn't legal now.
pub fn read(said: &str, round: &Round) -> Result<Choice, NoMove> {
    read_by(said, round, &Vocabulary::new(round))
}

/// [`read`] with a vocabulary's names.
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
    let marked = marked(&tokens);
    let is_line = marked.is_some();
    let place = marked.unwrap_or(0..tokens.len());
    let said = match &tokens[place.clone()] {
        [] => "",
        [first, .., last] => &text[first.at.start..last.at.end],
        [only] => &text[only.at.clone()],
    };
    let after = place.end..tokens.len();
    if let Some(written) = vocabulary.whole(&tokens, place.clone()) {
        if is_line {
            confirmed(vocabulary, &tokens, after, written)?;
        }
        return only_move(said, [written], round);
    }
    let mut mentions = mentions::mentions(vocabulary, &tokens, place.clone());
    stance::judge(&tokens, place.clone(), &mut mentions);
    let reader =
        choosing::Reader { tokens: &tokens, range: place, mentions: &mentions, is_line, is_after: false };
    let stances = reader.stances();
    let is_mere_talk = !mentions.is_empty() && !stances.contains(&Stance::Chosen);
    // On a `move:` line, any second move makes the answer ambiguous unless it's dismissed.
    let counts = |(mention, stance): &(&Mention<Written>, &Stance)| {
        if is_line { !mention.is_dismissed } else { matches!(stance, Stance::Chosen | Stance::Rival) }
    };
    let counting = mentions.iter().zip(&stances).filter(counts).map(|(mention, _)| mention);
    let counting: Vec<&Mention<Written>> = counting.collect();
    if counting.iter().any(|mention| mention.is_alternative)
        || counting.iter().any(|mention| mention.named != counting[0].named) && is_mere_talk
    {
        return Err(NoMove::unreadable(SEVERAL));
    }
    if is_mere_talk {
        return Err(NoMove::unreadable("the answer mentions a move without choosing one"));
    }
    if let Some(last) = stances.iter().rposition(|stance| *stance == Stance::Chosen) {
        let chosen = &mentions[last];
        if stance::withdraws(&tokens, chosen.at.end..reader.range.end) {
            return Err(NoMove::unreadable(WITHDRAWN));
        }
        // "I choose +1. Better: x2."
        let is_open = |number: &usize| {
            let mention = &mentions[*number];
            !mention.is_dismissed && stances[*number] != Stance::Compared && mention.named != chosen.named
        };
        if !is_line && (last + 1..mentions.len()).any(|number| is_open(&number)) {
            return Err(NoMove::unreadable(SEVERAL));
        }
        if is_line {
            confirmed(vocabulary, &tokens, after, chosen.named)?;
        }
    }
    only_move(said, counting.into_iter().map(|mention| mention.named), round)
}

/// Checks the text after a `move:` line: it mustn't retract the move or choose another one.
fn confirmed(
    vocabulary: &Vocabulary<'_>,
    tokens: &[Token],
    after: Range<usize>,
    written: Written,
) -> Result<(), NoMove> {
    if stance::withdraws(tokens, after.clone()) {
        return Err(NoMove::unreadable(WITHDRAWN));
    }
    let mut mentions = mentions::mentions(vocabulary, tokens, after.clone());
    stance::judge(tokens, after.clone(), &mut mentions);
    let reader =
        choosing::Reader { tokens, range: after, mentions: &mentions, is_line: false, is_after: true };
    let stances = reader.stances();
    let is_other = |(mention, stance): (&Mention<Written>, &Stance)| {
        *stance == Stance::Chosen && mention.named != written
    };
    match mentions.iter().zip(&stances).any(is_other) {
        true => Err(NoMove::unreadable(SEVERAL)),
        false => Ok(()),
    }
}

const WITHDRAWN: &str = "the answer takes its move back";

const SEVERAL: &str = "the answer names more than one move";

/// The text after the last `move:`, up to the end of its line. If the rest of the line is empty, the next paragraph.
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
    let begin = marks.find_map(|place| behind(place).filter(|_| choosing::is_own(&tokens[..place])))?;
    let end = (begin..tokens.len()).find(is_newline).unwrap_or(tokens.len());
    if end > begin {
        return Some(begin..end);
    }
    let begin = (end..tokens.len()).find(|place| !is_newline(place)).unwrap_or(tokens.len());
    let is_gap =
        |place: &usize| is_newline(place) && tokens.get(place + 1).is_none_or(|next| next.is_mark('\n'));
    Some(begin..(begin..tokens.len()).find(is_gap).unwrap_or(tokens.len()))
}

/// The only legal move. If there's none, the error for the only illegal one.
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

    /// The reasons help a model to give a better answer. `tests/answers` checks the moves.
    #[test]
    fn a_refusal_says_what_was_wrong() {
        for (said, why, reason) in [
            ("x2", Refused::Illegal, "goes past 10"),
            (" \n", Refused::Unreadable, "the answer is empty"),
            ("<think>+1</think>", Refused::Unreadable, "the answer has no text outside of its thinking"),
            ("+1 or +2", Refused::Unreadable, "the answer names more than one move"),
            ("move: +1, +2", Refused::Unreadable, "the answer names more than one move"),
            ("I won't play +1.", Refused::Unreadable, "the answer mentions a move without choosing one"),
            ("move: 1", Refused::Unreadable, "\"1\" names no move of this game"),
            ("{\"answer\": \"+1\", \"cut\": true}", Refused::Unreadable, "a length limit cut the answer off"),
        ] {
            let no_move = read(said, &round()).unwrap_err();
            assert_eq!((no_move.why, &*no_move.reason), (why, reason), "{said}");
        }
    }

    #[test]
    fn an_unreadable_move_is_quoted_alone() {
        for said in ["move: +4", "move:\n +4 \n", "  +4 ", "{\"move\": \" +4\"}"] {
            let no_move = read(said, &round()).unwrap_err();
            assert_eq!(no_move.reason, "\"+4\" names no move of this game", "{said}");
        }
    }
}
