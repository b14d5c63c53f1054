//! Intervals: additions and multiplications of a shared number, however far the target is. Below 0, and for
//! subtractions alone, the same holds with the sign flipped.
//!
//! The value of a number depends on a few numbers just above it and on its multiples. If all of those are
//! periodic, so is the value. That gives a whole stretch: a run of numbers with one repeating pattern. So a
//! game needs a few stretches instead of a cell per number. Like the cells of a sweep, they are found from
//! the end back.
//!
//! Move counts work too. From period to period, the results of a move grow by a fixed amount. The best move
//! stays best until another overtakes it, at a number that can be computed. There the next stretch starts. If
//! that takes too many stretches, only the winner is computed, which takes fewer.

mod marks;
mod recurrence;
mod strip;
#[cfg(test)]
mod tests;

use super::chart::Piece;
use super::strategy::{Case, Question, Solution, Stage, too_large_is_none};
use super::sweep::Memory;
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::operation::Way;
use crate::engine::play::Situation;
use crate::engine::position::{Choice, Player, Position};
use crate::format::{Direction, NoRepeat, Numbers, On, Rulebook, Stuck};
use recurrence::Recurrence;
use strip::Strip;

/// How many numbers to compute one by one with move counts, before falling back to values only.
const MOST_COUNTED: u64 = 1 << 22;

/// The same for values only. A table of this size would be faster; if it doesn't fit in memory, this would
/// take too long as well.
const MOST_STEPS: u64 = 1 << 28;

/// Instead of a table, one number in this many may be computed. That takes about as long as this many cells, so
/// a failed attempt costs a small part of the table's time.
const NUMBERS_A_STEP: u64 = 64;

/// A cheap attempt asks this many times less often, because it's a small part of the work.
const SELDOM: u64 = 64;

pub(super) struct Intervals {
    recurrence: Recurrence,
    strip: Strip,
    /// Whether stretches were chosen for speed although a table fits.
    spares_a_table: bool,
}

impl Intervals {
    /// The stretches of a book; `None` if they don't apply.
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

    /// The stretches of a book with move counts, if they are much cheaper than a table of so many numbers and
    /// bytes.
    fn cheaply(
        rulebook: &Rulebook,
        numbers: u64,
        bytes: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Intervals>, Unsolved> {
        if !suits(rulebook) {
            return Ok(None);
        }
        let steps = (numbers / NUMBERS_A_STEP).min(MOST_COUNTED);
        let found = budget.within(bytes, |budget| {
            budget.seldom(SELDOM, |budget| Intervals::with(rulebook, Counting::Moves, steps, budget))
        });
        too_large_is_none(found.map(|found| Some(Intervals { spares_a_table: true, ..found })))
    }

    /// For separate numbers that never interact: the distance to a win for a player alone, from every number
    /// that player might reach. `None` if stretches don't apply, or some number has no way to win.
    pub(super) fn alone(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Intervals>, Unsolved> {
        Intervals::alone_within(MOST_COUNTED, rulebook, budget)
    }

    /// [`Intervals::alone`], if it's much cheaper than a search of so many positions that takes so many bytes.
    pub(super) fn alone_cheaply(
        rulebook: &Rulebook,
        positions: u128,
        bytes: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Intervals>, Unsolved> {
        let steps = u64::try_from(positions).unwrap_or(u64::MAX).min(MOST_COUNTED);
        let found = budget.within(bytes, |budget| {
            budget.seldom(SELDOM, |budget| Intervals::alone_within(steps, rulebook, budget))
        });
        too_large_is_none(found)
    }

    /// Whether a player who repeats the same move always wins from the opening; `None` if stretches don't apply.
    pub(super) fn always_wins(
        rulebook: &Rulebook,
        choice: Choice,
        player: Player,
        budget: &mut Budget<'_>,
    ) -> Result<Option<bool>, Unsolved> {
        // Otherwise not having that move could be as good as a win.
        let stuck_loses = rulebook.stuck() == Stuck::Loses;
        if !suits(rulebook) || rulebook.no_repeat() != NoRepeat::None || !stuck_loses {
            return Ok(None);
        }
        let Some(recurrence) = Recurrence::repeating(choice, rulebook, budget)? else { return Ok(None) };
        let Some(strip) = recurrence.run(MOST_COUNTED, budget)? else { return Ok(None) };
        let opening = rulebook.opening(Player::One);
        let goes_first = player == opening.turn();
        let memory = if goes_first { recurrence::REPEATS } else { recurrence::REPLIES };
        let score = recurrence.score(&strip, opening.number() * recurrence.sign, memory);
        Ok(score.map(|score| value_of(score) == if goes_first { Value::Win } else { Value::Loss }))
    }

    fn alone_within(
        most_steps: u64,
        rulebook: &Rulebook,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Intervals>, Unsolved> {
        if !adds_and_multiplies(rulebook) {
            return Ok(None);
        }
        let recurrence = Recurrence::from_rulebook(rulebook, Counting::Alone, budget)?;
        let strip = recurrence.run(most_steps, budget)?;
        Ok(strip.map(|strip| Intervals { recurrence, strip, spares_a_table: false }))
    }

    /// The fewest moves to a win for a player alone, from a number and after their own last choice; `None` if
    /// play can't reach it.
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
        let recurrence = Recurrence::from_rulebook(rulebook, counting, budget)?;
        let strip = recurrence.run(most_steps, budget)?.unwrap_or_else(|| Strip::new(1));
        Ok(Intervals { recurrence, strip, spares_a_table: false })
    }

    /// Whether the number of moves to the end is known.
    fn counts_moves(&self) -> bool {
        self.recurrence.counting == Counting::Moves
    }
}

impl Solution for Intervals {
    fn attempt(
        stage: Stage,
        case: &mut Case<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Intervals>, Unsolved> {
        match stage {
            Stage::Sparing if case.is_full && case.question == Question::Positions => {
                let (Some(Ok(bytes)), Some(grid)) = (case.table_bytes(budget), &case.grid) else {
                    return Ok(None);
                };
                Intervals::cheaply(case.rulebook, grid.numbers(), bytes, budget)
            }
            // The caller can free memory to make room for the table.
            Stage::Search if case.is_full && !case.lacks_room_only(budget) => {
                let found = too_large_is_none(Intervals::find(case.rulebook, budget))?;
                let (counted, uncounted) = match found {
                    Some(found) if found.counts_moves() => (Some(found), None),
                    found => (None, found),
                };
                case.uncounted = uncounted;
                Ok(counted)
            }
            Stage::LastResort => Ok(case.uncounted.take()),
            _ => Ok(None),
        }
    }

    fn verdict(&self, rulebook: &Rulebook, position: &Position) -> Option<Verdict> {
        let turn = position.turn();
        let memory = self.recurrence.memories.place((position.last[turn], position.last[!turn]))?;
        let number = position.number().checked_mul(self.recurrence.sign)?;
        let score = self.recurrence.score(&self.strip, number, memory)?;
        match self.recurrence.counting {
            Counting::Moves => Some(score.verdict()),
            Counting::Alone => None,
            // The ending itself is always known.
            Counting::Nothing => match rulebook.situation(position) {
                Situation::Over(outcome) => Some(Verdict::new(Value::from_outcome(outcome, turn), 0)),
                _ => Some(Verdict::of_unknown_length(value_of(score))),
            },
        }
    }

    fn bytes(&self) -> u64 {
        self.strip.bytes() + self.recurrence.bytes()
    }

    /// The winner at every number, in stretches from the lowest number up; `None` inside them if it depends
    /// on the last moves. Omits numbers without a turn. `last` restricts the query to certain last moves,
    /// one's own and the other's. Returns `None` if play can't reach those, or if a table fits: a chart needs it.
    fn stretches(
        &self,
        rulebook: &Rulebook,
        last: Option<Memory>,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Piece<Option<Value>>>>, Unsolved> {
        if self.spares_a_table {
            return Ok(None);
        }
        let Recurrence { memories, lowest, highest, ended, .. } = &self.recurrence;
        let (opening, turn) = (rulebook.opening(Player::One), Player::One);
        let keeps_own = rulebook.remembers(turn, turn);
        let own = |last: Memory| (last.0.filter(|_| keeps_own), last.1);
        // After two turns both players have a last move.
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
        // The opening has no last moves.
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

    fn has_no_table(&self) -> bool {
        !self.spares_a_table
    }

    fn spared_a_table(&self) -> bool {
        self.spares_a_table
    }
}

/// Flips the sign of stretches.
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

/// Whether to count the moves to the end, or only find the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    Moves,
    Nothing,
    /// The fewest moves to a win for a player alone. Every reachable ending is a win, and a move to a number
    /// that can't be won counts as illegal.
    Alone,
}

impl Counting {
    fn score(self, verdict: Verdict) -> i64 {
        let score = i64::from_verdict(verdict);
        match self {
            Counting::Moves => score,
            Counting::Nothing => score.signum(),
            // A loss for the player to move is a win for the player who moved there.
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

    /// How much a move improves per period, given how much its result improves.
    fn slope_before_move(self, slope: i64) -> i64 {
        if self == Counting::Alone { slope } else { -slope }
    }
}

/// Whether a book only adds to and multiplies a shared one-way number, with no memory but last moves.
fn suits(rulebook: &Rulebook) -> bool {
    rulebook.numbers() == Numbers::Shared
        && rulebook.stuck() != Stuck::Closest
        && adds_and_multiplies(rulebook)
}

/// Whether all moves are unconditional, unlimited additions or multiplications in one direction.
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
