//! Intervals: additions and multiplications of a shared number, however far away the target is. Below 0, and for
//! subtractions alone, the same is true the other way round.
//!
//! What a number is worth depends on a few numbers just above it and on its multiples. Where all of those lie in stretches
//! that repeat, it comes to repeat as well, and a whole stretch is known at once. So a game has a few stretches instead of
//! a cell for every number, found from the end back like the cells of a sweep.
//!
//! Moves are counted as well. From period to period, what a move leads to grows by a fixed amount, and the best move stays
//! the best until another one overtakes it, at a number that is computed: there the next stretch begins. Where that takes
//! too many stretches, only who wins is found, which takes fewer.

mod marks;
mod recurrence;
mod strip;
#[cfg(test)]
mod tests;

use super::chart::Piece;
use super::sweep::Memory;
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::operation::Way;
use crate::engine::play::Situation;
use crate::engine::position::{Choice, Player, Position};
use crate::format::{Direction, Numbers, On, Rulebook, Stuck};
use recurrence::Recurrence;
use strip::Strip;

/// How many numbers may be worked out one by one while moves are counted, before only the values are looked for.
const MOST_COUNTED: u64 = 1 << 22;

/// The same for the values. A table of so many numbers would be quicker, and whoever has no memory for it cannot wait
/// for this either.
const MOST_STEPS: u64 = 1 << 28;

pub(super) struct Intervals {
    recurrence: Recurrence,
    strip: Strip,
}

impl Intervals {
    /// The stretches of a book; `None` if it is not a book for them.
    pub(super) fn find(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Intervals>, Unsolved> {
        if !suits(rulebook) {
            return Ok(None);
        }
        match Intervals::with(rulebook, Counting::Moves, MOST_COUNTED, budget) {
            Err(Unsolved::TooLarge { .. }) => {
                Intervals::with(rulebook, Counting::Nothing, MOST_STEPS, budget).map(Some)
            }
            found => found.map(Some),
        }
    }

    /// For separate numbers that never touch: the moves in which a player alone can win from every number that they might
    /// come to. `None` if it is not a book for stretches, or if there is a number from which they could not.
    pub(super) fn alone(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Intervals>, Unsolved> {
        if !adds_and_multiplies(rulebook) {
            return Ok(None);
        }
        let recurrence = Recurrence::of(rulebook, Counting::Alone, budget)?;
        let strip = recurrence.run(MOST_COUNTED, budget)?;
        Ok(strip.map(|strip| Intervals { recurrence, strip }))
    }

    /// The fewest moves in which a player alone can win, from a number and after a choice of their own; `None` if play does
    /// not come there.
    pub(super) fn distance(&self, number: i64, last: Option<Choice>) -> Option<u64> {
        let memory = self.recurrence.memories.place((last, None))?;
        let score = self.recurrence.score(&self.strip, number.checked_mul(self.recurrence.sign)?, memory)?;
        (score > 0).then(|| score.abs_diff(i64::MAX))
    }

    fn with(
        rulebook: &Rulebook,
        counting: Counting,
        most_steps: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Intervals, Unsolved> {
        let recurrence = Recurrence::of(rulebook, counting, budget)?;
        let strip = recurrence.run(most_steps, budget)?.unwrap_or_else(|| Strip::new(1));
        Ok(Intervals { recurrence, strip })
    }

    /// Whether it is known how many moves there are to the end.
    pub(super) fn counts_moves(&self) -> bool {
        self.recurrence.counting == Counting::Moves
    }

    pub(super) fn bytes(&self) -> u64 {
        self.strip.bytes() + self.recurrence.bytes()
    }

    /// Who wins at every number, in stretches from the lowest number up; `None` in them where that depends on the last
    /// moves. Numbers at which nobody is on turn are left out. It can be asked for certain last moves alone, one's own and
    /// the other's. `None` instead of the stretches if play cannot come to such moves.
    pub(super) fn stretches(
        &self,
        rulebook: &Rulebook,
        last: Option<Memory>,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Piece<Option<Value>>>>, Unsolved> {
        let Recurrence { memories, lowest, highest, ended, .. } = &self.recurrence;
        let (opening, turn) = (rulebook.opening(Player::One), Player::One);
        let keeps_own = rulebook.remembers(turn, turn);
        let own = |last: Memory| (last.0.filter(|_| keeps_own), last.1);
        // After two turns everybody has a last move.
        let is_full = |(mine, theirs): Memory| {
            (mine.is_some() || !keeps_own) && (theirs.is_some() || !rulebook.remembers(!turn, turn))
        };
        let shown: Vec<usize> = match last {
            Some(last) => memories.place(own(last)).into_iter().collect(),
            None => (0..memories.known.len()).filter(|place| is_full(memories.known[*place])).collect(),
        };
        let Some((first, others)) = shown.split_first() else { return Ok(None) };
        let pieces = self.strip.pieces.len() + ended.len();
        budget.require_bytes(
            0,
            pieces as u128,
            2 * u128::from(self.strip.bytes() + self.recurrence.bytes()),
        )?;
        let found = marks::stretches(&self.strip, (*lowest, *highest), |score| {
            let value = value_of(score(*first));
            others.iter().all(|other| value_of(score(*other)) == value).then_some(value)
        });
        let mut found = marks::without(found, ended.iter().rev().map(|(number, _)| *number));
        // Whoever begins has nothing to remember.
        let begins = self.verdict(rulebook, &opening).map(|verdict| verdict.value);
        if last.is_none()
            && let Some(first) = found.first_mut().filter(|first| first.mark(*lowest) != begins)
        {
            let rest = first.part(lowest + 1, first.to);
            *first = Piece { from: *lowest, to: *lowest, pattern: vec![begins] };
            found.splice(1..1, rest);
        }
        Ok(Some(if self.recurrence.sign == 1 { found } else { turned_around(found) }))
    }

    pub(super) fn verdict(&self, rulebook: &Rulebook, position: &Position) -> Option<Verdict> {
        let turn = position.turn();
        let memory = self.recurrence.memories.place((position.last[turn], position.last[!turn]))?;
        let number = position.number().checked_mul(self.recurrence.sign)?;
        let score = self.recurrence.score(&self.strip, number, memory)?;
        match self.recurrence.counting {
            Counting::Moves => Some(score.verdict()),
            Counting::Alone => None,
            // The end itself is never unknown.
            Counting::Nothing => match rulebook.situation(position) {
                Situation::Over(outcome) => Some(Verdict::new(Value::of(outcome, turn), 0)),
                _ => Some(Verdict::of_unknown_length(value_of(score))),
            },
        }
    }
}

/// The same stretches, of numbers below 0 that were looked at as if they were above it, or the other way round.
fn turned_around<M: Copy>(stretches: Vec<Piece<M>>) -> Vec<Piece<M>> {
    let turned = |piece: Piece<M>| {
        let marks = (0..piece.pattern.len() as i64).map(|step| piece.mark(piece.to.saturating_sub(step)));
        Piece { from: -piece.to, to: -piece.from, pattern: marks.collect() }
    };
    stretches.into_iter().rev().map(turned).collect()
}

fn value_of(score: i64) -> Value {
    match score.signum() {
        1 => Value::Win,
        0 => Value::Draw,
        _ => Value::Loss,
    }
}

/// Whether the moves until the end are counted, or only who wins is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    Moves,
    Nothing,
    /// The fewest moves in which somebody wins whom nobody answers. All that can be won is a win then, and what cannot
    /// is like a move that may not be made.
    Alone,
}

impl Counting {
    fn score(self, verdict: Verdict) -> i64 {
        let score = i64::of(verdict);
        match self {
            Counting::Moves => score,
            Counting::Nothing => score.signum(),
            // What is lost for whoever would be on turn is won for whoever came there.
            Counting::Alone if verdict.value == Value::Loss => -score,
            Counting::Alone => i64::NONE,
        }
    }

    #[inline]
    fn before_move(self, score: i64) -> i64 {
        match self {
            Counting::Moves => score.before_move(),
            Counting::Nothing => -score,
            Counting::Alone => score - 1,
        }
    }

    /// By how much a move becomes better from period to period, if what it leads to does so by so much.
    fn slope_before_move(self, slope: i64) -> i64 {
        if self == Counting::Alone { slope } else { -slope }
    }
}

/// Whether a book only adds to and multiplies a shared number that goes one way, with nothing to remember but last moves.
fn suits(rulebook: &Rulebook) -> bool {
    rulebook.numbers() == Numbers::Shared
        && rulebook.stuck() != Stuck::Closest
        && adds_and_multiplies(rulebook)
}

/// Whether all moves add to a number or multiply it, one way, wherever they are made and however often.
fn adds_and_multiplies(rulebook: &Rulebook) -> bool {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let is_plain = |choice| {
        let does = rulebook.operation(choice).and_then(|operation| operation.as_affine());
        does.is_some_and(|does| does.factor == 1 || does.addend == 0)
    };
    let behind = match rulebook.only_way() {
        Some(Way::Up) => Direction::Countdown,
        Some(Way::Down) => Direction::Climb,
        Some(Way::Stays) | None => return false,
    };
    rulebook.has_only_fixed_moves()
        && rulebook.passes().is_none()
        && rulebook.turns().is_none()
        && rulebook.direction() != Some(behind)
        && rulebook
            .moves()
            .iter()
            .all(|entry| entry.uses.is_none() && entry.when.is_empty() && entry.on == On::Own)
        && !lists.iter().any(|list| list.has_descriptions())
        && rulebook.fixed_choices().all(is_plain)
}
