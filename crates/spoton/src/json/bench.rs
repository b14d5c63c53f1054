//! JSON for how a player did on a set of games.

use serde_json::{Value as Json, json};

use crate::people::bench::{Score, SeatScore, Set, Terms};

/// How a player did on a set, by seat, with what each of the games came to.
pub fn bench(set: &Set, player: &str, terms: &Terms, score: &Score, games: Vec<Json>) -> Json {
    let Terms { version, against, seed, rounds, seat, asked, move_time } = terms;
    let all = score.all();
    let mut object = json!({
        "set": set.name,
        "fingerprint": set.fingerprint(),
        "version": version,
        "player": player,
        "against": against.to_string(),
        "seed": seed,
        "rounds": rounds,
        "seat": seat,
        "asked": asked.as_ref().map(super::asked),
        "move_time": move_time,
        "forfeited": all.got.forfeited,
    });
    for (refused, count) in all.got.refusals.iter() {
        object[refused.word()] = count.into();
    }
    add_score(&mut object, score, games);
    object["unasked"] = score.unasked.into();
    object
}

/// How a player did over rounds of whatever games, by seat, with what each of the games came to.
pub fn score(player: &str, against: &str, score: &Score, games: Vec<Json>) -> Json {
    let mut object = json!({ "player": player, "against": against });
    add_score(&mut object, score, games);
    object
}

fn add_score(object: &mut Json, score: &Score, games: Vec<Json>) {
    let all = score.all();
    object["seats"] = seats(score).into();
    object["both_seats"] = score.both_seats().as_ref().map_or(Json::Null, seat);
    object["of_ceiling"] = json!(all.of_ceiling);
    object["of_ceiling_interval"] = json!(all.of_ceiling_interval);
    object["games"] = games.into();
}

fn seats(score: &Score) -> Vec<Json> {
    let seats = score.seats();
    let seats = seats.iter().zip(["first", "second"]).map(|(score, word)| {
        let mut told = seat(score);
        told["seat"] = word.into();
        told
    });
    seats.collect()
}

fn seat(seat: &SeatScore) -> Json {
    json!({
        "perfect": seat.perfect,
        "careful": seat.careful,
        "exact": seat.exact,
        "got": super::counted(&seat.got),
        "of_ceiling": seat.of_ceiling,
        "of_ceiling_interval": seat.of_ceiling_interval,
    })
}
