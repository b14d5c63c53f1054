//! Seeded chance. Everyone draws from their own generator, so one more draw by one of them changes nothing for the others.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// SplitMix64.
#[derive(Debug)]
pub struct Chance(AtomicU64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(AtomicU64::new(mix(seed.wrapping_mul(STEP))))
    }

    /// Returns a generator for someone else.
    pub fn fork(&self) -> Chance {
        Chance(AtomicU64::new(self.next()))
    }

    pub fn next(&self) -> u64 {
        mix(self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP))
    }

    pub fn below(&self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    pub fn one_in(&self, count: u64) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len() as u64) as usize)
    }

    /// Returns a time in milliseconds between these two.
    pub fn between(&self, least: u64, most: u64) -> Duration {
        Duration::from_millis(least + self.below(most - least + 1))
    }

    /// Returns the time that a message takes: usually short, sometimes long.
    pub fn delay(&self) -> Duration {
        match self.below(100) {
            0..35 => Duration::ZERO,
            35..90 => self.between(1, 5),
            90..99 => self.between(5, 80),
            _ => self.between(80, 1500),
        }
    }
}

/// Waits without a timer if there's nothing to wait for.
pub async fn wait(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}
