//! Solved games.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use spoton::json;
use spoton::solver::Solver;

use crate::classes::book::Book;
use crate::classes::position::Position;
use crate::classes::round::Round;
use crate::convert;
use crate::errors::Error;
use crate::thinking::ask;

/// The exact values of all positions of a game, from `book.solve()`.
#[pyclass(frozen, module = "spoton")]
pub struct Solution {
    book: Py<Book>,
    solver: Arc<Solver>,
}

impl Solution {
    pub fn new(book: Py<Book>, solver: Arc<Solver>) -> Solution {
        Solution { book, solver }
    }

    /// Checks that an argument belongs to the solved game.
    fn is_of(&self, book: &Book, what: &str) -> PyResult<()> {
        match self.book.get().plays_like(book) {
            true => Ok(()),
            false => Err(Error::new_err(format!("the {what} belongs to another rule book"))),
        }
    }
}

#[pymethods]
impl Solution {
    /// The rule book.
    #[getter]
    fn book<'py>(&self, py: Python<'py>) -> Bound<'py, Book> {
        self.book.bind(py).clone()
    }

    /// Evaluates a position for the player to move, as in `spoton solve --json`: its value, the distance to the end,
    /// and the same for every move, best first. For a round, evaluates its current position, or returns how it ended.
    /// Values ignore the house rule.
    fn verdict<'py>(&self, py: Python<'py>, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (on_turn, outcome) = if let Ok(position) = position.cast::<Position>() {
            let position = position.get();
            self.is_of(position.book.get(), "position")?;
            (position.on_turn().copied(), position.outcome())
        } else if let Ok(round) = position.cast::<Round>() {
            let round = round.borrow();
            self.is_of(round.book.get(), "round")?;
            let outcome = round.round.outcome();
            (outcome.is_none().then(|| *round.round.position()), outcome)
        } else {
            let kind = position.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected a position or a round, not {kind}")));
        };
        let book = self.book.get();
        let told = match (on_turn, outcome) {
            (Some(at), _) if self.solver.verdict(&at).is_some() => {
                json::verdict_of(&book.game, &self.solver, &at)
            }
            (Some(at), _) => {
                // The position is unreachable from the opening.
                let from_there = ask(py, &book.rulebook, |_, budget| {
                    Solver::from_positions(Arc::clone(&book.rulebook), [at], HashSet::new(), budget)
                })?;
                json::verdict_of(&book.game, &from_there, &at)
            }
            (None, Some(outcome)) => json::outcome_of(&book.game, &book.rulebook, outcome),
            (None, None) => return Err(Error::new_err("no player is to move")),
        };
        convert::answer(py, &told)
    }

    fn __repr__(&self) -> String {
        format!("<spoton.Solution of {}>", spoton::format::shown(self.book.get().game.id()))
    }
}
