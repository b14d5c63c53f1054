//! The form for machines: one JSON object a line, a round each.

use serde_json::{Map, Value, json};

use super::tags::SETTING;
use super::{BadRecord, Record, RecordedMove};

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
        for (tag, value) in self.tags() {
            match value.parse::<i64>() {
                _ if tag == SETTING => {}
                Ok(number) if NUMBERS.contains(&tag.as_str()) => {
                    drop(object.insert(tag.to_lowercase(), number.into()))
                }
                _ if KNOWN.contains(&tag.as_str()) => drop(object.insert(tag.to_lowercase(), value.into())),
                _ => drop(others.insert(tag, value.into())),
            }
        }
        if !self.settings.is_empty() {
            object.insert("settings".to_owned(), json!(self.settings));
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
                object.insert((*key).to_owned(), said.into());
            }
        }
        if !others.is_empty() {
            object.insert("tags".to_owned(), others.into());
        }
        Value::Object(object)
    }
}

/// What may be said of a move, by the number of the move from 1.
const EXTRAS: &[(&str, fn(&RecordedMove) -> &str)] =
    &[("marks", |recorded| &recorded.mark), ("comments", |recorded| &recorded.comment)];

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
                let settings = texts(key, value)?;
                tags.extend(settings.into_iter().map(|setting| (SETTING.to_owned(), setting)));
            }
            "moves" => {
                let written = texts(key, value)?;
                moves = written
                    .into_iter()
                    .map(|written| RecordedMove { written, ..Default::default() })
                    .collect();
            }
            "marks" | "comments" => {} // below, once the moves are there
            "tags" => {
                let others = value.as_object().ok_or_else(|| BadRecord::new("\"tags\" takes an object"))?;
                for (tag, value) in others {
                    tags.push((tag.clone(), text(tag, value)?));
                }
            }
            _ => {
                let tag = KNOWN.iter().find(|tag| tag.to_lowercase() == *key);
                tags.push((tag.map_or(key.clone(), |tag| (*tag).to_owned()), text(key, value)?));
            }
        }
    }
    let mut record = Record::from_tags(tags)?;
    record.moves = moves;
    for key in ["marks", "comments"] {
        let Some(said) = object.get(key).and_then(Value::as_object) else { continue };
        for (number, value) in said {
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let recorded = index.and_then(|index| record.moves.get_mut(index));
            let recorded =
                recorded.ok_or_else(|| BadRecord::new(format!("\"{key}\" speaks of move {number}")))?;
            let said = text(key, value)?;
            if said.chars().any(crate::rulebook::is_unfit) {
                return Err(BadRecord::new(format!("\"{key}\" has a control character")));
            }
            if key == "marks" { recorded.mark = said } else { recorded.comment = said }
        }
    }
    Ok(record)
}

fn text(key: &str, value: &Value) -> Result<String, BadRecord> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(BadRecord::new(format!("\"{key}\" takes a text"))),
    }
}

fn texts(key: &str, value: &Value) -> Result<Vec<String>, BadRecord> {
    let list = value.as_array().ok_or_else(|| BadRecord::new(format!("\"{key}\" takes a list of texts")))?;
    list.iter().map(|item| text(key, item)).collect()
}
