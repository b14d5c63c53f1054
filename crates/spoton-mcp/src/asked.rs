//! The tools' arguments. Their schemas are all the documentation that a model gets.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use spoton::engine::position::Player;
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
pub struct AskedCheck {
    /// The whole rule book (TOML). At most 64 KiB.
    pub rulebook: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedStart {
    /// A game's id, from list_games. Part of it is enough if only one game matches. Omit it if you give a
    /// rulebook.
    pub game: Option<String>,
    /// A whole rule book (TOML) instead of a game, such as one from invent. At most 64 KiB.
    pub rulebook: Option<String>,
    /// A variant's name. Default: the game itself.
    pub variant: Option<String>,
    /// A different target number.
    pub target: Option<i64>,
    /// Your opponent, by its name from list_games. Default: "perfect", which never makes a mistake.
    pub opponent: Option<String>,
    /// Whether you go first or second. Default: first.
    pub seat: Option<Seat>,
    /// Allow the hint tool in this round. Default: false.
    #[serde(default)]
    pub hints: bool,
    /// Allow undo with the take_back tool in this round. Default: false.
    #[serde(default)]
    pub take_back: bool,
    /// The opponent's random seed: with the same seed, the same moves get the same replies. Default: random.
    pub seed: Option<u64>,
}

/// A player's place in the turn order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    #[default]
    First,
    Second,
}

impl Seat {
    /// The player with this seat. Player 1 always goes first.
    pub fn player(self) -> Player {
        match self {
            Seat::First => Player::One,
            Seat::Second => Player::Two,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedRound {
    /// The round's id, from start_round.
    pub round: String,
}

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

impl AskedStart {
    /// Takes the arguments that choose the game.
    pub fn game(&mut self) -> AskedGame {
        let (game, rulebook, variant) = (self.game.take(), self.rulebook.take(), self.variant.take());
        AskedGame { game, rulebook, variant, target: self.target }
    }
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
