//! A sitting's commands and errors, and the results of a finished round.

use crate::engine::position::{Choice, Player};
use crate::evaluate::opponent::{Opponent, UnknownOpponent};
use crate::format::BadGame;
use crate::records::{BadRecord, Record, Refused, Unplayable};
use crate::solver::Unsolved;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Makes a choice. The forced skips after it follow from the rules, so they need no command and are no events.
    Play(Choice),
    /// The same, in notation.
    Write(String),
    /// Undoes the last move. Against a computer, goes back to the person's last turn.
    TakeBack,
    /// Undoes a player's last move and everything after it.
    TakeBackOf(Player),
    /// Counts a rejected answer of the player to move.
    Refuse(Refused),
    /// Gives up the round.
    Resign(Player),
    /// Stops a round that two computers have played for too long.
    Stop,
    /// Ends a round because the player to move, an outside program, gave no valid answer.
    Forfeit,
    /// Ends a round because the player to move didn't return.
    Abandon,
    /// Starts the match's next round, or another match's first round. The starter alternates.
    NextRound,
    /// Starts the next round with this starter, if the seats can be swapped. Pass
    /// [`Sitting::next_first`](super::Sitting::next_first) to play again, or the opponent to swap seats.
    PlayAgain {
        /// The starter.
        first: Player,
    },
    /// Continues the round from after its first moves, to try something out.
    PlayOn {
        /// The number of moves to keep.
        moves: usize,
    },
    /// Draws a new target for the next rounds.
    AnotherTarget,
}

/// Why a command failed. The state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cannot {
    /// Solving exceeds the limits or was canceled.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// The move isn't legal now.
    #[error(transparent)]
    Refused(#[from] Unplayable),
    /// The round is over.
    #[error("the round is over")]
    RoundIsOver,
    /// The round isn't over yet.
    #[error("the round isn't over yet")]
    RoundGoesOn,
    /// Batched rounds aren't ready.
    #[error("the rounds haven't started, or a step was interrupted: reset them")]
    NotBegun,
    /// It's the opponent's turn.
    #[error("it's your opponent's turn")]
    NotTheirTurn,
    /// Undo is off.
    #[error("Undo is off in this round.")]
    UndoIsOff,
    /// There's no choice to undo.
    #[error("There's nothing to undo.")]
    NothingToTakeBack,
    /// Seats can't be swapped in a match, in a daily duel or between two people.
    #[error("You can't swap seats here.")]
    SeatsAreFixed,
    /// No other target fits the game.
    #[error("This game has no other target.")]
    NoOtherTarget,
    /// The game is invalid with this setup.
    #[error(transparent)]
    BadGame(#[from] BadGame),
    /// Unknown opponent.
    #[error(transparent)]
    UnknownOpponent(#[from] UnknownOpponent),
    /// The opponent needs a solved game.
    #[error("this opponent needs a solved game")]
    NeedsSolution,
    /// A record can't be read or replayed.
    #[error("{0}")]
    BadRecord(BadRecord),
    /// The text contains no round.
    #[error("this file has no rounds")]
    NoRound,
    /// An earlier round of the match is unfinished.
    #[error("an earlier round isn't over")]
    EarlierRoundOpen,
    /// The event doesn't follow from those before it.
    #[error("the event \"{0}\" doesn't fit here")]
    DoesNotFollow(&'static str),
}

impl Cannot {
    /// Maps "too large" to `None`.
    pub(super) fn unless_too_large<T>(self) -> Result<Option<T>, Cannot> {
        if self.is_too_large() { Ok(None) } else { Err(self) }
    }

    /// Whether the game is too large or takes too long to solve. Everything that needs no solution still works.
    pub fn is_too_large(&self) -> bool {
        matches!(self, Cannot::Unsolved(why) if !matches!(why, Unsolved::Stopped { .. }))
    }
}

/// The results of a finished round.
#[derive(Clone, Debug, PartialEq)]
pub struct Aftermath {
    /// The record of the round.
    pub record: Record,
    /// Whether the round counts. A try-out after a review doesn't.
    pub counts: bool,
    /// The next opponent, if the adaptive opponent moved up or down.
    pub next_opponent: Option<Opponent>,
}

impl Aftermath {
    /// The next opponent, in words.
    pub fn meets_next(&self) -> Option<String> {
        self.next_opponent
            .map(|opponent| format!("Next opponent: {}. {}.", opponent.title(), opponent.habit()))
    }
}
