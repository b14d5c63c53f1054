//! One play of a game from its opening to its end: the history, taking moves back, and the house rule.
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
use crate::format::Rulebook;

/// A round under way or over.
#[derive(Clone, Debug)]
pub struct Round {
    rulebook: Arc<Rulebook>,
    opening: Position,
    position: Position,
    history: Vec<Ply>,
    outcome: Option<Outcome>,
    /// How often a position may come up before the round is drawn; `None` if that cannot happen.
    most_occurrences: Option<u8>,
    /// How often each position has come up; only kept where the house rule may need it.
    occurrences: HashMap<Position, u32>,
}

/// A move that was made, and what it was made from and to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Where it was made.
    pub before: Position,
    /// What was done.
    pub a_move: Move,
    /// Whose number it changed; for a skipped turn, that of the player whose turn it was.
    pub owner: Player,
    /// The number that it gave, in full; for a skipped turn, the number as it was.
    pub number: i128,
}

impl Ply {
    /// Whose move it was.
    pub fn player(&self) -> Player {
        self.before.turn()
    }
}

/// Why a move cannot be made in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotPlay {
    /// The round is over.
    #[error("the round is over")]
    Over,
    /// The rules refuse it.
    #[error("the rules refuse it: {0}")]
    Refused(#[from] Refusal),
}

impl Round {
    /// A new round. Where whoever starts is stuck, it may be over at once.
    pub fn new(rulebook: Arc<Rulebook>, first: Player) -> Round {
        let opening = rulebook.opening(first);
        Round::from_position(rulebook, opening)
    }

    /// A round that begins at a position, which [`Rulebook::read_position`] reads: whoever is on turn there goes first.
    pub fn from_position(rulebook: Arc<Rulebook>, opening: Position) -> Round {
        let most = rulebook.repetition().filter(|_| rulebook.may_repeat());
        Round::with_house_rule(rulebook, opening, most)
    }

    /// A new round in which no position is drawn for coming up again: for setting up positions to ask about.
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

    /// The game that is played.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// Who had the first turn.
    pub fn first(&self) -> Player {
        self.opening.turn()
    }

    /// Where it began.
    pub fn opening(&self) -> &Position {
        &self.opening
    }

    /// Where the round stands; after its end, where the last move was made from or led to.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far, skipped turns among them.
    pub fn history(&self) -> &[Ply] {
        &self.history
    }

    /// How the round ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What the player on turn faces.
    pub fn situation(&self) -> Situation<'_> {
        match self.outcome {
            Some(outcome) => Situation::Over(outcome),
            None => self.rulebook.situation(&self.position),
        }
    }

    /// A player's number, in full, the last landing of an ended round included.
    pub fn number_of(&self, player: Player) -> i128 {
        let shared = self.rulebook.numbers() == crate::format::Numbers::Shared;
        match self.history.last() {
            Some(ply) if shared || ply.owner == player => ply.number,
            _ => i128::from(self.position.number_of(player)),
        }
    }

    /// The operation that a player chose last, whether or not the rules look at it, and where.
    pub fn last_choice_of(&self, player: Player) -> Option<(&Ply, Choice)> {
        let mut own = self.history.iter().rev().filter(|ply| ply.player() == player);
        own.find_map(|ply| Some((ply, ply.a_move.choice()?)))
    }

    /// Makes a move for the player on turn.
    ///
    /// # Errors
    ///
    /// Where the round is over or the rules refuse the move; nothing is changed then.
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

    /// Gives the round up for a player.
    pub fn resign(&mut self, player: Player) {
        self.end(Some(!player), Ending::Resigned);
    }

    /// Ends a round that two computers would go on with for too long.
    pub fn stop(&mut self) {
        self.end(None, Ending::Stopped);
    }

    /// Ends a round in which the player on turn, an outside program, gave no answer that counts. Nobody wins it.
    pub fn forfeit(&mut self) {
        self.end(None, Ending::Forfeited);
    }

    /// Ends a round that the player on turn did not come back to. Nobody wins it.
    pub fn abandon(&mut self) {
        self.end(None, Ending::Abandoned);
    }

    fn end(&mut self, winner: Option<Player>, ending: Ending) {
        if self.outcome.is_none() {
            self.outcome = Some(Outcome { winner, ending });
        }
    }

    /// Takes the last choice back, with the skipped turns that followed it; `None` if there is none.
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

    /// The positions that are drawn by the house rule as soon as they come up once more.
    pub fn drawn_next_time(&self) -> HashSet<Position> {
        let Some(most) = self.most_occurrences else { return HashSet::new() };
        let often = |times: u32| times + 1 >= u32::from(most);
        self.occurrences.iter().filter(|(_, times)| often(**times)).map(|(position, _)| *position).collect()
    }

    /// Sees whether the position just arrived at ends the round.
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
