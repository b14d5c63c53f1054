//! Sources, places in them, and problems at those places.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::quotable;

/// The text of a rule book, or of a part of one.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// The name to show: a file's name, or an option such as `--rule`.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// The ends of its lines. Cached, because a file that isn't a rule book can have thousands of problems.
    line_ends: Vec<usize>,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Arc<Source> {
        let line_ends = text.match_indices('\n').map(|(at, _)| at).collect();
        Arc::new(Source { name: name.to_owned(), text: text.to_owned(), line_ends })
    }

    /// The 0-based line of a byte.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.line_ends.partition_point(|end| *end < at)
    }
}

/// A span in a source.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// Its bytes, always on character boundaries inside the text.
    pub span: Range<usize>,
}

impl Hash for Place {
    /// Hashes only the span: compared places rarely have different sources.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.span.hash(state);
    }
}

impl Place {
    /// Moves a span onto character boundaries inside the text.
    pub(crate) fn new(source: &Arc<Source>, span: Range<usize>) -> Place {
        let text = &source.text;
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let start = (0..=span.start.min(text.len())).rev().find(is_boundary).unwrap_or(0);
        let end = (span.end.max(start)..text.len()).find(is_boundary).unwrap_or(text.len());
        Place { source: Arc::clone(source), span: start..end }
    }

    /// Line and column, both 1-based. Columns count characters.
    pub fn line_column(&self) -> (usize, usize) {
        let line = self.source.line(self.span.start);
        let line_start = line.checked_sub(1).map_or(0, |before| self.source.line_ends[before] + 1);
        // The fields are public, so the span may be anything.
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

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub value: T,
    pub place: Place,
}

/// Whether a problem prevents play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It does.
    Error,
    /// It doesn't: the book is unusual but playable.
    Warning,
}

/// An error or a warning at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// Its place.
    pub place: Place,
    /// The problem in words.
    pub message: String,
    /// A suggestion, if there is one.
    pub help: Option<String>,
}

impl Problem {
    pub(crate) fn error(place: Place, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, place, message: message.into(), help: None }
    }

    pub(crate) fn warning(place: Place, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(place, message) }
    }

    /// Whether it prevents play.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// The problem without command-line jargon: shows a setting such as `target 1` instead of its option and
    /// column.
    pub fn in_words(&self) -> String {
        let Source { name, text, .. } = &*self.place.source;
        let place = match name.strip_prefix("--") {
            None => self.place.to_string(),
            Some("set") => quotable(text),
            Some(option) => format!("{option} {}", quotable(text)),
        };
        format!("{place}: {}", self.what())
    }

    /// The message with its help.
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

/// All problems of a rule book, in order. As an error, it has at least one [`Problem`].
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
    /// One problem per line.
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

/// The candidate closest to a mistyped name, if any is close.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The comparison is quadratic, and no name is that long.
    if name.chars().count() > 64 {
        return None;
    }
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, candidate), candidate))
        // A match must share something with the name.
        .filter(|(distance, candidate)| *distance < candidate.len().max(name.len()))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(name.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
