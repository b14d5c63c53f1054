//! Sets up a position from a list of moves, in any spelling that people type.

use std::sync::Arc;

use super::{Unplayable, canonical, read_move};
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::engine::spelling;
use crate::format::{Rulebook, quotable};

/// A move in the list can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("move {place}: {}: {why}", quotable(.written))]
pub struct BadMove {
    /// Its number in the list, from 1.
    pub place: usize,
    /// The move as given.
    pub written: String,
    /// Why it can't be played.
    pub why: Unplayable,
}

/// Plays moves from the opening, without the house rule: they only set up a position.
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
/// assert_eq!(bad.to_string(), "move 2: x2: not one of this game's moves: +1 or +2");
/// # Ok::<(), spoton::records::BadMove>(())
/// ```
///
/// # Errors
///
/// The first move that can't be played, and why.
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

/// Splits a list of moves on one line at spaces or commas. A move in signs or words may contain spaces; a label of
/// several words needs commas around it.
///
/// ```
/// use spoton::records::listed_moves;
///
/// assert_eq!(listed_moves("x2 +1").collect::<Vec<_>>(), ["x2", "+1"]);
/// assert_eq!(listed_moves("add 1, × 2, +1").collect::<Vec<_>>(), ["add 1", "× 2", "+1"]);
/// assert_eq!(listed_moves("× 2 + 1 add 1").collect::<Vec<_>>(), ["× 2", "+ 1", "add 1"]);
/// ```
pub fn listed_moves(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').flat_map(spelling::listed)
}
