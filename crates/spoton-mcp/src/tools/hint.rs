//! `hint`: a hint for the player to move.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool};
use serde::Serialize;
use spoton::sitting::Cannot;
use spoton::view::WhyNot;
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::{AskedRound, read};
use crate::limits::TIME_TO_THINK;
use crate::state::ServerState;
use crate::table::Table;

pub const TOOL: Entry = Entry {
    name: "hint",
    title: "Get a hint",
    description: "Returns a hint for your turn. Call it again on the same turn for a stronger one, up to the best move. \
                  Only for rounds started with hints, and not while another round without hints is in progress.",
    does: Does::Changes,
    exams: Exams::Never,
    arguments: Tool::with_input_schema::<AskedRound>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let AskedRound { round: id } = read(arguments)?;
    let before = state.rounds.find(&id)?;
    match before.view().requests.hint {
        Ok(()) => {}
        Err(WhyNot::Over) => return Err(Cannot::RoundIsOver.into()),
        Err(WhyNot::HintsAreOff) => return Err(Refusal("hints are off in this round".to_owned())),
        Err(why) => return Err(Refusal(why.to_string())),
    }
    state.rounds.may_think(None)?;
    let asked = Arc::clone(&before);
    let told = state.thinking.about(TIME_TO_THINK, gone, move |ahead| {
        let mut after = Table::clone(&asked);
        let (said, _) = after.sitting.hint(ahead)?;
        Ok::<_, Cannot>((said, after))
    });
    let (said, after) = told.await??;
    // Checks again: a round may have begun in the meantime.
    state.rounds.may_think(None)?;
    state.rounds.replace(&id, &before, after)?;
    let told = Hint { round: &id, hint: &said };
    Answer::new(said.clone(), &told)
}

/// A hint for the player to move.
#[derive(Serialize)]
struct Hint<'a> {
    /// The round's id.
    round: &'a str,
    /// The hint as sentences.
    hint: &'a str,
}
