//! Of all jobs of a game one runs at a time; the others wait without a worker.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ids::Hash;

#[derive(Default)]
pub struct Turns(Mutex<HashMap<Hash, Arc<tokio::sync::Mutex<()>>>>);

pub struct Turn {
    turns: Arc<Turns>,
    what: Hash,
    held: Option<tokio::sync::OwnedMutexGuard<()>>,
}

impl Turns {
    fn all(&self) -> MutexGuard<'_, HashMap<Hash, Arc<tokio::sync::Mutex<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub async fn take(turns: &Arc<Turns>, what: Hash) -> Turn {
        let one = Arc::clone(turns.all().entry(what).or_default());
        // A future that is dropped while it waits leaves its entry to the next one.
        let mut turn = Turn { turns: Arc::clone(turns), what, held: None };
        turn.held = Some(one.lock_owned().await);
        turn
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.held = None;
        let mut all = self.turns.all();
        if all.get(&self.what).is_some_and(|one| Arc::strong_count(one) == 1) {
            all.remove(&self.what);
        }
    }
}
