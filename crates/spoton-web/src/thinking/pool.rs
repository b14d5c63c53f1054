//! The workers of a queue, and the jobs that wait for them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tokio::sync::{Semaphore, oneshot};

use super::turns::Turns;
use super::{Queue, TooBusy};
use crate::ids::Hash;
use crate::limits::MOST_WAITING_TO_THINK;

type Job = Box<dyn FnOnce() + Send>;

/// Threads of their own: a thread that has lowered its priority can't raise it again, so none can be shared.
pub struct Pool {
    jobs: mpsc::Sender<Job>,
    pub idle: Arc<Semaphore>,
    pub places: Arc<Semaphore>,
    pub turns: Arc<Turns>,
}

impl Pool {
    /// Starts the workers. They end with the pool.
    ///
    /// # Panics
    ///
    /// If the system has no more threads.
    pub fn new(queue: Queue, workers: usize) -> Pool {
        let (jobs, taken) = mpsc::channel();
        let taken = Arc::new(Mutex::new(taken));
        for _ in 0..workers {
            let taken = Arc::clone(&taken);
            let thread = std::thread::Builder::new().name(queue.name().to_owned());
            let started = thread.spawn(move || {
                lower_priority(queue.niceness());
                work(&taken);
            });
            started.unwrap_or_else(|error| panic!("a thread of the {} queue: {error}", queue.name()));
        }
        Pool {
            jobs,
            idle: Arc::new(Semaphore::new(workers)),
            places: Arc::new(Semaphore::new(MOST_WAITING_TO_THINK)),
            turns: Arc::default(),
        }
    }

    pub fn waiting(&self) -> usize {
        MOST_WAITING_TO_THINK.saturating_sub(self.places.available_permits())
    }

    /// Runs a job as soon as a worker is free, and no other job of the same game runs here.
    pub async fn run<T: Send + 'static>(
        &self,
        game: Option<Hash>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| TooBusy)?;
        let turn = match game {
            Some(game) => Some(Turns::take(&self.turns, game).await),
            None => None,
        };
        let worker = Arc::clone(&self.idle).acquire_owned().await.map_err(|_| TooBusy)?;
        drop(place);
        let (done, answer) = oneshot::channel();
        let job = move || {
            let found = work();
            drop((turn, worker));
            let _ = done.send(found);
        };
        self.jobs.send(Box::new(job)).map_err(|_| TooBusy)?;
        // A job that panics answers nothing.
        answer.await.map_err(|_| TooBusy)
    }
}

fn work(jobs: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // The message was printed where it happened. Nothing that the job held is used again.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

/// Only Linux has a priority for each thread.
fn lower_priority(niceness: i32) {
    #[cfg(target_os = "linux")]
    if niceness > 0
        && let Err(error) = rustix::process::setpriority_process(None, niceness)
    {
        tracing::warn!("the priority of a worker stays as it is: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
