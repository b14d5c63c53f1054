//! Rule books: game lists, rules, and problems in a file.

use serde::Serialize;

use super::Chosen;
use crate::discovery::{Spoiler, View};
use crate::format::{self, Game, Rulebook};
use crate::words::describe;

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Game"))]
pub struct ListedGame {
    /// The game's id.
    pub game: String,
    /// Whether it's the user's own file.
    pub own_file: bool,
    /// Whether the rule book is valid.
    pub valid: bool,
    /// The title; `null` if the rule book isn't valid, like the next two.
    pub title: Option<String>,
    /// The game in a sentence.
    pub summary: Option<String>,
    /// The game's audience.
    pub suits: Option<String>,
    /// The names of its variants.
    pub variants: Vec<String>,
}

/// A list of games.
pub fn games<'a>(games: impl IntoIterator<Item = &'a format::Listed>) -> Vec<ListedGame> {
    let game = |listed: &format::Listed| {
        let rulebook = listed.rulebook.as_ref();
        ListedGame {
            game: listed.id.clone(),
            own_file: listed.own_file,
            valid: rulebook.is_some(),
            title: rulebook.map(|rulebook| rulebook.title().to_owned()),
            summary: rulebook.map(|rulebook| rulebook.summary().to_owned()),
            suits: rulebook.and_then(Rulebook::suits).map(str::to_owned),
            variants: listed.variants.clone(),
        }
    };
    games.into_iter().map(game).collect()
}

/// A game's rules for a viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// The game.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// The fingerprint of the rules as played.
    pub rulebook_hash: String,
    /// The title.
    pub title: String,
    /// The game in a sentence.
    pub summary: String,
    /// The game's audience.
    pub suits: Option<String>,
    /// The rules in words.
    pub rules: Vec<String>,
    /// The author's notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<String>>,
    /// The author's claims about the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<String>>,
    /// The names of its variants.
    pub variants: Vec<String>,
    /// The keys that affect play, as an inline TOML table.
    pub keys: String,
    /// Why the game can't be played, although the rule book is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unplayable: Option<String>,
    /// The keys that discovery mode hides from a player. They are omitted, like the rule book's comments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<&'static str>,
}

/// A game's rules for a viewer. Leaves out hidden keys (notes, claims) and lists them under `hidden`.
pub fn rules(game: &Game, rulebook: &Rulebook, view: View) -> Rules {
    let shows = |spoiler| !view.hides(spoiler);
    let claims = || rulebook.claims().iter().map(ToString::to_string).collect();
    let spoilers = [("notes", Spoiler::Notes), ("claims", Spoiler::Claims)];
    let hidden = spoilers.into_iter().filter(|(_, spoiler)| view.hides(*spoiler));
    Rules {
        chosen: Chosen::new(game),
        rulebook_hash: rulebook.fingerprint(),
        title: rulebook.title().to_owned(),
        summary: rulebook.summary().to_owned(),
        suits: rulebook.suits().map(str::to_owned),
        rules: describe::rules(rulebook),
        notes: shows(Spoiler::Notes).then(|| rulebook.notes().to_vec()),
        claims: shows(Spoiler::Claims).then(claims),
        variants: game.draft.variants().map(str::to_owned).collect(),
        keys: rulebook.rules_line(),
        unplayable: rulebook.unplayable(),
        hidden: hidden.map(|(key, _)| key).collect(),
    }
}
