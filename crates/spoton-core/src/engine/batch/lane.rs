//! The integer types of lanes: 16, 32 or 64 bits.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A number in a lane, or a mask: all bits set for true, none for false.
pub(super) trait Lane:
    Copy
    + PartialOrd
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    const MIN: Self;
    const MAX: Self;
    /// Every processor has instructions for several lanes of this width together, including products and comparisons.
    const VECTORS: bool;

    /// Returns `None` if the number doesn't fit with one to spare at both ends.
    fn from_wide(number: i128) -> Option<Self>;
    fn wide(self) -> i64;

    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;

    fn mask(is_so: bool) -> Self;

    /// Selects by mask: `one` where it's set, else `other`.
    #[inline(always)]
    fn choose(self, one: Self, other: Self) -> Self {
        (self & one) | (!self & other)
    }

    /// [`Dice::pick`](super::chance::Dice::pick) in the lane's width: a choice from a draw in two halves, and
    /// the rest of the draw.
    fn pick(self, high: u16, low: u16) -> (Self, u16, u16);
}

/// The upper and lower halves of the product.
#[inline(always)]
fn product(one: u16, other: u16) -> (u16, u16) {
    let product = u32::from(one) * u32::from(other);
    ((product >> 16) as u16, product as u16)
}

macro_rules! lane {
    ($number:ty, $vectors:literal, |$choices:ident, $high:ident, $low:ident| $pick:expr) => {
        impl Lane for $number {
            const ZERO: $number = 0;
            const ONE: $number = 1;
            const MIN: $number = <$number>::MIN;
            const MAX: $number = <$number>::MAX;
            const VECTORS: bool = $vectors;

            fn from_wide(number: i128) -> Option<$number> {
                <$number>::try_from(number)
                    .ok()
                    .filter(|number| *number > <$number>::MIN && *number < <$number>::MAX)
            }

            #[inline(always)]
            fn wide(self) -> i64 {
                self.into()
            }

            #[inline(always)]
            fn plus(self, other: $number) -> $number {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: $number) -> $number {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn times(self, other: $number) -> $number {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn larger(self, other: $number) -> $number {
                if self > other { self } else { other }
            }

            #[inline(always)]
            fn mask(is_so: bool) -> $number {
                -<$number>::from(is_so)
            }

            #[inline(always)]
            fn pick(self, $high: u16, $low: u16) -> ($number, u16, u16) {
                let $choices = self;
                $pick
            }
        }
    };
}

lane!(i16, true, |choices, high, low| {
    let (carried, left_low) = product(low, choices as u16);
    let (picked, upper) = product(high, choices as u16);
    let left_high = upper.wrapping_add(carried);
    let carry = u16::from(left_high < carried);
    (picked.wrapping_add(carry) as i16, left_high, left_low)
});

lane!(i32, true, |choices, high, low| {
    // There are few choices, so this can't overflow.
    let lower = u32::from(low) * choices as u32;
    let upper = u32::from(high) * choices as u32 + (lower >> 16);
    ((upper >> 16) as i32, upper as u16, lower as u16)
});

lane!(i64, false, |choices, high, low| {
    let product = (u64::from(high) << 16 | u64::from(low)) * choices as u64;
    ((product >> 32) as i64, (product >> 16) as u16, product as u16)
});
