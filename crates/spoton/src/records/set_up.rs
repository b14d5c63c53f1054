//! A position set up by a list of moves, in any spelling that people type.

use std::sync::Arc;

use super::{Unplayable, canonical, read_move};
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::{Rulebook, quotable};
use crate::words::typed;

/// A move of a list cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("move {place}: {}: {why}", quotable(.written))]
pub struct BadMove {
    /// Which move of the list it is, from 1.
    pub place: usize,
    /// The move as it was written.
    pub written: String,
    /// Why it cannot be played.
    pub why: Unplayable,
}

/// Plays moves from the opening. The house rule is not applied: the moves only set up a position.
///
/// ```
/// use std::sync::Arc;
/// use spoton::format::Draft;
/// use spoton::records::set_up;
///
/// let text = "title = 'Five'\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']";
/// let rulebook = Arc::new(Draft::read("five.toml", text).build().unwrap());
/// assert_eq!(set_up(&rulebook, ["+2", "+1"])?.position().number(), 3);
/// let bad = set_up(&rulebook, ["+2", "x2"]).unwrap_err();
/// assert_eq!(bad.to_string(), "move 2: x2: not one of the moves of this game: +1 or +2");
/// # Ok::<(), spoton::records::BadMove>(())
/// ```
///
/// # Errors
///
/// The first move that cannot be played, and why.
pub fn set_up<'a>(
    rulebook: &Arc<Rulebook>,
    moves: impl IntoIterator<Item = &'a str>,
) -> Result<Round, BadMove> {
    let mut round = Round::without_house_rule(Arc::clone(rulebook), Player::One);
    for (index, written) in moves.into_iter().enumerate() {
        let fail = |why| BadMove { place: index + 1, written: written.to_owned(), why };
        if round.outcome().is_some() {
            return Err(fail(Unplayable::RoundIsOver));
        }
        let a_move = read_move(&canonical(written, &round), &round).map_err(fail)?;
        round.play(a_move).map_err(|cannot| fail(Unplayable::new(rulebook, cannot)))?;
    }
    Ok(round)
}

/// The moves of a list on one line, separated by spaces or commas. A move in several words needs commas around it.
///
/// ```
/// use spoton::records::listed_moves;
///
/// assert_eq!(listed_moves("x2 +1").collect::<Vec<_>>(), ["x2", "+1"]);
/// assert_eq!(listed_moves("add 1, × 2, +1").collect::<Vec<_>>(), ["add 1", "× 2", "+1"]);
/// ```
pub fn listed_moves(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').flat_map(|part| {
        let part = part.trim();
        let is_one = typed::written(part).is_some();
        let words = part.split(move |c: char| c == ' ' && !is_one);
        words.filter(|word| !word.is_empty())
    })
}
