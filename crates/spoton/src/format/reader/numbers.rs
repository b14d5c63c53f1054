//! Lists of numbers: integers, spans such as `"30..39"`, and kinds such as `"even"`.

use toml::de::DeValue;

use super::{Reader, Value};
use crate::engine::number_kind::NotAKind;
use crate::format::LARGEST;
use crate::format::numbers::{Item, NumberList};
use crate::format::source::{Located, Problem, nearest, quotable};

/// What a list takes beside integers.
const TEXTS: &[&str] = &["even", "odd", "prime", "square", "multiples of 7", "30..39"];

impl Reader<'_> {
    pub(super) fn number_list(&mut self, key: &str, value: &Value<'_>) -> Option<Located<NumberList>> {
        let list = self.list(key, value, "whole numbers", |reader, item| reader.number_item(key, item))?;
        Some(Located { value: NumberList::of(list.value), place: list.place })
    }

    fn number_item(&mut self, key: &str, value: &Value<'_>) -> Option<Item> {
        let DeValue::String(text) = value.get_ref() else {
            return self.integer(key, value, -LARGEST..=LARGEST).map(|number| Item::Integer(number.value));
        };
        match text.parse() {
            Ok(item) => Some(item),
            Err(why) => {
                let why = match why {
                    NotAKind::Words => {
                        let known = TEXTS.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>();
                        format!("takes whole numbers and texts such as {}", known.join(", "))
                    }
                    NotAKind::Bounds => {
                        "takes numbers in plain digits up to 1000000000000000000 (10^18), a multiple's from 1"
                            .to_owned()
                    }
                    NotAKind::Downwards => "takes spans that go upwards".to_owned(),
                };
                let place = self.place(value.span());
                let problem = Problem::error(place, format!("`{key}` {why}, not \"{}\"", quotable(text)));
                let words = TEXTS[..4].iter().copied();
                self.problems.push(match nearest(text, words) {
                    Some(meant) => problem.help(format!("did you mean \"{meant}\"?")),
                    None => problem,
                });
                None
            }
        }
    }
}
