//! `list_games`: the games and the opponents.

use rmcp::model::{JsonObject, Tool};
use serde::Serialize;
use spoton::evaluate::opponent::Opponent;
use spoton::format::Listed;
use spoton::json;
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::{Nothing, read};
use crate::state::ServerState;

pub const TOOL: Entry = Entry {
    name: "list_games",
    title: "List the games",
    description: "Lists the games with their variants, and the opponents.",
    does: Does::Tells,
    exams: Exams::Any,
    arguments: Tool::with_input_schema::<Nothing>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

async fn answer(_: &ServerState, arguments: JsonObject, _: &CancellationToken) -> Result<Answer, Refusal> {
    read::<Nothing>(arguments)?;
    list_games()
}

/// The games and the opponents.
#[derive(Serialize)]
struct GamesAndOpponents {
    games: Vec<json::ListedGame>,
    opponents: Vec<json::Opponent>,
}

/// Lists the games and the opponents.
fn list_games() -> Result<Answer, Refusal> {
    let games: Vec<Listed> = Listed::shipped().collect();
    let mut words = "Games:\n".to_owned();
    for game in &games {
        let about =
            game.rulebook.as_ref().map(|rulebook| format!("{}. {}", rulebook.title(), rulebook.summary()));
        words.push_str(&format!("- {}: {}", game.id, about.unwrap_or_default()));
        if !game.variants.is_empty() {
            words.push_str(&format!(" Variants: {}.", game.variants.join(", ")));
        }
        words.push('\n');
    }
    words.push_str("\nOpponents:\n");
    for opponent in Opponent::all() {
        words.push_str(&format!("- {opponent}: {}.\n", opponent.habit()));
    }
    Answer::new(words, &GamesAndOpponents { games: json::games(&games), opponents: json::opponents() })
}
