//! JSON records for programs: one object per round, one per line.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::tags::{SETTING, Tag};
use super::{BadRecord, MARKS, Record, RecordedMove, is_move, read_comment};
use crate::format::quotable;

/// Tags with numeric values.
const NUMBERS: &[&str] = &["SpotOn", "Target", "First", "Round"];
/// Tags with a key of their own. All others are under `tags`.
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
            // Only if it round-trips: JSON has no number `007`.
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
        object.insert("moves".to_owned(), moves.into());
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
        let mut superseded = Map::new();
        // Earlier values of a tag are adjacent.
        for earlier in self.superseded.chunk_by(|(one, _), (other, _)| one == other) {
            let values: Vec<&str> = earlier.iter().map(|(_, value)| value.as_str()).collect();
            superseded.insert(earlier[0].0.clone(), values.into());
        }
        if !superseded.is_empty() {
            object.insert(SUPERSEDED.to_owned(), superseded.into());
        }
        if !others.is_empty() {
            object.insert("tags".to_owned(), others.into());
        }
        Value::Object(object)
    }
}

/// Optional details of a move, keyed by its number from 1.
const EXTRAS: [(&str, Extra); 2] =
    [("marks", |recorded| &recorded.mark), ("comments", |recorded| &recorded.comment)];

type Extra = fn(&RecordedMove) -> &str;

pub(super) fn read_all(text: &str) -> Result<Vec<Record>, BadRecord> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line)| read(line).map_err(|bad| BadRecord { line: Some(index + 1), ..bad });
    lines.map(read).collect()
}

/// Whether the text starts with a record.
pub(super) fn begins(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| read(line).is_ok())
}

fn read(line: &str) -> Result<Record, BadRecord> {
    if !line.trim_start().starts_with('{') {
        parse::<Value>(line)?;
        return Err(BadRecord::new("a record must be a JSON object"));
    }
    let mut tags = Vec::new();
    let mut superseded = Vec::new();
    let mut moves: Vec<RecordedMove> = Vec::new();
    let mut extras: Vec<(String, Entries)> = Vec::new();
    for (key, value) in Entries::read(line)?.0 {
        match key.as_str() {
            "settings" => {
                tags.extend(texts(&key, &value)?.into_iter().map(|setting| tag(SETTING, setting)));
            }
            "moves" => {
                moves = texts(&key, &value)?.into_iter().map(a_move).collect::<Result<_, _>>()?;
            }
            "marks" | "comments" => extras.push((key.clone(), map(&key, &value)?)),
            SUPERSEDED => {
                for (name, values) in map(&key, &value)?.0 {
                    superseded.extend(texts(&name, &values)?.into_iter().map(|value| tag(&name, value)));
                }
            }
            "tags" => {
                for (name, value) in map(&key, &value)?.0 {
                    tags.push(tag(&name, text(&name, &value)?));
                }
            }
            _ => {
                let known = KNOWN.iter().find(|known| known.to_lowercase() == key);
                tags.push(tag(known.unwrap_or(&key.as_str()), text(&key, &value)?));
            }
        }
    }
    // Read superseded values first, so that they're superseded again.
    superseded.extend(tags);
    let mut record = Record::from_tags(superseded)?;
    record.moves = moves;
    for (key, said) in extras {
        for (number, value) in said.0 {
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let recorded = index.and_then(|index| record.moves.get_mut(index));
            let recorded = recorded.ok_or_else(|| {
                BadRecord::new(format!(
                    "\"{key}\" refers to move {}, which the record doesn't have",
                    quotable(&number)
                ))
            })?;
            let said = text(&key, &value)?;
            if key == "marks" { recorded.mark = mark(said)? } else { recorded.comment = read_comment(&said)? }
        }
    }
    Ok(record)
}

/// The key of earlier values of repeated tags.
const SUPERSEDED: &str = "superseded";

/// The entries of an object in order, with duplicates and exact numbers.
struct Entries(Vec<(String, Box<RawValue>)>);

impl Entries {
    fn read(object: &str) -> Result<Entries, BadRecord> {
        parse(object)
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

fn parse<'de, T: Deserialize<'de>>(json: &'de str) -> Result<T, BadRecord> {
    serde_json::from_str(json).map_err(|error| BadRecord::new(format!("not valid JSON: {error}")))
}

fn tag(name: &str, value: String) -> Tag {
    Tag { line: None, name: name.to_owned(), value }
}

fn a_move(written: String) -> Result<RecordedMove, BadRecord> {
    if !is_move(&written) {
        return Err(BadRecord::new(format!("\"{}\" isn't a move", quotable(&written))));
    }
    Ok(RecordedMove { written, ..RecordedMove::default() })
}

fn mark(said: String) -> Result<String, BadRecord> {
    if !said.chars().all(|c| MARKS.contains(&c)) {
        return Err(BadRecord::new(format!("a mark may only contain ! and ?, not \"{}\"", quotable(&said))));
    }
    Ok(said)
}

fn map(key: &str, value: &RawValue) -> Result<Entries, BadRecord> {
    match value.get().starts_with('{') {
        true => Entries::read(value.get()),
        false => Err(BadRecord::new(format!("\"{}\" takes an object", quotable(key)))),
    }
}

fn text(key: &str, value: &RawValue) -> Result<String, BadRecord> {
    let written = value.get();
    match written.chars().next() {
        Some('"') => parse(written),
        // Numbers stay text, exactly as written.
        Some('-' | '0'..='9') => Ok(written.to_owned()),
        _ => Err(BadRecord::new(format!("\"{}\" takes text", quotable(key)))),
    }
}

fn texts(key: &str, value: &RawValue) -> Result<Vec<String>, BadRecord> {
    if !value.get().starts_with('[') {
        return Err(BadRecord::new(format!("\"{}\" takes a list of texts", quotable(key))));
    }
    let list: Vec<Box<RawValue>> = parse(value.get())?;
    list.iter().map(|item| text(key, item)).collect()
}
