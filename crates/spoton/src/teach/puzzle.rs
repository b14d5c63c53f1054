//! Puzzles: win from here. The player has a win that isn't obvious and plays it against the defence that's hardest to
//! beat by guessing. The puzzle is solved when only obvious choices are left. A move that gives the win away ends it.
//!
//! A puzzle's grade is the exact probability that the careful guesser solves it. A book only has puzzles if all its
//! lines end. A position is only a puzzle if its grade is at most 1 in 4.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::play::Move;
//! use spoton::format::catalog;
//! use spoton::solved::SolvedGame;
//! use spoton::solver::Budget;
//! use spoton::teach::puzzle::{Puzzles, Reply};
//!
//! let game = SolvedGame::new(Arc::new(catalog::draft("number-maze").unwrap().build()?));
//! let puzzles = Puzzles::for_game(&game, &mut Budget::patient(16 << 20))?.expect("every round ends");
//! let puzzle = &puzzles.pool()[0];
//! assert!(puzzle.grade <= 0.25);
//! let round = puzzles.begin(puzzle);
//! let moves = game.rulebook().legal(round.position()).iter();
//! let replies = moves.map(|choice| puzzles.reply(round.position(), Move::Operation(choice)));
//! assert!(replies.into_iter().any(|reply| matches!(reply, Some(Reply::GivesItAway))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attempt;
mod serving;
mod tried;

use std::sync::Arc;

use crate::engine::play::Move;
use crate::engine::position::Position;
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solved::SolvedGame;
use crate::solved::careful::Careful;
use crate::solved::lines::{Lines, Next, Search, Way};
use crate::solver::{Budget, Solver, Unsolved, Value, as_seen};

pub use attempt::{Attempt, AttemptState, Proof};
pub use serving::{
    Course, Next as NextPuzzle, NoPuzzles, OwnRound, Served, Shelf, Source, by_id, next, next_of_all,
};
pub use tried::{Became, PuzzleId, Tried};

/// The highest grade of a puzzle.
pub const HARD_ENOUGH: f64 = 0.25;

/// A position to win, with the moves that lead there from the opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// A shortest line to the position. The solver is the player to move there.
    pub moves: Vec<Move>,
    /// The probability that the careful guesser solves it.
    pub grade: f64,
    index: u32,
}

/// The result of a move in a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It gives the win away.
    GivesItAway,
    /// The move wins, or everything that can still go wrong is obvious.
    Solved,
    /// The move keeps the win. The defence answers with this move.
    Defence(Move),
}

/// All puzzles of a game.
pub struct Puzzles {
    solver: Arc<Solver>,
    lines: Lines,
    /// Per position, the probability that the guesser solves it, with the guesser or the defence to move. `None` if the
    /// guesser has no win.
    grades: Vec<[Option<f64>; 2]>,
}

const SOLVER: usize = 0;
const DEFENDER: usize = 1;

impl Puzzles {
    /// The puzzles of a game; `None` if some line never ends.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub fn for_game(game: &SolvedGame, budget: &mut Budget<'_>) -> Result<Option<Puzzles>, Unsolved> {
        let solver = game.solver(budget)?;
        let lines = budget.beside(game.bytes(), |budget| Lines::from_solver(&solver, budget))?;
        let Some(order) = lines.in_order() else { return Ok(None) };
        let mut puzzles = Puzzles { solver, grades: vec![[None; 2]; lines.len()], lines };
        for index in order.into_iter().rev() {
            let value = puzzles.lines.verdict(index).value;
            puzzles.grades[index as usize] = [
                (value == Value::Win).then(|| puzzles.grade_of_solver(index)),
                (value == Value::Loss).then(|| puzzles.grade_of_defender(index)),
            ];
        }
        Ok(Some(puzzles))
    }

    /// The mean over the careful guesser's moves. A move that gives the win away counts as 0.
    fn grade_of_solver(&self, index: u32) -> f64 {
        let at_once = |way: &Way| match way.next {
            Next::Over(value) => Some(value),
            Next::On(_) => None,
        };
        let ways = self.lines.ways(index);
        let careful = Careful::among(ways.iter().map(at_once));
        let picked = || ways.iter().filter(|way| careful.picks(at_once(way)));
        let sum: f64 = picked().map(|way| self.after(way)).sum();
        sum / picked().count().max(1) as f64
    }

    fn after(&self, way: &Way) -> f64 {
        match way.next {
            Next::Over(Value::Win) => 1.0,
            Next::Over(_) => 0.0,
            Next::On(next) => self.grades[next as usize][DEFENDER].unwrap_or(0.0),
        }
    }

    /// The minimum over the defence's moves.
    fn grade_of_defender(&self, index: u32) -> f64 {
        self.lines.ways(index).iter().map(|way| self.left_by(way)).fold(1.0, f64::min)
    }

    fn left_by(&self, way: &Way) -> f64 {
        match way.next {
            // Any move that ends the round here makes the defence lose.
            Next::Over(_) => 1.0,
            Next::On(next) => self.grades[next as usize][SOLVER].unwrap_or(1.0),
        }
    }

    /// Every position that's hard enough, easiest first. A puzzle never begins with a forced move.
    pub fn pool(&self) -> Vec<Puzzle> {
        if self.lines.len() == 0 {
            return vec![];
        }
        let search = Search::from(&self.lines, 0);
        let mut pool: Vec<Puzzle> = Vec::new();
        for place in search.each_position() {
            let index = place / 2;
            let chooses = self.lines.ways(index as u32).len() > 1;
            let grade = self.grades[index][SOLVER].filter(|grade| chooses && *grade <= HARD_ENOUGH);
            if let (Some(grade), Some(moves)) = (grade, search.way_to(place)) {
                pool.push(Puzzle { moves, grade, index: index as u32 });
            }
        }
        pool.sort_by(|one, two| two.grade.total_cmp(&one.grade));
        pool
    }

    /// A round at the start of a puzzle.
    pub fn begin(&self, puzzle: &Puzzle) -> Round {
        self.lines.round_after(&puzzle.moves)
    }

    /// The puzzles' rule book.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.lines.rulebook()
    }

    /// A line of best play from the round's position.
    fn best_line(&self, round: &Round) -> Vec<Move> {
        let from = self.lines.find(&as_seen(round.position()));
        from.map_or_else(Vec::new, |from| self.lines.best_line_from(from))
    }

    /// A puzzle's stable name: its position, normalized to the player to move.
    pub fn name(&self, puzzle: &Puzzle) -> String {
        self.lines.rulebook().position_text(&self.lines.position(puzzle.index))
    }

    /// The name of the puzzle at a position; `None` if it's unreachable.
    fn name_at(&self, position: &Position) -> Option<String> {
        let index = self.lines.find(&as_seen(position))?;
        Some(self.lines.rulebook().position_text(&self.lines.position(index)))
    }

    /// The probability that the careful guesser solves a position; `None` if the player to move can't force a win.
    pub fn grade(&self, position: &Position) -> Option<f64> {
        self.grades[self.lines.find(&as_seen(position))? as usize][SOLVER]
    }

    /// The result of a move or a skipped turn; `None` if it isn't legal or the position isn't won.
    pub fn reply(&self, position: &Position, a_move: Move) -> Option<Reply> {
        let index = self.lines.find(&as_seen(position))?;
        self.grades[index as usize][SOLVER]?;
        let way = self.lines.ways(index).iter().find(|way| way.a_move == a_move)?;
        if self.lines.worth(way).value != Value::Win {
            return Some(Reply::GivesItAway);
        }
        let Next::On(next) = way.next else { return Some(Reply::Solved) };
        if self.grades[next as usize][DEFENDER] == Some(1.0) {
            return Some(Reply::Solved);
        }
        // Breaks ties by the longest resistance, then by order.
        let hardest = self.lines.ways(next).iter().rev().max_by(|one, two| {
            let by_chance = self.left_by(two).total_cmp(&self.left_by(one));
            by_chance.then(self.lines.worth(one).cmp(&self.lines.worth(two)))
        })?;
        Some(Reply::Defence(hardest.a_move))
    }
}
