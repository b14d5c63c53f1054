//! The moves mentioned in an answer.

use std::ops::Range;

use super::stance::Mention;
use crate::engine::operation::Kind;
use crate::engine::round::Round;
use crate::engine::spelling::{Piece, Token, stands_alone};
use crate::engine::vocabulary::Vocabulary;
use crate::engine::written::Written;
use crate::words::disguise::Disguise;

/// The names of a round's moves, in a story if there is one.
pub(crate) fn vocabulary<'a>(round: &'a Round, disguise: Option<&'a Disguise>) -> Vocabulary<'a> {
    let Some(disguise) = disguise else { return Vocabulary::new(round) };
    Vocabulary::with_names(
        round,
        |tokens, place| disguise.named_at(tokens, place),
        |_, written| disguise.sentence(round.rulebook(), written),
    )
}

/// The moves that this part of the text names.
pub(super) fn mentions(
    vocabulary: &Vocabulary<'_>,
    tokens: &[Token],
    range: Range<usize>,
) -> Vec<Mention<Written>> {
    let mut mentions: Vec<Mention<Written>> = Vec::new();
    let mut place = range.start;
    while place < range.end {
        let Some((named, length)) =
            vocabulary.at(tokens, place).filter(|(_, length)| place + length <= range.end)
        else {
            place += 1;
            continue;
        };
        let (begin, mut end) = (place, place + length);
        // Moves in a row with nothing between them are a sum: `+1 +1`.
        while let Some((_, length)) =
            vocabulary.at(tokens, end).filter(|(_, length)| end + length <= range.end)
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

/// Whether a sign is a list bullet: it begins a line and a space follows, as in `- 1 point for me`.
fn is_bullet(tokens: &[Token], place: usize) -> bool {
    let begins_line = place.checked_sub(1).is_none_or(|before| tokens[before].is_mark('\n'));
    let is_sign = matches!(tokens[place].piece, Piece::Sign(Kind::Add | Kind::Subtract | Kind::Multiply));
    begins_line && is_sign && tokens.get(place + 1).is_some_and(|next| !next.glued)
}
