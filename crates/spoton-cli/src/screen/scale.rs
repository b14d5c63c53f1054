//! Where a number stands on a number line.
//!
//! In proportion as long as every number has a column, or every hop can be seen. Where the small ones could not, the line gives small steps more room and
//! large ones less, just as much as it takes. What is larger never stands further left.

/// A hop has to go over so many columns to be seen.
const LEGIBLE: f64 = 2.0;
/// What counts of the difference of two numbers: all of it, then less and less, and at last only that there is one.
const POWERS: [f64; 7] = [1.0, 0.75, 0.5, 0.35, 0.2, 0.1, 0.0];

#[derive(Clone, Debug)]
pub struct Scale {
    /// Numbers in their order, with their columns; between them, the line goes in proportion.
    knots: Vec<(i128, f64)>,
    width: u16,
}

impl Scale {
    /// A line of so many columns from one number to another, on which hops from number to number are to be seen. `past` is
    /// how many columns are left free at either end, for what lies beyond.
    pub fn new(ends: (i128, i128), hops: &[(i128, i128)], width: u16, past: (u16, u16)) -> Scale {
        let (lowest, highest) = (ends.0.min(ends.1), ends.0.max(ends.1));
        let room = f64::from(width.saturating_sub(1).saturating_sub(past.0 + past.1));
        let within = |number: i128| number.clamp(lowest, highest);
        let hops: Vec<(i128, i128)> = hops
            .iter()
            .map(|(from, to)| (within(*from), within(*to)))
            .filter(|(from, to)| from != to)
            .collect();
        let mut numbers: Vec<i128> = hops.iter().flat_map(|(from, to)| [*from, *to]).collect();
        numbers.extend([lowest, highest]);
        numbers.sort_unstable();
        numbers.dedup();
        let with = |power: f64| Scale { knots: spread(&numbers, power, f64::from(past.0), room), width };
        let shows = |scale: &Scale| {
            hops.iter().all(|(from, to)| (scale.place(*from) - scale.place(*to)).abs() >= LEGIBLE)
        };
        // Where every number has a column of its own, nothing has to be seen better: the line stays as it is all along.
        if difference(lowest, highest) <= room {
            return with(1.0);
        }
        POWERS.into_iter().map(with).find(shows).unwrap_or_else(|| with(0.0))
    }

    /// The column of a number. What lies beyond the ends stands at the edge.
    pub fn column(&self, number: i128) -> u16 {
        let beyond = |knot: Option<&(i128, f64)>, less: bool| {
            knot.is_some_and(|(end, _)| if less { number < *end } else { number > *end })
        };
        let last = self.width.saturating_sub(1);
        match () {
            () if beyond(self.knots.first(), true) => 0,
            () if beyond(self.knots.last(), false) => last,
            () => (self.place(number).round() as u16).min(last),
        }
    }

    /// Where a number between the ends stands.
    fn place(&self, number: i128) -> f64 {
        let after = self.knots.partition_point(|(knot, _)| *knot < number);
        match (after.checked_sub(1).and_then(|before| self.knots.get(before)), self.knots.get(after)) {
            (Some((low, from)), Some((high, to))) => {
                let share = difference(*low, number) / difference(*low, *high);
                from + share * (to - from)
            }
            (None, Some((_, place))) | (Some((_, place)), None) => *place,
            (None, None) => 0.0,
        }
    }
}

fn spread(numbers: &[i128], power: f64, from: f64, room: f64) -> Vec<(i128, f64)> {
    let steps: Vec<f64> = numbers.windows(2).map(|pair| difference(pair[0], pair[1]).powf(power)).collect();
    let all: f64 = steps.iter().sum();
    let mut taken = 0.0;
    let places = std::iter::once(0.0).chain(steps.iter().map(|step| {
        taken += step;
        taken / all
    }));
    numbers.iter().copied().zip(places.map(|share| from + share * room)).collect()
}

fn difference(low: i128, high: i128) -> f64 {
    high.saturating_sub(low) as f64
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

    /// What is larger never stands further left, and everything is on the line.
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
    fn what_lies_beyond_stands_apart_from_the_end() {
        let scale = Scale::new((1, 20), &[(8, 16)], 77, (0, 5));
        assert_eq!(columns(&scale, &[20, 21, 32]), [71, 76, 76]);
        let scale = Scale::new((0, 20), &[], 77, (5, 0));
        assert_eq!(columns(&scale, &[-3, 0, 20]), [0, 5, 76]);
    }

    /// Eight hops that double, however far up: none of them is lost.
    #[test]
    fn the_last_eight_can_be_told_apart() {
        for first in 0..52 {
            let hops: Vec<(i128, i128)> = (first..first + 8).map(|power| (1 << power, 2 << power)).collect();
            let scale = Scale::new((1, HUGE), &hops, 76, (0, 5));
            for (from, to) in hops {
                assert!(scale.column(to) >= scale.column(from) + 2, "{from} to {to}");
            }
        }
    }
}
