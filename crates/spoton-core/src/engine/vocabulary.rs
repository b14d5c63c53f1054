//! How text can name a round's moves: signs and verbs, or a story's names, plus the labels in the rules.

use std::ops::Range;

use super::round::Round;
use super::spelling::{Piece, Token, spelled_at, tokens};
use super::written::{ON_OTHER, Offer, Written};

/// Finds the move that begins at a token, and the length of its name in tokens.
type NamedAt<'a> = Box<dyn Fn(&[Token], usize) -> Option<(Written, usize)> + 'a>;

/// The names of a round's moves.
pub struct Vocabulary<'a> {
    round: &'a Round,
    named_at: NamedAt<'a>,
    /// Whole phrases: a rule book's labels or a story's sentences.
    phrases: Vec<(Vec<Piece>, Written)>,
}

impl<'a> Vocabulary<'a> {
    /// Signs, verbs and the labels of the rule book.
    pub fn new(round: &'a Round) -> Vocabulary<'a> {
        let signs = |tokens: &[Token], place: usize| {
            spelled_at(tokens, place).and_then(|(spelled, length)| Some((spelled.written()?, length)))
        };
        let label = |offer: &Offer, _: Written| round.rulebook().label_of_offer(offer);
        Vocabulary::with_names(round, signs, label)
    }

    /// Other names: `named_at` finds one at a token, with its length in tokens, and `phrase` is a move's whole phrase.
    pub fn with_names(
        round: &'a Round,
        named_at: impl Fn(&[Token], usize) -> Option<(Written, usize)> + 'a,
        phrase: impl Fn(&Offer, Written) -> String,
    ) -> Vocabulary<'a> {
        let rulebook = round.rulebook();
        let phrase = |offer: Offer| {
            let written = rulebook.written(offer.choice?)?;
            Some((pieces(&phrase(&offer, written)), written))
        };
        let mut phrases: Vec<(Vec<Piece>, Written)> =
            rulebook.offers(round.position()).filter_map(phrase).collect();
        let all = phrases.clone();
        // A name that two moves share is ambiguous, so it doesn't count.
        phrases.retain(|(words, written)| {
            !words.is_empty() && !all.iter().any(|(other, another)| other == words && another != written)
        });
        Vocabulary { round, named_at: Box::new(named_at), phrases }
    }

    /// The move, if the text is a single move, ignoring decoration.
    pub(crate) fn move_of(&self, text: &str) -> Option<Written> {
        let tokens = tokens(text);
        self.whole(&tokens, 0..tokens.len())
    }

    /// The move, if this part of the text is a single move, ignoring decoration.
    pub fn whole(&self, tokens: &[Token], range: Range<usize>) -> Option<Written> {
        let is_decoration = |place: &usize| match tokens[*place].piece {
            Piece::Mark(mark) => is_decoration(mark),
            _ => false,
        };
        // In code, `!x2` is a negation.
        let begin = range.clone().find(|place| !is_decoration(place) || tokens[*place].is_mark('!'))?;
        let last = range.rev().find(|place| !is_decoration(place))?;
        let (written, length) = self.at(tokens, begin)?;
        (begin + length == last + 1).then_some(written)
    }

    /// The move whose name begins at this token, and the name's length in tokens. The longest name wins.
    pub fn at(&self, tokens: &[Token], place: usize) -> Option<(Written, usize)> {
        let spelled = (self.named_at)(tokens, place);
        let fits = |(words, _): &&(Vec<Piece>, Written)| {
            let end = place + words.len();
            let is_alone =
                words.len() > 1 || is_mark(tokens, place.checked_sub(1)) && is_mark(tokens, Some(end));
            let found = tokens.get(place..end);
            is_alone && found.is_some_and(|found| found.iter().map(|token| &token.piece).eq(words))
        };
        let phrase = self.phrases.iter().filter(fits).max_by_key(|(words, _)| words.len());
        let phrase = phrase.map(|(words, written)| (*written, words.len()));
        match (spelled, phrase) {
            // Signs win over a label that looks like them. In "add 1 to their number", the label "Add 1" isn't the move.
            (Some(spelled), Some(phrase))
                if spelled.1 > phrase.1 || spelled.1 == phrase.1 && self.has(spelled.0) =>
            {
                Some(spelled)
            }
            (spelled, phrase) => phrase.or(spelled),
        }
    }

    fn has(&self, written: Written) -> bool {
        self.round.rulebook().choice(written).is_some()
    }
}

fn pieces(words: &str) -> Vec<Piece> {
    tokens(words).into_iter().map(|token| token.piece).collect()
}

/// Whether the token at an index is a mark. Also true if there's no token.
fn is_mark(tokens: &[Token], place: Option<usize>) -> bool {
    place.and_then(|place| tokens.get(place)).is_none_or(|token| matches!(token.piece, Piece::Mark(_)))
}

/// Marks that cross a move out: "x2 ❌".
pub const REJECTING_MARKS: [char; 10] = ['❌', '❎', '✗', '✘', '🚫', '⛔', '👎', '🙅', '☒', '🗙'];

/// Whether a mark next to a move changes nothing: punctuation, quotes, bullets, emoji. Mathematical signs aren't decoration.
pub fn is_decoration(mark: char) -> bool {
    match mark {
        ON_OTHER | '?' | '%' | '^' | '\\' | '~' => false,
        mark if mark.is_ascii() => true,
        mark if REJECTING_MARKS.contains(&mark) => false,
        '→' | '⇒' | '¡' | '«' | '»' | '“' | '”' | '„' | '§' | '¶' => true,
        // Dashes, bullets, boxes, shapes, symbols, quotation marks of East Asia, emoji.
        mark => matches!(
            u32::from(mark),
            0x2010..=0x2027 | 0x2030..=0x203e | 0x23e9..=0x23ff | 0x2500..=0x27bf | 0x2900..=0x2bff | 0x3000..=0x303f
                | 0xff00..=0xffef | 0x1f000..=0x1ffff
        ),
    }
}
