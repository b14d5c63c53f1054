//! `give_up`: gives up a round.

use rmcp::model::{JsonObject, Tool};
use spoton::sitting::Command;
use tokio_util::sync::CancellationToken;

use super::change;
use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::AskedRound;
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "give_up",
    title: "Give up a round",
    description: "Gives up a round: it ends, and the opponent wins.",
    does: Does::Changes,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedRound>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    _: &CancellationToken,
) -> Result<Answer, Refusal> {
    change(state, arguments, |table| Command::Resign(table.you), "")
}
