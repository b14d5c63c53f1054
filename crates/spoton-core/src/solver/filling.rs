//! Fills the table of a sweep: by number, or by pairs if each player has one.

use std::ops::Range;

use super::rows::Rows;
use super::steps::{LOST, Link, Moves, Step, Steps, WON, Without};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::format::On;

/// Cells per call to the budget.
pub(super) const PATIENCE: usize = 1 << 16;

/// The side of a tile, in numbers per player. A tile fits the cache.
const TILE: usize = 256;

/// This many cells take about ten milliseconds, enough to pay for a second thread.
const ENOUGH_FOR_TWO: usize = 1 << 21;

/// The cells of a table, owned or shared between threads.
pub(super) trait Cells<S> {
    fn count(&self) -> usize;
    fn get(&self, cell: usize) -> S;
    fn set(&mut self, cell: usize, score: S);
}

impl<S: Score> Cells<S> for &mut [S] {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn get(&self, cell: usize) -> S {
        self[cell]
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, score: S) {
        self[cell] = score;
    }
}

impl<S: Score> Cells<S> for &[S::Cell] {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn get(&self, cell: usize) -> S {
        S::read(&self[cell])
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, score: S) {
        score.write(&self[cell]);
    }
}

/// A table being filled.
pub(super) struct Filling<'a, S, C> {
    pub(super) moves: &'a Moves<'a>,
    pub(super) cells: C,
    numbers: usize,
    memory_states: usize,
    /// The best score for each memory state at the current numbers.
    best: Vec<S>,
    /// Skips: from and to cells.
    skips: Vec<(usize, usize)>,
    /// The score of being stuck, if it's the same everywhere.
    stuck: Option<S>,
    /// The scores of losing and winning on the next move.
    ends: [S; 2],
}

impl<'a, S: Score, C: Cells<S>> Filling<'a, S, C> {
    pub(super) fn new(moves: &'a Moves<'a>, cells: C) -> Filling<'a, S, C> {
        let memory_states = moves.grid.memory_states as usize;
        Filling {
            moves,
            cells,
            numbers: moves.grid.numbers() as usize,
            memory_states,
            best: vec![S::NONE; memory_states],
            skips: Vec::new(),
            stuck: None,
            ends: [Value::Loss, Value::Win].map(|value| S::from_verdict(Verdict::new(value, 1))),
        }
    }

    pub(super) fn ask(&self, done: usize, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        budget.ask_now(done as u64, Some(self.cells.count() as u64))
    }

    /// Fills numbers from the far end back to a rank.
    pub(super) fn fill_numbers(&mut self, from: usize, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let mut steps = Vec::new();
        for rank in (from..self.numbers).rev() {
            self.fill_number(rank, &mut steps);
            let done = (self.numbers - rank) * self.memory_states;
            if done % PATIENCE < self.memory_states {
                self.ask(done, budget)?;
            }
        }
        Ok(())
    }

    /// Fills the cells of a number. `steps` is a reusable buffer.
    pub(super) fn fill_number(&mut self, rank: usize, steps: &mut Vec<Step>) {
        if self.memory_states == 1 {
            let mut best = S::NONE;
            self.moves.only_landings(rank, |to| {
                let worth = match to {
                    WON => self.ends[1],
                    LOST => self.ends[0],
                    to => self.cells.get(to).before_move(),
                };
                raise(&mut best, worth);
            });
            return self.set(rank, best);
        }
        steps.clear();
        self.moves.steps(rank, On::Own, |step| steps.push(step));
        self.fill_cells(rank, [(steps, 0, 1), (&[], 0, 1)]);
        self.skip();
    }

    fn fill_pair(&mut self, mine: usize, theirs: usize, own: &Steps, other: &Steps) {
        let numbers = self.numbers;
        // After a move it's the opponent's turn, and they see their own number first.
        let steps = [(own.from(mine), theirs * numbers, 1), (other.from(theirs), mine, numbers)];
        self.fill_cells(mine * numbers + theirs, steps);
    }

    /// Fills the pairs of a number with itself and higher ones, if only the numbers decide.
    fn fill_plain(&mut self, lower: usize, highers: Range<usize>, own: &Plain<S>, other: &Plain<S>) {
        let numbers = self.numbers;
        let (own_lower, other_lower) = (own.from(lower), other.from(lower));
        for higher in highers.rev() {
            let (own_higher, other_higher) = (own.from(higher), other.from(higher));
            let up = best(&self.cells, own_lower, higher * numbers, other_higher, lower, numbers);
            self.set(lower * numbers + higher, up);
            if lower != higher {
                let down = best(&self.cells, own_higher, lower * numbers, other_lower, higher, numbers);
                self.set(higher * numbers + lower, down);
            }
            if !self.skips.is_empty() {
                self.skip();
            }
        }
    }

    /// Fills a cell with its best score, if it has any move.
    #[inline(always)]
    pub(super) fn set(&mut self, cell: usize, score: S) {
        let score = if score == S::NONE { self.without_step(cell) } else { score };
        self.cells.set(cell, score);
    }

    /// Fills the cells of the numbers at an index. Each list of steps comes with the index for rank 0 and the
    /// distance between ranks. Steps in the first list change the mover's number, and steps in the second
    /// list the opponent's.
    fn fill_cells(&mut self, place: usize, steps: [(&[Step], usize, usize); 2]) {
        let memory_states = self.memory_states;
        let (cells, best, links) = (&self.cells, &mut self.best[..memory_states], &self.moves.links[..]);
        best.fill(S::NONE);
        for ((steps, first, apart), ends) in steps.into_iter().zip([self.ends, [self.ends[1], self.ends[0]]])
        {
            for step in steps {
                let links = links.get(usize::from(step.kind)).map_or(&ONLY_LINK[..], Vec::as_slice);
                match step.to {
                    WON | LOST => {
                        let end = ends[usize::from(step.to == WON)];
                        links.iter().for_each(|link| raise(&mut best[link.from as usize], end));
                    }
                    to => {
                        let next = (first + to * apart) * memory_states;
                        for link in links {
                            let worth = cells.get(next + link.to as usize).before_move();
                            raise(&mut best[link.from as usize], worth);
                        }
                    }
                }
            }
        }
        let from = place * memory_states;
        for memory_state in 0..memory_states {
            self.set(from + memory_state, self.best[memory_state]);
        }
    }

    /// The score of a cell without steps, unless it's a skip.
    #[cold]
    fn without_step(&mut self, cell: usize) -> S {
        if let Some(stuck) = self.stuck {
            return stuck;
        }
        match self.moves.without_step(cell) {
            Without::Ended(verdict) => {
                let score = S::from_verdict(verdict);
                self.stuck = self.moves.stuck_is_the_same_everywhere().then_some(score);
                score
            }
            Without::Skips(next) => {
                self.skips.push((cell, next));
                S::NONE
            }
        }
    }

    /// A skip leads to the same numbers with the opponent to move, who has a move. So that cell is
    /// already filled.
    fn skip(&mut self) {
        for (cell, next) in self.skips.drain(..) {
            let score = self.cells.get(next).before_move();
            self.cells.set(cell, score);
        }
    }
}

impl<S: Score> Filling<'_, S, &[S::Cell]> {
    /// Fills pairs in descending order of the lower number, then of the higher one. Every move leads to a
    /// pair that is already filled, no matter who moves or which number changes.
    ///
    /// So a tile needs the rows of higher numbers only up to its own column. Several rows can fill in
    /// parallel if each stays behind the previous one.
    pub(super) fn fill_pairs(&mut self, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let held = size_of_val(self.cells) as u64 + self.moves.bytes();
        let (own, other) = budget.beside(held, |budget| {
            let own = Steps::from_moves(self.moves, On::Own, budget)?;
            let other =
                budget.beside(own.bytes(), |budget| Steps::from_moves(self.moves, On::Other, budget))?;
            Ok((own, other))
        })?;
        let plain = match self.memory_states {
            1 => Some([
                Plain::from_steps(&own, self.numbers, On::Own),
                Plain::from_steps(&other, self.numbers, On::Other),
            ]),
            _ => None,
        };
        let tile = (TILE / self.memory_states).clamp(4, 64);
        let rows = Rows::new(self.numbers.div_ceil(tile));
        let pairs = Pairs { own, other, plain, tile, rows };
        let (moves, cells) = (self.moves, self.cells);
        let mut fill = |budget: &mut Budget<'_>| {
            self.fill_rows(&pairs, |done| budget.ask_now(done, Some(cells.len() as u64)))
        };
        if cells.len() < ENOUGH_FOR_TWO {
            return fill(budget);
        }
        let help = || {
            // Doesn't ask the budget: it continues until the other thread stops.
            let _ = Filling::<S, _>::new(moves, cells).fill_rows(&pairs, |_| Ok(()));
        };
        budget.with_help(&help, fill)
    }

    /// Fills rows of tiles until none are left.
    fn fill_rows(
        &mut self,
        pairs: &Pairs<S>,
        mut ask: impl FnMut(u64) -> Result<(), Unsolved>,
    ) -> Result<(), Unsolved> {
        let Pairs { tile, rows, .. } = pairs;
        let each = 2 * tile * tile * self.memory_states;
        while let Some(row) = rows.take() {
            for column in row.columns() {
                let Some(done) = row.wait_for(column) else { return Ok(()) };
                self.fill_tile(row.place * tile, column * tile, pairs);
                // Ask before marking the tile: if this stops, the unfinished row stops the other threads.
                ask((done * each).min(self.cells.len()) as u64)?;
                row.fill();
            }
        }
        Ok(())
    }

    fn fill_tile(&mut self, low: usize, high: usize, pairs: &Pairs<S>) {
        let Pairs { own, other, plain, tile, .. } = pairs;
        for lower in (low..self.numbers.min(low + tile)).rev() {
            let highers = lower.max(high)..self.numbers.min(high + tile);
            match plain {
                Some([own, other]) => self.fill_plain(lower, highers, own, other),
                None => highers.rev().for_each(|higher| {
                    self.fill_pair(lower, higher, own, other);
                    if lower != higher {
                        self.fill_pair(higher, lower, own, other);
                    }
                    self.skip();
                }),
            }
        }
    }
}

/// The steps that fill a table of pairs.
struct Pairs<S> {
    own: Steps,
    other: Steps,
    /// A faster form, if only the numbers decide.
    plain: Option<[Plain<S>; 2]>,
    tile: usize,
    rows: Rows,
}

/// The link of every move if there is only one memory state.
const ONLY_LINK: [Link; 1] = [Link { from: 0, to: 0 }];

#[inline(always)]
fn raise<S: Score>(best: &mut S, worth: S) {
    *best = worth.max(*best);
}

/// The value of a step that ends the round, to the player who makes it. It depends on whose number changes.
fn end<S: Score>(to: usize, on: On) -> Option<S> {
    let value = match (to, on) {
        (WON, On::Own) | (LOST, On::Other) => Value::Win,
        (LOST, On::Own) | (WON, On::Other) => Value::Loss,
        _ => return None,
    };
    Some(S::from_verdict(Verdict::new(value, 1)))
}

/// The steps on one player's number, if only the numbers decide.
struct Plain<S> {
    /// The best of the steps that end the round, by number.
    floors: Vec<S>,
    /// The other steps, by number: offsets into `to`.
    starts: Vec<u32>,
    to: Vec<u32>,
}

impl<S: Score> Plain<S> {
    fn from_steps(steps: &Steps, numbers: usize, on: On) -> Plain<S> {
        let mut plain = Plain {
            floors: Vec::with_capacity(numbers),
            starts: Vec::with_capacity(numbers + 1),
            to: Vec::with_capacity(steps.len()),
        };
        plain.starts.push(0);
        for rank in 0..numbers {
            let ends = steps.from(rank).iter().filter_map(|step| end(step.to, on));
            plain.floors.push(ends.max().unwrap_or(S::NONE));
            let on = steps.from(rank).iter().filter(|step| end::<S>(step.to, on).is_none());
            plain.to.extend(on.map(|step| step.to as u32));
            plain.starts.push(plain.to.len() as u32);
        }
        plain
    }

    #[inline(always)]
    fn from(&self, rank: usize) -> (S, &[u32]) {
        (self.floors[rank], &self.to[self.starts[rank] as usize..self.starts[rank + 1] as usize])
    }
}

/// The best result of steps on the player's own number and on the other's. After a move the opponent is
/// to move, and sees their own number first.
#[inline(always)]
fn best<S: Score>(
    cells: &impl Cells<S>,
    (own_floor, own): (S, &[u32]),
    first: usize,
    (other_floor, other): (S, &[u32]),
    mine: usize,
    numbers: usize,
) -> S {
    let mut best = own_floor.max(other_floor);
    for to in own {
        best = best.max(cells.get(first + *to as usize).before_move());
    }
    for to in other {
        best = best.max(cells.get(*to as usize * numbers + mine).before_move());
    }
    best
}
