//! The places of numbers on a number line.
//!
//! Proportional if every hop can be seen. Otherwise the scale stretches small steps and compresses large ones, as
//! little as necessary. Invariant: a larger number is never further left.

/// Exponents for the difference between two numbers, tried in order: 1 is proportional, 0 spaces all numbers equally.
const POWERS: [f64; 7] = [1.0, 0.75, 0.5, 0.35, 0.2, 0.1, 0.0];

/// The space for a number line, in the picture's own units.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The place of the lowest number.
    pub from: f64,
    /// The distance between the lowest and the highest number.
    pub width: f64,
    /// The minimum width of a legible hop.
    pub legible: f64,
}

/// The place of every number on a line.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Numbers in order with their places. The scale is linear between them.
    knots: Vec<(i128, f64)>,
    from: f64,
}

impl Scale {
    /// A scale that gives each of `numbers` a place and keeps `hops` between them visible.
    pub fn new(numbers: impl IntoIterator<Item = i128>, hops: &[(i128, i128)], room: Room) -> Scale {
        let mut numbers: Vec<i128> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let shows = |scale: &Scale| {
            let wide = |(from, to): &(i128, i128)| {
                from == to || (scale.place(*from) - scale.place(*to)).abs() >= room.legible
            };
            hops.iter().all(wide)
        };
        let with = |power| Scale { knots: spread(&numbers, power, room), from: room.from };
        POWERS.into_iter().map(with).find(shows).unwrap_or_else(|| with(0.0))
    }

    /// A scale on which equal differences have equal lengths.
    pub fn proportional(ends: (i128, i128), room: Room) -> Scale {
        Scale { knots: spread(&[ends.0, ends.1], 1.0, room), from: room.from }
    }

    /// The place of a number: interpolated between known numbers, and at an end beyond them.
    pub fn place(&self, number: i128) -> f64 {
        let after = self.knots.partition_point(|(knot, _)| *knot < number);
        match (after.checked_sub(1).and_then(|before| self.knots.get(before)), self.knots.get(after)) {
            (Some((low, from)), Some((high, to))) => {
                from + (to - from) * (difference(*low, number) / difference(*low, *high))
            }
            (None, Some((_, place))) | (Some((_, place)), None) => *place,
            (None, None) => self.from,
        }
    }

    /// The lowest and highest numbers on the scale.
    pub fn ends(&self) -> Option<(i128, i128)> {
        Some((self.knots.first()?.0, self.knots.last()?.0))
    }
}

fn spread(numbers: &[i128], power: f64, room: Room) -> Vec<(i128, f64)> {
    let steps: Vec<f64> = numbers.windows(2).map(|pair| difference(pair[0], pair[1]).powf(power)).collect();
    let all: f64 = steps.iter().sum();
    let mut before = 0.0;
    let shares = std::iter::once(0.0).chain(steps.iter().map(|step| {
        before += step;
        before / all
    }));
    numbers.iter().copied().zip(shares.map(|share| room.from + share * room.width)).collect()
}

/// The distance between two numbers.
pub fn difference(low: i128, high: i128) -> f64 {
    high.saturating_sub(low) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Room = Room { from: 10.0, width: 200.0, legible: 4.0 };

    fn places(scale: &Scale, numbers: &[i128]) -> Vec<f64> {
        numbers.iter().map(|number| scale.place(*number)).collect()
    }

    #[test]
    fn numbers_lie_between_their_neighbours_in_proportion() {
        let scale = Scale::proportional((0, 100), ROOM);
        assert_eq!(places(&scale, &[0, 25, 50, 100]), [10.0, 60.0, 110.0, 210.0]);
        assert_eq!(places(&scale, &[-7, 101]), [10.0, 210.0], "there is nothing beyond the ends");
        // All hops are legible, so this scale is proportional too.
        let scale = Scale::new([0, 20, 100], &[(0, 20), (20, 100)], ROOM);
        assert_eq!(places(&scale, &[0, 10, 20, 60, 100]), [10.0, 30.0, 50.0, 130.0, 210.0]);
        assert_eq!(scale.ends(), Some((0, 100)));
    }

    #[test]
    fn a_short_hop_next_to_a_long_one_can_be_seen() {
        let scale = Scale::new([0, 1, 1_000_000], &[(0, 1)], ROOM);
        let short = scale.place(1) - scale.place(0);
        assert!((4.0..100.0).contains(&short), "{short}");
        assert_eq!(places(&scale, &[0, 1_000_000]), [10.0, 210.0]);
    }
}
