//! The games that come with Spot On. Each is a file in `rulebooks/`; this list is all that code knows of them.
//!
//! ```
//! use spoton::format::catalog;
//!
//! assert_eq!(catalog::find("maze"), ["number-maze"]);
//! let maze = catalog::draft("number-maze").unwrap();
//! let to_fifty = maze.variant("to-50")?.build()?;
//! assert_eq!(to_fifty.target(), Some(50));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::draft::Draft;

macro_rules! rulebooks {
    ($($id:literal),+ $(,)?) => {
        &[$(($id, include_str!(concat!("../../rulebooks/", $id, ".toml")))),+]
    };
}

/// Ids and texts, in the order in which they are offered.
const RULEBOOKS: &[(&str, &str)] = rulebooks![
    "operation-target",
    "sequence-math-duel",
    "target-twenty-one",
    "number-maze",
    "double-or-add",
    "race-to-23",
    "twenty-one-loses",
    "take-away",
    "fair-shares",
    "keep-off-primes",
    "break-it-down",
    "pick-a-digit",
    "digit-climb",
    "half-at-most",
    "two-castles",
];

/// The game for somebody who wants to play at once and has not said what: short, with a turn or two that decide.
pub const FIRST: &str = "number-maze";

/// The game for two who have not said what: its rules are told in a sentence.
pub const FOR_TWO: &str = "race-to-23";

/// The ids of all games, in order.
pub fn ids() -> impl Iterator<Item = &'static str> + Clone {
    RULEBOOKS.iter().map(|(id, _)| *id)
}

/// A game's rule book as it was written.
pub fn text(id: &str) -> Option<&'static str> {
    RULEBOOKS.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// A game's rule book, read.
pub fn draft(id: &str) -> Option<Draft> {
    Some(Draft::read(&format!("{id}.toml"), text(id)?))
}

/// The ids that a name stands for: the one that it is, or all those that it is a part of.
pub fn find(name: &str) -> Vec<&'static str> {
    match ids().find(|id| *id == name) {
        Some(exact) => vec![exact],
        None if name.is_empty() => vec![],
        None => ids().filter(|id| id.contains(name)).collect(),
    }
}
