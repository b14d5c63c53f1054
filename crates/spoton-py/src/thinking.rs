//! Looking ahead: other threads go on meanwhile, and Ctrl-C stops it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use spoton::format::Rulebook;
use spoton::people::solved_game::{SolvedGame, SolvedGames};
use spoton::sitting::{Cannot, Lookahead};
use spoton::solver::{Budget, Progress, Unsolved};

use crate::convert::natural;
use crate::errors::{Error, bad_game, unsolved};

/// What all solved games may hold together, in mebibytes, unless somebody says otherwise; as for the program.
const MEBIBYTES: u64 = 1024;

/// The games that are solved already, with the bytes that they may hold together.
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

/// Says how much memory looking ahead may hold, in mebibytes. It is 1024 unless this is called. What was found so far is
/// forgotten.
#[pyfunction]
pub fn set_memory(#[pyo3(from_py_with = natural)] mebibytes: u64) -> PyResult<()> {
    if mebibytes == 0 || mebibytes > u64::MAX >> 20 {
        return Err(PyValueError::new_err("memory is told in mebibytes, from 1 on"));
    }
    *GAMES.lock().unwrap_or_else(PoisonError::into_inner) = Some(with_memory(mebibytes));
    Ok(())
}

/// Asks a game something.
pub fn ask<T: Send>(
    py: Python<'_>,
    rulebook: &Arc<Rulebook>,
    question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved> + Send,
) -> PyResult<T> {
    let games = games().0;
    watched(py, |keep_going| games.ask(rulebook, keep_going, question))?.map_err(unsolved)
}

/// Looks ahead on behalf of somebody who plays.
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

/// Works on something that no single game knows.
pub fn work<T: Send>(
    py: Python<'_>,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved> + Send,
) -> PyResult<T> {
    let bytes = games().1;
    watched(py, |keep_going| run(&mut Budget::new(bytes, keep_going)))?.map_err(unsolved)
}

/// Goes through many things, each of which takes no time, for as long as it is told to go on.
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

/// How often it is looked whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(20);

/// Runs something that may take long. An error comes from a signal: `KeyboardInterrupt`, or what a handler raised.
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
            // Where Python is about to end, there is nobody left to answer.
            let signals = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
            interrupt = signals.err();
            interrupt.is_none()
        };
        let answer = run(&mut keep_going);
        interrupt.map_or(Ok(answer), Err)
    })
}
