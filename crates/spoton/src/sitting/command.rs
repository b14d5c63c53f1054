//! What somebody may want of a sitting, why it cannot be done, and what the end of a round brings.

use crate::engine::play::Move;
use crate::engine::position::Player;
use crate::format::BadGame;
use crate::people::opponent::{Opponent, UnknownOpponent};
use crate::records::{BadRecord, Record, Refused, Unplayable};
use crate::solver::Unsolved;

/// What somebody wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Makes a move. A skipped turn is a move, but no event: it follows from the rules.
    Play(Move),
    /// The same, as records write it.
    Write(String),
    /// Takes back the last move; against a computer, back to the person's own last turn.
    TakeBack,
    /// Takes back a player's own last move, and what came after it.
    TakeBackOf(Player),
    /// Counts an answer of the player on turn that does not count.
    Refuse(Refused),
    /// Gives the round up.
    Resign(Player),
    /// Ends a round in which two computers have gone on for too long.
    Stop,
    /// Ends a round in which the player on turn, an outside program, gave no answer that counts.
    Forfeit,
    /// Ends a round that the player on turn did not come back to.
    Abandon,
    /// Begins the next round of the match, or the first of another. The starter alternates.
    NextRound,
    /// Begins the next round with this starter, if the seats can be swapped at all:
    /// [`Sitting::next_first`](super::Sitting::next_first) if the players just play again, the other player if they swap
    /// seats.
    PlayAgain {
        /// Who starts.
        first: Player,
    },
    /// Takes the round up again after its first so many moves, to try something out.
    PlayOn {
        /// How many.
        moves: usize,
    },
    /// Draws another target for the rounds to come.
    AnotherTarget,
}

/// Why something cannot be done. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cannot {
    /// Looking ahead takes more than there is, or was stopped.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// The move is not legal now.
    #[error(transparent)]
    Refused(#[from] Unplayable),
    /// The round is over.
    #[error("the round is over; there is nothing to go on with")]
    RoundIsOver,
    /// The round is not over yet.
    #[error("the round is not over yet")]
    RoundGoesOn,
    /// Rounds that are played together are not where they should be.
    #[error("the rounds have not begun, or a step was broken off: reset them")]
    NotBegun,
    /// It is the other player's turn.
    #[error("it is the other player's turn")]
    NotTheirTurn,
    /// These terms are without taking back.
    #[error("Taking back is off in this round.")]
    UndoIsOff,
    /// No choice was made that could be taken back.
    #[error("There is nothing to take back.")]
    NothingToTakeBack,
    /// The seats of a match, of the duel of a day and of two people are not a matter of choice.
    #[error("You can't swap seats here.")]
    SeatsAreFixed,
    /// There is no other target that fits the game.
    #[error("This game has no other target to offer.")]
    NoOtherTarget,
    /// The game cannot be played as it is set up.
    #[error(transparent)]
    BadGame(#[from] BadGame),
    /// An opponent that nobody knows.
    #[error(transparent)]
    UnknownOpponent(#[from] UnknownOpponent),
    /// The opponent needs the game to be solved.
    #[error("this opponent needs the game to be solved")]
    NeedsSolution,
    /// A record cannot be read or replayed.
    #[error("{0}")]
    BadRecord(BadRecord),
    /// A text holds no round.
    #[error("there is no round in it")]
    NoRound,
    /// A match goes on before one of its rounds is over.
    #[error("a round before the last is not over")]
    EarlierRoundOpen,
    /// An event does not follow from what was before it.
    #[error("the event \"{0}\" does not fit here")]
    DoesNotFollow(&'static str),
}

impl Cannot {
    /// Nothing instead of an answer, if the game is too large for one.
    pub(super) fn unless_too_large<T>(self) -> Result<Option<T>, Cannot> {
        if self.is_too_large() { Ok(None) } else { Err(self) }
    }

    /// Whether the game is too large, or would take too long: what can be done without looking ahead can be done all the
    /// same.
    pub fn is_too_large(&self) -> bool {
        matches!(self, Cannot::Unsolved(why) if !matches!(why, Unsolved::Stopped { .. }))
    }
}

/// What the end of a round brought with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Aftermath {
    /// The round as it was played.
    pub record: Record,
    /// Whether it counts: what is tried out after looking back does not.
    pub counts: bool,
    /// Who sits there next time, if the adaptive opponent went up or down.
    pub next_opponent: Option<Opponent>,
}

impl Aftermath {
    /// Who sits there next time, in words.
    pub fn meets_next(&self) -> Option<String> {
        self.next_opponent
            .map(|opponent| format!("Next time you meet {}. {}.", opponent.title(), opponent.habit()))
    }
}
