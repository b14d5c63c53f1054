//! JSON for an outside program on turn: all that it is told, in one line.

use serde_json::{Value as Json, json};

use crate::engine::play::Move;
use crate::engine::round::Round;
use crate::format::Game;
use crate::records::Refused;
use crate::words::describe;
use crate::words::prompt::Telling;

/// A question to an outside program: which move?
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
/// let line = turn.to_json();
/// assert_eq!((&line["player"], line["legal"].is_array(), line["rules"].is_array()), (&1.into(), true, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The game as it was asked for.
    pub game: &'a Game,
    /// The round, with the program on turn.
    pub round: &'a Round,
    /// Which round this is, from 1.
    pub number: u32,
    /// Whether to tell the rules: on the first turn of a round, or of a program that was started anew.
    pub with_rules: bool,
    /// Whether to list the legal moves.
    pub with_legal: bool,
    /// How a language model is told: then there is a prompt, and nothing that would tell the game in other words.
    pub telling: Option<&'a Telling>,
    /// Why the program is asked again, in a word and in words.
    pub refused: Option<(Refused, &'a str)>,
}

impl Turn<'_> {
    /// The question. It never tells what anything is worth; the notes of a rule book, which may, are left out.
    pub fn to_json(&self) -> Json {
        let Turn { game, round, number, with_rules, with_legal, telling, refused } = *self;
        if let Some(telling) = telling {
            return self.told(telling);
        }
        let (rulebook, position) = (round.rulebook(), round.position());
        let mut object = super::about(game, rulebook);
        let mut add = |key: &str, value: Json| drop(object.insert(key.to_owned(), value));
        add("round", json!(number));
        add("player", json!(position.turn().number()));
        if with_rules {
            add("title", json!(rulebook.title()));
            add("rules", json!(describe::rules(rulebook)));
            add("rulebook", json!(rulebook.rules_line()));
        }
        if let Some(target) = rulebook.target() {
            add("target", json!(target));
        }
        add("first", json!(round.first().number()));
        add("position", super::position(rulebook, position));
        let history: Vec<String> = round.history().iter().map(|ply| rulebook.write(ply.a_move)).collect();
        add("history", json!(history));
        if with_legal {
            let legal = rulebook.legal(position);
            let legal: Vec<String> =
                legal.iter().map(|choice| rulebook.write(Move::Operation(choice))).collect();
            add("legal", json!(legal));
        }
        if let Some((why, reason)) = refused {
            add("refused", json!({ "why": why.word(), "reason": reason }));
        }
        Json::Object(object)
    }

    fn told(&self, telling: &Telling) -> Json {
        let mut object = json!({
            "round": self.number,
            "player": self.round.position().turn().number(),
            "prompt": telling.prompt(self.round, self.refused),
        });
        if telling.with_legal() {
            object["legal"] = json!(telling.legal(self.round));
        }
        if let Some((why, reason)) = self.refused {
            object["refused"] = json!({ "why": why.word(), "reason": reason });
        }
        object
    }
}
