//! `read_rules`: the rules of a game.

use rmcp::model::{JsonObject, Tool};
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::{AskedGame, read};
use crate::rules::rules;
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "read_rules",
    title: "Read the rules",
    description: "Returns the rules of a game, a variant or a rule book in words, with the names of its variants. You \
                  don't need it before a round: start_round also returns the rules.",
    does: Does::Tells,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedGame>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let asked: AskedGame = read(arguments)?;
    rules(&state.thinking, asked, gone).await
}
