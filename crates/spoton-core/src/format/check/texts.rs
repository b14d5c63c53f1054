//! Warnings about unknown placeholders, whose braces players would see.

use crate::format::draft::Draft;
use crate::format::source::{Place, Problem, nearest};
use crate::format::{Op, quotable};

/// Placeholders of the title, the summary and the notes.
const OF_TEXTS: &[&str] = &["start", "target"];
/// Placeholders of labels.
const OF_LABELS: &[&str] = &["amount"];

/// Unknown placeholders in the title, the summary, a note or a label.
pub(super) fn unknown_placeholders(draft: &Draft) -> Vec<Problem> {
    let mut odd = Vec::new();
    let one_text = [("title", &draft.title), ("summary", &draft.summary)];
    for (key, text) in one_text.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?))) {
        odd.extend(unknown(key, &text.value, &text.place, OF_TEXTS));
    }
    if let Some(notes) = &draft.notes {
        odd.extend(notes.value.iter().flat_map(|note| unknown("notes", note, &notes.place, OF_TEXTS)));
    }
    for (entry, place) in draft.moves.iter().flat_map(|moves| moves.value.iter()) {
        // A fixed move already has its amount in its name.
        let known: &[&str] = if matches!(entry.op, Op::Computed(_)) { OF_LABELS } else { &[] };
        odd.extend(entry.label.iter().flat_map(|label| unknown("label", label, place, known)));
    }
    odd
}

fn unknown<'a>(
    key: &'a str,
    text: &'a str,
    place: &'a Place,
    known: &'a [&'a str],
) -> impl Iterator<Item = Problem> + 'a {
    names_in_braces(text).filter(|name| !known.contains(name)).map(move |name| {
        let message = format!("`{key}` has no placeholder {{{}}}: the braces will be shown", quotable(name));
        let problem = Problem::warning(place.clone(), message);
        match nearest(name, known.iter().copied()) {
            Some(meant) => problem.help(format!("did you mean {{{meant}}}?")),
            None => problem,
        }
    })
}

/// The words in braces: `target` in `up to {target}`.
fn names_in_braces(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    inner.map(|(name, _)| name).filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric))
}
