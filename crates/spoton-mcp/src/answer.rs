//! Tool answers: words and data, or a sentence that explains an error.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value as Json;
use spoton::evaluate::opponent::UnknownOpponent;
use spoton::format::{BadGame, Problem, Problems};
use spoton::sitting::Cannot;
use spoton::solver::Unsolved;

use crate::limits::MOST_MISTAKES;
use crate::thinking::NothingFound;

/// An answer. Words and data are each complete, because some clients show a model only one of them.
#[derive(Debug)]
pub struct Answer {
    pub words: String,
    pub data: Json,
}

impl Answer {
    /// An answer with typed data.
    pub fn new(words: String, data: &impl Serialize) -> Result<Answer, Refusal> {
        Ok(Answer { words, data: serde_json::to_value(data)? })
    }
}

/// Why something failed and what to do instead, as one sentence.
#[derive(Debug)]
pub struct Refusal(pub String);

impl From<Answer> for CallToolResult {
    fn from(Answer { words, data }: Answer) -> CallToolResult {
        let mut result = CallToolResult::success(vec![ContentBlock::text(words)]);
        result.structured_content = Some(data);
        result
    }
}

impl From<Refusal> for CallToolResult {
    fn from(Refusal(sentence): Refusal) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(sentence)])
    }
}

/// Never happens: every answer is valid JSON.
impl From<serde_json::Error> for Refusal {
    fn from(why: serde_json::Error) -> Refusal {
        Refusal(why.to_string())
    }
}

impl From<NothingFound> for Refusal {
    fn from(why: NothingFound) -> Refusal {
        Refusal(why.to_string())
    }
}

impl From<Cannot> for Refusal {
    fn from(why: Cannot) -> Refusal {
        match why {
            Cannot::BadGame(bad) => bad.into(),
            why => Refusal(why.to_string()),
        }
    }
}

impl From<Unsolved> for Refusal {
    fn from(why: Unsolved) -> Refusal {
        Refusal(why.to_string())
    }
}

impl From<UnknownOpponent> for Refusal {
    fn from(why: UnknownOpponent) -> Refusal {
        Refusal(why.to_string())
    }
}

impl From<BadGame> for Refusal {
    fn from(bad: BadGame) -> Refusal {
        match bad {
            BadGame::Invalid(problems) => problems.into(),
            bad => Refusal(bad.to_string()),
        }
    }
}

impl From<Problems> for Refusal {
    fn from(problems: Problems) -> Refusal {
        let problems: Vec<Problem> = problems.into();
        Refusal(listed(&problems))
    }
}

/// A rule book's first problems, one per line, and how many more there are.
pub fn listed(problems: &[Problem]) -> String {
    let mut lines: Vec<String> = problems.iter().take(MOST_MISTAKES).map(Problem::in_words).collect();
    if let Some(more @ 1..) = problems.len().checked_sub(MOST_MISTAKES) {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}
