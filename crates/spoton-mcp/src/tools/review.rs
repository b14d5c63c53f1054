//! `review`: a finished round, move by move.

use rmcp::model::{JsonObject, Tool};
use spoton::json;
use spoton::sitting::Cannot;
use spoton::words::review::{self, Audience};
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::{AskedRound, read};
use crate::limits::TIME_TO_THINK;
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "review",
    title: "Review a round",
    description: "Compares every move of a finished round with perfect play: which choices mattered, which were right, \
                  where the round turned and which moves were better. Not while a round without hints is in progress.",
    does: Does::Tells,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedRound>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let AskedRound { round: id } = read(arguments)?;
    let table = state.rounds.find(&id)?;
    if !table.is_over() {
        let sentence = "the round isn't over yet; finish it or call give_up first";
        return Err(Refusal(sentence.to_owned()));
    }
    if let Some(exam) = state.exam.as_ref().filter(|exam| !exam.is_all_begun()) {
        let sentence =
            format!("this is an exam of {} rounds; reviews are available when it's over", exam.total());
        return Err(Refusal(sentence));
    }
    state.rounds.may_think(None)?;
    let reviewed = state.thinking.about(TIME_TO_THINK, gone, move |ahead| {
        let review = table.sitting.review(ahead)?;
        let (record, round) = (table.record(), table.sitting.round());
        let audience = Audience { names: &record.players, you: Some(table.you), discover: false };
        let words = review::page(&review, round, &audience);
        Ok::<_, Cannot>((words, json::review(&record, round, &review)))
    });
    let (words, review) = reviewed.await??;
    // Checks again: a round may have begun in the meantime.
    state.rounds.may_think(None)?;
    Answer::new(words, &review)
}
