//! Parses one move as people write it: any minus or times sign, digits or number words, signs or verbs.
//!
//! All input from people and models goes through here. Files use only the canonical form.

use std::ops::Range;

use crate::engine::operation::{Kind, Operation};
use crate::engine::written::{ON_OTHER, On, Written};

/// A list of words.
pub struct Words(pub &'static str);

impl Words {
    /// Whether it's in the list.
    pub fn has(&self, word: &str) -> bool {
        self.place(word).is_some()
    }

    fn place(&self, word: &str) -> Option<usize> {
        self.0.split(' ').position(|known| known == word)
    }
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Letters in lower case, possibly with apostrophes inside.
    Word(String),
    /// A whole number in digits.
    Number(i64),
    /// A decimal, a number with separators or a range: `1.5`, `1,000`, `1..3`. Never an amount.
    Long,
    /// The sign of an operation.
    Sign(Kind),
    /// Any other character; `\n` ends a line.
    Mark(char),
}

/// A piece with its surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The piece.
    pub piece: Piece,
    /// Whether there's nothing between this piece and the one before it.
    pub glued: bool,
    /// Its byte range in the text.
    pub at: Range<usize>,
}

impl Token {
    /// The word, if it's one.
    pub fn word(&self) -> Option<&str> {
        match &self.piece {
            Piece::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether it's this mark.
    pub fn is_mark(&self, mark: char) -> bool {
        self.piece == Piece::Mark(mark)
    }
}

/// A character in its plainest form; `None` if it's invisible.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => {
            return None;
        }
        '−' | '‒' | '‐' | '‑' | '﹣' | '➖' | '－' => '-',
        '✕' | '✖' | '⨯' | '⋅' | '·' | '∙' | '*' | '∗' | '＊' => '×',
        '÷' | '∕' | '⁄' | '➗' => '/',
        '➕' | '﹢' => '+',
        '’' | '‘' | 'ʼ' => '\'',
        // Full-width forms repeat ASCII in the same order.
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '。' => '.',
        '、' => ',',
        c => c,
    })
}

/// Whether a single character is a sign, in any typeface.
pub fn is_sign(c: char) -> bool {
    match &tokens(c.encode_utf8(&mut [0; 4]))[..] {
        [token] => matches!(token.piece, Piece::Sign(_) | Piece::Mark(ON_OTHER)),
        _ => false,
    }
}

/// Letters next to a sign make it part of something else, as in `n+1`. Scripts without spaces are exempt.
fn is_latin(c: char) -> bool {
    c.is_alphabetic() && c < '\u{250}'
}

/// Splits text into tokens.
pub fn tokens(text: &str) -> Vec<Token> {
    let (places, text): (Vec<Range<usize>>, Vec<char>) =
        text.char_indices().filter_map(|(at, c)| Some((at..at + c.len_utf8(), plain(c)?))).unzip();
    let at = |place: usize| text.get(place).copied();
    let is_digit = |place: usize| at(place).is_some_and(char::is_numeric);
    let mut tokens = Vec::new();
    let (mut place, mut glued) = (0, false);
    while let Some(c) = at(place) {
        let begin = place;
        place += 1;
        if c.is_whitespace() && c != '\n' {
            glued = false;
            continue;
        }
        let piece = if c.is_alphabetic() {
            let is_inside = |place: usize| {
                let apostrophe = at(place) == Some('\'') && at(place + 1).is_some_and(char::is_alphabetic);
                // Latin letters next to others form a separate word: `选x2`.
                apostrophe
                    || at(place).is_some_and(|next| next.is_alphabetic() && is_latin(next) == is_latin(c))
            };
            while is_inside(place) {
                place += 1;
            }
            let word: String = text[begin..place].iter().flat_map(|c| c.to_lowercase()).collect();
            if word == "x" { Piece::Sign(Kind::Multiply) } else { Piece::Word(word) }
        } else if c.is_numeric() {
            let mut is_long = false;
            loop {
                let separator = matches!(at(place), Some('.' | ',' | '\''));
                // Three dots end a sentence; two are a range.
                let range =
                    at(place) == Some('.') && at(place + 1) == Some('.') && at(place + 2) != Some('.');
                if is_digit(place) {
                    place += 1;
                } else if (separator && is_digit(place + 1)) || range {
                    is_long = true;
                    place += if range { 2 } else { 1 };
                } else {
                    break;
                }
            }
            let digits: String = text[begin..place].iter().collect();
            match digits.parse() {
                Ok(number) if !is_long => Piece::Number(number),
                _ => Piece::Long,
            }
        } else {
            // A dash between words is punctuation.
            let is_dash = matches!(c, '–' | '—')
                && !glued
                && at(place).is_none_or(char::is_whitespace)
                && tokens.last().is_some_and(|token: &Token| !matches!(token.piece, Piece::Mark(_)));
            match c {
                '+' => Piece::Sign(Kind::Add),
                '-' => Piece::Sign(Kind::Subtract),
                '–' | '—' if !is_dash => Piece::Sign(Kind::Subtract),
                '×' => Piece::Sign(Kind::Multiply),
                '/' => Piece::Sign(Kind::Divide),
                mark => Piece::Mark(mark),
            }
        };
        tokens.push(Token { piece, glued, at: places[begin].start..places[place - 1].end });
        glued = c != '\n';
    }
    tokens
}

const NUMBERS: Words = Words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen twenty",
);

/// The number at this token, in digits or as a word.
fn number(tokens: &[Token], place: usize) -> Option<i64> {
    match &tokens.get(place)?.piece {
        Piece::Number(number) => Some(*number),
        Piece::Word(word) => {
            let is_compound = tokens.get(place + 1).is_some_and(|next| next.glued && is_minus(next));
            let known = NUMBERS.place(word).filter(|_| !is_compound);
            known.map(|place| place as i64 + 1)
        }
        _ => None,
    }
}

fn is_minus(token: &Token) -> bool {
    token.piece == Piece::Sign(Kind::Subtract)
}

/// Filler words that don't identify the owner of a number.
const NUMBER_WORDS: Words = Words("the it this my own current number total");
/// Words that refer to the other player's number.
const OTHERS_WORDS: Words = Words("other opponent's opponents their theirs player's players enemy's");

/// An operation in signs or words, possibly without its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// The player whose number it changes.
    pub on: On,
    /// Its sign.
    pub kind: Kind,
    /// Its amount, if given.
    pub amount: Option<i64>,
}

impl Spelled {
    /// The complete move; `None` without an amount.
    pub fn written(self) -> Option<Written> {
        Some(Written { operation: Operation::new(self.kind, self.amount?)?, on: self.on })
    }
}

/// The operation that begins at this token, and its length in tokens.
pub(crate) fn spelled_at(tokens: &[Token], begin: usize) -> Option<(Spelled, usize)> {
    let mut place = begin;
    let has_at = tokens.get(place)?.is_mark(ON_OTHER);
    place += usize::from(has_at);
    let head = tokens.get(place)?;
    place += 1;
    let (kind, implied) = match (&head.piece, head.word()) {
        (Piece::Sign(kind), _) => (*kind, None),
        (_, Some("add" | "plus")) => (Kind::Add, None),
        (_, Some("subtract" | "minus")) => (Kind::Subtract, None),
        (_, Some("multiply" | "times")) => (Kind::Multiply, None),
        (_, Some("divide")) => (Kind::Divide, None),
        (_, Some("double")) => (Kind::Multiply, Some(2)),
        (_, Some("triple")) => (Kind::Multiply, Some(3)),
        (_, Some("halve")) => (Kind::Divide, Some(2)),
        _ => return None,
    };
    let is_verb = head.word().is_some();
    if is_verb && tokens.get(place).is_some_and(|next| next.glued && is_minus(next)) {
        // `double-check` is a different word.
        return None;
    }
    if implied.is_some() && word_at(tokens, place).is_some_and(|next| next.starts_with("check")) {
        return None;
    }
    let mut is_others = has_at;
    let mut amount = implied;
    if is_verb {
        let (others, end) = whose(tokens, place);
        let end = end + usize::from(word_at(tokens, end) == Some("by"));
        if implied.is_some() || number(tokens, end).is_some() {
            (is_others, place) = (is_others | others, end);
        }
    }
    if implied.is_none()
        && let Some(given) = number(tokens, place)
    {
        amount = Some(given);
        place += 1;
        if matches!(word_at(tokens, place), Some("to" | "from" | "on" | "of")) {
            let (others, end) = whose(tokens, place + 1);
            // After a sign, only "the other number" belongs to the move: "+1 to my surprise" is a remark.
            let names_other = others && word_at(tokens, end - 1) == Some("number");
            if end > place + 1 && (is_verb || names_other) {
                (is_others, place) = (is_others | others, end);
            }
        }
    }
    let on = if is_others { On::Other } else { On::Own };
    Some((Spelled { on, kind, amount }, place - begin))
}

fn word_at(tokens: &[Token], place: usize) -> Option<&str> {
    tokens.get(place)?.word()
}

/// Skips words such as `the other player's number`. Returns whether they mean the other player's number, and where they
/// end.
fn whose(tokens: &[Token], begin: usize) -> (bool, usize) {
    let words = tokens[begin.min(tokens.len())..].iter().map_while(Token::word);
    let (mut is_others, mut end) = (false, begin);
    for word in words {
        is_others |= OTHERS_WORDS.has(word);
        if !OTHERS_WORDS.has(word) && !NUMBER_WORDS.has(word) {
            break;
        }
        end += 1;
    }
    (is_others, end)
}

/// Parses a line that is a single operation, possibly without its amount. A leading `:` divides.
pub fn spelled(line: &str) -> Option<Spelled> {
    let line = line.trim();
    let tokens = match line.strip_prefix([':', '：']) {
        Some(rest) => tokens(&format!("/{rest}")),
        None => tokens(line),
    };
    let (spelled, end) = spelled_at(&tokens, 0)?;
    // "x2."
    let is_end = |token: &Token| token.glued && matches!(token.piece, Piece::Mark('.' | '!'));
    tokens[end..].iter().all(is_end).then_some(spelled)
}

/// Parses a line that is a single complete move.
pub fn written(line: &str) -> Option<Written> {
    spelled(line)?.written()
}

/// Splits text into words and complete moves. Moves may contain spaces.
pub fn listed(text: &str) -> Vec<&str> {
    let tokens = tokens(text);
    let ends_word = |end: usize| tokens.get(end).is_none_or(|next| !next.glued);
    let (mut found, mut place) = (Vec::new(), 0);
    while let Some(first) = tokens.get(place) {
        let a_move = spelled_at(&tokens, place).filter(|(spelled, _)| spelled.written().is_some());
        let length = a_move.map(|(_, length)| length).filter(|length| ends_word(place + length));
        let end = place + length.unwrap_or(1);
        let end = (end..=tokens.len()).find(|end| ends_word(*end)).unwrap_or(tokens.len());
        found.push(&text[first.at.start..tokens[end - 1].at.end]);
        place = end;
    }
    found
}

/// Whether the tokens from `begin` to `end` are a separate move, and not part of a word, a longer number, an expression
/// such as `8 x 2`, or a value such as `falls to -1`.
pub fn stands_alone(tokens: &[Token], begin: usize, end: usize) -> bool {
    let first = &tokens[begin];
    let before = begin.checked_sub(1).map(|place| &tokens[place]);
    let after = tokens.get(end);
    let joins = |token: &Token| match &token.piece {
        Piece::Word(word) => word.starts_with(is_latin),
        Piece::Number(_) | Piece::Long | Piece::Sign(_) => true,
        Piece::Mark(mark) => matches!(*mark, ON_OTHER | '^' | '%' | '\\' | '~' | '¬' | '!'),
    };
    let is_joined = before.is_some_and(|before| first.glued && joins(before))
        || after.is_some_and(|after| after.glued && joins(after) && !after.is_mark('!'));
    let is_number = |token: Option<&Token>| {
        token.is_some_and(|token| matches!(token.piece, Piece::Number(_) | Piece::Long))
    };
    let is_infix =
        matches!(first.piece, Piece::Sign(_)) || matches!(first.word(), Some("plus" | "minus" | "times"));
    let is_operand = is_infix
        && (is_number(before)
            || begin.checked_sub(1).is_some_and(|place| number(tokens, place).is_some())
            || before.and_then(Token::word).is_some_and(|word| {
                word.len() == 1 && word.starts_with(is_latin) && !matches!(word, "a" | "i")
            }));
    // In "-1 to -3", both count as moves, so the answer chooses neither.
    let is_second = begin.checked_sub(2).is_some_and(|place| number(tokens, place).is_some());
    let is_value =
        is_minus(first) && !is_second && before.and_then(Token::word).is_some_and(|word| VALUES.has(word));
    // A phone number: "+1 (555) 123"
    let is_area = after.is_some_and(|after| after.is_mark('(')) && is_number(tokens.get(end + 1));
    let is_phone = is_area
        && tokens.get(end + 2).is_some_and(|next| next.is_mark(')'))
        && is_number(tokens.get(end + 3));
    !is_joined && !is_number(after) && !is_phone && !is_operand && !is_value
}

/// A number with a minus sign is a value after these words.
const VALUES: Words =
    Words("to at of from below above under over than reach reaches reaching equals becomes");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_read_in_signs_and_words() {
        for (lines, canonical) in [
            (&["+1", "+ 1", "➕1", "＋１", "add 1", "Plus one", "add 1 to the number"][..], "+1"),
            (&["-3", "−3", "– 3", "—3", "minus 3", "Subtract three", "subtract 3 from the total"], "-3"),
            (
                &[
                    "x2",
                    "X 2",
                    "×2",
                    "*2",
                    "* 2",
                    "·2",
                    "times 2",
                    "Multiply by 2",
                    "multiply it by two",
                    "double",
                    "x2.",
                    "double!",
                ],
                "x2",
            ),
            (&["/2", "÷2", ": 2", "：2", "divide by 2", "halve", "Halve the number"], "/2"),
            (
                &[
                    "@-3",
                    "@ − 3",
                    "＠－３",
                    "subtract 3 from the opponent's number",
                    "-3 from the other number",
                ],
                "@-3",
            ),
            (&["@x2", "Multiply the other number by 2", "double the other player’s number"], "@x2"),
        ] {
            for line in lines {
                assert_eq!(
                    written(line).map(|written| written.to_string()).as_deref(),
                    Some(canonical),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn a_list_is_split_into_moves() {
        for (text, moves) in [
            ("× 2 + 1", &["× 2", "+ 1"][..]),
            ("x2 +1 -3", &["x2", "+1", "-3"]),
            ("add 1 double @ − 3", &["add 1", "double", "@ − 3"]),
            ("x2\t+1", &["x2", "+1"]),
            ("+1.5 +1+2 12x2", &["+1.5", "+1+2", "12x2"]),
            ("feed-3 skip", &["feed-3", "skip"]),
            (" ", &[]),
        ] {
            assert_eq!(listed(text), moves, "{text}");
        }
    }

    #[test]
    fn anything_but_exactly_one_move_counts_as_no_move() {
        for line in [
            "",
            "1",
            "+",
            "x",
            "+1.5",
            "+1,000",
            "+1..3",
            "+1+2",
            "++1",
            "8 x 2",
            "x 2 3",
            "double 3",
            "+0",
            "add",
            "double-check",
            "double check",
            "add twenty-five",
            "max2",
            "+½",
            "x²",
            "+99999999999999999999",
            "one",
        ] {
            assert_eq!(written(line), None, "{line}");
        }
    }
}
