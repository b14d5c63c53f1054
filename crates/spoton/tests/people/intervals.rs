//! Intervals keep their promise: for games of varying difficulty, 19 of 20 contain the true share.
//!
//! The truth is known because the test draws the games: each has its own probability of being won, from a
//! distribution whose mean is the true share.

use spoton::evaluate::interval::{Clusters, interval};
use spoton::sitting::Dice;

/// The number of sets.
const SETS: u32 = 2000;

/// The distribution of the games in a set.
struct Kind {
    about: &'static str,
    games: usize,
    /// A game's probability for a number from 0 to 1, and the mean.
    chance: fn(f64) -> f64,
    truth: f64,
    /// A game's rounds for a number from 0 to 1.
    rounds: fn(f64) -> u32,
    /// Whether the interval fails if it treats rounds as independent.
    misleads: bool,
}

const KINDS: [Kind; 6] = [
    Kind {
        about: "understood or not",
        games: 50,
        chance: |u| if u < 0.4 { 1.0 } else { 0.0 },
        truth: 0.4,
        rounds: |_| 10,
        misleads: true,
    },
    Kind {
        about: "any chance, rounds of any number",
        games: 50,
        chance: |u| u,
        truth: 0.5,
        rounds: |u| 2 + (u * 18.0) as u32,
        misleads: true,
    },
    Kind {
        about: "mostly right",
        games: 50,
        chance: |u| if u < 0.9 { 0.98 } else { 0.3 },
        truth: 0.912,
        rounds: |_| 13,
        misleads: true,
    },
    Kind {
        about: "few games",
        games: 8,
        chance: |u| if u < 0.5 { 0.8 } else { 0.2 },
        truth: 0.5,
        rounds: |_| 20,
        misleads: true,
    },
    Kind {
        about: "all alike, so that rounds are independent",
        games: 50,
        chance: |_| 0.7,
        truth: 0.7,
        rounds: |_| 6,
        misleads: false,
    },
    Kind {
        about: "one round each",
        games: 100,
        chance: |u| u * u,
        truth: 1.0 / 3.0,
        rounds: |_| 1,
        misleads: false,
    },
];

/// The games of a set: rounds won and rounds played.
fn draw(kind: &Kind, set: u32) -> Vec<(u32, u32)> {
    let (dice, mut drawn) = (Dice::new(26), 0);
    let mut next = || {
        drawn += 1;
        dice.draw(set, drawn)
    };
    let games = (0..kind.games).map(|_| {
        let (chance, rounds) = ((kind.chance)(next()), (kind.rounds)(next()));
        ((0..rounds).filter(|_| next() < chance).count() as u32, rounds)
    });
    games.collect()
}

#[test]
fn nineteen_of_twenty_intervals_hold_the_truth() {
    for kind in &KINDS {
        let (mut clustered, mut independent) = (0, 0);
        for set in 1..=SETS {
            let games = draw(kind, set);
            let holds = |[low, high]: [f64; 2]| u32::from(low <= kind.truth && kind.truth <= high);
            let counts = games.iter().map(|(won, rounds)| (f64::from(*won), f64::from(*rounds)));
            clustered += holds(Clusters::from_pairs(counts).interval().unwrap());
            let (won, rounds) = games.iter().fold((0, 0), |(won, all), game| (won + game.0, all + game.1));
            independent += holds(interval(won, rounds).unwrap());
        }
        let share = |count: u32| f64::from(count) / f64::from(SETS);
        let (clustered, independent) = (share(clustered), share(independent));
        assert!((0.93..=0.995).contains(&clustered), "{}: {clustered}", kind.about);
        assert_eq!(independent < 0.85, kind.misleads, "{}: {independent}", kind.about);
    }
}

/// Ratios to perfect play, which can exceed 1. Their intervals also hold 19 times out of 20.
#[test]
fn nineteen_of_twenty_intervals_of_a_ratio_hold_the_truth() {
    let mut held = 0;
    for set in 1..=SETS {
        let (dice, mut drawn) = (Dice::new(27), 0);
        let mut next = || {
            drawn += 1;
            dice.draw(set, drawn)
        };
        // Perfect play wins half of ten rounds in some games and nine in others; the player wins 10% more.
        let games = (0..40).map(|_| {
            let ceiling = if next() < 0.5 { 5.0 } else { 9.0 };
            let chance = if next() < 0.5 { 1.2 } else { 1.0 } * ceiling / 10.0;
            let rounds = (0..10).filter(|_| next() < chance).count();
            (rounds as f64, ceiling)
        });
        // 9 of 10 can't grow by 20%: in a quarter of the games, the player wins every round.
        let truth = (0.25 * (6.0 + 5.0 + 10.0 + 9.0)) / 7.0;
        let [low, high] = Clusters::from_pairs(games.collect::<Vec<_>>()).ratio_interval().unwrap();
        held += u32::from(low <= truth && truth <= high);
    }
    let held = f64::from(held) / f64::from(SETS);
    assert!((0.93..=0.995).contains(&held), "{held}");
}
