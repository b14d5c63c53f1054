//! The names of a round's moves: signs and verbs, or those of a story, and what the rules call each move.

use std::ops::Range;

use super::stance::Mention;
use crate::engine::operation::Kind;
use crate::engine::round::Round;
use crate::engine::written::{ON_OTHER, Offer, Written};
use crate::words::disguise::Disguise;
use crate::words::spelling::{Piece, Token, spelled_at, stands_alone, tokens};

pub(crate) struct Vocabulary<'a> {
    disguise: Option<&'a Disguise>,
    round: &'a Round,
    /// Whole phrases: the labels of a rule book, or a story's sentences.
    phrases: Vec<(Vec<Piece>, Written)>,
}

impl<'a> Vocabulary<'a> {
    pub(crate) fn new(round: &'a Round, disguise: Option<&'a Disguise>) -> Vocabulary<'a> {
        let rulebook = round.rulebook();
        let phrase = |offer: Offer| {
            let written = rulebook.written(offer.choice?)?;
            let words = match disguise {
                Some(disguise) => disguise.sentence(rulebook, written),
                None => rulebook.label_of_offer(&offer),
            };
            Some((pieces(&words), written))
        };
        let mut phrases: Vec<(Vec<Piece>, Written)> =
            rulebook.offers(round.position()).filter_map(phrase).collect();
        let all = phrases.clone();
        // A name of two moves is a name of none.
        phrases.retain(|(words, written)| {
            !words.is_empty() && !all.iter().any(|(other, another)| other == words && another != written)
        });
        Vocabulary { disguise, round, phrases }
    }

    /// The move that a text is; nothing but decoration may be around it.
    pub(crate) fn move_of(&self, text: &str) -> Option<Written> {
        let tokens = tokens(text);
        self.whole(&tokens, 0..tokens.len())
    }

    /// The move that a piece of a text is, from its first word to its last; decoration around it doesn't count.
    pub(super) fn whole(&self, tokens: &[Token], range: Range<usize>) -> Option<Written> {
        let is_decoration = |place: &usize| match tokens[*place].piece {
            Piece::Mark(mark) => !matches!(mark, ON_OTHER | '?' | '%' | '^' | '\\' | '°' | '~' | '¬'),
            _ => false,
        };
        // In code, `!x2` is a negation.
        let begin = range.clone().find(|place| !is_decoration(place) || tokens[*place].is_mark('!'))?;
        let last = range.rev().find(|place| !is_decoration(place))?;
        let (written, length) = self.at(tokens, begin)?;
        (begin + length == last + 1).then_some(written)
    }

    /// The moves that a piece of a text names.
    pub(super) fn mentions(&self, tokens: &[Token], range: Range<usize>) -> Vec<Mention<Written>> {
        let mut mentions: Vec<Mention<Written>> = Vec::new();
        let mut place = range.start;
        while place < range.end {
            let Some((named, length)) =
                self.at(tokens, place).filter(|(_, length)| place + length <= range.end)
            else {
                place += 1;
                continue;
            };
            let (begin, mut end) = (place, place + length);
            // Moves in a row with nothing between them are a sum: `+1 +1`.
            while let Some((_, length)) = self.at(tokens, end).filter(|(_, length)| end + length <= range.end)
            {
                end += length;
            }
            let is_sum = end > begin + length;
            place = end;
            if !is_sum && !is_bullet(tokens, begin) && stands_alone(tokens, begin, end) {
                mentions.push(Mention { named, at: begin..end, is_dismissed: false, is_alternative: false });
            }
        }
        mentions
    }

    /// The move whose name begins at a place, and how many tokens it takes. The longest name counts.
    fn at(&self, tokens: &[Token], place: usize) -> Option<(Written, usize)> {
        let spelled = match self.disguise {
            Some(disguise) => disguise.named_at(tokens, place),
            None => {
                spelled_at(tokens, place).and_then(|(spelled, length)| Some((spelled.written()?, length)))
            }
        };
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
            // A move in signs means itself, whatever another one is called.
            (Some(spelled), Some(phrase)) if spelled.1 >= phrase.1 && self.has(spelled.0) => Some(spelled),
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

/// Whether there is a mark at a place, or nothing.
fn is_mark(tokens: &[Token], place: Option<usize>) -> bool {
    place.and_then(|place| tokens.get(place)).is_none_or(|token| matches!(token.piece, Piece::Mark(_)))
}

/// A sign and a space at the beginning of a line make an item of a list: `- 1 point for me`.
fn is_bullet(tokens: &[Token], place: usize) -> bool {
    let begins_line = place.checked_sub(1).is_none_or(|before| tokens[before].is_mark('\n'));
    let is_sign = matches!(tokens[place].piece, Piece::Sign(Kind::Add | Kind::Subtract | Kind::Multiply));
    begins_line && is_sign && tokens.get(place + 1).is_some_and(|next| !next.glued)
}
