//! Many rounds in parallel against a computer player, for vector environments.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use spoton::engine::play::Ending;
use spoton::sitting::QuickDice;
use spoton::sitting::duels::{self as engine, Facts, Seat};

use crate::classes::book::Book;
use crate::classes::records::opponent;
use crate::thinking::look_ahead;

/// The result of a step. The bytes are consecutive arrays: observations (i64), rewards (f64), then one byte per value:
/// masks, terminations, truncations, endings, and whether there is an ending. The list explains the illegal actions.
type Shown<'py> = (Bound<'py, PyByteArray>, Vec<(usize, String)>);

/// Many rounds against a computer player, stepped together. `spoton.gymnasium` wraps them as arrays.
#[pyclass(module = "spoton")]
pub struct Duels {
    book: Py<Book>,
    duels: engine::Duels,
}

#[pymethods]
impl Duels {
    #[new]
    fn new(book: Bound<'_, Book>, rounds: usize, opponent: &str, seat: &str) -> PyResult<Duels> {
        if rounds == 0 {
            return Err(PyValueError::new_err("rounds must be at least 1"));
        }
        let rulebook = Arc::clone(&book.get().rulebook);
        let duels = engine::Duels::new(rulebook, rounds, self::opponent(opponent)?, self::seat(seat)?);
        Ok(Duels { book: book.unbind(), duels })
    }

    /// The words for endings, numbered from 1 in a step's result.
    #[classattr]
    #[expect(non_snake_case, reason = "a constant")]
    fn ENDINGS() -> [&'static str; Ending::ALL.len()] {
        Ending::ALL.map(Ending::word)
    }

    /// Restarts all rounds, or those with a nonzero byte in `only`. With a seed, a duel starts that seed's first round,
    /// otherwise the next one. `seat` overrides the default seat.
    #[pyo3(signature = (seeds, seat = None, only = None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seeds: Vec<Option<u64>>,
        seat: Option<&str>,
        only: Option<&[u8]>,
    ) -> PyResult<Shown<'py>> {
        self.check_length(seeds.len(), "seeds")?;
        self.check_length(only.map_or(seeds.len(), <[u8]>::len), "bytes in only")?;
        let seat = seat.map(self::seat).transpose()?;
        let which = |place: usize| only.is_none_or(|only| only[place] != 0);
        let duels = &mut self.duels;
        look_ahead(py, |ahead| duels.reset(&seeds, which, seat, ahead))?;
        self.shown(py)
    }

    /// Takes an action in each round. `actions` holds one 64-bit integer per round, as bytes.
    fn step<'py>(&mut self, py: Python<'py>, actions: &[u8]) -> PyResult<Shown<'py>> {
        let (actions, rest) = actions.as_chunks();
        self.check_length(actions.len() + usize::from(!rest.is_empty()), "actions")?;
        let duels = &mut self.duels;
        look_ahead(py, |ahead| duels.step(actions, ahead))?;
        self.shown(py)
    }
}

impl Duels {
    fn check_length(&self, given: usize, what: &str) -> PyResult<()> {
        let rounds = self.duels.len();
        if given == rounds {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("expected {rounds} {what}, one per round, not {given}")))
    }

    fn shown<'py>(&self, py: Python<'py>) -> PyResult<Shown<'py>> {
        let duels = &self.duels;
        let (features, actions) = duels.widths();
        let rounds = duels.len();
        let (wide, narrow) = (rounds * (features + 1) * 8, rounds * (actions + 4));
        let bytes = PyByteArray::new_with(py, wide + narrow, |bytes| {
            let (wide, narrow) = bytes.split_at_mut(wide);
            let (observations, rewards) = wide.as_chunks_mut().0.split_at_mut(rounds * features);
            let (masks, narrow) = narrow.split_at_mut(rounds * actions);
            let (terminations, narrow) = narrow.split_at_mut(rounds);
            let (truncations, narrow) = narrow.split_at_mut(rounds);
            let (endings, have_ended) = narrow.split_at_mut(rounds);
            duels.show(observations, masks);
            let facts = duels.facts();
            fill(rewards, facts, |facts| f64::from(facts.reward()).to_ne_bytes());
            fill(terminations, facts, |facts| facts.is_terminated().into());
            fill(truncations, facts, |facts| facts.is_truncated().into());
            fill(endings, facts, Facts::ending_number);
            fill(have_ended, facts, |facts| (facts.ending_number() != 0).into());
            Ok(())
        })?;
        let book = self.book.get();
        let why =
            |(place, action): &(usize, i64)| (*place, book.why_illegal(&duels.position(*place), *action));
        Ok((bytes, duels.illegal().iter().map(why).collect()))
    }
}

/// Fills one array after another, which vectorizes well.
fn fill<T>(row: &mut [T], facts: &[Facts], of: impl Fn(Facts) -> T) {
    row.iter_mut().zip(facts).for_each(|(to, facts)| *to = of(*facts));
}

fn seat(word: &str) -> PyResult<Seat> {
    Seat::from_word(word)
        .ok_or_else(|| PyValueError::new_err(format!("seat must be first, second or random, not {word:?}")))
}

/// Whether the agent goes first in this episode of a seed, if the seat is random.
#[pyfunction]
pub fn coin(seed: u64, episode: u64) -> bool {
    QuickDice::new(seed, episode).coin()
}
