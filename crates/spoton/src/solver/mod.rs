//! Perfect play: what every position is worth, under a budget.
//!
//! A [`Solver`] answers for the positions that play can reach. Which strategy answers is decided from the rule book
//! and is nobody's business but this module's; where two apply, they agree.
//!
//! | strategy | for |
//! |---|---|
//! | `sweep` | a shared number that only ever goes one way: a table, filled from the end back |
//! | `race` | separate numbers that never touch: how far is it for each alone? |
//! | `graph` | everything else, cycles among them: every reachable position, searched backwards from the ends |

pub mod chart;
mod graph;
mod interner;
mod race;
mod stretches;
mod sweep;
mod value;

use std::collections::HashSet;
use std::sync::Arc;

use crate::engine::operation::Affine;
use crate::engine::play::{Move, Step};
use crate::engine::position::{ByPlayer, Player, Position};
use crate::format::{Direction, NoRepeat, Rulebook};

pub(crate) use interner::Interner;
pub(crate) use sweep::ends as one_way_ends;
pub use value::{Value, Verdict};

/// How much a solver may take, and whether it is to go on.
pub struct Budget<'a> {
    /// The most bytes that it may hold at any time.
    pub bytes: u64,
    /// Asked every few milliseconds with what has been done so far; the solver stops where it says no.
    pub keep_going: &'a mut dyn FnMut(Progress) -> bool,
}

impl Budget<'_> {
    /// Refuses what would take more than there is.
    pub(crate) fn hold(&self, reached: u64, positions: u128, bytes_each: u64) -> Result<(), Unsolved> {
        let needs = positions.saturating_mul(u128::from(bytes_each));
        if needs <= u128::from(self.bytes) {
            return Ok(());
        }
        Err(Unsolved::TooLarge { reached, at_least: positions, needs, budget: self.bytes })
    }

    /// Asks whether to go on, every so many positions.
    pub(crate) fn ask(&mut self, done: u64, every: u64, of: Option<u64>) -> Result<(), Unsolved> {
        if done.is_multiple_of(every) && !(self.keep_going)(Progress { positions: done, of }) {
            return Err(Unsolved::Stopped { reached: done });
        }
        Ok(())
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions looked at so far.
    pub positions: u64,
    /// How many there are, where that is known.
    pub of: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsolved {
    /// There are more positions than the budget holds.
    #[error("{}", too_large(*.reached, *.at_least, *.needs, *.budget))]
    TooLarge {
        /// How many positions were looked at before it was full; none where the numbers alone said so.
        reached: u64,
        /// How many there are at least.
        at_least: u128,
        /// The bytes that so many would take.
        needs: u128,
        /// The budget, in bytes.
        budget: u64,
    },
    /// It is small enough, but would take too long.
    #[error("too long: {positions} positions that lead to each other, and play among them hardly ever ends")]
    TooLong {
        /// How many positions there are.
        positions: u64,
    },
    /// The caller did not want to go on.
    #[error("stopped after {reached} positions")]
    Stopped {
        /// How many positions were looked at.
        reached: u64,
    },
}

fn too_large(reached: u64, at_least: u128, needs: u128, budget: u64) -> String {
    let memory = |bytes: u128| match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes if mebibytes < 10_000 => format!("{mebibytes} MiB"),
        mebibytes => format!("{} GiB", mebibytes >> 10),
    };
    let (needs, budget) = (memory(needs), memory(u128::from(budget)));
    match reached {
        0 => format!(
            "too large: at least {at_least} positions, which take {needs} or more; the budget is {budget}"
        ),
        _ => format!(
            "too large: the budget of {budget} was full after {reached} positions, and there are more"
        ),
    }
}

/// No strategy keeps a position in less.
const LEAST_BYTES: u64 = 4;

/// The truth about a rule book's positions.
pub struct Solver {
    rulebook: Arc<Rulebook>,
    strategy: Strategy,
    /// Positions that are drawn as soon as a move reaches them.
    drawn: HashSet<Position>,
}

enum Strategy {
    Sweep(sweep::Sweep<i32>),
    /// The same for tables so long that a remoteness may not fit in four bytes.
    LongSweep(sweep::Sweep<i64>),
    Race(race::Race),
    Graph(graph::Solution),
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
    /// Where that takes more than the budget, or the caller does not want to go on.
    pub fn new(rulebook: Arc<Rulebook>, budget: &mut Budget<'_>) -> Result<Solver, Unsolved> {
        refuse_at_once(&rulebook, budget)?;
        let strategy = if let Some(cells) = sweep::cells(&rulebook, budget.bytes) {
            if cells < i32::MAX as u64 - 2 {
                Strategy::Sweep(sweep::Sweep::fill(&rulebook, budget)?)
            } else {
                Strategy::LongSweep(sweep::Sweep::fill(&rulebook, budget)?)
            }
        } else if let Some(race) = fitting(race::Race::run(&rulebook, budget))? {
            Strategy::Race(race)
        } else {
            let roots = openings(&rulebook);
            Strategy::Graph(graph::Solution::find(
                &rulebook,
                roots,
                graph::Seats::Alike,
                &HashSet::new(),
                budget,
            )?)
        };
        Ok(Solver { rulebook, strategy, drawn: HashSet::new() })
    }

    /// Solves a rule book from any positions by searching, with some positions drawn as soon as they are reached: what
    /// the house rule makes of a round in which they have come up before.
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
        let strategy = Strategy::Graph(graph::Solution::find(&rulebook, roots, seats, &drawn, budget)?);
        Ok(Solver { rulebook, strategy, drawn })
    }

    /// The rule book that was solved.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// What a position is worth to the player on turn; nothing for a position that play cannot reach.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        match &self.strategy {
            Strategy::Sweep(sweep) => sweep.verdict(position),
            Strategy::LongSweep(sweep) => sweep.verdict(position),
            Strategy::Race(race) => race.verdict(&self.rulebook, position),
            Strategy::Graph(solution) => solution.verdict(position),
        }
    }

    /// How many bytes the answers take.
    pub fn bytes(&self) -> u64 {
        match &self.strategy {
            Strategy::Sweep(sweep) => sweep.bytes(),
            Strategy::LongSweep(sweep) => sweep.bytes(),
            Strategy::Race(race) => race.bytes(),
            Strategy::Graph(solution) => solution.bytes(),
        }
    }

    /// Whether a move to this position is drawn at once.
    pub fn is_drawn(&self, position: &Position) -> bool {
        self.drawn.contains(position)
    }

    /// Every legal move and what it is worth, best first; none where the round is over.
    pub fn moves(&self, position: &Position) -> Vec<MoveVerdict> {
        let moves = self.rulebook.situation(position).moves();
        let mut judged: Vec<MoveVerdict> = moves
            .filter_map(|a_move| Some(MoveVerdict { a_move, verdict: self.move_verdict(position, a_move)? }))
            .collect();
        judged.sort_by_key(|judged| std::cmp::Reverse(judged.verdict));
        judged
    }

    /// What a legal move is worth to the player who makes it.
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
pub fn survey(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Vec<(Position, Verdict)>, Unsolved> {
    refuse_at_once(rulebook, budget)?;
    let roots = openings(rulebook);
    let solution = graph::Solution::find(rulebook, roots, graph::Seats::Alike, &HashSet::new(), budget)?;
    Ok(solution.all().collect())
}

/// Shows every position that can be reached from the opening, with what each legal move is worth; the position as the
/// player on turn sees it. Whether some line of legal moves never ends.
pub(crate) fn look_through(
    rulebook: &Arc<Rulebook>,
    budget: &mut Budget<'_>,
    mut look: impl FnMut(&Position, Verdict, &[MoveVerdict]),
) -> Result<bool, Unsolved> {
    refuse_at_once(rulebook, budget)?;
    let nothing_drawn = HashSet::new();
    let roots = openings(rulebook);
    let solution = graph::Solution::find(rulebook, roots, graph::Seats::Alike, &nothing_drawn, budget)?;
    let endless = solution.goes_in_circles(rulebook, budget)?;
    let found: Strategy = Strategy::Graph(solution);
    let solver = Solver { rulebook: Arc::clone(rulebook), strategy: found, drawn: nothing_drawn };
    if let Strategy::Graph(solution) = &solver.strategy {
        for (index, (position, verdict)) in solution.all().enumerate() {
            look(&position, verdict, &solver.moves(&position));
            budget.ask(index as u64, 1 << 10, None)?;
        }
    }
    Ok(endless)
}

/// For separate numbers that never touch: the moves that a player needs from each number, where the number alone
/// decides that. Nothing where it does not, or where this is no race.
///
/// # Errors
///
/// As for [`Solver::new`].
pub fn distances(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
    refuse_at_once(rulebook, budget)?;
    Ok(race::Race::run(rulebook, budget)?.and_then(|race| race.by_number()))
}

/// For separate numbers that never touch: the fewest moves in which each player could win alone from a position that
/// can be reached. Nothing where this is no race.
///
/// # Errors
///
/// As for [`Solver::new`].
pub fn distance_to_win(
    rulebook: &Rulebook,
    position: &Position,
    budget: &mut Budget<'_>,
) -> Result<Option<ByPlayer<u64>>, Unsolved> {
    if rulebook.numbers() != crate::format::Numbers::Separate {
        return Ok(None);
    }
    refuse_at_once(rulebook, budget)?;
    let race = race::Race::run(rulebook, budget)?;
    Ok(race.and_then(|race| {
        let both = Player::BOTH.map(|player| race.distance(position, player));
        Some(ByPlayer([both[0]?, both[1]?]))
    }))
}

/// The positions in which a round may begin. Both are the same to the player on turn.
fn openings(rulebook: &Rulebook) -> [Position; 1] {
    [rulebook.opening(Player::One)]
}

/// A position as the player on turn sees it: they are Player 1.
fn as_seen(position: &Position) -> Position {
    fn swapped<T: Copy>(pair: ByPlayer<T>) -> ByPlayer<T> {
        ByPlayer([pair.0[1], pair.0[0]])
    }
    match position.turn {
        Player::One => *position,
        Player::Two => Position {
            numbers: swapped(position.numbers),
            uses: swapped(position.uses),
            last: swapped(position.last),
            passes: swapped(position.passes),
            turn: Player::One,
        },
    }
}

/// A strategy that does not fit into the budget leaves the question to the general search: where one player alone
/// could go far, the two together may not.
fn fitting<T>(found: Result<Option<T>, Unsolved>) -> Result<Option<T>, Unsolved> {
    match found {
        Err(Unsolved::TooLarge { .. }) => Ok(None),
        found => found,
    }
}

/// Refuses without any search where the numbers alone are too many.
fn refuse_at_once(rulebook: &Rulebook, budget: &Budget<'_>) -> Result<(), Unsolved> {
    let at_least = least_positions(rulebook);
    budget.hold(0, at_least, LEAST_BYTES)
}

/// A number of positions that can surely be reached.
fn least_positions(rulebook: &Rulebook) -> u128 {
    // With a number each, the walk is over when either of them has arrived.
    let (starter, other) = rulebook.start();
    walk(rulebook, starter).min(walk(rulebook, other))
}

/// How many numbers a walk by small steps from a start towards the target comes to, up to the first number that is out
/// of the ordinary.
fn walk(rulebook: &Rulebook, start: i64) -> u128 {
    let (low, high) = rulebook.range();
    let climbs = rulebook.direction() != Some(Direction::Countdown);
    let end = rulebook.target().unwrap_or(if climbs { high } else { low });
    let ahead = |number: i64| if climbs { number > start } else { number < start };
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let listed = lists.into_iter().flatten().copied().filter(|number| ahead(*number));
    let first_listed = if climbs { listed.min() } else { listed.max() };
    let end = match first_listed {
        Some(number) if climbs => number.min(end),
        Some(number) => number.max(end),
        None => end,
    };
    // Two operations in turns satisfy a rule against repeats, three where it looks at both players.
    let in_turns = match rulebook.no_repeat() {
        NoRepeat::None => 1,
        NoRepeat::Own | NoRepeat::Opponent => 2,
        NoRepeat::Both => 3,
    };
    let unlimited = rulebook.moves().iter().filter(|entry| entry.uses.is_none());
    let ahead = unlimited.filter_map(|entry| match entry.operation.as_affine()? {
        Affine { factor: 1, addend } => Some(if climbs { addend } else { -addend }),
        _ => None,
    });
    let mut steps: Vec<i64> = ahead.filter(|step| *step > 0).collect();
    steps.sort_unstable();
    match steps.get(in_turns - 1) {
        Some(longest) => u128::from(end.abs_diff(start)) / (*longest as u128),
        None => 1,
    }
}
