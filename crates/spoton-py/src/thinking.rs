//! Solver calls: they release the GIL, and Ctrl-C stops them.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use spoton::format::Rulebook;
use spoton::sitting::{Cannot, Lookahead};
use spoton::solved::{SolvedGame, SolvedGames};
use spoton::solver::{Budget, Progress, Unsolved};

use crate::convert::natural;
use crate::errors::{Error, bad_game, unsolved};

/// Default memory limit for all solved games in MiB, the same as the program's.
const MEBIBYTES: u64 = 1024;

/// Cache of solved games and its limit in bytes.
static GAMES: Mutex<Option<(Arc<SolvedGames>, u64)>> = Mutex::new(None);

fn games() -> (Arc<SolvedGames>, u64) {
    let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let (games, bytes) = games.get_or_insert_with(|| with_memory(MEBIBYTES));
    (Arc::clone(games), *bytes)
}

fn with_memory(mebibytes: u64) -> (Arc<SolvedGames>, u64) {
    let bytes = mebibytes << 20;
    (Arc::new(SolvedGames::new(bytes)), bytes)
}

/// Sets the memory limit of the solver in MiB and clears its cache. The default is 1024.
#[pyfunction]
pub fn set_memory(#[pyo3(from_py_with = natural)] mebibytes: u64) -> PyResult<()> {
    if mebibytes == 0 || mebibytes > u64::MAX >> 20 {
        return Err(PyValueError::new_err("the memory limit must be a whole number of MiB, at least 1"));
    }
    *GAMES.lock().unwrap_or_else(PoisonError::into_inner) = Some(with_memory(mebibytes));
    Ok(())
}

/// Queries a solved game.
pub fn ask<T: Send>(
    py: Python<'_>,
    rulebook: &Arc<Rulebook>,
    question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved> + Send,
) -> PyResult<T> {
    let games = games().0;
    watched(py, |keep_going| games.ask(rulebook, keep_going, question))?.map_err(unsolved)
}

/// Looks ahead for a computer player.
pub fn look_ahead<T: Send>(
    py: Python<'_>,
    run: impl FnOnce(&mut Lookahead<'_>) -> Result<T, Cannot> + Send,
) -> PyResult<T> {
    let games = games().0;
    watched(py, |keep_going| run(&mut Lookahead { games: &games, keep_going }))?.map_err(
        |cannot| match cannot {
            Cannot::Unsolved(why) => unsolved(why),
            Cannot::BadGame(bad) => bad_game(py, bad),
            cannot => Error::new_err(cannot.to_string()),
        },
    )
}

/// Runs a job that isn't about a single solved game.
pub fn work<T: Send>(
    py: Python<'_>,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved> + Send,
) -> PyResult<T> {
    let bytes = games().1;
    watched(py, |keep_going| run(&mut Budget::new(bytes, keep_going)))?.map_err(unsolved)
}

/// Runs a loop of short steps, stopping if interrupted.
pub fn count_many<T: Send>(
    py: Python<'_>,
    run: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send,
) -> PyResult<T> {
    let counted = watched(py, |keep_going| {
        Ok::<T, Infallible>(run(&mut || keep_going(Progress { positions: 0, of: None })))
    })?;
    let Ok(counted) = counted;
    Ok(counted)
}

/// How often signals are checked.
const PATIENCE: Duration = Duration::from_millis(20);

/// Runs a long call. If a signal arrives, returns `KeyboardInterrupt` or the exception its handler raised.
fn watched<T: Send, E: Send>(
    py: Python<'_>,
    run: impl FnOnce(&mut dyn FnMut(Progress) -> bool) -> Result<T, E> + Send,
) -> PyResult<Result<T, E>> {
    py.detach(|| {
        let (mut interrupt, mut looked) = (None, Instant::now());
        let mut keep_going = |_| {
            if looked.elapsed() < PATIENCE {
                return true;
            }
            looked = Instant::now();
            // Python is shutting down and can't check signals any more, so keep going.
            let signals = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
            interrupt = signals.err();
            interrupt.is_none()
        };
        let answer = run(&mut keep_going);
        interrupt.map_or(Ok(answer), Err)
    })
}
