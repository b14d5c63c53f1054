//! The key `moves`: operations, spans of them, and tables with limits.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::{LONGEST_TEXT, Reader, Value};
use crate::engine::operation::{NotAnOperation, Operation};
use crate::engine::position::MOST_MOVES;
use crate::format::source::{Located, Problem, quotable};
use crate::format::vocabulary::Pool;
use crate::format::{Entry, LARGEST, Uses};

impl Reader<'_> {
    pub(super) fn moves(&mut self, value: &Value<'_>) -> Option<Located<Vec<Entry>>> {
        let array = self.array("moves", value, "operations such as \"+1\", \"x2\" or \"+1..4\"")?;
        let mut entries: Vec<Entry> = Vec::new();
        let mut known = BTreeSet::new();
        let mut sound = true;
        for item in array.iter() {
            let Some(read) = self.entries(item) else {
                sound = false;
                continue;
            };
            if let Some(twice) = read.iter().find(|entry| !known.insert(entry.operation)) {
                sound = false;
                let message = format!("`moves` has {} twice; operations must be distinct", twice);
                self.fail::<()>(item.span(), message);
            }
            entries.extend(read);
        }
        if !sound {
            return None;
        }
        if !(1..=MOST_MOVES).contains(&entries.len()) {
            return self.fail(
                value.span(),
                format!(
                    "`moves` has {} operations; from 1 to {MOST_MOVES} are allowed, spans spelled out",
                    entries.len()
                ),
            );
        }
        Some(self.located(entries, value))
    }

    /// What one item of `moves` stands for: an operation, a span of them, or one with conditions.
    fn entries(&mut self, item: &Value<'_>) -> Option<Vec<Entry>> {
        match item.get_ref() {
            DeValue::String(text) => {
                let operations = match span_of_operations(text) {
                    Ok(operations) => operations,
                    Err(why) => {
                        return self.fail(item.span(), format!("`moves`: \"{}\": {why}", quotable(text)));
                    }
                };
                let plain = |operation| Entry { operation, uses: None, label: None };
                Some(operations.into_iter().map(plain).collect())
            }
            DeValue::Table(table) => Some(vec![self.move_table(item, table)?]),
            _ => self.wrong_type("moves", item, "operations such as \"+1\" or { op = \"x2\", uses = 3 }"),
        }
    }

    fn move_table(&mut self, item: &Value<'_>, table: &DeTable<'_>) -> Option<Entry> {
        let problems_before = self.problems.len();
        let (mut operation, mut limit, mut pool, mut label) = (None, None, None, None);
        for (key, value) in table.iter() {
            match key.get_ref().as_ref() {
                "op" => operation = self.operation(value),
                "uses" => limit = self.small("uses", value, 1..=255),
                "pool" => pool = self.word("pool", value, Pool::WORDS, Pool::from_word),
                "label" => label = self.label(value),
                other => {
                    let known = ["op", "uses", "pool", "label"];
                    let place = self.place(key.span());
                    self.unknown_key("key of a move", other, place, known.into_iter());
                }
            }
        }
        if !table.contains_key("op") {
            self.fail::<()>(item.span(), "this move has no `op`, such as op = \"x2\"".to_owned());
        }
        if let Some(pool) = &pool
            && !table.contains_key("uses")
        {
            let problem =
                Problem::error(pool.place.clone(), "`pool` needs `uses`: how often may it be used?");
            self.problems.push(problem);
        }
        if self.problems.len() > problems_before {
            return None;
        }
        Some(Entry {
            operation: operation?,
            uses: limit
                .map(|limit| Uses { limit: limit.value, pool: pool.map_or(Pool::Own, |pool| pool.value) }),
            label,
        })
    }

    fn operation(&mut self, value: &Value<'_>) -> Option<Operation> {
        let text = self.text("op", value, LONGEST_TEXT, false)?.value;
        match text.parse::<Operation>() {
            Ok(operation) => Some(operation),
            Err(why) => self.fail(value.span(), format!("`op`: \"{}\": {why}", quotable(&text))),
        }
    }

    fn label(&mut self, value: &Value<'_>) -> Option<String> {
        let label = self.text("label", value, LONGEST_TEXT, false)?.value;
        if label.trim().is_empty() {
            return self.fail(value.span(), "`label` is empty; leave it out for the usual one".to_owned());
        }
        Some(label)
    }
}

/// The operations that a text such as `+1` or `+1..4` stands for.
fn span_of_operations(text: &str) -> Result<Vec<Operation>, String> {
    let Some((first, last)) = text.split_once("..") else {
        return Ok(vec![text.parse::<Operation>().map_err(|why| why.to_string())?]);
    };
    let first: Operation = first.parse().map_err(|why: NotAnOperation| why.to_string())?;
    let last = crate::engine::operation::plain_amount(last).map_err(|why| why.to_string())?;
    if last < first.amount() {
        return Err(format!("a span goes upwards, and {last} is below {}", first.amount()));
    }
    if last > LARGEST {
        return Err(NotAnOperation::Bounds.to_string());
    }
    if last - first.amount() >= MOST_MOVES as i64 {
        return Err(format!(
            "this span has {} operations; at most {MOST_MOVES} are allowed",
            last - first.amount() + 1
        ));
    }
    let operation = |amount| Operation::new(first.kind(), amount).ok_or(NotAnOperation::Bounds.to_string());
    (first.amount()..=last).map(operation).collect()
}
