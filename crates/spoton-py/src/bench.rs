//! Game sets for measuring players.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use spoton::day::Day;
use spoton::design::sets::Set;

use crate::classes::book::Book;
use crate::errors::bad_game;
use crate::thinking::work;

/// A set of 50 certified games with 1 to 20 hidden choices, from `spoton.bench`.
#[pyclass(frozen, module = "spoton")]
pub struct BenchSet {
    set: Set,
    books: Py<PyList>,
}

/// Cache of the last fresh set: several tasks may request it, and it takes seconds to make.
static LAST: Mutex<Option<Set>> = Mutex::new(None);

fn fresh_set(py: Python<'_>, day: Day) -> PyResult<Set> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(set) = last.filter(|set| set.name == day.to_string()) {
        return Ok(set);
    }
    let set = work(py, |budget| Set::fresh(day, budget))?;
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(set.clone());
    Ok(set)
}

/// Returns the games of `spoton bot bench`: the fixed set, which never changes, or a day's fresh set, such as
/// `2026-11-16`, which is the same for everyone and takes a few seconds to make. Each book's `depth` is its number of
/// hidden choices: choices that matter, where the best move isn't obvious.
#[pyfunction]
#[pyo3(signature = (fresh = None))]
pub fn bench(py: Python<'_>, fresh: Option<&Bound<'_, PyAny>>) -> PyResult<BenchSet> {
    let set = match fresh {
        None => Set::fixed(),
        Some(day) => {
            let day = day.str()?.to_str()?.parse::<Day>();
            fresh_set(py, day.map_err(|bad| PyValueError::new_err(bad.to_string()))?)?
        }
    };
    let books = PyList::empty(py);
    for book in &set.books {
        let game = book.game().map_err(|bad| bad_game(py, bad))?;
        let mut played = Book::new(py, game)?;
        played.depth = Some(book.depth);
        books.append(Py::new(py, played)?)?;
    }
    Ok(BenchSet { set, books: books.unbind() })
}

#[pymethods]
impl BenchSet {
    /// The fixed set's version, or a fresh set's day.
    #[getter]
    fn name(&self) -> &str {
        &self.set.name
    }

    /// 16 hexadecimal digits that identify the set.
    #[getter]
    fn fingerprint(&self) -> String {
        self.set.fingerprint()
    }

    fn __len__(&self) -> usize {
        self.set.books.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.books.bind(py).as_any().get_item(place)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.books.bind(py).as_any().try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<spoton.BenchSet {}, {} games, {}>", self.set.name, self.__len__(), self.fingerprint())
    }
}
