//! JSON for rule books: lists of games, rules, and what is wrong with a file.

use serde_json::{Value as Json, json};

use crate::format::{Game, Listed, Problem, Rulebook, Severity};
use crate::sitting::discovery::{Spoiler, View};
use crate::words::describe;

/// A list of games.
pub fn games<'a>(games: impl IntoIterator<Item = &'a Listed>) -> Json {
    let game = |listed: &Listed| {
        let rulebook = listed.rulebook.as_ref();
        json!({
            "game": listed.id,
            "own_file": listed.own_file,
            "valid": rulebook.is_some(),
            "title": rulebook.map(Rulebook::title),
            "summary": rulebook.map(Rulebook::summary),
            "suits": rulebook.and_then(Rulebook::suits),
            "variants": listed.variants,
        })
    };
    games.into_iter().map(game).collect()
}

/// The rules of a game, for a viewer. If notes or claims are hidden, their keys are left out and listed under `hidden`.
pub fn rules(game: &Game, rulebook: &Rulebook, view: View) -> Json {
    let mut rules = json!({
        "game": game.id(),
        "variant": game.variant,
        "settings": game.written_settings(),
        "rulebook_hash": rulebook.fingerprint(),
        "title": rulebook.title(),
        "summary": rulebook.summary(),
        "suits": rulebook.suits(),
        "rules": describe::rules(rulebook),
        "notes": rulebook.notes(),
        "claims": rulebook.claims().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "variants": game.draft.variants().collect::<Vec<_>>(),
        "keys": rulebook.rules_line(),
    });
    let spoilers = [("notes", Spoiler::Notes), ("claims", Spoiler::Claims)];
    let hidden = spoilers.iter().filter(|(_, spoiler)| view.hides(*spoiler));
    let hidden: Vec<&str> = hidden.map(|(key, _)| *key).collect();
    if let Some(rules) = rules.as_object_mut().filter(|_| !hidden.is_empty()) {
        rules.retain(|key, _| !hidden.contains(&key.as_str()));
        rules.insert("hidden".to_owned(), json!(hidden));
    }
    rules
}

/// What a check of a rule book file found.
pub fn check(file: &str, problems: &[Problem]) -> Json {
    let valid = !problems.iter().any(Problem::is_error);
    json!({ "file": file, "valid": valid, "problems": problems.iter().map(problem).collect::<Vec<_>>() })
}

/// A rule book file that could not be read.
pub fn unreadable(file: &str, message: &str) -> Json {
    json!({ "file": file, "valid": false, "error": message })
}

/// Something wrong, or odd, in a rule book.
pub fn problem(problem: &Problem) -> Json {
    let (line, column) = problem.place.line_column();
    json!({
        "severity": match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "source": problem.place.source.name,
        "line": line,
        "column": column,
        "message": problem.message,
        "help": problem.help,
    })
}
