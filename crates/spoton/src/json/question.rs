//! Questions about positions, asked by programs.

use serde_json::Value as Json;

use crate::format::{Changes, Setting};
use crate::records::listed_moves;

/// A question about a position of a game.
///
/// ```
/// use spoton::format::{Changes, Setting};
/// use spoton::json::Question;
///
/// let asked = Question::read(r#"{"game": "mine", "set": {"target": 15}, "moves": ["+1"]}"#, &Changes::default())?;
/// assert_eq!(asked.game.as_deref(), Some("mine"));
/// assert_eq!(asked.changes.settings, [Setting::Set("target=15".to_owned())]);
/// assert_eq!(Question::read("+1 x2", &Changes::default())?.moves, ["+1", "x2"]);
/// # Ok::<(), spoton::json::BadQuestion>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The game; `None` for the default one.
    pub game: Option<String>,
    /// The changes to it.
    pub changes: Changes,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
}

/// A malformed question.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadQuestion {
    /// The text starts like JSON but doesn't parse.
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    /// The text is JSON but not an object.
    #[error("a question must be a JSON object")]
    NotAnObject,
    /// The moves aren't a list of strings.
    #[error("\"moves\" must be a list of strings")]
    Moves,
    /// Unknown key or wrong type.
    #[error("\"{0}\" is an unknown key or has the wrong type")]
    Key(String),
}

impl Question {
    /// Parses a question: a list of moves, or `{"game":…,"variant":…,"set":{…},"moves":[…]}`. The default changes apply
    /// unless the question names a game.
    ///
    /// # Errors
    ///
    /// If it's malformed.
    pub fn read(line: &str, usual: &Changes) -> Result<Question, BadQuestion> {
        let moves = |line: &str| listed_moves(line).map(str::to_owned).collect();
        let mut question = Question { game: None, changes: usual.clone(), moves: Vec::new() };
        if !line.trim_start().starts_with('{') {
            question.moves = moves(line);
            return Ok(question);
        }
        let asked: Json = serde_json::from_str(line).map_err(BadQuestion::NotJson)?;
        let asked = asked.as_object().ok_or(BadQuestion::NotAnObject)?;
        // The game comes first, regardless of key order.
        let is_game = |key: &str| key == "game";
        let (games, others) = (asked.iter().filter(|(key, _)| is_game(key)), asked.iter());
        for (key, value) in games.chain(others.filter(|(key, _)| !is_game(key))) {
            match (key.as_str(), value) {
                ("game", Json::String(game)) => {
                    // The default changes don't apply to another game.
                    question.changes = Changes::default();
                    question.game = Some(game.clone());
                }
                ("variant", Json::String(variant)) => question.changes.variant = Some(variant.clone()),
                ("set", Json::Object(settings)) => {
                    let set = |(key, value): (&String, &Json)| {
                        Setting::Set(format!("{key}={}", setting_value(value)))
                    };
                    question.changes.settings.extend(settings.iter().map(set));
                }
                ("moves", Json::Array(list)) => {
                    for written in list {
                        question.moves.push(written.as_str().ok_or(BadQuestion::Moves)?.to_owned());
                    }
                }
                ("moves", Json::String(list)) => question.moves = moves(list),
                (key, _) => return Err(BadQuestion::Key(key.to_owned())),
            }
        }
        Ok(question)
    }
}

/// A value in the form used after `KEY=`.
pub fn setting_value(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => to_toml(other),
    }
}

/// A JSON value as TOML.
fn to_toml(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(to_toml).collect::<Vec<_>>().join(", ")),
        Json::Object(keys) => {
            let pairs =
                keys.iter().map(|(key, value)| format!("{} = {}", Json::from(key.as_str()), to_toml(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        // Strings, numbers and booleans look the same in JSON and TOML.
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_custom_game_has_no_usual_changes() {
        let usual =
            Changes { variant: Some("long".to_owned()), settings: vec![Setting::Set("a=1".to_owned())] };
        let read = |line: &str| Question::read(line, &usual).unwrap();
        assert_eq!(read("+1, x2"), read(r#"{"moves": ["+1", "x2"]}"#));
        assert_eq!(read("+1").changes, usual);
        let own =
            read(r#"{"set": {"moves": ["+1", {"op": "x2", "uses": 1}], "past": "wins"}, "game": "mine"}"#);
        let set = [r#"moves=["+1", {"op" = "x2", "uses" = 1}]"#, "past=wins"]
            .map(|set| Setting::Set(set.to_owned()));
        assert_eq!(own.changes, Changes { variant: None, settings: set.to_vec() });
    }

    #[test]
    fn an_invalid_query_is_an_error() {
        let wrong = |line: &str| Question::read(line, &Changes::default()).unwrap_err();
        assert!(matches!(wrong("{"), BadQuestion::NotJson(_)));
        assert!(matches!(wrong(r#"{"moves": [1]}"#), BadQuestion::Moves));
        assert!(matches!(wrong(r#"{"game": 1}"#), BadQuestion::Key(key) if key == "game"));
    }
}
