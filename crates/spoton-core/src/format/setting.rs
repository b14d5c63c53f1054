//! Settings on a command line: `key=value`, where text and lists need no quotes or brackets.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeValue};

use super::draft::Draft;
use super::reader::{KEYS, Layer, Reader, Shape};
use super::source::{Place, Problem, Source};

/// Reads `key=value`. Errors show `option`.
pub(super) fn read(option: &str, setting: &str) -> Draft {
    let source = Source::new(option, setting);
    let Some((key, value)) = setting.split_once('=') else {
        let place = Place::new(&source, 0..setting.len());
        let problem =
            Problem::error(place, format!("{option} takes KEY=VALUE")).help("for example, target=31");
        return Draft { problems: vec![problem], ..Draft::default() };
    };
    let value_at = setting.len() - value.len();
    read_value(&source, key.trim(), 0..key.len(), value, value_at)
}

/// Reads a bare target.
pub(super) fn read_target(option: &str, target: &str) -> Draft {
    read_value(&Source::new(option, target), "target", 0..0, target, 0)
}

/// Reads a layer of one key, whose value starts at `value_at` in the source.
fn read_value(
    source: &Arc<Source>,
    key: &str,
    key_span: Range<usize>,
    value: &str,
    value_at: usize,
) -> Draft {
    let mut draft = Draft::default();
    let mut reader = Reader::new(source);
    let key_place = Place::new(source, key_span);
    if let Some(sentence) = key.strip_prefix("wording.") {
        reader.sentence(&mut draft, sentence, key_place, &shaped(Shape::Text, value, value_at));
    } else {
        // Unknown keys are always errors.
        let shape = KEYS.iter().find(|(known, _)| *known == key).map_or(Shape::Text, |(_, shape)| *shape);
        reader.key(&mut draft, key, key_place, &shaped(shape, value, value_at), Layer::Inner);
    }
    draft.problems = reader.problems;
    draft
}

/// Converts a bare value to the type of its key. If it doesn't fit, the reader reports an error.
///
/// Ignores leading spaces, and trailing ones except in bare text: a prompt may end with a space.
fn shaped(shape: Shape, text: &str, at: usize) -> Spanned<DeValue<'_>> {
    let at = at + (text.len() - text.trim_start().len());
    let text = text.trim_start();
    let span = at..at + text.len();
    let bare = || Spanned::new(span.clone(), DeValue::String(Cow::Borrowed(text)));
    let parsed = DeValue::parse(text.trim_end()).ok().map(|value| moved(value, at));
    let list = |item: Shape| {
        let items: DeArray<'_> =
            items(text).map(|(item_at, text)| shaped(item, text, at + item_at)).collect();
        Spanned::new(span.clone(), DeValue::Array(items))
    };
    match (shape, parsed) {
        (Shape::Text, Some(value)) if value.get_ref().is_str() => value,
        (Shape::Text, _) => bare(),
        (Shape::Number | Shape::Table, Some(value)) => value,
        (Shape::Number | Shape::Table, None) => bare(),
        (Shape::NumberOrNumbers, Some(value)) => value,
        (Shape::Numbers, Some(value)) if value.get_ref().is_array() => value,
        (Shape::Numbers | Shape::NumberOrNumbers, _) => list(Shape::Number),
        (Shape::Texts, Some(value)) if value.get_ref().is_array() => value,
        (Shape::Texts, _) => list(Shape::Item),
        (Shape::Item, Some(value)) if value.get_ref().is_str() || value.get_ref().is_table() => value,
        (Shape::Item, _) => bare(),
    }
}

/// Shifts the places of a separately parsed value.
fn moved(value: Spanned<DeValue<'_>>, by: usize) -> Spanned<DeValue<'_>> {
    let span = |Range { start, end }| start + by..end + by;
    let place = span(value.span());
    let value = match value.into_inner() {
        DeValue::Array(items) => DeValue::Array(items.into_iter().map(|item| moved(item, by)).collect()),
        DeValue::Table(table) => {
            let entries = table.into_iter();
            let entry = |(key, value): (Spanned<_>, _)| {
                (Spanned::new(span(key.span()), key.into_inner()), moved(value, by))
            };
            DeValue::Table(entries.map(entry).collect())
        }
        plain => plain,
    };
    Spanned::new(place, value)
}

/// Splits a bare list at commas outside brackets and quotes.
pub(super) fn items(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut cuts = vec![];
    let (mut depth, mut quote) = (0i32, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 => cuts.push(at),
            _ => {}
        }
    }
    cuts.push(text.len());
    let mut from = 0;
    let nothing = text.trim().is_empty();
    cuts.into_iter().filter(move |_| !nothing).map(move |to| {
        let item = &text[from..to];
        let item_at = from + (item.len() - item.trim_start().len());
        from = to + 1;
        (item_at, item.trim())
    })
}
