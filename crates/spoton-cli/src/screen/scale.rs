//! The column of a number on a number line.

use spoton::view::scale::{self, Room, difference};

/// The minimum width of a legible hop, in columns.
const LEGIBLE: f64 = 2.0;

#[derive(Clone, Debug)]
pub struct Scale {
    places: scale::Scale,
    ends: (i128, i128),
    width: u16,
}

impl Scale {
    /// A scale from one number to another that keeps `hops` visible. `past` is the number of free columns at each end,
    /// for numbers beyond it.
    pub fn new(ends: (i128, i128), hops: &[(i128, i128)], width: u16, past: (u16, u16)) -> Scale {
        let ends = (ends.0.min(ends.1), ends.0.max(ends.1));
        let columns = f64::from(width.saturating_sub(1).saturating_sub(past.0 + past.1));
        let room = Room { from: f64::from(past.0), width: columns, legible: LEGIBLE };
        // If every number has a column, stay proportional.
        if difference(ends.0, ends.1) <= columns {
            return Scale { places: scale::Scale::proportional(ends, room), ends, width };
        }
        let within = |number: i128| number.clamp(ends.0, ends.1);
        let hops: Vec<(i128, i128)> = hops.iter().map(|(from, to)| (within(*from), within(*to))).collect();
        let numbers = hops.iter().flat_map(|(from, to)| [*from, *to]).chain([ends.0, ends.1]);
        Scale { places: scale::Scale::new(numbers, &hops, room), ends, width }
    }

    /// The column of a number. Numbers beyond the ends are at the edge.
    pub fn column(&self, number: i128) -> u16 {
        let last = self.width.saturating_sub(1);
        match number {
            number if number < self.ends.0 => 0,
            number if number > self.ends.1 => last,
            number => (self.places.place(number).round() as u16).min(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUGE: i128 = 1_000_000_000_000_000_000;

    fn columns(scale: &Scale, numbers: &[i128]) -> Vec<u16> {
        numbers.iter().map(|number| scale.column(*number)).collect()
    }

    #[test]
    fn in_proportion_where_everything_can_be_seen() {
        let scale = Scale::new((1, 20), &[(1, 2), (2, 4), (4, 5)], 77, (0, 0));
        assert_eq!(columns(&scale, &[1, 2, 4, 5, 10, 20]), [0, 4, 12, 16, 36, 76]);
        let scale = Scale::new((21, 0), &[(21, 18)], 64, (0, 0));
        assert_eq!(columns(&scale, &[0, 18, 21]), [0, 54, 63]);
    }

    #[test]
    fn small_hops_get_room_before_a_far_target() {
        for target in [100, 1000, 1_000_000, HUGE] {
            let scale = Scale::new((1, target), &[(1, 2), (2, 4), (4, 5)], 76, (0, 0));
            let columns = columns(&scale, &[1, 2, 4, 5, target]);
            assert_eq!((columns[0], columns[4]), (0, 75));
            assert!(columns.windows(2).all(|pair| pair[1] >= pair[0] + 2), "{columns:?} for {target}");
        }
    }

    /// A larger number is never further left, and every number is on the line.
    #[test]
    fn always_in_order() {
        let doubling: Vec<(i128, i128)> = (0..60).map(|power| (1 << power, 2 << power)).collect();
        let negative = [(-7, -4), (-4, -8), (-8, 992)];
        let beyond = [(-HUGE, HUGE), (0, HUGE * HUGE), (5, 5), (i128::MIN, i128::MAX)];
        for (ends, hops) in [
            ((1, HUGE), &doubling[..]),
            ((1, HUGE), &doubling[50..58]),
            ((-50, 1000), &negative),
            ((-HUGE, 990 - HUGE), &negative),
            ((0, 20), &beyond),
            ((3, 3), &beyond),
            ((i128::MIN, i128::MAX), &beyond),
        ] {
            for width in [0, 1, 2, 10, 76, 250] {
                for past in [(0, 0), (0, 5), (5, 0)] {
                    let scale = Scale::new(ends, hops, width, past);
                    let mut numbers: Vec<i128> = hops.iter().flat_map(|(from, to)| [*from, *to]).collect();
                    numbers.extend([ends.0, ends.1, 0, 1, 7, HUGE, -HUGE, HUGE + 1]);
                    numbers.sort_unstable();
                    let columns = columns(&scale, &numbers);
                    assert!(columns.is_sorted(), "{columns:?}");
                    assert!(columns.iter().all(|column| *column < width.max(1)));
                }
            }
        }
    }

    #[test]
    fn numbers_beyond_the_end_are_separate_from_it() {
        let scale = Scale::new((1, 20), &[(8, 16)], 77, (0, 5));
        assert_eq!(columns(&scale, &[20, 21, 32]), [71, 76, 76]);
        let scale = Scale::new((0, 20), &[], 77, (5, 0));
        assert_eq!(columns(&scale, &[-3, 0, 20]), [0, 5, 76]);
    }

    /// Eight doubling hops are visible at any height.
    #[test]
    fn the_last_eight_are_distinguishable() {
        for first in 0..52 {
            let hops: Vec<(i128, i128)> = (first..first + 8).map(|power| (1 << power, 2 << power)).collect();
            let scale = Scale::new((1, HUGE), &hops, 76, (0, 5));
            for (from, to) in hops {
                assert!(scale.column(to) >= scale.column(from) + 2, "{from} to {to}");
            }
        }
    }
}
