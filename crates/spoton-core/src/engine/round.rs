//! A round, from the opening to the end, with history, undo and the house rule.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::records::read_move;
//!
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build()?);
//! let mut round = Round::new(maze, Player::One);
//! for written in ["x2", "x2", "+1"] {
//!     round.play(read_move(written, &round)?)?;
//! }
//! assert_eq!((round.position().number(), round.history().len()), (5, 3));
//! round.undo();
//! assert_eq!((round.position().number(), round.outcome()), (4, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::engine::play::{Ending, Move, Outcome, Refusal, Situation, Step};
use crate::engine::position::{Choice, Player, Position};
use crate::engine::rulebook::Rulebook;

/// A round in progress or finished.
#[derive(Clone, Debug)]
pub struct Round {
    rulebook: Arc<Rulebook>,
    opening: Position,
    position: Position,
    history: Vec<Ply>,
    outcome: Option<Outcome>,
    /// How often a position may occur before the round is drawn; `None` if that can't happen.
    most_occurrences: Option<u8>,
    /// How often each position has occurred. Only tracked if the house rule may need it.
    occurrences: HashMap<Position, u32>,
}

/// A move with the position before it and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The position before.
    pub before: Position,
    /// The move.
    pub a_move: Move,
    /// The player whose number it changed. For a skipped turn: the player whose turn it was.
    pub owner: Player,
    /// The exact resulting number. For a skipped turn: the unchanged number.
    pub number: i128,
}

impl Ply {
    /// The player who moved.
    pub fn player(&self) -> Player {
        self.before.turn()
    }
}

/// Why a round refuses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotPlay {
    /// The round is over.
    #[error("the round is over")]
    Over,
    /// The rules refuse it.
    #[error("that move isn't legal: {0}")]
    Refused(#[from] Refusal),
}

impl Round {
    /// A new round. It may already be over if the starting player is stuck.
    pub fn new(rulebook: Arc<Rulebook>, first: Player) -> Round {
        let opening = rulebook.opening(first);
        Round::from_position(rulebook, opening)
    }

    /// A round that starts at a position, as parsed by [`Rulebook::read_position`]. The player to move there
    /// goes first.
    pub fn from_position(rulebook: Arc<Rulebook>, opening: Position) -> Round {
        let most = rulebook.repetition().filter(|_| rulebook.may_repeat());
        Round::with_house_rule(rulebook, opening, most)
    }

    /// A new round without the house rule, for setting up positions.
    pub fn without_house_rule(rulebook: Arc<Rulebook>, first: Player) -> Round {
        let opening = rulebook.opening(first);
        Round::with_house_rule(rulebook, opening, None)
    }

    fn with_house_rule(rulebook: Arc<Rulebook>, opening: Position, most_occurrences: Option<u8>) -> Round {
        let mut round = Round {
            rulebook,
            opening,
            position: opening,
            history: Vec::new(),
            outcome: None,
            most_occurrences,
            occurrences: HashMap::new(),
        };
        round.arrive();
        round
    }

    /// The game.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The player with the first turn.
    pub fn first(&self) -> Player {
        self.opening.turn()
    }

    /// The first position.
    pub fn opening(&self) -> &Position {
        &self.opening
    }

    /// The current position. In a finished round, the position before or after the last move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far, including skipped turns.
    pub fn history(&self) -> &[Ply] {
        &self.history
    }

    /// How the round ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The options of the player to move.
    pub fn situation(&self) -> Situation<'_> {
        match self.outcome {
            Some(outcome) => Situation::Over(outcome),
            None => self.rulebook.situation(&self.position),
        }
    }

    /// A player's exact number, including the final one of a finished round.
    pub fn number_of(&self, player: Player) -> i128 {
        let shared = self.rulebook.numbers() == crate::engine::rulebook::Numbers::Shared;
        match self.history.last() {
            Some(ply) if shared || ply.owner == player => ply.number,
            _ => i128::from(self.position.number_of(player)),
        }
    }

    /// A player's last choice, whether or not the rules check it, and its ply.
    pub fn last_choice_of(&self, player: Player) -> Option<(&Ply, Choice)> {
        let mut own = self.history.iter().rev().filter(|ply| ply.player() == player);
        own.find_map(|ply| Some((ply, ply.a_move.choice()?)))
    }

    /// Makes a choice for the player to move, and the forced skips after it.
    ///
    /// # Errors
    ///
    /// As for [`Round::play`].
    pub fn choose(&mut self, choice: Choice) -> Result<(), CannotPlay> {
        self.play(Move::Operation(choice))?;
        self.skip_forced_turns();
        Ok(())
    }

    /// Skips turns without a legal move, until a player has a choice or the round is over. Only needed at an opening:
    /// [`Round::choose`] does it after each choice.
    pub fn skip_forced_turns(&mut self) {
        if self.rulebook.may_skip() {
            while self.situation() == Situation::Skip && self.play(Move::Skip).is_ok() {}
        }
    }

    /// Plays one move for the player to move. Unlike [`Round::choose`], it plays nothing else: records name every
    /// skipped turn.
    ///
    /// # Errors
    ///
    /// If the round is over or the move isn't legal. On error, nothing changes.
    pub fn play(&mut self, a_move: Move) -> Result<(), CannotPlay> {
        if self.outcome.is_some() {
            return Err(CannotPlay::Over);
        }
        let before = self.position;
        let owner = self.rulebook.owner(&before, a_move);
        match self.rulebook.play(&before, a_move)? {
            Step::On(position) => {
                let number = i128::from(position.number_of(owner));
                self.history.push(Ply { before, a_move, owner, number });
                self.position = position;
                self.arrive();
            }
            Step::Over { number, outcome } => {
                self.history.push(Ply { before, a_move, owner, number });
                self.outcome = Some(outcome);
            }
        }
        Ok(())
    }

    /// Resigns for a player.
    pub fn resign(&mut self, player: Player) {
        self.end(Some(!player), Ending::Resigned);
    }

    /// Ends a round that two computers would play for too long.
    pub fn stop(&mut self) {
        self.end(None, Ending::Stopped);
    }

    /// Ends a round because the player to move, an outside program, gave no valid answer. Nobody wins.
    pub fn forfeit(&mut self) {
        self.end(None, Ending::Forfeited);
    }

    /// Ends a round because the player to move didn't come back. Nobody wins.
    pub fn abandon(&mut self) {
        self.end(None, Ending::Abandoned);
    }

    fn end(&mut self, winner: Option<Player>, ending: Ending) {
        if self.outcome.is_none() {
            self.outcome = Some(Outcome { winner, ending });
        }
    }

    /// Undoes the last choice and the skipped turns after it. Returns `None` if there is none.
    pub fn undo(&mut self) -> Option<Ply> {
        let chosen = self.history.iter().rposition(|ply| ply.a_move != Move::Skip)?;
        let taken_back = self.history[chosen];
        let mut again =
            Round::with_house_rule(Arc::clone(&self.rulebook), self.opening, self.most_occurrences);
        for ply in &self.history[..chosen] {
            again.play(ply.a_move).ok()?;
        }
        *self = again;
        Some(taken_back)
    }

    /// The positions whose next occurrence makes the round a draw by the house rule.
    pub fn drawn_next_time(&self) -> HashSet<Position> {
        let Some(most) = self.most_occurrences else { return HashSet::new() };
        let often = |times: u32| times + 1 >= u32::from(most);
        self.occurrences.iter().filter(|(_, times)| often(**times)).map(|(position, _)| *position).collect()
    }

    /// Checks whether the new position ends the round.
    fn arrive(&mut self) {
        if let Situation::Over(outcome) = self.rulebook.situation(&self.position) {
            self.outcome = Some(outcome);
            return;
        }
        if let Some(most) = self.most_occurrences {
            let times = self.occurrences.entry(self.position).or_default();
            *times += 1;
            if *times >= u32::from(most) {
                self.end(None, Ending::Repetition);
            }
        }
    }
}
