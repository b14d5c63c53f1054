//! Positions as vectors of integers, for learning programs.
//!
//! ```
//! use spoton::engine::observation::{features, observe};
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//!
//! let maze = catalog::draft("number-maze").unwrap().build()?;
//! let alphabet = maze.alphabet();
//! let names: Vec<String> = features(&maze, &alphabet).into_iter().map(|feature| feature.name).collect();
//! assert_eq!(names, ["number", "on turn"]);
//! let opening = maze.opening(Player::Two);
//! assert_eq!(observe(&maze, &alphabet, &opening, [1, 1], false, Player::One), [1, 0]);
//! # Ok::<(), spoton::format::Problems>(())
//! ```

use crate::engine::alphabet::Alphabet;
use crate::engine::position::{Player, Position};
use crate::engine::rulebook::{NoRepeat, Numbers, Pool, Rulebook};

/// A component of an observation, with its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// A descriptive name.
    pub name: String,
    /// The smallest value.
    pub low: i64,
    /// The largest value.
    pub high: i64,
}

/// The components of an observation, in order.
pub fn features(rulebook: &Rulebook, alphabet: &Alphabet) -> Vec<Feature> {
    let feature = |name: &str, low: i64, high: i64| Feature { name: name.to_owned(), low, high };
    let (low, high) = rulebook.range();
    let mut all = match rulebook.numbers() {
        Numbers::Shared => vec![feature("number", low - 1, high + 1)],
        Numbers::Separate => {
            vec![feature("own number", low - 1, high + 1), feature("other number", low - 1, high + 1)]
        }
    };
    all.push(feature("on turn", 0, 1));
    if rulebook.no_repeat() != NoRepeat::None {
        let most = alphabet.choices().len() as i64;
        all.extend([feature("own last move", 0, most), feature("other's last move", 0, most)]);
    }
    for entry in rulebook.moves() {
        let Some(uses) = entry.uses else { continue };
        let most = uses.limit.into();
        if uses.pool == Pool::Shared {
            all.push(feature(&format!("uses of {entry}"), 0, most));
            continue;
        }
        all.push(feature(&format!("own uses of {entry}"), 0, most));
        all.push(feature(&format!("other's uses of {entry}"), 0, most));
    }
    if let Some(passes) = rulebook.passes() {
        all.extend([feature("own passes", 0, passes.into()), feature("other's passes", 0, passes.into())]);
    }
    if let Some(turns) = rulebook.turns() {
        all.push(feature("turns taken", 0, 2 * i64::from(turns)));
    }
    all
}

/// A position from a player's view, in the order of [`features`]. A number outside the range (only a final
/// one can be) is clamped to one past the range. A last move is its index in the alphabet plus one, or 0 if
/// there is none.
///
/// `numbers` are the players' exact numbers, including the final one of a finished round.
pub fn observe(
    rulebook: &Rulebook,
    alphabet: &Alphabet,
    position: &Position,
    numbers: [i128; 2],
    is_over: bool,
    player: Player,
) -> Vec<i64> {
    let (low, high) = rulebook.range();
    let number = |player: Player| {
        let number = numbers[usize::from(player.number()) - 1];
        number.clamp(i128::from(low) - 1, i128::from(high) + 1) as i64
    };
    let mut seen = vec![number(player)];
    if rulebook.numbers() == Numbers::Separate {
        seen.push(number(!player));
    }
    seen.push(i64::from(!is_over && position.turn() == player));
    let both = [player, !player];
    if rulebook.no_repeat() != NoRepeat::None {
        let last = |player| position.last_of(player).and_then(|choice| alphabet.place(choice));
        seen.extend(both.map(|player| last(player).map_or(0, |place| place as i64 + 1)));
    }
    for (index, entry) in rulebook.entries() {
        let Some(uses) = entry.uses else { continue };
        seen.push(position.uses_of(player, index).into());
        if uses.pool != Pool::Shared {
            seen.push(position.uses_of(!player, index).into());
        }
    }
    if rulebook.passes().is_some() {
        seen.extend(both.map(|player| i64::from(position.passes_of(player))));
    }
    if rulebook.turns().is_some() {
        seen.push(position.plies().into());
    }
    seen
}
