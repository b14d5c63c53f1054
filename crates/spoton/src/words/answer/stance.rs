//! Dismisses moves that an answer only rejects, judges or supposes: "not x2", "x2 loses", "if I play x2".
//!
//! The lists below decide each clause. `choosing.rs` then looks for a choice in the remaining moves.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;

use crate::engine::spelling::{Piece, Token, Words};
pub(super) use crate::engine::vocabulary::{REJECTING_MARKS, is_decoration};

/// These words reject the moves after them and reverse a judgement: "not bad".
pub(super) const NEGATE: Words = Words(
    "not no never neither nor none nobody avoid avoids avoiding without except excluding exclude besides \
    reject refuse refuses refusing decline declines declining forget skip hate dislike remove against stop stops \
    prevent prevents dont cant wont ignore ignores discard discards drop drops eliminate eliminates veto doubt nicht kein keine keinen nie statt ohne pas jamais \
    nunca não не нет",
);
/// These only reject the moves after them.
pub(super) const SUPPOSE: Words =
    Words("if whether unless suppose consider considered considering last previous");
/// These are about hindering the other player: "to stop my opponent I play +1".
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
/// `not` after one of these rejects the moves before it, if no move comes after it: "x2 is not legal".
pub(super) const AUXILIARIES: Words =
    Words("is am are was be do does did can could will would should may must might");
/// A clause with one of these dismisses its moves.
const BAD: Words = Words(
    "lose loses losing loss lost bad worse worst mistake wrong blunder illegal impossible overshoot \
    overshoots overshooting past bust busts fail fails terrible risky dangerous weak forbidden \
    unavailable unplayable barred avoided rejected dismissed hands suicide suicidal disaster \
    hopeless useless trap poor inferior suboptimal foolish invalid incorrect prohibited banned excluded \
    unwise exceeds exceed silly refuted false untrue nonsense",
);
/// The same for pairs of words: "out of the question", "off the table".
const BAD_PAIRS: [(&str, &str); 4] = [("the", "question"), ("the", "table"), ("ruled", "out"), ("is", "out")];
pub(super) const GOOD: Words = Words("win wins winning victory");
/// The other player. A move that's bad for them is good.
pub(super) const OTHER: Words = Words(
    "opponent opponents opponent's you you'd you'll they they'd they'll player enemy them he he'd he'll she she'd she'll \
    computer engine bot",
);
pub(super) const THEIRS: Words = Words("your their his her opponent's player's");
const ONESELF: Words = Words("i i'll i'd i'm my me we let's");
/// Verbs for the other player's own moves.
const ACTS: Words = Words(
    "play plays played use uses used choose chooses chose go goes went make makes made pick picks picked \
    reply replies replied answer answers answered respond responds responded",
);
/// One of these and a colon introduce a list, not a choice.
const LISTS: Words = Words("moves options choices candidates");
/// Alone in a clause or at its end, these revoke the previous move: "x2. No, wait."
const TAKES_BACK: Words = Words("no nope wait nein");
pub(super) const REFERS_BACK: Words = Words("it it's that that's this which");
const BEGINS_CLAUSE: Words =
    Words("but so because since as then therefore hence thus while whereas although though otherwise");

/// After a choice, these withdraw it.
const WITHDRAWS: Words = Words(
    "correction correcting corrected sorry oops oopsie whoops meant edit edited update updated revise revised revision \
    retract retracted retraction withdraw withdrawn revoke revoked cancel canceled cancelled undo undone scratch \
    disregard ignore nevermind kidding joking joke typo mistyped misspoke reconsider reconsidering rethink void voided",
);
/// The same for pairs of words.
const WITHDRAWING_PAIRS: [(&str, &str); 27] = [
    ("never", "mind"),
    ("my", "mind"),
    ("hold", "on"),
    ("on", "reflection"),
    ("in", "hindsight"),
    ("second", "look"),
    ("looking", "again"),
    ("second", "thought"),
    ("second", "thoughts"),
    ("make", "that"),
    ("strike", "that"),
    ("strike", "this"),
    ("forget", "it"),
    ("forget", "that"),
    ("that", "back"),
    ("it", "back"),
    ("this", "back"),
    ("i", "mean"),
    ("not", "count"),
    ("don't", "count"),
    ("doesn't", "count"),
    ("wrong", "one"),
    ("wrong", "move"),
    ("change", "it"),
    ("change", "that"),
    ("not", "really"),
    ("no", "longer"),
];
/// These only count at the beginning of a clause: "Wait, no", but not "I can't wait".
const HESITATES: Words = Words("wait actually");
const ANSWERS_NO: Words = Words("no nope nah not never nein non");

/// Whether the text after a choice retracts it: "Wait, no.", "Scratch that.", "I meant +1."
pub(super) fn withdraws(tokens: &[Token], after: Range<usize>) -> bool {
    let (mut last, mut length) = ("", 0);
    for place in after.clone() {
        let token = &tokens[place];
        let Some(word) = token.word() else {
            let is_number = |token: &Token| matches!(token.piece, Piece::Number(_) | Piece::Long);
            let is_amount = is_number(token) || tokens.get(place + 1).is_some_and(is_number);
            if last == "not" && is_amount && !ends_clause(token) {
                // "x2, not +1" rejects another move.
                length += 1;
            } else if ends_clause(token) || matches!(token.piece, Piece::Sign(_)) {
                if length == 1 && ANSWERS_NO.has(last) {
                    return true;
                }
                (last, length) = ("", 0);
            }
            continue;
        };
        let begins = length == 0
            || ANSWERS_NO.has(last)
            || BEGINS_CLAUSE.has(last)
            || matches!(last, "hm" | "hmm" | "oh");
        if WITHDRAWS.has(word)
            || WITHDRAWING_PAIRS.contains(&(last, word))
            || (begins && HESITATES.has(word))
            || (word == "instead" && tokens.get(place + 1).and_then(Token::word) != Some("of"))
        {
            return true;
        }
        // "x2, but no."
        (last, length) = (word, if word == "but" { 0 } else { length + 1 });
    }
    length == 1 && ANSWERS_NO.has(last)
}

/// A move mentioned in an answer.
pub(super) struct Mention<M> {
    pub named: M,
    /// Its tokens.
    pub at: Range<usize>,
    pub is_dismissed: bool,
    /// "or" is next to it.
    pub is_alternative: bool,
}

pub(super) fn ends_sentence(token: &Token) -> bool {
    matches!(token.piece, Piece::Mark('.' | '!' | '?' | ';' | '\n'))
}

pub(super) fn ends_clause(token: &Token) -> bool {
    let is_mark = matches!(
        token.piece,
        Piece::Mark(',' | ':' | '(' | ')' | '[' | ']' | '|' | '→' | '⇒' | '—' | '–' | '=')
    );
    is_mark || ends_sentence(token) || token.word().is_some_and(|word| BEGINS_CLAUSE.has(word))
}

/// Judges an answer's mentions in place. They must be in text order.
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
        // "x2!?" is a question.
        let is_before_question = matches!(token.piece, Piece::Mark('!' | '.'))
            && tokens[place + 1..range.end].first().is_some_and(|next| next.glued && next.is_mark('?'));
        if is_before_question {
            place += 1;
            continue;
        }
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
    dismiss_lists(tokens, mentions);
    for mention in mentions.iter_mut() {
        mention.is_alternative = is_alternative(tokens, &mention.at, &range);
    }
}

/// "I won't multiply by 2 (x2)" dismisses both mentions: a sentence can't both dismiss a move and choose it.
fn spread<M: Copy + Eq + Hash>(sentence: &mut [Mention<M>]) {
    let dismissed = sentence.iter().filter(|mention| mention.is_dismissed).map(|mention| mention.named);
    let dismissed: HashSet<M> = dismissed.collect();
    for mention in sentence {
        mention.is_dismissed |= dismissed.contains(&mention.named);
    }
}

/// "x2, +3 and +10 all lose" dismisses all three.
fn dismiss_lists<M>(tokens: &[Token], mentions: &mut [Mention<M>]) {
    for number in (2..mentions.len()).rev() {
        let between = |number: usize| &tokens[mentions[number - 1].at.end..mentions[number].at.start];
        let is_last = between(number).iter().any(|token| matches!(token.word(), Some("and" | "or")))
            && between(number).len() <= 2
            && tokens.get(mentions[number].at.end).is_some_and(|next| next.word().is_some());
        if !is_last || !mentions[number].is_dismissed {
            continue;
        }
        let is_comma = |number: &usize| matches!(between(*number), [comma] if comma.is_mark(','));
        let first = (1..number).rev().take_while(is_comma).last();
        for mention in &mut mentions[first.map_or(number, |first| first - 1)..number] {
            mention.is_dismissed = true;
        }
    }
}

/// Whether "or" is next to a move, possibly after more amounts: "add 1, 2 or 3".
fn is_alternative(tokens: &[Token], at: &Range<usize>, range: &Range<usize>) -> bool {
    let is_or = |token: &Token| matches!(token.word(), Some("or" | "oder" | "ou"));
    let is_skipped = |token: &&Token| matches!(token.piece, Piece::Number(_) | Piece::Mark(',' | '(' | ')'));
    let after = tokens[at.end..range.end].iter().find(|token| !is_skipped(token));
    let before = tokens[range.start..at.start].iter().rev().find(|token| !is_skipped(token));
    after.is_some_and(is_or) || before.is_some_and(is_or)
}

/// A clause so far.
#[derive(Default)]
struct Clause {
    /// The number of words and moves in it.
    length: usize,
    is_after_but: bool,
    mentions: Vec<usize>,
    /// The mention that "it" or "that" refers to.
    refers_to: Option<usize>,
    last_mention: Option<usize>,
    /// It rejects what follows.
    rejects: bool,
    /// It reverses a judgement.
    negates: bool,
    /// It's about hindering the other player.
    hinders: bool,
    /// It also rejects the moves before it, if no move comes after it.
    denies: bool,
    /// It already has the move that it's about.
    has_object: bool,
    is_about_other: bool,
    other_acts: bool,
    is_judged: bool,
    is_bad: bool,
    /// A judgement was followed by "for".
    judges_for: bool,
    /// It chooses nothing until the end of the sentence: "Player 1: x2", "Legal moves: +1, x2".
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

    /// Adds a word. Returns whether it ends a pair such as "anything but".
    fn meets_word(&mut self, tokens: &[Token], place: usize) -> bool {
        let Some(word) = tokens[place].word() else { return false };
        let last = std::mem::replace(&mut self.last_word, word.to_owned());
        self.length += 1;
        let begins = self.length == 1 || (self.length == 2 && last == "only");
        if begins && (REFERS_BACK.has(word) || BAD.has(word)) {
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
            // "Can't lose" isn't an objection to a move.
            self.rejects &= !is_turned;
        }
        is_pair
    }

    /// Ends the clause and judges its mentions. Returns the next clause.
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
        // The consequence of a move, as in "x2 → the opponent wins".
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
