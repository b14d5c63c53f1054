//! The table `wording`: sentences and their placeholders.

use std::ops::Range;

use toml::de::DeValue;

use super::{LONGEST_TEXT, Reader, Value};
use crate::engine::rulebook::Menu;
use crate::engine::rulebook::{BadTemplate, Sentence, Template};
use crate::format::draft::Draft;
use crate::format::source::{Located, Place, Problem, nearest};
use crate::text::quotable;

impl Reader<'_> {
    pub(super) fn wording(&mut self, draft: &mut Draft, value: &Value<'_>) {
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong_type::<()>("wording", value, "a table of sentences");
            return;
        };
        for (key, value) in table.iter() {
            let key_place = self.place(key.span());
            self.sentence(draft, key.get_ref(), key_place, value);
        }
    }

    /// Reads one key of `[wording]`.
    pub(in crate::format) fn sentence(
        &mut self,
        draft: &mut Draft,
        key: &str,
        key_place: Place,
        value: &Value<'_>,
    ) {
        if key == "menu" {
            draft.menu = self.word("menu", value, Menu::WORDS, Menu::from_word);
            return;
        }
        let Some(sentence) = Sentence::from_key(key) else {
            let known = Sentence::ALL.iter().map(|s| s.info().key).chain(["menu"]);
            self.unknown_key("sentence", key, key_place, known);
            return;
        };
        let Some(text) = self.text(key, value, LONGEST_TEXT, true) else {
            return;
        };
        let placeholders = sentence.info().placeholders;
        match Template::parse(&text.value, placeholders) {
            Ok(_) => {
                draft.wording.insert(sentence, text);
            }
            Err(mistakes) => {
                for mistake in mistakes {
                    let place = self.place_of_mistake(&text, &mistake);
                    self.bad_template(key, place, placeholders, &mistake);
                }
            }
        }
    }

    /// The place of a mistake in the source. The source may use escapes, so this counts occurrences instead
    /// of bytes.
    fn place_of_mistake(&self, text: &Located<String>, mistake: &BadTemplate) -> Place {
        let written = mistake.written();
        let Range { start, end } = text.place.span;
        let earlier = text.value[..mistake.at()].matches(&written).count();
        let found = self.source.text[start..end].match_indices(&written).nth(earlier);
        found.map_or(text.place.clone(), |(at, _)| {
            Place::new(self.source, start + at..start + at + written.len())
        })
    }

    fn bad_template(
        &mut self,
        key: &str,
        place: Place,
        placeholders: &[&'static str],
        mistake: &BadTemplate,
    ) {
        let written = mistake.written();
        let known = || placeholders.iter().map(|p| format!("{{{p}}}")).collect::<Vec<_>>().join(" ");
        self.problems.push(match mistake {
            BadTemplate::Unknown { name, .. } => {
                let problem =
                    Problem::error(place, format!("`{key}` has no placeholder {}", quotable(&written)));
                match nearest(name, placeholders.iter().copied()) {
                    Some(meant) => problem.help(format!("did you mean {{{meant}}}?")),
                    None if placeholders.is_empty() => {
                        problem.help("it has none; for braces, write {{ and }}")
                    }
                    None => problem.help(format!("it has {}", known())),
                }
            }
            BadTemplate::LoneBrace { .. } => {
                Problem::error(place, format!("`{key}` has an unmatched {written}"))
                    .help("write a placeholder as {name}, and braces as {{ and }}")
            }
        });
    }
}
