//! Sets of games to measure players with.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use spoton::people::bench::Set;
use spoton::people::day::Day;

use crate::book::Book;
use crate::errors::bad_game;
use crate::thinking::work;

/// Fifty certified games, from one hidden choice to twenty. `spoton.bench` gives it.
#[pyclass(frozen, module = "spoton")]
pub struct BenchSet {
    set: Set,
    books: Py<PyList>,
}

/// The fresh set that was made last: several tasks may ask for the same, and each takes seconds to make.
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

/// The fixed set of games, version 1, which never changes; or the fresh set of a day, such as `2026-11-16`, which is the same
/// for everybody who names it and takes some seconds to make, once. They are those of `spoton bench`. Each book's `depth` says
/// how many of its choices matter without showing it at once.
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
    /// The version of the fixed set, or the day of a fresh one.
    #[getter]
    fn name(&self) -> &str {
        &self.set.name
    }

    /// 16 digits that are the same only for the same books.
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
