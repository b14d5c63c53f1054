//! JSON for positions and what they are worth: one of them, or all on a map.

use std::fmt;

use serde_json::{Map as Object, Value as Json, json};

use crate::engine::play::{Move, Outcome};
use crate::engine::position::{Player, Position};
use crate::engine::round::Round;
use crate::format::{Game, NoRepeat, Numbers, Pool, Rulebook};
use crate::people::map::{Map, Mark, Picture};
use crate::solver::chart::Piece;
use crate::solver::{Solver, Verdict};
use crate::words::phrases;

/// Where a round stands, what that is worth, and every move from it.
pub fn solution(game: &Game, solver: &Solver, round: &Round) -> Json {
    match round.outcome() {
        Some(outcome) => outcome_of(game, round.rulebook(), outcome),
        None => verdict_of(game, solver, round.position()),
    }
}

/// How a round has ended.
pub fn outcome_of(game: &Game, rulebook: &Rulebook, outcome: Outcome) -> Json {
    let mut object = super::about(game, rulebook);
    let winner = outcome.winner.map(Player::number);
    object.insert("outcome".to_owned(), json!({ "winner": winner, "ending": outcome.ending.word() }));
    Json::Object(object)
}

/// What a position is worth in which the round goes on, and every move from it.
pub fn verdict_of(game: &Game, solver: &Solver, at: &Position) -> Json {
    let rulebook = solver.rulebook();
    let mut object = super::about(game, rulebook);
    object.insert("position".to_owned(), position(rulebook, at));
    object.extend(verdict(solver.verdict(at)));
    let moves: Vec<Json> = solver
        .moves(at)
        .into_iter()
        .map(|judged| {
            let mut object = Object::new();
            object.insert("move".to_owned(), json!(rulebook.write(judged.a_move)));
            object.extend(verdict(Some(judged.verdict)));
            Json::Object(object)
        })
        .collect();
    object.insert("moves".to_owned(), moves.into());
    let barred: Vec<Json> = rulebook
        .offers(at)
        .filter_map(|offer| {
            let reason = phrases::refusal(rulebook, offer.result.err()?);
            Some(json!({ "move": rulebook.write_offer(&offer), "reason": reason }))
        })
        .collect();
    if !barred.is_empty() {
        object.insert("barred".to_owned(), barred.into());
    }
    Json::Object(object)
}

/// The keys that say what a position or a move is worth.
pub(super) fn verdict(verdict: Option<Verdict>) -> Object<String, Json> {
    let mut object = Object::new();
    object.insert("value".to_owned(), json!(verdict.map(|verdict| verdict.value.word())));
    object.insert("remoteness".to_owned(), json!(verdict.and_then(Verdict::remoteness)));
    // A draw has no remoteness; a win or a loss has one, whether or not anybody knows it.
    if verdict.is_some_and(Verdict::is_of_unknown_length) {
        object.insert("remoteness_unknown".to_owned(), json!(phrases::LENGTH_IS_UNKNOWN));
    }
    object
}

/// A position: the numbers, whose turn it is, and whatever else decides the future in its game.
pub fn position(rulebook: &Rulebook, position: &Position) -> Json {
    let both = |of: &dyn Fn(Player) -> Json| -> Json { Player::BOTH.map(of).to_vec().into() };
    let mut object = Object::new();
    let numbers = match rulebook.numbers() {
        Numbers::Shared => json!([position.number()]),
        Numbers::Separate => both(&|player| json!(position.number_of(player))),
    };
    object.insert("numbers".to_owned(), numbers);
    object.insert("turn".to_owned(), json!(position.turn().number()));
    if rulebook.no_repeat() != NoRepeat::None {
        let previous = |player| {
            let last = position.last_of(player);
            json!(last.map(|choice| rulebook.write(Move::Operation(choice))))
        };
        object.insert("previous".to_owned(), both(&previous));
    }
    let limited = rulebook.entries().filter_map(|(index, entry)| {
        let used = match entry.uses?.pool {
            Pool::Shared => json!(position.uses_of(Player::One, index)),
            Pool::Own => both(&|player| json!(position.uses_of(player, index))),
        };
        Some((rulebook.entry_key(entry), used))
    });
    let limited: Object<String, Json> = limited.collect();
    if !limited.is_empty() {
        object.insert("uses".to_owned(), limited.into());
    }
    if rulebook.passes().is_some() {
        object.insert("passes".to_owned(), both(&|player| json!(position.passes_of(player))));
    }
    if rulebook.turns().is_some() {
        object.insert("plies".to_owned(), json!(position.plies()));
    }
    Json::Object(object)
}

/// The map of a game: `numbers`, `ranges`, `distances` or `pairs`, whichever fits. If it is about certain last moves alone, they are
/// told as they are written: one's own and the other player's.
pub fn map<'a>(game: &'a Game, map: &'a Map, last: Option<[Option<String>; 2]>) -> impl fmt::Display + 'a {
    JsonMap { game, map, last }
}

struct JsonMap<'a> {
    game: &'a Game,
    map: &'a Map,
    last: Option<[Option<String>; 2]>,
}

impl fmt::Display for JsonMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |mark: Mark| match mark {
            Mark::Win => Json::from("win"),
            Mark::Stone => Json::from("loss"),
            Mark::Draw => Json::from("draw"),
            Mark::Depends => Json::from("depends"),
            Mark::Ends | Mark::Never | Mark::NotAfterThese => Json::Null,
        };
        let JsonMap { game, map, last } = self;
        let mut head =
            json!({ "game": game.id(), "variant": game.variant, "settings": game.written_settings() });
        if let Some([own, other]) = last {
            head["last"] = json!({ "own": own, "other": other });
        }
        let head = head.to_string();
        let head = head.strip_suffix('}').unwrap_or_default();
        match &map.picture {
            Picture::Strip { lowest, marks, .. } => {
                let of = |(number, mark): (i64, &Mark)| json!({ "number": number, "value": word(*mark), "remoteness": map.remoteness(number), "ends": *mark == Mark::Ends });
                list(f, head, "numbers", (*lowest..).zip(marks).map(of))
            }
            Picture::Ranges(ranges) => {
                let of = |piece: &Piece<Mark>| {
                    let values: Vec<Json> = piece.pattern.iter().map(|mark| word(*mark)).collect();
                    json!({ "from": piece.from, "to": piece.to, "values": values })
                };
                list(f, head, "ranges", ranges.iter().map(of))
            }
            Picture::Scattered(marks) => {
                let of = |(number, mark): &(i64, Mark)| json!({ "number": number, "value": word(*mark), "ends": *mark == Mark::Ends });
                list(f, head, "numbers", marks.iter().map(of))
            }
            Picture::Distances(distances) => {
                let of = |(number, moves): &(i64, u64)| json!({ "number": number, "moves": moves });
                list(f, head, "distances", distances.iter().map(of))
            }
            Picture::Square { marks, .. } => {
                let of = |((own, other), mark): (&(i64, i64), &Mark)| json!({ "own": own, "other": other, "value": word(*mark) });
                // Where nobody is on turn there is nothing to tell.
                let on_turn = marks.iter().filter(|(_, mark)| **mark != Mark::Ends);
                list(f, head, "pairs", on_turn.map(of))
            }
        }
    }
}

/// Ends an object with a list under a key.
fn list(f: &mut fmt::Formatter<'_>, head: &str, key: &str, items: impl Iterator<Item = Json>) -> fmt::Result {
    write!(f, "{head},\"{key}\":[")?;
    for (index, item) in items.enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { "," })?;
    }
    write!(f, "]}}")
}
