//! Answers that do not count, and how many of each kind a player gave.

use std::ops::{Index, IndexMut};

/// Why an answer does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is a move, but not a legal one; or what a person typed is none.
    Illegal,
    /// An outside program's answer is no move at all.
    Unreadable,
    /// An outside program took too long.
    Late,
    /// An outside program ended before it had answered.
    Died,
    /// An outside program wrote far more than an answer.
    Flooded,
}

impl Refused {
    /// Every reason there is.
    pub const ALL: [Refused; 5] =
        [Refused::Illegal, Refused::Unreadable, Refused::Late, Refused::Died, Refused::Flooded];

    /// The word that JSON uses; with a capital letter, and the player's number behind it, it is the tag of records.
    pub fn word(self) -> &'static str {
        match self {
            Refused::Illegal => "illegal",
            Refused::Unreadable => "unreadable",
            Refused::Late => "late",
            Refused::Died => "died",
            Refused::Flooded => "flooded",
        }
    }

    /// The reason with that word.
    pub fn from_word(word: &str) -> Option<Refused> {
        Refused::ALL.into_iter().find(|refused| refused.word() == word)
    }
}

/// How many answers of a player did not count, for each reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals([u64; Refused::ALL.len()]);

impl Refusals {
    /// One more for a reason.
    pub fn count(&mut self, refused: Refused) {
        self.add(refused, 1);
    }

    /// So many more for a reason.
    pub fn add(&mut self, refused: Refused, many: u64) {
        self[refused] = self[refused].saturating_add(many);
    }

    /// How many there are for each reason.
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
