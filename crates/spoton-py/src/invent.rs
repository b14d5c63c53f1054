//! New games, certified by their audits.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use spoton::design::invent::{Bounds, Inventor as Engine};
use spoton::format::{BookText, Changes, Game};
use spoton::json;

use crate::classes::book::Book;
use crate::convert::{self, natural, natural_if_any};
use crate::errors::{Error, bad_game};
use crate::thinking::work;

/// An iterator of invented games, from `spoton.invent`.
#[pyclass(frozen, module = "spoton")]
pub struct Inventor {
    inventor: Mutex<(Engine, u64)>,
    count: Option<u64>,
}

/// Invents certified games: each one always ends, is never drawn, has hidden choices and gives a guesser little chance,
/// and no simple rule always wins. The same seed gives the same games everywhere.
///
/// The bounds are those of `spoton invent`: a `level` from 1 to 5, or `length` and `subtle` (pairs of minimum and
/// maximum) and `guess`. The games keep the endings and prohibitions of the book `like`. Without `count`, the games
/// never run out.
#[pyfunction]
#[pyo3(signature = (seed, count = None, *, level = None, length = None, subtle = None, guess = None, like = None))]
pub fn invent(
    #[pyo3(from_py_with = natural)] seed: u64,
    #[pyo3(from_py_with = natural_if_any)] count: Option<u64>,
    #[pyo3(from_py_with = natural_if_any)] level: Option<u8>,
    length: Option<(u64, u64)>,
    subtle: Option<(u64, u64)>,
    guess: Option<f64>,
    like: Option<&Bound<'_, Book>>,
) -> PyResult<Inventor> {
    let mut bounds = match level {
        None => Bounds::usual(),
        Some(level) => Bounds::of_level(level)
            .ok_or_else(|| PyValueError::new_err(format!("level must be from 1 to 5, not {level}")))?,
    };
    if let Some((least, most)) = length {
        bounds.length = least..=most;
    }
    if let Some((least, most)) = subtle {
        bounds.subtle = least..=most;
    }
    bounds.guess = guess.or(bounds.guess);
    let mut inventor = Engine::new(seed, bounds);
    if let Some(like) = like {
        let rulebook = &like.get().rulebook;
        if rulebook.target().is_none() {
            return Err(Error::new_err("like needs a game with a target"));
        }
        inventor = inventor.like(Arc::clone(rulebook));
    }
    Ok(Inventor { inventor: Mutex::new((inventor, 0)), count })
}

#[pymethods]
impl Inventor {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Book>> {
        // Takes the lock inside `work`, without the GIL, so that threads can't deadlock.
        let found = work(py, |budget| {
            let mut inventor = self.inventor.lock().unwrap_or_else(PoisonError::into_inner);
            if self.count.is_some_and(|count| inventor.1 >= count) {
                return Ok(None);
            }
            let found = inventor.0.next(budget)?;
            inventor.1 += u64::from(found.is_some());
            Ok(Some((found, inventor.1)))
        })?;
        let Some((found, number)) = found else { return Ok(None) };
        let Some(invented) = found else {
            let found = if number == 0 { "no game".to_owned() } else { format!("only {number} games") };
            return Err(Error::new_err(format!("found {found} within these bounds; try wider ones")));
        };
        let id = format!("invented-{}-{}", invented.seed, invented.number);
        let source_name = format!("{id}.toml");
        let text =
            BookText { id, own_file: true, source_name: source_name.clone(), text: invented.text.clone() };
        let game = Game::new(text, source_name, &Changes::default()).map_err(|bad| bad_game(py, bad))?;
        let mut book = Book::new(py, game)?;
        book.invented = Some(convert::to_value(&json::invented(&invented))?);
        Ok(Some(book))
    }
}
