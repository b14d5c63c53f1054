//! Looking ahead, off the threads that answer: bounded in time, in memory and in how many do it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use spoton::people::solved_game::SolvedGames;
use spoton::sitting::Lookahead;
use spoton::solver::Progress;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::limits::{A_MOMENT, BYTES_OF_A_JOB, CACHE_BYTES, MOST_MOMENTS_AT_ONCE, MOST_WAITING};

/// Those who think. What is found in a moment does not wait for what takes long.
pub struct Thinking {
    games: Arc<SolvedGames>,
    moments: Arc<Semaphore>,
    long: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// Why nothing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NothingFound {
    #[error("too much is going on here just now; try again in a few seconds")]
    TooBusy,
    #[error("this takes more than {} seconds, which is too long here; a smaller game would do", .0.as_secs())]
    TooLong(Duration),
    #[error("something went wrong here; nothing has changed")]
    Broken,
}

/// If nobody waits for an answer any more, nobody has to find it.
struct StopWhenGone(Arc<AtomicBool>);

impl Drop for StopWhenGone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Default for Thinking {
    fn default() -> Thinking {
        // One core answers.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Thinking {
            games: Arc::new(SolvedGames::with_limit_each(CACHE_BYTES, BYTES_OF_A_JOB)),
            moments: Arc::new(Semaphore::new(MOST_MOMENTS_AT_ONCE)),
            long: Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))),
            waiting: Arc::new(Semaphore::new(MOST_WAITING)),
        }
    }
}

impl Thinking {
    /// Thinks about something for no longer than this, or until whoever asks is gone. What takes longer than a moment is
    /// begun anew among its like.
    pub async fn about<T: Send + 'static>(
        &self,
        limit: Duration,
        gone: &CancellationToken,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static,
    ) -> Result<T, NothingFound> {
        let think = Arc::new(think);
        let moment = self.run(&self.moments, A_MOMENT.min(limit), gone, &think).await?;
        if let Some(thought) = moment {
            return Ok(thought);
        }
        let waits = self.waiting.try_acquire().map_err(|_| NothingFound::TooBusy)?;
        let thought = self.run(&self.long, limit, gone, &think).await?;
        drop(waits);
        thought.ok_or(NothingFound::TooLong(limit))
    }

    /// What comes of thinking as soon as somebody is free; `None` if it was stopped.
    async fn run<T: Send + 'static, F: Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static>(
        &self,
        workers: &Arc<Semaphore>,
        limit: Duration,
        gone: &CancellationToken,
        think: &Arc<F>,
    ) -> Result<Option<T>, NothingFound> {
        let worker = Arc::clone(workers).acquire_owned().await.map_err(|_| NothingFound::Broken)?;
        let (games, think, gone) = (Arc::clone(&self.games), Arc::clone(think), gone.clone());
        let stop = StopWhenGone(Arc::default());
        let is_dropped = Arc::clone(&stop.0);
        let work = tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let mut stopped = false;
            let mut keep_going = |_: Progress| {
                stopped |=
                    is_dropped.load(Ordering::Relaxed) || gone.is_cancelled() || begun.elapsed() >= limit;
                !stopped
            };
            let thought = think(&mut Lookahead { games: &games, keep_going: &mut keep_going });
            drop(worker);
            (!stopped).then_some(thought)
        });
        // A panic ends one question, and nothing else.
        work.await.map_err(|_| NothingFound::Broken)
    }
}
