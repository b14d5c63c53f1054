//! Arguments that several tools share. Their schemas are all the documentation that a model gets.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use spoton::format::{BookText, Changes, Game, Setting};
use spoton_host::Finder;

use crate::answer::Refusal;
use crate::limits::BOOK_BYTES;

const FINDER: Finder = Finder { list: "list_games lists the games" };

/// Reads arguments.
pub fn read<T: serde::de::DeserializeOwned>(arguments: Map<String, Json>) -> Result<T, Refusal> {
    serde_json::from_value(Json::Object(arguments)).map_err(|error| {
        let said = in_plain_words(error.to_string());
        Refusal(format!("the arguments don't match the input schema: {said}"))
    })
}

/// Replaces Rust's type names at the end of serde's messages.
fn in_plain_words(said: String) -> String {
    if let Some(before) = said.strip_suffix("expected i64") {
        return format!("{before}expected a whole number");
    }
    match said.strip_suffix("expected u64") {
        Some(before) => format!("{before}expected a whole number from 0 to {}", u64::MAX),
        None => said,
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedGame {
    /// A game's id, from list_games. Part of it is enough if only one game matches. Omit it if you give a
    /// rulebook.
    pub game: Option<String>,
    /// A whole rule book (TOML) instead of a game, such as one from invent. At most 64 KiB.
    pub rulebook: Option<String>,
    /// A variant's name. Default: the game itself.
    pub variant: Option<String>,
    /// A different target number.
    pub target: Option<i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedRound {
    /// The round's id, from start_round.
    pub round: String,
}

impl AskedGame {
    /// Finds the game and applies the variant and target. Building it validates the rules.
    pub fn find(&self) -> Result<Game, Refusal> {
        let book = match (&self.game, &self.rulebook) {
            (Some(_), Some(_)) => {
                return Err(Refusal("give a game or a rulebook, not both".to_owned()));
            }
            (None, None) => {
                return Err(Refusal("give a game (list_games lists them) or a rulebook".to_owned()));
            }
            (None, Some(text)) => own_book(text.clone())?,
            (Some(name), None) => FINDER.shipped(name).map_err(|none| Refusal(none.to_string()))?,
        };
        let settings = self.target.iter().map(|target| Setting::Target(target.to_string())).collect();
        let name = book.id.clone();
        Ok(Game::new(book, name, &Changes { variant: self.variant.clone(), settings })?)
    }
}

/// A rule book from a client.
pub fn own_book(text: String) -> Result<BookText, Refusal> {
    if text.len() > BOOK_BYTES {
        return Err(Refusal(format!(
            "a rule book has at most {BOOK_BYTES} bytes (64 KiB), but this one has {}",
            text.len()
        )));
    }
    Ok(BookText { id: "own".to_owned(), own_file: true, source_name: "rulebook".to_owned(), text })
}
