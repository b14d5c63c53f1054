//! Perfect play: the value of every position, under a budget.
//!
//! A [`Solver`] answers for the positions that play can reach. It uses the first strategy that suits the rule book and
//! fits the budget. Callers never see which one answered. If two strategies apply, they agree.
//!
//! | strategy | for |
//! |---|---|
//! | `sweep` | one-way numbers: a table, filled from the end back, with two bytes per cell if rounds are short |
//! | `intervals` | the same without a table, for additions and multiplications: stretches that repeat |
//! | `race` | separate numbers that never interact: the distance to the target for each player alone |
//! | `dense` | numbers that go up and down: retrograde analysis over all combinations, with eight bytes each |
//! | `graph` | everything else, and sparse games: retrograde analysis over all reachable positions |
//! | `revised` | a round where the house rule draws more and more positions: incremental updates |
//!
//! Each strategy compares its lower bound with the budget before it searches. The cheapest one for the question
//! answers. A table's cost is known before it's filled. Stretches and searches have none, so they get an
//! allowance: a share of the table's time and memory.
//!
//! A strategy is a file with a type that implements `Solution`, and a line in `strategies!`. The file decides whether
//! the strategy applies, and what it costs. `strategy.rs` defines the stages in which the strategies are attempted.
//!
//! | file | contents |
//! |---|---|
//! | `strategy.rs` | what every strategy offers, and how the solver chooses one |
//! | `grid.rs`, `steps.rs`, `leap.rs` | dense numbering of positions; transitions between them; a fixed move, precomputed |
//! | `filling.rs`, `rows.rs` | fills the table of a sweep; rows of tiles that several threads share |
//! | `stretches.rs` | the fast path of a sweep with one number; `stretches/linked.rs` adds last moves and uses |
//! | `intervals/` | `recurrence.rs` derives stretches, `strip.rs` stores them, `marks.rs` shows them |
//! | `budget.rs` | a memory limit in bytes and a callback that can stop the search, so the library needs no clock |
//! | `horizon.rs` | shallow search for engines with little time: exact if it answers |
//! | `chart.rs`, `reachable.rs` | the value of every number if the number alone decides; which numbers play can reach |
//! | `value.rs`, `interner.rs` | ordered values, packed into an integer; a hash table of positions |
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::position::Player;
//! use spoton::format::catalog;
//! use spoton::solver::{Budget, Solver, Value};
//!
//! let race = Arc::new(catalog::draft("race-to-23").unwrap().build()?);
//! let solver = Solver::new(Arc::clone(&race), &mut Budget::patient(1 << 20))?;
//! let opening = race.opening(Player::One);
//! assert_eq!(solver.verdict(&opening).map(|verdict| verdict.value), Some(Value::Win));
//! assert_eq!(race.write(solver.moves(&opening)[0].a_move), "+3"); // the best comes first
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
pub mod chart;
mod dense;
mod filling;
mod graph;
mod grid;
mod horizon;
mod interner;
mod intervals;
mod leap;
mod race;
pub mod reachable;
mod revised;
mod rows;
mod steps;
mod strategy;
mod stretches;
mod sweep;
mod value;

use std::collections::HashSet;
use std::sync::Arc;

use crate::engine::operation::Affine;
use crate::engine::play::{Move, Step};
use crate::engine::position::{ByPlayer, Choice, Clock, Player, Position};
use crate::format::{Direction, NoRepeat, On, Op, Rulebook};

use grid::Grid;
use strategy::{Question, Solution, strategies, too_large_is_none};

pub use budget::{Budget, Progress, Unsolved, Workers};
pub use graph::BYTES_EACH as BYTES_OF_A_SEARCH;
pub use horizon::{Horizon, Seen, best_seen};
pub use interner::Interner;
pub(crate) use sweep::ends as one_way_ends;
pub use value::{Value, Verdict};

// The strategies, in the order of their attempts within a stage.
strategies! {
    /// Stretches, because they are quicker than a table, or because a table doesn't fit.
    Intervals(intervals::Intervals),
    Race(race::Race),
    /// Two-byte scores, or larger ones if rounds can be longer.
    ShortSweep(sweep::Sweep<i16>),
    Sweep(sweep::Sweep<i32>),
    LongSweep(sweep::Sweep<i64>),
    Dense(dense::Dense),
    Graph(graph::Graph),
    Revised(revised::Revised),
}

/// The solution of a rule book: the value of each of its positions.
pub struct Solver {
    rulebook: Arc<Rulebook>,
    strategy: Strategy,
    /// Positions that count as drawn when a move reaches them.
    drawn: HashSet<Position>,
    /// Whether it covers exactly the positions reachable from the opening.
    from_opening: bool,
}

/// A move and its verdict for the player who makes it. The remoteness counts this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveVerdict {
    /// The move.
    pub a_move: Move,
    /// Its verdict.
    pub verdict: Verdict,
}

impl Solver {
    /// Solves all positions reachable from a rule book's opening.
    ///
    /// # Errors
    ///
    /// If it exceeds the budget, or the caller stops it.
    pub fn new(rulebook: Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Solver, Unsolved> {
        Solver::to_answer(Question::Positions, rulebook, budget)
    }

    /// Like [`Solver::new`], for callers that will query every number.
    pub(crate) fn for_chart(rulebook: Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Solver, Unsolved> {
        Solver::to_answer(Question::EveryNumber, rulebook, budget)
    }

    fn to_answer(
        question: Question,
        rulebook: Arc<Rulebook>,
        budget: &mut Budget<'_>,
    ) -> Result<Solver, Unsolved> {
        let strategy = Strategy::find(&rulebook, question, budget)?;
        Ok(Solver { rulebook, strategy, drawn: HashSet::new(), from_opening: true })
    }

    /// Solves a rule book of any size with stretches. [`Solver::new`] does so only if that's cheaper than a
    /// table, or none fits. Returns `None` if the book does more than add to and multiply a shared number. For tests
    /// that compare strategies.
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub fn by_intervals(
        rulebook: Arc<Rulebook>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Solver>, Unsolved> {
        let found = intervals::Intervals::find(&rulebook, budget)?;
        Ok(found.map(|found| {
            let strategy = Strategy::Intervals(found);
            Solver { rulebook, strategy, drawn: HashSet::new(), from_opening: true }
        }))
    }

    /// Solves all combinations of numbers and memory of a rule book, reachable or not. [`Solver::new`] does so
    /// only if nothing is cheaper. Returns `None` if the book remembers too much for that.
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub fn by_table(rulebook: Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Option<Solver>, Unsolved> {
        let found = Strategy::table(&rulebook, budget)?;
        Ok(found.map(|strategy| Solver { rulebook, strategy, drawn: HashSet::new(), from_opening: false }))
    }

    /// Solves a rule book by search from any positions. Positions in `drawn` count as drawn when reached: the
    /// house rule, for positions that have already occurred.
    ///
    /// Also use this for unreachable positions, or if the opening's solver returns `None` for another reason:
    ///
    /// ```
    /// use std::collections::HashSet;
    /// use std::sync::Arc;
    /// use spoton::format::Draft;
    /// use spoton::solver::{Budget, Solver, Value};
    ///
    /// let text = "title = 'Doubling'\nstart = 4\ntarget = 24\nrange = [1, 24]\nmoves = ['x2', 'x4']";
    /// let doubling = Arc::new(Draft::read("doubling.toml", text).build()?);
    /// let three = doubling.read_position("3;1")?;
    ///
    /// let from_the_opening = Solver::new(Arc::clone(&doubling), &mut Budget::patient(1 << 20))?;
    /// assert_eq!(from_the_opening.verdict(&three), None);
    /// let from_there =
    ///     Solver::from_positions(doubling, [three], HashSet::new(), &mut Budget::patient(1 << 20))?;
    /// assert_eq!(from_there.verdict(&three).map(|verdict| verdict.value), Some(Value::Loss));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub fn from_positions(
        rulebook: Arc<Rulebook>,
        roots: impl IntoIterator<Item = Position>,
        drawn: HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<Solver, Unsolved> {
        let seats = if drawn.is_empty() { graph::Seats::Alike } else { graph::Seats::Apart };
        let solution = graph::Graph::find(&rulebook, roots, seats, &drawn, budget)?;
        let strategy = Strategy::Graph(solution);
        Ok(Solver { rulebook, strategy, drawn, from_opening: false })
    }

    /// Solves a rule book from a position, with drawn positions. Reuses `known`, an earlier such solver with
    /// other drawn positions, and only solves what changed.
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub fn revised(
        known: Option<Solver>,
        rulebook: &Arc<Rulebook>,
        position: &Position,
        drawn: HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<Solver, Unsolved> {
        let known = known.and_then(|known| match known.strategy {
            Strategy::Revised(revised) => revised.verdict(rulebook, position).is_some().then_some(revised),
            _ => None,
        });
        // Drop an unusable solver before searching for more.
        let mut revised = match known {
            Some(revised) => revised,
            None => revised::Revised::from(rulebook, *position, budget)?,
        };
        revised.draw(&drawn, budget)?;
        let strategy = Strategy::Revised(revised);
        Ok(Solver { rulebook: Arc::clone(rulebook), strategy, drawn, from_opening: false })
    }

    /// The solved rule book.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The verdict of a position for the player to move; `None` if this solver doesn't cover it, for example
    /// because play can't reach it from the roots. In that case, use [`Solver::from_positions`].
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.strategy.verdict(&self.rulebook, position)
    }

    /// The size of the solution in bytes.
    pub fn bytes(&self) -> u64 {
        self.strategy.solution().bytes() + (self.drawn.capacity() * (size_of::<Position>() + 1)) as u64
    }

    /// The winner at every number, in stretches from the lowest number up; `None` inside them if it depends
    /// on the last moves. `last` restricts the query to certain last moves, one's own and the opponent's.
    /// Returns `None` if the game is small enough for a table, or stretches don't apply.
    ///
    /// # Errors
    ///
    /// If the list exceeds the budget.
    pub fn stretches(
        &self,
        last: Option<(Option<Choice>, Option<Choice>)>,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<chart::Piece<Option<Value>>>>, Unsolved> {
        self.strategy.solution().stretches(&self.rulebook, last, budget)
    }

    /// Whether it covers too many numbers to iterate.
    pub fn has_no_table(&self) -> bool {
        self.strategy.solution().has_no_table()
    }

    /// Whether it uses stretches although a table fits. A chart needs the table.
    pub fn spared_a_table(&self) -> bool {
        self.strategy.solution().spared_a_table()
    }

    /// For separate numbers that never interact: the number of moves a player needs from each number alone.
    /// `None` if it isn't a race, or anything but the number affects play.
    ///
    /// # Errors
    ///
    /// If the list exceeds the budget.
    pub fn distances(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        self.strategy.solution().by_number(&self.rulebook, budget)
    }

    /// For separate numbers that never interact: the fewest moves in which each player could win alone.
    /// `None` if it isn't a race.
    pub fn moves_to_win(&self, position: &Position) -> Option<ByPlayer<u64>> {
        self.strategy.solution().moves_to_win(position)
    }

    /// Visits all positions reachable from the opening, as the player to move sees them, with the verdicts of
    /// each position and its legal moves. Returns whether some line of legal moves never ends.
    pub fn visit_all(
        &self,
        budget: &mut Budget<'_>,
        mut visit: impl FnMut(&Position, Verdict, &[MoveVerdict]),
    ) -> Result<bool, Unsolved> {
        let explored;
        let (positions, beside) = match self.strategy.solution().positions() {
            Some(positions) if self.from_opening => (positions, 0),
            _ => {
                explored = graph::Explored::from_opening(&self.rulebook, budget)?;
                (&explored.interner, explored.bytes())
            }
        };
        budget.beside(beside, |budget| {
            for index in 0..positions.len() {
                let position = positions.position(index);
                if let Some(verdict) = self.verdict(&position) {
                    visit(&position, verdict, &self.moves(&position));
                }
                budget.ask(index as u64, 1 << 10, None)?;
            }
            graph::has_cycle(&self.rulebook, positions, budget)
        })
    }

    /// The positions that count as drawn when a move reaches them.
    pub fn drawn(&self) -> &HashSet<Position> {
        &self.drawn
    }

    /// All legal moves with their verdicts, best first; empty if the round is over. Omits moves to positions
    /// that this solver doesn't cover. That only happens at positions that it doesn't cover either.
    pub fn moves(&self, position: &Position) -> Vec<MoveVerdict> {
        let moves = self.rulebook.situation(position).moves();
        let mut judged: Vec<MoveVerdict> = moves
            .filter_map(|a_move| Some(MoveVerdict { a_move, verdict: self.move_verdict(position, a_move)? }))
            .collect();
        judged.sort_by_key(|judged| std::cmp::Reverse(judged.verdict));
        judged
    }

    /// The verdict of a legal move for the player who makes it; `None` if it isn't legal, or this solver
    /// doesn't cover the result.
    pub fn move_verdict(&self, position: &Position, a_move: Move) -> Option<Verdict> {
        match self.rulebook.play(position, a_move).ok()? {
            Step::Over { outcome, .. } => {
                Some(Verdict::new(Value::from_outcome(outcome, position.turn()), 1))
            }
            Step::On(next) if self.drawn.contains(&next) => Some(Verdict::DRAW),
            Step::On(next) => Some(self.verdict(&next)?.before_move()),
        }
    }
}

/// Whether a player who repeats the same move always wins against any play. `None` if stretches don't
/// apply.
///
/// # Errors
///
/// If it exceeds the budget, or the caller stops it.
pub fn always_wins(
    rulebook: &Rulebook,
    choice: Choice,
    player: Player,
    budget: &mut Budget<'_>,
) -> Result<Option<bool>, Unsolved> {
    too_large_is_none(intervals::Intervals::always_wins(rulebook, choice, player, budget))
}

/// All positions reachable from the opening, as the player to move sees them, with their verdicts.
///
/// # Errors
///
/// As for [`Solver::new`].
pub fn survey(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Survey, Unsolved> {
    Ok(Survey { solution: graph::Graph::of_opening(rulebook, budget)?, next: 0 })
}

/// The iterator of [`survey`].
pub struct Survey {
    solution: graph::Graph,
    next: usize,
}

impl Survey {
    /// Its size in bytes during iteration.
    pub fn bytes(&self) -> u64 {
        self.solution.bytes()
    }

    /// The verdict of one of the positions.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.solution.find_verdict(position)
    }
}

impl Iterator for Survey {
    type Item = (Position, Verdict);

    fn next(&mut self) -> Option<(Position, Verdict)> {
        let found = self.solution.get(self.next)?;
        self.next += 1;
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.solution.interner.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Survey {}

/// A position as the player to move sees it: as Player 1.
pub fn as_seen(position: &Position) -> Position {
    seen_by(position.turn(), position)
}

/// A position as a player sees it: as Player 1. An involution.
pub fn seen_by(player: Player, position: &Position) -> Position {
    fn swapped<T: Copy>(pair: ByPlayer<T>) -> ByPlayer<T> {
        ByPlayer([pair.0[1], pair.0[0]])
    }
    match player {
        Player::One => *position,
        Player::Two => Position {
            numbers: swapped(position.numbers),
            uses: swapped(position.uses),
            last: swapped(position.last),
            passes: swapped(position.passes),
            clock: Clock::new(!position.turn(), position.plies()),
        },
    }
}

/// A lower bound on the reachable positions.
pub fn lower_bound(rulebook: &Rulebook) -> u128 {
    // With separate numbers, the round ends when one of them reaches the target.
    let (starter, other) = rulebook.start();
    numbers_from(rulebook, starter).min(numbers_from(rulebook, other))
}

/// A lower bound on the numbers reachable from a start: those that small steps towards the target visit, up
/// to the first listed number.
fn numbers_from(rulebook: &Rulebook, start: i64) -> u128 {
    let (low, high) = rulebook.range();
    let climbs = rulebook.direction() != Some(Direction::Countdown);
    let end = rulebook.target().unwrap_or(if climbs { high } else { low });
    let ahead = |number: i64| if climbs { number > start } else { number < start };
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    if rulebook.turns().is_some() || lists.iter().any(|list| list.has_descriptions()) {
        return 1;
    }
    let listed = lists.into_iter().flat_map(|list| &list.integers).copied().filter(|number| ahead(*number));
    let first_listed = if climbs { listed.min() } else { listed.max() };
    let end = match first_listed {
        Some(number) if climbs => number.min(end),
        Some(number) => number.max(end),
        None => end,
    };
    // Two alternating moves satisfy a rule against repeats; three if it checks both players.
    let in_turns = match rulebook.no_repeat() {
        NoRepeat::None => 1,
        NoRepeat::Own | NoRepeat::Opponent => 2,
        NoRepeat::Both => 3,
    };
    let unlimited = rulebook.moves().iter().filter(|entry| entry.uses.is_none());
    let ahead = unlimited.filter_map(|entry| match entry.op {
        Op::Fixed(operation) if entry.when.is_empty() && entry.on == On::Own => {
            match operation.as_affine()? {
                Affine { factor: 1, addend } => Some(if climbs { addend } else { -addend }),
                _ => None,
            }
        }
        _ => None,
    });
    let mut steps: Vec<i64> = ahead.filter(|step| *step > 0).collect();
    steps.sort_unstable();
    match steps.get(in_turns - 1) {
        Some(longest) => u128::from(end.abs_diff(start)) / (*longest as u128),
        None => 1,
    }
}
