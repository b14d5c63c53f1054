//! Exceptions, with the same messages as the program.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use spoton::format::{BadGame, Problem};
use spoton::json;
use spoton::records::BadRecord;
use spoton::solver::Unsolved;

use crate::convert;

pyo3::create_exception!(spoton, Error, PyException, "The base class of all Spot On exceptions.");
pyo3::create_exception!(
    spoton,
    RulebookError,
    Error,
    "The rule book is invalid. The message has one line per mistake, as in `spoton check`; `problems` has them as data."
);
pyo3::create_exception!(
    spoton,
    IllegalMove,
    Error,
    "The move isn't legal here. The message gives the reason."
);
pyo3::create_exception!(
    spoton,
    RecordError,
    Error,
    "The record can't be read or replayed. The message gives the reason."
);
pyo3::create_exception!(
    spoton,
    TooLarge,
    Error,
    "Solving needs more memory or time than allowed. Raise the memory limit with `spoton.set_memory`."
);

/// The exception for an invalid rule book.
pub fn invalid(py: Python<'_>, problems: &[Problem]) -> PyErr {
    let told: Vec<String> = problems.iter().map(Problem::in_words).collect();
    let error = RulebookError::new_err(told.join("\n"));
    let listed: Vec<json::Problem> = problems.iter().map(json::problem).collect();
    match convert::answer(py, &listed).and_then(|listed| error.value(py).setattr("problems", listed)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// The exception for a game that can't be built as requested.
pub fn bad_game(py: Python<'_>, bad: BadGame) -> PyErr {
    match bad {
        BadGame::Invalid(problems) => invalid(py, &problems),
        bad => Error::new_err(bad.to_string()),
    }
}

/// The exception for an invalid record.
pub fn bad_record(bad: BadRecord) -> PyErr {
    RecordError::new_err(bad.to_string())
}

/// The exception for an unreadable file, with all fields of Python's own.
pub fn file_error(py: Python<'_>, path: &Path, error: &io::Error) -> PyErr {
    let told = error.to_string();
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(told) };
    // Python adds the error number to the message itself. On Windows, it reads the number only from the last argument.
    let told = told.split(" (os error").next().unwrap_or_default();
    // Not lazy: the constructor picks the subclass, and OpenSpiel needs the final class.
    let made = py.get_type::<PyOSError>().call1((number, told, path.as_os_str(), number));
    made.map_or_else(|other| other, PyErr::from_value)
}

/// The exception for a query that exceeds its limits.
pub fn unsolved(why: Unsolved) -> PyErr {
    TooLarge::new_err(why.to_string())
}
