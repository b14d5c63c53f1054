//! Rounds that were written down, looked back on; and what two players can expect of each other.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use spoton::engine::position::ByPlayer;
use spoton::engine::round::Round;
use spoton::json;
use spoton::people::arena::Meeting;
use spoton::people::opponent::Opponent;
use spoton::people::review::Review;
use spoton::people::summary::Summary;
use spoton::records::{self, Record};

use crate::book::Book;
use crate::convert::{to_json, to_python};
use crate::errors::{Error, RecordError, bad_record};
use crate::thinking::ask;

/// A round looked back on, as `spoton review --json` tells it. The record is a text in either form, or a dictionary as
/// `spoton record --json` has it.
#[pyfunction]
pub fn review<'py>(py: Python<'py>, record: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match reviewed(py, record)?.as_slice() {
        [(record, round, review)] => to_python(py, &json::review(record, round, review)),
        several => Err(RecordError::new_err(format!(
            "one record is wanted, not {}; grade takes many",
            several.len()
        ))),
    }
}

/// How everybody did over many rounds, by player, game and seat, with 95 % intervals: as `spoton review --summary --json`
/// tells it. The records are a text, or a list of texts and dictionaries.
#[pyfunction]
pub fn grade<'py>(py: Python<'py>, records: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut rounds = Vec::new();
    if is_one(records) {
        rounds = reviewed(py, records)?;
    } else {
        for record in records.try_iter()? {
            rounds.extend(reviewed(py, &record?)?);
        }
    }
    let summary = Summary::of(rounds.iter().map(|(record, round, review)| (record, round, review)));
    to_python(py, &json::summary(&summary))
}

fn is_one(records: &Bound<'_, PyAny>) -> bool {
    records.cast::<PyString>().is_ok() || records.cast::<PyDict>().is_ok()
}

/// The records of a text, or of a dictionary, replayed and looked back on.
fn reviewed(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Vec<(Record, Round, Review)>> {
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_str()?.to_owned(),
        Err(_) if given.cast::<PyDict>().is_ok() => to_json(given)?.to_string(),
        Err(_) => return Err(PyTypeError::new_err("a record is a text or a dictionary")),
    };
    let replayed = py.detach(|| records::replay_all(&text)).map_err(bad_record)?;
    let reviewed = replayed.into_iter().map(|(record, round)| {
        let review = ask(py, round.rulebook(), |game, budget| game.review(&round, budget))?;
        Ok((record, round, review))
    });
    reviewed.collect()
}

/// The exact chances of two computer players against each other, by who goes first: a list of `first`, `wins` and `drawn`,
/// as `spoton arena --json` has it under `exact`.
#[pyfunction]
pub fn chances<'py>(
    py: Python<'py>,
    book: &Bound<'py, Book>,
    player1: &str,
    player2: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let book = book.get();
    let players = ByPlayer([Some(opponent(player1)?), Some(opponent(player2)?)]);
    let meeting = ask(py, &book.rulebook, |game, budget| Meeting::known(game, &players, budget))?;
    let names = ByPlayer([player1.to_owned(), player2.to_owned()]);
    let told = json::meeting(&book.game, &book.rulebook, &names, &names, &meeting);
    to_python(py, &told["exact"])
}

/// A computer player by name.
pub fn opponent(name: &str) -> PyResult<Opponent> {
    Opponent::parse(name).map_err(|unknown| Error::new_err(unknown.to_string()))
}
