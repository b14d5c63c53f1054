//! The named values (tags) that both forms of a record share. Everything but the moves is a tag.

use std::collections::HashMap;

use super::{BadRecord, Record, Refused, RoundResult, VERSION, parse_form, refused_tag, written_form};
use crate::engine::play::Ending;
use crate::engine::position::Player;
use crate::format::{is_unfit, quotable};

/// The tag for the form's version.
pub(super) const VERSION_TAG: &str = "SpotOn";
/// The tag of the game.
pub(super) const RULEBOOK_TAG: &str = "Rulebook";
/// The tag that may repeat.
pub(super) const SETTING: &str = "Setting";

/// A tag as read.
pub(super) struct Tag {
    /// Its line, if it has its own.
    pub line: Option<usize>,
    pub name: String,
    pub value: String,
}

/// Whether text may be a tag's name.
pub(super) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Record {
    /// The record's tags, in the order written.
    pub(super) fn tags(&self) -> Vec<(String, String)> {
        let mut tags = vec![(VERSION_TAG.to_owned(), self.version().to_string())];
        // Only settings and file names can contain characters that readers refuse.
        let mut add = |tag: &str, value: Option<String>| {
            tags.extend(value.map(|value| (tag.to_owned(), value.replace(is_unfit, " "))));
        };
        add(RULEBOOK_TAG, Some(self.rulebook.clone()));
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

    /// Reads a record without its moves.
    pub(super) fn from_tags(tags: Vec<Tag>) -> Result<Record, BadRecord> {
        let mut record = Record::empty();
        // Tags by name, each with its last place.
        let mut others: HashMap<String, (usize, String)> = HashMap::new();
        let mut last: HashMap<String, String> = HashMap::new();
        for (place, Tag { line, name: tag, value }) in tags.into_iter().enumerate() {
            let bad = |message: String| BadRecord { line, message };
            if !is_tag_name(&tag) {
                return Err(bad(format!(
                    "\"{}\" isn't a tag name; use letters, digits and _",
                    quotable(&tag)
                )));
            }
            if let Some(unfit) = value.chars().find(|c| is_unfit(*c)) {
                return Err(bad(format!(
                    "[{tag}] contains the character U+{:04X}, which isn't allowed",
                    u32::from(unfit)
                )));
            }
            let wrong = |allowed: &str| bad(format!("[{tag} \"{}\"] must be {allowed}", quotable(&value)));
            // Only the last value counts. Earlier ones are preserved.
            if tag != SETTING
                && let Some(superseded) = last.insert(tag.clone(), value.clone())
            {
                record.superseded.push((tag.clone(), superseded));
            }
            match tag.as_str() {
                VERSION_TAG => {
                    let version: u32 = value.parse().map_err(|_| wrong("a version number"))?;
                    if version > VERSION {
                        return Err(bad(format!(
                            "this record has version {version}; this Spot On reads versions up to {VERSION}. \
                             Use a newer Spot On"
                        )));
                    }
                }
                RULEBOOK_TAG => record.rulebook = value,
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
                MATCH if parse_form(&value).is_none() => return Err(wrong("\"first-to N\" or \"rounds N\"")),
                ROUND if !is_positive(&value) => return Err(wrong("a number from 1")),
                "Result" => {
                    record.result =
                        RoundResult::parse(&value).ok_or_else(|| wrong("1-0, 0-1, 1/2-1/2 or *"))?;
                }
                "Ending" => {
                    record.ending = Some(Ending::from_word(&value).ok_or_else(|| wrong("a known ending"))?);
                }
                _ => drop(others.insert(tag, (place, value))),
            }
        }
        if record.rulebook.is_empty() {
            return Err(BadRecord::new("this record has no [Rulebook \"…\"] tag; add the name of the game"));
        }
        let mut others: Vec<(usize, String, String)> =
            others.into_iter().map(|(tag, (place, value))| (place, tag, value)).collect();
        others.sort_unstable();
        record.other_tags = others.into_iter().map(|(_, tag, value)| (tag, value)).collect();
        record.superseded.sort_by(|(one, _), (other, _)| one.cmp(other));
        record.take_match();
        Ok(record)
    }

    /// Moves the match out of the other tags. Invalid values stay there unchanged.
    fn take_match(&mut self) {
        let value = |name: &str| self.other_tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value);
        let form = value(MATCH).and_then(|form| parse_form(form));
        let round = value(ROUND).map_or(Some(1), |round| round.parse().ok());
        self.in_match = form.zip(round);
        let is_of_match = |tag: &str| tag == MATCH || tag == ROUND;
        if self.in_match.is_some() {
            self.other_tags.retain(|(tag, _)| !is_of_match(tag));
        } else {
            // The order in which both forms write them.
            self.other_tags.sort_by_key(|(tag, _)| (!is_of_match(tag), is_of_match(tag) && tag == ROUND));
        }
    }

    /// Warnings about a readable record. Nothing is changed or left out.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (place, (tag, value)) in self.superseded.iter().enumerate() {
            // Once per tag.
            if self.superseded[..place].iter().all(|(earlier, _)| earlier != tag) {
                let value = quotable(value);
                warnings.push(format!(
                    "[{tag}] appears more than once, first as \"{value}\"; only the last one counts"
                ));
            }
        }
        for (tag, value) in &self.other_tags {
            let is_refused = Player::BOTH
                .into_iter()
                .any(|player| Refused::ALL.into_iter().any(|refused| *tag == refused_tag(refused, player)));
            let why = match tag.as_str() {
                ROUND if value.parse::<u32>().is_err() => "no such round; read as a single round",
                ROUND if self.other_tags.iter().all(|(tag, _)| tag != MATCH) => {
                    "no [Match] tag; read as a single round"
                }
                _ if is_refused && value.parse::<u64>().is_err() => "too large to count",
                _ => continue,
            };
            warnings.push(format!("[{tag} \"{}\"]: {why}", quotable(value)));
        }
        warnings
    }
}

/// The tags of a match.
const MATCH: &str = "Match";
const ROUND: &str = "Round";

/// Whether text is a number from 1, of any size.
fn is_positive(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) && text.chars().any(|c| c != '0')
}

/// The rules for names, in words.
pub const NAME_FORM: &str = "a name of 1 to 32 characters";

/// Whether text may be a player's name.
pub fn is_name(name: &str) -> bool {
    (1..=32).contains(&name.chars().count()) && !name.chars().any(is_unfit) && !name.trim().is_empty()
}
