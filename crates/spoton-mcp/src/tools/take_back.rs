//! `take_back`: undoes a move.

use rmcp::model::{JsonObject, Tool};
use spoton::sitting::Command;
use tokio_util::sync::CancellationToken;

use super::change;
use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::AskedRound;
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "take_back",
    title: "Undo a move",
    description: "Undoes your last move and the opponent's reply. Only for rounds started with take_back.",
    does: Does::Changes,
    exams: Exams::Never,
    arguments: Tool::with_input_schema::<AskedRound>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    _: &CancellationToken,
) -> Result<Answer, Refusal> {
    change(state, arguments, |table| Command::TakeBackOf(table.you), "Your last move was undone.")
}
