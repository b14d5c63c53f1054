//! Solver jobs off the request threads, bounded in time, memory and number.

use std::time::Duration;

use spoton::sitting::Lookahead;
use spoton::solved::SolvedGames;
use spoton_host::workers::{Ask, Done, Queue, TooBusy, WorkerPool};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::limits::{A_MOMENT, BYTES_OF_A_JOB, CACHE_BYTES, MOST_MOMENTS_AT_ONCE, MOST_WAITING};

/// The solver's workers. Short jobs don't queue behind long ones.
pub struct Thinking(WorkerPool);

/// Why a job has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NothingFound {
    #[error("the server is busy; try again in a few seconds")]
    TooBusy,
    #[error("this takes more than {} seconds, which is the limit here; try a smaller game", .0.as_secs())]
    TooLong(Duration),
    #[error("internal error; nothing has changed")]
    Broken,
}

impl Default for Thinking {
    fn default() -> Thinking {
        // Leaves one core for answering requests.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let long = Queue {
            name: "long",
            workers: cores.saturating_sub(1).max(1),
            prepare: || (),
            budget: None,
            most_waiting: MOST_WAITING,
            most_of_one: MOST_WAITING,
        };
        let moments = Queue {
            name: "moments",
            workers: MOST_MOMENTS_AT_ONCE,
            budget: Some(A_MOMENT),
            most_waiting: usize::MAX,
            ..long
        };
        let games = SolvedGames::with_limit_each(CACHE_BYTES, BYTES_OF_A_JOB);
        Thinking(WorkerPool::new(games, &[moments, long]))
    }
}

impl Thinking {
    /// Runs a job until it is done, the time is up or the client is gone. If it takes more than a moment, it restarts
    /// in the queue for long jobs.
    pub async fn about<T: Send + 'static>(
        &self,
        limit: Duration,
        gone: &CancellationToken,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, NothingFound> {
        let (done, answer) = oneshot::channel();
        let ask = Ask { queue: 0, limit, game: None, client: None };
        // Dropping it cancels the job.
        let _ticket = self.0.start(ask, think, move |found| drop(done.send(found)));
        match gone.run_until_cancelled(answer).await {
            Some(Ok(Ok(Done { found, stopped: false }))) => Ok(found),
            Some(Ok(Ok(Done { stopped: true, .. }))) => Err(NothingFound::TooLong(limit)),
            Some(Ok(Err(TooBusy))) => Err(NothingFound::TooBusy),
            // A job that panics sends no answer.
            Some(Err(_)) | None => Err(NothingFound::Broken),
        }
    }
}
