//! Playable rule books and how to load them.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Display;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use serde_json::Value as Json;
use spoton::design::today::Duel;
use spoton::discovery::View;
use spoton::engine::alphabet::Alphabet;
use spoton::engine::observation::features;
use spoton::engine::play::{Move, Refusal};
use spoton::engine::position::{Choice, Player};
use spoton::format::{BookText, Changes, Draft, Game, Listed, Rulebook, Setting, quotable, shown};
use spoton::json;
use spoton::sitting::{Dice, MOST_PLIES};
use spoton::teach::subtle::SubtleChoices;
use spoton::words::{phrases, rules, typed};
use spoton_host::files::{self, BadFile};
use spoton_host::{Finder, Found, NoGame};

use crate::classes::position::Position;
use crate::classes::round::Round;
use crate::classes::solution::Solution;
use crate::convert::{self, natural, natural_if_any, to_json, to_python};
use crate::errors::{Error, IllegalMove, RulebookError, TooLarge, bad_game, file_error};
use crate::thinking::{ask, work};

/// A playable rule book, from `load`, `read`, `invent` or `bench`.
///
/// Books are equal if they have the same rules and wording.
#[pyclass(frozen, module = "spoton")]
pub struct Book {
    pub game: Game,
    pub rulebook: Arc<Rulebook>,
    pub alphabet: Alphabet,
    /// How each move in the alphabet is written. The last item is the skipped turn.
    written: Vec<Py<PyString>>,
    /// The invention with its certificate, if the book was invented.
    pub invented: Option<Json>,
    /// Its number of hidden choices, if it belongs to a benchmark set.
    pub depth: Option<u64>,
    /// Whether its text is a one-line book.
    on_one_line: bool,
}

impl Book {
    pub fn new(py: Python<'_>, game: Game) -> PyResult<Book> {
        let rulebook = Arc::new(game.rulebook().map_err(|bad| bad_game(py, bad))?);
        let alphabet = rulebook.alphabet();
        let moves = alphabet.choices().iter().map(|choice| Move::Operation(*choice)).chain([Move::Skip]);
        let written = moves.map(|a_move| PyString::new(py, &rulebook.write(a_move)).unbind()).collect();
        Ok(Book { game, rulebook, alphabet, written, invented: None, depth: None, on_one_line: false })
    }

    /// How a move is written.
    pub fn write(&self, a_move: Move) -> &Py<PyString> {
        let place = a_move.choice().and_then(|choice| self.alphabet.place(choice));
        &self.written[place.unwrap_or(self.alphabet.choices().len())]
    }

    /// Reads a move, given as text or as its number in the alphabet. Returns `None` if the text isn't a move.
    pub fn read_choice(&self, named: &Bound<'_, PyAny>) -> PyResult<Option<Choice>> {
        let choices = self.alphabet.choices();
        if let Ok(text) = named.cast::<PyString>() {
            // Fast path: usually it's one of our own string objects.
            const FEW: usize = 16;
            let handed_out =
                self.written.iter().take(choices.len().min(FEW)).position(|known| known.is(text));
            return Ok(match handed_out {
                Some(place) => Some(choices[place]),
                None => {
                    let text = text.to_str()?;
                    let written = text.parse().ok().or_else(|| typed::written(text));
                    written.and_then(|written| self.rulebook.choice(written))
                }
            });
        }
        let place: Option<usize> = match named.extract() {
            Ok(place) => Some(place),
            Err(error) if error.is_instance_of::<PyOverflowError>(named.py()) => None,
            Err(_) => {
                let kind = named.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a move must be text or a number in the alphabet, not {kind}"
                )));
            }
        };
        match place.and_then(|place| choices.get(place)) {
            Some(choice) => Ok(Some(*choice)),
            None => Err(IllegalMove::new_err(self.no_such_action(quotable(&named.to_string())))),
        }
    }

    fn no_such_action(&self, action: impl Display) -> String {
        let last = self.alphabet.choices().len().saturating_sub(1);
        format!("{action}: the moves of this game are numbered from 0 to {last}")
    }

    /// Why a move isn't legal.
    pub fn refusal(&self, choice: Choice, why: Refusal) -> String {
        let written = self.rulebook.write(Move::Operation(choice));
        format!("{written}: {}", phrases::refusal(&self.rulebook, why))
    }

    /// Why the move with this number isn't legal.
    pub fn why_illegal(&self, position: &spoton::engine::position::Position, action: i64) -> String {
        let choice = usize::try_from(action).ok().and_then(|action| self.alphabet.choices().get(action));
        let Some(choice) = choice else { return self.no_such_action(action) };
        let why = self.rulebook.result(position, *choice).err();
        self.refusal(*choice, why.unwrap_or(Refusal::NotOffered))
    }

    /// The choices' numbers in the alphabet, in the same order.
    pub fn places(&self, choices: impl Iterator<Item = Choice>) -> Vec<usize> {
        choices.filter_map(|choice| self.alphabet.place(choice)).collect()
    }

    /// Whether the rules are the same, regardless of the wording.
    pub fn plays_like(&self, other: &Book) -> bool {
        Arc::ptr_eq(&self.rulebook, &other.rulebook)
            || self.rulebook.rules_line() == other.rulebook.rules_line()
    }

    /// Whether rules and wording are the same.
    pub fn is_same(&self, other: &Book) -> bool {
        Arc::ptr_eq(&self.rulebook, &other.rulebook) || self.rulebook == other.rulebook
    }

    pub fn hashed(&self, hasher: &mut DefaultHasher) {
        self.rulebook.fingerprint().hash(hasher);
    }
}

#[pymethods]
impl Book {
    /// A shipped game's id, or a file's name without its folder and extension.
    #[getter]
    fn id(&self) -> &str {
        self.game.id()
    }

    /// The game's title.
    #[getter]
    fn title(&self) -> &str {
        self.rulebook.title()
    }

    /// A one-sentence summary of the game; may be empty.
    #[getter]
    fn summary(&self) -> &str {
        self.rulebook.summary()
    }

    /// The target; `None` if there is none.
    #[getter]
    fn target(&self) -> Option<i64> {
        self.rulebook.target()
    }

    /// The chosen variant, if any.
    #[getter]
    fn variant(&self) -> Option<&str> {
        self.game.variant.as_deref()
    }

    /// The names of all variants.
    #[getter]
    fn variants(&self) -> Vec<&str> {
        self.game.draft.variants().collect()
    }

    /// 16 hexadecimal digits that identify the rules, regardless of the wording.
    #[getter]
    fn fingerprint(&self) -> String {
        self.rulebook.fingerprint()
    }

    /// The whole book as one line, for `read_line`.
    #[getter]
    fn line(&self) -> String {
        self.rulebook.whole_line()
    }

    /// All moves in this game. A move's index is its number in every position.
    #[getter]
    fn alphabet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.written[..self.alphabet.choices().len()].iter().map(|text| text.bind(py)))
    }

    /// The numbers in an observation, each with its name, minimum and maximum.
    #[getter]
    fn features(&self) -> Vec<(String, i64, i64)> {
        features(&self.rulebook, &self.alphabet)
            .into_iter()
            .map(|feature| (feature.name, feature.low, feature.high))
            .collect()
    }

    /// The invention with its certificate, as in `spoton invent --json`; `None` if the book wasn't invented.
    #[getter]
    fn invented<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.invented.as_ref().map(|invented| to_python(py, invented)).transpose()
    }

    /// The number of hidden choices, if the book is from `bench`; otherwise `None` (see `audit`). A hidden choice
    /// matters, but its best move isn't obvious.
    #[getter]
    fn depth(&self) -> Option<u64> {
        self.depth
    }

    /// A round's first position.
    #[pyo3(signature = (first = 1))]
    fn opening(slf: Bound<'_, Self>, first: i64) -> PyResult<Position> {
        let opening = slf.get().rulebook.opening(player(first)?);
        Ok(Position::at(slf.unbind(), opening))
    }

    /// Reads a position such as `10;1`, the inverse of `str(position)`.
    fn position(slf: Bound<'_, Self>, text: &str) -> PyResult<Position> {
        let position =
            slf.get().rulebook.read_position(text).map_err(|bad| Error::new_err(bad.to_string()))?;
        Ok(Position::at(slf.unbind(), position))
    }

    /// Starts a round. It has a history and uses the house rule against repetition.
    #[pyo3(signature = (first = 1))]
    fn round(slf: Bound<'_, Self>, first: i64) -> PyResult<Round> {
        Ok(Round::begin(slf.unbind(), player(first)?))
    }

    /// The hidden choices: choices that matter, where the best move isn't obvious. Each one is a round that gets there
    /// in the fewest moves, and the nearest come first. If there are more than `count`, `seed` draws that many of them.
    #[pyo3(signature = (count = None, seed = 0))]
    fn subtle_choices(
        slf: Bound<'_, Self>,
        #[pyo3(from_py_with = natural_if_any)] count: Option<usize>,
        #[pyo3(from_py_with = natural)] seed: u64,
    ) -> PyResult<Vec<Round>> {
        let (rulebook, dice) = (&slf.get().rulebook, Dice::new(seed));
        let rounds = ask(slf.py(), rulebook, |game, budget| {
            let choices = SubtleChoices::find(game, budget)?;
            let numbers = choices.drawn(count.unwrap_or(usize::MAX), |place| dice.draw(1, place));
            Ok(numbers.into_iter().filter_map(|number| choices.round(number)).collect::<Vec<_>>())
        })?;
        Ok(rounds.into_iter().map(|round| Round::at(slf.clone().unbind(), round)).collect())
    }

    /// Solves the game.
    fn solve(slf: Bound<'_, Self>) -> PyResult<Solution> {
        let solver = ask(slf.py(), &slf.get().rulebook, |game, budget| game.solver(budget))?;
        Ok(Solution::new(slf.unbind(), solver))
    }

    /// The facts about the game, as in `spoton audit --json`.
    fn audit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let audit = ask(py, &self.rulebook, |game, budget| game.audit(budget))?;
        convert::answer(py, &json::audit(&self.game, &self.rulebook, &audit, None))
    }

    /// The rules in words, as `spoton rules` prints them.
    fn rules(&self) -> String {
        rules::plain(&self.game, &self.rulebook, View::of_everything())
    }

    /// The rules as data, as in `spoton rules --json`.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::answer(py, &json::rules(&self.game, &self.rulebook, View::of_everything()))
    }

    /// A rule book file's text for this game: the original text or, if a variant or settings apply, a new one.
    fn to_toml(&self) -> String {
        let as_written = self.game.variant.is_none() && self.game.settings.is_empty() && !self.on_one_line;
        if as_written { self.game.book.text.clone() } else { self.rulebook.to_toml() }
    }

    /// The maximum number of turns in a round, including skipped ones. Rounds stop after 10,000 turns.
    fn longest_round(&self, py: Python<'_>) -> PyResult<u64> {
        let most = MOST_PLIES as u64;
        let figures = match ask(py, &self.rulebook, |game, budget| game.figures(budget)) {
            Ok(figures) => figures,
            Err(error) if error.is_instance_of::<TooLarge>(py) => return Ok(most),
            Err(error) => return Err(error),
        };
        let by_house_rule = self.rulebook.repetition().map(|times| {
            // Each position may occur `times` times, with either player to move.
            figures.positions.saturating_mul(2).saturating_mul(times.into())
        });
        let longest = if figures.always_ends { figures.longest } else { None };
        Ok(longest.or(by_house_rule).unwrap_or(most).clamp(1, most))
    }

    fn __repr__(&self) -> String {
        format!("<spoton.Book {}: {}>", shown(self.game.id()), shown(self.rulebook.title()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Book>().is_ok_and(|other| self.is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hashed(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, book) = (slf.py(), slf.get());
        let Game { name, book: text, variant, settings, .. } = &book.game;
        let settings = settings.iter().map(|setting| match setting {
            Setting::Target(target) => (true, target.clone()),
            Setting::Set(setting) => (false, setting.clone()),
        });
        let parts = (
            (
                text.id.as_str(),
                text.own_file,
                text.source_name.as_str(),
                text.text.as_str(),
                book.on_one_line,
            ),
            name,
            variant,
            settings.collect::<Vec<_>>(),
            book.invented.as_ref().map(Json::to_string),
            book.depth,
        );
        let restore = py.import("spoton._spoton")?.getattr("restore_book")?;
        Ok((restore, parts.into_pyobject(py)?))
    }
}

/// The player with this number.
pub fn player(number: i64) -> PyResult<Player> {
    let player = u8::try_from(number).ok().and_then(Player::from_number);
    player.ok_or_else(|| Error::new_err(format!("players are 1 and 2, not {number}")))
}

/// The changes that the arguments ask for.
fn changes(
    variant: Option<String>,
    target: Option<String>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Changes> {
    let mut all = Vec::new();
    for (key, value) in settings.into_iter().flatten() {
        let value = json::setting_value(&to_json(&value)?);
        all.push(Setting::Set(format!("{}={value}", key.cast::<PyString>()?)));
    }
    all.extend(target.map(Setting::Target));
    Ok(Changes { variant, settings: all })
}

/// Loads a game by name or path, with an optional variant, target and settings.
///
/// The name can be a shipped game, a rule book in your rule book folder, or a day's duel such as `today-2026-11-15`.
/// Part of a game's name is enough. A name that ends in `.toml` or contains a folder is a file.
#[pyfunction]
#[pyo3(signature = (name, *, variant = None, target = None, settings = None))]
pub fn load(
    py: Python<'_>,
    name: PathBuf,
    variant: Option<String>,
    #[pyo3(from_py_with = convert::target)] target: Option<String>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Book> {
    let text = located(py, &name)?;
    let name = if text.own_file { name.to_string_lossy().into_owned() } else { text.id.clone() };
    laid_over(py, text, name, &changes(variant, target, settings)?)
}

/// Reads the text of a rule book, with an optional variant, target and settings. Errors refer to it by `name`.
#[pyfunction]
#[pyo3(signature = (text, name = "book.toml", *, variant = None, target = None, settings = None))]
pub fn read(
    py: Python<'_>,
    text: String,
    name: &str,
    variant: Option<String>,
    #[pyo3(from_py_with = convert::target)] target: Option<String>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Book> {
    let text = own_text(Path::new(name), text);
    laid_over(py, text, name.to_owned(), &changes(variant, target, settings)?)
}

/// Reads a one-line book such as `{start = 1, target = 20, moves = ['+1', 'x2']}`, the inverse of `book.line`.
#[pyfunction]
#[pyo3(signature = (line, name = "book", *, target = None))]
pub fn read_line(
    py: Python<'_>,
    line: String,
    name: &str,
    #[pyo3(from_py_with = convert::target)] target: Option<String>,
) -> PyResult<Book> {
    on_one_line(py, own_text(Path::new(name), line), name.to_owned(), target)
}

fn laid_over(py: Python<'_>, text: BookText, name: String, changes: &Changes) -> PyResult<Book> {
    Book::new(py, Game::new(text, name, changes).map_err(|bad| bad_game(py, bad))?)
}

fn on_one_line(py: Python<'_>, book: BookText, name: String, target: Option<String>) -> PyResult<Book> {
    let mut draft = Draft::read_line(&book.source_name, &book.text);
    // The title is optional: records and `spoton rules --json` contain only the keys that affect play.
    if draft.title().is_none() {
        draft = draft.set("name", &format!("title={}", shown(&book.id)));
    }
    if let Some(target) = &target {
        draft = draft.set_target("--target", target);
    }
    let settings = target.map(Setting::Target).into_iter().collect();
    let game = Game { name, book, variant: None, settings, draft, targets: None };
    Ok(Book { on_one_line: true, ..Book::new(py, game)? })
}

/// A rule book text with the name of its file.
fn own_text(path: &Path, text: String) -> BookText {
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    BookText { id, own_file: true, source_name: path.to_string_lossy().into_owned(), text }
}

const FINDER: Finder =
    Finder { list: "call spoton.games() for a list, or give the path of a rule book file" };

/// Finds a game's text by name, as the program does.
fn located(py: Python<'_>, name: &Path) -> PyResult<BookText> {
    let own = files::own_books(files::data_folder().as_deref());
    match FINDER.anywhere(name.as_os_str(), &own) {
        Ok(Found::Book(book)) => Ok(book),
        Ok(Found::DuelOf(day)) => Ok(work(py, |budget| Duel::for_day(day, budget))?.book()),
        Err(NoGame::BadFile(BadFile::Unreadable { path, error })) => Err(file_error(py, &path, &error)),
        Err(NoGame::BadFile(bad)) => Err(RulebookError::new_err(bad.to_string())),
        Err(none) => Err(Error::new_err(none.to_string())),
    }
}

/// Unpickles a book.
#[pyfunction]
pub fn restore_book(
    py: Python<'_>,
    text: (String, bool, String, String, bool),
    name: String,
    variant: Option<String>,
    settings: Vec<(bool, String)>,
    invented: Option<String>,
    depth: Option<u64>,
) -> PyResult<Book> {
    let (id, own_file, source_name, text, is_line) = text;
    let text = BookText { id, own_file, source_name, text };
    let mut book = if is_line {
        on_one_line(py, text, name, settings.into_iter().map(|(_, target)| target).next())?
    } else {
        let setting =
            |(is_target, setting)| if is_target { Setting::Target(setting) } else { Setting::Set(setting) };
        let settings = settings.into_iter().map(setting).collect();
        laid_over(py, text, name, &Changes { variant, settings })?
    };
    let told = invented.map(|told| serde_json::from_str(&told));
    book.invented = told.transpose().map_err(|error| Error::new_err(error.to_string()))?;
    book.depth = depth;
    Ok(book)
}

/// The games that come with Spot On, as in `spoton games --json`.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    convert::answer(py, &json::games(Listed::shipped().collect::<Vec<_>>().iter()))
}

/// The computer players, as in `spoton games --opponents --json`.
#[pyfunction]
pub fn opponents(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    convert::answer(py, &json::opponents())
}
