//! JSON for audits.

use serde_json::{Map as Object, Value as Json, json};

use super::solution::verdict;
use crate::engine::position::Player;
use crate::format::{Game, Rulebook};
use crate::people::audit::better::Better;
use crate::people::audit::one_line::{OneLine, OneLineRule};
use crate::people::audit::sweep::{Pattern, Sweep};
use crate::people::audit::{Against, Audit, TestedClaim};
use crate::people::day::Day;
use crate::people::invent::{Certificate, Invented};
use crate::people::opponent::Table;
use crate::people::today::{self, Duel, Streak};
use crate::words;

/// The audit of a game, with the changes that make it better if these were looked for. Chances have ten digits, to
/// which they are exact.
pub fn audit(game: &Game, rulebook: &Rulebook, audit: &Audit, better_ones: Option<&[Better]>) -> Json {
    let figures = &audit.figures;
    let mut object = super::about(game, rulebook);
    let mut add = |key: &str, value: Json| object.insert(key.to_owned(), value);
    add("positions", json!(figures.positions));
    add("decisions", json!(figures.decisions));
    add("subtle", json!(figures.subtle));
    add("forced", json!(figures.forced));
    for (key, value) in verdict(Some(figures.opening)) {
        add(&key, value);
    }
    add("always_ends", json!(figures.always_ends));
    add("can_draw", json!(figures.can_draw));
    add("longest", json!(figures.longest));
    add("dead_tail", json!(figures.dead_tail));
    add("best_line", json!(audit.best_line));
    add("guess", json!(audit.guess.map(ten_digits)));
    add("one_line_rule", one_line_rule(rulebook, &audit.one_line));
    if audit.one_line == OneLine::Unknown {
        add("one_line_rule_unknown", json!("looking at every rule takes too long"));
    }
    let odds = audit.references.by_key();
    let wins = odds.iter().map(|(key, odds)| ((*key).to_owned(), json!(ten_digits(odds.wins[Player::One]))));
    let draws = odds.iter().map(|(key, odds)| ((*key).to_owned(), json!(ten_digits(odds.drawn()))));
    add("first_player_wins", Json::Object(wins.collect()));
    add("first_player_draws", Json::Object(draws.collect()));
    let never = |rule: &crate::people::audit::NeverFires| {
        let entry = rule.entry().and_then(|entry| rulebook.entry(entry));
        json!({
            "key": rule.key(),
            "move": entry.map(|entry| rulebook.entry_key(entry)),
            "text": words::audit::never_fires(rulebook, *rule),
        })
    };
    add("never_fires", audit.never_fires.iter().map(never).collect());
    add("claims", audit.claims.iter().map(claim).collect());
    let ladder = audit.ladder.as_ref().map(|ladder| super::people::table(&Table::new(ladder.clone())));
    add("ladder", json!(ladder));
    if let Some(found) = better_ones {
        add("better", found.iter().map(better).collect());
    }
    Json::Object(object)
}

/// A chance as it is written: what lies beyond ten digits is rounding, and not a fact.
pub(super) fn ten_digits(chance: f64) -> f64 {
    (chance * 1e10).round() / 1e10
}

fn one_line_rule(rulebook: &Rulebook, found: &OneLine) -> Json {
    let OneLine::Found(rule) = found else { return Json::Null };
    let mut object = Object::new();
    match rule {
        OneLineRule::Order(order) => {
            let written = order.iter().map(|pick| words::audit::written_pick(rulebook, *pick));
            object.insert("order".to_owned(), written.collect());
        }
        OneLineRule::Leave { idea, .. } => {
            object.insert("idea".to_owned(), json!(idea));
        }
    }
    object.insert("text".to_owned(), json!(words::audit::rule(rulebook, rule)));
    Json::Object(object)
}

fn claim(tested: &TestedClaim) -> Json {
    let mut object = Object::new();
    object.insert("claim".to_owned(), json!(tested.claim.to_string()));
    object.insert("holds".to_owned(), json!(tested.holds));
    match &tested.against {
        Some(Against::Line(line) | Against::Endless(line)) => {
            object.insert("counterexample".to_owned(), json!(line))
        }
        Some(Against::Figure(figure)) => object.insert("figure".to_owned(), json!(ten_digits(*figure))),
        None => None,
    };
    Json::Object(object)
}

/// A sweep over targets: a row for each, and what they have in common.
pub fn sweep(game: &Game, sweep: &Sweep) -> Json {
    let targets: Vec<Json> = sweep
        .targets
        .iter()
        .map(|(target, of_target)| {
            let mut object = Object::new();
            object.insert("target".to_owned(), json!(target));
            object.extend(verdict(Some(*of_target)));
            Json::Object(object)
        })
        .collect();
    let word = |winner: &Option<Player>| winner.map(Player::number);
    let pattern = match sweep.pattern() {
        Pattern::Always(winner) => json!({ "divisor": 1, "winners": [word(&winner)] }),
        Pattern::Rests { divisor, winners } => {
            json!({ "divisor": divisor, "winners": winners.iter().map(word).collect::<Vec<_>>() })
        }
        Pattern::None => Json::Null,
    };
    json!({
        "game": game.id(),
        "variant": game.variant,
        "settings": game.written_settings(),
        "first_player_wins": sweep.won_by(Some(Player::One)),
        "second_player_wins": sweep.won_by(Some(Player::Two)),
        "drawn": sweep.won_by(None),
        "pattern": pattern,
        "unplayable": sweep.unplayable,
        "targets": targets,
    })
}

fn better(better: &Better) -> Json {
    json!({
        "settings": better.settings,
        "value": better.figures.opening.value.word(),
        "remoteness": better.figures.opening.remoteness(),
        "decisions": better.figures.decisions,
        "subtle": better.figures.subtle,
        "guess": ten_digits(better.guess),
    })
}

/// A game that was invented, with its certificate.
pub fn invented(game: &Invented) -> Json {
    of_invented(game, true, &game.text)
}

/// The same for whoever is about to play it: what would spoil it is left out, that is who can force a win.
pub fn invented_to_play(game: &Invented) -> Json {
    of_invented(game, false, game.text_without_remarks())
}

fn of_invented(game: &Invented, who_wins: bool, text: &str) -> Json {
    json!({
        "generator": 1,
        "seed": game.seed,
        "number": game.number,
        "title": game.rulebook.title(),
        "rulebook_hash": game.rulebook.fingerprint(),
        "certificate": certificate(&game.certificate, who_wins),
        "text": text,
    })
}

/// What is proved of a game. Who wins it, and how fast, which tells the same to whoever counts, can be left out.
fn certificate(certificate: &Certificate, who_wins: bool) -> Json {
    let Certificate { figures, guess } = certificate;
    let mut object = Object::new();
    let mut add = |key: &str, value: Json| object.insert(key.to_owned(), value);
    add("always_ends", json!(figures.always_ends));
    add("can_draw", json!(figures.can_draw));
    if who_wins {
        add("value", json!(figures.opening.value.word()));
        add("remoteness", json!(figures.opening.remoteness()));
    }
    add("longest", json!(figures.longest));
    add("positions", json!(figures.positions));
    add("decisions", json!(figures.decisions));
    add("subtle", json!(figures.subtle));
    add("forced", json!(figures.forced));
    add("dead_tail", json!(figures.dead_tail));
    add("guess", json!(ten_digits(*guess)));
    add("one_line_rule", Json::Null);
    Json::Object(object)
}

/// The duel of a day, whether it would count if it were played now, on `today`, and how the streak stands on it. What
/// would spoil it is left out: who can force a win.
pub fn today(duel: &Duel, streak: &Streak, today: Day) -> Json {
    let rulebook = &duel.invented.rulebook;
    let result = streak.score(duel.day).map(|score| {
        json!({
            "ended": score.ended.word(),
            "moves": score.moves,
            "hints": score.hints,
            "line": today::line(duel.day, today, duel.title(), score, true),
        })
    });
    json!({
        "date": duel.day.to_string(),
        "title": duel.title(),
        "summary": words::describe::summary(rulebook),
        "rulebook_hash": rulebook.fingerprint(),
        "opponent": today::OPPONENT,
        "you_go": if duel.person_goes_first() { "first" } else { "second" },
        "certificate": certificate(&duel.invented.certificate, false),
        "text": duel.text(),
        "counts": duel.day == today && streak.takes(duel.day),
        "result": result,
        "streak": { "days": streak.on(duel.day), "best": streak.best() },
    })
}
