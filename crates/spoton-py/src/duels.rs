//! Many rounds at once against a computer player, for vector environments.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use spoton::engine::play::Ending;
use spoton::sitting::QuickDice;
use spoton::sitting::duels::{self as engine, Facts, Seat};

use crate::book::Book;
use crate::records::opponent;
use crate::thinking::look_ahead;

/// What a step shows, as the bytes of arrays, one after the other: observations (64-bit integers), rewards (64-bit floats), masks,
/// terminations, truncations, endings, and whether there is one (a byte each); and what was wrong with the illegal actions.
type Shown<'py> = (Bound<'py, PyByteArray>, Vec<(usize, String)>);

/// Rounds against a computer player that are stepped together. `spoton.gymnasium` makes arrays of them.
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
            return Err(PyValueError::new_err("there has to be at least one round"));
        }
        let rulebook = Arc::clone(&book.get().rulebook);
        let duels = engine::Duels::new(rulebook, rounds, self::opponent(opponent)?, self::seat(seat)?);
        Ok(Duels { book: book.unbind(), duels })
    }

    /// The words for endings; those of a step are numbered from 1 on.
    #[classattr]
    #[expect(non_snake_case, reason = "a constant")]
    fn ENDINGS() -> [&'static str; Ending::ALL.len()] {
        Ending::ALL.map(Ending::word)
    }

    /// Begins rounds anew: the first of a seed where one is given, else the next one there; all of them, or those of which the
    /// byte of `only` is not 0. `seat` stands in for the usual one this time.
    #[pyo3(signature = (seeds, seat = None, only = None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seeds: Vec<Option<u64>>,
        seat: Option<&str>,
        only: Option<&[u8]>,
    ) -> PyResult<Shown<'py>> {
        self.check_length(seeds.len(), "seeds")?;
        self.check_length(only.map_or(seeds.len(), <[u8]>::len), "bytes that say which")?;
        let seat = seat.map(self::seat).transpose()?;
        let which = |place: usize| only.is_none_or(|only| only[place] != 0);
        let duels = &mut self.duels;
        look_ahead(py, |ahead| duels.reset(&seeds, which, seat, ahead))?;
        self.shown(py)
    }

    /// Makes an action in each round: the bytes of as many 64-bit integers.
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
        Err(PyValueError::new_err(format!("there are {rounds} rounds and {given} {what}")))
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

/// One kind of facts after the other: that is what processors do for many rounds at once.
fn fill<T>(row: &mut [T], facts: &[Facts], of: impl Fn(Facts) -> T) {
    row.iter_mut().zip(facts).for_each(|(to, facts)| *to = of(*facts));
}

fn seat(word: &str) -> PyResult<Seat> {
    Seat::from_word(word)
        .ok_or_else(|| PyValueError::new_err(format!("seat is one of first, second, random, not {word:?}")))
}

/// Whether the agent goes first in a seed's so-manyth episode, where the seat is left to chance.
#[pyfunction]
pub fn coin(seed: u64, episode: u64) -> bool {
    QuickDice::new(seed, episode).coin()
}
