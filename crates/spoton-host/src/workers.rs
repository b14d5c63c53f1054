//! Solver jobs on worker threads, in named queues. The first queue is the most urgent one.
//!
//! Every queue has its own threads, so urgent jobs never queue behind slow ones. On few cores the scheduler has to
//! choose: threads of the lower queues can lower their own priority.
//!
//! A job that exceeds its queue's budget is stopped and restarts in the next queue. The game's next job starts there,
//! until one fits again.
//!
//! Games are solved once: jobs that need a solution in progress wait for it and block a worker. So a queue runs one job
//! per game at a time. To never delay other games, it needs one worker more than lower queues can block.
//!
//! ```
//! use std::sync::mpsc;
//! use std::time::Duration;
//! use spoton::solved::SolvedGames;
//! use spoton_host::workers::{Ask, Queue, WorkerPool};
//!
//! let queue = |name, budget| Queue { name, workers: 2, prepare: || (), budget, most_waiting: 8, most_of_one: 8 };
//! let queues = [queue("moves", Some(Duration::from_millis(50))), queue("reports", None)];
//! let workers = WorkerPool::new(SolvedGames::new(16 << 20), &queues);
//! let (done, answer) = mpsc::channel();
//! let ask = Ask { queue: 0, limit: Duration::from_secs(5), game: None, client: None };
//! let ticket = workers.start(ask, |_| 7, move |found| drop(done.send(found)));
//! assert_eq!(answer.recv().unwrap().unwrap().found, 7);
//! drop(ticket);
//! ```

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use spoton::sitting::Lookahead;
use spoton::solved::SolvedGames;
use spoton::solver::Progress;

/// The maximum number of games whose jobs start in a lower queue.
const MOST_SLOW_GAMES: usize = 10_000;

/// Identifies a game, such as a hash of its rules and words.
pub type Key = [u8; 32];

/// A queue and its threads.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// The name of its threads.
    pub name: &'static str,
    /// The number of its threads.
    pub workers: usize,
    /// The code that each of its threads runs first, such as lowering its own priority.
    pub prepare: fn(),
    /// The CPU time after which a job moves to the next queue.
    pub budget: Option<Duration>,
    /// The maximum number of waiting jobs.
    pub most_waiting: usize,
    /// The maximum number of waiting jobs per client.
    pub most_of_one: usize,
}

/// How to run a job.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The queue to start in.
    pub queue: usize,
    /// The time limit for all attempts together, excluding time in queues.
    pub limit: Duration,
    /// The game, if the job may need its solution.
    pub game: Option<Key>,
    /// The client, for a fair share of the queue.
    pub client: Option<IpAddr>,
}

/// A job's result.
#[derive(Clone, Copy, Debug)]
pub struct Done<T> {
    /// The job's result.
    pub found: T,
    /// Whether it was stopped early.
    pub stopped: bool,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server is busy; try again in a moment")]
pub struct TooBusy;

/// The queues, their threads and the shared cache of solved games. The threads end with the last clone.
#[derive(Clone)]
pub struct WorkerPool(Arc<Shared>);

struct Shared {
    games: SolvedGames,
    queues: Vec<Arc<Jobs>>,
    /// The queue where a game's next job starts, keyed by the queue it would normally start in.
    slow: Mutex<HashMap<(usize, Key), usize>>,
    ending: AtomicBool,
}

/// Cancels its job when dropped: a waiting job leaves its queue, and a running one stops.
#[must_use]
pub struct Ticket {
    shared: Weak<Shared>,
    stop: Arc<AtomicBool>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let Some(shared) = self.shared.upgrade() else { return };
        shared.queues.iter().for_each(|queue| queue.remove(&self.stop));
    }
}

impl WorkerPool {
    /// Starts the threads.
    ///
    /// # Panics
    ///
    /// Panics if the system has no more threads.
    pub fn new(games: SolvedGames, queues: &[Queue]) -> WorkerPool {
        let queues = queues.iter().map(Jobs::start).collect();
        WorkerPool(Arc::new(Shared { games, queues, slow: Mutex::default(), ending: AtomicBool::new(false) }))
    }

    /// Runs a job in a queue, and in lower ones if it exceeds the budget. Then its thread calls `done` with the result.
    /// `done` must be quick. If the job panics, `done` is dropped without a call.
    pub fn start<T: Send + 'static>(
        &self,
        ask: Ask,
        think: impl FnMut(&mut Lookahead<'_>) -> T + Send + 'static,
        done: impl FnOnce(Result<Done<T>, TooBusy>) + Send + 'static,
    ) -> Ticket {
        let stop = Arc::<AtomicBool>::default();
        let ticket = Ticket { shared: Arc::downgrade(&self.0), stop: Arc::clone(&stop) };
        let queue = ask.game.and_then(|game| self.0.slow().get(&(ask.queue, game)).copied());
        let (queue, left, shared) = (queue.unwrap_or(ask.queue), ask.limit, Arc::clone(&self.0));
        Attempt { ask, queue, left, stop, shared, think, done }.start();
        ticket
    }

    /// The number of waiting jobs.
    pub fn waiting(&self, queue: usize) -> usize {
        self.0.queues[queue].state().waiting.len()
    }

    /// The number of threads without a job.
    pub fn idle(&self, queue: usize) -> usize {
        let jobs = &self.0.queues[queue];
        jobs.queue.workers - jobs.state().running
    }

    /// Stops all jobs.
    pub fn end(&self) {
        self.0.ending.store(true, Ordering::Relaxed);
    }

    /// Whether all jobs were stopped.
    pub fn is_ending(&self) -> bool {
        self.0.ending.load(Ordering::Relaxed)
    }
}

impl Shared {
    fn slow(&self) -> MutexGuard<'_, HashMap<(usize, Key), usize>> {
        self.slow.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers the queue where the game's next job starts.
    fn remember(&self, ask: &Ask, fitting: usize) {
        let Some(game) = ask.game else { return };
        let mut slow = self.slow();
        if fitting == ask.queue {
            slow.remove(&(ask.queue, game));
            return;
        }
        if slow.len() >= MOST_SLOW_GAMES {
            // Cache: safe to drop.
            slow.clear();
        }
        slow.insert((ask.queue, game), fitting);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.queues.iter().for_each(|queue| queue.close());
    }
}

/// A job's attempt in a queue.
struct Attempt<F, D> {
    ask: Ask,
    queue: usize,
    /// The rest of the time limit.
    left: Duration,
    stop: Arc<AtomicBool>,
    shared: Arc<Shared>,
    think: F,
    done: D,
}

impl<T, F, D> Attempt<F, D>
where
    T: Send + 'static,
    F: FnMut(&mut Lookahead<'_>) -> T + Send + 'static,
    D: FnOnce(Result<Done<T>, TooBusy>) + Send + 'static,
{
    /// Waits in the queue.
    fn start(self) {
        let jobs = Arc::clone(&self.shared.queues[self.queue]);
        let mut state = jobs.state();
        if !state.has_place(&jobs.queue, self.ask.client) {
            drop(state);
            return (self.done)(Err(TooBusy));
        }
        // If it's already cancelled, nothing would remove it from the queue.
        if !self.stop.load(Ordering::Relaxed) {
            let (game, client, stop) = (self.ask.game, self.ask.client, Arc::clone(&self.stop));
            state.waiting.push_back(Job { game, client, stop, run: Box::new(move || self.run()) });
            jobs.changed.notify_one();
        }
    }

    /// Runs the job until it's done, exceeds the queue's budget or is cancelled.
    fn run(self) -> Finish {
        let Attempt { ask, queue, left, stop, shared, mut think, done } = self;
        let (begun, begun_with) = (Instant::now(), processor_time());
        let spent = || processor_time().saturating_sub(begun_with);
        let fits = |queue: &Arc<Jobs>| queue.queue.budget.is_none_or(|budget| spent() < budget);
        let is_unwanted = || [&stop, &shared.ending].into_iter().any(|flag| flag.load(Ordering::Relaxed));
        let mut stopped = false;
        let mut keep_going = |_: Progress| {
            stopped |= is_unwanted() || !fits(&shared.queues[queue]) || begun.elapsed() >= left;
            !stopped
        };
        let found = think(&mut Lookahead { games: &shared.games, keep_going: &mut keep_going });
        let left = left.saturating_sub(begun.elapsed());
        let goes_on = stopped && !left.is_zero() && !is_unwanted();
        let lower = Some(queue + 1).filter(|lower| goes_on && *lower < shared.queues.len());
        let fitting =
            lower.or_else(|| (ask.queue..shared.queues.len()).find(|queue| fits(&shared.queues[*queue])));
        shared.remember(&ask, fitting.unwrap_or(queue));
        match lower {
            Some(queue) => Box::new(move || Attempt { ask, queue, left, stop, shared, think, done }.start()),
            None => Box::new(move || done(Ok(Done { found, stopped }))),
        }
    }
}

/// Called by a worker after a job, when the job's game is free again.
type Finish = Box<dyn FnOnce() + Send>;

/// A waiting job.
struct Job {
    game: Option<Key>,
    client: Option<IpAddr>,
    stop: Arc<AtomicBool>,
    run: Box<dyn FnOnce() -> Finish + Send>,
}

/// A queue's jobs.
struct Jobs {
    queue: Queue,
    state: Mutex<QueueState>,
    /// Wakes a worker.
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Job>,
    running: usize,
    /// The games with a running job.
    busy: HashSet<Key>,
    is_closed: bool,
}

impl QueueState {
    fn has_place(&self, queue: &Queue, client: Option<IpAddr>) -> bool {
        let of_client = || self.waiting.iter().filter(|job| job.client == client).count();
        self.waiting.len() < queue.most_waiting && (client.is_none() || of_client() < queue.most_of_one)
    }

    /// Takes the first job whose game is free.
    fn take(&mut self) -> Option<Job> {
        let is_free = |job: &Job| job.game.is_none_or(|game| !self.busy.contains(&game));
        let place = self.waiting.iter().position(is_free)?;
        let job = self.waiting.remove(place)?;
        self.running += 1;
        self.busy.extend(job.game);
        Some(job)
    }
}

impl Jobs {
    /// Starts the queue's threads. Queues can't share threads: one that lowered its priority can't raise it again.
    fn start(queue: &Queue) -> Arc<Jobs> {
        let jobs = Arc::new(Jobs { queue: *queue, state: Mutex::default(), changed: Condvar::new() });
        for _ in 0..queue.workers {
            let jobs = Arc::clone(&jobs);
            let thread = thread::Builder::new().name(queue.name.to_owned());
            let started = thread.spawn(move || {
                (jobs.queue.prepare)();
                jobs.work();
            });
            if let Err(error) = started {
                panic!("can't start a thread of the {} queue: {error}", queue.name);
            }
        }
        jobs
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs jobs until the queue is closed.
    fn work(&self) {
        let mut state = self.state();
        while !state.is_closed {
            let Some(Job { game, run, .. }) = state.take() else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            // The panic hook has already reported a panic. Nothing uses the job's state again.
            let finish = catch_unwind(AssertUnwindSafe(run));
            let mut ended = self.state();
            ended.running -= 1;
            ended.busy.retain(|busy| Some(*busy) != game);
            drop(ended);
            if let Ok(finish) = finish {
                let _ = catch_unwind(AssertUnwindSafe(finish));
            }
            state = self.state();
        }
    }

    /// Takes a cancelled job out of the queue.
    fn remove(&self, stop: &Arc<AtomicBool>) {
        let mut state = self.state();
        let place = state.waiting.iter().position(|job| Arc::ptr_eq(&job.stop, stop));
        let job = place.and_then(|place| state.waiting.remove(place));
        // Unlocks first: the job may hold the last reference to the queues.
        drop(state);
        drop(job);
    }

    fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }
}

/// This thread's CPU time, so a busy machine doesn't make jobs look slow.
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    return {
        use rustix::time::{ClockId, clock_gettime};
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
    };
    #[cfg(not(unix))]
    return {
        static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        BEGUN.elapsed()
    };
}
