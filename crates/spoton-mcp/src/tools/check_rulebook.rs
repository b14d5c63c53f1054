//! `check_rulebook`: errors and warnings of a rule book.

use std::time::Instant;

use rmcp::model::{JsonObject, Tool};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use spoton::format::{self, BookText, Draft, Problem};
use spoton::json;
use spoton::words::phrases;
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::listed;
use crate::answer::{Answer, Refusal};
use crate::arguments::{own_book, read};
use crate::limits::{FEW_VARIANTS, MOST_MISTAKES, TIME_TO_CHECK, TIME_TO_THINK};
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "check_rulebook",
    title: "Check a rule book",
    description: "Checks whether a rule book is valid. Returns all errors and warnings with line and column. A rule book \
                  is a TOML file. A minimal one has four lines: title = \"Nine\", start = 1, target = 9, moves = [\"+1\", \
                  \"x2\"]. The resource spoton://rulebook-template explains every key.",
    does: Does::Tells,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedCheck>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedCheck {
    /// The whole rule book (TOML). At most 64 KiB.
    pub rulebook: String,
}

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let asked: AskedCheck = read(arguments)?;
    let BookText { source_name, text, .. } = own_book(asked.rulebook)?;
    let checked = state.thinking.about(TIME_TO_THINK, gone, move |_| check(&source_name, &text));
    checked.await?
}

/// Checks a rule book.
fn check(name: &str, text: &str) -> Result<Answer, Refusal> {
    let begun = Instant::now();
    let draft = Draft::read(name, text);
    let mut variants = 0;
    let mut keep_going = || {
        variants += 1;
        // The first few are always checked, so even a busy machine never rejects an ordinary book.
        variants <= FEW_VARIANTS || begun.elapsed() < TIME_TO_CHECK
    };
    let problems = format::check_while(&draft, &mut keep_going).ok_or_else(|| {
        Refusal("checking this rule book takes too long here: it has too many variants".to_owned())
    })?;
    let mut told = json::check(name, &problems[..problems.len().min(MOST_MISTAKES)]);
    // The list above is truncated; the result isn't.
    told.valid = !problems.iter().any(Problem::is_error);
    let mut words = listed(&problems);
    if let (true, Ok(rulebook)) = (told.valid, draft.build()) {
        told.unplayable = rulebook.unplayable();
        let unplayable = draft.unplayable_variants();
        let valid = phrases::is_valid(&rulebook, draft.variants().count() as u64, &unplayable).join(" ");
        told.unplayable_variants = unplayable.into_iter().collect();
        words = if words.is_empty() { valid } else { format!("{valid} Warnings:\n{words}") };
    }
    Answer::new(words, &told)
}
