//! Reads one move: as records write it, and as people type it.

use std::borrow::Cow;

use crate::engine::play::{Move, Refusal, Situation};
use crate::engine::position::Player;
use crate::engine::round::{CannotPlay, Round};
use crate::engine::vocabulary::Vocabulary;
use crate::engine::written::{SKIP, Written};
use crate::format::Rulebook;
use crate::text::or_list;
use crate::words;

/// Why a written move can't be played, as the rest of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unplayable {
    /// It isn't one of the game's moves.
    #[error("not one of this game's moves: {}", or_list(moves))]
    NotAMove {
        /// The game's moves.
        moves: Vec<String>,
    },
    /// A skip was written although there is a legal move.
    #[error("you can only skip a turn when no move is legal")]
    CannotSkip,
    /// The player has no legal move, so a skip must come first.
    #[error("{player} has no legal move here; write {SKIP} first")]
    MustSkip {
        /// The player without a legal move.
        player: Player,
    },
    /// The move isn't legal now.
    #[error("{in_words}")]
    NotLegal {
        /// The rule that refuses it.
        why: Refusal,
        /// The explanation that all surfaces show.
        in_words: String,
    },
    /// The round is over.
    #[error("the round was already over")]
    RoundIsOver,
}

impl Unplayable {
    /// From the engine's reason.
    pub fn new(rulebook: &Rulebook, cannot: CannotPlay) -> Unplayable {
        match cannot {
            CannotPlay::Over => Unplayable::RoundIsOver,
            CannotPlay::Refused(why) => Unplayable::NotLegal { why, in_words: words::refusal(rulebook, why) },
        }
    }
}

/// Converts any spelling that people type (`×2`, `+ 1`, `add 1` or a label) to that of records. Returns other
/// text unchanged. Records and logs skip this: they have one spelling.
///
/// ```
/// use std::sync::Arc;
/// use spoton::engine::{position::Player, round::Round};
/// use spoton::format::catalog;
/// use spoton::records::canonical;
///
/// let maze = catalog::draft("number-maze").unwrap().build()?;
/// let round = Round::new(Arc::new(maze), Player::One);
/// for typed in ["x2", "×2", "X 2", "*2", "double", "Multiply by 2"] {
///     assert_eq!(canonical(typed, &round), "x2");
/// }
/// assert_eq!(canonical("up", &round), "up");
/// # Ok::<(), spoton::format::Problems>(())
/// ```
pub fn canonical<'a>(typed: &'a str, round: &Round) -> Cow<'a, str> {
    if typed == SKIP || typed.parse::<Written>().is_ok() {
        return Cow::Borrowed(typed);
    }
    match Vocabulary::new(round).move_of(typed) {
        Some(written) => Cow::Owned(written.to_string()),
        None => Cow::Borrowed(typed),
    }
}

/// Reads a move in the spelling of records.
///
/// ```
/// use std::sync::Arc;
/// use spoton::engine::{play::Refusal, position::Player, round::Round};
/// use spoton::format::Draft;
/// use spoton::records::{Unplayable, read_move};
///
/// let text = "title = 'Five'\nstart = 4\ntarget = 5\nmoves = ['+1', '+2']\npast = 'forbidden'";
/// let mut round = Round::new(Arc::new(Draft::read("five.toml", text).build()?), Player::One);
/// let refused = read_move("+2", &round).unwrap_err();
/// assert!(matches!(refused, Unplayable::NotLegal { why: Refusal::PastTarget { .. }, .. }));
/// assert_eq!(refused.to_string(), "goes past 5");
/// round.play(read_move("+1", &round)?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If it isn't a move of this game, or isn't legal now. Only [`Round::play`] checks whether the round is
/// over.
pub fn read_move(written: &str, round: &Round) -> Result<Move, Unplayable> {
    if written == SKIP {
        return match round.situation() {
            Situation::Skip => Ok(Move::Skip),
            _ => Err(Unplayable::CannotSkip),
        };
    }
    let rulebook = round.rulebook();
    match written.parse().ok().and_then(|operation| rulebook.choice(operation)) {
        Some(choice) => match rulebook.result(round.position(), choice) {
            Ok(_) => Ok(Move::Operation(choice)),
            Err(_) if round.situation() == Situation::Skip => {
                Err(Unplayable::MustSkip { player: round.position().turn() })
            }
            Err(why) => Err(Unplayable::new(rulebook, CannotPlay::Refused(why))),
        },
        None => {
            let mut moves: Vec<String> = Vec::new();
            for written in rulebook.moves().iter().map(ToString::to_string) {
                // Entries that differ only in their conditions are written the same way.
                if !moves.contains(&written) {
                    moves.push(written);
                }
            }
            Err(Unplayable::NotAMove { moves })
        }
    }
}
