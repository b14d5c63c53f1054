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
//! Each strategy refuses by its lower bound before it searches. Before it allocates a table that may be mostly unused,
//! the solver tries a search with a fraction of the memory. Add a new strategy to `Strategy::find`.
//!
//! | file | contents |
//! |---|---|
//! | `grid.rs`, `steps.rs`, `leap.rs` | dense numbering of positions; transitions between them; a fixed move, precomputed |
//! | `filling.rs`, `rows.rs` | fills the table of a sweep; rows of tiles that several threads share |
//! | `stretches.rs` | the fast path of a sweep with one number; `stretches/linked.rs` adds last moves and uses |
//! | `intervals/` | `recurrence.rs` derives stretches, `strip.rs` stores them, `marks.rs` shows them |
//! | `budget.rs` | a memory limit in bytes and a callback that can stop the search, so the library needs no clock |
//! | `horizon.rs` | shallow search for engines with little time: exact if it answers |
//! | `chart.rs`, `coming_up.rs` | the value of every number if the number alone decides; which numbers play can reach |
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
pub(crate) mod coming_up;
mod dense;
mod filling;
mod graph;
mod grid;
mod horizon;
mod interner;
mod intervals;
mod leap;
mod race;
mod revised;
mod rows;
mod steps;
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
use sweep::{Sweep, Width};

pub use budget::{Budget, Hands, Progress, Unsolved};
pub(crate) use graph::BYTES_EACH as BYTES_OF_A_SEARCH;
pub use horizon::{Horizon, Seen, best_seen};
pub(crate) use interner::Interner;
pub(crate) use sweep::ends as one_way_ends;
pub use value::{Value, Verdict};

/// The solution of a rule book: what each of its positions is worth.
pub struct Solver {
    rulebook: Arc<Rulebook>,
    strategy: Strategy,
    /// Positions that are drawn as soon as a move reaches them.
    drawn: HashSet<Position>,
    /// Whether it answers for what can be reached from the opening, and for nothing else.
    from_opening: bool,
}

enum Strategy {
    /// With scores of two bytes, or of more where rounds can be longer.
    ShortSweep(sweep::Sweep<i16>),
    Sweep(sweep::Sweep<i32>),
    LongSweep(sweep::Sweep<i64>),
    Dense(dense::Dense),
    Intervals(Box<intervals::Intervals>),
    Race(race::Race),
    Graph(graph::Solution),
    Revised(Box<revised::Revised>),
}

impl Strategy {
    /// The first strategy that suits a book and fits into the budget. Each of them refuses by a lower bound of its own,
    /// so that no game is refused by the estimate of a strategy that would not have answered.
    fn find(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Strategy, Unsolved> {
        let mut refused = None;
        // Stretches that say who wins, but not when: a search that fits says more.
        let mut uncounted = None;
        // What a table takes that may have many places in vain.
        let mut would_do = None;
        let grid = Grid::of(rulebook);
        // In a table for a single number and what was chosen last, few places are ever in vain.
        let is_full = |grid: &Grid| !grid.pairs && !grid.is_limited() && rulebook.goes_one_way();
        let (full, wide) = match grid {
            Some(grid) if is_full(&grid) => (Some(grid), None),
            grid => (None, grid),
        };
        if let Some(grid) = full {
            match Strategy::table(rulebook, grid, budget) {
                // Who holds too much beside it can make room for the table.
                Err(why @ Unsolved::TooLarge { .. }) if budget.lacks_room_only(&why) => refused = Some(why),
                Err(why @ Unsolved::TooLarge { .. }) => {
                    match too_large_is_none(intervals::Intervals::find(rulebook, budget))? {
                        Some(found) if found.counts_moves() => {
                            return Ok(Strategy::Intervals(Box::new(found)));
                        }
                        found => uncounted = found.map(Box::new),
                    }
                    refused = Some(why);
                }
                done => return done,
            }
        }
        match race::Race::run(rulebook, budget) {
            Ok(Some(race)) => return Ok(Strategy::Race(race)),
            Ok(None) => {}
            // One player alone may have more positions than the two of them have together.
            Err(why @ Unsolved::TooLarge { .. }) => refused = Some(why),
            Err(why) => return Err(why),
        }
        if let Some(grid) = wide {
            let beside = steps::most_bytes_beside(rulebook, &grid);
            let would_fit = rulebook.goes_one_way() || dense::can_be_counted(&grid);
            match Strategy::wide_table(rulebook, grid, budget) {
                Err(Unsolved::TooLarge { needs, .. }) => {
                    would_do = would_fit.then_some(needs.saturating_add(beside));
                }
                done => return done,
            }
        }
        let held = uncounted.as_ref().map_or(0, |intervals| intervals.bytes());
        let searched = budget.beside(held, |budget| graph::Solution::of_opening(rulebook, budget));
        match (searched, uncounted) {
            (Ok(solution), _) => Ok(Strategy::Graph(solution)),
            (Err(Unsolved::TooLarge { .. }), Some(intervals)) => Ok(Strategy::Intervals(intervals)),
            (Err(why @ Unsolved::TooLarge { .. }), None) => {
                match too_large_is_none(race::Race::without_table(rulebook, budget))? {
                    Some(race) => Ok(Strategy::Race(race)),
                    // What a table would take is known, what stretches would have taken is not.
                    None => Err(refused.into_iter().fold(why, cheaper).would_do(would_do)),
                }
            }
            (Err(why), _) => Err(why),
        }
    }
}

/// How many bytes of a table a search may take a byte for before the table is made. So games of which play sees next to
/// nothing are searched, and an attempt in vain takes much less time than the table: a position takes about 300 bytes,
/// and as long as some fifty places.
const TABLE_BYTES_A_BYTE: u64 = 8;

impl Strategy {
    /// A table with a place for everything, if it fits.
    fn table(rulebook: &Rulebook, grid: Grid, budget: &mut Budget<'_>) -> Result<Strategy, Unsolved> {
        Ok(match sweep::width(rulebook, &grid, budget) {
            Some(Ok(Width::Two)) => Strategy::ShortSweep(Sweep::fill_grid(rulebook, grid, budget)?),
            Some(Ok(Width::Four)) => Strategy::Sweep(Sweep::fill_grid(rulebook, grid, budget)?),
            Some(Ok(Width::Eight)) => Strategy::LongSweep(Sweep::fill_grid(rulebook, grid, budget)?),
            Some(Err(why)) => return Err(why),
            None => Strategy::Dense(dense::Dense::find(rulebook, grid, budget)?),
        })
    }

    /// The same for a table of which many places may be in vain.
    fn wide_table(rulebook: &Rulebook, grid: Grid, budget: &mut Budget<'_>) -> Result<Strategy, Unsolved> {
        let bytes_each = match sweep::width(rulebook, &grid, budget) {
            Some(width) => width?.bytes(),
            None => {
                dense::require(&grid, budget)?;
                dense::BYTES_EACH
            }
        };
        let few = grid.places() as u64 * bytes_each / TABLE_BYTES_A_BYTE;
        let searched = budget.within(few, |budget| graph::Solution::of_opening(rulebook, budget));
        match too_large_is_none(searched.map(Some))? {
            Some(solution) => Ok(Strategy::Graph(solution)),
            None => Strategy::table(rulebook, grid, budget),
        }
    }
}

/// No answer instead of the refusal of a strategy that others can stand in for.
fn too_large_is_none<T>(found: Result<Option<T>, Unsolved>) -> Result<Option<T>, Unsolved> {
    match found {
        Err(Unsolved::TooLarge { .. }) => Ok(None),
        found => found,
    }
}

/// Of two refusals the one that asks for less memory: so much would do.
fn cheaper(one: Unsolved, two: Unsolved) -> Unsolved {
    match (&one, &two) {
        (
            Unsolved::TooLarge { reached: 0, needs: more, .. },
            Unsolved::TooLarge { reached: 0, needs: less, .. },
        ) if less < more => two,
        _ => one,
    }
}

/// A move and what it is worth to the player who makes it, its remoteness counting that move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveVerdict {
    /// The move.
    pub a_move: Move,
    /// Its worth.
    pub verdict: Verdict,
}

impl Solver {
    /// Solves a rule book for everything that can be reached from its opening.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub fn new(rulebook: Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Solver, Unsolved> {
        let strategy = Strategy::find(&rulebook, budget)?;
        Ok(Solver { rulebook, strategy, drawn: HashSet::new(), from_opening: true })
    }

    /// Solves a rule book by stretches of numbers that repeat, however small it is: [`Solver::new`] only does so where a
    /// table would be too large. `None` if the book does more than add to and multiply a shared number. This is for
    /// comparing the two.
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
            let strategy = Strategy::Intervals(Box::new(found));
            Solver { rulebook, strategy, drawn: HashSet::new(), from_opening: true }
        }))
    }

    /// Solves a rule book for every combination of its numbers and of what else decides, whether or not play comes there.
    /// `None` if there are too many things to remember for that.
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub(crate) fn of_everything(
        rulebook: Arc<Rulebook>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Solver>, Unsolved> {
        let Some(grid) = Grid::of(&rulebook) else { return Ok(None) };
        let strategy = Strategy::table(&rulebook, grid, budget)?;
        Ok(Some(Solver { rulebook, strategy, drawn: HashSet::new(), from_opening: false }))
    }

    /// Solves a rule book from any positions by searching, with some positions drawn as soon as they are reached: what
    /// the house rule makes of a round in which they have come up before.
    ///
    /// This is also the way to ask about a position that play cannot come to, or that the opening's solver says `None`
    /// to for another reason:
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
        let solution = graph::Solution::find(&rulebook, roots, seats, &drawn, budget)?;
        let strategy = Strategy::Graph(solution);
        Ok(Solver { rulebook, strategy, drawn, from_opening: false })
    }

    /// Solves a rule book from a position on, with some positions drawn as soon as they are reached. It takes over what
    /// such a solver has found before, with other positions drawn, and solves only what that changes.
    ///
    /// # Errors
    ///
    /// As for [`Solver::new`].
    pub(crate) fn revised(
        known: Option<Solver>,
        rulebook: &Arc<Rulebook>,
        position: &Position,
        drawn: HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<Solver, Unsolved> {
        let known = known.and_then(|known| match known.strategy {
            Strategy::Revised(revised) => revised.verdict(position).is_some().then_some(revised),
            _ => None,
        });
        // What does not reach here has been dropped before more is looked for.
        let mut revised = match known {
            Some(revised) => revised,
            None => Box::new(revised::Revised::from(rulebook, *position, budget)?),
        };
        revised.draw(&drawn, budget)?;
        let strategy = Strategy::Revised(revised);
        Ok(Solver { rulebook: Arc::clone(rulebook), strategy, drawn, from_opening: false })
    }

    /// The rule book that was solved.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// What a position is worth to the player on turn; `None` if this solver does not cover it, as it need not if play
    /// cannot come there from where it was asked to begin. [`Solver::from_positions`] shows what to do then.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        match &self.strategy {
            Strategy::ShortSweep(sweep) => sweep.verdict(position),
            Strategy::Sweep(sweep) => sweep.verdict(position),
            Strategy::LongSweep(sweep) => sweep.verdict(position),
            Strategy::Dense(dense) => dense.verdict(position),
            Strategy::Intervals(intervals) => intervals.verdict(&self.rulebook, position),
            Strategy::Race(race) => race.verdict(&self.rulebook, position),
            Strategy::Graph(solution) => solution.verdict(position),
            Strategy::Revised(revised) => revised.verdict(position),
        }
    }

    /// How many bytes the answers take.
    pub fn bytes(&self) -> u64 {
        let answers = match &self.strategy {
            Strategy::ShortSweep(sweep) => sweep.bytes(),
            Strategy::Sweep(sweep) => sweep.bytes(),
            Strategy::LongSweep(sweep) => sweep.bytes(),
            Strategy::Dense(dense) => dense.bytes(),
            Strategy::Intervals(intervals) => intervals.bytes(),
            Strategy::Race(race) => race.bytes(),
            Strategy::Graph(solution) => solution.bytes(),
            Strategy::Revised(revised) => revised.bytes(),
        };
        answers + (self.drawn.capacity() * (size_of::<Position>() + 1)) as u64
    }

    /// Who wins at every number, in stretches from the lowest number up; `None` in them where that depends on the last
    /// moves. It can be asked for certain last moves alone, one's own and the other player's. `None` instead of them if
    /// the game has so few numbers that there is a table, or if it cannot be told like that.
    ///
    /// # Errors
    ///
    /// If the list takes more than the budget.
    pub(crate) fn stretches(
        &self,
        last: Option<(Option<Choice>, Option<Choice>)>,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<chart::Piece<Option<Value>>>>, Unsolved> {
        match &self.strategy {
            Strategy::Intervals(intervals) => intervals.stretches(&self.rulebook, last, budget),
            _ => Ok(None),
        }
    }

    /// Whether it answers for more numbers than anybody could go through.
    pub(crate) fn has_no_table(&self) -> bool {
        matches!(self.strategy, Strategy::Intervals(_))
    }

    /// For separate numbers that never touch: the moves that a player needs from each number alone. `None` if this is
    /// no race, or if more than the number decides that.
    ///
    /// # Errors
    ///
    /// If the list takes more than the budget.
    pub fn distances(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        match &self.strategy {
            Strategy::Race(race) => race.by_number(budget),
            _ => Ok(None),
        }
    }

    /// For separate numbers that never touch: the fewest moves in which each player could win alone. `None` if this is
    /// no race.
    pub fn moves_to_win(&self, position: &Position) -> Option<ByPlayer<u64>> {
        let Strategy::Race(race) = &self.strategy else { return None };
        let [one, two] = Player::BOTH.map(|player| race.distance(position, player));
        Some(ByPlayer([one?, two?]))
    }

    /// Visits every position that can be reached from the opening, with what it and each legal move is worth; the
    /// position as the player on turn sees it. Returns whether some line of legal moves never ends.
    pub(crate) fn visit_all(
        &self,
        budget: &mut Budget<'_>,
        mut visit: impl FnMut(&Position, Verdict, &[MoveVerdict]),
    ) -> Result<bool, Unsolved> {
        let explored;
        let (positions, beside) = match &self.strategy {
            Strategy::Graph(solution) if self.from_opening => (&solution.interner, 0),
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

    /// The positions that are drawn as soon as a move reaches them.
    pub fn drawn(&self) -> &HashSet<Position> {
        &self.drawn
    }

    /// Every legal move and what it is worth, best first; an empty list if the round is over. A move to a position that
    /// this solver does not cover is left out, which can only happen at a position that it does not cover either.
    pub fn moves(&self, position: &Position) -> Vec<MoveVerdict> {
        let moves = self.rulebook.situation(position).moves();
        let mut judged: Vec<MoveVerdict> = moves
            .filter_map(|a_move| Some(MoveVerdict { a_move, verdict: self.move_verdict(position, a_move)? }))
            .collect();
        judged.sort_by_key(|judged| std::cmp::Reverse(judged.verdict));
        judged
    }

    /// What a legal move is worth to the player who makes it; `None` if it is not legal, or leads to a position that this
    /// solver does not cover.
    pub fn move_verdict(&self, position: &Position, a_move: Move) -> Option<Verdict> {
        match self.rulebook.play(position, a_move).ok()? {
            Step::Over { outcome, .. } => Some(Verdict::new(Value::of(outcome, position.turn()), 1)),
            Step::On(next) if self.drawn.contains(&next) => Some(Verdict::DRAW),
            Step::On(next) => Some(self.verdict(&next)?.before_move()),
        }
    }
}

/// Every position that can be reached from the opening, as the player on turn sees it, with its verdict.
///
/// # Errors
///
/// As for [`Solver::new`].
pub fn survey(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Survey, Unsolved> {
    Ok(Survey { solution: graph::Solution::of_opening(rulebook, budget)?, next: 0 })
}

/// The positions of [`survey`], one after another.
pub struct Survey {
    solution: graph::Solution,
    next: usize,
}

impl Survey {
    /// How many bytes it holds while it is gone through.
    pub(crate) fn bytes(&self) -> u64 {
        self.solution.bytes()
    }

    /// What one of the positions is worth, wherever it stands.
    pub(crate) fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.solution.verdict(position)
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

/// A position as the player on turn sees it: they are Player 1.
pub(crate) fn as_seen(position: &Position) -> Position {
    seen_by(position.turn(), position)
}

/// A position as a player sees it: they are Player 1. Seeing it twice gives the position itself.
pub(crate) fn seen_by(player: Player, position: &Position) -> Position {
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

/// A lower bound on the positions that can be reached.
pub(crate) fn lower_bound(rulebook: &Rulebook) -> u128 {
    // With a number each, the round is over as soon as one of them has arrived.
    let (starter, other) = rulebook.start();
    numbers_from(rulebook, starter).min(numbers_from(rulebook, other))
}

/// A lower bound on the numbers that can be reached from a start: those of a walk by small steps towards the target, up
/// to the first number of the lists.
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
    // Two operations in turns satisfy a rule against repeats, three if it looks at both players.
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
