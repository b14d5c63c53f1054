//! 95% intervals for percentages, including clustered counts.
//!
//! Rounds of one game are correlated: a player who understands the game wins them all. Counting them as independent
//! would make the interval far too narrow. So a game's rounds form one cluster, and so do a round's choices. Handwritten,
//! because it's a few lines, and a statistics crate would add its plain form without the clusters.
//!
//! ```
//! use spoton::evaluate::interval::{Clusters, interval};
//!
//! // 20 games, 10 rounds each. The player wins all rounds of one half and none of the other.
//! let games = (0..20).map(|game| if game % 2 == 0 { (10.0, 10.0) } else { (0.0, 10.0) });
//! let [low, high] = Clusters::from_pairs(games).interval().unwrap();
//! assert!(low < 0.3 && high > 0.7);
//! // 200 independent rounds would give a narrower interval.
//! let [low, high] = interval(100, 200).unwrap();
//! assert!(low > 0.4 && high < 0.6);
//! ```

/// The 97.5% quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 95% interval for a share of independent trials (Wilson's interval); `None` if there are no trials.
pub fn interval(part: u32, whole: u32) -> Option<[f64; 2]> {
    (whole > 0).then(|| wilson(f64::from(part) / f64::from(whole), f64::from(whole), Z))
}

/// Wilson's interval for a share, given the number of trials and a quantile.
fn wilson(share: f64, trials: f64, quantile: f64) -> [f64; 2] {
    let square = quantile * quantile;
    let scale = 1.0 / (1.0 + square / trials);
    let centre = scale * (share + square / (2.0 * trials));
    let variance = share * (1.0 - share) / trials + square / (4.0 * trials * trials);
    let spread = scale * quantile * variance.sqrt();
    // Exact at the ends, where rounding would leave a trace.
    let low = if share <= 0.0 { 0.0 } else { (centre - spread).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + spread).min(1.0) };
    [low, high]
}

/// The 97.5% quantile of Student's t-distribution (Cornish-Fisher expansion, exact for 1 and 2 degrees of freedom).
fn student(degrees: f64) -> f64 {
    if degrees < 1.5 {
        return 12.706_204_736_432_095;
    }
    if degrees < 2.5 {
        return 4.302_652_729_696_142;
    }
    let power = |exponent| Z.powi(exponent);
    let terms = [
        (power(3) + Z) / 4.0,
        (5.0 * power(5) + 16.0 * power(3) + 3.0 * Z) / 96.0,
        (3.0 * power(7) + 19.0 * power(5) + 17.0 * power(3) - 15.0 * Z) / 384.0,
        (79.0 * power(9) + 776.0 * power(7) + 1482.0 * power(5) - 1920.0 * power(3) - 945.0 * Z) / 92160.0,
    ];
    // Horner's scheme in 1 / degrees.
    Z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / degrees)
}

/// Clustered counts, each a part and a whole, stored as the sums that an interval needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clusters {
    clusters: f64,
    part: f64,
    whole: f64,
    part_by_part: f64,
    part_by_whole: f64,
    whole_by_whole: f64,
    /// The largest cluster's whole.
    largest: f64,
}

impl Clusters {
    /// Builds clusters from a list of parts and wholes.
    pub fn from_pairs(clusters: impl IntoIterator<Item = (f64, f64)>) -> Clusters {
        let mut sums = Clusters::default();
        clusters.into_iter().for_each(|(part, whole)| sums.add(part, whole));
        sums
    }

    /// Adds a cluster. An empty one doesn't count.
    pub fn add(&mut self, part: f64, whole: f64) {
        if part > 0.0 || whole > 0.0 {
            self.clusters += 1.0;
            self.part += part;
            self.whole += whole;
            self.part_by_part += part * part;
            self.part_by_whole += part * whole;
            self.whole_by_whole += whole * whole;
            self.largest = self.largest.max(whole);
        }
    }

    /// Adds another set of clusters.
    pub fn merge(&mut self, other: &Clusters) {
        self.clusters += other.clusters;
        self.part += other.part;
        self.whole += other.whole;
        self.part_by_part += other.part_by_part;
        self.part_by_whole += other.part_by_whole;
        self.whole_by_whole += other.whole_by_whole;
        self.largest = self.largest.max(other.largest);
    }

    /// The share over all clusters; `None` if the whole is 0.
    pub fn share(&self) -> Option<f64> {
        (self.whole > 0.0).then(|| self.part / self.whole)
    }

    /// The 95% interval for a share of at most 1, for identically distributed clusters.
    ///
    /// This is Wilson's interval for the effective number of independent trials, with Student's quantile. If no cluster
    /// has more than one trial, it's the plain Wilson interval.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let share = self.share()?.min(1.0);
        if self.largest <= 1.0 {
            return Some(wilson(share, self.whole, Z));
        }
        if self.clusters < 2.0 {
            // One cluster counts as one trial.
            return Some(wilson(share, 1.0, Z));
        }
        let (typical, variance) = self.spread();
        // Can't exceed the number of trials if all were independent.
        let trials = (typical * (1.0 - typical) / variance).min(self.whole);
        Some(wilson(share, trials, student(self.clusters - 1.0)))
    }

    /// The 95% interval for a ratio that may exceed 1, for identically distributed clusters; `None` if there are fewer
    /// than two.
    pub fn ratio_interval(&self) -> Option<[f64; 2]> {
        let share = self.share()?;
        if self.clusters < 2.0 {
            return None;
        }
        let spread = student(self.clusters - 1.0) * self.spread().1.sqrt();
        let [low, high] = [(share - spread).max(0.0), share + spread];
        // Near 0, a symmetric interval is too narrow.
        match self.interval().filter(|_| share <= 1.0) {
            Some([lower, higher]) => Some([low.min(lower), high.max(higher)]),
            None => Some([low, high]),
        }
    }

    /// The share and its variance between clusters (the linearized variance of a ratio).
    ///
    /// Adds half a cluster with every trial a success and half a cluster with none. Otherwise a share of 0 or 1 would
    /// seem certain.
    fn spread(&self) -> (f64, f64) {
        let usual = self.whole / self.clusters;
        let clusters = self.clusters + 1.0;
        let (part, whole) = (self.part + usual / 2.0, self.whole + usual);
        let part_by_part = self.part_by_part + usual * usual / 2.0;
        let part_by_whole = self.part_by_whole + usual * usual / 2.0;
        let whole_by_whole = self.whole_by_whole + usual * usual;
        let share = part / whole;
        let squares = part_by_part - 2.0 * share * part_by_whole + share * share * whole_by_whole;
        let variance = squares.max(0.0) / (whole * whole) * clusters / (clusters - 1.0);
        (share, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close([low, high]: [f64; 2], (a, b): (f64, f64)) -> bool {
        (low - a).abs() < 5e-4 && (high - b).abs() < 5e-4
    }

    /// Values from a table of Wilson intervals.
    #[test]
    fn intervals_are_wilsons() {
        assert!(close(interval(0, 10).unwrap(), (0.0, 0.2775)));
        assert!(close(interval(5, 10).unwrap(), (0.2366, 0.7634)));
        assert!(close(interval(81, 263).unwrap(), (0.2553, 0.3662)));
        assert_eq!(interval(0, 0), None);
        // Reports print these bounds, so 0 and 1 are exact.
        for trials in 1..200 {
            let trials = f64::from(trials) * 0.72;
            assert_eq!((wilson(0.0, trials, Z)[0], wilson(1.0, trials, Z)[1]), (0.0, 1.0), "{trials}");
        }
    }

    /// Values from a table of Student's t-distribution.
    #[test]
    fn quantiles_are_students() {
        for (degrees, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (5.0, 2.571),
            (10.0, 2.228),
            (30.0, 2.042),
            (49.0, 2.010),
            (120.0, 1.980),
        ] {
            assert!((student(degrees) - quantile).abs() < 5e-3, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn trials_of_their_own_are_independent() {
        let alone = Clusters::from_pairs((0..263).map(|trial| (f64::from(u8::from(trial < 81)), 1.0)));
        assert!(close(alone.interval().unwrap(), (0.2553, 0.3662)));
        assert_eq!(Clusters::default().interval(), None);
        assert_eq!(Clusters::from_pairs([(0.0, 0.0)]).interval(), None);
    }

    /// Fifty perfect games are fifty trials, no matter how many rounds they have.
    #[test]
    fn a_perfect_score_still_has_an_interval() {
        for rounds in [2.0, 20.0] {
            let [low, high] = Clusters::from_pairs((0..50).map(|_| (rounds, rounds))).interval().unwrap();
            assert!((0.90..0.95).contains(&low) && high == 1.0, "{low}-{high}");
            let [low, high] = Clusters::from_pairs((0..50).map(|_| (0.0, rounds))).interval().unwrap();
            assert!((0.05..0.10).contains(&high) && low == 0.0, "{low}-{high}");
        }
    }

    #[test]
    fn ratios_can_be_more_than_one() {
        let games = (0..20).map(|game| (f64::from(game % 4) + 1.0, 2.0));
        let [low, high] = Clusters::from_pairs(games).ratio_interval().unwrap();
        assert!((0.9..1.25).contains(&low) && (1.25..1.6).contains(&high), "{low}-{high}");
        assert_eq!(Clusters::from_pairs([(1.0, 2.0)]).ratio_interval(), None);
        // No success in fifty trials means at most about 7%, also when treated as a ratio.
        let nothing = Clusters::from_pairs((0..50).map(|_| (0.0, 0.9)));
        assert!(nothing.ratio_interval().unwrap()[1] > 0.07);
    }
}
