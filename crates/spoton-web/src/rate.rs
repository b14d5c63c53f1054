//! So many in a time, for each of many.

use std::collections::HashMap;
use std::hash::Hash as HashKey;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many in a time, at once or spread over it. It can be looked at without using it up.
#[derive(Debug)]
pub struct Rate<K> {
    most: u32,
    /// How long it takes until one more is there.
    step: Duration,
    /// When everything is there again that each of them has used.
    whole_again: Mutex<HashMap<K, Instant>>,
}

impl<K: HashKey + Eq> Rate<K> {
    /// So many in a time; at least one.
    pub fn new(most: u32, time: Duration) -> Rate<K> {
        let most = most.max(1);
        Rate { most, step: time / most, whole_again: Mutex::default() }
    }

    fn whole_again(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        self.whole_again.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it takes until everything is there again.
    fn missing(&self, key: &K, now: Instant) -> Duration {
        let then = self.whole_again().get(key).copied();
        then.map_or(Duration::ZERO, |then| then.saturating_duration_since(now))
    }

    /// How many have been used and are not there again, up to all of them.
    pub fn used(&self, key: &K, now: Instant) -> u32 {
        let used = self.missing(key, now).as_nanos().div_ceil(self.step.as_nanos().max(1));
        u32::try_from(used).unwrap_or(u32::MAX).min(self.most)
    }

    /// How long it takes until so many are there; no time if they are. `None` if there are never so many.
    pub fn wait(&self, key: &K, count: u32, now: Instant) -> Option<Duration> {
        let left_over = self.most.checked_sub(count)?;
        Some(self.missing(key, now).saturating_sub(self.step * left_over))
    }

    /// Uses some up, whether or not they are there.
    pub fn take(&self, key: K, count: u32, now: Instant) {
        let mut whole_again = self.whole_again();
        // Before the table grows, those who have everything again are forgotten.
        if whole_again.len().is_power_of_two() && !whole_again.contains_key(&key) {
            whole_again.retain(|_, then| *then > now);
        }
        let then = whole_again.entry(key).or_insert(now);
        // Nobody waits longer than for all of them.
        *then = (now.max(*then) + self.step * count.min(self.most)).min(now + self.step * self.most);
    }

    /// Forgets those who have everything again.
    pub fn forget_the_quiet(&self, now: Instant) {
        self.whole_again().retain(|_, then| *then > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_comes_back_one_by_one() {
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
        // After a minute everything is there again, and no more than that.
        assert_eq!(
            (rate.wait(&"ann", 10, at(100)), rate.wait(&"ann", 11, at(100))),
            (Some(Duration::ZERO), None)
        );
        rate.take("ann", 10, at(100));
        assert!(!has_left("ann", at(100)));
        rate.forget_the_quiet(at(200));
        assert!(rate.whole_again().is_empty(), "nothing is left of those who are quiet");
    }
}
