//! Finds the moves that an answer chooses: "I'll play x2", "Best move: x2", "So x2." Other mentions count as talk.
//!
//! The list of forms is closed, so an unknown verb or label chooses nothing. If in doubt, there's no move.

use std::ops::Range;

use super::stance::{
    GOOD, Mention, NEGATE, OTHER, REFERS_BACK, REJECTING_MARKS, SUPPOSE, THEIRS, ends_clause, ends_sentence,
    is_decoration,
};
use super::text::is_thinking;
use crate::engine::spelling::{Piece, Token, Words};

/// How an answer treats a move it mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    Chosen,
    /// Named next to another move, as in "x2 and +1". It makes a choice ambiguous but isn't a choice itself.
    Rival,
    /// Compared with the move before it: "x2 rather than +1".
    Compared,
    Talk,
}

/// Words that add nothing to a bare move: "So x2.", "x2 it is."
const FILLERS: Words = Words(
    "so therefore thus hence well ok okay yes yeah alright right now just simply definitely certainly surely clearly \
    obviously finally anyway actually instead please it it's is here sondern with",
);
/// The subjects of verbs of choosing.
const SUBJECTS: Words = Words("i i'll i'd i'm i've ill im we we'll we'd let's lets let 我选择 我选 选择");
/// Verbs of choosing, and labels.
const HEADS: Words = Words(
    "choose choosing pick picking select selecting play playing take taking use using go going opt opting make making \
    start begin decide decided prefer stick settle commit enter submit hit strike attack move moves answer choice \
    decision action turn best final winning correct chosen selected recommended suggested preferred optimal conclusion",
);
/// These count only after a subject: "I reply x2".
const REPLIES: Words = Words("reply respond");
/// These report a choice, possibly from an earlier turn.
const PAST: Words = Words("chose picked selected");
/// An opinion, which further words can turn into something else: "I think x2 gives 8".
const OPINIONS: Words = Words("think believe say guess reckon");
/// Connecting words. They mean nothing without a verb or label from `HEADS`.
const LINKS: Words = Words(
    "will would shall should must have to am me us them with for on off out up this the a an my our own one \
    only safe safest strongest right next following be remains rather still also then here here's is do sure confident",
);
/// Further connecting words in a phrase such as "after careful thought:" or "in conclusion:".
const AFTERTHOUGHTS: Words = Words(
    "after in of careful some much long more all thought thinking consideration analysis summary short",
);
/// These open a phrase before the choice: "After your x2 I play +1."
const PREPOSITIONS: Words = Words("to after out given with for from at since as in because instead rather");
/// These open a phrase that may also come without a move: "To win I play x2", "Out of these I choose x2".
const PURPOSES: Words = Words("to out given instead rather");
/// These turn a choice into a condition or a quotation, or move it to another time.
const CONDITIONS: Words = Words(
    "if unless when whenever once until should suppose whether said says wrote asked claims sometimes later next last \
    previous previously earlier before ago yesterday already normally usually either half often rarely had were \
    assuming provided imagine pretend case point theory example instance second third turns following tomorrow \
    eventually afterwards afterward subsequently someday soon",
);
/// In the rest of the sentence, these turn a choice into a condition: "I'd play x2, but it's illegal."
const EXCEPTIONS: Words = Words(
    "but except however although though if unless until were assuming provided providing supposing maybe perhaps possibly",
);
/// A reason isn't a condition.
const REASONS: Words = Words("because since as so");
/// On a `move:` line, a remark without punctuation in front of it begins with one of these.
const REMARKS: Words = Words(
    "because since as so that to for with and if which when then it it's this now here please leaving making giving \
    reaching keeping winning leaves makes gives reaches keeps wins therefore thus hence final",
);
/// Praise for a bare move: "x2 is the best move".
const PRAISE: Words = Words("best winning only correct right optimal strongest safest perfect my");
/// Words that may follow praise: "x2 wins the game", "x2 is the only move that doesn't lose".
const AFTER_PRAISE: Words = Words(
    "move choice option play answer pick one the this game round match here now immediately instantly directly easily \
    for me us by force to win and that doesn't can't lose wins works safe too",
);
/// Words in labels for other moves.
const OLD_OR_OTHER: Words = Words(
    "history previous previously earlier before past log example sample format hint p bot engine computer",
);
/// Longer clauses count as talk. Keeps parsing linear.
const LONGEST: usize = 40;

enum Left {
    /// Only fillers.
    Bare,
    /// A form that may continue in any way: "I play x2 to win."
    Strong,
    /// A form that must end after the move.
    Weak,
    No,
}

pub(super) struct Reader<'a, M> {
    pub tokens: &'a [Token],
    pub range: Range<usize>,
    pub mentions: &'a [Mention<M>],
    /// Whether the text is a `move:` line, where a remark may follow a bare move.
    pub is_line: bool,
    /// Whether the text follows a `move:` line. There, a bare move chooses nothing.
    pub is_after: bool,
}

impl<M: Copy + Eq> Reader<'_, M> {
    /// The stance towards each mention, in order.
    pub(super) fn stances(&self) -> Vec<Stance> {
        let mut stances: Vec<Stance> = Vec::with_capacity(self.mentions.len());
        for number in 0..self.mentions.len() {
            let before = number.checked_sub(1).map(|before| (&self.mentions[before], stances[before]));
            stances.push(self.stance(number, before));
        }
        stances
    }

    fn stance(&self, number: usize, before: Option<(&Mention<M>, Stance)>) -> Stance {
        let mention = &self.mentions[number];
        if mention.is_dismissed {
            return Stance::Talk;
        }
        let is_opening = |token: &Token| matches!(token.piece, Piece::Mark('(' | '[' | '\''));
        let mut end = mention.at.start;
        while end > self.range.start && is_opening(&self.tokens[end - 1]) {
            end -= 1;
        }
        let mut begin = self.clause_begin(end);
        let mut is_joined = false;
        if let Some((other, stance)) = before.filter(|(other, _)| other.at.end > begin) {
            let between = &self.tokens[other.at.end..end];
            if other.named == mention.named && between.is_empty() {
                return stance;
            }
            let words: Vec<&str> = between.iter().filter_map(Token::word).collect();
            match words[..] {
                ["to" | "over" | "than" | "not" | "against"] => return Stance::Compared,
                ["and", _, ..] => {
                    let and = (other.at.end..end).find(|place| self.tokens[*place].word() == Some("and"));
                    begin = and.map_or(end, |and| and + 1);
                    is_joined = true;
                }
                [_, ..] if other.is_dismissed && self.opens_a_phrase(begin..other.at.start) => {
                    begin = other.at.end;
                    is_joined = true;
                }
                // A predicate is probably about the move before it: "x2 leaves 8 and +3 leaves 7".
                [_, ..] if stance == Stance::Talk => return Stance::Talk,
                _ => return Stance::Rival,
            }
        }
        let left = self.left(begin..end);
        let otherwise = match left {
            Left::Bare if self.is_beside_a_move(number, begin) => Stance::Rival,
            _ => Stance::Talk,
        };
        let is_after_fitting = is_joined || self.follows_fittingly(number, begin, matches!(left, Left::Bare));
        let chooses = is_after_fitting
            && match left {
                Left::No => false,
                Left::Strong => self.goes_on_freely(mention.at.end),
                Left::Bare if self.is_line => {
                    self.goes_on_freely(mention.at.end) || self.is_preferred_to_next(number)
                }
                Left::Bare
                    if self.is_after && !self.tokens[..begin].last().is_some_and(|t| t.is_mark(':')) =>
                {
                    false
                }
                Left::Bare | Left::Weak => self.ends_there(begin..end, number),
            }
            && self.is_unqualified(number);
        if chooses { Stance::Chosen } else { otherwise }
    }

    /// Whether words such as "After your" open a phrase about a move that isn't chosen.
    fn opens_a_phrase(&self, words: Range<usize>) -> bool {
        let mut words = self.tokens[words].iter().filter_map(Token::word);
        words.next().is_some_and(|word| PREPOSITIONS.has(word)) && !words.any(|word| CONDITIONS.has(word))
    }

    /// Whether a bare move is one of several: "x2, +1", "then +3".
    fn is_beside_a_move(&self, number: usize, begin: usize) -> bool {
        let is_after_colon = begin.checked_sub(1).is_some_and(|place| {
            matches!(self.tokens[place].piece, Piece::Mark(':' | '|' | '=' | '→' | '⇒' | '—' | '–'))
        });
        let end = self.mentions[number].at.end;
        let clause_end = self.clause_end(end);
        let leads_to = self.tokens.get(clause_end).filter(|_| clause_end < self.range.end);
        if leads_to.is_some_and(|token| matches!(token.piece, Piece::Mark(':' | '=' | '→' | '⇒'))) {
            return false;
        }
        let behind = &self.tokens[end..clause_end];
        let is_alone = behind.iter().filter_map(Token::word).all(|word| {
            FILLERS.has(word)
                || matches!(word, "and" | "first" | "next" | "later" | "for" | "now" | "or" | "me")
        });
        !is_after_colon && is_alone
    }

    fn clause_begin(&self, end: usize) -> usize {
        let first = self.range.start.max(end.saturating_sub(LONGEST));
        (first..end).rev().find(|place| ends_clause(&self.tokens[*place])).map_or(first, |place| place + 1)
    }

    fn clause_end(&self, begin: usize) -> usize {
        let last = self.range.end.min(begin + LONGEST);
        (begin..last).find(|place| ends_clause(&self.tokens[*place])).unwrap_or(last)
    }

    /// Determines the form of the words before a move.
    fn left(&self, mut words: Range<usize>) -> Left {
        let is_at_line = words.start == self.range.start || self.tokens[words.start - 1].is_mark('\n');
        let is_sign = |place: usize| matches!(self.tokens[place].piece, Piece::Sign(_));
        // A bullet
        words.start += usize::from(is_at_line && !words.is_empty() && is_sign(words.start));
        // "Move - x2", "move->x2"
        while words.end > words.start + 1
            && (is_sign(words.end - 1) || self.tokens[words.end - 1].is_mark('>'))
        {
            words.end -= 1;
        }
        let tokens = &self.tokens[words];
        match form(tokens) {
            Left::No => {
                let begins_with =
                    |words: &Words| tokens.first().and_then(Token::word).is_some_and(|w| words.has(w));
                let subject =
                    tokens.iter().rposition(|token| token.word().is_some_and(|word| SUBJECTS.has(word)));
                match subject {
                    Some(subject) if begins_with(&PURPOSES) && !puts_off(tokens) => form(&tokens[subject..]),
                    _ => Left::No,
                }
            }
            form => form,
        }
    }

    /// Whether the text before a clause allows it to choose a move.
    fn follows_fittingly(&self, number: usize, begin: usize, is_bare: bool) -> bool {
        if begin == self.range.start {
            return true;
        }
        let boundary = &self.tokens[begin - 1];
        if let Some(word) = boundary.word() {
            return match word {
                "so" | "therefore" | "hence" | "thus" => true,
                "but" => !is_bare || self.mentions[..number].last().is_some_and(|before| before.is_dismissed),
                _ => false,
            };
        }
        match boundary.piece {
            Piece::Mark('.') => !is_abbreviation(self.tokens, begin - 1),
            Piece::Mark('!' | '?' | ';') => true,
            Piece::Mark('\n') => {
                let end = (self.range.start..begin).rev().find(|place| !self.tokens[*place].is_mark('\n'));
                end.is_none_or(|end| !self.tokens[end].is_mark(':') || self.is_heading(number, end, is_bare))
            }
            Piece::Mark(',') if begin > 1 && is_abbreviation(self.tokens, begin - 2) => false,
            Piece::Mark(',') if !is_bare => self.is_unconditional(begin - 1),
            Piece::Mark(',') => {
                let clause = self.clause_begin(begin - 1)..begin - 1;
                let named = self.named_in(number, &clause);
                let words: Vec<&str> = self.tokens[clause.clone()].iter().filter_map(Token::word).collect();
                let is_reason = clause.start > self.range.start
                    && matches!(self.tokens[clause.start - 1].word(), Some("since" | "as" | "because"));
                match named {
                    [] => {
                        is_reason
                            || words[..] == ["no", "matter", "what"]
                            || matches!(form(&self.tokens[clause]), Left::Bare)
                    }
                    named => {
                        named.iter().all(|before| before.is_dismissed) && self.is_unconditional(begin - 1)
                    }
                }
            }
            Piece::Mark('(' | '[') => !is_bare,
            _ => self.is_heading(number, begin - 1, is_bare),
        }
    }

    /// The mentions in a clause that come before a given mention.
    fn named_in(&self, number: usize, clause: &Range<usize>) -> &[Mention<M>] {
        let before = &self.mentions[..number];
        let first = before.partition_point(|mention| mention.at.start < clause.start);
        let last = before.partition_point(|mention| mention.at.start < clause.end);
        &before[first..last]
    }

    /// Whether the words before a colon may introduce a choice.
    fn is_heading(&self, number: usize, colon: usize, is_bare: bool) -> bool {
        let clause = self.clause_begin(colon)..colon;
        let tokens = &self.tokens[clause.clone()];
        if !is_bare {
            let is_of_another = |word: &str| {
                OLD_OR_OTHER.has(word) || OTHER.has(word) || CONDITIONS.has(word) || is_thinking(word)
            };
            let is_numbered = tokens.iter().any(|token| matches!(token.piece, Piece::Number(_)));
            let is_turn = |word: &str| matches!(word, "turn" | "turns" | "round" | "game" | "move" | "p");
            let mut words = tokens.iter().filter_map(Token::word);
            return !words.any(|word| is_of_another(word) || (is_numbered && is_turn(word)));
        }
        let mention = &self.mentions[number];
        match self.named_in(number, &clause) {
            // A label must fit its context, too: "For example, my move: x2" chooses nothing.
            [] => {
                let begin = clause.start;
                let is_below_another = begin > self.range.start && self.tokens[begin - 1].is_mark(':');
                !matches!(self.left(clause), Left::No)
                    && self.follows_fittingly(number, begin, is_below_another)
            }
            named => named.iter().all(|before| before.is_dismissed || before.named == mention.named),
        }
    }

    /// Whether the sentence contains neither a condition nor a quotation before this index.
    fn is_unconditional(&self, end: usize) -> bool {
        let first = self.range.start.max(end.saturating_sub(LONGEST));
        let sentence =
            self.tokens[first..end].iter().rposition(ends_sentence).map_or(first, |at| first + at + 1);
        !puts_off(&self.tokens[sentence..end])
    }

    /// Whether the rest of the sentence contains no exception: "I'd play x2, but it's illegal."
    fn is_unqualified(&self, number: usize) -> bool {
        let begin = self.mentions[number].at.end;
        let rest = self.tokens[begin..self.range.end].iter().take(LONGEST);
        let mut words = rest.take_while(|token| !ends_sentence(token)).filter_map(Token::word);
        !words.by_ref().take_while(|word| !REASONS.has(word)).any(|word| {
            // "x2 if possible"
            EXCEPTIONS.has(word) && !(self.is_line && matches!(word, "if" | "maybe" | "perhaps" | "possibly"))
        })
    }

    /// Whether a move is still chosen given the words that follow it.
    fn goes_on_freely(&self, begin: usize) -> bool {
        let tokens = &self.tokens[begin..self.clause_end(begin)];
        let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
        let is_for_other =
            words.windows(2).any(|pair| pair[0] == "for" && (OTHER.has(pair[1]) || THEIRS.has(pair[1])));
        let is_conditional = !self.is_line && puts_off(tokens);
        // "x2 million", "x2 under no circumstances"
        let is_remark = match tokens.iter().find(|token| !token.is_mark('\'')) {
            Some(Token { piece: Piece::Word(word), .. }) => !self.is_line || REMARKS.has(word),
            Some(Token { piece: Piece::Mark(mark), glued: true, .. }) => is_decoration(*mark),
            _ => true,
        };
        let is_dismissal = |mention: &Mention<M>| mention.is_dismissed && mention.at.start >= begin;
        let denies = !self.is_line
            && words.iter().any(|word| NEGATE.has(word) || word.ends_with("n't"))
            && !self
                .mentions
                .iter()
                .any(|mention| is_dismissal(mention) && mention.at.start < begin + tokens.len());
        let is_for_my_opponent =
            words.windows(3).any(|three| matches!(three, ["for", "my" | "the", other] if OTHER.has(other)));
        let is_theirs = !self.is_line && (is_for_other || is_for_my_opponent);
        is_remark && !denies && !is_conditional && !is_theirs && !tokens.iter().any(rejects)
    }

    /// Whether a move is named as better than the next one: "+1 rather than x2".
    fn is_preferred_to_next(&self, number: usize) -> bool {
        let begin = self.mentions[number].at.end;
        let end = self.clause_end(begin);
        let next = self.mentions.get(number + 1).filter(|next| next.is_dismissed && next.at.start < end);
        next.is_some_and(|next| {
            let between = self.tokens[begin..next.at.start].iter();
            let words: Vec<&str> = between.filter_map(Token::word).collect();
            matches!(words[..], ["rather", "than"] | ["instead", "of"] | ["not"] | ["and", "not"] | ["over"])
        })
    }

    /// Whether only praise follows a bare move, if anything.
    fn ends_there(&self, before: Range<usize>, number: usize) -> bool {
        let begin = self.mentions[number].at.end;
        let end = self.clause_end(begin);
        let mut tokens = &self.tokens[begin..end];
        if self.is_preferred_to_next(number) {
            tokens = &[];
        }
        // A dash ends the clause: "x2 - it's safe".
        let is_dash = |token: &Token| matches!(token.piece, Piece::Sign(_)) && !token.glued;
        let tokens = match tokens.iter().position(is_dash) {
            Some(dash) if tokens[dash + 1..].iter().all(|token| token.word().is_some()) => &tokens[..dash],
            _ => tokens,
        };
        let is_plain = |token: &Token| match token.piece {
            Piece::Word(_) => true,
            Piece::Mark(mark) => is_decoration(mark),
            _ => false,
        };
        if !tokens.iter().all(is_plain) {
            return false;
        }
        let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
        let ends = |rest: &[&str]| rest.iter().all(|word| AFTER_PRAISE.has(word) || PRAISE.has(word));
        let is_praise = match words[..] {
            [] => return self.is_followed_fittingly(end),
            ["wins" | "win" | "works", ref rest @ ..] => ends(rest),
            ["is" | "seems" | "looks" | "remains" | "feels", ref rest @ ..] => {
                let mut rest =
                    rest.iter().skip_while(|word| matches!(**word, "the" | "clearly" | "definitely"));
                rest.next().is_some_and(|word| PRAISE.has(word)) && rest.all(|word| ends(&[*word]))
            }
            ["can't" | "cannot" | "won't" | "doesn't" | "never", "lose" | "fail", ref rest @ ..] => {
                ends(rest)
            }
            ["i", "win", ref rest @ ..]
            | ["i", "can" | "will", "win", ref rest @ ..]
            | ["i'll", "win", ref rest @ ..] => {
                ends(rest) && self.tokens[before].iter().any(|token| token.word() == Some("with"))
            }
            _ => words.iter().all(|word| FILLERS.has(word) || matches!(*word, "for" | "me")),
        };
        is_praise && !words.iter().any(|word| OTHER.has(word) || THEIRS.has(word))
    }

    /// Whether a bare move is still chosen given the text after its clause.
    fn is_followed_fittingly(&self, end: usize) -> bool {
        let Some(boundary) = self.tokens.get(end).filter(|_| end < self.range.end) else { return true };
        let clause = &self.tokens[end + 1..self.clause_end(end + 1)];
        let mut words = clause.iter().filter_map(Token::word);
        match boundary.piece {
            // "x2: bad", "x2 → 8"
            Piece::Mark(':' | '=' | '→' | '⇒') => false,
            Piece::Mark(',') => {
                let refers = words.next().is_some_and(|word| REFERS_BACK.has(word));
                !refers || words.any(|word| GOOD.has(word))
            }
            Piece::Word(_) => boundary.word() != Some("then"),
            _ => true,
        }
    }
}

/// Whether a mark crosses a move out: "x2 ❌".
fn rejects(token: &Token) -> bool {
    matches!(token.piece, Piece::Mark(mark) if REJECTING_MARKS.contains(&mark))
}

/// Whether words move a choice to another time, or make it a condition: "in that case", "after that", "tomorrow".
fn puts_off(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
    let is_later =
        |pair: &[&str]| pair[0] == "after" && (REFERS_BACK.has(pair[1]) || matches!(pair[1], "your" | "you"));
    words.iter().any(|word| CONDITIONS.has(word)) || words.windows(2).any(is_later)
}

/// Whether a period belongs to an abbreviation such as "e.g."
fn is_abbreviation(tokens: &[Token], period: usize) -> bool {
    let before = period.checked_sub(1).and_then(|place| tokens[place].word());
    tokens[period].is_mark('.') && before.is_some_and(|word| word.is_ascii() && word.len() == 1)
}

/// Classifies the words directly before a move.
fn form(tokens: &[Token]) -> Left {
    let is_plain = |token: &Token| match token.piece {
        Piece::Word(_) => true,
        Piece::Mark(mark) => mark == '\'' || (!mark.is_ascii() && is_decoration(mark)),
        _ => false,
    };
    if !tokens.iter().all(is_plain) {
        return Left::No;
    }
    let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
    let (mut is_strong, mut is_weak, mut is_bare) = (false, false, true);
    let has_subject = words.iter().any(|word| SUBJECTS.has(word));
    for (place, word) in words.iter().enumerate() {
        let is_wish = matches!(*word, "like" | "love" | "want") && words.get(place + 1) == Some(&"to");
        let is_head = HEADS.has(word) || is_wish || (REPLIES.has(word) && has_subject);
        is_strong |= is_head;
        is_weak |= OPINIONS.has(word) || PAST.has(word);
        is_bare &= FILLERS.has(word);
        let is_known = is_head
            || OPINIONS.has(word)
            || PAST.has(word)
            || FILLERS.has(word)
            || SUBJECTS.has(word)
            || LINKS.has(word)
            || (matches!(words[0], "after" | "in") && AFTERTHOUGHTS.has(word));
        let before = place.checked_sub(1).map(|before| words[before]);
        // "Say I play x2", "Let's say x2", "Let them double", "Make them double"
        let is_supposed = OPINIONS.has(word)
            && (!words[..place].iter().any(|word| SUBJECTS.has(word))
                || matches!(before, Some("let's" | "lets")));
        let is_left_to_others = match *word {
            "let" => !matches!(words.get(place + 1), Some(&("me" | "us"))),
            "them" => !words[..place].iter().any(|word| matches!(*word, "hit" | "strike" | "attack")),
            _ => false,
        };
        if !is_known || is_supposed || is_left_to_others || NEGATE.has(word) || SUPPOSE.has(word) {
            return Left::No;
        }
    }
    // "Going with x2.", but not "Going with x2 would be nice."
    let is_gerund = !has_subject && words.iter().any(|word| word.ends_with("ing") && HEADS.has(word));
    match (is_bare, is_strong, is_weak, has_subject) {
        (true, ..) => Left::Bare,
        _ if is_gerund && words.last() != Some(&"is") => Left::Weak,
        (_, true, ..) => Left::Strong,
        (_, _, true, _) => Left::Weak,
        // "I double"
        (_, _, _, true) => Left::Strong,
        _ if words.iter().any(|word| matches!(*word, "after" | "in")) => Left::Weak,
        _ => Left::No,
    }
}

/// Whether a `move:` after these tokens is about the move to play now: "my final move:", but not "expected move:". It must
/// begin its line or sentence, ignoring decoration and such words.
pub(super) fn is_own(before: &[Token]) -> bool {
    const NEAR: usize = 12;
    let is_end = |place: usize| ends_sentence(&before[place]) && !is_abbreviation(before, place);
    let first = before.len().saturating_sub(NEAR);
    let begin = match (first..before.len()).rev().find(|place| is_end(*place)) {
        Some(end) => end + 1,
        None if first > 0 => return false,
        None => 0,
    };
    let is_label = |token: &Token| match &token.piece {
        Piece::Word(word) => is_label(word),
        Piece::Mark(mark) => is_decoration(*mark),
        Piece::Sign(_) => true,
        Piece::Number(_) | Piece::Long => false,
    };
    // "1. move: x2"
    let number =
        before[begin..].iter().position(|token| !matches!(token.piece, Piece::Mark(_) | Piece::Sign(_)));
    let is_item = |at: usize| matches!(before[begin + at].piece, Piece::Number(_));
    let begin = number.filter(|at| is_item(*at)).map_or(begin, |at| begin + at + 1);
    before[begin..].iter().all(is_label) && !is_below_example(&before[..begin])
}

/// Whether a line such as "Example:" is above.
fn is_below_example(before: &[Token]) -> bool {
    let Some(end) = before.iter().rposition(|token| !token.is_mark('\n')) else { return false };
    let line = before[..end].iter().rev().take(LONGEST).take_while(|token| !token.is_mark('\n'));
    before[end].is_mark(':')
        && line.filter_map(Token::word).any(|word| OLD_OR_OTHER.has(word) || is_thinking(word))
}

fn is_label(word: &str) -> bool {
    let is_plain = FILLERS.has(word) || SUBJECTS.has(word) || HEADS.has(word) || LINKS.has(word);
    let is_other = matches!(word, "them" | "a" | "one" | "at" | "instead" | "actually");
    (is_plain && !is_other) || word == "assistant"
}
