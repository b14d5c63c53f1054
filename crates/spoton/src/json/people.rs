//! JSON for opponents, reviews of rounds, and ideas.

use serde_json::{Value as Json, json};

use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::Game;
use crate::people::idea::{self, Answer, Exceptions};
use crate::people::opponent::{Opponent, Table};
use crate::people::puzzle::Served;
use crate::people::review::Review;
use crate::people::summary::{Line, Seat, Summary};
use crate::records::{Record, Refused};

/// Who there is to play against.
pub fn opponents() -> Json {
    Opponent::all().map(opponent).collect()
}

/// A computer player.
pub fn opponent(opponent: Opponent) -> Json {
    json!({
        "opponent": opponent.to_string(),
        "name": opponent.title(),
        "habit": opponent.habit(),
        "reference": opponent.is_reference(),
    })
}

/// The ladder of a game with the odds of every pair.
pub fn odds(game: &Game, table: &Table) -> Json {
    let mut object = json!({
        "game": game.id(),
        "variant": game.variant,
        "settings": game.written_settings(),
    });
    if let (Some(object), Json::Object(table)) = (object.as_object_mut(), self::table(table)) {
        object.extend(table);
    }
    object
}

/// The rungs of a ladder, and the references, each with its odds against everybody.
pub(super) fn table(table: &Table) -> Json {
    let against = |row: usize| -> Vec<Json> {
        let pairs = table.rows().iter().enumerate().map(|(column, other)| {
            let odds = table.odds(row, column);
            json!({
                "second": other[0].to_string(),
                "first_wins": odds.wins[Player::One],
                "second_wins": odds.wins[Player::Two],
                "drawn": odds.drawn(),
            })
        });
        pairs.collect()
    };
    let ladder = table.ladder();
    let row = |(index, opponents): (usize, &Vec<Opponent>)| {
        let ids: Vec<String> = opponents.iter().map(Opponent::to_string).collect();
        let strength = ladder.rungs.get(index).map(|rung| rung.strength);
        json!({ "opponents": ids, "strength": strength, "going_first_against": against(index) })
    };
    let rows: Vec<Json> = table.rows().iter().enumerate().map(row).collect();
    let (rungs, references) = rows.split_at(ladder.rungs.len());
    json!({ "levels": ladder.has_levels(), "rungs": rungs, "references": references })
}

/// A round looked back on.
pub fn review(record: &Record, round: &Round, review: &Review) -> Json {
    let moves: Vec<Json> = review
        .moves
        .iter()
        .map(|judged| {
            json!({
                "player": judged.player.number(),
                "move": round.rulebook().write(judged.a_move),
                "from": judged.from,
                "to": number(judged.to),
                "best": judged.best.value.word(),
                "made": judged.made.value.word(),
                "decision": judged.decision,
                "subtle": judged.subtle,
                "mark": judged.mark(),
                "better": judged.is_mistake().then(|| round.rulebook().write(judged.better.a_move)),
            })
        })
        .collect();
    let players: Vec<Json> = Player::BOTH
        .map(|player| {
            let tally = review.tally[player];
            json!({
                "player": record.players[player],
                "decisions": tally.met,
                "kept": tally.kept,
                "subtle": tally.subtle_met,
                "subtle_kept": tally.subtle_kept,
                "accuracy": tally.accuracy(),
                "par": review.par.map(|par| par[player].1),
            })
        })
        .to_vec();
    json!({
        "game": record.rulebook,
        "variant": record.variant,
        "settings": record.settings,
        "result": record.result.word(),
        "opening": review.opening.value.word(),
        "turning_point": review.turning_point().map(|(place, judged)| json!({ "move": place + 1, "number": judged.at })),
        "players": players,
        "moves": moves,
        "unmade": review.unmade.map(|unmade| json!({
            "player": unmade.player.number(),
            "best": unmade.best.value.word(),
            "decision": unmade.decision,
            "subtle": unmade.subtle,
        })),
    })
}

/// A number; in quotes if it is too large for programs that read JSON numbers as floating point.
fn number(number: i128) -> Json {
    i64::try_from(number).map_or_else(|_| number.to_string().into(), Json::from)
}

/// How everybody did over many rounds.
pub fn summary(summary: &Summary) -> Json {
    let line = |(seat, line): (&Seat, &Line)| {
        let mut object = json!({ "player": seat.player, "game": seat.game, "seat": seat.word() });
        if let (Some(object), Json::Object(counted)) = (object.as_object_mut(), counted(line)) {
            object.extend(counted);
        }
        object
    };
    summary.lines().map(line).collect()
}

/// What was counted over rounds from one seat, with 95% intervals and what they are about: more rounds of the game, or other
/// games of the same kind.
pub fn counted(line: &Line) -> Json {
    json!({
            "rounds": line.rounds,
            "won": line.won,
            "won_interval": line.won_share().interval,
            "drawn": line.drawn,
            "lost": line.lost,
            "forfeited": line.forfeited,
            "unfinished": line.unfinished,
            "as_good_as_the_seat_allows": line.at_best,
            "as_good_interval": line.at_best_share().interval,
            "decisions": line.tally.met,
            "kept": line.tally.kept,
            "kept_interval": line.kept_share().interval,
            "subtle": line.tally.subtle_met,
            "subtle_kept": line.tally.subtle_kept,
            "subtle_interval": line.subtle_share().interval,
            "illegal": line.refusals[Refused::Illegal],
            "unreadable": line.refusals[Refused::Unreadable],
            "late": line.refusals[Refused::Late],
            "died": line.refusals[Refused::Died],
            "flooded": line.refusals[Refused::Flooded],
            "clustered_by": line.unit.word(),
            "clusters": line.units,
    })
}

/// The answer to an idea.
pub fn idea(game: &Game, answer: &Answer) -> Json {
    let (word, number, missing) = match answer {
        Answer::False { number, .. } => ("false", Some(*number), None),
        Answer::Complete { .. } => ("complete", None, None),
        Answer::Partial { missing, .. } => ("partial", None, Some(*missing)),
        Answer::Circles { .. } | Answer::NoSeat { .. } => ("partial", None, Some(0)),
        Answer::Nothing => ("nothing", None, None),
        Answer::NumberDoesNotDecide { .. } => ("number-does-not-decide", None, None),
    };
    let said = idea::in_words(answer);
    // `null` if they are too many to name: then what is said tells which ones.
    let except = answer.exceptions().map_or(Some(vec![]), Exceptions::numbers);
    let except = except.map(|numbers| numbers.into_iter().map(self::number).collect::<Vec<Json>>());
    json!({
        "game": game.id(),
        "answer": word,
        "number": number,
        "missing": missing,
        "except": except,
        "said": said,
    })
}

/// A puzzle without its solution: how to come to it, and what can be chosen there.
pub fn puzzle(served: &Served) -> Json {
    let (rulebook, round) = (served.rulebook(), served.begin());
    let mut object = super::about(&served.game, rulebook);
    let moves: Vec<String> = round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect();
    let legal = rulebook.situation(round.position()).moves().map(|a_move| rulebook.write(a_move));
    object.insert("puzzle".to_owned(), json!(served.id.to_string()));
    object.insert("moves".to_owned(), json!(moves));
    object.insert("position".to_owned(), json!(rulebook.position_text(round.position())));
    object.insert("grade".to_owned(), json!(served.grade()));
    object.insert("missed".to_owned(), json!(served.missed.map(|day| day.to_string())));
    object.insert("legal".to_owned(), json!(legal.collect::<Vec<_>>()));
    Json::Object(object)
}

/// That no puzzle comes next, and why.
pub fn no_puzzle(why: &str) -> Json {
    json!({ "puzzle": null, "reason": why })
}
