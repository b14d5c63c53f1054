//! Looking ahead, off the threads that answer requests: computer players, hints, reviews, audits. Bounded pools work,
//! bounded queues wait, and what is solved once is shared.
//!
//! There are three queues, so that nobody who plays waits for somebody who wants to know something: what is found in a
//! moment, what people at a table wait for, and facts.
//!
//! A game is solved once: who needs a solution that somebody else is at work on waits for it, together with the worker.
//! What is found in a moment has therefore one worker more than could ever be held up like that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use spoton::people::solved_game::SolvedGames;
use spoton::sitting::Lookahead;
use spoton::solver::Progress;
use tokio::sync::{Semaphore, oneshot};

use crate::ids::Hash;
use crate::limits::{A_MOMENT, BYTES_OF_A_JOB, CACHE_BYTES, MOST_WAITING_TO_THINK};

/// Those who think.
#[derive(Clone)]
pub struct Thinking {
    games: Arc<SolvedGames>,
    soon: Queue,
    table: Queue,
    facts: Queue,
    /// What each browser wants to know just now, by the hash of its key; it wants one thing at a time.
    wanted: Arc<Mutex<HashMap<Hash, Wanted>>>,
    turns: Arc<Turns>,
    ending: Arc<AtomicBool>,
}

/// Too many want to know something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too much is going on just now")]
pub struct TooBusy;

/// Why there are no facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFacts {
    #[error(transparent)]
    TooBusy(#[from] TooBusy),
    /// The same browser has asked for something else.
    #[error("this was stopped, since you have asked for something newer; ask again")]
    Replaced,
}

/// Something that a browser wants to know. When it is gone from the list, whoever waits for it is told.
struct Wanted {
    job: Arc<AtomicBool>,
    _kept: oneshot::Sender<()>,
}

/// Some who work, and some who wait for them.
#[derive(Clone)]
struct Queue {
    workers: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Queue {
    fn new(workers: usize) -> Queue {
        Queue {
            workers: Arc::new(Semaphore::new(workers)),
            waiting: Arc::new(Semaphore::new(MOST_WAITING_TO_THINK)),
        }
    }

    fn waiting(&self) -> usize {
        MOST_WAITING_TO_THINK.saturating_sub(self.waiting.available_permits())
    }

    /// Works as soon as somebody is free, and it is this one's turn if others want to work on the same.
    async fn run<T: Send + 'static>(
        &self,
        turn: Option<(&Arc<Turns>, Hash)>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let waits = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| TooBusy)?;
        let turn = match turn {
            Some((turns, what)) => Some(Turns::take(turns, what).await),
            None => None,
        };
        let works = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| TooBusy)?;
        drop(waits);
        let worked = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((turn, works));
            done
        });
        worked.await.map_err(|_| TooBusy)
    }
}

/// Of those who want to work on the same, one does; the others wait without a worker.
#[derive(Default)]
struct Turns(Mutex<HashMap<Hash, Arc<tokio::sync::Mutex<()>>>>);

struct Turn {
    turns: Arc<Turns>,
    what: Hash,
    held: Option<tokio::sync::OwnedMutexGuard<()>>,
}

impl Turns {
    fn all(&self) -> MutexGuard<'_, HashMap<Hash, Arc<tokio::sync::Mutex<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn take(turns: &Arc<Turns>, what: Hash) -> Turn {
        let one = Arc::clone(turns.all().entry(what).or_default());
        // Whoever goes away while waiting leaves the place for the next one to tidy up.
        let mut turn = Turn { turns: Arc::clone(turns), what, held: None };
        turn.held = Some(one.lock_owned().await);
        turn
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

/// Whoever wanted to know something has gone away: then nobody has to find it out.
struct StopWhenGone(Arc<AtomicBool>);

impl Drop for StopWhenGone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Default for Thinking {
    fn default() -> Thinking {
        // One core answers requests.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = cores.saturating_sub(1).max(1);
        Thinking {
            games: Arc::new(SolvedGames::with_limit_each(CACHE_BYTES, BYTES_OF_A_JOB)),
            // Each of the others may hold up the moves of one game, and its beginnings.
            soon: Queue::new(2 * (workers + workers) + 1),
            table: Queue::new(workers),
            facts: Queue::new(workers),
            wanted: Arc::default(),
            turns: Arc::default(),
            ending: Arc::default(),
        }
    }
}

impl Thinking {
    /// Thinks about something that people at a table wait for, for no longer than this.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn about<T: Send + 'static>(
        &self,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let gone = StopWhenGone(Arc::default());
        let (thought, _) = self.table.run(None, self.job(limit, &gone.0, think)).await?;
        Ok(thought)
    }

    /// The same for something that takes but a moment most of the time, such as a computer's move: then it does not wait
    /// for what takes long. What does take long is begun anew among its like. `game` is what the game is known by.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn soon<T: Send + 'static>(
        &self,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static,
    ) -> Result<T, TooBusy> {
        let gone = StopWhenGone(Arc::default());
        let think = Arc::new(think);
        let again = Arc::clone(&think);
        let job = self.job(A_MOMENT.min(limit), &gone.0, move |ahead| think(ahead));
        match self.soon.run(Some((&self.turns, game)), job).await? {
            (thought, false) => Ok(thought),
            (_, true) => self.about(limit, move |ahead| again(ahead)).await,
        }
    }

    /// Does something short that does not look ahead.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        self.soon.run(None, work).await
    }

    /// Finds out something about a game, for no longer than this. If the browser that asks wants to know something else
    /// already, that is stopped.
    ///
    /// # Errors
    ///
    /// If too many are waiting already, or the browser has asked for something else meanwhile.
    pub async fn facts<T: Send + 'static>(
        &self,
        browser: Option<Hash>,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, NoFacts> {
        let gone = StopWhenGone(Arc::default());
        let (kept, replaced) = oneshot::channel();
        let wanted = browser.map(|browser| {
            self.wanted().insert(browser, Wanted { job: Arc::clone(&gone.0), _kept: kept });
            NoLongerWanted { thinking: self, browser, job: Arc::clone(&gone.0) }
        });
        let work = self.facts.run(None, self.job(limit, &gone.0, think));
        let is_replaced = async {
            match wanted {
                Some(_) => drop(replaced.await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = is_replaced => Err(NoFacts::Replaced),
            found = work => Ok(found?.0),
        }
    }

    fn wanted(&self) -> MutexGuard<'_, HashMap<Hash, Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something to think about, until it takes too long or nobody wants it any more; and whether it was stopped.
    fn job<T, F: FnOnce(&mut Lookahead<'_>) -> T>(
        &self,
        limit: Duration,
        stop: &Arc<AtomicBool>,
        think: F,
    ) -> impl FnOnce() -> (T, bool) + use<T, F> {
        let (games, ending, stop) = (Arc::clone(&self.games), Arc::clone(&self.ending), Arc::clone(stop));
        move || {
            let begun = Instant::now();
            let mut stopped = false;
            let mut keep_going = |_: Progress| {
                let over = [&stop, &ending].into_iter().any(|flag| flag.load(Ordering::Relaxed));
                stopped |= over || begun.elapsed() >= limit;
                !stopped
            };
            let thought = think(&mut Lookahead { games: &games, keep_going: &mut keep_going });
            (thought, stopped)
        }
    }

    /// How many wait for somebody to think.
    pub fn waiting(&self) -> usize {
        [&self.soon, &self.table, &self.facts].map(Queue::waiting).iter().sum()
    }

    /// Nothing is to be thought about any more.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }
}

/// Takes a job from the list when it is over, unless another one has taken its place.
struct NoLongerWanted<'a> {
    thinking: &'a Thinking,
    browser: Hash,
    job: Arc<AtomicBool>,
}

impl Drop for NoLongerWanted<'_> {
    fn drop(&mut self) {
        let mut wanted = self.thinking.wanted();
        if wanted.get(&self.browser).is_some_and(|wanted| Arc::ptr_eq(&wanted.job, &self.job)) {
            wanted.remove(&self.browser);
        }
    }
}

#[cfg(test)]
mod tests;
