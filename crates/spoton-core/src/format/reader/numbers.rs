//! Number lists: integers, spans such as `"30..39"`, and kinds such as `"even"`.

use toml::de::DeValue;

use super::{Reader, Value};
use crate::engine::number_kind::{NotAKind, NumberKind};
use crate::engine::rulebook::Item;
use crate::format::LARGEST;
use crate::format::numbers::GivenNumbers;
use crate::format::source::{Located, Problem};
use crate::text::quotable;

/// The allowed items of a list.
const ALLOWED: &str = "a whole number from -10^18 to 10^18, a span such as \
                       \"30..39\", or one of \"even\", \"odd\", \"prime\", \"square\", \"multiples of K\"";

impl Reader<'_> {
    pub(super) fn number_list(&mut self, key: &str, value: &Value<'_>) -> Option<Located<GivenNumbers>> {
        let list = self.list(key, value, "whole numbers", |reader, item| {
            let number = reader.number_item(key, item)?;
            Some(reader.located(number, item))
        })?;
        Some(Located { value: GivenNumbers::from_located(list.value), place: list.place })
    }

    fn number_item(&mut self, key: &str, value: &Value<'_>) -> Option<Item> {
        let text = match value.get_ref() {
            DeValue::String(text) => text,
            DeValue::Integer(_) => {
                return self
                    .integer(key, value, -LARGEST..=LARGEST)
                    .map(|number| Item::Integer(number.value));
            }
            _ => return self.wrong_type(key, value, ALLOWED),
        };
        let why = match text.parse() {
            Ok(item) => return Some(item),
            Err(why) => why,
        };
        let allowed = match why {
            NotAKind::Words => ALLOWED,
            NotAKind::Bounds => {
                "numbers in plain digits from -10^18 to 10^18, spans such as \
                 \"30..39\", and \"multiples of K\" with K at least 1"
            }
            NotAKind::Downwards => "spans from a lower number to a higher one",
        };
        let place = self.place(value.span());
        let problem =
            Problem::error(place, format!("`{key}` takes {allowed}, not the text \"{}\"", quotable(text)));
        let span = super::span_of_numbers(text).map(|(from, to)| format!("{from}..{to}"));
        self.problems.push(match super::meant(text, NumberKind::FORMS).filter(|_| why == NotAKind::Words) {
            _ if span.as_ref().is_some_and(|span| span != text.as_ref()) => {
                problem.help(format!("write \"{}\"", span.unwrap_or_default()))
            }
            Some(meant) => problem.help(format!("did you mean \"{meant}\"?")),
            None if text.parse::<i64>().is_ok() => problem.help("write numbers without quotation marks"),
            None => problem,
        });
        None
    }
}
