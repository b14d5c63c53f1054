//! Sweeps: one-way numbers. Every position has a cell, filled from the far end back, so the results of moves
//! are always known.
//!
//! For most books with one number, `stretches` fills the cells faster.

use super::filling::Filling;
use super::grid::Grid;
use super::steps::Moves;
use super::strategy::{Case, Solution, Stage};
use super::stretches::{Stretches, specials};
use super::value::{Score, Verdict};
use super::{Budget, Unsolved};
use crate::engine::operation::Way;
use crate::engine::position::{ByPlayer, Choice, Clock, MOST_MOVES, Player, Position};
use crate::format::{Direction, NoRepeat, Rulebook};

pub(super) struct Sweep<S> {
    grid: Grid,
    cells: Vec<S>,
}

/// The players' last moves, as the player to move sees them: their own and the other's.
pub(super) type Memory = (Option<Choice>, Option<Choice>);

/// The memories that play can reach, with their indices.
pub(super) struct Memories {
    pub(super) known: Vec<Memory>,
    places: [[u16; MOST_MOVES + 1]; MOST_MOVES + 1],
}

/// The size of a book's scores. They fit the longest round, in which every move changes a number and no two
/// consecutive turns are skipped.
fn bytes_each(rulebook: &Rulebook, grid: &Grid) -> usize {
    let moves = u128::from(grid.numbers()) * if grid.pairs { 2 } else { 1 };
    let longest = moves * if rulebook.may_skip() { 2 } else { 1 };
    match longest {
        _ if longest < i16::MAX as u128 - 2 => 2,
        _ if longest < i32::MAX as u128 - 2 => 4,
        _ => 8,
    }
}

/// Maximum size of a sweep in bytes, excluding cells and special numbers.
const BESIDE: u128 = 4096;

/// Whether the number of a one-way game goes up.
pub(crate) fn goes_up(rulebook: &Rulebook) -> bool {
    rulebook.only_way() == Some(Way::Up)
}

/// The lowest and highest numbers that a player can have on their turn.
pub(crate) fn ends(rulebook: &Rulebook) -> (i64, i64) {
    let (one, two) = rulebook.start();
    let (low, high) = rulebook.range();
    if rulebook.only_way().is_none() {
        // No move is usable at the opening.
        return (one.min(two), one.max(two));
    }
    let up = goes_up(rulebook);
    let start = if up { one.min(two) } else { one.max(two) };
    let beyond = match (rulebook.target(), rulebook.direction()) {
        (Some(target), Some(Direction::Climb)) if up => target - 1,
        (Some(target), Some(Direction::Countdown)) if !up => target + 1,
        _ if up => high,
        _ => low,
    };
    // Beyond 0, where play can't go, a move may change direction. So the numbers end where play does.
    let (least, most) = rulebook.within_reach();
    if up {
        (start, beyond.min(most).max(one).max(two))
    } else {
        (beyond.max(least).min(one).min(two), start)
    }
}

impl Memories {
    pub(super) fn reachable(rulebook: &Rulebook) -> Memories {
        let mut memories = Memories { known: vec![], places: [[u16::MAX; MOST_MOVES + 1]; MOST_MOVES + 1] };
        memories.add((None, None));
        if rulebook.no_repeat() == NoRepeat::None {
            return memories;
        }
        let mut next = 0;
        while next < memories.known.len() {
            let (mine, theirs) = memories.known[next];
            next += 1;
            if rulebook.may_skip() {
                memories.add((theirs, mine));
            }
            for choice in rulebook.fixed_choices() {
                let ByPlayer([mine, theirs]) =
                    rulebook.remembered(ByPlayer([mine, theirs]), Player::One, choice);
                memories.add((theirs, mine));
            }
        }
        memories
    }

    /// The memories of a player alone: their own last choice.
    pub(super) fn alone(rulebook: &Rulebook) -> Memories {
        let mut memories = Memories { known: vec![], places: [[u16::MAX; MOST_MOVES + 1]; MOST_MOVES + 1] };
        memories.add((None, None));
        if rulebook.no_repeat().looks_at_own() {
            rulebook.fixed_choices().for_each(|choice| memories.add((Some(choice), None)));
        }
        memories
    }

    fn add(&mut self, memory: Memory) {
        let (row, column) = Memories::indices(memory);
        if self.places[row][column] == u16::MAX {
            self.places[row][column] = self.known.len() as u16;
            self.known.push(memory);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        (size_of::<Memories>() + self.known.capacity() * size_of::<Memory>()) as u64
    }

    fn indices((mine, theirs): Memory) -> (usize, usize) {
        let index = |last: Option<Choice>| last.map_or(0, |choice| choice.index() + 1);
        (index(mine), index(theirs))
    }

    /// Returns `None` for an unreachable memory.
    pub(super) fn place(&self, memory: Memory) -> Option<usize> {
        let (row, column) = Memories::indices(memory);
        let place = usize::from(*self.places.get(row)?.get(column)?);
        (place < self.known.len()).then_some(place)
    }
}

impl<S: Score> Sweep<S> {
    /// Only for books with a grid.
    #[cfg(test)]
    pub(super) fn fill(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Sweep<S>, Unsolved> {
        Sweep::fill_grid(rulebook, Grid::for_rulebook(rulebook).unwrap(), budget)
    }

    fn fill_grid(rulebook: &Rulebook, grid: Grid, budget: &mut Budget<'_>) -> Result<Sweep<S>, Unsolved> {
        let bytes = grid.places() as u64 * size_of::<S>() as u64;
        let moves = budget.beside(bytes, |budget| Moves::for_grid(rulebook, &grid, budget))?;
        let mut cells = vec![S::DRAW; grid.places() as usize];
        if grid.pairs {
            let shared = S::share(cells);
            Filling::<S, _>::new(&moves, &shared[..]).fill_pairs(budget)?;
            cells = S::unshare(shared);
        } else {
            let mut filling = Filling::new(&moves, &mut cells[..]);
            match Stretches::find(rulebook, &grid) {
                Some(stretches) => stretches.fill(&mut filling, budget)?,
                None => filling.fill_numbers(0, budget)?,
            }
        }
        drop(moves);
        Ok(Sweep { grid, cells })
    }
}

impl<S: Score> Solution for Sweep<S> {
    fn table_bytes(case: &Case<'_>, budget: &Budget<'_>) -> Option<Result<u64, Unsolved>> {
        let (rulebook, grid) = (case.rulebook, case.grid.as_ref()?);
        if !case.one_way || bytes_each(rulebook, grid) != size_of::<S>() {
            return None;
        }
        let (cells, width) = (grid.places(), size_of::<S>() as u64);
        let beside = (specials(rulebook) * size_of::<i64>()) as u128 + BESIDE;
        let needs = cells.saturating_mul(width.into()).saturating_add(beside);
        Some(budget.require_bytes(0, cells, needs).map(|()| cells as u64 * width))
    }

    fn attempt(
        stage: Stage,
        case: &mut Case<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Sweep<S>>, Unsolved> {
        if stage != Stage::Table {
            return Ok(None);
        }
        let Some(fits) = Sweep::<S>::table_bytes(case, budget) else { return Ok(None) };
        fits?;
        case.grid.take().map(|grid| Sweep::fill_grid(case.rulebook, grid, budget)).transpose()
    }

    fn verdict(&self, _: &Rulebook, position: &Position) -> Option<Verdict> {
        Some(self.cells.get(self.grid.place(position)?)?.verdict())
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.cells[..]) as u64
    }
}

/// The position at a number, with Player 1 to move.
pub(super) fn at(number: i64, (mine, theirs): Memory) -> Position {
    Position {
        numbers: ByPlayer([number; 2]),
        uses: ByPlayer::default(),
        last: ByPlayer([mine, theirs]),
        passes: ByPlayer::default(),
        clock: Clock::new(Player::One, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Draft;

    /// The eight-byte table (only for oversized books) and the two-byte table (only for small ones) agree
    /// with the four-byte table.
    #[test]
    fn tables_of_every_width_agree() {
        fn verdicts<S: Score>(rulebook: &Rulebook) -> Vec<Verdict> {
            let sweep = Sweep::<S>::fill(rulebook, &mut Budget::patient(1 << 20)).unwrap();
            sweep.cells.iter().map(|score| score.verdict()).collect()
        }
        for rules in [
            "start = 1\ntarget = 200\nmoves = ['+1', 'x2']",
            "start = 1\ntarget = 60\nmoves = ['+1', '+3', 'x2']\nno_repeat = 'own'\nstuck = 'skips'",
            "start = 90\ntarget = 0\nmoves = ['-1..3']\npast = 'forbidden'\nlosing = [40]",
            "numbers = 'separate'\nstart = 1\ntarget = 40\nmoves = ['+1', { op = '+2', on = 'other', uses = 2 }]",
        ] {
            let rulebook = Draft::read("table", &format!("title = 'Table'\n{rules}")).build().unwrap();
            assert_eq!(verdicts::<i16>(&rulebook), verdicts::<i32>(&rulebook), "{rules}");
            assert_eq!(verdicts::<i64>(&rulebook), verdicts::<i32>(&rulebook), "{rules}");
        }
    }
}
