//! Texts that were read, places in them, and what is wrong there.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::quotable;

/// A text that a rule book, or a part of one, was read from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// What to call it: a file's name, or an option such as `--set`.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// Where its lines end. A text that is no rule book at all has thousands of places to look up.
    line_ends: Vec<usize>,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Arc<Source> {
        let line_ends = text.match_indices('\n').map(|(at, _)| at).collect();
        Arc::new(Source { name: name.to_owned(), text: text.to_owned(), line_ends })
    }

    /// The line that a byte stands in, from 0.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.line_ends.partition_point(|end| *end < at)
    }
}

/// A stretch of a source.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Where it is.
    pub source: Arc<Source>,
    /// The bytes it takes, always on character boundaries inside the text.
    pub span: Range<usize>,
}

impl Hash for Place {
    /// The stretch alone: few places that are compared are of different sources.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.span.hash(state);
    }
}

impl Place {
    /// A stretch, moved onto character boundaries inside the text.
    pub(crate) fn new(source: &Arc<Source>, span: Range<usize>) -> Place {
        let text = &source.text;
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let start = (0..=span.start.min(text.len())).rev().find(is_boundary).unwrap_or(0);
        let end = (span.end.max(start)..text.len()).find(is_boundary).unwrap_or(text.len());
        Place { source: Arc::clone(source), span: start..end }
    }

    /// Line and column, both from 1; columns count characters.
    pub fn line_column(&self) -> (usize, usize) {
        let line = self.source.line(self.span.start);
        let line_start = line.checked_sub(1).map_or(0, |before| self.source.line_ends[before] + 1);
        // Anybody can make a place of any bytes.
        let before = self.source.text.get(line_start..self.span.start).unwrap_or_default();
        (line + 1, before.chars().count() + 1)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.line_column();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

/// A value with the place where it was given.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub value: T,
    pub place: Place,
}

/// Whether a problem keeps a rule book from being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It does.
    Error,
    /// It does not: the book is odd, but playable.
    Warning,
}

/// Something wrong, or odd, at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What was given and what is allowed.
    pub message: String,
    /// What to do about it, if that can be said.
    pub help: Option<String>,
}

impl Problem {
    pub(crate) fn error(place: Place, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, place, message: message.into(), help: None }
    }

    pub(crate) fn warning(place: Place, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(place, message) }
    }

    /// Whether it keeps the rule book from being played.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// The same for whoever has no command line to look at: a setting is called by what it says, such as `target 1`, and
    /// not by its option and a column.
    pub fn in_words(&self) -> String {
        let Source { name, text, .. } = &*self.place.source;
        let place = match name.strip_prefix("--") {
            None => self.place.to_string(),
            Some("set") => quotable(text),
            Some(option) => format!("{option} {}", quotable(text)),
        };
        format!("{place}: {}", self.what())
    }

    /// What is wrong, and what to do about it.
    fn what(&self) -> String {
        match &self.help {
            Some(help) => format!("{} ({help})", self.message),
            None => self.message.clone(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what())
    }
}

impl std::error::Error for Problem {}

/// Everything that is wrong with a rule book, in order: an error of at least one [`Problem`].
///
/// ```
/// use spoton::format::Draft;
///
/// let problems = Draft::read("oops.toml", "title = 'Oops'\nstart = 1\nmoves = ['+1']\ntraget = 9").build().unwrap_err();
/// for problem in &problems {
///     assert_eq!(problem.place.source.name, "oops.toml");
/// }
/// assert_eq!(problems.to_string(), "oops.toml:4:1: unknown key `traget` (did you mean `target`?)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Problems {
        Problems(problems)
    }
}

impl From<Problems> for Vec<Problem> {
    fn from(problems: Problems) -> Vec<Problem> {
        problems.0
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Problems {
    /// Each on a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The candidate that a mistyped name most likely meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Comparing is quadratic in the length, and no name is that long.
    if name.chars().count() > 64 {
        return None;
    }
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, candidate), candidate))
        // Where nothing of it would stay, nothing can be told of what was meant.
        .filter(|(distance, candidate)| *distance < candidate.len().max(name.len()))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(name.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
