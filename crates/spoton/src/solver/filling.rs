//! How the table of a sweep is filled: number by number or, where each player has one, pair by pair.

use std::ops::Range;

use super::rows::Rows;
use super::steps::{LOST, Link, Moves, Step, Steps, WON, Without};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::format::On;

/// How many cells are filled between two questions whether to go on.
pub(super) const PATIENCE: usize = 1 << 16;

/// How many cells of one player's numbers are taken together with as many of the other's numbers. So many stay near the
/// processor.
const TILE: usize = 256;

/// So many cells take some ten milliseconds, for which a second thread pays.
const ENOUGH_FOR_TWO: usize = 1 << 21;

/// The cells of a table: one's own, or shared with others who fill it.
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

/// A table while it is filled.
pub(super) struct Filling<'a, S, C> {
    pub(super) moves: &'a Moves<'a>,
    pub(super) cells: C,
    numbers: usize,
    controls: usize,
    /// The best that is known for each control at the numbers at hand.
    best: Vec<S>,
    /// The cells from which the turn goes over, and to which.
    skips: Vec<(usize, usize)>,
    /// What being stuck comes to, if that is the same everywhere.
    stuck: Option<S>,
    /// What losing and winning by the next move is worth.
    ends: [S; 2],
}

impl<'a, S: Score, C: Cells<S>> Filling<'a, S, C> {
    pub(super) fn new(moves: &'a Moves<'a>, cells: C) -> Filling<'a, S, C> {
        let controls = moves.grid.controls as usize;
        Filling {
            moves,
            cells,
            numbers: moves.grid.numbers() as usize,
            controls,
            best: vec![S::NONE; controls],
            skips: Vec::new(),
            stuck: None,
            ends: [Value::Loss, Value::Win].map(|value| S::of(Verdict::new(value, 1))),
        }
    }

    pub(super) fn ask(&self, done: usize, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        budget.ask_now(done as u64, Some(self.cells.count() as u64))
    }

    /// One number after another, from the far end back to this rank.
    pub(super) fn fill_numbers(&mut self, from: usize, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let mut steps = Vec::new();
        for rank in (from..self.numbers).rev() {
            self.fill_number(rank, &mut steps);
            let done = (self.numbers - rank) * self.controls;
            if done % PATIENCE < self.controls {
                self.ask(done, budget)?;
            }
        }
        Ok(())
    }

    /// Fills the cells of one number; the list is room for its steps.
    pub(super) fn fill_number(&mut self, rank: usize, steps: &mut Vec<Step>) {
        if self.controls == 1 {
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
        // After a move the other player is on turn, and sees their own number first.
        let steps = [(own.from(mine), theirs * numbers, 1), (other.from(theirs), mine, numbers)];
        self.fill_cells(mine * numbers + theirs, steps);
    }

    /// Fills the pairs of a number with higher ones, where nothing but the numbers counts.
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

    /// Fills a cell with the best that can be done there, if anything can.
    #[inline(always)]
    pub(super) fn set(&mut self, cell: usize, score: S) {
        let score = if score == S::NONE { self.without_step(cell) } else { score };
        self.cells.set(cell, score);
    }

    /// Fills the cells of the numbers at a place by steps, each with where a rank of 0 leads and how far apart ranks
    /// are. Steps of the first list change the mover's number, steps of the second the other player's.
    fn fill_cells(&mut self, place: usize, steps: [(&[Step], usize, usize); 2]) {
        let controls = self.controls;
        let (cells, best, links) = (&self.cells, &mut self.best[..controls], &self.moves.links[..]);
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
                        let next = (first + to * apart) * controls;
                        for link in links {
                            let worth = cells.get(next + link.to as usize).before_move();
                            raise(&mut best[link.from as usize], worth);
                        }
                    }
                }
            }
        }
        let from = place * controls;
        for control in 0..controls {
            self.set(from + control, self.best[control]);
        }
    }

    /// What a cell without a step is worth, if the turn does not go over.
    #[cold]
    fn without_step(&mut self, cell: usize) -> S {
        if let Some(stuck) = self.stuck {
            return stuck;
        }
        match self.moves.without_step(cell) {
            Without::Ended(verdict) => {
                let score = S::of(verdict);
                self.stuck = self.moves.stuck_is_the_same_everywhere().then_some(score);
                score
            }
            Without::Skips(next) => {
                self.skips.push((cell, next));
                S::NONE
            }
        }
    }

    /// A skipped turn leads to the same numbers with the other player on turn, who has a move: that cell is filled.
    fn skip(&mut self) {
        for (cell, next) in self.skips.drain(..) {
            let score = self.cells.get(next).before_move();
            self.cells.set(cell, score);
        }
    }
}

impl<S: Score> Filling<'_, S, &[S::Cell]> {
    /// One pair of numbers after another: the lower of the two falls and, for each lower one, the higher one. What a
    /// move leads to comes before that, whoever makes it and whosever number it changes.
    ///
    /// So a tile needs the rows of higher numbers only as far as its own column, and several rows can be filled at once if each
    /// stays behind the one before.
    pub(super) fn fill_pairs(&mut self, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let held = size_of_val(self.cells) as u64 + self.moves.bytes();
        let (own, other) = budget.beside(held, |budget| {
            let own = Steps::of(self.moves, On::Own, budget)?;
            let other = budget.beside(own.bytes(), |budget| Steps::of(self.moves, On::Other, budget))?;
            Ok((own, other))
        })?;
        let plain = match self.controls {
            1 => Some([Plain::of(&own, self.numbers, On::Own), Plain::of(&other, self.numbers, On::Other)]),
            _ => None,
        };
        let tile = (TILE / self.controls).clamp(4, 64);
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
            // It is not asked whether to go on: it goes on for as long as the other one does.
            let _ = Filling::<S, _>::new(moves, cells).fill_rows(&pairs, |_| Ok(()));
        };
        budget.with_help(&help, fill)
    }

    /// Fills rows of tiles until none is left.
    fn fill_rows(
        &mut self,
        pairs: &Pairs<S>,
        mut ask: impl FnMut(u64) -> Result<(), Unsolved>,
    ) -> Result<(), Unsolved> {
        let Pairs { tile, rows, .. } = pairs;
        let each = 2 * tile * tile * self.controls;
        while let Some(row) = rows.take() {
            for column in row.columns() {
                let Some(done) = row.wait_for(column) else { return Ok(()) };
                self.fill_tile(row.place * tile, column * tile, pairs);
                // Before the tile counts as filled: whoever stops here leaves a row behind, which stops the others.
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

/// What tables for pairs of numbers are filled by.
struct Pairs<S> {
    own: Steps,
    other: Steps,
    /// The same again if nothing but the numbers counts.
    plain: Option<[Plain<S>; 2]>,
    tile: usize,
    rows: Rows,
}

/// The way of every move if there is but one control.
const ONLY_LINK: [Link; 1] = [Link { from: 0, to: 0 }];

#[inline(always)]
fn raise<S: Score>(best: &mut S, worth: S) {
    *best = worth.max(*best);
}

/// What a step is worth to the player who makes it, if it ends the round; on whose number it is made decides who wins.
fn end<S: Score>(to: usize, on: On) -> Option<S> {
    let value = match (to, on) {
        (WON, On::Own) | (LOST, On::Other) => Value::Win,
        (LOST, On::Own) | (WON, On::Other) => Value::Loss,
        _ => return None,
    };
    Some(S::of(Verdict::new(value, 1)))
}

/// The steps on one's own or on the other's number, where nothing but the numbers counts.
struct Plain<S> {
    /// The best of the steps that end the round, by number.
    floors: Vec<S>,
    /// Where the others lead.
    starts: Vec<u32>,
    to: Vec<u32>,
}

impl<S: Score> Plain<S> {
    fn of(steps: &Steps, numbers: usize, on: On) -> Plain<S> {
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

/// The best that a player can do by steps on their own number and on the other's. After a move the other player is on
/// turn, and sees their own number first.
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
