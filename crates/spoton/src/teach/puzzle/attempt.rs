//! An attempt at a puzzle: the player's moves, the defence's answers, and the result.

use std::collections::HashSet;

use super::{Reply, Served};
use crate::engine::play::{Move, Situation};
use crate::engine::position::{Choice, Player};
use crate::engine::round::Round;
use crate::solved::outlook::{Outlook, Reason};
use crate::solver::Value;

/// The state of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum AttemptState {
    /// The solver has a choice.
    Open,
    /// The solver kept the win, and everything that can still go wrong is obvious.
    Solved,
    /// The solver gave the win away or gave up.
    Missed(Proof),
}

/// The moves that would have kept the win, and the move played instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The move that gave it away; `None` if the solver gave up.
    pub played: Option<Reason>,
    /// The moves that keep the win, fastest first.
    pub holding: Vec<Reason>,
    /// The line of best play that begins with the fastest of those moves.
    pub line: Vec<Move>,
}

/// An attempt at a puzzle.
///
/// ```
/// use spoton::engine::play::Situation;
/// use spoton::format::{BookText, Changes, Game};
/// use spoton::solved::SolvedGames;
/// use spoton::teach::puzzle::{Attempt, Course, NextPuzzle, Shelf, Tried, next};
///
/// let game = Game::new(BookText::shipped("race-to-23").unwrap(), String::new(), &Changes::default())?;
/// let course = Course { tried: &Tried::default(), rounds: &[], today: "2026-11-16".parse()? };
/// let games = SolvedGames::new(16 << 20);
/// let served = next(&Shelf::from_game(game)?, &course, &games, &mut |_| true)?;
/// let NextPuzzle::Puzzle(served) = served else { panic!("no puzzle") };
/// let mut attempt = Attempt::begin(*served);
/// let Situation::Choose(moves) = attempt.round().situation() else { panic!("no choice") };
/// let (first, played) = (moves.get(0).unwrap(), attempt.round().history().len());
/// attempt.play(first);
/// let answered = attempt.round().history().len() - played;
/// // Either the move kept the win and the defence answered, or the attempt is over.
/// assert!(answered > 1 || !attempt.is_open());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Attempt {
    served: Served,
    round: Round,
    solver: Player,
    state: AttemptState,
}

impl Attempt {
    /// Starts an attempt.
    pub fn begin(served: Served) -> Attempt {
        let round = served.begin();
        let solver = round.position().turn();
        Attempt { served, round, solver, state: AttemptState::Open }
    }

    /// The puzzle.
    pub fn served(&self) -> &Served {
        &self.served
    }

    /// The current round: at the puzzle or some moves later. In an open attempt, the solver has a choice.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// The player who has the win.
    pub fn solver(&self) -> Player {
        self.solver
    }

    /// The state.
    pub fn state(&self) -> &AttemptState {
        &self.state
    }

    /// Whether the solver still has a choice.
    pub fn is_open(&self) -> bool {
        self.state == AttemptState::Open
    }

    /// Plays a move, then the defence's answers and forced skips, until the solver has a choice again or the attempt
    /// ends. An illegal or late move changes nothing.
    pub fn play(&mut self, choice: Choice) {
        if !self.is_open() {
            return;
        }
        let mut a_move = Move::Operation(choice);
        loop {
            let Some(reply) = self.served.puzzles.reply(self.round.position(), a_move) else { return };
            if reply == Reply::GivesItAway {
                self.state = AttemptState::Missed(self.proof(Some(a_move)));
            }
            // Invariant: it's legal, because it has a reply; the defence only plays legal moves.
            let _ = self.round.play(a_move);
            match reply {
                Reply::GivesItAway => return,
                Reply::Solved => {
                    self.state = AttemptState::Solved;
                    return;
                }
                Reply::Defence(answer) => drop(self.round.play(answer)),
            }
            match self.round.situation() {
                Situation::Skip => a_move = Move::Skip,
                Situation::Choose(_) | Situation::Over(_) => return,
            }
        }
    }

    /// Gives up and reveals the winning moves.
    pub fn give_up(&mut self) {
        if self.is_open() {
            self.state = AttemptState::Missed(self.proof(None));
        }
    }

    /// The choices in the current position. Books with puzzles always end, so no position repeats and the house rule
    /// changes nothing.
    fn proof(&self, played: Option<Move>) -> Proof {
        let puzzles = &self.served.puzzles;
        let outlook = Outlook::new(&self.round, &puzzles.solver, &HashSet::new());
        let reasons = outlook.as_ref().map_or(&[][..], Outlook::reasons);
        let played = reasons.iter().find(|reason| Some(reason.a_move) == played).copied();
        let holds = |reason: &&Reason| reason.verdict.value == Value::Win;
        let holding = reasons.iter().filter(holds).copied().collect();
        Proof { played, holding, line: puzzles.best_line(&self.round) }
    }
}
