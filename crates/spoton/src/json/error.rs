//! Errors of commands.

use serde::Serialize;

/// Why a command or a question failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// The reason as a sentence.
    pub error: String,
    /// The question's number in a batch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
}

/// An error.
pub fn error(message: &str) -> Error {
    Error { error: message.to_owned(), at: None }
}

/// An error in a batched question, numbered from 1.
pub fn error_at(message: &str, number: u64) -> Error {
    Error { error: message.to_owned(), at: Some(number) }
}
