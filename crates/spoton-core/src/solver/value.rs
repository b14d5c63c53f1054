//! The value of a position, ordered from worst to best, and its view from the other side.

use std::cmp::Ordering;
use std::ops::Not;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI16, AtomicI32, AtomicI64};

use crate::engine::play::Outcome;
use crate::engine::position::Player;

/// Win, loss or draw for the player to move under perfect play. Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The opponent can force a win.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move can force a win.
    Win,
}

impl Value {
    /// The player who can force a win, given this value for the player to move.
    pub fn winner(self, turn: Player) -> Option<Player> {
        match self {
            Value::Win => Some(turn),
            Value::Draw => None,
            Value::Loss => Some(!turn),
        }
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }

    /// The value of an outcome to a player.
    pub fn from_outcome(outcome: Outcome, player: Player) -> Value {
        match outcome.winner {
            Some(winner) if winner == player => Value::Win,
            Some(_) => Value::Loss,
            None => Value::Draw,
        }
    }
}

impl Not for Value {
    type Output = Value;

    /// The opponent's value.
    fn not(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

/// A value, and the number of moves to the end if the winner hurries and the loser delays.
///
/// Ordered by preference: wins, quickest first; draws; losses, slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The value.
    pub value: Value,
    /// The moves to the end, including skipped turns; 0 for a draw, which has none, and [`UNKNOWN`] if
    /// unknown.
    moves: u64,
}

/// An unknown remoteness: more moves than any round has. Comparisons therefore prefer an immediate ending as
/// the shorter one, which is right.
const UNKNOWN: u64 = u64::MAX;

impl Verdict {
    /// Neither player can force a win.
    pub const DRAW: Verdict = Verdict { value: Value::Draw, moves: 0 };

    /// A verdict with its remoteness. Draws have none.
    pub fn new(value: Value, remoteness: u64) -> Verdict {
        match value {
            Value::Draw => Verdict::DRAW,
            value => Verdict { value, moves: remoteness },
        }
    }

    /// A win or a loss in an unknown number of moves.
    pub(crate) fn of_unknown_length(value: Value) -> Verdict {
        Verdict::new(value, UNKNOWN)
    }

    /// The number of moves to the end; `None` for a draw, or if unknown.
    pub fn remoteness(self) -> Option<u64> {
        (self.value != Value::Draw && self.moves != UNKNOWN).then_some(self.moves)
    }

    /// Whether the winner is known, but not the number of moves, because the game is too large to count them.
    pub fn is_of_unknown_length(self) -> bool {
        self.value != Value::Draw && self.moves == UNKNOWN
    }

    /// The verdict of a move for the player who makes it, from the opponent's verdict after it.
    #[must_use]
    pub fn before_move(self) -> Verdict {
        Verdict::new(!self.value, self.moves.saturating_add(1))
    }
}

impl Ord for Verdict {
    fn cmp(&self, other: &Verdict) -> Ordering {
        let by_moves = match self.value {
            Value::Win => other.moves.cmp(&self.moves),
            Value::Draw => Ordering::Equal,
            Value::Loss => self.moves.cmp(&other.moves),
        };
        self.value.cmp(&other.value).then(by_moves)
    }
}

impl PartialOrd for Verdict {
    fn partial_cmp(&self, other: &Verdict) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A verdict packed into an ordered integer, so that the best move is the maximum, without branches.
///
/// A win in `r` is `MAX - r`, a loss in `r` is `r - MAX`, a draw is 0.
pub(super) trait Score: Copy + Ord + Send + Sync {
    /// An atomic of the same size, to share a score between threads.
    type Cell: Send + Sync;
    const DRAW: Self;
    /// Below every score: no choice.
    const NONE: Self;
    fn from_verdict(verdict: Verdict) -> Self;
    fn verdict(self) -> Verdict;
    /// [`Verdict::before_move`].
    fn before_move(self) -> Self;
    /// Converts scores to atomics and back, in place.
    fn share(scores: Vec<Self>) -> Vec<Self::Cell>;
    fn unshare(cells: Vec<Self::Cell>) -> Vec<Self>;
    fn read(cell: &Self::Cell) -> Self;
    fn write(self, cell: &Self::Cell);
}

macro_rules! score {
    ($type:ty, $cell:ty) => {
        impl Score for $type {
            type Cell = $cell;
            const DRAW: $type = 0;
            const NONE: $type = <$type>::MIN;

            fn from_verdict(verdict: Verdict) -> $type {
                match verdict.value {
                    Value::Win => <$type>::MAX - verdict.moves as $type,
                    Value::Draw => 0,
                    Value::Loss => verdict.moves as $type - <$type>::MAX,
                }
            }

            fn verdict(self) -> Verdict {
                match self.cmp(&0) {
                    Ordering::Greater => Verdict::new(Value::Win, (<$type>::MAX - self) as u64),
                    Ordering::Equal => Verdict::DRAW,
                    Ordering::Less => Verdict::new(Value::Loss, (self + <$type>::MAX) as u64),
                }
            }

            #[inline(always)]
            fn before_move(self) -> $type {
                self.signum() - self
            }

            fn share(scores: Vec<$type>) -> Vec<$cell> {
                scores.into_iter().map(<$cell>::new).collect()
            }

            fn unshare(cells: Vec<$cell>) -> Vec<$type> {
                cells.into_iter().map(<$cell>::into_inner).collect()
            }

            // Readers have synchronized with the writing thread.
            #[inline(always)]
            fn read(cell: &$cell) -> $type {
                cell.load(Relaxed)
            }

            #[inline(always)]
            fn write(self, cell: &$cell) {
                cell.store(self, Relaxed);
            }
        }
    };
}

// Two or four bytes suffice if all rounds are shorter than the greatest score.
score!(i16, AtomicI16);
score!(i32, AtomicI32);
score!(i64, AtomicI64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_the_order_and_the_step_of_verdicts() {
        let mut verdicts = vec![Verdict::DRAW];
        for moves in [0, 1, 2, 3, 1_000_000, (1 << 31) - 3] {
            verdicts.extend([Verdict::new(Value::Win, moves), Verdict::new(Value::Loss, moves)]);
        }
        for a in &verdicts {
            assert_eq!(i32::from_verdict(*a).verdict(), *a);
            assert_eq!(i64::from_verdict(*a).verdict(), *a);
            assert_eq!(i32::from_verdict(*a).before_move(), i32::from_verdict(a.before_move()));
            assert_eq!(i64::from_verdict(*a).before_move(), i64::from_verdict(a.before_move()));
            for b in &verdicts {
                assert_eq!(i32::from_verdict(*a).cmp(&i32::from_verdict(*b)), a.cmp(b));
                assert_eq!(i64::from_verdict(*a).cmp(&i64::from_verdict(*b)), a.cmp(b));
            }
        }
        let beyond = Verdict::new(Value::Loss, 1 << 40);
        assert_eq!(i64::from_verdict(beyond).verdict(), beyond);
    }
}
