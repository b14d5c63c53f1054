//! `invent`: a new game.

use rmcp::model::{JsonObject, Tool};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use spoton::design::invent::{Bounds, Inventor, LEVELS};
use spoton::json;
use spoton::solver::Budget;
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::read;
use crate::limits::{BYTES_OF_A_JOB, TIME_TO_INVENT};
use crate::rounds::random;
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "invent",
    title: "Invent a game",
    description: "Invents a new game and proves three facts: it always ends, it's never drawn, and no simple rule always \
                  wins. Returns its rule book, which you can pass to start_round. It doesn't reveal who can force a win.",
    does: Does::Tells,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<AskedInvention>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedInvention {
    /// The same seed and level always give the same game. Default: random, so the game is new.
    pub seed: Option<u64>,
    /// How deep the game is, from 1 (1 or 2 choices that matter and aren't obvious) to 5 (15 to 20). Default: 8 or
    /// more.
    #[schemars(range(min = 1, max = 5))]
    pub level: Option<i64>,
}

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let asked: AskedInvention = read(arguments)?;
    let bounds = match asked.level {
        None => Bounds::usual(),
        Some(level) => u8::try_from(level).ok().and_then(Bounds::of_level).ok_or_else(|| {
            Refusal(format!("a level is a number from {} to {}", LEVELS.start(), LEVELS.end()))
        })?,
    };
    let seed = asked.seed.unwrap_or_else(random);
    let invented = state.thinking.about(TIME_TO_INVENT, gone, move |ahead| {
        let budget = &mut Budget::new(BYTES_OF_A_JOB, ahead.keep_going);
        Inventor::new(seed, bounds.clone()).next(budget)
    });
    let game = invented.await??.ok_or_else(|| Refusal("no game was found; try another seed".to_owned()))?;
    let words = format!(
        "{}. To play it, pass this rule book to start_round as rulebook:\n\n{}",
        game.rulebook.title(),
        game.text_without_remarks()
    );
    Answer::new(words, &json::invented_to_play(&game))
}
