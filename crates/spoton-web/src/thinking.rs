//! Solver work, off the async threads. Bounded queues, most urgent first:
//!
//! | queue | who waits | for what |
//! |---|---|---|
//! | moves | a player in a round | the start of a round, a computer's move |
//! | questions | a person on a page | hints, reviews, puzzles, parsing a rule book |
//! | reports | a person who asked for a lot | facts, searches, other days' duels |
//!
//! [`spoton_host::workers`] runs them. Threads of the lower queues run in the background.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use spoton::sitting::Lookahead;
use spoton::solved::SolvedGames;
pub use spoton_host::workers::TooBusy;
use spoton_host::workers::{self, Ask, WorkerPool};
use tokio::sync::oneshot;

use crate::address::counted;
use crate::ids::Hash;
use crate::limits::{
    BUDGET_OF_A_MOVE, BUDGET_OF_A_QUESTION, BYTES_OF_A_JOB, CACHE_BYTES, MOST_WAITING_OF_AN_ADDRESS,
    MOST_WAITING_TO_THINK, TIME_FOR_A_LINE,
};
use crate::rates::ASKER;

/// The queues, as futures.
#[derive(Clone)]
pub struct Thinking {
    workers: WorkerPool,
    /// Each browser's pending report, by the hash of its key; one at a time.
    wanted: Arc<Mutex<HashMap<Hash, Wanted>>>,
}

/// A queue of solver work. The first is the most urgent one.
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

    /// Whether its threads run only when no other thread wants the core.
    fn is_in_background(self) -> bool {
        self != Queue::Moves
    }
}

/// Why there is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReport {
    #[error(transparent)]
    TooBusy(#[from] TooBusy),
    /// The same browser asked for another report.
    #[error("your newer request replaced this one; try again")]
    Replaced,
}

/// A browser's pending report. Removing it from the list notifies everyone who waits for it.
struct Wanted {
    id: Arc<()>,
    _kept: oneshot::Sender<()>,
}

impl Default for Thinking {
    fn default() -> Thinking {
        Thinking::with_budgets(BUDGET_OF_A_MOVE, BUDGET_OF_A_QUESTION)
    }
}

impl Thinking {
    fn with_budgets(of_a_move: Duration, of_a_question: Duration) -> Thinking {
        // One core is left for requests.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let reports = cores.saturating_sub(1).max(1);
        // Each report may block the questions about one game. One of them may also block puzzles of all games.
        let questions = reports + 2;
        // Each job of the lower queues may block the moves in one game and the start of its rounds.
        let moves = 2 * (questions + reports) + 1;
        let queues = Queue::ALL.map(|queue| {
            let (workers, budget) = match queue {
                Queue::Moves => (moves, Some(of_a_move)),
                Queue::Questions => (questions, Some(of_a_question)),
                Queue::Reports => (reports, None),
            };
            let (most_waiting, most_of_one) = (MOST_WAITING_TO_THINK, MOST_WAITING_OF_AN_ADDRESS);
            let (name, prepare) =
                (queue.name(), if queue.is_in_background() { run_in_background } else { || () });
            workers::Queue { name, workers, prepare, budget, most_waiting, most_of_one }
        });
        let games = SolvedGames::with_limit_each(CACHE_BYTES, BYTES_OF_A_JOB);
        Thinking { workers: WorkerPool::new(games, &queues), wanted: Arc::default() }
    }

    /// Runs work that a player waits for: a computer's move, or the start of a round. `game` identifies the game;
    /// `limit` covers all attempts together.
    ///
    /// # Errors
    ///
    /// Fails if the queue is full.
    pub async fn moves<T: Send + 'static>(
        &self,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        self.run(Queue::Moves, Some(game), limit, think).await
    }

    /// Runs work that a person on a page waits for.
    ///
    /// # Errors
    ///
    /// Fails if the queue is full.
    pub async fn question<T: Send + 'static>(
        &self,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        self.run(Queue::Questions, Some(game), limit, think).await
    }

    /// Runs work that can't be stopped, such as parsing a rule book.
    ///
    /// # Errors
    ///
    /// Fails if the queue is full.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        self.run_once(Queue::Questions, Duration::MAX, |_| work()).await
    }

    /// Runs work that may take long. Stops the browser's previous report.
    ///
    /// # Errors
    ///
    /// Fails if the queue is full, or if the browser asks for another report meanwhile.
    pub async fn report<T: Send + 'static>(
        &self,
        browser: Option<Hash>,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, NoReport> {
        let (kept, replaced) = oneshot::channel();
        let wanted = browser.map(|browser| {
            let id = Arc::default();
            self.wanted().insert(browser, Wanted { id: Arc::clone(&id), _kept: kept });
            NoLongerWanted { thinking: self, browser, id }
        });
        let work = self.run_once(Queue::Reports, limit, think);
        let is_replaced = async {
            match wanted {
                Some(_) => drop(replaced.await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = is_replaced => Err(NoReport::Replaced),
            found = work => Ok(found?),
        }
    }

    /// Runs a job that never restarts: the queue has no budget, or the job can't be stopped.
    async fn run_once<T: Send + 'static>(
        &self,
        queue: Queue,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let mut think = Some(think);
        let found = self.run(queue, None, limit, move |ahead| think.take().map(|think| think(ahead))).await?;
        found.ok_or(TooBusy)
    }

    /// Runs a job until it's done or the caller is gone.
    async fn run<T: Send + 'static>(
        &self,
        queue: Queue,
        game: Option<Hash>,
        limit: Duration,
        think: impl FnMut(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let (done, answer) = oneshot::channel();
        let client = ASKER.try_with(|asker| *asker).ok().flatten().map(counted);
        let ask = Ask { queue: queue as usize, limit, game: game.map(|game| game.0), client };
        // Dropping it cancels the job.
        let _ticket = self.workers.start(ask, think, move |found| drop(done.send(found)));
        // A job that panics sends no answer.
        Ok(answer.await.map_err(|_| TooBusy)??.found)
    }

    fn wanted(&self) -> MutexGuard<'_, HashMap<Hash, Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of waiting jobs.
    pub fn waiting(&self, queue: Queue) -> usize {
        self.workers.waiting(queue as usize)
    }

    /// Returns the number of workers without a job.
    pub fn idle(&self, queue: Queue) -> usize {
        self.workers.idle(queue as usize)
    }

    pub fn is_ending(&self) -> bool {
        self.workers.is_ending()
    }

    /// Stops all jobs.
    pub fn end(&self) {
        self.workers.end();
    }
}

/// Waits briefly for an optional line of a page, then drops its job.
pub async fn soon<T>(line: impl Future<Output = Option<T>>) -> Option<T> {
    tokio::time::timeout(TIME_FOR_A_LINE, line).await.ok().flatten()
}

/// Removes a finished job from the list, unless a newer one replaced it.
struct NoLongerWanted<'a> {
    thinking: &'a Thinking,
    browser: Hash,
    id: Arc<()>,
}

impl Drop for NoLongerWanted<'_> {
    fn drop(&mut self) {
        let mut wanted = self.thinking.wanted();
        if wanted.get(&self.browser).is_some_and(|wanted| Arc::ptr_eq(&wanted.id, &self.id)) {
            wanted.remove(&self.browser);
        }
    }
}

/// Lets every other thread go first immediately. A thread with the highest `nice` value would keep its core for the rest
/// of its time slice, several milliseconds. Only Linux has this; elsewhere all queues are equally urgent.
fn run_in_background() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
            thread_native_id,
        };
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
    }
}

#[cfg(test)]
mod tests;
