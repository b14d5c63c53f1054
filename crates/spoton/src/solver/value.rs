//! What a position is worth, in order from worst to best, and how that looks from the other side.

use std::cmp::Ordering;
use std::ops::Not;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI16, AtomicI32, AtomicI64};

use crate::engine::play::Outcome;
use crate::engine::position::Player;

/// Win, loss or draw for the player on turn when both play perfectly. The best is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other player can force a win.
    Loss,
    /// Neither can.
    Draw,
    /// The player on turn can force a win.
    Win,
}

impl Value {
    /// Who can force a win if this is what the player on turn can force.
    pub fn winner(self, turn: Player) -> Option<Player> {
        match self {
            Value::Win => Some(turn),
            Value::Draw => None,
            Value::Loss => Some(!turn),
        }
    }

    /// The word that JSON uses.
    pub fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }

    /// What an outcome is worth to a player.
    pub fn of(outcome: Outcome, player: Player) -> Value {
        match outcome.winner {
            Some(winner) if winner == player => Value::Win,
            Some(_) => Value::Loss,
            None => Value::Draw,
        }
    }
}

impl Not for Value {
    type Output = Value;

    /// The value to the other player.
    fn not(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

/// A value, and the number of moves until the end when the winner hurries and the loser delays.
///
/// Ordered by what a player prefers: a win, the sooner the better; a draw; a loss, the later the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Who can force what.
    pub value: Value,
    /// The moves until the end, skipped turns counted; 0 for a draw, which has none, and [`UNKNOWN`] if nobody knows.
    moves: u64,
}

/// More moves than any round has: stands for a remoteness that is not known. A player who has to choose takes what ends at
/// once for shorter than that, which it is.
const UNKNOWN: u64 = u64::MAX;

impl Verdict {
    /// Neither can force a win.
    pub const DRAW: Verdict = Verdict { value: Value::Draw, moves: 0 };

    /// A verdict with its remoteness, which a draw does not have.
    pub fn new(value: Value, remoteness: u64) -> Verdict {
        match value {
            Value::Draw => Verdict::DRAW,
            value => Verdict { value, moves: remoteness },
        }
    }

    /// A win or a loss in nobody knows how many moves.
    pub(crate) fn of_unknown_length(value: Value) -> Verdict {
        Verdict::new(value, UNKNOWN)
    }

    /// The number of moves until the end; `None` for a draw, and where it is not known.
    pub fn remoteness(self) -> Option<u64> {
        (self.value != Value::Draw && self.moves != UNKNOWN).then_some(self.moves)
    }

    /// Whether it is known who wins, but not in how many moves: a game can be too large to count them.
    pub fn is_of_unknown_length(self) -> bool {
        self.value != Value::Draw && self.moves == UNKNOWN
    }

    /// What a move is worth to the player who makes it, from what the position after it is worth to the other.
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

/// A verdict as one number of the same order, so that the best move is the greatest and needs no branch.
///
/// A win in `r` is `MAX - r`, a loss in `r` is `r - MAX`, a draw is 0.
pub(super) trait Score: Copy + Ord + Send + Sync {
    /// A place for a score that several threads can share, of the same size.
    type Cell: Send + Sync;
    const DRAW: Self;
    /// Below every score: there was nothing to choose.
    const NONE: Self;
    fn of(verdict: Verdict) -> Self;
    fn verdict(self) -> Verdict;
    /// [`Verdict::before_move`].
    fn before_move(self) -> Self;
    /// The same scores to be shared, and back. They stay where they are, untouched.
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

            fn of(verdict: Verdict) -> $type {
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

            // Whoever reads what another thread wrote has waited for it to say so.
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

// Two or four bytes are enough for every table whose rounds are all shorter than the greatest score.
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
            assert_eq!(i32::of(*a).verdict(), *a);
            assert_eq!(i64::of(*a).verdict(), *a);
            assert_eq!(i32::of(*a).before_move(), i32::of(a.before_move()));
            assert_eq!(i64::of(*a).before_move(), i64::of(a.before_move()));
            for b in &verdicts {
                assert_eq!(i32::of(*a).cmp(&i32::of(*b)), a.cmp(b));
                assert_eq!(i64::of(*a).cmp(&i64::of(*b)), a.cmp(b));
            }
        }
        let beyond = Verdict::new(Value::Loss, 1 << 40);
        assert_eq!(i64::of(beyond).verdict(), beyond);
    }
}
