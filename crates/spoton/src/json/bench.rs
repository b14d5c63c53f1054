//! JSON for how a player did on a set of games.

use serde_json::{Value as Json, json};

use crate::people::arena::Asked;
use crate::people::bench::{Score, SeatScore, Set};

/// How a player did on a set, by seat, with what each of the games came to.
pub fn bench(
    set: &Set,
    player: &str,
    against: &str,
    asked: Option<&Asked>,
    score: &Score,
    games: Vec<Json>,
) -> Json {
    json!({
        "set": set.name,
        "fingerprint": set.fingerprint(),
        "player": player,
        "against": against,
        "asked": asked.map(super::asked),
        "seats": seats(score),
        "both_seats": both_seats(score),
        "unasked": score.unasked,
        "games": games,
    })
}

/// How a player did over rounds of whatever games, by seat, with what each of the games came to.
pub fn score(player: &str, against: &str, score: &Score, games: Vec<Json>) -> Json {
    json!({
        "player": player,
        "against": against,
        "seats": seats(score),
        "both_seats": both_seats(score),
        "games": games,
    })
}

fn seats(score: &Score) -> Vec<Json> {
    let seats = score.seats.iter().zip(["first", "second"]).map(|(score, word)| {
        let mut told = seat(score);
        told["seat"] = word.into();
        told
    });
    seats.collect()
}

fn both_seats(score: &Score) -> Option<Json> {
    score.both_seats().as_ref().map(seat)
}

fn seat(seat: &SeatScore) -> Json {
    json!({
        "perfect": seat.perfect(),
        "careful": seat.careful(),
        "exact": seat.exact(),
        "got": super::counted(&seat.got),
    })
}
