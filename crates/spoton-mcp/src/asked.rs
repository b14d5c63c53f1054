//! What the tools are asked: their arguments, whose schemas are all the documentation that a model gets.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use spoton::engine::position::Player;
use spoton::format::{BadName, BookText, Changes, Game, Setting, called, catalog, quotable};

use crate::answer::Refusal;
use crate::limits::BOOK_BYTES;

/// Reads arguments.
pub fn read<T: serde::de::DeserializeOwned>(arguments: Map<String, Json>) -> Result<T, Refusal> {
    serde_json::from_value(Json::Object(arguments)).map_err(|error| {
        let said = in_plain_words(error.to_string());
        Refusal(format!("the arguments do not fit the input schema of this tool: {said}"))
    })
}

/// What is said of wrong arguments ends with what was expected, numbers by their names in Rust.
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
    /// The id of a game, as list_games tells it; a part of it that names just one game is enough. Leave it out if you give a
    /// rulebook.
    pub game: Option<String>,
    /// The text of a rule book (TOML), instead of a game: one that invent made or check_rulebook finds valid. At most 64 KiB.
    pub rulebook: Option<String>,
    /// A variant of the game or rule book, by its name. Without it, the game as it stands.
    pub variant: Option<String>,
    /// Another target number than the game's own.
    pub target: Option<i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedCheck {
    /// The whole text of the rule book, in TOML. At most 64 KiB.
    pub rulebook: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedStart {
    /// The id of a game, as list_games tells it; a part of it that names just one game is enough. Leave it out if you give a
    /// rulebook.
    pub game: Option<String>,
    /// The text of a rule book (TOML), instead of a game: one that invent made or check_rulebook finds valid. At most 64 KiB.
    pub rulebook: Option<String>,
    /// A variant of the game or rule book, by its name. Without it, the game as it stands.
    pub variant: Option<String>,
    /// Another target number than the game's own.
    pub target: Option<i64>,
    /// Whom you play against, by a name that list_games tells. Without it, "perfect", who never makes a mistake.
    pub opponent: Option<String>,
    /// Whether you go first or second. Without it, first.
    pub seat: Option<Seat>,
    /// Whether hint may be used in this round. Without it, it may not.
    #[serde(default)]
    pub hints: bool,
    /// Whether take_back may be used in this round. Without it, it may not.
    #[serde(default)]
    pub take_back: bool,
    /// A seed for the chance in the opponent's moves: with the same seed, the same moves get the same replies. Without it, one
    /// that nobody can guess.
    pub seed: Option<u64>,
}

/// Who goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    #[default]
    First,
    Second,
}

impl Seat {
    /// The player who sits there. Player 1 always goes first.
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
    /// The id of the round, as start_round told it.
    pub round: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedMove {
    /// The id of the round, as start_round told it.
    pub round: String,
    /// Your move, best as it is written in the list of legal moves, such as "+1" or "x2".
    #[serde(rename = "move")]
    pub written: String,
    /// The number of the turn that this move is for, from the last answer. With it, you can repeat a call whose answer got
    /// lost: the same move for the same turn is made once, and gets the same answer.
    #[schemars(range(min = 1))]
    pub expected_turn: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedInvention {
    /// The same seed and level give the same game, for ever and everywhere. Without it, a game that nobody has seen.
    pub seed: Option<u64>,
    /// How deep the game is, from 1 (one or two choices that matter without showing it) to 5 (fifteen to twenty). Without
    /// it, eight or more.
    #[schemars(range(min = 1, max = 5))]
    pub level: Option<i64>,
}

impl AskedStart {
    /// The game that is asked for.
    pub fn game(&mut self) -> AskedGame {
        let (game, rulebook, variant) = (self.game.take(), self.rulebook.take(), self.variant.take());
        AskedGame { game, rulebook, variant, target: self.target }
    }
}

impl AskedGame {
    /// The game, with all that lies over it. Whether its rules are valid is seen when they are built.
    pub fn find(&self) -> Result<Game, Refusal> {
        let book = match (&self.game, &self.rulebook) {
            (Some(_), Some(_)) => {
                return Err(Refusal("give a game or a rulebook, and not both".to_owned()));
            }
            (None, None) => {
                return Err(Refusal(
                    "name a game (list_games tells which there are), or give a rulebook".to_owned(),
                ));
            }
            (None, Some(text)) => own_book(text.clone())?,
            (Some(name), None) => {
                let id = called(name, catalog::ids()).map_err(|bad| match bad {
                    BadName::Unknown { name, meant: None } => Refusal(format!(
                        "there is no game \"{}\"; list_games tells which there are",
                        quotable(&name)
                    )),
                    bad => Refusal(bad.to_string()),
                })?;
                BookText::shipped(id).ok_or_else(|| Refusal(format!("there is no game \"{id}\"")))?
            }
        };
        let settings = self.target.iter().map(|target| Setting::Target(target.to_string())).collect();
        let name = book.id.clone();
        Ok(Game::new(book, name, &Changes { variant: self.variant.clone(), settings })?)
    }
}

/// A rule book that somebody has sent.
pub fn own_book(text: String) -> Result<BookText, Refusal> {
    if text.len() > BOOK_BYTES {
        return Err(Refusal(format!(
            "a rule book has at most {BOOK_BYTES} bytes (64 KiB), and this one has {}",
            text.len()
        )));
    }
    Ok(BookText { id: "own".to_owned(), own_file: true, source_name: "rulebook".to_owned(), text })
}
