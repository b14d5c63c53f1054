//! The results of a rule book check.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::format;

/// The results of a rule book check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// The file's name.
    pub file: String,
    /// Whether the rule book is valid. Warnings don't count.
    pub valid: bool,
    /// The errors and warnings.
    pub problems: Vec<Problem>,
    /// Why the game can't be played, although the rule book is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unplayable: Option<String>,
    /// The variants that can't be played, each with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unplayable_variants: BTreeMap<String, String>,
    /// The number of omitted problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
}

/// An error or a warning in a rule book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Problem {
    /// Errors make a rule book invalid.
    pub severity: Severity,
    /// The file's name, or the text's other source.
    pub source: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The problem in a sentence.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

/// Whether a problem makes a rule book invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It does.
    Error,
    /// It doesn't.
    Warning,
}

/// The results of a rule book check.
pub fn check(file: &str, problems: &[format::Problem]) -> Check {
    Check {
        file: file.to_owned(),
        valid: !problems.iter().any(format::Problem::is_error),
        problems: problems.iter().map(problem).collect(),
        unplayable: None,
        unplayable_variants: BTreeMap::new(),
        more: None,
    }
}

/// An error or a warning in a rule book.
pub fn problem(problem: &format::Problem) -> Problem {
    let (line, column) = problem.place.line_column();
    Problem {
        severity: match problem.severity {
            format::Severity::Error => Severity::Error,
            format::Severity::Warning => Severity::Warning,
        },
        source: problem.place.source.name.clone(),
        line,
        column,
        message: problem.message.clone(),
        help: problem.help.clone(),
    }
}

/// A rule book file that couldn't be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    /// The file's name.
    pub file: String,
    /// Always false.
    pub valid: bool,
    /// Why the file couldn't be read.
    pub error: String,
}

/// A rule book file that couldn't be read.
pub fn unreadable(file: &str, message: &str) -> Unreadable {
    Unreadable { file: file.to_owned(), valid: false, error: message.to_owned() }
}
