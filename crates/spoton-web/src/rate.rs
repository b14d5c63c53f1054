//! A rate limit per key.

use std::collections::HashMap;
use std::hash::Hash as HashKey;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Allows `most` uses per key and period, in a burst or spread out. Checking doesn't consume.
#[derive(Debug)]
pub struct Rate<K> {
    most: u32,
    /// Time until one use is restored.
    step: Duration,
    /// When each key will be fully restored.
    whole_again: Mutex<HashMap<K, Instant>>,
}

impl<K: HashKey + Eq> Rate<K> {
    /// Creates a limit of `most` (at least 1) per `time`.
    pub fn new(most: u32, time: Duration) -> Rate<K> {
        let most = most.max(1);
        Rate { most, step: time / most, whole_again: Mutex::default() }
    }

    fn whole_again(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        self.whole_again.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the most that can be missing, and the time until `count` uses are restored.
    pub fn times(&self, count: u32) -> (Duration, Duration) {
        (self.step * self.most, self.step * count)
    }

    /// Returns the time until the key is fully restored.
    pub fn missing(&self, key: &K, now: Instant) -> Duration {
        let then = self.whole_again().get(key).copied();
        then.map_or(Duration::ZERO, |then| then.saturating_duration_since(now))
    }

    /// Returns the number of uses that aren't restored yet, at most `most`.
    pub fn used(&self, key: &K, now: Instant) -> u32 {
        self.used_of(self.missing(key, now))
    }

    /// Like [`Rate::used`], for this much missing.
    pub fn used_of(&self, missing: Duration) -> u32 {
        let used = missing.as_nanos().div_ceil(self.step.as_nanos().max(1));
        u32::try_from(used).unwrap_or(u32::MAX).min(self.most)
    }

    /// Returns the time until `count` uses are available: zero if they are now, `None` if they never are.
    pub fn wait(&self, key: &K, count: u32, now: Instant) -> Option<Duration> {
        self.wait_of(self.missing(key, now), count)
    }

    /// Like [`Rate::wait`], for this much missing.
    pub fn wait_of(&self, missing: Duration, count: u32) -> Option<Duration> {
        let left_over = self.most.checked_sub(count)?;
        Some(missing.saturating_sub(self.step * left_over))
    }

    /// Consumes uses, available or not.
    pub fn take(&self, key: K, count: u32, now: Instant) {
        let mut whole_again = self.whole_again();
        // Before the table grows, drop the fully restored keys.
        if whole_again.len().is_power_of_two() && !whole_again.contains_key(&key) {
            whole_again.retain(|_, then| *then > now);
        }
        let then = whole_again.entry(key).or_insert(now);
        // The wait never exceeds a full period.
        *then = (now.max(*then) + self.step * count.min(self.most)).min(now + self.step * self.most);
    }

    /// Forgets fully restored keys.
    pub(crate) fn forget_the_quiet(&self, now: Instant) {
        self.whole_again().retain(|_, then| *then > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_recovers_one_by_one() {
        let rate = Rate::new(10, Duration::from_secs(60));
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let has_left = |name, now| rate.wait(&name, 1, now) == Some(Duration::ZERO);
        for used in 0..10 {
            assert!(has_left("ann", begin) && rate.used(&"ann", begin) == used);
            rate.take("ann", 1, begin);
        }
        assert!(!has_left("ann", begin) && has_left("ben", begin));
        assert!(!has_left("ann", at(5)) && has_left("ann", at(6)));
        assert_eq!(rate.wait(&"ann", 2, at(6)), Some(Duration::from_secs(6)));
        rate.take("ann", 1, at(6));
        assert!(!has_left("ann", at(6)));
        // After a minute the key is fully restored, and never exceeds that.
        assert_eq!(
            (rate.wait(&"ann", 10, at(100)), rate.wait(&"ann", 11, at(100))),
            (Some(Duration::ZERO), None)
        );
        rate.take("ann", 10, at(100));
        assert!(!has_left("ann", at(100)));
        rate.forget_the_quiet(at(200));
        assert!(rate.whole_again().is_empty(), "idle keys are forgotten");
    }

    #[test]
    fn restored_keys_make_room_for_new_ones() {
        let rate = Rate::new(2, Duration::from_secs(60));
        let begin = Instant::now();
        // Each key is fully restored exactly when the next one arrives.
        let at = |number: u32| begin + Duration::from_secs(30) * number;
        (0..1000).for_each(|number| rate.take(number, 1, at(number)));
        assert_eq!(rate.whole_again().len(), 1);
        rate.forget_the_quiet(at(1000));
        assert!(rate.whole_again().is_empty());
    }
}
