//! Counts of invalid answers, by kind.

use std::ops::{Index, IndexMut};

use serde::Serialize;

/// Why an answer is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refused {
    /// A move that isn't legal, or text from a person that isn't a move.
    Illegal,
    /// An outside program's answer isn't a move.
    Unreadable,
    /// An outside program took too long.
    Late,
    /// An outside program exited before it answered.
    Died,
    /// An outside program wrote far too much output.
    Flooded,
}

impl Refused {
    /// All reasons.
    pub const ALL: [Refused; 5] =
        [Refused::Illegal, Refused::Unreadable, Refused::Late, Refused::Died, Refused::Flooded];

    /// The word in JSON. The tag of records adds a capital letter and the player's number.
    pub fn word(self) -> &'static str {
        match self {
            Refused::Illegal => "illegal",
            Refused::Unreadable => "unreadable",
            Refused::Late => "late",
            Refused::Died => "died",
            Refused::Flooded => "flooded",
        }
    }

    /// Parses the word.
    pub fn from_word(word: &str) -> Option<Refused> {
        Refused::ALL.into_iter().find(|refused| refused.word() == word)
    }
}

/// Counts of a player's invalid answers, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals([u64; Refused::ALL.len()]);

impl Refusals {
    /// Adds one.
    pub fn count(&mut self, refused: Refused) {
        self.add(refused, 1);
    }

    /// Adds `many`.
    pub fn add(&mut self, refused: Refused, many: u64) {
        self[refused] = self[refused].saturating_add(many);
    }

    /// The count of each reason.
    pub fn iter(&self) -> impl Iterator<Item = (Refused, u64)> {
        Refused::ALL.into_iter().zip(self.0)
    }
}

impl Index<Refused> for Refusals {
    type Output = u64;

    fn index(&self, refused: Refused) -> &u64 {
        &self.0[refused as usize]
    }
}

impl IndexMut<Refused> for Refusals {
    fn index_mut(&mut self, refused: Refused) -> &mut u64 {
        &mut self.0[refused as usize]
    }
}
