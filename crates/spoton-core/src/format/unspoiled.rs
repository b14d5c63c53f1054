//! The text of a rule book without spoilers.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// Keys that may reveal who wins, and how.
const SPOILERS: [&str; 2] = ["claims", "notes"];

/// Removes claims, notes and comments from the text of a rule book. Returns `None` if that's impossible: the
/// text isn't valid TOML, or an inline table contains them.
///
/// ```
/// use spoton::format::unspoiled;
///
/// let text = "# Leave 3.\ntitle = 'Race # 1'  # leave 8\nnotes = [\n  'Leave 13.',\n]\nstart = 0\n\n[variants.x]\nclaims = ['first-wins']\ntarget = 9\n";
/// assert_eq!(unspoiled(text).unwrap(), "title = 'Race # 1'\nstart = 0\n\n[variants.x]\ntarget = 9\n");
/// assert_eq!(unspoiled("variants.x = { claims = ['first-wins'] }"), None);
/// ```
pub fn unspoiled(text: &str) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let mut found = Found::default();
    found.look_through(table.get_ref());
    let mut kept = String::new();
    let mut at = 0;
    for cut in found.cuts(text) {
        kept.push_str(text.get(at..cut.start)?);
        at = cut.end;
    }
    kept.push_str(text.get(at..)?);
    let has_spoilers = |table: &DeTable<'_>| {
        let mut left = Found::default();
        left.look_through(table);
        !left.spoilers.is_empty()
    };
    let left = DeTable::parse(&kept).ok()?;
    (!has_spoilers(left.get_ref()) && left.get_ref().len() + found.at_the_top == table.get_ref().len())
        .then_some(kept)
}

/// Places in the text.
#[derive(Default)]
struct Found {
    /// Keys to remove, with their values.
    spoilers: Vec<Range<usize>>,
    /// How many of them are at the top level.
    at_the_top: usize,
    /// Strings, where # doesn't start a comment.
    quoted: Vec<Range<usize>>,
}

impl Found {
    fn look_through(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            if SPOILERS.contains(&key.get_ref().as_ref()) {
                self.spoilers.push(key.span().start..value.span().end);
                self.at_the_top += 1;
            }
            self.quoted.push(key.span());
            self.look_at(value);
        }
        if let Some(variants) = table.get("variants").and_then(|variants| variants.get_ref().as_table()) {
            for (_, variant) in variants {
                let Some(variant) = variant.get_ref().as_table() else { continue };
                let spoilers = variant.iter().filter(|(key, _)| SPOILERS.contains(&key.get_ref().as_ref()));
                self.spoilers.extend(spoilers.map(|(key, value)| key.span().start..value.span().end));
            }
        }
    }

    fn look_at(&mut self, value: &toml::Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::String(_) => self.quoted.push(value.span()),
            DeValue::Array(items) => items.iter().for_each(|item| self.look_at(item)),
            DeValue::Table(table) => table.iter().for_each(|(key, value)| {
                self.quoted.push(key.span());
                self.look_at(value);
            }),
            _ => {}
        }
    }

    /// The spans to remove, in order. Removes a line if nothing else is on it.
    fn cuts(&self, text: &str) -> Vec<Range<usize>> {
        let is_quoted = |at: usize| self.quoted.iter().any(|quoted| quoted.contains(&at));
        let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end);
        let comments = text.match_indices('#').map(|(at, _)| at).filter(|at| !is_quoted(*at));
        let spoilers = self.spoilers.iter().map(|spoiler| spoiler.start..line_end(spoiler.end));
        let mut cuts: Vec<Range<usize>> =
            comments.map(|at| at..line_end(at)).chain(spoilers).map(|cut| whole_lines(text, cut)).collect();
        cuts.sort_by_key(|cut| (cut.start, std::cmp::Reverse(cut.end)));
        let mut end = 0;
        cuts.retain(|cut| {
            let is_new = cut.start >= end;
            end = end.max(cut.end);
            is_new
        });
        cuts
    }
}

/// For a span that reaches the end of its line, includes the spaces before it. Also includes the line end if
/// nothing else is on the line.
fn whole_lines(text: &str, cut: Range<usize>) -> Range<usize> {
    let start = text[..cut.start].trim_end_matches([' ', '\t']).len();
    match start == 0 || text[..start].ends_with('\n') {
        true => start..(cut.end + 1).min(text.len()),
        false => start..cut.end,
    }
}
