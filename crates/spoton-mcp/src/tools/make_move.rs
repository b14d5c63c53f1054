//! `move`: makes a move.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use spoton::sitting::Cannot;
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::read;
use crate::limits::TIME_TO_THINK;
use crate::state::ServerState;
use crate::table::Table;

pub const TOOL: Entry = Entry {
    name: "move",
    title: "Make a move",
    description: "Makes your move in a round. The opponent replies immediately, and you see the new position. An illegal \
                  move is refused with the reason: it changes nothing, but it's counted. With expected_turn, you can \
                  safely repeat a call if its answer was lost: the same move for the same turn counts once. If another \
                  round without hints is in progress, finish that one first.",
    does: Does::Changes,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedMove>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedMove {
    /// The round's id, from start_round.
    pub round: String,
    /// Your move, ideally as spelled in the list of legal moves, such as "+1" or "x2".
    #[serde(rename = "move")]
    pub written: String,
    /// The turn that this move is for, as numbered in the last answer. It makes retries safe: if an answer is lost,
    /// repeat the call. The same move for the same turn counts once and gets the same answer.
    #[schemars(range(min = 1))]
    pub expected_turn: Option<u64>,
}

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let AskedMove { round: id, written, expected_turn } = read(arguments)?;
    let before = state.rounds.find(&id)?;
    if let Some(turn) = expected_turn {
        if turn != before.turn() || before.is_over() {
            return answer_again(state, &id, &before, turn, written, gone).await;
        }
        // A retry: the first answer was lost.
        if let Some(sentence) = before.refused_before(&written) {
            return Err(Refusal(sentence));
        }
    }
    if before.is_over() {
        return Err(Cannot::RoundIsOver.into());
    }
    let choice = match before.read(&written) {
        Ok(choice) => choice,
        Err(no_move) => {
            let mut after = Table::clone(&before);
            let sentence = after.refuse(&written, &no_move)?;
            state.rounds.replace(&id, &before, after)?;
            return Err(Refusal(sentence));
        }
    };
    state.rounds.may_think(Some(&id))?;
    let known = before.sitting.round().history().len();
    let asked = Arc::clone(&before);
    let played = state.thinking.about(TIME_TO_THINK, gone, move |ahead| {
        let mut after = Table::clone(&asked);
        after.play(choice, ahead)?;
        Ok::<_, Cannot>(after)
    });
    let after = played.await??;
    // Checks again: a round may have begun in the meantime.
    state.rounds.may_think(Some(&id))?;
    state.rounds.replace(&id, &before, after)?.answer(&id, "", known)
}

/// Answers a move for a turn other than the next: a retry gets the original answer, anything else the current
/// state.
async fn answer_again(
    state: &ServerState,
    id: &str,
    now: &Arc<Table>,
    turn: u64,
    written: String,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let asked = Arc::clone(now);
    let then =
        state.thinking.about(TIME_TO_THINK, gone, move |ahead| asked.after_turn(turn, &written, ahead));
    match then.await?? {
        Some(then) => then.answer(id, "", turn as usize - 1),
        None => Err(Refusal(now.is_another_turn(id, turn)?)),
    }
}
