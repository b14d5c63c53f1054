//! The rules of a game, for the tool and for resources.

use spoton::discovery::View;
use spoton::json;
use spoton::words::rules;
use tokio_util::sync::CancellationToken;

use crate::answer::{Answer, Refusal};
use crate::arguments::AskedGame;
use crate::limits::TIME_TO_THINK;
use crate::thinking::Thinking;

/// A game's rules, without its rule book's notes and claims: they may give the strategy away.
pub async fn rules(
    thinking: &Thinking,
    asked: AskedGame,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let told = thinking.about(TIME_TO_THINK, gone, move |_| {
        let game = asked.find()?;
        let rulebook = game.rulebook()?;
        let told = json::Rules { hidden: vec![], ..json::rules(&game, &rulebook, View::of_player(true)) };
        Answer::new(rules::markdown_without_remarks(&game, &rulebook), &told)
    });
    told.await?
}
