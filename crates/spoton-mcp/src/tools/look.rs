//! `look`: the state of a round.

use rmcp::model::{JsonObject, Tool};
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::{AskedRound, read};
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "look",
    title: "Look at a round",
    description: "Returns the state of a round: all moves so far, the number or numbers, the player to move, your legal \
                  moves, and why other moves aren't allowed. If the round is over, returns how it ended.",
    does: Does::Tells,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedRound>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    _: &CancellationToken,
) -> Result<Answer, Refusal> {
    let AskedRound { round: id } = read(arguments)?;
    state.rounds.find(&id)?.answer(&id, "", 0)
}
