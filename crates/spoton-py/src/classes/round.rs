//! Rounds: play from the opening, with history.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyTuple};
use spoton::engine::observation::observe;
use spoton::engine::play::{Ending, Move};
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round as engine;
use spoton::engine::round::CannotPlay;
use spoton::evaluate::opponent::Chances;
use spoton::format::{Numbers, quotable, shown};
use spoton::records::{Circumstances, Record, Refusals, Refused, read_move};
use spoton::sitting::{Dice, QuickDice, go_on};
use spoton::words::solution;

use crate::classes::book::{Book, player};
use crate::classes::position::{Position, Standing};
use crate::classes::records::opponent;
use crate::convert::{natural, natural_if_any};
use crate::errors::{Error, IllegalMove};
use crate::thinking::look_ahead;

/// A round, in progress or over, with its moves and the house rule against repetition. Turns without a legal move are
/// skipped automatically, and a round stops after 10,000 turns.
#[pyclass(module = "spoton")]
pub struct Round {
    pub book: Py<Book>,
    pub round: engine::Round,
    /// The rejected answers.
    refusals: ByPlayer<Refusals>,
}

impl Round {
    pub fn begin(book: Py<Book>, first: Player) -> Round {
        let round = engine::Round::new(Arc::clone(&book.get().rulebook), first);
        Round::at(book, round)
    }

    /// Wraps a round, in progress or over.
    pub fn at(book: Py<Book>, mut round: engine::Round) -> Round {
        go_on(&mut round);
        Round { book, round, refusals: ByPlayer([Refusals::default(); 2]) }
    }

    fn is_over(&self) -> bool {
        self.round.outcome().is_some()
    }

    fn has_forfeited(&self) -> bool {
        self.round.outcome().is_some_and(|outcome| outcome.ending == Ending::Forfeited)
    }

    fn chances_of(&self, py: Python<'_>, name: &str) -> PyResult<Chances> {
        let (opponent, round) = (opponent(name)?, &self.round);
        look_ahead(py, |ahead| ahead.chances(opponent, round))
    }
}

#[pymethods]
impl Round {
    /// The rule book.
    #[getter]
    fn book<'py>(&self, py: Python<'py>) -> Bound<'py, Book> {
        self.book.bind(py).clone()
    }

    /// The player who went first, 1 or 2.
    #[getter]
    fn first(&self) -> u8 {
        self.round.first().number()
    }

    /// The current position, without the history: if the house rule ended the round, the position itself isn't over.
    #[getter]
    fn position(&self, py: Python<'_>) -> Position {
        let (book, position) = (self.book.clone_ref(py), *self.round.position());
        match (self.round.outcome(), self.round.history().last()) {
            // The last move ended the round.
            (Some(outcome), Some(ply)) if ply.before == position => {
                let (a_move, number) = (ply.a_move, ply.number);
                Position { book, standing: Standing::Landed { before: position, a_move, number, outcome } }
            }
            _ => Position::at(book, position),
        }
    }

    /// The shared number, or the numbers of Player 1 and Player 2.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let [one, two] = Player::BOTH.map(|player| self.round.number_of(player));
        match self.book.get().rulebook.numbers() {
            Numbers::Shared => (one,).into_pyobject(py),
            Numbers::Separate => (one, two).into_pyobject(py),
        }
    }

    /// The player to move, 1 or 2; `None` if the round is over.
    #[getter]
    fn turn(&self) -> Option<u8> {
        (!self.is_over()).then(|| self.round.position().turn().number())
    }

    /// The legal moves, in the rule book's order. Empty if the round is over.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (list, book) = (PyList::empty(py), self.book.get());
        for choice in self.round.situation().moves().filter_map(Move::choice) {
            list.append(book.write(Move::Operation(choice)))?;
        }
        Ok(list)
    }

    /// The numbers of the legal moves in the book's alphabet, in the order of `legal`.
    #[getter]
    fn actions(&self) -> Vec<usize> {
        self.book.get().places(self.round.situation().moves().filter_map(Move::choice))
    }

    /// One byte per move of the book's alphabet: 1 if the move is legal, otherwise 0.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let alphabet = &self.book.get().alphabet;
        PyByteArray::new_with(py, alphabet.choices().len(), |bytes| {
            for choice in self.round.situation().moves().filter_map(Move::choice) {
                if let Some(place) = alphabet.place(choice) {
                    bytes[place] = 1;
                }
            }
            Ok(())
        })
    }

    /// Whether the round is over.
    #[getter]
    fn over(&self) -> bool {
        self.is_over()
    }

    /// The winner, 1 or 2; `None` if there is none (yet).
    #[getter]
    fn winner(&self) -> Option<u8> {
        self.round.outcome()?.winner.map(Player::number)
    }

    /// The ending as a word such as `reached`; `None` if the round isn't over.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        Some(self.round.outcome()?.ending.word())
    }

    /// The moves so far, including skipped turns.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let book = self.book.get();
        PyList::new(py, self.round.history().iter().map(|ply| book.write(ply.a_move)))
    }

    /// Makes a move for the player to move. The move is text or a number in the book's alphabet.
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let book = self.book.get();
        if self.is_over() {
            return Err(IllegalMove::new_err("the round is over"));
        }
        let Some(choice) = book.read_choice(r#move)? else {
            let written = r#move.to_string();
            let why = read_move(&written, &self.round).err().map(|why| why.to_string()).unwrap_or_default();
            return Err(IllegalMove::new_err(format!("{}: {why}", quotable(&written))));
        };
        self.round.play(Move::Operation(choice)).map_err(|cannot| match cannot {
            CannotPlay::Refused(why) => IllegalMove::new_err(book.refusal(choice, why)),
            cannot => IllegalMove::new_err(cannot.to_string()),
        })?;
        go_on(&mut self.round);
        Ok(())
    }

    /// Counts a rejected answer from the player to move: `illegal`, `unreadable`, `late`, `died` or `flooded`. It
    /// appears in the record and in grades.
    fn refuse(&mut self, why: &str) -> PyResult<()> {
        let words = || Refused::ALL.map(Refused::word).join(", ");
        let refused = Refused::from_word(why).ok_or_else(|| {
            Error::new_err(format!("{}: the reason must be one of {}", quotable(why), words()))
        })?;
        if self.is_over() {
            return Err(Error::new_err("the round is over"));
        }
        self.refusals[self.round.position().turn()].count(refused);
        Ok(())
    }

    /// The rejected answers by player: a dictionary for each, with the reasons that occurred.
    #[getter]
    fn refusals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let of = |player: Player| -> PyResult<Bound<'py, PyDict>> {
            let counts = PyDict::new(py);
            for (refused, count) in self.refusals[player].iter().filter(|(_, count)| *count > 0) {
                counts.set_item(refused.word(), count)?;
            }
            Ok(counts)
        };
        PyTuple::new(py, Player::BOTH.map(of).into_iter().collect::<PyResult<Vec<_>>>()?)
    }

    /// Forfeits the round for the player to move, who gave no valid answer. Nobody wins.
    fn forfeit(&mut self) {
        self.round.forfeit();
    }

    /// A computer player's move probabilities here. They add up to 1; moves with probability 0 are left out.
    fn chances<'py>(&self, py: Python<'py>, opponent: &str) -> PyResult<Bound<'py, PyDict>> {
        let (chances, book) = (PyDict::new(py), self.book.get());
        if !self.is_over() {
            for (choice, chance) in self.chances_of(py, opponent)?.iter() {
                chances.set_item(book.write(Move::Operation(choice)), chance)?;
            }
        }
        Ok(chances)
    }

    /// The move that a computer player makes here. The same seed gives the same move, and the same round as `spoton
    /// play --seed`. `number` is the round's number within the seed, from 1, as in `spoton bot bench --seed`. With
    /// `episode`, from 1, the move is the one that the environments make in that episode of the seed.
    #[pyo3(signature = (opponent, seed = 0, number = 1, *, episode = None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        opponent: &str,
        #[pyo3(from_py_with = natural)] seed: u64,
        #[pyo3(from_py_with = natural)] number: u32,
        #[pyo3(from_py_with = natural_if_any)] episode: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.is_over() {
            return Err(Error::new_err("the round is over"));
        }
        let turns = self.round.history().len();
        let draw = match episode {
            None => Dice::new(seed).draw(number, turns),
            Some(episode) => QuickDice::new(seed, episode).draw(turns as u32),
        };
        let choice = self.chances_of(py, opponent)?.pick(draw);
        let choice = choice.ok_or_else(|| Error::new_err("there are no legal moves"))?;
        Ok(self.book.get().write(Move::Operation(choice)).bind(py).clone().into_any())
    }

    /// A player's observation: the numbers described by `book.features`.
    fn observation(&self, player: i64) -> PyResult<Vec<i64>> {
        let player = self::player(player)?;
        let numbers = Player::BOTH.map(|player| self.round.number_of(player));
        let Book { rulebook, alphabet, .. } = self.book.get();
        Ok(observe(rulebook, alphabet, self.round.position(), numbers, self.is_over(), player))
    }

    /// The observation as the bytes of 64-bit integers, for arrays.
    fn observation_bytes<'py>(&self, py: Python<'py>, player: i64) -> PyResult<Bound<'py, PyByteArray>> {
        let bytes: Vec<u8> = self.observation(player)?.into_iter().flat_map(i64::to_ne_bytes).collect();
        Ok(PyByteArray::new(py, &bytes))
    }

    /// The round's record, finished or not, for `review`, `grade` and `spoton review`.
    #[pyo3(signature = (player1 = "Player 1", player2 = "Player 2"))]
    fn record(&self, player1: &str, player2: &str) -> String {
        let game = &self.book.get().game;
        let circumstances = Circumstances {
            rulebook: game.id().to_owned(),
            own_file: game.book.own_file,
            variant: game.variant.clone(),
            settings: game.written_settings(),
            players: ByPlayer([player1.to_owned(), player2.to_owned()]),
            computers: ByPlayer([None, None]),
            in_match: None,
        };
        let mut record = Record::of(&self.round, &circumstances);
        record.tell_refused(&self.refusals);
        record.to_string()
    }

    /// An independent copy.
    fn copy(&self, py: Python<'_>) -> Round {
        Round { book: self.book.clone_ref(py), round: self.round.clone(), refusals: self.refusals }
    }

    fn __copy__(&self, py: Python<'_>) -> Round {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Round {
        self.copy(py)
    }

    /// The round's state in words.
    fn __str__(&self) -> String {
        solution::standing(&self.round).join("\n")
    }

    fn __repr__(&self) -> String {
        let position = self.book.get().rulebook.position_text(self.round.position());
        let turns = self.round.history().len();
        format!("<spoton.Round of {} at {position} after {turns} turns>", shown(self.book.get().game.id()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("spoton._spoton")?.getattr("restore_round")?;
        let chosen = self.round.history().iter().filter_map(|ply| ply.a_move.choice());
        let chosen = PyList::new(
            py,
            chosen.map(|choice| self.book.get().write(Move::Operation(choice))).collect::<Vec<_>>(),
        )?;
        let parts = (self.book.bind(py), self.first(), chosen, self.refusals(py)?, self.has_forfeited());
        Ok((restore, parts.into_pyobject(py)?))
    }
}

/// Unpickles a round.
#[pyfunction]
pub fn restore_round(
    book: Bound<'_, Book>,
    first: i64,
    moves: &Bound<'_, PyList>,
    refusals: [BTreeMap<String, u64>; 2],
    has_forfeited: bool,
) -> PyResult<Round> {
    let mut round = Round::begin(book.unbind(), player(first)?);
    for written in moves {
        round.play(&written)?;
    }
    for (player, counts) in Player::BOTH.into_iter().zip(refusals) {
        for (why, count) in counts {
            let refused = Refused::from_word(&why).ok_or_else(|| Error::new_err(why))?;
            round.refusals[player].add(refused, count);
        }
    }
    if has_forfeited {
        round.forfeit();
    }
    Ok(round)
}
