//! Rounds that were written down, looked back on; and what two players can expect of each other.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use spoton::engine::position::ByPlayer;
use spoton::json;
use spoton::people::arena::Meeting;
use spoton::people::bench::{Played, Reviewed, Score};
use spoton::people::interval::{Clusters, interval as wilson};
use spoton::people::opponent::Opponent;
use spoton::people::summary::Summary;
use spoton::records;

use crate::book::Book;
use crate::convert::{natural, to_json, to_python};
use crate::errors::{Error, RecordError, bad_record};
use crate::thinking::{ask, count_many};

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
    let rounds = reviewed_all(py, records)?;
    let summary = count_many(py, |keep_going| {
        let rounds = rounds.iter().take_while(|_| keep_going());
        Summary::of(rounds.map(|(record, round, review)| (record, round, review)))
    })?;
    to_python(py, &json::summary(&summary))
}

/// How a player did over many rounds against a computer player, by seat, as `spoton bench --json` tells it under `seats` and
/// `games`: what perfect play and the careful guesser would win there against the same opponent, exactly, beside what was got,
/// with 95 % intervals. Only seats that were played count, and each as often as it was.
///
/// The records are as for `grade`; `player` is the name in them of whoever is measured. The opponent is whom the records name.
/// If that is not the name of a computer player, `against` says which one it was.
#[pyfunction]
#[pyo3(signature = (records, player, against = None))]
pub fn score<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    player: &str,
    against: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let against = against.map(opponent).transpose()?;
    let rounds = reviewed_all(py, records)?;
    let played = count_many(py, |keep_going| {
        Played::of(player, against, rounds.into_iter().take_while(|_| keep_going()))
    })?;
    let played = played.map_err(|why| RecordError::new_err(why.to_string()))?;
    let against = played.opponent.to_string();
    let (mut score, mut told) = (Score::against(played.opponent), Vec::new());
    for game in &played.games {
        let (first, round, _) = &game.rounds[0];
        let meeting =
            ask(py, round.rulebook(), |solved, budget| game.meeting(played.opponent, solved, budget))?;
        score.count_played(&round.rulebook().rules_line(), &meeting, &first.players, game.player);
        let mut named = ByPlayer([player.to_owned(), player.to_owned()]);
        named[!game.player] = against.clone();
        let named_game = first.game(None).map_err(bad_record)?;
        told.push(json::meeting(&named_game, round.rulebook(), &named, &first.players, &meeting));
    }
    to_python(py, &json::score(player, &against, &score, told))
}

/// The 95 % interval of a share of independent trials (Wilson's interval); `None` of none at all. Rounds of one game are not
/// independent: `cluster_interval` is for them.
#[pyfunction]
pub fn interval(
    #[pyo3(from_py_with = natural)] part: u32,
    #[pyo3(from_py_with = natural)] whole: u32,
) -> PyResult<Option<[f64; 2]>> {
    if part > whole {
        return Err(PyValueError::new_err(format!("{part} is no part of {whole}")));
    }
    Ok(wilson(part, whole))
}

/// The 95 % interval of a share of trials that come in clusters, such as the rounds of a game, for clusters drawn in the same
/// way. `clusters` has the part and the whole of each: rounds won, and rounds. `None` if all of them are empty.
///
/// It is Wilson's interval for as many independent trials as the clusters are worth: the linearised variance of the share
/// says how many that is. With few clusters it is wide (Student's quantile).
#[pyfunction]
pub fn cluster_interval(clusters: Vec<(f64, f64)>) -> PyResult<Option<[f64; 2]>> {
    for (part, whole) in &clusters {
        if !(0.0 <= *part && part <= whole && whole.is_finite()) {
            return Err(PyValueError::new_err(format!("{part} is no part of {whole}")));
        }
    }
    Ok(Clusters::of(clusters).interval())
}

fn is_one(records: &Bound<'_, PyAny>) -> bool {
    records.cast::<PyString>().is_ok() || records.cast::<PyDict>().is_ok()
}

/// One text or dictionary, or many.
fn reviewed_all(py: Python<'_>, records: &Bound<'_, PyAny>) -> PyResult<Vec<Reviewed>> {
    if is_one(records) {
        return reviewed(py, records);
    }
    let mut rounds = Vec::new();
    for record in records.try_iter()? {
        rounds.extend(reviewed(py, &record?)?);
    }
    Ok(rounds)
}

/// The records of a text, or of a dictionary, replayed and looked back on.
fn reviewed(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Vec<Reviewed>> {
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_str()?.to_owned(),
        Err(_) if given.cast::<PyDict>().is_ok() => to_json(given)?.to_string(),
        Err(_) => return Err(PyTypeError::new_err("a record is a text or a dictionary")),
    };
    let replayed = py.detach(|| records::replay_each(&text)).map_err(bad_record)?;
    let reviewed = replayed.map(|replayed| {
        // Where the game is solved already, none of them takes long; but there may be very many.
        py.check_signals()?;
        let (record, round) = replayed.map_err(bad_record)?;
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
