//! Reads TOML into a [`Draft`]: types, bounds and places of all values, with all errors. Handwritten from spanned values,
//! because serde stops at the first error and forgets where the values were.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::draft::{Draft, Start};
use super::source::{Located, Place, Problem, Source, nearest};
use super::{Claim, LARGEST, MatchForm, catalog};
use crate::engine::rulebook::{NoRepeat, Numbers, Past, Reach, Stuck};
use crate::text::{is_unfit, quotable};

mod moves;
mod numbers;
mod sentences;

/// The largest rule book file, in bytes.
pub const LARGEST_FILE: usize = 64 * 1024;
const LONGEST_TITLE: usize = 64;
const LONGEST_TEXT: usize = 4 * 1024;

/// The type of a key's value. Settings on the command line need it to read unquoted text and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    NumberOrNumbers,
    /// A list of numbers.
    Numbers,
    /// A list of items.
    Texts,
    /// Text, or a table with text in it.
    Item,
    Table,
}

/// All keys of a rule book except `extends` and `variants`, which only the top level of a file has.
pub(super) const KEYS: &[(&str, Shape)] = &[
    ("title", Shape::Text),
    ("summary", Shape::Text),
    ("suits", Shape::Text),
    ("notes", Shape::Texts),
    ("numbers", Shape::Text),
    ("start", Shape::NumberOrNumbers),
    ("target", Shape::Number),
    ("moves", Shape::Texts),
    ("reach", Shape::Text),
    ("past", Shape::Text),
    ("winning", Shape::Numbers),
    ("losing", Shape::Numbers),
    ("forbidden", Shape::Numbers),
    ("range", Shape::Numbers),
    ("no_repeat", Shape::Text),
    ("passes", Shape::Number),
    ("stuck", Shape::Text),
    ("repetition", Shape::Number),
    ("turns", Shape::Number),
    ("claims", Shape::Texts),
    ("match", Shape::Table),
    ("wording", Shape::Table),
];

impl Draft {
    /// Reads the text of a rule book. Errors show `name`.
    ///
    /// Never fails: [`Draft::build`] returns all problems together.
    #[must_use]
    pub fn read(name: &str, text: &str) -> Draft {
        let source = Source::new(name, text);
        if text.len() > LARGEST_FILE {
            let problem = Problem::error(
                Place::new(&source, 0..0),
                format!("the file has {} bytes; the limit is {LARGEST_FILE} (64 KiB)", text.len()),
            );
            return Draft { problems: vec![problem], ..Draft::default() };
        }
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut reader = Reader::new(&source);
        let mut layer = reader.layer(table.get_ref(), Layer::File);
        layer.whole = Some(Place::new(&source, 0..0));
        let base = table.get_ref().get("extends").map(|id| reader.extended(id));
        if base.as_ref().is_some_and(Option::is_none) {
            layer.broken.extend(REQUIRED);
        }
        if !errors.is_empty() {
            reader.syntax_errors(errors);
            // A syntax error may hide keys that seem to be missing.
            layer.broken.extend(REQUIRED);
        }
        reader.problems.sort_by_key(|problem| problem.place.span.start);
        layer.problems = reader.problems;
        match base.flatten() {
            Some(base) => base.extended_by(layer),
            None => layer,
        }
    }
}

/// The closest of some forms, where capital letters stand for numbers: `bellow 10` is probably `below 10`.
fn meant(text: &str, forms: &[&str]) -> Option<String> {
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    let in_letters = |letters: [&str; 2]| {
        let mut letters = letters.into_iter();
        let letter = |word| if is_number(word) { letters.next().unwrap_or(word) } else { word };
        text.split(' ').map(letter).collect::<Vec<_>>().join(" ").to_lowercase()
    };
    // `nearest` ignores case.
    let forms: Vec<String> = forms.iter().map(|form| form.to_lowercase()).collect();
    let near = |letters| nearest(&in_letters(letters), forms.iter().map(String::as_str));
    let form = near(["a", "b"]).or(near(["k", "k"]))?;
    let mut numbers = text.split(' ').filter(|word| is_number(word));
    let word = |word| match word {
        "a" | "b" | "k" => numbers.next().map_or_else(|| word.to_uppercase(), str::to_owned),
        word => word.to_owned(),
    };
    Some(form.split(' ').map(word).collect::<Vec<_>>().join(" "))
}

/// The two ends of a span in any notation: `20-22`, `20 – 22`, `20 to 22`, `20...22`.
fn ends_of_span(text: &str) -> Option<(&str, &str)> {
    const BETWEEN: [&str; 8] = ["..=", "...", "..", " to ", "-", "–", "—", "−"];
    // Skip the sign of the first number.
    let digit = text.find(|c: char| c.is_ascii_digit())?;
    let ends = BETWEEN.iter().find_map(|between| {
        let at = digit + text[digit..].find(between)?;
        Some((text[..at].trim(), text[at + between.len()..].trim()))
    });
    ends.filter(|(_, last)| !last.is_empty())
}

/// The numbers of a span in any notation, if they ascend.
fn span_of_numbers(text: &str) -> Option<(i64, i64)> {
    let (from, to) = ends_of_span(text)?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from < to).then_some((from, to))
}

/// Required keys, including those required only if another one is missing.
const REQUIRED: &[&str] = &["title", "start", "moves", "target", "range"];

/// The keys that a layer may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// A file: all keys.
    File,
    /// A variant or a setting: all keys except `extends` and `variants`.
    Inner,
}

/// Reads values from one source and collects problems.
pub(super) struct Reader<'s> {
    source: &'s Arc<Source>,
    pub(super) problems: Vec<Problem>,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl<'s> Reader<'s> {
    pub(super) fn new(source: &'s Arc<Source>) -> Reader<'s> {
        Reader { source, problems: Vec::new() }
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place::new(self.source, span)
    }

    fn fail<T>(&mut self, span: Range<usize>, message: String) -> Option<T> {
        self.problems.push(Problem::error(self.place(span), message));
        None
    }

    /// Reports syntax errors, and drops other errors on the same lines.
    fn syntax_errors(&mut self, errors: Vec<toml::de::Error>) {
        let line = |at| self.source.line(at);
        let tell = |error: toml::de::Error| {
            let message = error.message().trim_end().replace('\n', "; ");
            let place = self.place(error.span().unwrap_or(0..0));
            // The most common mistake, in plain words.
            match message.split_once(" string, expected ") {
                Some((_, quote)) => {
                    let quote = quote.trim_matches('`');
                    Problem::error(place, format!("not valid TOML: the closing {quote} is missing"))
                }
                None => Problem::error(place, format!("not valid TOML: {message}")),
            }
        };
        let errors: Vec<Problem> = errors.into_iter().map(tell).collect();
        let told: BTreeSet<usize> = errors.iter().map(|error| line(error.place.span.start)).collect();
        self.problems.retain(|Problem { place: Place { span, .. }, .. }| {
            told.range(line(span.start)..=line(span.end)).next().is_none()
        });
        self.problems.extend(errors);
    }

    /// The book that a file extends.
    fn extended(&mut self, value: &Value<'_>) -> Option<Draft> {
        let id = self.text("extends", value, LONGEST_TEXT, false)?;
        match catalog::text(&id.value) {
            Some(text) => Some(Draft::read(&id.value, text)),
            None => {
                let problem = Problem::error(
                    id.place,
                    format!("extends = \"{}\" isn't a game that comes with Spot On", quotable(&id.value)),
                );
                self.problems.push(match nearest(&id.value, catalog::ids()) {
                    Some(meant) => problem.help(format!("did you mean \"{meant}\"?")),
                    None => problem
                        .help(format!("choose from: {}", catalog::ids().collect::<Vec<_>>().join(", "))),
                });
                None
            }
        }
    }

    /// Reads a whole layer.
    pub(super) fn layer(&mut self, table: &DeTable<'_>, layer: Layer) -> Draft {
        let mut draft = Draft::default();
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let key_place = self.place(key.span());
            self.key(&mut draft, key.get_ref(), key_place, value, layer);
        }
        draft
    }

    /// Reads one key of a layer.
    pub(super) fn key(
        &mut self,
        draft: &mut Draft,
        key: &str,
        key_place: Place,
        value: &Value<'_>,
        layer: Layer,
    ) {
        macro_rules! take {
            ($field:ident, $read:expr) => {{
                draft.$field = $read;
                if draft.$field.is_none() {
                    draft.broken.insert(stringify!($field));
                }
            }};
        }
        let integers = -LARGEST..=LARGEST;
        match key {
            "title" => take!(title, self.title(value)),
            "summary" => take!(summary, self.text(key, value, LONGEST_TEXT, false)),
            "suits" => take!(suits, self.text(key, value, LONGEST_TEXT, false)),
            "notes" => take!(
                notes,
                self.list(key, value, "texts", |r, v| {
                    r.text("notes", v, LONGEST_TEXT, false).map(|text| text.value)
                })
            ),
            "numbers" => take!(numbers, self.word(key, value, Numbers::WORDS, Numbers::from_word)),
            "start" => take!(start, self.start(value)),
            "target" => take!(target, self.integer(key, value, integers)),
            "moves" => take!(moves, self.moves(value)),
            "reach" => take!(reach, self.word(key, value, Reach::WORDS, Reach::from_word)),
            "past" => take!(past, self.word(key, value, Past::WORDS, Past::from_word)),
            "winning" => take!(winning, self.number_list(key, value)),
            "losing" => take!(losing, self.number_list(key, value)),
            "forbidden" => take!(forbidden, self.number_list(key, value)),
            "range" => take!(range, self.range(value)),
            "no_repeat" => take!(no_repeat, self.word(key, value, NoRepeat::WORDS, NoRepeat::from_word)),
            "passes" => take!(passes, self.small(key, value, 0..=255)),
            "stuck" => take!(stuck, self.word(key, value, Stuck::WORDS, Stuck::from_word)),
            "repetition" => take!(repetition, self.repetition(value)),
            "turns" => take!(turns, self.small(key, value, 1..=255)),
            "claims" => take!(claims, self.list(key, value, "texts", Reader::claim)),
            "match" => take!(match_form, self.match_form(value)),
            "wording" => self.wording(draft, value),
            "extends" if layer == Layer::File => {} // handled before this layer
            "variants" if layer == Layer::File => self.variants(draft, value),
            "extends" | "variants" => {
                let message = format!("`{key}` is only allowed at the top level of a rule book file");
                self.problems.push(Problem::error(key_place, message));
            }
            _ => {
                let at_the_top = (layer == Layer::File).then_some(["extends", "variants"]);
                let known = KEYS.iter().map(|(known, _)| *known).chain(at_the_top.into_iter().flatten());
                // The author probably meant this key, so it isn't also reported as missing.
                draft.broken.extend(nearest(key, known.clone()));
                self.unknown_key("key", key, key_place, known);
            }
        }
    }

    pub(super) fn unknown_key(
        &mut self,
        what: &str,
        key: &str,
        place: Place,
        known: impl Iterator<Item = &'static str> + Clone,
    ) {
        let problem = Problem::error(place, format!("unknown {what} `{}`", quotable(key)));
        self.problems.push(match nearest(key, known.clone()) {
            Some(meant) => problem.help(format!("did you mean `{meant}`?")),
            None => problem.help(format!("known: {}", known.collect::<Vec<_>>().join(", "))),
        });
    }

    fn wrong_type<T>(&mut self, key: &str, value: &Value<'_>, allowed: &str) -> Option<T> {
        let given = match value.get_ref() {
            DeValue::String(text) => format!("the text \"{}\"", quotable(text)),
            DeValue::Integer(integer) => format!("the number {}", quotable(&integer.to_string())),
            DeValue::Float(float) => {
                // 1e3 is a whole number written as a float.
                let number = float.as_str().replace('_', "").parse::<f64>();
                let help = if number.is_ok_and(|number| number.fract() == 0.0) {
                    "; write whole numbers in plain digits"
                } else {
                    ""
                };
                format!("{}{help}", quotable(float.as_str()))
            }
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.fail(value.span(), format!("`{key}` takes {allowed}, not {given}"))
    }

    fn located<T>(&self, value: T, at: &Value<'_>) -> Located<T> {
        Located { value, place: self.place(at.span()) }
    }

    fn title(&mut self, value: &Value<'_>) -> Option<Located<String>> {
        let title = self.text("title", value, LONGEST_TEXT, false)?;
        let length = title.value.chars().count();
        if length > LONGEST_TITLE {
            return self.fail(
                value.span(),
                format!("`title` has {length} characters; the limit is {LONGEST_TITLE}"),
            );
        }
        if title.value.trim().is_empty() {
            return self.fail(value.span(), "`title` is empty; a game needs a name".to_owned());
        }
        Some(title)
    }

    /// Reads bounded text. Only dialogue sentences may have several lines.
    fn text(&mut self, key: &str, value: &Value<'_>, longest: usize, lines: bool) -> Option<Located<String>> {
        let DeValue::String(text) = value.get_ref() else {
            return self.wrong_type(key, value, "text");
        };
        // Normalize line endings.
        let text = &text.replace("\r\n", "\n");
        if text.len() > longest {
            return self
                .fail(value.span(), format!("`{key}` has {} bytes; the limit is {longest}", text.len()));
        }
        if let Some(unfit) = text.chars().find(|c| is_unfit(*c) && !(lines && *c == '\n')) {
            let what = if unfit == '\n' { "a line break" } else { "the character" };
            return self.fail(
                value.span(),
                format!("`{key}` contains {what} U+{:04X}, which isn't allowed", u32::from(unfit)),
            );
        }
        Some(self.located(text.clone(), value))
    }

    fn word<T>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        words: &'static [&'static str],
        from_word: impl Fn(&str) -> Option<T>,
    ) -> Option<Located<T>> {
        let allowed = words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", ");
        let DeValue::String(text) = value.get_ref() else {
            return self.wrong_type(key, value, &format!("one of {allowed}"));
        };
        match from_word(text) {
            Some(known) => Some(self.located(known, value)),
            None => {
                let problem = Problem::error(
                    self.place(value.span()),
                    format!("`{key}` takes one of {allowed}, not \"{}\"", quotable(text)),
                );
                self.problems.push(match nearest(text, words.iter().copied()) {
                    Some(meant) => problem.help(format!("did you mean \"{meant}\"?")),
                    None => problem,
                });
                None
            }
        }
    }

    fn integer(&mut self, key: &str, value: &Value<'_>, bounds: RangeInclusive<i64>) -> Option<Located<i64>> {
        let allowed = if *bounds.end() == LARGEST && *bounds.start() == -LARGEST {
            "a whole number from -10^18 to 10^18".to_owned()
        } else {
            format!("a whole number from {} to {}", bounds.start(), bounds.end())
        };
        let DeValue::Integer(integer) = value.get_ref() else {
            return self.wrong_type(key, value, &allowed);
        };
        match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if bounds.contains(&number) => Some(self.located(number, value)),
            _ => self.wrong_type(key, value, &allowed),
        }
    }

    fn small(&mut self, key: &str, value: &Value<'_>, bounds: RangeInclusive<u8>) -> Option<Located<u8>> {
        let wide = i64::from(*bounds.start())..=i64::from(*bounds.end());
        let number = self.integer(key, value, wide)?;
        Some(self.located(number.value as u8, value))
    }

    fn array<'v, 'i>(&mut self, key: &str, value: &'v Value<'i>, of: &str) -> Option<&'v DeArray<'i>> {
        match value.get_ref() {
            DeValue::Array(array) => Some(array),
            _ => self.wrong_type(key, value, &format!("a list of {of}")),
        }
    }

    /// Reads a list, or `None` if any item is wrong. Reports every wrong item.
    fn list<T>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        of: &str,
        mut item: impl FnMut(&mut Reader<'s>, &Value<'_>) -> Option<T>,
    ) -> Option<Located<Vec<T>>> {
        let array = self.array(key, value, of)?;
        let items: Vec<Option<T>> = array.iter().map(|value| item(self, value)).collect();
        let items = items.into_iter().collect::<Option<Vec<T>>>()?;
        Some(self.located(items, value))
    }

    fn pair(&mut self, key: &str, value: &Value<'_>) -> Option<(i64, i64)> {
        let items = self.list(key, value, "two whole numbers", |reader, item| {
            reader.integer(key, item, -LARGEST..=LARGEST).map(|number| number.value)
        })?;
        match items.value[..] {
            [a, b] => Some((a, b)),
            _ => self.fail(
                value.span(),
                format!("`{key}` takes a list of two whole numbers, not of {}", items.value.len()),
            ),
        }
    }

    fn start(&mut self, value: &Value<'_>) -> Option<Located<Start>> {
        let start = match value.get_ref() {
            DeValue::Array(_) => {
                let (starter, other) = self.pair("start", value)?;
                Start::Pair(starter, other)
            }
            _ => Start::Same(self.integer("start", value, -LARGEST..=LARGEST)?.value),
        };
        Some(self.located(start, value))
    }

    fn range(&mut self, value: &Value<'_>) -> Option<Located<(i64, i64)>> {
        let (low, high) = self.pair("range", value)?;
        if low > high {
            return self
                .fail(value.span(), format!("`range` goes from low to high, but {low} is above {high}"));
        }
        Some(self.located((low, high), value))
    }

    fn repetition(&mut self, value: &Value<'_>) -> Option<Located<u8>> {
        let times = self.small("repetition", value, 0..=255)?;
        if times.value == 1 {
            return self.fail(
                value.span(),
                "`repetition` takes 0 (never) or a whole number from 2 to 255, not 1".to_owned(),
            );
        }
        Some(times)
    }

    fn claim(&mut self, value: &Value<'_>) -> Option<Claim> {
        let text = self.text("claims", value, LONGEST_TEXT, false)?.value;
        Claim::parse(&text).or_else(|| {
            let forms = Claim::FORMS.join("\", \"");
            self.fail(
                value.span(),
                format!("`claims` takes \"{forms}\" (N up to 10^18), not \"{}\"", quotable(&text)),
            )
        })
    }

    fn match_form(&mut self, value: &Value<'_>) -> Option<Located<MatchForm>> {
        const ALLOWED: &str = "{ first_to = N } or { rounds = N }";
        let DeValue::Table(table) = value.get_ref() else {
            return self.wrong_type("match", value, ALLOWED);
        };
        let mut forms = Vec::new();
        for (key, value) in table.iter() {
            let make = match key.get_ref().as_ref() {
                "first_to" => MatchForm::FirstTo,
                "rounds" => MatchForm::Rounds,
                other => {
                    let place = self.place(key.span());
                    self.unknown_key("`match` key", other, place, ["first_to", "rounds"].into_iter());
                    continue;
                }
            };
            if let Some(number) = self.integer(key.get_ref(), value, 1..=999) {
                forms.push(make(number.value as u16));
            }
        }
        match forms[..] {
            [form] if table.len() == 1 => Some(self.located(form, value)),
            _ if forms.len() == table.len() => {
                self.fail(value.span(), format!("`match` takes exactly one of {ALLOWED}"))
            }
            _ => None,
        }
    }

    fn variants(&mut self, draft: &mut Draft, value: &Value<'_>) {
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong_type::<()>("variants", value, "tables such as [variants.short]");
            return;
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in entries {
            let fits = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-');
            if name.get_ref().is_empty() || !name.get_ref().chars().all(fits) {
                let message = format!(
                    "the variant name \"{}\" may only contain a-z, 0-9 and -",
                    quotable(name.get_ref())
                );
                self.fail::<()>(name.span(), message);
                continue;
            }
            match value.get_ref() {
                DeValue::Table(table) => {
                    let layer = self.layer(table, Layer::Inner);
                    draft.variants.push((name.get_ref().clone().into_owned(), layer));
                }
                _ => self.wrong_type::<()>(name.get_ref(), value, "a table of keys").unwrap_or_default(),
            }
        }
    }
}
