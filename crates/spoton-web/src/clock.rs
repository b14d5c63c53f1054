//! The time now. Several servers on one database use the database's time, so their own clocks don't matter.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use spoton::day::Day;
use tokio::time::Instant;

use crate::limits::DAY;
use crate::store::Millis;

/// Follows the system's clock until it's set.
#[derive(Debug, Default)]
pub struct Clock {
    set: Mutex<Option<Set>>,
}

/// The time on another clock at a moment.
#[derive(Clone, Copy, Debug)]
struct Set {
    showed: Millis,
    at: Instant,
}

impl Clock {
    /// Returns the time now.
    pub fn now(&self) -> Millis {
        let set = *self.set.lock().unwrap_or_else(PoisonError::into_inner);
        match set {
            Some(Set { showed, at }) => showed.saturating_add(millis(at.elapsed())),
            None => millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()),
        }
    }

    /// Returns whether it follows another clock.
    pub fn is_set(&self) -> bool {
        self.set.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Returns the day now.
    pub fn today(&self) -> Day {
        day_of(self.now())
    }

    /// Sets it to what another clock showed at a moment. From then on it measures the time since.
    pub fn set(&self, showed: Millis, at: Instant) {
        *self.set.lock().unwrap_or_else(PoisonError::into_inner) = Some(Set { showed, at });
    }
}

/// Returns the day of a time.
pub fn day_of(at: Millis) -> Day {
    Day::since_1970(at / DAY)
}

fn millis(time: std::time::Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_set_clock_measures_the_time_since() {
        let clock = Clock::default();
        assert!(clock.now() > 1_700_000_000_000, "the system's time");
        let begun = Instant::now();
        let before = begun.checked_sub(Duration::from_secs(90)).unwrap();
        clock.set(3 * DAY - 60_000, before);
        let passed = millis(begun.elapsed());
        let now = clock.now();
        assert!((3 * DAY + 30_000..=3 * DAY + 30_000 + passed + 60_000).contains(&now), "{now}");
        assert_eq!(clock.today(), Day::since_1970(3));
    }
}
