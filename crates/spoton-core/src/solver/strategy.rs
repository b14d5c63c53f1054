//! The interface of every strategy, and how the solver chooses one: in stages, the cheapest first.

use super::chart::Piece;
use super::intervals::Intervals;
use super::steps::most_bytes_beside;
use super::sweep::Memory;
use super::{Budget, Grid, Interner, Strategy, Unsolved, Value, Verdict};
use crate::engine::position::{ByPlayer, Position};
use crate::format::Rulebook;

/// The solution of a rule book by one strategy. Methods with a default body are optional.
pub(super) trait Solution {
    /// The bytes of a table for a book, or the refusal if they exceed the budget. `None` without a table.
    fn table_bytes(_case: &Case<'_>, _budget: &Budget<'_>) -> Option<Result<u64, Unsolved>>
    where
        Self: Sized,
    {
        None
    }

    /// Solves a book, if the strategy applies and this is its stage. Each strategy checks only its own lower bound,
    /// so an inapplicable strategy's estimate never rules out a game.
    fn attempt(
        _stage: Stage,
        _case: &mut Case<'_>,
        _budget: &mut Budget<'_>,
    ) -> Result<Option<Self>, Unsolved>
    where
        Self: Sized,
    {
        Ok(None)
    }

    /// The verdict of a position for the player to move; `None` if it isn't covered.
    fn verdict(&self, rulebook: &Rulebook, position: &Position) -> Option<Verdict>;

    /// Its size in bytes.
    fn bytes(&self) -> u64;

    /// See [`super::Solver::stretches`].
    fn stretches(
        &self,
        _rulebook: &Rulebook,
        _last: Option<Memory>,
        _budget: &Budget<'_>,
    ) -> Result<Option<Vec<Piece<Option<Value>>>>, Unsolved> {
        Ok(None)
    }

    /// See [`super::Solver::distances`].
    fn by_number(
        &self,
        _rulebook: &Rulebook,
        _budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<(i64, u64)>>, Unsolved> {
        Ok(None)
    }

    /// See [`super::Solver::moves_to_win`].
    fn moves_to_win(&self, _position: &Position) -> Option<ByPlayer<u64>> {
        None
    }

    /// The positions it has found, as the player to move sees them, if it stores them.
    fn positions(&self) -> Option<&Interner> {
        None
    }

    /// Whether it covers too many numbers to iterate.
    fn has_no_table(&self) -> bool {
        false
    }

    /// Whether it was quicker than a table that fits.
    fn spared_a_table(&self) -> bool {
        false
    }
}

/// Generates the enum of strategies from a list, with a line for each. A match is quicker than a call through a
/// pointer, so `verdict` has one.
macro_rules! strategies {
    ($($(#[$doc:meta])* $name:ident($solution:ty),)+) => {
        enum Strategy {
            $($(#[$doc])* $name($solution),)+
        }

        impl Strategy {
            const TABLES: &[strategy::TableBytes] = &[$(<$solution as Solution>::table_bytes,)+];
            const ATTEMPTS: &[strategy::Attempt] = &[$(|stage, case, budget| {
                Ok(<$solution as Solution>::attempt(stage, case, budget)?.map(Strategy::$name))
            },)+];

            fn verdict(&self, rulebook: &Rulebook, position: &Position) -> Option<Verdict> {
                match self {
                    $(Strategy::$name(solution) => solution.verdict(rulebook, position),)+
                }
            }

            fn solution(&self) -> &dyn Solution {
                match self {
                    $(Strategy::$name(solution) => solution,)+
                }
            }
        }
    };
}
pub(super) use strategies;

pub(super) type TableBytes = fn(&Case<'_>, &Budget<'_>) -> Option<Result<u64, Unsolved>>;
pub(super) type Attempt = fn(Stage, &mut Case<'_>, &mut Budget<'_>) -> Result<Option<Strategy>, Unsolved>;

/// When to attempt a strategy. A table's cost is known before it's filled. Stretches and searches have none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// With an allowance: a share of the time and memory of a table that fits. For a race, its own table belongs
    /// here too, because it has no pairs of numbers.
    Sparing,
    /// With a table.
    Table,
    /// Until the budget is full.
    Search,
    /// With a less detailed answer, because everything else is too large.
    LastResort,
}

impl Stage {
    const ALL: [Stage; 4] = [Stage::Sparing, Stage::Table, Stage::Search, Stage::LastResort];
}

/// The kind of query a solver will get, which decides the cheapest strategy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Some positions, one at a time.
    Positions,
    /// Every number: a lookup in a table is cheaper than one in stretches.
    EveryNumber,
}

/// A book to solve, and what the attempts have found out about it so far.
pub(super) struct Case<'a> {
    pub(super) rulebook: &'a Rulebook,
    pub(super) question: Question,
    /// Whether numbers only go up, or only down. Cached: expensive to compute.
    pub(super) one_way: bool,
    /// The numbering of a table's cells. A table takes it when it's filled.
    pub(super) grid: Option<Grid>,
    /// Whether nearly all cells of a table would be used: those of a single number and the last moves.
    pub(super) is_full: bool,
    /// The maximum size of everything but the cells of a table; `None` if no amount of memory is enough for one.
    pub(super) beside: Option<u128>,
    /// Stretches with winners but without move counts. A search that fits the budget also counts moves.
    pub(super) uncounted: Option<Intervals>,
    /// The size of a table that may be mostly unused.
    would_do: Option<u128>,
    refusals: Vec<Unsolved>,
}

impl<'a> Case<'a> {
    pub(super) fn new(rulebook: &'a Rulebook, question: Question) -> Case<'a> {
        let grid = Grid::for_rulebook(rulebook);
        let one_way = rulebook.goes_one_way();
        let is_full = |grid: &Grid| !grid.pairs && !grid.is_limited() && one_way;
        Case {
            rulebook,
            question,
            one_way,
            is_full: grid.as_ref().is_some_and(is_full),
            beside: grid.as_ref().map(|grid| most_bytes_beside(rulebook, grid)),
            grid,
            uncounted: None,
            would_do: None,
            refusals: Vec::new(),
        }
    }

    /// The bytes of the book's table, or the refusal if they exceed the budget. `None` without a table.
    pub(super) fn table_bytes(&self, budget: &Budget<'_>) -> Option<Result<u64, Unsolved>> {
        Strategy::TABLES.iter().find_map(|table_bytes| table_bytes(self, budget))
    }

    /// Whether a full table would fit if the caller freed memory.
    pub(super) fn lacks_room_only(&self, budget: &Budget<'_>) -> bool {
        self.is_full && self.refusals.iter().any(|why| budget.lacks_room_only(why))
    }

    fn refuse(&mut self, stage: Stage, why: Unsolved) {
        match why {
            Unsolved::TooLarge { needs, .. } if stage == Stage::Table && !self.is_full => {
                self.would_do = self.beside.map(|beside| needs.saturating_add(beside));
            }
            why => self.refusals.push(why),
        }
    }

    /// The error that asks for the least memory.
    fn refusal(self) -> Unsolved {
        let cheapest = self.refusals.into_iter().rev().reduce(cheaper);
        match cheapest {
            // A table's size is known in advance. The number of stretches isn't.
            Some(why) => why.would_do(self.would_do),
            None => unreachable!("a search answers every book or refuses it"),
        }
    }
}

impl Strategy {
    /// The cheapest strategy that applies to a book and fits the budget.
    pub(super) fn find(
        rulebook: &Rulebook,
        question: Question,
        budget: &mut Budget<'_>,
    ) -> Result<Strategy, Unsolved> {
        let mut case = Case::new(rulebook, question);
        for stage in Stage::ALL {
            for attempt in Strategy::ATTEMPTS {
                match attempt(stage, &mut case, budget) {
                    Ok(Some(found)) => return Ok(found),
                    Ok(None) => {}
                    Err(why @ Unsolved::TooLarge { .. }) => case.refuse(stage, why),
                    Err(why) => return Err(why),
                }
            }
        }
        Err(case.refusal())
    }

    /// A table of all combinations of numbers and memory; `None` without a numbering of them.
    pub(super) fn table(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Option<Strategy>, Unsolved> {
        let mut case = Case::new(rulebook, Question::EveryNumber);
        for attempt in Strategy::ATTEMPTS {
            if let Some(found) = attempt(Stage::Table, &mut case, budget)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// Turns an error into `None` if another strategy can take over.
pub(super) fn too_large_is_none<T>(found: Result<Option<T>, Unsolved>) -> Result<Option<T>, Unsolved> {
    match found {
        Err(Unsolved::TooLarge { .. }) => Ok(None),
        found => found,
    }
}

/// The error that asks for less memory, because that much is enough.
fn cheaper(one: Unsolved, two: Unsolved) -> Unsolved {
    match (&one, &two) {
        (
            Unsolved::TooLarge { reached: 0, needs: more, .. },
            Unsolved::TooLarge { reached: 0, needs: less, .. },
        ) if less < more => two,
        _ => one,
    }
}
