//! Looking ahead, off the threads that answer requests: computer players, hints, reviews, audits. A bounded pool works,
//! a bounded queue waits, and what is solved once is shared.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use spoton::people::solved_game::SolvedGames;
use spoton::sitting::Lookahead;
use tokio::sync::Semaphore;

use crate::limits::{CACHE_BYTES, MOST_WAITING_TO_THINK};

/// Those who think.
#[derive(Clone)]
pub struct Thinking {
    games: Arc<SolvedGames>,
    workers: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    ending: Arc<AtomicBool>,
}

/// Too many want to know something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too much is going on just now")]
pub struct TooBusy;

impl Default for Thinking {
    fn default() -> Thinking {
        // One core answers requests.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Thinking {
            games: Arc::new(SolvedGames::new(CACHE_BYTES)),
            workers: Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))),
            waiting: Arc::new(Semaphore::new(MOST_WAITING_TO_THINK)),
            ending: Arc::default(),
        }
    }
}

impl Thinking {
    /// Thinks about something, for no longer than this.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn about<T: Send + 'static>(
        &self,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let _waits = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| TooBusy)?;
        let works = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| TooBusy)?;
        let (games, ending) = (Arc::clone(&self.games), Arc::clone(&self.ending));
        let thought = tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let mut keep_going = |_| begun.elapsed() < limit && !ending.load(Ordering::Relaxed);
            let thought = think(&mut Lookahead { games: &games, keep_going: &mut keep_going });
            drop(works);
            thought
        });
        thought.await.map_err(|_| TooBusy)
    }

    /// How many think, or wait to.
    pub fn waiting(&self) -> usize {
        MOST_WAITING_TO_THINK.saturating_sub(self.waiting.available_permits())
    }

    /// Nothing is to be thought about any more.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }
}
