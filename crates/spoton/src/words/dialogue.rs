//! Line mode's dialogue, built from a round and its rule book's wording.
//!
//! Every function returns text; the surface prints it.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::position::{ByPlayer, Player};
//! use spoton::engine::round::Round;
//! use spoton::format::catalog;
//! use spoton::words::dialogue::{Dialogue, Voice};
//!
//! let take_away = Arc::new(catalog::draft("take-away").unwrap().build()?);
//! let round = Round::new(take_away, Player::One);
//! let names = ByPlayer(["Ann".to_owned(), "Ben".to_owned()]);
//! let voice = Voice { names: &names, computers: ByPlayer([false, false]), paint: &|_, text| text };
//! let turn = Dialogue { round: &round, voice: &voice }.turn();
//! assert!(turn.starts_with("Ann's turn. The number is 21."), "{turn}");
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::engine::operation::{Kind, Operation};
use crate::engine::play::{Ending, Move, Outcome, Refusal, Situation};
use crate::engine::position::{ByPlayer, Choice, MOST_MOVES, Player};
use crate::engine::round::Round;
use crate::engine::written::Offer;
use crate::format::{Menu, Sentence};
use crate::words::{describe, menu, page, phrases};

/// The players' names and the dialogue's colours.
pub struct Voice<'a> {
    /// The players' names.
    pub names: &'a ByPlayer<String>,
    /// Which players are computers. Computers go by their names. A person is "You" in `{You}` and `{Your}`, and also in
    /// the default sentences if the opponent is a computer.
    pub computers: ByPlayer<bool>,
    /// Colours a filled-in text; without colours, returns it unchanged.
    pub paint: &'a dyn Fn(Tint, String) -> String,
}

/// The kind of a filled-in text, for colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// A player's name.
    Player(Player),
    /// The number in play.
    Number,
    /// The target.
    Target,
    /// A move that isn't legal now.
    Barred,
}

/// A round and its dialogue's voice.
pub struct Dialogue<'a> {
    /// The round.
    pub round: &'a Round,
    /// The names and colours.
    pub voice: &'a Voice<'a>,
}

impl Dialogue<'_> {
    /// The opening before the first turn; `None` if the book leaves it empty.
    pub fn opening(&self) -> Option<String> {
        self.unless_empty(Sentence::Opening)
    }

    /// The separator between two turns.
    pub fn separator(&self) -> String {
        self.say(Sentence::Separator, |_| None)
    }

    /// The start of a turn, including the menu.
    pub fn turn(&self) -> String {
        let mut turn = self.say(Sentence::Turn, |_| None);
        if let Some(which) = describe::which_turn(self.round.rulebook(), self.round.position())
            && !turn.is_empty()
        {
            turn = format!("{turn} Turn {which}.");
        }
        let menu = match self.round.rulebook().wording().menu() {
            Menu::Questions => self.limits(),
            Menu::All | Menu::Legal => Some(self.menu()),
        };
        let parts = [Some(turn), menu].into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n")
    }

    fn menu(&self) -> String {
        let lines = menu::lines(self.round);
        let list: Vec<String> = lines.iter().map(|(key, offer)| self.item(key, offer)).collect();
        let separator = self.say(Sentence::ItemSeparator, |_| None);
        let list = match separator.as_str() {
            "\n" if list.len() > MOST_MOVES => page::columns(&list),
            separator => list.join(separator),
        };
        let wording = self.round.rulebook().wording();
        let legal = self.round.rulebook().legal(self.round.position());
        let one = legal.len() == 1 && !wording.sentence(Sentence::ChoicesOne).is_empty();
        let sentence = if one { Sentence::ChoicesOne } else { Sentence::Choices };
        self.say(sentence, |name| (name == "list").then(|| list.clone()))
    }

    fn item(&self, key: &str, offer: &Offer) -> String {
        let rulebook = self.round.rulebook();
        let position = self.round.position();
        let result = offer.result;
        let left = describe::left(rulebook, position, offer);
        let sentence = match (&result, &left) {
            (Err(_), _) => Sentence::ItemBarred,
            (Ok(_), Some(_)) => Sentence::ItemLimited,
            (Ok(_), None) => Sentence::Item,
        };
        let item = self.say(sentence, |name| match name {
            "key" => Some(key.to_owned()),
            "result" => result.ok().map(|number| number.to_string()),
            "left" => left.clone(),
            "reason" => result.err().map(|why| match (why, &left) {
                // These reasons already cover limits, possibly for several entries.
                (Refusal::UsedUp { .. } | Refusal::NoPassLeft { .. } | Refusal::NoEntry { .. }, _)
                | (_, None) => self.refusal(why),
                (_, Some(left)) => format!("{}; {left}", self.refusal(why)),
            }),
            _ => operation_words(name, rulebook.label_of_offer(offer)),
        });
        if result.is_err() { (self.voice.paint)(Tint::Barred, item) } else { item }
    }

    /// Why a move isn't allowed, about the player to move: a person is "you", a computer goes by its name.
    fn refusal(&self, why: Refusal) -> String {
        let (rulebook, turn) = (self.round.rulebook(), self.round.position().turn());
        match self.voice.computers {
            ByPlayer([false, false]) => phrases::refusal(rulebook, why),
            computers if computers[turn] => {
                let opponent = computers[!turn].then(|| self.voice.names[!turn].as_str());
                phrases::refusal_to(rulebook, why, &self.voice.names[turn], opponent)
            }
            _ => phrases::refusal(rulebook, why),
        }
    }

    fn limits(&self) -> Option<String> {
        let limits = describe::limits(self.round.rulebook(), self.round.position());
        let said = || self.say(Sentence::Limits, |name| (name == "limits").then(|| limits.join(", ")));
        (!limits.is_empty()).then(said)
    }

    /// The question after the menu, or the first of two questions.
    pub fn prompt(&self) -> String {
        match self.round.rulebook().wording().menu() {
            Menu::Questions => {
                let words: Vec<&str> = self.kinds().into_iter().map(Kind::word).collect();
                self.say(Sentence::OperationPrompt, |name| (name == "words").then(|| words.join("/")))
            }
            Menu::All | Menu::Legal => {
                let keys = menu::keys_in_words(self.round);
                self.say(Sentence::Prompt, |name| (name == "keys").then(|| keys.clone()))
            }
        }
    }

    /// The second of two questions.
    pub fn number_prompt(&self, kind: Kind) -> String {
        let mut amounts: Vec<i64> = self.amounts(kind);
        amounts.sort_unstable();
        let no_gap = amounts.windows(2).all(|pair| pair[1] - pair[0] == 1);
        let numbers = match (amounts.first(), amounts.last()) {
            (Some(first), Some(last)) if no_gap && first < last => format!("{first}-{last}"),
            _ => phrases::or_list(amounts),
        };
        self.say(Sentence::NumberPrompt, |name| (name == "numbers").then(|| numbers.clone()))
    }

    /// The kinds of operation on offer.
    fn kinds(&self) -> Vec<Kind> {
        let offers = |kind: &Kind| !self.amounts(*kind).is_empty();
        Kind::ALL.into_iter().filter(offers).collect()
    }

    fn amounts(&self, kind: Kind) -> Vec<i64> {
        let rulebook = self.round.rulebook();
        let offers = rulebook.offers(self.round.position());
        let operations = offers.filter_map(|offer| rulebook.operation(offer.choice?));
        operations.filter(|operation| operation.kind() == kind).map(|operation| operation.amount()).collect()
    }

    /// The answers a person would type for this move. Used to print a computer's move the same way.
    pub fn typed(&self, choice: Choice) -> Vec<String> {
        match self.round.rulebook().wording().menu() {
            Menu::Questions => {
                let operation = self.round.rulebook().operation(choice);
                let words = |operation: Operation| {
                    [operation.kind().word().to_owned(), operation.amount().to_string()]
                };
                operation.map(words).into_iter().flatten().collect()
            }
            Menu::All | Menu::Legal => menu::lines(self.round)
                .into_iter()
                .filter(|(_, offer)| offer.choice == Some(choice))
                .map(|(key, _)| key)
                .collect(),
        }
    }

    /// A past move or skipped turn, by its place in the history.
    pub fn moved(&self, place: usize) -> Option<String> {
        let ply = self.round.history().get(place)?;
        Some(match ply.a_move {
            Move::Skip => self.say_of(Sentence::Skip, ply.player(), |_| None),
            Move::Operation(choice) => {
                let is_own = ply.owner == ply.player();
                let sentence = if is_own { Sentence::Moved } else { Sentence::MovedOther };
                self.say_of(sentence, ply.player(), |name| match name {
                    "before" => Some(ply.before.number_of(ply.owner).to_string()),
                    _ => operation_words(name, self.round.rulebook().label(&ply.before, choice)),
                })
            }
        })
    }

    /// A computer's past move in one line, the same in every game: "Pip plays x2, from 4 to 8."
    pub fn moved_in_short(&self, place: usize) -> Option<String> {
        let ply = self.round.history().get(place)?;
        let operation = self.round.rulebook().operation(ply.a_move.choice()?)?;
        let whose = match ply.owner {
            owner if owner == ply.player() => String::new(),
            owner if self.voice.computers[owner] => format!(" on {}'s number", self.name(owner)),
            _ => " on your number".to_owned(),
        };
        let (player, before) = (self.name(ply.player()), ply.before.number_of(ply.owner));
        let number = (self.voice.paint)(Tint::Number, ply.number.to_string());
        Some(format!("{player} plays {operation}{whose}, from {before} to {number}."))
    }

    /// Why the round ended, without the winner; `None` until it ends.
    pub fn how_it_ended(&self) -> Option<String> {
        let (sentence, who) = self.ending_sentence(self.round.outcome()?);
        let times = self.round.rulebook().repetition().map(|times| phrases::in_words(times.into()));
        Some(self.say_of(sentence, who, |name| (name == "times").then(|| times.clone()).flatten()))
    }

    /// Why the round ended, and who won; `None` until it ends.
    pub fn ending(&self) -> Option<String> {
        let outcome = self.round.outcome()?;
        let why = self.how_it_ended()?;
        let last = match outcome.winner {
            Some(winner) => self.say_of(Sentence::Wins, winner, |name| match name {
                "winner" => Some(self.name(winner)),
                "loser" => Some(self.name(!winner)),
                _ => None,
            }),
            // These sentences already mention that nobody wins.
            None if outcome.ending.is_without_result() => String::new(),
            None => self.say(Sentence::Drawn, |_| None),
        };
        Some([why, last].into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"))
    }

    /// The sentence for an ending, and the player it's about.
    fn ending_sentence(&self, outcome: Outcome) -> (Sentence, Player) {
        let round = self.round;
        let owner = round.history().last().map_or(round.first(), |ply| ply.owner);
        let on_turn = round.position().turn();
        match outcome.ending {
            Ending::Reached => (Sentence::Reached, owner),
            Ending::Overshot => (Sentence::Overshot, owner),
            Ending::Landed => (Sentence::Landed, owner),
            Ending::Stuck if round.rulebook().stuck() == crate::format::Stuck::Skips => {
                (Sentence::BothStuck, on_turn)
            }
            Ending::Stuck => (Sentence::Stuck, on_turn),
            Ending::Closest => (Sentence::Closest, outcome.winner.unwrap_or(on_turn)),
            Ending::Turns => (Sentence::Turns, outcome.winner.unwrap_or(on_turn)),
            Ending::Resigned => (Sentence::Resigned, outcome.winner.map_or(on_turn, |winner| !winner)),
            Ending::Repetition => (Sentence::Repetition, on_turn),
            Ending::Stopped => (Sentence::Stopped, on_turn),
            Ending::Forfeited => (Sentence::Forfeited, on_turn),
            Ending::Abandoned => (Sentence::Abandoned, on_turn),
        }
    }

    /// Every move with its result, or why it isn't legal now. The reply to `moves`.
    pub fn all_moves(&self) -> String {
        let rulebook = self.round.rulebook();
        let position = self.round.position();
        let offers: Vec<Offer> = rulebook.offers(position).collect();
        // Shows a long list in columns, without labels.
        let is_long = offers.len() > MOST_MOVES;
        let lines = offers.iter().map(|offer| {
            let name = match is_long {
                true => rulebook.write_offer(offer),
                false => {
                    format!("  {}  {}:", rulebook.write_offer(offer), rulebook.label_of_offer(offer))
                }
            };
            match offer.result {
                Ok(number) => {
                    let a_move = offer.choice.map_or(Move::Skip, Move::Operation);
                    let before = position.number_of(rulebook.owner(position, a_move));
                    format!("{name} from {before} to {number}")
                }
                Err(why) => {
                    let line = format!("{name} not allowed: {}", self.refusal(why));
                    (self.voice.paint)(Tint::Barred, line)
                }
            }
        });
        if is_long {
            return page::columns(&lines.collect::<Vec<_>>());
        }
        lines.collect::<Vec<_>>().join("\n")
    }

    fn unless_empty(&self, sentence: Sentence) -> Option<String> {
        Some(self.say(sentence, |_| None)).filter(|said| !said.is_empty())
    }

    fn name(&self, player: Player) -> String {
        (self.voice.paint)(Tint::Player(player), self.voice.names[player].clone())
    }

    /// A sentence about the player to move.
    fn say(&self, sentence: Sentence, special: impl Fn(&str) -> Option<String>) -> String {
        self.say_of(sentence, self.round.position().turn(), special)
    }

    /// A sentence about a player. `special` fills the placeholders that only this sentence has.
    fn say_of(&self, sentence: Sentence, player: Player, special: impl Fn(&str) -> Option<String>) -> String {
        let rulebook = self.round.rulebook();
        let paint = |tint, text| (self.voice.paint)(tint, text);
        let number = |of| paint(Tint::Number, self.round.number_of(of).to_string());
        let wording = rulebook.wording();
        let special_default = match (self.voice.computers[player], self.voice.computers[!player]) {
            (false, true) => wording.to_you(sentence),
            (true, false) => wording.to_computer(sentence),
            _ => None,
        };
        special_default.unwrap_or(wording.sentence(sentence)).fill(|name| {
            if let Some(text) = special(name) {
                return text;
            }
            match name {
                "title" => rulebook.title().to_owned(),
                "goal" => describe::goal(rulebook),
                "target" => {
                    paint(Tint::Target, rulebook.target().map_or("none".to_owned(), |t| t.to_string()))
                }
                "start" => match rulebook.start() {
                    (a, b) if a == b => paint(Tint::Number, a.to_string()),
                    (a, b) => format!(
                        "{} and {}",
                        paint(Tint::Number, a.to_string()),
                        paint(Tint::Number, b.to_string())
                    ),
                },
                "player" => self.name(player),
                "opponent" => self.name(!player),
                "You" if self.voice.computers[player] => self.name(player),
                "You" => "You".to_owned(),
                "Your" if self.voice.computers[player] => format!("{}'s", self.name(player)),
                "Your" => "Your".to_owned(),
                "number" => number(player),
                "other" => number(!player),
                "previous" => match self.round.last_choice_of(player) {
                    Some((ply, choice)) => rulebook.label(&ply.before, choice),
                    None => rulebook.wording().sentence(Sentence::None).fill(|_| String::new()),
                },
                _ => String::new(),
            }
        })
    }

    /// Whether a player has to choose now.
    pub fn asks(&self) -> bool {
        matches!(self.round.situation(), Situation::Choose(_))
    }
}

/// A move's label, at the start of a sentence or inside it.
fn operation_words(name: &str, label: String) -> Option<String> {
    match name {
        "Operation" => Some(label),
        "operation" => Some(phrases::uncapitalised(&label)),
        "to_operation" => Some(match phrases::starts_with_verb(&label) {
            true => format!("to {}", phrases::uncapitalised(&label)),
            false => label,
        }),
        _ => None,
    }
}
