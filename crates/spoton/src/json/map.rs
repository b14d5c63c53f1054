//! A game's map. It can have millions of numbers, so each is written as it's read.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::Chosen;
use crate::format::Game;
use crate::solver::chart::Piece;
use crate::teach::map::{self, Mark};

/// A game's map, in the form that fits the game.
#[derive(Serialize)]
pub struct Map<'a> {
    #[serde(flatten)]
    game: Chosen,
    /// The last moves that the map is for, if it only covers certain ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<LastMoves>,
    #[serde(flatten)]
    picture: Picture<'a>,
}

/// Both players' last moves in notation; `null` for none.
#[derive(Serialize)]
struct LastMoves {
    own: Option<String>,
    other: Option<String>,
}

/// The forms of a map, each under its own key.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Picture<'a> {
    /// Every number, lowest first.
    #[serde(rename = "numbers")]
    Strip(#[serde(serialize_with = "strip")] Strip<'a>),
    /// The numbers that can come up.
    #[serde(rename = "numbers")]
    Scattered(#[serde(serialize_with = "scattered")] &'a [(i64, Mark)]),
    /// Ranges of numbers whose values repeat.
    Ranges(#[serde(serialize_with = "ranges")] &'a [Piece<Mark>]),
    /// Separate numbers that never interact: the moves from each to the target.
    Distances(#[serde(serialize_with = "distances")] &'a [(i64, u64)]),
    /// Separate numbers that interact: every pair with a player to move.
    Pairs(#[serde(serialize_with = "pairs")] &'a BTreeMap<(i64, i64), Mark>),
}

/// A map's numbers, from the lowest.
struct Strip<'a> {
    map: &'a map::Map,
    lowest: i64,
    marks: &'a [Mark],
}

#[derive(Serialize)]
struct StripNumber {
    number: i64,
    value: Option<MapValue>,
    /// The moves until the end under best play, if known.
    remoteness: Option<u64>,
    /// Whether the round ends here.
    ends: bool,
}

#[derive(Serialize)]
struct ScatteredNumber {
    number: i64,
    value: Option<MapValue>,
    /// Whether the round ends here.
    ends: bool,
}

#[derive(Serialize)]
struct Range {
    from: i64,
    to: i64,
    /// The values of the first numbers. They repeat up to the last number.
    values: Vec<Option<MapValue>>,
}

#[derive(Serialize)]
struct Distance {
    number: i64,
    moves: u64,
}

#[derive(Serialize)]
struct Pair {
    own: i64,
    other: i64,
    value: Option<MapValue>,
}

/// The result that a player can force when it's their turn here.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum MapValue {
    Win,
    Loss,
    Draw,
    /// It depends on earlier moves.
    Depends,
}

impl MapValue {
    /// A mark's value; `None` if no one can move here.
    fn from_mark(mark: Mark) -> Option<MapValue> {
        match mark {
            Mark::Win => Some(MapValue::Win),
            Mark::Stone | Mark::Loss => Some(MapValue::Loss),
            Mark::Draw => Some(MapValue::Draw),
            Mark::Depends => Some(MapValue::Depends),
            Mark::Ends | Mark::Never | Mark::NotAfterThese => None,
        }
    }
}

/// A game's map: `numbers`, `ranges`, `distances` or `pairs`. If the map only covers certain last moves, lists them in
/// notation: your own, then the opponent's.
pub fn map<'a>(game: &Game, map: &'a map::Map, last: Option<[Option<String>; 2]>) -> Map<'a> {
    let picture = match &map.picture {
        map::Picture::Strip { lowest, marks, .. } => Picture::Strip(Strip { map, lowest: *lowest, marks }),
        map::Picture::Ranges(ranges) => Picture::Ranges(ranges),
        map::Picture::Scattered(marks) => Picture::Scattered(marks),
        map::Picture::Distances(distances) => Picture::Distances(distances),
        map::Picture::Square { marks, .. } => Picture::Pairs(marks),
    };
    Map { game: Chosen::new(game), last: last.map(|[own, other]| LastMoves { own, other }), picture }
}

fn strip<S: Serializer>(strip: &Strip<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let numbers = (strip.lowest..).zip(strip.marks).map(|(number, mark)| StripNumber {
        number,
        value: MapValue::from_mark(*mark),
        remoteness: strip.map.remoteness(number),
        ends: *mark == Mark::Ends,
    });
    serializer.collect_seq(numbers)
}

fn scattered<S: Serializer>(marks: &[(i64, Mark)], serializer: S) -> Result<S::Ok, S::Error> {
    let numbers = marks.iter().map(|(number, mark)| ScatteredNumber {
        number: *number,
        value: MapValue::from_mark(*mark),
        ends: *mark == Mark::Ends,
    });
    serializer.collect_seq(numbers)
}

fn ranges<S: Serializer>(ranges: &[Piece<Mark>], serializer: S) -> Result<S::Ok, S::Error> {
    let ranges = ranges.iter().map(|piece| Range {
        from: piece.from,
        to: piece.to,
        values: piece.pattern.iter().map(|mark| MapValue::from_mark(*mark)).collect(),
    });
    serializer.collect_seq(ranges)
}

fn distances<S: Serializer>(distances: &[(i64, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer
        .collect_seq(distances.iter().map(|(number, moves)| Distance { number: *number, moves: *moves }))
}

fn pairs<S: Serializer>(marks: &BTreeMap<(i64, i64), Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    // There's nothing to report if it's no one's turn.
    let on_turn = marks.iter().filter(|(_, mark)| **mark != Mark::Ends);
    let pairs = on_turn.map(|((own, other), mark)| Pair {
        own: *own,
        other: *other,
        value: MapValue::from_mark(*mark),
    });
    serializer.collect_seq(pairs)
}
