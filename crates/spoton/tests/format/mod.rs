//! The rule book format: valid values of all keys, defaults, and errors.

mod bounds;
mod builder;
mod canonical;
mod contradictions;
mod errors;
mod keys;
mod layers;
mod numbers;
mod oddities;
mod settings;
use crate::support;
mod version2;
mod wording;

use spoton::format::{Problem, Severity};
use support::{marked, problems};

/// Checks that a text marked with `¶` has exactly one error per mark, in order. Returns the errors.
fn errors_at_marks(text: &str) -> Vec<Problem> {
    let (text, places) = marked(text);
    let problems = problems(&text);
    let told: Vec<(usize, usize)> = problems.iter().map(|problem| problem.place.line_column()).collect();
    assert_eq!(told, places, "{text}\n{problems:#?}");
    assert!(problems.iter().all(|problem| problem.severity == Severity::Error));
    assert!(problems.iter().all(|problem| problem.place.source.name == "book.toml"));
    problems
}

/// The same for a text with one mark. The message must contain all `needles`.
fn error_at_mark(text: &str, needles: &[&str]) {
    let problems = errors_at_marks(text);
    assert_eq!(problems.len(), 1, "{text}");
    let told = problems[0].to_string();
    for needle in needles {
        assert!(told.contains(needle), "{needle:?} is missing in: {told}");
    }
}
