//! Retrograde analysis on a [`Grid`], for numbers that go up and down. Like `graph`, but without stored
//! positions and moves: it finds predecessors by playing moves backwards.

use super::grid::Grid;
use super::leap::{LeadsOn, Leap};
use super::steps::{LOST, Link, Moves, Step, Steps, WON, Without};
use super::strategy::{Case, Solution, Stage};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::position::Position;
use crate::format::{On, Rulebook};

/// Cells per call to the budget.
const PATIENCE: u64 = 1 << 12;

/// Numbers per batch when counting moves, if only the number decides.
const STRETCH: usize = 1 << 10;

/// Cells per batch when searching for scored ones.
const FEW: usize = 64;

/// A cell holds its score or, until it has one, the number of moves that may still save it. Scores and counts
/// can't collide.
type Points = i32;
const MOST_PLACES: u128 = (1 << 31) - (1 << 21);
/// Marks a cell where the turn is skipped.
const SKIPS: Points = 1 << 20;

/// The bytes of a cell: its score, and a slot in the queue of scored cells.
const BYTES_EACH: u64 = (size_of::<Points>() + size_of::<u32>()) as u64;

fn is_scored(points: Points) -> bool {
    points <= 0 || points > SKIPS
}

/// Whether a cell has no score and isn't a skip.
#[inline(always)]
fn is_open(points: Points) -> bool {
    (1..SKIPS).contains(&points)
}

pub(super) struct Dense {
    grid: Grid,
    scores: Vec<Points>,
}

/// Returns an error if the grid exceeds the budget.
fn require(grid: &Grid, budget: &Budget<'_>) -> Result<(), Unsolved> {
    budget.require(0, grid.places(), BYTES_EACH)?;
    match can_be_counted(grid) {
        true => Ok(()),
        false => budget.require_bytes(0, grid.places(), u128::MAX),
    }
}

/// Whether cell indices fit their type, regardless of the budget.
fn can_be_counted(grid: &Grid) -> bool {
    grid.places() < MOST_PLACES
}

impl Dense {
    /// Scores all cells of a book.
    fn find(rulebook: &Rulebook, grid: Grid, budget: &mut Budget<'_>) -> Result<Dense, Unsolved> {
        require(&grid, budget)?;
        let places = grid.places() as u64 * BYTES_EACH;
        let mut scores = budget.beside(places, |budget| {
            let moves = Moves::for_grid(rulebook, &grid, budget)?;
            let held = moves.bytes();
            budget.beside(held, |budget| Search::prepare(&moves, budget)?.run(budget))
        })?;
        for points in &mut scores {
            *points = if is_scored(*points) { *points } else { Points::DRAW };
        }
        Ok(Dense { grid, scores })
    }
}

impl Solution for Dense {
    fn table_bytes(case: &Case<'_>, budget: &Budget<'_>) -> Option<Result<u64, Unsolved>> {
        let grid = case.grid.as_ref().filter(|_| !case.one_way)?;
        Some(require(grid, budget).map(|()| grid.places() as u64 * BYTES_EACH))
    }

    fn attempt(
        stage: Stage,
        case: &mut Case<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Dense>, Unsolved> {
        if stage != Stage::Table || case.one_way {
            return Ok(None);
        }
        let Some(grid) = case.grid.take() else { return Ok(None) };
        if !can_be_counted(&grid) {
            case.beside = None;
        }
        Dense::find(case.rulebook, grid, budget).map(Some)
    }

    fn verdict(&self, _: &Rulebook, position: &Position) -> Option<Verdict> {
        Some(self.scores.get(self.grid.place(position)?)?.verdict())
    }

    fn bytes(&self) -> u64 {
        (self.scores.capacity() * size_of::<Points>()) as u64
    }
}

/// The steps on both players' numbers, forwards and backwards. Not used for a shared number, where they would
/// take more memory than the scores.
struct Both {
    own: Steps,
    other: Steps,
    to_own: Steps,
    to_other: Steps,
}

/// The predecessors of every memory state.
struct Before {
    starts: Vec<u32>,
    memory_states: Vec<u32>,
}

impl Before {
    fn from_links(links: &[Link], memory_states: usize) -> Before {
        let mut starts = vec![0_u32; memory_states + 2];
        for link in links {
            starts[link.to as usize + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        // Fill from the starts: each start advances to that of the next memory state.
        let mut before = vec![0; links.len()];
        for link in links {
            let place = &mut starts[link.to as usize + 1];
            before[*place as usize] = link.from;
            *place += 1;
        }
        Before { starts, memory_states: before }
    }

    fn get(&self, memory_state: usize) -> &[u32] {
        &self.memory_states[self.starts[memory_state] as usize..self.starts[memory_state + 1] as usize]
    }
}

struct Search<'a> {
    moves: &'a Moves<'a>,
    both: Option<Both>,
    /// Indexed by kind of move; the last is the skip. Empty if there is only one memory state.
    before: Vec<Before>,
    numbers: usize,
    memory_states: usize,
}

impl<'a> Search<'a> {
    fn prepare(moves: &'a Moves<'a>, budget: &mut Budget<'_>) -> Result<Search<'a>, Unsolved> {
        let grid = moves.grid;
        let mut both = None;
        let mut held = 0;
        if grid.pairs {
            let own = Steps::from_moves(moves, On::Own, budget)?;
            let other = budget.beside(own.bytes(), |budget| Steps::from_moves(moves, On::Other, budget))?;
            held = own.bytes() + other.bytes();
            budget.require_bytes(0, grid.places(), 2 * u128::from(held))?;
            let (to_own, to_other) = (own.reversed(), other.reversed());
            held *= 2;
            both = Some(Both { own, other, to_own, to_other });
        }
        let mut before = Vec::new();
        if grid.memory_states > 1 {
            // Skips count as another kind, and need temporary links.
            let kinds = moves.links.len() as u128 + 2;
            let bytes = kinds * (grid.memory_states + 2) * 2 * size_of::<u32>() as u128 + u128::from(held);
            budget.require_bytes(0, grid.places(), bytes)?;
            let memory_states = grid.memory_states as usize;
            before.extend(moves.links.iter().map(|links| Before::from_links(links, memory_states)));
            before.push(Before::from_links(&moves.links_of_skips(budget)?, memory_states));
        }
        let (numbers, memory_states) = (grid.numbers() as usize, grid.memory_states as usize);
        Ok(Search { moves, both, before, numbers, memory_states })
    }

    fn run(&self, budget: &mut Budget<'_>) -> Result<Vec<Points>, Unsolved> {
        let mut scoring = Scoring::from_points(self.counted(budget)?);
        let count = scoring.points.len() as u64;
        let (plain, never_passes) = (self.moves.plain(), self.moves.never_passes());
        let may_skip = self.moves.rulebook.may_skip();
        // Ranks go up from the lowest number.
        let lowest = self.moves.grid.lowest;
        let mut next = 0;
        while let Some(place) = scoring.queue.get(next) {
            let place = *place as usize;
            let score = scoring.points[place].before_move();
            match plain {
                Some(leaps) => {
                    let number = lowest + place as i64;
                    for leap in leaps {
                        if let Some(from) = leap.comes_from(number)
                            && !(from == number && never_passes)
                        {
                            scoring.lead_here((from - lowest) as usize, score);
                        }
                    }
                }
                None => self.steps_to(place, |before| scoring.lead_here(before, score)),
            }
            if may_skip {
                self.skips_to(place, |before| scoring.skip_here(before, score));
            }
            next += 1;
            budget.ask(next as u64, PATIENCE, Some(count))?;
        }
        Ok(scoring.points)
    }

    /// The number of moves from each cell that continue the round, or its score if it ends now or on the next
    /// move.
    fn counted(&self, budget: &mut Budget<'_>) -> Result<Vec<Points>, Unsolved> {
        let mut points = vec![0; self.moves.grid.places() as usize];
        let count = points.len() as u64;
        let mut stuck = None;
        let plain = self.moves.plain();
        let together = if plain.is_some() { STRETCH } else { self.memory_states };
        for (index, cells) in points.chunks_mut(together).enumerate() {
            let first = index * together;
            let settled = match plain {
                Some(leaps) => self.count_plain(leaps, first, cells),
                None => self.count_at(index, cells),
            };
            if !settled {
                for (place, cell) in (first..).zip(cells) {
                    *cell = self.settled(*cell, place, &mut stuck);
                }
            }
            if first as u64 % PATIENCE < together as u64 {
                budget.ask_now(first as u64, Some(count))?;
            }
        }
        Ok(points)
    }

    /// Counts the moves from the numbers of a cell, for all memory states.
    fn count_at(&self, index: usize, cells: &mut [Points]) -> bool {
        match &self.both {
            Some(both) => {
                let (mine, theirs) = (index / self.numbers, index % self.numbers);
                self.count(both.own.from(mine), cells, (WON, LOST));
                self.count(both.other.from(theirs), cells, (LOST, WON));
            }
            None => self.moves.steps(index, On::Own, |step| self.count(&[step], cells, (WON, LOST))),
        }
        false
    }

    /// Counts the moves from a stretch of numbers if only the number decides. Returns whether every number
    /// has a move that continues the round and none that ends it.
    ///
    /// A move that two entries offer counts twice here, and twice when played backwards.
    fn count_plain(&self, leaps: &[Leap], first: usize, cells: &mut [Points]) -> bool {
        let grid = self.moves.grid;
        let (low, high) = (grid.number(first), grid.number(first + cells.len() - 1));
        let known: Option<Vec<LeadsOn>> = leaps.iter().map(|leap| leap.leads_on(low, high)).collect();
        let always = known.iter().flatten().filter(|leads_on| matches!(leads_on, LeadsOn::Always)).count();
        if let Some(known) = known.filter(|_| always > 0) {
            cells.fill(always as Points);
            for leads_on in known {
                if let LeadsOn::Every { first, every } = leads_on {
                    cells.iter_mut().skip(first).step_by(every).for_each(|cell| *cell += 1);
                }
            }
            return true;
        }
        let never_passes = self.moves.never_passes();
        for (place, cell) in (first..).zip(cells) {
            let number = grid.number(place);
            let landings = leaps.iter().filter_map(|leap| leap.landing(number, grid));
            let landings = landings.filter(|to| !(*to == place && never_passes));
            *cell = landings.map(|to| worth(to, (WON, LOST))).sum();
        }
        false
    }

    /// The contents of a cell after counting. Caches the result of being stuck in `stuck` if it's the same
    /// everywhere.
    fn settled(&self, counted: Points, place: usize, stuck: &mut Option<Points>) -> Points {
        match counted {
            0 => stuck.unwrap_or_else(|| match self.moves.without_step(place) {
                Without::Skips(_) => SKIPS,
                Without::Ended(verdict) => {
                    let score = Points::from_verdict(verdict);
                    *stuck = self.moves.stuck_is_the_same_everywhere().then_some(score);
                    score
                }
            }),
            won if won >= A_WIN => Points::from_verdict(Verdict::new(Value::Win, 1)),
            // Every move ends the round with a loss.
            lost if lost % A_LOSS == 0 => Points::from_verdict(Verdict::new(Value::Loss, 1)),
            open => open % A_LOSS,
        }
    }

    /// Adds up a player's steps: those that continue, and marks for immediate wins and losses.
    fn count(&self, steps: &[Step], cells: &mut [Points], ends: (usize, usize)) {
        for step in steps {
            let worth = worth(step.to, ends);
            match self.moves.links.get(usize::from(step.kind)) {
                None => cells[0] += worth,
                Some(links) => links.iter().for_each(|link| cells[link.from as usize] += worth),
            }
        }
    }

    /// Splits a cell index into numbers and memory state.
    #[inline]
    fn parts(&self, place: usize) -> (usize, usize) {
        // Division is slow, and often there is only one memory state.
        match self.memory_states {
            1 => (place, 0),
            memory_states => (place / memory_states, place % memory_states),
        }
    }

    /// The predecessors of a cell.
    #[inline]
    fn steps_to(&self, place: usize, mut tell: impl FnMut(usize)) {
        let (numbers, memory_state) = self.parts(place);
        // The player to move sees their own number first, so the order alternates.
        match &self.both {
            Some(both) => {
                let (mine, theirs) = (numbers / self.numbers, numbers % self.numbers);
                for step in both.to_own.from(theirs) {
                    self.tell(step.to * self.numbers + mine, step.kind, memory_state, &mut tell);
                }
                for step in both.to_other.from(mine) {
                    self.tell(theirs * self.numbers + step.to, step.kind, memory_state, &mut tell);
                }
            }
            None => {
                self.moves.steps_to(numbers, |step| self.tell(step.to, step.kind, memory_state, &mut tell))
            }
        }
    }

    /// The cells where a skip leads to this one.
    fn skips_to(&self, place: usize, mut tell: impl FnMut(usize)) {
        let (numbers, memory_state) = self.parts(place);
        let before = match self.both {
            Some(_) => numbers % self.numbers * self.numbers + numbers / self.numbers,
            None => numbers,
        };
        self.tell(before, self.before.len().saturating_sub(1) as u16, memory_state, &mut tell);
    }

    /// The cells at these numbers where this kind of move leads to this memory state.
    #[inline]
    fn tell(&self, numbers: usize, kind: u16, memory_state: usize, tell: &mut impl FnMut(usize)) {
        match self.before.get(usize::from(kind)) {
            None => tell(numbers),
            Some(before) => {
                before
                    .get(memory_state)
                    .iter()
                    .for_each(|before| tell(numbers * self.memory_states + *before as usize));
            }
        }
    }
}

/// All cells, and the scored ones in order of remoteness.
struct Scoring {
    points: Vec<Points>,
    queue: Vec<u32>,
}

impl Scoring {
    /// Starts with the immediate endings, then those on the next move.
    fn from_points(points: Vec<Points>) -> Scoring {
        let mut queue: Vec<u32> = Vec::with_capacity(points.len());
        for moves in 0..2 {
            let [won, lost] =
                [Value::Win, Value::Loss].map(|value| Points::from_verdict(Verdict::new(value, moves)));
            for (index, some) in points.chunks(FEW).enumerate() {
                // Fast path: usually there are none.
                if some.iter().fold(false, |any, score| any | (*score == won) | (*score == lost)) {
                    let ended =
                        (index * FEW..).zip(some).filter(|(_, score)| **score == won || **score == lost);
                    queue.extend(ended.map(|(place, _)| place as u32));
                }
            }
        }
        Scoring { points, queue }
    }

    /// Handles a move to a scored cell with this value.
    #[inline(always)]
    fn lead_here(&mut self, before: usize, score: Points) {
        let known = &mut self.points[before];
        if !is_open(*known) {
            return;
        }
        *known -= Points::from(score < Points::DRAW);
        if score > Points::DRAW || *known == 0 {
            *known = score;
            self.queue.push(before as u32);
        }
    }

    /// Handles a skip.
    fn skip_here(&mut self, before: usize, score: Points) {
        if self.points[before] == SKIPS {
            self.points[before] = score;
            self.queue.push(before as u32);
        }
    }
}

/// The contribution of a step that continues the round or ends it.
#[inline(always)]
fn worth(to: usize, (won, lost): (usize, usize)) -> Points {
    match to {
        to if to == won => A_WIN,
        to if to == lost => A_LOSS,
        _ => 1,
    }
}

/// Marks within counts: larger than any number of continuing moves, or of losses.
const A_LOSS: Points = 1 << 8;
const A_WIN: Points = 1 << 16;
