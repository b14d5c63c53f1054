//! Solver work, off the threads that answer requests. Bounded queues, named by who waits:
//!
//! | queue | who waits | for what |
//! |---|---|---|
//! | moves | a player in a round | a round that begins, a computer's move |
//! | questions | a person in front of a page | hints, reviews, puzzles, a rule book that is read |
//! | reports | a person who asked for a lot | facts, searches, the duels of other days |
//!
//! Every queue has its own threads, so a move starts however many reports run. On a machine with one core the system
//! has to choose: threads of the lower queues have a lower priority.
//!
//! Work that exceeds its queue's budget is stopped and starts again in the next lower queue. A game that needed that
//! starts there the next time, until it fits again.
//!
//! Games are solved once: everyone who needs a solution that someone else is working on waits for it and blocks a
//! worker. So of all jobs of a game one runs per queue, and a queue has one worker more than lower queues can block.

mod pool;
mod turns;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use spoton::people::solved_game::SolvedGames;
use spoton::sitting::Lookahead;
use spoton::solver::Progress;
use tokio::sync::oneshot;

use crate::ids::Hash;
use crate::limits::{
    BUDGET_OF_A_MOVE, BUDGET_OF_A_QUESTION, BYTES_OF_A_JOB, CACHE_BYTES, MOST_SLOW_GAMES, TIME_FOR_A_LINE,
};
use pool::Pool;

/// The solved games that everyone shares, and the queues of those who ask about them.
#[derive(Clone)]
pub struct Thinking {
    games: Arc<SolvedGames>,
    pools: Arc<[Pool; 3]>,
    budgets: Budgets,
    slow: Arc<Mutex<HashMap<(Queue, Hash), Queue>>>,
    /// The report that each browser waits for, by the hash of its key; it waits for one at a time.
    wanted: Arc<Mutex<HashMap<Hash, Wanted>>>,
    ending: Arc<AtomicBool>,
}

/// A queue, named by who waits. The first is the most urgent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    Moves,
    Questions,
    Reports,
}

impl Queue {
    pub const ALL: [Queue; 3] = [Queue::Moves, Queue::Questions, Queue::Reports];

    pub fn name(self) -> &'static str {
        match self {
            Queue::Moves => "moves",
            Queue::Questions => "questions",
            Queue::Reports => "reports",
        }
    }

    fn lower(self) -> Option<Queue> {
        Queue::ALL.into_iter().find(|queue| *queue > self)
    }

    /// The priority of its threads, as `nice` counts: more is less.
    fn niceness(self) -> i32 {
        match self {
            Queue::Moves => 0,
            Queue::Questions => 10,
            Queue::Reports => 19,
        }
    }
}

/// The processor time after which a job moves from these queues to the next.
#[derive(Clone, Copy)]
struct Budgets {
    moves: Duration,
    questions: Duration,
}

impl Budgets {
    fn of(self, queue: Queue) -> Option<Duration> {
        match queue {
            Queue::Moves => Some(self.moves),
            Queue::Questions => Some(self.questions),
            Queue::Reports => None,
        }
    }
}

/// Too many jobs are waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too much is going on just now")]
pub struct TooBusy;

/// Why there is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReport {
    #[error(transparent)]
    TooBusy(#[from] TooBusy),
    /// The same browser has asked for something else.
    #[error("this was stopped, since you have asked for something newer; ask again")]
    Replaced,
}

/// A report that a browser waits for. Removing it from the list tells everyone who waits for it.
struct Wanted {
    job: Arc<AtomicBool>,
    _kept: oneshot::Sender<()>,
}

/// Stops a job when nobody waits for it any more.
struct StopWhenGone(Arc<AtomicBool>);

impl Drop for StopWhenGone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a job found.
struct Done<T> {
    found: T,
    /// Whether it was stopped before it was done.
    stopped: bool,
    /// Its processor time.
    spent: Duration,
    /// How long it ran.
    took: Duration,
}

impl Default for Thinking {
    fn default() -> Thinking {
        Thinking::with_budgets(Budgets { moves: BUDGET_OF_A_MOVE, questions: BUDGET_OF_A_QUESTION })
    }
}

impl Thinking {
    fn with_budgets(budgets: Budgets) -> Thinking {
        // One core answers requests.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let reports = cores.saturating_sub(1).max(1);
        // Each report may block the questions about one game. One of them may also block puzzles of all games.
        let questions = reports + 2;
        // Each of the others may block the moves in one game, and the rounds that begin with it.
        let moves = 2 * (questions + reports) + 1;
        let pools = [(Queue::Moves, moves), (Queue::Questions, questions), (Queue::Reports, reports)];
        Thinking {
            games: Arc::new(SolvedGames::with_limit_each(CACHE_BYTES, BYTES_OF_A_JOB)),
            pools: Arc::new(pools.map(|(queue, workers)| Pool::new(queue, workers))),
            budgets,
            slow: Arc::default(),
            wanted: Arc::default(),
            ending: Arc::default(),
        }
    }

    /// Works out something that a player waits for: a computer's move, or how a round begins. `game` identifies the
    /// game, `limit` is for all attempts together.
    ///
    /// # Errors
    ///
    /// If too many jobs are waiting.
    pub async fn moves<T: Send + 'static>(
        &self,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static,
    ) -> Result<T, TooBusy> {
        self.start_in(Queue::Moves, game, limit, think).await
    }

    /// Works out something that a person in front of a page waits for.
    ///
    /// # Errors
    ///
    /// If too many jobs are waiting.
    pub async fn question<T: Send + 'static>(
        &self,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static,
    ) -> Result<T, TooBusy> {
        self.start_in(Queue::Questions, game, limit, think).await
    }

    /// Runs something that can't be stopped, such as reading a rule book.
    ///
    /// # Errors
    ///
    /// If too many jobs are waiting.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        self.pool(Queue::Questions).run(None, work).await
    }

    /// Works out something that may take long. If the browser already waits for another report, that one is stopped.
    ///
    /// # Errors
    ///
    /// If too many jobs are waiting, or the browser has asked for something else meanwhile.
    pub async fn report<T: Send + 'static>(
        &self,
        browser: Option<Hash>,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, NoReport> {
        let gone = StopWhenGone(Arc::default());
        let (kept, replaced) = oneshot::channel();
        let wanted = browser.map(|browser| {
            self.wanted().insert(browser, Wanted { job: Arc::clone(&gone.0), _kept: kept });
            NoLongerWanted { thinking: self, browser, job: Arc::clone(&gone.0) }
        });
        let work = self.pool(Queue::Reports).run(None, self.job(Queue::Reports, limit, &gone.0, think));
        let is_replaced = async {
            match wanted {
                Some(_) => drop(replaced.await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = is_replaced => Err(NoReport::Replaced),
            done = work => Ok(done?.found),
        }
    }

    /// Runs a job in a queue, and in the lower ones if it exceeds the budget.
    async fn start_in<T: Send + 'static>(
        &self,
        first: Queue,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static,
    ) -> Result<T, TooBusy> {
        let gone = StopWhenGone(Arc::default());
        let think = Arc::new(think);
        let mut queue = self.slow().get(&(first, game)).copied().unwrap_or(first);
        let mut left = limit;
        loop {
            let think = Arc::clone(&think);
            let job = self.job(queue, left, &gone.0, move |ahead| think(ahead));
            let done = self.pool(queue).run(Some(game), job).await?;
            left = left.saturating_sub(done.took);
            let lower = queue.lower().filter(|_| done.stopped && !left.is_zero());
            let fits = |queue: &Queue| self.budgets.of(*queue).is_none_or(|budget| done.spent <= budget);
            let fitting = lower.or_else(|| Queue::ALL.into_iter().filter(|queue| *queue >= first).find(fits));
            self.remember(first, game, fitting.unwrap_or(queue));
            match lower {
                Some(lower) => queue = lower,
                None => return Ok(done.found),
            }
        }
    }

    /// Remembers where the next job of a game starts.
    fn remember(&self, first: Queue, game: Hash, fitting: Queue) {
        let mut slow = self.slow();
        if fitting == first {
            slow.remove(&(first, game));
            return;
        }
        if slow.len() >= MOST_SLOW_GAMES {
            // Cache: safe to drop.
            slow.clear();
        }
        slow.insert((first, game), fitting);
    }

    fn slow(&self) -> MutexGuard<'_, HashMap<(Queue, Hash), Queue>> {
        self.slow.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pool(&self, queue: Queue) -> &Pool {
        &self.pools[queue as usize]
    }

    fn wanted(&self) -> MutexGuard<'_, HashMap<Hash, Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job that stops when it exceeds the queue's budget or the limit, or when nobody waits for it any more.
    fn job<T, F: FnOnce(&mut Lookahead<'_>) -> T>(
        &self,
        queue: Queue,
        limit: Duration,
        stop: &Arc<AtomicBool>,
        think: F,
    ) -> impl FnOnce() -> Done<T> + use<T, F> {
        let (games, ending, stop) = (Arc::clone(&self.games), Arc::clone(&self.ending), Arc::clone(stop));
        let budget = self.budgets.of(queue);
        move || {
            let (begun, begun_with) = (Instant::now(), processor_time());
            let spent = || processor_time().saturating_sub(begun_with);
            let mut stopped = false;
            let mut keep_going = |_: Progress| {
                let is_unwanted = [&stop, &ending].into_iter().any(|flag| flag.load(Ordering::Relaxed));
                let exceeds = budget.is_some_and(|budget| spent() >= budget);
                stopped |= is_unwanted || exceeds || begun.elapsed() >= limit;
                !stopped
            };
            let found = think(&mut Lookahead { games: &games, keep_going: &mut keep_going });
            Done { found, stopped, spent: spent(), took: begun.elapsed() }
        }
    }

    /// How many jobs wait in a queue.
    pub fn waiting(&self, queue: Queue) -> usize {
        self.pool(queue).waiting()
    }

    pub fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// Stops all jobs.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }
}

/// Waits a moment for a line that a page can do without. The job is stopped if it takes longer.
pub async fn soon<T>(line: impl Future<Output = Option<T>>) -> Option<T> {
    tokio::time::timeout(TIME_FOR_A_LINE, line).await.ok().flatten()
}

/// The processor time of this thread. A busy machine makes no job slow.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
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
