//! One move as records write it, read in a round; and as people type it.

use std::borrow::Cow;

use crate::engine::play::{Move, Refusal, Situation};
use crate::engine::position::Player;
use crate::engine::round::{CannotPlay, Round};
use crate::engine::written::{SKIP, Written};
use crate::format::Rulebook;
use crate::words::answer::Vocabulary;
use crate::words::phrases;

/// Why a move that was written down cannot be made; in words, the rest of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unplayable {
    /// It is none of the game's moves, and perhaps no move at all.
    #[error("not one of the moves of this game: {}", phrases::or_list(moves))]
    NotAMove {
        /// Those that there are.
        moves: Vec<String>,
    },
    /// A skipped turn was written where there is something to choose.
    #[error("a turn is only skipped where no move is legal")]
    CannotSkip,
    /// Nobody can move here, and the turn has to be skipped first.
    #[error("{player} has no legal move here; write {SKIP} first")]
    MustSkip {
        /// Who has no move.
        player: Player,
    },
    /// The rules refuse it now.
    #[error("{in_words}")]
    NotLegal {
        /// The rule that does.
        why: Refusal,
        /// The same in the words that all surfaces use.
        in_words: String,
    },
    /// The round is over.
    #[error("the round was over before it")]
    RoundIsOver,
}

impl Unplayable {
    pub(crate) fn new(rulebook: &Rulebook, cannot: CannotPlay) -> Unplayable {
        match cannot {
            CannotPlay::Over => Unplayable::RoundIsOver,
            CannotPlay::Refused(why) => {
                Unplayable::NotLegal { why, in_words: phrases::refusal(rulebook, why) }
            }
        }
    }
}

/// A move in the spelling of records, from any that people type: `×2`, `+ 1`, `add 1` or its label. Anything else is
/// returned as it is. Records and logs are read without this: they have one spelling.
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
    match Vocabulary::new(round, None).move_of(typed) {
        Some(written) => Cow::Owned(written.to_string()),
        None => Cow::Borrowed(typed),
    }
}

/// Reads a move as records write it.
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
/// Why it cannot be made: it is not a move of this game, or not legal now. Whether the round is over already, only
/// [`Round::play`] tells.
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
                // Entries that only differ in where they may be used are written alike.
                if !moves.contains(&written) {
                    moves.push(written);
                }
            }
            Err(Unplayable::NotAMove { moves })
        }
    }
}
