//! What can be read: the rules of the games and the records of rounds, as resources and as prompts.

use rmcp::model::{
    GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Resource, ResourceTemplate, Role,
};
use serde::Deserialize;
use spoton::format::{Listed, TEMPLATE, quotable};
use tokio_util::sync::CancellationToken;

use crate::answer::Refusal;
use crate::asked::{AskedGame, AskedRound, read as read_arguments};
use crate::server::Server;

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

/// What can be read at any time. No ids of rounds are told by it: whoever reads the records cannot go on with a round.
pub fn resources(is_graded: bool) -> Vec<Resource> {
    let rules = Listed::shipped().map(|game| {
        let title = game.rulebook.as_ref().map_or(game.id.as_str(), |rulebook| rulebook.title());
        Resource::new(format!("{GAMES}{}{RULES}", game.id), format!("rules of {}", game.id))
            .with_title(format!("Rules of {title}"))
            .with_mime_type(MARKDOWN)
    });
    let template = Resource::new(NEW_RULEBOOK, "rule book template")
        .with_title("A rule book to begin with")
        .with_description("Every key of a rule book, with remarks on what it means.")
        .with_mime_type(TOML);
    let records = Resource::new(RECORDS, "records of all rounds")
        .with_title("Records of all rounds")
        .with_description(
            "Every round, one after another in the order in which they were begun: who played what, the moves, the result. \
             One that is not over stands there as forfeited, which it is if nobody goes on with it. `spoton review --summary` \
             in a terminal counts and grades them. Empty as long as no round was begun.",
        )
        .with_mime_type(PLAIN);
    let exam = Resource::new(EXAM, "the exam")
        .with_title("The exam")
        .with_description("What the rounds are graded on, and how many have begun and finished.")
        .with_mime_type(JSON);
    rules.chain([template, records]).chain(is_graded.then_some(exam)).collect()
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{GAMES}{{game}}{RULES}"), "rules of a game")
            .with_title("Rules of a game")
            .with_description("The rules of a game in words, by the id that list_games tells.")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(format!("{ROUNDS}{{round}}{RECORD}"), "record of a round")
            .with_title("Record of a round")
            .with_description(
                "A round as far as it was played, by the id that start_round told: who played what, the moves, the result. \
                 `spoton review` in a terminal reads it.",
            )
            .with_mime_type(PLAIN),
    ]
}

/// What stands at an address, and of which kind it is.
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
        return Ok((JSON, exam.to_string()));
    }
    if uri == RECORDS {
        return Ok((PLAIN, server.records()));
    }
    if let Some(game) = named(GAMES, RULES) {
        let asked = AskedGame { game: Some(game.to_owned()), ..AskedGame::default() };
        return Ok((MARKDOWN, server.rules(asked, gone).await?.words));
    }
    if let Some(round) = named(ROUNDS, RECORD) {
        return Ok((PLAIN, server.record(round)?));
    }
    Err(Refusal(format!("there is nothing at \"{}\"", quotable(uri))))
}

const PLAY: &str = "play";
const LOOK_BACK: &str = "look_back";

/// In an exam there is no choice of what to play.
pub fn prompts(is_graded: bool) -> Vec<Prompt> {
    let argument = |name: &str, description: &str, required: bool| {
        PromptArgument::new(name).with_description(description).with_required(required)
    };
    let play = vec![
        argument("game", "The id of a game, as list_games tells it.", true),
        argument("variant", "A variant of it.", false),
        argument("opponent", "Whom to play against; without it, perfect.", false),
        argument("seat", "first or second; without it, first.", false),
    ];
    let look_back = vec![argument("round", "The id of a round that is over.", true)];
    let play =
        Prompt::new(PLAY, Some("A round of a game, with its rules."), Some(play)).with_title("Play a round");
    let look_back =
        Prompt::new(LOOK_BACK, Some("The record of a round, to find where it turned."), Some(look_back))
            .with_title("Look back on a round");
    if is_graded { vec![look_back] } else { vec![play, look_back] }
}

/// What the prompt to play is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedPlay {
    game: String,
    variant: Option<String>,
    opponent: Option<String>,
    seat: Option<String>,
}

/// A prompt by its name.
pub async fn prompt(
    server: &Server,
    name: &str,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<GetPromptResult, Refusal> {
    let text = match name {
        PLAY if server.is_graded() => {
            return Err(Refusal("this is an exam: start_round starts its next round".to_owned()));
        }
        PLAY => {
            let AskedPlay { game, variant, opponent, seat } = read_arguments(arguments)?;
            let asked =
                AskedGame { game: Some(game.clone()), variant: variant.clone(), ..AskedGame::default() };
            let rules = server.rules(asked, gone).await?.words;
            let asked = [("game", Some(game)), ("variant", variant), ("opponent", opponent), ("seat", seat)];
            let asked = asked.into_iter().filter_map(|(key, value)| Some(format!("{key} \"{}\"", value?)));
            let asked = asked.collect::<Vec<_>>().join(", ");
            format!(
                "Play a round of this game, and try to win.\n\n{rules}\nCall start_round with {asked}. Then call move on \
                 each of your turns until the round is over, and review to see which of your moves mattered.\n"
            )
        }
        LOOK_BACK => {
            let AskedRound { round } = read_arguments(arguments)?;
            let record = server.record(&round)?;
            format!(
                "Here is the record of a round.\n\n{record}\nFind the move where it turned, and say what would have been \
                 better. Then call review with round \"{round}\", and compare.\n"
            )
        }
        _ => return Err(Refusal(format!("there is no such prompt; there are {PLAY} and {LOOK_BACK}"))),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
