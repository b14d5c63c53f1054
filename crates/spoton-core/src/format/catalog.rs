//! The games that come with Spot On. Each is a file in `rulebooks/`. The code knows them only through this
//! list.
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

/// Ids and texts, in display order.
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

/// The game for a quick start: short, with a turn or two that matter.
pub const FIRST: &str = "number-maze";

/// The default game for two players. One sentence explains its rules.
pub const FOR_TWO: &str = "race-to-23";

/// All ids, in display order.
pub fn ids() -> impl Iterator<Item = &'static str> + Clone {
    RULEBOOKS.iter().map(|(id, _)| *id)
}

/// The text of a game's rule book.
pub fn text(id: &str) -> Option<&'static str> {
    RULEBOOKS.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// The draft of a game's rule book.
pub fn draft(id: &str) -> Option<Draft> {
    Some(Draft::read(&format!("{id}.toml"), text(id)?))
}

/// The ids that a name matches: the exact one, or all that contain it.
pub fn find(name: &str) -> Vec<&'static str> {
    match ids().find(|id| *id == name) {
        Some(exact) => vec![exact],
        None if name.is_empty() => vec![],
        None => ids().filter(|id| id.contains(name)).collect(),
    }
}
