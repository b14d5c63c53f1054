//! Prompts for language models, and reading their answers.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use spoton::engine::play::{Move, Situation};
use spoton::format::{quotable, shown};
use spoton::records::Refused;
use spoton::words::answer::NoMove;
use spoton::words::prompt::Telling as Engine;

use crate::classes::book::Book;
use crate::classes::round::Round;
use crate::convert::natural_if_any;
use crate::errors::{Error, IllegalMove};

/// Presents a game to a language model: plain or, with the seed of a disguise, as another story with other move names;
/// with or without a list of the legal moves.
#[pyclass(frozen, module = "spoton")]
pub struct Telling {
    book: Py<Book>,
    telling: Engine,
}

impl Telling {
    /// Checks that the round belongs to this game and isn't over.
    fn at_a_choice<'a>(&self, round: &'a Round) -> PyResult<&'a Round> {
        if !self.book.get().is_same(round.book.get()) {
            return Err(Error::new_err("the round belongs to another rule book"));
        }
        match round.round.situation() {
            Situation::Choose(_) => Ok(round),
            _ => Err(Error::new_err("the round is over")),
        }
    }
}

/// A fingerprint of the prompts' wording. Language models' results are comparable only if it's the same.
#[pyfunction]
pub fn prompt_fingerprint() -> String {
    spoton::words::prompt::fingerprint()
}

#[pymethods]
impl Telling {
    #[new]
    #[pyo3(signature = (book, *, legal_list = true, disguise = None))]
    fn new(
        book: Bound<'_, Book>,
        legal_list: bool,
        #[pyo3(from_py_with = natural_if_any)] disguise: Option<u64>,
    ) -> PyResult<Telling> {
        let rulebook = Arc::clone(&book.get().rulebook);
        let telling = Engine::new(&rulebook, legal_list, disguise)
            .map_err(|why| Error::new_err(format!("{}: {why}", shown(rulebook.title()))))?;
        Ok(Telling { book: book.unbind(), telling })
    }

    /// The rule book.
    #[getter]
    fn book<'py>(&self, py: Python<'py>) -> Bound<'py, Book> {
        self.book.bind(py).clone()
    }

    /// Whether the legal moves are listed.
    #[getter]
    fn legal_list(&self) -> bool {
        self.telling.with_legal()
    }

    /// The seed of the story; `None` if the game isn't disguised.
    #[getter]
    fn disguise(&self) -> Option<u64> {
        self.telling.disguise().map(|disguise| disguise.seed())
    }

    /// The rules as the prompts write them, as a list of sentences.
    fn rules(&self) -> Vec<String> {
        self.telling.rules(&self.book.get().rulebook)
    }

    /// The prompt for the player to move, as in `spoton bot arena --prompt`: the rules, the round so far, the position
    /// and how to answer. `refused` is what `read` returned for the last answer, if that was rejected.
    #[pyo3(signature = (round, refused = None))]
    fn prompt(&self, round: &Round, refused: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let round = self.at_a_choice(round)?;
        let refused = refused.map(refused_for).transpose()?;
        Ok(self.telling.prompt(&round.round, refused.as_ref().map(|(why, reason)| (*why, reason.as_str()))))
    }

    /// The legal moves of a round as the prompts write them.
    fn legal(&self, round: &Round) -> PyResult<Vec<String>> {
        Ok(self.telling.legal(&self.at_a_choice(round)?.round))
    }

    /// A move as the prompts write it. The move is text or a number in the book's alphabet.
    fn write(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let book = self.book.get();
        match book.read_choice(r#move)? {
            Some(choice) => Ok(self.telling.write(&book.rulebook, choice)),
            None => Err(IllegalMove::new_err(format!(
                "{}: not one of this game's moves",
                quotable(&r#move.to_string())
            ))),
        }
    }

    /// Reads an answer as `spoton bot arena` does, by the grammar in docs/answers.md, without guessing. Pass `cut=True`
    /// if a length limit cut the answer off; such an answer never counts. The result has the `move` as the book writes
    /// it, or `refused` with `why` (`illegal` or `unreadable`) and the `reason` in words.
    #[pyo3(signature = (answer, round, *, cut = false))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        answer: &str,
        round: &Round,
        cut: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let round = self.at_a_choice(round)?;
        let said = match cut {
            true => Err(NoMove::cut_off()),
            false => self.telling.read(answer, &round.round),
        };
        let read = PyDict::new(py);
        match said {
            Ok(choice) => {
                read.set_item("move", self.book.get().write(Move::Operation(choice)))?;
                read.set_item("refused", py.None())?;
            }
            Err(no_move) => {
                let refused = PyDict::new(py);
                refused.set_item("why", no_move.why.word())?;
                refused.set_item("reason", no_move.reason)?;
                read.set_item("move", py.None())?;
                read.set_item("refused", refused)?;
            }
        }
        Ok(read)
    }

    fn __repr__(&self) -> String {
        let id = shown(self.book.get().game.id());
        match self.disguise() {
            Some(seed) => format!("<spoton.Telling of {id} as story {seed}>"),
            None => format!("<spoton.Telling of {id}>"),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Telling>().is_ok_and(|other| {
            let other = other.get();
            self.telling == other.telling && self.book.get().is_same(other.book.get())
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        self.book.get().hashed(&mut hasher);
        std::hash::Hash::hash(&(self.legal_list(), self.disguise()), &mut hasher);
        std::hash::Hasher::finish(&hasher)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let how = PyDict::new(py);
        how.set_item("legal_list", self.legal_list())?;
        how.set_item("disguise", self.disguise())?;
        Ok((PyTuple::new(py, [self.book.bind(py)])?, how))
    }
}

/// The reason for a rejection, as returned by `read`.
fn refused_for(refused: &Bound<'_, PyDict>) -> PyResult<(Refused, String)> {
    let text = |key: &str| -> PyResult<String> {
        let missing = || Error::new_err(format!("refused must have the text \"{key}\", as returned by read"));
        refused.get_item(key)?.ok_or_else(missing)?.extract().map_err(|_| missing())
    };
    let why = text("why")?;
    let refused = Refused::from_word(&why);
    let refused = refused
        .ok_or_else(|| Error::new_err(format!("{}: unknown reason for a refused answer", quotable(&why))))?;
    Ok((refused, text("reason")?))
}
