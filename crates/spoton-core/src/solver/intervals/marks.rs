//! Stretches for display: from the lowest number up, and only by winner.

use super::super::chart::{Piece, pieces};
use super::strip::Strip;

/// The marks of all numbers of some stretches, computed from their scores. Merges stretches that continue
/// each other or differ only in scores.
pub(super) fn stretches<M: Copy + PartialEq>(
    strip: &Strip,
    (lowest, highest): (i64, i64),
    mark: impl Fn(&dyn Fn(usize) -> i64) -> M,
) -> Vec<Piece<M>> {
    let mut merged: Vec<Piece<M>> = Vec::new();
    // Numbers at the end may share a stretch with numbers past it.
    let on_turn = strip.pieces.iter().rev().filter(|piece| piece.bottom <= highest && piece.top >= lowest);
    for piece in on_turn {
        let at = |number: i64| mark(&|memory| strip.score(piece, number, memory));
        for next in marked((piece.bottom, piece.top.min(highest)), piece.period, at) {
            merge(&mut merged, next);
        }
    }
    merged
}

/// The marks of one periodic stretch.
fn marked<M: Copy + PartialEq>(
    (from, to): (i64, i64),
    period: i64,
    mark: impl Fn(i64) -> M,
) -> Vec<Piece<M>> {
    if (to - from) / 3 < period {
        let marks: Vec<M> = (from..=to).map(mark).collect();
        return pieces(from, &marks).collect();
    }
    let marks: Vec<M> = (from..from + period).map(mark).collect();
    let repeats = |period: &usize| {
        let mut pairs = marks.iter().zip(marks.iter().skip(*period));
        marks.len().is_multiple_of(*period) && pairs.all(|(one, two)| one == two)
    };
    let period = (1..marks.len()).find(repeats).unwrap_or(marks.len());
    vec![Piece { from, to, pattern: marks[..period].to_vec() }]
}

impl<M: Copy> Piece<M> {
    /// The mark of a number, extrapolated if it's outside the stretch.
    pub fn mark(&self, number: i64) -> M {
        // The distance may exceed 64 bits.
        let place = (i128::from(number) - i128::from(self.from)).rem_euclid(self.pattern.len() as i128);
        self.pattern[place as usize]
    }

    /// The part of the stretch in a range; `None` if it's empty.
    pub fn part(&self, from: i64, to: i64) -> Option<Piece<M>> {
        let pattern = || (from..=to).take(self.pattern.len()).map(|number| self.mark(number)).collect();
        (from <= to).then(|| Piece { from, to, pattern: pattern() })
    }
}

/// The stretches without some numbers, given in ascending order.
pub(super) fn without<M: Copy>(
    stretches: Vec<Piece<M>>,
    numbers: impl Iterator<Item = i64>,
) -> Vec<Piece<M>> {
    let mut numbers = numbers.peekable();
    let mut rest = Vec::with_capacity(stretches.len());
    for mut piece in stretches {
        while let Some(number) = numbers.next_if(|number| *number <= piece.to) {
            if number < piece.from {
                continue;
            }
            rest.extend(piece.part(piece.from, number - 1));
            match piece.part(number + 1, piece.to) {
                Some(part) => piece = part,
                None => piece.from = piece.to + 1,
            }
        }
        rest.extend((piece.from <= piece.to).then_some(piece));
    }
    rest
}

/// Appends the next stretch above.
fn merge<M: Copy + PartialEq>(merged: &mut Vec<Piece<M>>, mut next: Piece<M>) {
    let is_short = |piece: &Piece<M>, other: &Piece<M>| {
        ((piece.to - piece.from) as u64) < 3 * other.pattern.len() as u64
    };
    while let Some(last) = merged.last_mut() {
        let period = last.pattern.len() as i64;
        let alike = last.pattern.len() == next.pattern.len();
        // A short one may fit by chance. Merging is still correct.
        let goes_on = (alike || is_short(&next, last))
            && (next.from..=next.to)
                .take(3 * period as usize)
                .all(|number| last.mark(number) == next.mark(number));
        if goes_on {
            last.to = next.to;
            return;
        }
        let begins_before = is_short(last, &next)
            && (last.from..=last.to).all(|number| last.mark(number) == next.mark(number));
        if !begins_before {
            break;
        }
        let period = next.pattern.len() as i64;
        next.pattern = (last.from..last.from + period).map(|number| next.mark(number)).collect();
        next.from = last.from;
        merged.pop();
    }
    merged.push(next);
}
