//! What can go wrong, as exceptions, in the sentences that the program says.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use spoton::format::{BadGame, Problem};
use spoton::json;
use spoton::records::BadRecord;
use spoton::solver::Unsolved;

use crate::convert::to_python;

pyo3::create_exception!(
    spoton,
    Error,
    PyException,
    "Whatever Spot On refuses. The other exceptions are kinds of it."
);
pyo3::create_exception!(
    spoton,
    RulebookError,
    Error,
    "A rule book is not valid. The text has a line for each mistake, as `spoton check` tells it; `problems` has them as data."
);
pyo3::create_exception!(spoton, IllegalMove, Error, "A move may not be made here. The text says why.");
pyo3::create_exception!(
    spoton,
    RecordError,
    Error,
    "A record cannot be read or replayed. The text says why."
);
pyo3::create_exception!(
    spoton,
    TooLarge,
    Error,
    "Looking ahead would take more memory or time than there is. `spoton.set_memory` gives more."
);

/// A rule book with mistakes.
pub fn invalid(py: Python<'_>, problems: &[Problem]) -> PyErr {
    let told: Vec<String> = problems.iter().map(Problem::in_words).collect();
    let error = RulebookError::new_err(told.join("\n"));
    let listed = problems.iter().map(json::problem).collect();
    match to_python(py, &listed).and_then(|listed| error.value(py).setattr("problems", listed)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// A game that cannot be had as it was asked for.
pub fn bad_game(py: Python<'_>, bad: BadGame) -> PyErr {
    match bad {
        BadGame::Invalid(problems) => invalid(py, &problems),
        bad => Error::new_err(bad.to_string()),
    }
}

/// A record that is none.
pub fn bad_record(bad: BadRecord) -> PyErr {
    RecordError::new_err(bad.to_string())
}

/// A file that cannot be read, with all that Python's own errors about files have.
pub fn file_error(py: Python<'_>, path: &Path, error: &io::Error) -> PyErr {
    let told = error.to_string();
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(told) };
    // The number stands apart. It has another meaning on Windows, where the last place is for it.
    let told = told.split(" (os error").next().unwrap_or_default();
    // Made at once: Python finds out then which kind of it this is, and OpenSpiel minds if that comes later.
    let made = py.get_type::<PyOSError>().call1((number, told, path.as_os_str(), number));
    made.map_or_else(|other| other, PyErr::from_value)
}

/// A question that is too large.
pub fn unsolved(why: Unsolved) -> PyErr {
    TooLarge::new_err(why.to_string())
}
