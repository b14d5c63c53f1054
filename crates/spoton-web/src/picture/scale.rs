//! Where the numbers of a picture stand on its line.

use std::collections::BTreeSet;

use super::WIDTH;

/// On either side of the line.
const MARGIN: f64 = 20.0;
/// A hop has to be so wide to be seen, with its label.
pub const LEGIBLE: f64 = 17.0;
/// What counts of the difference of two numbers: all of it, then less and less, and at last only that there is one.
const POWERS: [f64; 7] = [1.0, 0.75, 0.5, 0.35, 0.2, 0.1, 0.0];

/// Where numbers stand: in proportion if every hop can be seen then. Else small steps get more room and large ones less,
/// just as much as it takes. What is larger never stands further left.
pub struct Scale(Vec<(i128, f64)>);

impl Scale {
    pub fn of(numbers: BTreeSet<i128>, hops: &[(i128, i128)]) -> Scale {
        let shows = |scale: &Scale| {
            let wide =
                |(from, to): &(i128, i128)| from == to || (scale.x(*from) - scale.x(*to)).abs() >= LEGIBLE;
            hops.iter().all(wide)
        };
        let spread = |power: f64| Scale::spread(&numbers, power);
        POWERS.into_iter().map(spread).find(shows).unwrap_or_else(|| spread(0.0))
    }

    fn spread(numbers: &BTreeSet<i128>, power: f64) -> Scale {
        let steps = numbers.iter().zip(numbers.iter().skip(1)).map(|(low, high)| difference(*low, *high));
        let steps: Vec<f64> = steps.map(|step| step.powf(power)).collect();
        let all: f64 = steps.iter().sum();
        let mut before = 0.0;
        let places = std::iter::once(0.0).chain(steps.iter().map(|step| {
            before += step;
            before / all
        }));
        let places = places.map(|share| MARGIN + share * (WIDTH - 2.0 * MARGIN));
        Scale(numbers.iter().copied().zip(places).collect())
    }

    /// Where a number stands. Between numbers that have a place of their own, the line goes in proportion.
    pub fn x(&self, number: i128) -> f64 {
        let after = self.0.partition_point(|(knot, _)| *knot < number);
        match (after.checked_sub(1).and_then(|before| self.0.get(before)), self.0.get(after)) {
            (Some((low, from)), Some((high, to))) => {
                from + (to - from) * difference(*low, number) / difference(*low, *high)
            }
            (None, Some((_, place))) | (Some((_, place)), None) => *place,
            (None, None) => MARGIN,
        }
    }
}

fn difference(low: i128, high: i128) -> f64 {
    high.saturating_sub(low) as f64
}
