//! Reviews of records, scores and intervals, and exact odds between two players.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use spoton::engine::position::ByPlayer;
use spoton::evaluate::arena::Meeting;
use spoton::evaluate::bench::{Played, Reviewed, Score};
use spoton::evaluate::interval::{Clusters, interval as wilson};
use spoton::evaluate::opponent::Opponent;
use spoton::evaluate::summary::Summary;
use spoton::json;
use spoton::records;

use crate::classes::book::Book;
use crate::convert::{self, natural, to_json};
use crate::errors::{Error, RecordError, bad_record};
use crate::thinking::{ask, count_many};

/// Reviews a round, as in `spoton review --json`. The record is text in either format, or a dictionary as in
/// `spoton review --convert --json`.
#[pyfunction]
pub fn review<'py>(py: Python<'py>, record: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match reviewed(py, record)?.as_slice() {
        [(record, round, review)] => convert::answer(py, &json::review(record, round, review)),
        several => Err(RecordError::new_err(format!(
            "review takes one record, not {}; use grade for several",
            several.len()
        ))),
    }
}

/// Summarizes many rounds by player, game and seat, with 95% intervals, as in `spoton review --summary --json`. The
/// records are text, or a list of texts and dictionaries.
#[pyfunction]
pub fn grade<'py>(py: Python<'py>, records: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let rounds = reviewed_all(py, records)?;
    let summary = count_many(py, |keep_going| {
        let rounds = rounds.iter().take_while(|_| keep_going());
        Summary::from_rounds(rounds.map(|(record, round, review)| (record, round, review)))
    })?;
    convert::answer(py, &json::summary(&summary))
}

/// Scores a player over many rounds against a computer player, by seat, as `seats` and `games` in `spoton bot bench
/// --json`: the player's results with 95% intervals, and the exact shares that perfect play and the careful guesser
/// would win in the same seats against the same opponent. Seats are weighted by how often they were played.
///
/// The records are as for `grade`, and `player` is the player's name in them. The records also name the opponent. If it
/// isn't named after a computer player, give the computer player as `against`.
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
        Played::from_reviews(player, against, rounds.into_iter().take_while(|_| keep_going()))
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
    convert::answer(py, &json::score(player, &against, &score, told))
}

/// The 95% interval of a share of independent trials (Wilson's interval); `None` if there are no trials. Rounds of one
/// game aren't independent: use `cluster_interval` for them.
#[pyfunction]
pub fn interval(
    #[pyo3(from_py_with = natural)] part: u32,
    #[pyo3(from_py_with = natural)] whole: u32,
) -> PyResult<Option<[f64; 2]>> {
    if part > whole {
        return Err(PyValueError::new_err(format!("{part} of {whole} isn't a share")));
    }
    Ok(wilson(part, whole))
}

/// The 95% interval of a share when trials come in clusters, such as each game's rounds. It generalizes to other
/// clusters of this kind. `clusters` is a list of `(part, whole)` pairs, such as rounds won and rounds played. `None` if all
/// clusters are empty.
///
/// It is Wilson's interval with the effective number of independent trials, from the linearised variance of the share.
/// With few clusters it is wide (Student's quantile).
#[pyfunction]
pub fn cluster_interval(clusters: Vec<(f64, f64)>) -> PyResult<Option<[f64; 2]>> {
    for (part, whole) in &clusters {
        if !(0.0 <= *part && part <= whole && whole.is_finite()) {
            return Err(PyValueError::new_err(format!("{part} of {whole} isn't a share")));
        }
    }
    Ok(Clusters::from_pairs(clusters).interval())
}

fn is_one(records: &Bound<'_, PyAny>) -> bool {
    records.cast::<PyString>().is_ok() || records.cast::<PyDict>().is_ok()
}

/// Reviews one text or dictionary, or many.
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

/// Replays and reviews the records in a text or a dictionary.
fn reviewed(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Vec<Reviewed>> {
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_str()?.to_owned(),
        Err(_) if given.cast::<PyDict>().is_ok() => to_json(given)?.to_string(),
        Err(_) => return Err(PyTypeError::new_err("a record must be text or a dictionary")),
    };
    let replayed = py.detach(|| records::replay_each(&text)).map_err(bad_record)?;
    let reviewed = replayed.map(|replayed| {
        // Each review is fast once the game is solved, but there may be very many.
        py.check_signals()?;
        let (record, round) = replayed.map_err(bad_record)?;
        let review = ask(py, round.rulebook(), |game, budget| game.review(&round, budget))?;
        Ok((record, round, review))
    });
    reviewed.collect()
}

/// Two computer players' exact chances against each other, for either player going first: a list with `first`,
/// `wins` and `drawn`, as `exact` in `spoton bot arena --json`.
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
    convert::answer(py, &told.exact)
}

/// Finds a computer player by name.
pub fn opponent(name: &str) -> PyResult<Opponent> {
    Opponent::parse(name).map_err(|unknown| Error::new_err(unknown.to_string()))
}
