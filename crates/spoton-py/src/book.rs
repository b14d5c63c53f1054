//! A rule book that can be played, and how to get one.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Display;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use etcetera::base_strategy::choose_native_strategy;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use serde_json::Value as Json;
use spoton::engine::alphabet::Alphabet;
use spoton::engine::observation::features;
use spoton::engine::play::{Move, Refusal};
use spoton::engine::position::{Choice, Player};
use spoton::format::{
    BadName, BookText, Changes, Draft, Game, LARGEST_FILE, Listed, Rulebook, Setting, quotable, shown,
};
use spoton::json;
use spoton::people::named::{Named, named};
use spoton::people::subtle::SubtleChoices;
use spoton::people::today::Duel;
use spoton::sitting::discovery::View;
use spoton::sitting::{Dice, MOST_PLIES};
use spoton::words::{phrases, rules, typed};

use crate::convert::{self, natural, natural_if_any, to_json, to_python};
use crate::errors::{Error, IllegalMove, RulebookError, TooLarge, bad_game, file_error};
use crate::position::Position;
use crate::round::Round;
use crate::solution::Solution;
use crate::thinking::{ask, work};

/// A rule book that can be played. `load`, `read` and `invent` give them.
///
/// Books are equal if they are the same in rules and words.
#[pyclass(frozen, module = "spoton")]
pub struct Book {
    pub game: Game,
    pub rulebook: Arc<Rulebook>,
    pub alphabet: Alphabet,
    /// How the moves of the alphabet are written, and the skipped turn at last.
    written: Vec<Py<PyString>>,
    /// What is told of it if it was invented.
    pub invented: Option<Json>,
    /// How many of its choices matter without showing it, if it is one of a set.
    pub depth: Option<u64>,
    /// Whether its text is a book on one line.
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

    /// A move as it is written.
    pub fn write(&self, a_move: Move) -> &Py<PyString> {
        let place = a_move.choice().and_then(|choice| self.alphabet.place(choice));
        &self.written[place.unwrap_or(self.alphabet.choices().len())]
    }

    /// A move that somebody names: as it is written, or by its number in the alphabet. `None` if it is no move at all.
    pub fn read_choice(&self, named: &Bound<'_, PyAny>) -> PyResult<Option<Choice>> {
        let choices = self.alphabet.choices();
        if let Ok(text) = named.cast::<PyString>() {
            // Most often it is one of the very texts that were handed out.
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
                    "a move is a text as it is written, or its number in the alphabet, not {kind}"
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

    /// Why a move may not be made.
    pub fn refusal(&self, choice: Choice, why: Refusal) -> String {
        let written = self.rulebook.write(Move::Operation(choice));
        format!("{written}: {}", phrases::refusal(&self.rulebook, why))
    }

    /// Why the move with this number may not be made.
    pub fn why_illegal(&self, position: &spoton::engine::position::Position, action: i64) -> String {
        let choice = usize::try_from(action).ok().and_then(|action| self.alphabet.choices().get(action));
        let Some(choice) = choice else { return self.no_such_action(action) };
        let why = self.rulebook.result(position, *choice).err();
        self.refusal(*choice, why.unwrap_or(Refusal::NotOffered))
    }

    /// The places of choices in the alphabet, in the order of the choices.
    pub fn places(&self, choices: impl Iterator<Item = Choice>) -> Vec<usize> {
        choices.filter_map(|choice| self.alphabet.place(choice)).collect()
    }

    /// Whether the rules are the same, whatever the words.
    pub fn plays_like(&self, other: &Book) -> bool {
        Arc::ptr_eq(&self.rulebook, &other.rulebook)
            || self.rulebook.rules_line() == other.rulebook.rules_line()
    }

    /// Whether rules and words are the same.
    pub fn is_same(&self, other: &Book) -> bool {
        Arc::ptr_eq(&self.rulebook, &other.rulebook) || self.rulebook == other.rulebook
    }

    pub fn hashed(&self, hasher: &mut DefaultHasher) {
        self.rulebook.fingerprint().hash(hasher);
    }
}

#[pymethods]
impl Book {
    /// The id of a game that comes with Spot On, or a file's name without folder and ending.
    #[getter]
    fn id(&self) -> &str {
        self.game.id()
    }

    /// What the game is called.
    #[getter]
    fn title(&self) -> &str {
        self.rulebook.title()
    }

    /// What the game is about, in a sentence; may be empty.
    #[getter]
    fn summary(&self) -> &str {
        self.rulebook.summary()
    }

    /// The number to land on; `None` if there is none.
    #[getter]
    fn target(&self) -> Option<i64> {
        self.rulebook.target()
    }

    /// The variant that was asked for, if any.
    #[getter]
    fn variant(&self) -> Option<&str> {
        self.game.variant.as_deref()
    }

    /// The variants that there are.
    #[getter]
    fn variants(&self) -> Vec<&str> {
        self.game.draft.variants().collect()
    }

    /// 16 digits that are the same for books that play the same, whatever their words.
    #[getter]
    fn fingerprint(&self) -> String {
        self.rulebook.fingerprint()
    }

    /// The whole book on one line, which `read_line` reads back.
    #[getter]
    fn line(&self) -> String {
        self.rulebook.whole_line()
    }

    /// Every move that can be written in this game. Its places are the numbers of the moves, in every position.
    #[getter]
    fn alphabet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.written[..self.alphabet.choices().len()].iter().map(|text| text.bind(py)))
    }

    /// What the numbers of an observation are: a name, the least and the largest value of each.
    #[getter]
    fn features(&self) -> Vec<(String, i64, i64)> {
        features(&self.rulebook, &self.alphabet)
            .into_iter()
            .map(|feature| (feature.name, feature.low, feature.high))
            .collect()
    }

    /// How it was invented, with its certificate, as `spoton invent --json` tells it; `None` if it was not.
    #[getter]
    fn invented<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.invented.as_ref().map(|invented| to_python(py, invented)).transpose()
    }

    /// How many of its choices matter without showing it at once, if it is one of a set of `bench`; `None` for other books,
    /// whose `audit` tells it.
    #[getter]
    fn depth(&self) -> Option<u64> {
        self.depth
    }

    /// The position in which a round begins.
    #[pyo3(signature = (first = 1))]
    fn opening(slf: Bound<'_, Self>, first: i64) -> PyResult<Position> {
        let opening = slf.get().rulebook.opening(player(first)?);
        Ok(Position::at(slf.unbind(), opening))
    }

    /// A position from its text, such as `10;1`: what `str(position)` gives.
    fn position(slf: Bound<'_, Self>, text: &str) -> PyResult<Position> {
        let position =
            slf.get().rulebook.read_position(text).map_err(|bad| Error::new_err(bad.to_string()))?;
        Ok(Position::at(slf.unbind(), position))
    }

    /// A new round: a game played from its opening, with its history and the house rule against repetition.
    #[pyo3(signature = (first = 1))]
    fn round(slf: Bound<'_, Self>, first: i64) -> PyResult<Round> {
        Ok(Round::begin(slf.unbind(), player(first)?))
    }

    /// The choices of the game that matter without showing it at once, each as a round that stands there by the shortest line:
    /// the nearest first or, if there are more than `count`, so many that are drawn by `seed`.
    #[pyo3(signature = (count = None, seed = 0))]
    fn subtle_choices(
        slf: Bound<'_, Self>,
        #[pyo3(from_py_with = natural_if_any)] count: Option<usize>,
        #[pyo3(from_py_with = natural)] seed: u64,
    ) -> PyResult<Vec<Round>> {
        let (rulebook, dice) = (&slf.get().rulebook, Dice::new(seed));
        let rounds = ask(slf.py(), rulebook, |game, budget| {
            let choices = SubtleChoices::of(game, budget)?;
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

    /// What the game is worth, as `spoton audit --json` tells it.
    fn audit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let audit = ask(py, &self.rulebook, |game, budget| game.audit(budget))?;
        to_python(py, &json::audit(&self.game, &self.rulebook, &audit, None))
    }

    /// The rules in words, as `spoton rules` prints them.
    fn rules(&self) -> String {
        rules::plain(&self.game, &self.rulebook, View::of_everything())
    }

    /// The rules with all that belongs to them, as `spoton rules --json` tells them.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json::rules(&self.game, &self.rulebook, View::of_everything()))
    }

    /// The text of a rule book file for this game: as it was written or, where something was laid over it, written anew.
    fn to_toml(&self) -> String {
        let as_written = self.game.variant.is_none() && self.game.settings.is_empty() && !self.on_one_line;
        if as_written { self.game.book.text.clone() } else { self.rulebook.to_toml() }
    }

    /// The most turns that a round can have, skipped ones included. Rounds are stopped after 10,000.
    fn longest_round(&self, py: Python<'_>) -> PyResult<u64> {
        let most = MOST_PLIES as u64;
        let figures = match ask(py, &self.rulebook, |game, budget| game.figures(budget)) {
            Ok(figures) => figures,
            Err(error) if error.is_instance_of::<TooLarge>(py) => return Ok(most),
            Err(error) => return Err(error),
        };
        let by_house_rule = self.rulebook.repetition().map(|times| {
            // Each position may come up so often, and each of them with either player on turn.
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
            _ => (false, String::new()),
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

/// A player by their number.
pub fn player(number: i64) -> PyResult<Player> {
    let player = u8::try_from(number).ok().and_then(Player::from_number);
    player.ok_or_else(|| Error::new_err(format!("players are 1 and 2, not {number}")))
}

/// What is laid over a book.
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

/// The game of a name or a path, with a variant, a target and settings laid over it.
///
/// The name is one of a game that comes with Spot On or lies in the folder of own rule books, or a part of it; or that of a
/// day's duel, such as `today-2026-11-15`. What ends in `.toml` or has a folder is a file.
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

/// The game of a rule book's text, with a variant, a target and settings laid over it. Mistakes call it by `name`.
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

/// The game of a book on one line, such as `{start = 1, target = 20, moves = ['+1', 'x2']}`: what `book.line` gives.
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
    // The keys that decide play will do; records and `spoton rules --json` have just those.
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

/// A text of somebody's own, by the name of a file.
fn own_text(path: &Path, text: String) -> BookText {
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    BookText { id, own_file: true, source_name: path.to_string_lossy().into_owned(), text }
}

/// The text of a name's game, as the program finds it.
fn located(py: Python<'_>, path: &Path) -> PyResult<BookText> {
    match named(path.as_os_str(), &own_books()) {
        Ok(Named::Shipped(book)) => Ok(book),
        Ok(Named::File(path)) => read_file(py, path),
        Ok(Named::DuelOf(day)) => Ok(work(py, |budget| Duel::of(day, budget))?.book()),
        Err(BadName::Unknown { .. }) if path.is_file() => read_file(py, path),
        Err(BadName::Unknown { name, meant: None }) => Err(Error::new_err(format!(
            "there is no game \"{}\"; spoton.games() lists what there is, and a rule book file is named by its path",
            quotable(&name)
        ))),
        Err(bad) => Err(Error::new_err(bad.to_string())),
    }
}

/// Whoever this is may have rule books of their own, in the folder in which the program keeps them.
fn own_books() -> Vec<(String, PathBuf)> {
    let folder =
        choose_native_strategy().ok().map(|folders| folders.data_dir().join("spoton").join("rulebooks"));
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    // A pipe of such a name would be waited for, for ever.
    let books =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml") && path.is_file());
    let mut own: Vec<_> =
        books.filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path))).collect();
    own.sort();
    own
}

fn read_file(py: Python<'_>, path: &Path) -> PyResult<BookText> {
    let cannot_read = |error| file_error(py, path, &error);
    let length = std::fs::metadata(path).map_err(cannot_read)?.len();
    // What is too large is told by whoever reads the text, and need not be held for that.
    if length > LARGEST_FILE as u64 {
        let told = format!("the file has {length} bytes; a rule book has at most {LARGEST_FILE} (64 KiB)");
        return Err(RulebookError::new_err(format!("{}:1:1: {told}", path.display())));
    }
    let text = String::from_utf8(std::fs::read(path).map_err(cannot_read)?);
    let not_a_text =
        |_| RulebookError::new_err(format!("{}: the file is not a text in UTF-8", path.display()));
    Ok(own_text(path, text.map_err(not_a_text)?))
}

/// Makes a book again of what was kept of it.
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

/// The games that come with Spot On, as `spoton games --json` tells them.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &json::games(Listed::shipped().collect::<Vec<_>>().iter()))
}

/// The computer players, as `spoton opponents --json` tells them.
#[pyfunction]
pub fn opponents(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &json::opponents())
}
