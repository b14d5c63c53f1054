//! Positions: small and immutable; equal positions have the same future.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use spoton::engine::play::{Move, Outcome, Situation, Step};
use spoton::engine::position::{self as engine, ByPlayer, Player};
use spoton::engine::written::SKIP;
use spoton::format::{Numbers, quotable, shown};
use spoton::json;
use spoton::words::phrases;

use crate::classes::book::Book;
use crate::convert;
use crate::errors::IllegalMove;

/// The state of a game: the numbers, the player to move, and everything else that decides the future. The house rule
/// against repetition depends on the past, so it belongs to rounds.
///
/// Positions are immutable. Equal positions have the same future.
#[pyclass(frozen, module = "spoton")]
pub struct Position {
    pub book: Py<Book>,
    pub standing: Standing,
}

/// The state of play.
#[derive(Clone, Copy)]
pub enum Standing {
    /// Play continues from this position, or ends because a player can't move.
    At { position: engine::Position, outcome: Option<Outcome> },
    /// A move from `before` ended the round by reaching `number`.
    Landed { before: engine::Position, a_move: Move, number: i128, outcome: Outcome },
}

impl Position {
    /// The state at an engine position.
    pub fn at(book: Py<Book>, position: engine::Position) -> Position {
        let outcome = match book.get().rulebook.situation(&position) {
            Situation::Over(outcome) => Some(outcome),
            Situation::Choose(_) | Situation::Skip => None,
        };
        Position { book, standing: Standing::At { position, outcome } }
    }

    fn after(&self, py: Python<'_>, a_move: Move) -> PyResult<Position> {
        let Standing::At { position, outcome: None } = self.standing else {
            return Err(IllegalMove::new_err("the round is over"));
        };
        let book = self.book.get();
        match book.rulebook.play(&position, a_move) {
            Ok(Step::On(next)) => Ok(Position::at(self.book.clone_ref(py), next)),
            Ok(Step::Over { number, outcome }) => {
                let standing = Standing::Landed { before: position, a_move, number, outcome };
                Ok(Position { book: self.book.clone_ref(py), standing })
            }
            Err(why) => Err(IllegalMove::new_err(format!(
                "{}: {}",
                book.rulebook.write(a_move),
                phrases::refusal(&book.rulebook, why)
            ))),
        }
    }

    /// The engine position, unless the round is over.
    pub fn on_turn(&self) -> Option<&engine::Position> {
        match &self.standing {
            Standing::At { position, outcome: None } => Some(position),
            _ => None,
        }
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.standing {
            Standing::At { outcome, .. } => outcome,
            Standing::Landed { outcome, .. } => Some(outcome),
        }
    }

    fn both_numbers(&self) -> ByPlayer<i128> {
        let rulebook = &self.book.get().rulebook;
        match self.standing {
            Standing::At { position, .. } => ByPlayer::from_fn(|player| position.number_of(player).into()),
            Standing::Landed { before, a_move, number, .. } => {
                let owner = rulebook.owner(&before, a_move);
                ByPlayer::from_fn(|player| {
                    let has_it = player == owner || rulebook.numbers() == Numbers::Shared;
                    if has_it { number } else { before.number_of(player).into() }
                })
            }
        }
    }

    /// The key for equality within a book.
    fn key(&self) -> (Option<engine::Position>, [i128; 2], Option<Outcome>) {
        (self.on_turn().copied(), self.both_numbers().0, self.outcome())
    }

    /// Reads a move, given as text or as its number.
    fn read_move(&self, named: &Bound<'_, PyAny>) -> PyResult<Move> {
        let book = self.book.get();
        match book.read_choice(named)? {
            Some(choice) => Ok(Move::Operation(choice)),
            None if named.eq(SKIP)? => Ok(Move::Skip),
            None => {
                let told = format!(
                    "{}: not one of this game's moves: {}",
                    quotable(&named.to_string()),
                    phrases::or_list(book.rulebook.moves())
                );
                Err(IllegalMove::new_err(told))
            }
        }
    }
}

#[pymethods]
impl Position {
    /// The rule book.
    #[getter]
    fn book<'py>(&self, py: Python<'py>) -> Bound<'py, Book> {
        self.book.bind(py).clone()
    }

    /// The shared number, or the numbers of Player 1 and Player 2.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ByPlayer([one, two]) = self.both_numbers();
        match self.book.get().rulebook.numbers() {
            Numbers::Shared => (one,).into_pyobject(py),
            Numbers::Separate => (one, two).into_pyobject(py),
        }
    }

    /// The player to move, 1 or 2; `None` if the round is over.
    #[getter]
    fn turn(&self) -> Option<u8> {
        self.on_turn().map(|position| position.turn().number())
    }

    /// The legal moves, in the rule book's order. Empty if the turn is skipped or the round is over.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let book = self.book.get();
        let Some(position) = self.on_turn() else { return Ok(PyList::empty(py)) };
        let legal = book.rulebook.legal(position);
        PyList::new(py, legal.iter().map(|choice| book.write(Move::Operation(choice))))
    }

    /// Whether there is no legal move and the turn is skipped. `play("skip")` passes it to the opponent.
    #[getter]
    fn skips(&self) -> bool {
        let rulebook = &self.book.get().rulebook;
        self.on_turn().is_some_and(|position| matches!(rulebook.situation(position), Situation::Skip))
    }

    /// The numbers of the legal moves in the book's alphabet, in the order of `legal`.
    #[getter]
    fn actions(&self) -> Vec<usize> {
        let book = self.book.get();
        let legal = self.on_turn().map(|position| book.rulebook.legal(position));
        book.places(legal.into_iter().flat_map(|legal| legal.iter()))
    }

    /// The moves that aren't allowed now, with the reasons.
    #[getter]
    fn barred<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (barred, rulebook) = (PyDict::new(py), &self.book.get().rulebook);
        if let Some(position) = self.on_turn() {
            for offer in rulebook.offers(position) {
                if let Err(why) = offer.result {
                    barred.set_item(rulebook.write_offer(&offer), phrases::refusal(rulebook, why))?;
                }
            }
        }
        Ok(barred)
    }

    /// Whether the round is over.
    #[getter]
    fn over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The winner, 1 or 2; `None` if there is none (yet).
    #[getter]
    fn winner(&self) -> Option<u8> {
        self.outcome()?.winner.map(Player::number)
    }

    /// The ending as a word such as `reached`; `None` while play continues.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        Some(self.outcome()?.ending.word())
    }

    /// Returns the position after a move. The move is text or a number in the book's alphabet.
    fn play(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        self.after(py, self.read_move(r#move)?)
    }

    /// The position as data, as in `spoton solve --json`. If the round is over, how it ended.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rulebook = &self.book.get().rulebook;
        match (self.on_turn(), self.outcome()) {
            (Some(position), _) => convert::answer(py, &json::position(rulebook, position)),
            (None, outcome) => {
                let dict = PyDict::new(py);
                dict.set_item("numbers", self.numbers(py)?.to_list())?;
                dict.set_item("winner", outcome.and_then(|outcome| outcome.winner).map(Player::number))?;
                dict.set_item("ending", outcome.map(|outcome| outcome.ending.word()))?;
                Ok(dict.into_any())
            }
        }
    }

    /// A short text such as `10;1`, for `book.position`. If a move ended the round, the position before it and the
    /// move, such as `19;1 +1`.
    fn __str__(&self) -> String {
        let rulebook = &self.book.get().rulebook;
        match &self.standing {
            Standing::At { position, .. } => rulebook.position_text(position),
            Standing::Landed { before, a_move, .. } => {
                format!("{} {}", rulebook.position_text(before), rulebook.write(*a_move))
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<spoton.Position {} of {}>", self.__str__(), shown(self.book.get().game.id()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| {
            let other = other.get();
            self.key() == other.key() && self.book.get().is_same(other.book.get())
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.book.get().hashed(&mut hasher);
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("spoton._spoton")?.getattr("restore_position")?;
        Ok((restore, (self.book.bind(py), self.__str__()).into_pyobject(py)?))
    }
}

/// Unpickles a position.
#[pyfunction]
pub fn restore_position(book: Bound<'_, Book>, text: &str) -> PyResult<Position> {
    let py = book.py();
    let (text, a_move) = text.split_once(' ').map_or((text, None), |(text, a_move)| (text, Some(a_move)));
    let position = book.get().rulebook.read_position(text);
    let position = position.map_err(|bad| crate::errors::Error::new_err(bad.to_string()))?;
    let position = Position::at(book.unbind(), position);
    match a_move {
        None => Ok(position),
        Some(a_move) => position.play(py, pyo3::types::PyString::new(py, a_move).as_any()),
    }
}
