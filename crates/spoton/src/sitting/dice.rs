//! Reproducible randomness: a seed gives the same draws, even after resuming.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::batch::{ODD, mixed};

/// A sitting's randomness, from one seed.
///
/// ```
/// use spoton::sitting::Dice;
///
/// let dice = Dice::new(7);
/// assert_eq!(dice.draw(1, 0), Dice::new(7).draw(1, 0));
/// assert_ne!(dice.draw(1, 0), dice.draw(1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    seed: u64,
}

impl Dice {
    /// Dice with a seed.
    pub fn new(seed: u64) -> Dice {
        Dice { seed }
    }

    /// Different dice derived from these, for a second match.
    #[must_use]
    pub fn again(self) -> Dice {
        Dice { seed: self.seed.wrapping_add(1) }
    }

    /// The seed.
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// Each draw has its own stream, so no draw depends on earlier ones.
    fn stream(self, what: u64, round: u32, ply: usize) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(what << 62 | u64::from(round) << 30 | ply as u64);
        generator
    }

    /// The coin toss for who starts.
    pub fn coin(self) -> bool {
        self.stream(0, 0, 0).random_range(0..2) == 1
    }

    /// A round's random target. `attempt` counts rejected targets. If the range is empty, returns its start.
    pub fn target(self, round: u32, attempt: usize, targets: RangeInclusive<i64>) -> i64 {
        if targets.is_empty() {
            return *targets.start();
        }
        self.stream(1, round, attempt).random_range(targets)
    }

    /// A number from 0 to 1 for the move at this point in a round.
    pub fn draw(self, round: u32, ply: usize) -> f64 {
        self.stream(2, round, ply).random()
    }
}

/// Randomness for millions of rounds: reproducible like [`Dice`], but much cheaper. Each round has its own.
///
/// ```
/// use spoton::sitting::QuickDice;
///
/// let dice = QuickDice::new(7, 1);
/// assert_eq!(dice.draw(3), QuickDice::new(7, 1).draw(3));
/// assert_ne!(dice.draw(3), QuickDice::new(7, 2).draw(3));
/// assert_ne!(dice.draw(3), QuickDice::new(8, 1).draw(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuickDice {
    stream: u64,
}

/// The number of distinct draws: as many evenly spaced values as an `f64` from 0 to 1 can represent.
pub(super) const DRAWS: u64 = 1 << f64::MANTISSA_DIGITS;

impl QuickDice {
    /// The dice for a seed's round with this index.
    pub fn new(seed: u64, round: u64) -> QuickDice {
        QuickDice::of_seed(seed).of_round(round)
    }

    /// The base for the dice of all of a seed's rounds.
    pub(super) fn of_seed(seed: u64) -> QuickDice {
        QuickDice { stream: mixed(seed.wrapping_add(ODD)) }
    }

    /// The dice for one of the seed's rounds.
    #[inline]
    pub(super) fn of_round(self, round: u64) -> QuickDice {
        QuickDice { stream: self.at(round) }
    }

    /// The coin toss for who starts.
    pub fn coin(self) -> bool {
        drawn(self.whole_draw_at(0)) < 0.5
    }

    /// A number from 0 to 1 for the move after this many turns.
    #[inline]
    pub fn draw(self, turns: u32) -> f64 {
        drawn(self.whole_draw(turns))
    }

    /// The same as an integer below [`DRAWS`].
    #[inline]
    pub(super) fn whole_draw(self, turns: u32) -> u64 {
        self.whole_draw_at(u64::from(turns) + 1)
    }

    #[inline]
    fn whole_draw_at(self, place: u64) -> u64 {
        self.at(place) >> (u64::BITS - f64::MANTISSA_DIGITS)
    }

    #[inline]
    fn at(self, place: u64) -> u64 {
        mixed(self.stream.wrapping_add(place.wrapping_mul(ODD)))
    }
}

/// Converts an integer draw to a number from 0 to 1.
#[inline]
pub(super) fn drawn(whole: u64) -> f64 {
    whole as f64 / DRAWS as f64
}
