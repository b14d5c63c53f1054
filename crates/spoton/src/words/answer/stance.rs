//! Whether a text chooses the moves that it names, or speaks of them in another way: "not x2", "x2 loses", "if I play x2".
//!
//! Words are judged clause by clause, by the lists below. In doubt a move isn't chosen: an answer that is hard to read is
//! refused with a reason, and a model can answer again.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;

use crate::words::spelling::{Piece, Token, Words};

/// These keep what follows from being chosen, and turn a judgement: "not bad".
const NEGATE: Words = Words(
    "not no never neither nor none nobody avoid avoids avoiding without except excluding exclude besides \
    reject refuse refuses refusing decline declines declining forget skip hate dislike remove against stop stops \
    prevent prevents nicht kein keine keinen nie statt ohne pas jamais \
    nunca não не нет",
);
/// These only keep what follows from being chosen.
const SUPPOSE: Words = Words("if whether unless suppose consider considered considering last previous");
/// These keep the other player from something: "to stop my opponent I play +1".
const HINDER: Words = Words("stop stops prevent prevents");
/// Negations of two words.
const NEGATE_PAIRS: [(&str, &str); 10] = [
    ("apart", "from"),
    ("aside", "from"),
    ("instead", "of"),
    ("rather", "than"),
    ("other", "than"),
    ("anything", "but"),
    ("everything", "but"),
    ("all", "but"),
    ("rule", "out"),
    ("ruling", "out"),
];
/// `not` after one of these denies what came before it, if nothing comes after it: "x2 is not legal".
const AUXILIARIES: Words = Words("is am are was be do does did can could will would should may must might");
/// A move isn't chosen in a clause that says this of it.
const BAD: Words = Words(
    "lose loses losing loss lost bad worse worst mistake wrong blunder illegal impossible overshoot \
    overshoots overshooting past bust busts fail fails terrible risky dangerous weak forbidden \
    unavailable unplayable barred avoided rejected dismissed hands suicide suicidal disaster \
    hopeless useless trap poor inferior suboptimal foolish",
);
/// The same in two words: "out of the question", "off the table".
const BAD_PAIRS: [(&str, &str); 3] = [("the", "question"), ("the", "table"), ("ruled", "out")];
const GOOD: Words = Words("win wins winning victory");
/// The other player: what is bad for them is good.
const OTHER: Words = Words("opponent opponents opponent's you they player enemy them");
const THEIRS: Words = Words("your their his her opponent's player's");
const ONESELF: Words = Words("i i'll i'd i'm my me we let's");
/// The other player does this with their own moves.
const ACTS: Words = Words(
    "play plays played use uses used choose chooses chose go goes went make makes made pick picks picked \
    reply replies replied answer answers answered respond responds responded",
);
/// After one of these and a colon, moves are listed and not chosen.
const LISTS: Words = Words("moves options choices candidates");
/// Alone in a clause or at its end, these take back what came before: "x2. No, wait."
const TAKES_BACK: Words = Words("no nope wait nein");
const REFERS_BACK: Words = Words("it that this which");
const BEGINS_CLAUSE: Words =
    Words("but so because since as then therefore hence thus while whereas although though else otherwise");

/// A move that a text names.
pub(super) struct Mention<M> {
    pub named: M,
    /// Its tokens.
    pub at: Range<usize>,
    pub is_dismissed: bool,
    /// "or" is next to it.
    pub is_alternative: bool,
}

/// Whether a `move:` behind these tokens is about one's own move: "my move:", but not "the opponent's likely move:".
pub(super) fn is_own(before: &[Token]) -> bool {
    const NEAR: usize = 4;
    let near = before.iter().rev().take(NEAR).take_while(|token| !ends_clause(token));
    let whose = near.filter_map(Token::word).find_map(|word| {
        let is_not = NEGATE.has(word) || SUPPOSE.has(word) || BAD.has(word) || OTHER.has(word);
        let is_not = is_not || (word != "your" && THEIRS.has(word)) || word.ends_with("n't");
        if ONESELF.has(word) { Some(true) } else { is_not.then_some(false) }
    });
    whose.unwrap_or(true)
}

fn ends_sentence(token: &Token) -> bool {
    matches!(token.piece, Piece::Mark('.' | '!' | '?' | ';' | '\n'))
}

fn ends_clause(token: &Token) -> bool {
    let is_mark = matches!(
        token.piece,
        Piece::Mark(',' | ':' | '(' | ')' | '[' | ']' | '|' | '→' | '⇒' | '—' | '–' | '=')
    );
    is_mark || ends_sentence(token) || token.word().is_some_and(|word| BEGINS_CLAUSE.has(word))
}

/// Judges the mentions of a text, in place. They are in the order of the text.
pub(super) fn judge<M: Copy + Eq + Hash>(tokens: &[Token], range: Range<usize>, mentions: &mut [Mention<M>]) {
    let mut clause = Clause::default();
    let (mut next, mut sentence, mut place) = (0, 0, range.start);
    while place < range.end {
        if let Some(mention) = mentions.get(next).filter(|mention| mention.at.start == place) {
            place = mention.at.end;
            clause.meets(next, mentions);
            next += 1;
            continue;
        }
        let token = &tokens[place];
        let ends_pair = clause.meets_word(tokens, place);
        if ends_clause(token) && !ends_pair {
            clause = clause.end(token, mentions);
        }
        if ends_sentence(token) {
            spread(&mut mentions[sentence..next]);
            sentence = next;
        }
        place += 1;
    }
    clause.end(&Token { piece: Piece::Mark('\n'), glued: false, at: 0..0 }, mentions);
    spread(&mut mentions[sentence..]);
    for mention in mentions.iter_mut() {
        mention.is_alternative = is_alternative(tokens, &mention.at, &range);
    }
}

/// "I won't multiply by 2 (x2)" dismisses both: a sentence doesn't dismiss a move and choose it.
fn spread<M: Copy + Eq + Hash>(sentence: &mut [Mention<M>]) {
    let dismissed = sentence.iter().filter(|mention| mention.is_dismissed).map(|mention| mention.named);
    let dismissed: HashSet<M> = dismissed.collect();
    for mention in sentence {
        mention.is_dismissed |= dismissed.contains(&mention.named);
    }
}

/// Whether "or" is next to a move, perhaps after more amounts: "add 1, 2 or 3".
fn is_alternative(tokens: &[Token], at: &Range<usize>, range: &Range<usize>) -> bool {
    let is_or = |token: &Token| matches!(token.word(), Some("or" | "oder" | "ou"));
    let is_skipped = |token: &&Token| matches!(token.piece, Piece::Number(_) | Piece::Mark(',' | '(' | ')'));
    let after = tokens[at.end..range.end].iter().find(|token| !is_skipped(token));
    let before = tokens[range.start..at.start].iter().rev().find(|token| !is_skipped(token));
    after.is_some_and(is_or) || before.is_some_and(is_or)
}

/// What is known of a clause so far.
#[derive(Default)]
struct Clause {
    /// How many words and moves are in it.
    length: usize,
    is_after_but: bool,
    mentions: Vec<usize>,
    /// The mention that "it" or "that" refers to.
    refers_to: Option<usize>,
    last_mention: Option<usize>,
    /// A word that keeps what follows from being chosen.
    rejects: bool,
    /// It turns a judgement.
    negates: bool,
    /// It is about what the other player is kept from.
    hinders: bool,
    /// It denies what came before it as well, if nothing comes after it.
    denies: bool,
    /// It has met the move that it is about.
    has_object: bool,
    is_about_other: bool,
    other_acts: bool,
    is_judged: bool,
    is_bad: bool,
    /// "For" came after a judgement.
    judges_for: bool,
    /// Nothing is chosen up to the end of the sentence: "Player 1: x2", "Legal moves: +1, x2".
    is_quoted: bool,
    last_word: String,
}

impl Clause {
    fn meets<M>(&mut self, mention: usize, mentions: &mut [Mention<M>]) {
        self.length += 1;
        mentions[mention].is_dismissed |=
            self.rejects || self.is_quoted || self.other_acts || THEIRS.has(&self.last_word);
        self.has_object |= self.rejects;
        self.mentions.push(mention);
        self.last_mention = Some(mention);
        self.last_word.clear();
    }

    /// Whether the word ends a pair such as "anything but".
    fn meets_word(&mut self, tokens: &[Token], place: usize) -> bool {
        let Some(word) = tokens[place].word() else { return false };
        let last = std::mem::replace(&mut self.last_word, word.to_owned());
        self.length += 1;
        if self.length == 1 && (REFERS_BACK.has(word) || BAD.has(word)) {
            self.refers_to = self.last_mention;
        }
        let is_pair = NEGATE_PAIRS.contains(&(&last, word));
        let denies = word.ends_with("n't") || word == "cannot" || (word == "not" && AUXILIARIES.has(&last));
        let negates = denies || is_pair || NEGATE.has(word) || word.contains('不');
        let is_bad = BAD.has(word) || BAD_PAIRS.contains(&(&last, word));
        // "I skip x2 and play +1"
        self.rejects &= !(last == "and" && self.has_object && ACTS.has(word));
        if negates || SUPPOSE.has(word) {
            self.hinders = HINDER.has(word);
            (self.rejects, self.negates, self.denies, self.has_object) = (true, negates, denies, false);
        } else if ONESELF.has(word) {
            (self.is_about_other, self.other_acts) = (false, false);
            self.rejects &= !(self.hinders && word.starts_with('i'));
        } else if OTHER.has(word) {
            // "A losing number for you"
            self.is_bad ^= self.judges_for;
            (self.is_about_other, self.judges_for) = (true, false);
        } else if word == "for" {
            self.judges_for = self.is_judged;
        } else if self.is_about_other && ACTS.has(word) {
            self.other_acts = true;
        } else if is_bad || GOOD.has(word) {
            let is_turned = self.rejects && self.negates && !self.has_object;
            self.is_judged = true;
            self.is_bad |= is_bad ^ self.is_about_other ^ is_turned;
            // "Can't lose" says nothing against a move.
            self.rejects &= !is_turned;
        }
        is_pair
    }

    /// The clause ends: its mentions are judged. Returns the next one.
    fn end<M>(self, token: &Token, mentions: &mut [Mention<M>]) -> Clause {
        let denies_back = self.denies && self.rejects && !self.has_object;
        let is_question = token.is_mark('?');
        if self.is_bad || denies_back || is_question {
            for mention in &self.mentions {
                mentions[*mention].is_dismissed = true;
            }
        }
        if let Some(mention) = self.refers_to
            && (self.is_bad || (denies_back && self.is_after_but))
        {
            mentions[mention].is_dismissed = true;
        }
        if let Some(mention) = self.last_mention
            && TAKES_BACK.has(&self.last_word)
            && (self.length == 1 || !self.mentions.is_empty())
        {
            mentions[mention].is_dismissed = true;
        }
        let mut next = Clause { last_mention: self.last_mention, ..Clause::default() };
        if ends_sentence(token) {
            return next;
        }
        // What a move leads to, in "x2 → the opponent wins".
        next.refers_to = self.last_mention.filter(|_| matches!(token.piece, Piece::Mark('→' | '⇒' | '=')));
        let is_heading = token.is_mark(':') && self.mentions.is_empty();
        let quotes = is_heading && (self.is_about_other || LISTS.has(&self.last_word));
        next.is_quoted = self.is_quoted || quotes;
        // "I won't play: x2", "Illegal: x2"
        let is_opened = matches!(token.piece, Piece::Mark(':' | '(')) && self.mentions.is_empty();
        next.rejects = is_opened && (self.is_bad || self.rejects);
        next.is_after_but = token.word() == Some("but");
        next
    }
}
