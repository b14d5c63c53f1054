//! The form of records for programs: a JSON object for each round, one a line.

use serde_json::{Map, Value, json};

use super::tags::{SETTING, Tag};
use super::{BadRecord, MARKS, Record, RecordedMove, is_move, read_comment};
use crate::format::quotable;

/// Tags whose values are numbers, for machines.
const NUMBERS: &[&str] = &["SpotOn", "Target", "First", "Round"];
/// Tags that have a key of their own; whatever else there is stands under `tags`.
const KNOWN: &[&str] = &[
    "SpotOn",
    "Rulebook",
    "Variant",
    "Target",
    "Rules",
    "Player1",
    "Computer1",
    "Player2",
    "Computer2",
    "First",
    "Match",
    "Round",
    "Result",
    "Ending",
];

impl Record {
    /// The record as one line of JSON.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        let mut others = Map::new();
        let mut settings = Vec::new();
        for (tag, value) in self.tags() {
            // Only what comes back as it was: `007` is not a number to JSON.
            match value.parse::<i64>().ok().filter(|number| number.to_string() == value) {
                _ if tag == SETTING => settings.push(value),
                Some(number) if NUMBERS.contains(&tag.as_str()) => {
                    drop(object.insert(tag.to_lowercase(), number.into()))
                }
                _ if KNOWN.contains(&tag.as_str()) => drop(object.insert(tag.to_lowercase(), value.into())),
                _ => drop(others.insert(tag, value.into())),
            }
        }
        if !settings.is_empty() {
            object.insert("settings".to_owned(), settings.into());
        }
        let moves: Vec<&str> = self.moves.iter().map(|recorded| recorded.written.as_str()).collect();
        object.insert("moves".to_owned(), json!(moves));
        for (key, of) in EXTRAS {
            let said: Map<String, Value> = (1..)
                .zip(&self.moves)
                .filter(|(_, recorded)| !of(recorded).is_empty())
                .map(|(number, recorded)| (u64::to_string(&number), of(recorded).into()))
                .collect();
            if !said.is_empty() {
                object.insert(key.to_owned(), said.into());
            }
        }
        if !others.is_empty() {
            object.insert("tags".to_owned(), others.into());
        }
        Value::Object(object)
    }
}

/// What may be said of a move, by the number of the move from 1.
const EXTRAS: [(&str, Extra); 2] =
    [("marks", |recorded| &recorded.mark), ("comments", |recorded| &recorded.comment)];

type Extra = fn(&RecordedMove) -> &str;

pub(super) fn read_all(text: &str) -> Result<Vec<Record>, BadRecord> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line)| read(line).map_err(|bad| BadRecord { line: Some(index + 1), ..bad });
    lines.map(read).collect()
}

fn read(line: &str) -> Result<Record, BadRecord> {
    let value: Value =
        serde_json::from_str(line).map_err(|error| BadRecord::new(format!("not JSON: {error}")))?;
    let object = value.as_object().ok_or_else(|| BadRecord::new("a record is a JSON object"))?;
    let mut tags = Vec::new();
    let mut moves: Vec<RecordedMove> = Vec::new();
    for (key, value) in object {
        match key.as_str() {
            "settings" => {
                tags.extend(texts(key, value)?.into_iter().map(|setting| tag(SETTING, setting)));
            }
            "moves" => {
                moves = texts(key, value)?.into_iter().map(a_move).collect::<Result<_, _>>()?;
            }
            "marks" | "comments" => {} // below, once the moves are there
            "tags" => {
                for (name, value) in map(key, value)? {
                    tags.push(tag(name, text(name, value)?));
                }
            }
            _ => {
                let known = KNOWN.iter().find(|known| known.to_lowercase() == *key);
                tags.push(tag(known.unwrap_or(&key.as_str()), text(key, value)?));
            }
        }
    }
    let mut record = Record::from_tags(tags)?;
    record.moves = moves;
    for key in ["marks", "comments"] {
        let Some(said) = object.get(key) else { continue };
        for (number, value) in map(key, said)? {
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let recorded = index.and_then(|index| record.moves.get_mut(index));
            let recorded = recorded
                .ok_or_else(|| BadRecord::new(format!("\"{key}\" speaks of move {}", quotable(number))))?;
            let said = text(key, value)?;
            if key == "marks" { recorded.mark = mark(said)? } else { recorded.comment = read_comment(&said)? }
        }
    }
    Ok(record)
}

fn tag(name: &str, value: String) -> Tag {
    Tag { line: None, name: name.to_owned(), value }
}

fn a_move(written: String) -> Result<RecordedMove, BadRecord> {
    if !is_move(&written) {
        return Err(BadRecord::new(format!("\"{}\" is not a move", quotable(&written))));
    }
    Ok(RecordedMove { written, ..RecordedMove::default() })
}

fn mark(said: String) -> Result<String, BadRecord> {
    if !said.chars().all(|c| MARKS.contains(&c)) {
        return Err(BadRecord::new(format!("a mark is made of ! and ?, not \"{}\"", quotable(&said))));
    }
    Ok(said)
}

fn map<'v>(key: &str, value: &'v Value) -> Result<&'v Map<String, Value>, BadRecord> {
    value.as_object().ok_or_else(|| BadRecord::new(format!("\"{key}\" takes an object")))
}

fn text(key: &str, value: &Value) -> Result<String, BadRecord> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(BadRecord::new(format!("\"{}\" takes a text", quotable(key)))),
    }
}

fn texts(key: &str, value: &Value) -> Result<Vec<String>, BadRecord> {
    let list = value.as_array().ok_or_else(|| BadRecord::new(format!("\"{key}\" takes a list of texts")))?;
    list.iter().map(|item| text(key, item)).collect()
}
