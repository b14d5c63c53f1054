//! A puzzle while somebody tries it: their moves, the answers of the defence, and how it ends.

use std::collections::HashSet;

use super::{Reply, Served};
use crate::engine::play::{Move, Situation};
use crate::engine::position::{Choice, Player};
use crate::engine::round::Round;
use crate::people::coach::{Outlook, Reason};
use crate::solver::Value;

/// Where an attempt stands.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// There is something to choose.
    Open,
    /// The win is held, and nothing is left that can go wrong without showing.
    Solved,
    /// The win was given away, or the solver gave up.
    Missed(Proof),
}

/// What would have held the win, and what was done instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The move that gave it away; `None` if the solver gave up.
    pub played: Option<Reason>,
    /// The moves that hold the win, the quickest first.
    pub holding: Vec<Reason>,
    /// What is played from there if both play their best, the quickest of those moves first.
    pub line: Vec<Move>,
}

/// Somebody tries a puzzle.
///
/// ```
/// use spoton::engine::play::Situation;
/// use spoton::format::{BookText, Changes, Game};
/// use spoton::people::puzzle::{Attempt, Course, NextPuzzle, Shelf, Tried, next};
/// use spoton::people::solved_game::SolvedGames;
///
/// let game = Game::new(BookText::shipped("race-to-23").unwrap(), String::new(), &Changes::default())?;
/// let course = Course { tried: &Tried::default(), rounds: &[], today: "2026-11-16".parse()? };
/// let games = SolvedGames::new(16 << 20);
/// let served = next(&Shelf::of(game)?, &course, &games, &mut |_| true)?;
/// let NextPuzzle::Puzzle(served) = served else { panic!("there are some") };
/// let mut attempt = Attempt::begin(*served);
/// let Situation::Choose(moves) = attempt.round().situation() else { panic!("it begins with a choice") };
/// let (first, played) = (moves.get(0).unwrap(), attempt.round().history().len());
/// attempt.play(first);
/// let answered = attempt.round().history().len() - played;
/// // Either the move held the win, and the defence has answered, or it is over.
/// assert!(answered > 1 || !attempt.is_open());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Attempt {
    served: Served,
    round: Round,
    solver: Player,
    state: State,
}

impl Attempt {
    /// Begins with a puzzle that was served.
    pub fn begin(served: Served) -> Attempt {
        let round = served.begin();
        let solver = round.position().turn();
        Attempt { served, round, solver, state: State::Open }
    }

    /// The puzzle.
    pub fn served(&self) -> &Served {
        &self.served
    }

    /// The round as it stands: at the puzzle, or some moves later. If the attempt is open, the solver has to choose.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Who holds the win.
    pub fn solver(&self) -> Player {
        self.solver
    }

    /// Where it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether there is still something to choose.
    pub fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Makes a move of the solver's. The defence answers, and turns in which the solver cannot move go over, until there
    /// is something to choose again, or it is over. What is not legal, or comes after the end, changes nothing.
    pub fn play(&mut self, choice: Choice) {
        if !self.is_open() {
            return;
        }
        let mut a_move = Move::Operation(choice);
        loop {
            let Some(reply) = self.served.puzzles.reply(self.round.position(), a_move) else { return };
            if reply == Reply::GivesItAway {
                self.state = State::Missed(self.proof(Some(a_move)));
            }
            // It is legal: there is a reply to it, and the defence chooses among its own legal moves.
            let _ = self.round.play(a_move);
            match reply {
                Reply::GivesItAway => return,
                Reply::Solved => {
                    self.state = State::Solved;
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

    /// The solver gives up, and is shown what would have won.
    pub fn give_up(&mut self) {
        if self.is_open() {
            self.state = State::Missed(self.proof(None));
        }
    }

    /// What there was to choose where the round stands. Books with puzzles always end, so nothing ever comes up again,
    /// and the house rule against that changes nothing.
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
