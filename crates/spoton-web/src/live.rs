//! Who is watching what: whoever waits for news of a sitting is told the number of its last event, after that was kept.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::ids::SittingId;

/// The sittings that somebody watches.
#[derive(Default)]
pub struct Live {
    watched: Mutex<HashMap<SittingId, watch::Sender<u64>>>,
}

impl Live {
    fn watched(&self) -> MutexGuard<'_, HashMap<SittingId, watch::Sender<u64>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches a sitting. The number may be older than what is kept: whoever watches looks first.
    pub fn watch(&self, id: SittingId) -> watch::Receiver<u64> {
        let mut watched = self.watched();
        // Those that nobody watches any more make room.
        if watched.len().is_power_of_two() {
            watched.retain(|_, told| told.receiver_count() > 0);
        }
        watched.entry(id).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Tells everybody who watches.
    pub fn tell(&self, id: SittingId, seq: u64) {
        if let Some(told) = self.watched().get(&id) {
            told.send_replace(seq);
        }
    }

    /// Lets everybody go: streams end, and nothing comes any more.
    pub fn end(&self) {
        self.watched().clear();
    }

    /// How many watch a sitting.
    pub fn watchers(&self, id: SittingId) -> usize {
        self.watched().get(&id).map_or(0, watch::Sender::receiver_count)
    }
}
