//! The JSON line that an outside program gets on its turn. For the state of a round, see `round.rs`.

use serde::Serialize;

use super::{About, PlayerNumber, Position};
use crate::engine::play::Move;
use crate::engine::round::Round;
use crate::format::Game;
use crate::records::Refused;
use crate::words::describe;
use crate::words::prompt::Telling;

/// A move request to an outside program.
///
/// ```
/// use std::sync::Arc;
/// use spoton::engine::{position::Player, round::Round};
/// use spoton::format::{BookText, Changes, Game, catalog};
/// use spoton::json::Turn;
///
/// let book = BookText::shipped(catalog::FIRST).unwrap();
/// let game = Game::new(book, catalog::FIRST.to_owned(), &Changes::default())?;
/// let round = Round::new(Arc::new(game.rulebook()?), Player::One);
/// let turn = Turn { game: &game, round: &round, number: 1, with_rules: true, with_legal: true, telling: None, refused: None };
/// let line = serde_json::to_value(turn.request())?;
/// assert_eq!((&line["player"], line["legal"].is_array(), line["rules"].is_array()), (&1.into(), true, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The requested game.
    pub game: &'a Game,
    /// The round. It's the program's turn.
    pub round: &'a Round,
    /// The round number, starting at 1.
    pub number: u32,
    /// Whether to include the rules: on a round's first turn, or after a program restarts.
    pub with_rules: bool,
    /// Whether to list the legal moves.
    pub with_legal: bool,
    /// The wording for a language model. Sends a prompt and leaves out keys that would describe the game differently.
    pub telling: Option<&'a Telling>,
    /// Why the program is asked again: a code and a sentence.
    pub refused: Option<(Refused, &'a str)>,
}

/// A move request. Never contains evaluations. Leaves out a rule book's notes because they may contain some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Request {
    /// The position as data.
    Data(Box<DataRequest>),
    /// A prompt for a language model.
    Prompt(PromptRequest),
}

/// A move request with the position as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DataRequest {
    /// The game.
    #[serde(flatten)]
    pub about: About,
    /// The round's number, from 1.
    pub round: u32,
    /// The program's player.
    pub player: PlayerNumber,
    /// The rules, on a round's first turn.
    #[serde(flatten)]
    pub rules: Option<RequestRules>,
    /// The target, if the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<i64>,
    /// The player who started.
    pub first: PlayerNumber,
    /// The position.
    pub position: Position,
    /// The moves so far.
    pub history: Vec<String>,
    /// The legal moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
    /// Why the program is asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedAnswer>,
}

/// The rules in a move request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestRules {
    /// The title.
    pub title: String,
    /// The rules in words.
    pub rules: Vec<String>,
    /// The keys that affect play, as an inline TOML table.
    pub rulebook: String,
}

/// A move request with a prompt. Leaves out keys that would describe the game differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptRequest {
    /// The round's number, from 1.
    pub round: u32,
    /// The program's player.
    pub player: PlayerNumber,
    /// The prompt.
    pub prompt: String,
    /// The legal moves in the prompt's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
    /// Why the program is asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedAnswer>,
}

/// Why an answer wasn't accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedAnswer {
    /// The code: `illegal`, `unreadable`, `late`, `died` or `flooded`.
    pub why: &'static str,
    /// The reason as a sentence.
    pub reason: String,
}

impl Turn<'_> {
    /// The request.
    pub fn request(&self) -> Request {
        let Turn { game, round, number, with_rules, with_legal, telling, refused } = *self;
        let (rulebook, position) = (round.rulebook(), round.position());
        let player = position.turn().into();
        let refused_answer =
            refused.map(|(why, reason)| RefusedAnswer { why: why.word(), reason: reason.to_owned() });
        if let Some(telling) = telling {
            return Request::Prompt(PromptRequest {
                round: number,
                player,
                prompt: telling.prompt(round, refused),
                legal: telling.with_legal().then(|| telling.legal(round)),
                refused: refused_answer,
            });
        }
        let rules = || RequestRules {
            title: rulebook.title().to_owned(),
            rules: describe::rules(rulebook),
            rulebook: rulebook.rules_line(),
        };
        let legal = || {
            let legal = rulebook.legal(position);
            legal.iter().map(|choice| rulebook.write(Move::Operation(choice))).collect()
        };
        Request::Data(Box::new(DataRequest {
            about: About::new(game, rulebook),
            round: number,
            player,
            rules: with_rules.then(rules),
            target: rulebook.target(),
            first: round.first().into(),
            position: super::position(rulebook, position),
            history: round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect(),
            legal: with_legal.then(legal),
            refused: refused_answer,
        }))
    }
}
