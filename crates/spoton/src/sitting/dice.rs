//! Chance that can be repeated: the same seed gives the same draws, wherever a round is taken up again.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::batch::{ODD, mixed};

/// All the chance of a sitting, made from one seed.
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

    /// Other dice, to be had from these: a second match draws anew.
    #[must_use]
    pub fn again(self) -> Dice {
        Dice { seed: self.seed.wrapping_add(1) }
    }

    /// The seed that gives the same draws again.
    pub fn seed(self) -> u64 {
        self.seed
    }

    /// Every draw has a stream of its own, so that none depends on how many came before it.
    fn stream(self, what: u64, round: u32, ply: usize) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(what << 62 | u64::from(round) << 30 | ply as u64);
        generator
    }

    /// Who starts.
    pub fn coin(self) -> bool {
        self.stream(0, 0, 0).random_range(0..2) == 1
    }

    /// The target of a round; `attempt` counts those that did not fit. Of no targets at all, it is the start of the span.
    pub fn target(self, round: u32, attempt: usize, targets: RangeInclusive<i64>) -> i64 {
        if targets.is_empty() {
            return *targets.start();
        }
        self.stream(1, round, attempt).random_range(targets)
    }

    /// A number from 0 to 1, for the move at this point of a round.
    pub fn draw(self, round: u32, ply: usize) -> f64 {
        self.stream(2, round, ply).random()
    }
}

/// The chance of one round of millions: repeated as faithfully as that of [`Dice`], at next to no cost.
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

/// How many draws there are: as many as the bits of a number from 0 to 1 can tell apart, so that it stays below 1.
pub(super) const DRAWS: u64 = 1 << f64::MANTISSA_DIGITS;

impl QuickDice {
    /// The dice of a round, by the number that it has among those of one seed.
    pub fn new(seed: u64, round: u64) -> QuickDice {
        QuickDice::of_seed(seed).of_round(round)
    }

    /// What the dice of all rounds of a seed are made from.
    pub(super) fn of_seed(seed: u64) -> QuickDice {
        QuickDice { stream: mixed(seed.wrapping_add(ODD)) }
    }

    /// The dice of one of its rounds.
    #[inline]
    pub(super) fn of_round(self, round: u64) -> QuickDice {
        QuickDice { stream: self.at(round) }
    }

    /// Who starts.
    pub fn coin(self) -> bool {
        drawn(self.whole_draw_at(0)) < 0.5
    }

    /// A number from 0 to 1, for the move after so many turns.
    #[inline]
    pub fn draw(self, turns: u32) -> f64 {
        drawn(self.whole_draw(turns))
    }

    /// The same as a whole number below [`DRAWS`].
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

/// The number from 0 to 1 that is drawn by a whole one.
#[inline]
pub(super) fn drawn(whole: u64) -> f64 {
    whole as f64 / DRAWS as f64
}
