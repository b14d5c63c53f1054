//! What both forms of a record have in common: everything but the moves is a list of named values.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{BadRecord, Record, RoundResult, VERSION, parse_form, written_form};
use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::format::{is_unfit, quotable};

/// The tag that may stand several times.
pub(super) const SETTING: &str = "Setting";

/// A tag as it was read.
pub(super) struct Tag {
    /// Its line; `None` if it has none of its own.
    pub line: Option<usize>,
    pub name: String,
    pub value: String,
}

/// Whether a text may be a tag's name.
pub(super) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Record {
    /// The record's tags, in the order in which they are written.
    pub(super) fn tags(&self) -> Vec<(String, String)> {
        let mut tags = vec![("SpotOn".to_owned(), self.version().to_string())];
        // Only a setting or the name of a file can have characters that no reader would take.
        let mut add = |tag: &str, value: Option<String>| {
            tags.extend(value.map(|value| (tag.to_owned(), value.replace(is_unfit, " "))));
        };
        add("Rulebook", Some(self.rulebook.clone()));
        add("Variant", self.variant.clone());
        for setting in &self.settings {
            add(SETTING, Some(setting.clone()));
        }
        add("Target", self.target.clone());
        add("Rules", self.rules.clone());
        for player in Player::BOTH {
            add(&format!("Player{}", player.number()), Some(self.players[player].clone()));
            add(&format!("Computer{}", player.number()), self.computers[player].clone());
        }
        add("First", Some(self.first.number().to_string()));
        if let Some((form, round)) = self.in_match {
            add("Match", Some(written_form(form)));
            add("Round", Some(round.to_string()));
        }
        add("Result", Some(self.result.word().to_owned()));
        add("Ending", self.ending.map(|ending| ending.word().to_owned()));
        for (tag, value) in &self.other_tags {
            add(tag, Some(value.clone()));
        }
        tags
    }

    /// A record without its moves.
    pub(super) fn from_tags(tags: Vec<Tag>) -> Result<Record, BadRecord> {
        let mut record = Record::empty();
        let (mut form, mut round) = (None, None);
        let mut others: HashMap<String, usize> = HashMap::new();
        for Tag { line, name: tag, value } in tags {
            let bad = |message: String| BadRecord { line, message };
            if !is_tag_name(&tag) {
                return Err(bad(format!(
                    "\"{}\" cannot be a tag: letters, digits and _ can",
                    quotable(&tag)
                )));
            }
            if let Some(unfit) = value.chars().find(|c| is_unfit(*c)) {
                return Err(bad(format!("[{tag}] has the character U+{:04X}", u32::from(unfit))));
            }
            let wrong =
                |allowed: &str| bad(format!("[{tag} \"{}\"]: this must be {allowed}", quotable(&value)));
            match tag.as_str() {
                "SpotOn" => {
                    let version: u32 = value.parse().map_err(|_| wrong("a version number"))?;
                    if version > VERSION {
                        return Err(bad(format!(
                            "this record has version {version}; this program knows versions up to {VERSION}. \
                             A newer Spot On can read it"
                        )));
                    }
                }
                "Rulebook" => record.rulebook = value,
                "Variant" => record.variant = Some(value),
                SETTING => record.settings.push(value),
                "Target" => record.target = Some(value),
                "Rules" => record.rules = Some(value),
                "Player1" | "Player2" if !is_name(&value) => return Err(wrong(NAME_FORM)),
                "Player1" => record.players[Player::One] = value,
                "Player2" => record.players[Player::Two] = value,
                "Computer1" => record.computers[Player::One] = Some(value),
                "Computer2" => record.computers[Player::Two] = Some(value),
                "First" => {
                    let player = value.parse().ok().and_then(Player::from_number);
                    record.first = player.ok_or_else(|| wrong("1 or 2"))?;
                }
                "Match" => {
                    form = Some(parse_form(&value).ok_or_else(|| wrong("\"first-to N\" or \"rounds N\""))?);
                }
                "Round" => {
                    let number = value.parse().ok().filter(|round| *round > 0);
                    round = Some(number.ok_or_else(|| wrong("a number from 1"))?);
                }
                "Result" => {
                    record.result =
                        RoundResult::parse(&value).ok_or_else(|| wrong("1-0, 0-1, 1/2-1/2 or *"))?;
                }
                "Ending" => {
                    record.ending = Some(Ending::from_word(&value).ok_or_else(|| wrong("a known ending"))?);
                }
                _ => match others.entry(tag) {
                    Entry::Occupied(known) => record.other_tags[*known.get()].1 = value,
                    Entry::Vacant(new) => {
                        record.other_tags.push((new.key().clone(), value));
                        new.insert(record.other_tags.len() - 1);
                    }
                },
            }
        }
        if record.rulebook.is_empty() {
            return Err(BadRecord::new("a record needs [Rulebook \"…\"]: which game was played?"));
        }
        record.in_match = form.map(|form| (form, round.unwrap_or(1)));
        Ok(record)
    }
}

/// What a name may be, in words.
pub const NAME_FORM: &str = "a name of 1 to 32 characters";

/// Whether a text may be a player's name.
pub fn is_name(name: &str) -> bool {
    (1..=32).contains(&name.chars().count()) && !name.chars().any(is_unfit) && !name.trim().is_empty()
}
