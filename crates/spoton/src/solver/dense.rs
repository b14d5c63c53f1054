//! Retrograde analysis on a [`Grid`]: for numbers that go up and down. It works like `graph`, but holds no positions and
//! no moves. The moves that lead to a position are found by making them backwards.

use super::grid::Grid;
use super::leap::{LeadsOn, Leap};
use super::steps::{LOST, Link, Moves, Step, Steps, WON, Without};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::position::Position;
use crate::format::{On, Rulebook};

/// How many places are looked at between two questions whether to go on.
const PATIENCE: u64 = 1 << 12;

/// How many numbers are counted together if nothing else decides.
const STRETCH: usize = 1 << 10;

/// How many places are looked at together for some that are scored.
const FEW: usize = 64;

/// A place holds its score or, as long as it has none, how many of its moves may still save it. Scores are far away from
/// such counts.
type Points = i32;
const MOST_PLACES: u128 = (1 << 31) - (1 << 21);
/// Stands for a place from which the turn goes over.
const SKIPS: Points = 1 << 20;

/// What a place takes: its score, and a place in the queue of those that were scored.
pub(super) const BYTES_EACH: u64 = (size_of::<Points>() + size_of::<u32>()) as u64;

fn is_scored(points: Points) -> bool {
    points <= 0 || points > SKIPS
}

/// Whether a place has no score and is not skipped either.
#[inline(always)]
fn is_open(points: Points) -> bool {
    (1..SKIPS).contains(&points)
}

pub(super) struct Dense {
    grid: Grid,
    scores: Vec<Points>,
}

/// Refuses a grid whose search takes more than the budget.
pub(super) fn require(grid: &Grid, budget: &Budget<'_>) -> Result<(), Unsolved> {
    budget.require(0, grid.places(), BYTES_EACH)?;
    match can_be_counted(grid) {
        true => Ok(()),
        false => budget.require_bytes(0, grid.places(), u128::MAX),
    }
}

/// Whether there are no more places than its numbers go to, however large the budget is.
pub(super) fn can_be_counted(grid: &Grid) -> bool {
    grid.places() < MOST_PLACES
}

impl Dense {
    /// Scores every place of a book.
    pub(super) fn find(rulebook: &Rulebook, grid: Grid, budget: &mut Budget<'_>) -> Result<Dense, Unsolved> {
        require(&grid, budget)?;
        let places = grid.places() as u64 * BYTES_EACH;
        let mut scores = budget.beside(places, |budget| {
            let moves = Moves::of(rulebook, &grid, budget)?;
            let held = moves.bytes();
            budget.beside(held, |budget| Search::of(&moves, budget)?.run(budget))
        })?;
        for points in &mut scores {
            *points = if is_scored(*points) { *points } else { Points::DRAW };
        }
        Ok(Dense { grid, scores })
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.scores.capacity() * size_of::<Points>()) as u64
    }

    pub(super) fn verdict(&self, position: &Position) -> Option<Verdict> {
        Some(self.scores.get(self.grid.place(position)?)?.verdict())
    }
}

/// The steps of both kinds from every number, forwards and backwards; for a shared number none, as they would take more
/// than the scores.
struct Both {
    own: Steps,
    other: Steps,
    to_own: Steps,
    to_other: Steps,
}

/// For every control the ones before it.
struct Before {
    starts: Vec<u32>,
    controls: Vec<u32>,
}

impl Before {
    fn of(links: &[Link], controls: usize) -> Before {
        let mut starts = vec![0_u32; controls + 2];
        for link in links {
            starts[link.to as usize + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        // Each start moves on as controls come in, and in the end is that of the next one.
        let mut before = vec![0; links.len()];
        for link in links {
            let place = &mut starts[link.to as usize + 1];
            before[*place as usize] = link.from;
            *place += 1;
        }
        Before { starts, controls: before }
    }

    fn get(&self, control: usize) -> &[u32] {
        &self.controls[self.starts[control] as usize..self.starts[control + 1] as usize]
    }
}

struct Search<'a> {
    moves: &'a Moves<'a>,
    both: Option<Both>,
    /// By the kind of a move; the last is the skipped turn. Empty if there is only one control.
    before: Vec<Before>,
    numbers: usize,
    controls: usize,
}

impl<'a> Search<'a> {
    fn of(moves: &'a Moves<'a>, budget: &mut Budget<'_>) -> Result<Search<'a>, Unsolved> {
        let grid = moves.grid;
        let mut both = None;
        let mut held = 0;
        if grid.pairs {
            let own = Steps::of(moves, On::Own, budget)?;
            let other = budget.beside(own.bytes(), |budget| Steps::of(moves, On::Other, budget))?;
            held = own.bytes() + other.bytes();
            budget.require_bytes(0, grid.places(), 2 * u128::from(held))?;
            let (to_own, to_other) = (own.reversed(), other.reversed());
            held *= 2;
            both = Some(Both { own, other, to_own, to_other });
        }
        let mut before = Vec::new();
        if grid.controls > 1 {
            // The skipped turns are a kind as well, and have their links for a moment.
            let kinds = moves.links.len() as u128 + 2;
            let bytes = kinds * (grid.controls + 2) * 2 * size_of::<u32>() as u128 + u128::from(held);
            budget.require_bytes(0, grid.places(), bytes)?;
            let controls = grid.controls as usize;
            before.extend(moves.links.iter().map(|links| Before::of(links, controls)));
            before.push(Before::of(&moves.links_of_skips(budget)?, controls));
        }
        let (numbers, controls) = (grid.numbers() as usize, grid.controls as usize);
        Ok(Search { moves, both, before, numbers, controls })
    }

    fn run(&self, budget: &mut Budget<'_>) -> Result<Vec<Points>, Unsolved> {
        let mut scoring = Scoring::of(self.counted(budget)?);
        let count = scoring.points.len() as u64;
        let (plain, never_passes) = (self.moves.plain(), self.moves.never_passes());
        let may_skip = self.moves.rulebook.may_skip();
        // Numbers that go up and down are ranked from the lowest up.
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

    /// How many moves every place has that lead on, or its score if it ends at once or by the next move.
    fn counted(&self, budget: &mut Budget<'_>) -> Result<Vec<Points>, Unsolved> {
        let mut points = vec![0; self.moves.grid.places() as usize];
        let count = points.len() as u64;
        let mut stuck = None;
        let plain = self.moves.plain();
        let together = if plain.is_some() { STRETCH } else { self.controls };
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

    /// Counts the moves from the numbers of a place, for every control.
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

    /// Counts the moves from a stretch of numbers, if nothing but the number counts. Returns whether every number has one
    /// that leads on, and none has one that ends the round.
    ///
    /// A move that two entries give counts twice here, and when it is made backwards.
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

    /// What a place has once its moves are counted; what becomes of those who are stuck is remembered, if that is the same
    /// everywhere.
    fn settled(&self, counted: Points, place: usize, stuck: &mut Option<Points>) -> Points {
        match counted {
            0 => stuck.unwrap_or_else(|| match self.moves.without_step(place) {
                Without::Skips(_) => SKIPS,
                Without::Ended(verdict) => {
                    let score = Points::of(verdict);
                    *stuck = self.moves.stuck_is_the_same_everywhere().then_some(score);
                    score
                }
            }),
            won if won >= A_WIN => Points::of(Verdict::new(Value::Win, 1)),
            // Every move ends the round, and loses it.
            lost if lost % A_LOSS == 0 => Points::of(Verdict::new(Value::Loss, 1)),
            open => open % A_LOSS,
        }
    }

    /// Adds a player's steps up: those that lead on, and marks for those that win or lose at once.
    fn count(&self, steps: &[Step], cells: &mut [Points], ends: (usize, usize)) {
        for step in steps {
            let worth = worth(step.to, ends);
            match self.moves.links.get(usize::from(step.kind)) {
                None => cells[0] += worth,
                Some(links) => links.iter().for_each(|link| cells[link.from as usize] += worth),
            }
        }
    }

    /// The place of the numbers within a place, and that of the rest.
    #[inline]
    fn parts(&self, place: usize) -> (usize, usize) {
        // Dividing takes long, and often there is nothing to divide by.
        match self.controls {
            1 => (place, 0),
            controls => (place / controls, place % controls),
        }
    }

    /// The places from which a move leads to a place.
    #[inline]
    fn steps_to(&self, place: usize, mut tell: impl FnMut(usize)) {
        let (numbers, control) = self.parts(place);
        // Whoever is on turn now sees their own number first; before, the other player did.
        match &self.both {
            Some(both) => {
                let (mine, theirs) = (numbers / self.numbers, numbers % self.numbers);
                for step in both.to_own.from(theirs) {
                    self.tell(step.to * self.numbers + mine, step.kind, control, &mut tell);
                }
                for step in both.to_other.from(mine) {
                    self.tell(theirs * self.numbers + step.to, step.kind, control, &mut tell);
                }
            }
            None => self.moves.steps_to(numbers, |step| self.tell(step.to, step.kind, control, &mut tell)),
        }
    }

    /// The places from which a skipped turn leads to a place.
    fn skips_to(&self, place: usize, mut tell: impl FnMut(usize)) {
        let (numbers, control) = self.parts(place);
        let before = match self.both {
            Some(_) => numbers % self.numbers * self.numbers + numbers / self.numbers,
            None => numbers,
        };
        self.tell(before, self.before.len().saturating_sub(1) as u16, control, &mut tell);
    }

    /// The places at these numbers from which a kind of move leads to a control.
    #[inline]
    fn tell(&self, numbers: usize, kind: u16, control: usize, tell: &mut impl FnMut(usize)) {
        match self.before.get(usize::from(kind)) {
            None => tell(numbers),
            Some(before) => {
                before
                    .get(control)
                    .iter()
                    .for_each(|before| tell(numbers * self.controls + *before as usize));
            }
        }
    }
}

/// The points of all places, and those that have their score, in the order of remoteness.
struct Scoring {
    points: Vec<Points>,
    queue: Vec<u32>,
}

impl Scoring {
    /// With what ends at once, and then what ends by the next move.
    fn of(points: Vec<Points>) -> Scoring {
        let mut queue: Vec<u32> = Vec::with_capacity(points.len());
        for moves in 0..2 {
            let [won, lost] = [Value::Win, Value::Loss].map(|value| Points::of(Verdict::new(value, moves)));
            for (index, some) in points.chunks(FEW).enumerate() {
                // Mostly there are none, which is seen at a glance.
                if some.iter().fold(false, |any, score| any | (*score == won) | (*score == lost)) {
                    let ended =
                        (index * FEW..).zip(some).filter(|(_, score)| **score == won || **score == lost);
                    queue.extend(ended.map(|(place, _)| place as u32));
                }
            }
        }
        Scoring { points, queue }
    }

    /// A move from a place leads to one that is scored, and is worth so much.
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

    /// The same for a skipped turn.
    fn skip_here(&mut self, before: usize, score: Points) {
        if self.points[before] == SKIPS {
            self.points[before] = score;
            self.queue.push(before as u32);
        }
    }
}

/// What a step counts for that leads on or ends where the player wins or loses.
#[inline(always)]
fn worth(to: usize, (won, lost): (usize, usize)) -> Points {
    match to {
        to if to == won => A_WIN,
        to if to == lost => A_LOSS,
        _ => 1,
    }
}

/// Marks among counts of moves: more than there can be moves that lead on, and more than there can be losses.
const A_LOSS: Points = 1 << 8;
const A_WIN: Points = 1 << 16;
