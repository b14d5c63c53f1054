//! A game that is solved.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::prelude::*;
use spoton::json;
use spoton::solver::Solver;

use crate::book::Book;
use crate::convert::to_python;
use crate::errors::Error;
use crate::position::Position;
use crate::thinking::ask;

/// What every position of a game is worth. `book.solve()` gives it.
#[pyclass(frozen, module = "spoton")]
pub struct Solution {
    book: Py<Book>,
    solver: Arc<Solver>,
}

impl Solution {
    pub fn new(book: Py<Book>, solver: Arc<Solver>) -> Solution {
        Solution { book, solver }
    }
}

#[pymethods]
impl Solution {
    /// The rule book.
    #[getter]
    fn book<'py>(&self, py: Python<'py>) -> Bound<'py, Book> {
        self.book.bind(py).clone()
    }

    /// What a position is worth to the player on turn, how far the end is, and the same for every move, best first: as
    /// `spoton solve --json` tells it. The house rule is no part of it.
    fn verdict<'py>(&self, py: Python<'py>, position: &Bound<'py, Position>) -> PyResult<Bound<'py, PyAny>> {
        let (book, position) = (self.book.get(), position.get());
        if !book.plays_like(position.book.get()) {
            return Err(Error::new_err("the position is one of another rule book"));
        }
        let told = match (position.on_turn(), position.outcome()) {
            (Some(at), _) if self.solver.verdict(at).is_some() => {
                json::verdict_of(&book.game, &self.solver, at)
            }
            (Some(at), _) => {
                // Play cannot come there from the opening.
                let from_there = ask(py, &book.rulebook, |_, budget| {
                    Solver::from_positions(Arc::clone(&book.rulebook), [*at], HashSet::new(), budget)
                })?;
                json::verdict_of(&book.game, &from_there, at)
            }
            (None, Some(outcome)) => json::outcome_of(&book.game, &book.rulebook, outcome),
            (None, None) => return Err(Error::new_err("there is nobody on turn")),
        };
        to_python(py, &told)
    }

    fn __repr__(&self) -> String {
        format!("<spoton.Solution of {}>", spoton::format::shown(self.book.get().game.id()))
    }
}
