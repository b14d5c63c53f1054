//! Rules, records and the exam as resources and prompts.

use rmcp::model::{
    GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Resource, ResourceTemplate, Role,
};
use serde::Deserialize;
use spoton::format::{Listed, TEMPLATE, quotable};
use tokio_util::sync::CancellationToken;

use super::Server;
use crate::answer::Refusal;
use crate::arguments::{AskedGame, AskedRound, read as read_arguments};
use crate::rules::rules;

const GAMES: &str = "spoton://games/";
const RULES: &str = "/rules";
const ROUNDS: &str = "spoton://rounds/";
const RECORD: &str = "/record";
const RECORDS: &str = "spoton://records";
const EXAM: &str = "spoton://exam";
const NEW_RULEBOOK: &str = "spoton://rulebook-template";

const MARKDOWN: &str = "text/markdown";
const PLAIN: &str = "text/plain";
const TOML: &str = "application/toml";
const JSON: &str = "application/json";

/// The resources that are always available. They contain no round ids: reading a record doesn't let anyone play its
/// round.
pub fn resources(is_graded: bool) -> Vec<Resource> {
    let rules = Listed::shipped().map(|game| {
        let title = game.rulebook.as_ref().map_or(game.id.as_str(), |rulebook| rulebook.title());
        Resource::new(format!("{GAMES}{}{RULES}", game.id), format!("rules of {}", game.id))
            .with_title(format!("Rules of {title}"))
            .with_mime_type(MARKDOWN)
    });
    let template = Resource::new(NEW_RULEBOOK, "rule book template")
        .with_title("Rule book template")
        .with_description("Every rule book key, with comments.")
        .with_mime_type(TOML);
    let records = Resource::new(RECORDS, "records of all rounds")
        .with_title("Records of all rounds")
        .with_description(
            "All rounds in the order they began: game, players, moves and result. An unfinished round is recorded \
             as forfeited, because that's how it counts if nobody finishes it. `spoton review --summary` counts and \
             grades the records. Empty before the first round.",
        )
        .with_mime_type(PLAIN);
    let exam = Resource::new(EXAM, "the exam")
        .with_title("The exam")
        .with_description("The exam's terms, and how many rounds have begun and finished.")
        .with_mime_type(JSON);
    rules.chain([template, records]).chain(is_graded.then_some(exam)).collect()
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{GAMES}{{game}}{RULES}"), "rules of a game")
            .with_title("Rules of a game")
            .with_description("A game's rules in words. Use an id from list_games.")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(format!("{ROUNDS}{{round}}{RECORD}"), "record of a round")
            .with_title("Record of a round")
            .with_description(
                "A round's record, finished or not: game, players, moves and result. Use an id from \
                 start_round. `spoton review` reads it.",
            )
            .with_mime_type(PLAIN),
    ]
}

/// Returns the MIME type and the text of a resource.
pub async fn read(
    server: &Server,
    uri: &str,
    gone: &CancellationToken,
) -> Result<(&'static str, String), Refusal> {
    let named = |before: &str, after: &str| uri.strip_prefix(before)?.strip_suffix(after);
    if uri == NEW_RULEBOOK {
        return Ok((TOML, TEMPLATE.to_owned()));
    }
    if let Some(exam) = server.exam().filter(|_| uri == EXAM) {
        return Ok((JSON, serde_json::to_string(&exam)?));
    }
    if uri == RECORDS {
        return Ok((PLAIN, server.records()));
    }
    if let Some(game) = named(GAMES, RULES) {
        let asked = AskedGame { game: Some(game.to_owned()), ..AskedGame::default() };
        return Ok((MARKDOWN, rules(&server.0.thinking, asked, gone).await?.words));
    }
    if let Some(round) = named(ROUNDS, RECORD) {
        return Ok((PLAIN, server.record(round)?));
    }
    Err(Refusal(format!("there is no resource \"{}\"", quotable(uri))))
}

const PLAY: &str = "play";
const LOOK_BACK: &str = "look_back";

/// The prompts. An exam has none for playing, since the model can't choose the game.
pub fn prompts(is_graded: bool) -> Vec<Prompt> {
    let argument = |name: &str, description: &str, required: bool| {
        PromptArgument::new(name).with_description(description).with_required(required)
    };
    let play = vec![
        argument("game", "A game's id, from list_games.", true),
        argument("variant", "A variant of the game.", false),
        argument("opponent", "The opponent. Default: perfect.", false),
        argument("seat", "first or second. Default: first.", false),
    ];
    let look_back = vec![argument("round", "A finished round's id.", true)];
    let play =
        Prompt::new(PLAY, Some("Play a round. Includes the rules."), Some(play)).with_title("Play a round");
    let look_back =
        Prompt::new(LOOK_BACK, Some("Find a round's turning point. Includes its record."), Some(look_back))
            .with_title("Review a round");
    if is_graded { vec![look_back] } else { vec![play, look_back] }
}

/// Arguments for the prompt `play`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedPlay {
    game: String,
    variant: Option<String>,
    opponent: Option<String>,
    seat: Option<String>,
}

/// Finds a prompt by name and fills it in.
pub async fn prompt(
    server: &Server,
    name: &str,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<GetPromptResult, Refusal> {
    let text = match name {
        PLAY if server.0.is_graded() => {
            return Err(Refusal("this is an exam; call start_round to start the next round".to_owned()));
        }
        PLAY => {
            let AskedPlay { game, variant, opponent, seat } = read_arguments(arguments)?;
            let asked =
                AskedGame { game: Some(game.clone()), variant: variant.clone(), ..AskedGame::default() };
            let rules = rules(&server.0.thinking, asked, gone).await?.words;
            let asked = [("game", Some(game)), ("variant", variant), ("opponent", opponent), ("seat", seat)];
            let asked = asked.into_iter().filter_map(|(key, value)| Some(format!("{key} \"{}\"", value?)));
            let asked = asked.collect::<Vec<_>>().join(", ");
            format!(
                "Play a round of this game and try to win.\n\n{rules}\nCall start_round with {asked}. Then call move \
                 on each of your turns until the round is over. Finally, call review to see which of your moves \
                 mattered.\n"
            )
        }
        LOOK_BACK => {
            let AskedRound { round } = read_arguments(arguments)?;
            let record = server.record(&round)?;
            format!(
                "Here is the record of a round.\n\n{record}\nFind the turning point and suggest a better move. Then \
                 call review with round \"{round}\" and compare.\n"
            )
        }
        _ => return Err(Refusal(format!("there is no such prompt; choose {PLAY} or {LOOK_BACK}"))),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
