//! A shared number that only ever goes one way: every number has a cell, filled from the far end back, so that what a
//! move leads to is always there already.
//!
//! Where repeats are barred, a number has a cell for each memory. Most books have no memory, and offer only additions
//! and multiplications; for those the range falls into stretches in which every move does the same kind of thing, and
//! a tight loop fills each stretch.

use std::ops::Range;

use super::value::{Score, Value, Verdict};
use super::{Budget, Progress, Unsolved};
use crate::operation::Kind;
use crate::play::{Move, Situation, Step};
use crate::position::{ByPlayer, Choice, MOST_MOVES, Player, Position};
use crate::rulebook::{Direction, MoveRule, NoRepeat, Numbers, Past, Rulebook, Stuck};

/// How many cells are filled between two questions whether to go on.
const PATIENCE: usize = 1 << 16;

pub(super) struct Sweep<S> {
    lowest: i64,
    memories: Memories,
    /// By number, then by memory.
    cells: Vec<S>,
}

/// What the players chose last, as the player on turn sees it: their own and the other's.
type Memory = (Option<Choice>, Option<Choice>);

/// The memories that play can come to, with their places.
struct Memories {
    known: Vec<Memory>,
    places: [[u16; MOST_MOVES + 1]; MOST_MOVES + 1],
}

/// How many cells a sweep of this book has; nothing where it is not one for a sweep, or would pass the budget.
pub(super) fn cells(rulebook: &Rulebook, bytes: u64) -> Option<u64> {
    let limited = rulebook.moves().iter().any(|rule| rule.uses.is_some()) || rulebook.passes().is_some();
    if rulebook.numbers() != Numbers::Shared || limited || !rulebook.goes_one_way() {
        return None;
    }
    let (lowest, highest) = ends(rulebook);
    let numbers = highest.abs_diff(lowest) + 1;
    let cells = numbers.checked_mul(Memories::of(rulebook).known.len() as u64)?;
    let each = if cells < i32::MAX as u64 - 2 { 4 } else { 8 };
    let beside = (specials(rulebook) * size_of::<i64>()) as u64 + BESIDE;
    (cells.checked_mul(each)?.checked_add(beside)? <= bytes).then_some(cells)
}

/// What a sweep holds beside its cells and its special numbers, at most.
const BESIDE: u64 = 4096;

/// How many special numbers there are at most: see [`Stretches`].
fn specials(rulebook: &Rulebook) -> usize {
    let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
    let listed: usize = lists.iter().map(|list| list.len()).sum();
    (listed + 1) * rulebook.moves().len()
}

/// Whether the number of a game that goes one way goes up. It never changes its sign.
pub(crate) fn goes_up(rulebook: &Rulebook) -> bool {
    let (start, _) = rulebook.start();
    match rulebook.moves()[0].operation.kind() {
        Kind::Add => true,
        Kind::Subtract => false,
        Kind::Multiply => start > 0,
        Kind::Divide => start < 0,
    }
}

/// The lowest and the highest number that a player can be on turn at.
pub(crate) fn ends(rulebook: &Rulebook) -> (i64, i64) {
    let (start, _) = rulebook.start();
    let (low, high) = rulebook.range();
    let up = goes_up(rulebook);
    let beyond = match (rulebook.target(), rulebook.direction()) {
        (Some(target), Some(Direction::Climb)) if up => target - 1,
        (Some(target), Some(Direction::Countdown)) if !up => target + 1,
        _ if up => high,
        _ => low,
    };
    // Dividing comes nearer to 0 and never across it; beyond, it would go the other way.
    let divides = rulebook.moves().iter().any(|rule| rule.operation.kind() == Kind::Divide);
    let beyond = match divides {
        true if up => beyond.min(-1),
        true => beyond.max(1),
        false => beyond,
    };
    if up { (start, beyond.max(start)) } else { (beyond.min(start), start) }
}

impl Memories {
    fn of(rulebook: &Rulebook) -> Memories {
        let mut memories = Memories { known: vec![], places: [[u16::MAX; MOST_MOVES + 1]; MOST_MOVES + 1] };
        memories.add((None, None));
        let mut next = 0;
        while next < memories.known.len() {
            let (mine, theirs) = memories.known[next];
            next += 1;
            if rulebook.no_repeat() == NoRepeat::None {
                continue;
            }
            if rulebook.stuck() == Stuck::Skips {
                memories.add((theirs, mine));
            }
            // Opponents' memories without skips are forgotten, as the engine does it.
            let forgets = rulebook.no_repeat() == NoRepeat::Opponent && rulebook.stuck() != Stuck::Skips;
            for place in 0..rulebook.moves().len() {
                let choice = Some(Choice(place as u8));
                memories.add((if forgets { None } else { theirs }, choice));
            }
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

    fn indices((mine, theirs): Memory) -> (usize, usize) {
        let index = |last: Option<Choice>| last.map_or(0, |choice| choice.place() + 1);
        (index(mine), index(theirs))
    }

    fn place(&self, memory: Memory) -> Option<usize> {
        let (row, column) = Memories::indices(memory);
        Some(usize::from(self.places[row][column])).filter(|place| *place < self.known.len())
    }
}

impl<S: Score> Sweep<S> {
    pub(super) fn fill(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Sweep<S>, Unsolved> {
        let (lowest, highest) = ends(rulebook);
        let memories = Memories::of(rulebook);
        let numbers = highest.abs_diff(lowest) as usize + 1;
        let cells = vec![S::DRAW; numbers * memories.known.len()];
        let mut sweep = Sweep { lowest, memories, cells };
        match Stretches::of(rulebook, lowest, highest) {
            Some(stretches) => stretches.fill(rulebook, &mut sweep, budget)?,
            None => {
                let up = goes_up(rulebook);
                for done in 0..numbers {
                    let back = if up { numbers - 1 - done } else { done };
                    sweep.fill_number(rulebook, lowest + back as i64);
                    let cells = done * sweep.memories.known.len();
                    if cells % PATIENCE < sweep.memories.known.len() {
                        sweep.ask(cells, budget)?;
                    }
                }
            }
        }
        Ok(sweep)
    }

    fn ask(&self, done: usize, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        let progress = Progress { positions: done as u64, of: Some(self.cells.len() as u64) };
        if (budget.keep_going)(progress) { Ok(()) } else { Err(Unsolved::Stopped { reached: done as u64 }) }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&self.cells[..]) as u64
    }

    pub(super) fn verdict(&self, position: &Position) -> Option<Verdict> {
        Some(self.cells[self.cell(position)?].verdict())
    }

    fn cell(&self, position: &Position) -> Option<usize> {
        let turn = position.turn();
        let number = usize::try_from(position.number().checked_sub(self.lowest)?).ok()?;
        let memory = self.memories.place((position.last[turn], position.last[!turn]))?;
        Some(number * self.memories.known.len() + memory).filter(|cell| *cell < self.cells.len())
    }

    /// Fills the cells of one number by asking the engine.
    fn fill_number(&mut self, rulebook: &Rulebook, number: i64) {
        let mut skips = false;
        for place in 0..self.memories.known.len() {
            let position = at(number, self.memories.known[place]);
            let score = match rulebook.situation(&position) {
                Situation::Over(outcome) => S::of(Verdict::new(Value::of(outcome, Player::One), 0)),
                Situation::Choose(choices) => {
                    let scores = choices.map(|choice| self.score(rulebook, &position, choice));
                    scores.max().unwrap_or(S::DRAW)
                }
                Situation::Skip => {
                    skips = true;
                    continue;
                }
            };
            self.set(&position, score);
        }
        // The turn goes over at the same number, to a player who can choose: filled just now.
        for place in 0..if skips { self.memories.known.len() } else { 0 } {
            let position = at(number, self.memories.known[place]);
            let over = Position { turn: Player::Two, ..position };
            if let (Situation::Skip, Some(next)) = (rulebook.situation(&position), self.cell(&over)) {
                self.set(&position, self.cells[next].before_move());
            }
        }
    }

    fn set(&mut self, position: &Position, score: S) {
        if let Some(cell) = self.cell(position) {
            self.cells[cell] = score;
        }
    }

    /// What a choice is worth to the player who makes it.
    fn score(&self, rulebook: &Rulebook, position: &Position, choice: Choice) -> S {
        match rulebook.play(position, Move::Operation(choice)) {
            Ok(Step::Over { outcome, .. }) => S::of(Verdict::new(Value::of(outcome, Player::One), 1)),
            Ok(Step::On(next)) => self.cell(&next).map_or(S::NONE, |next| self.cells[next].before_move()),
            Err(_) => S::NONE,
        }
    }
}

fn at(number: i64, (mine, theirs): Memory) -> Position {
    Position {
        numbers: ByPlayer([number; 2]),
        uses: ByPlayer::default(),
        last: ByPlayer([mine, theirs]),
        passes: ByPlayer::default(),
        turn: Player::One,
    }
}

/// A book without memory that only adds and multiplies, seen as stretches of numbers.
struct Stretches {
    lowest: i64,
    highest: i64,
    /// For each move, the highest number from which it stays in the table.
    stays_up_to: Vec<i64>,
    /// Numbers from which some move lands on a number that is out of the ordinary, in falling order.
    special: Vec<i64>,
}

impl Stretches {
    fn of(rulebook: &Rulebook, lowest: i64, highest: i64) -> Option<Stretches> {
        let adds_or_multiplies =
            |rule: &MoveRule| matches!(rule.operation.kind(), Kind::Add | Kind::Multiply);
        let fits = rulebook.no_repeat() == NoRepeat::None
            && rulebook.direction() != Some(Direction::Countdown)
            && goes_up(rulebook)
            && rulebook.moves().iter().all(adds_or_multiplies);
        if !fits {
            return None;
        }
        let mut special = Vec::with_capacity(specials(rulebook));
        let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
        for landed in lists.into_iter().flatten().copied().chain(rulebook.target()) {
            for rule in rulebook.moves() {
                let amount = rule.operation.amount();
                let from = match rule.operation.kind() {
                    Kind::Add => Some(landed - amount),
                    _ => (landed % amount == 0).then(|| landed / amount),
                };
                special.extend(from.filter(|number| (lowest..=highest).contains(number)));
            }
        }
        special.sort_unstable_by(|a, b| b.cmp(a));
        special.dedup();
        let stays_up_to = |rule: &MoveRule| match rule.operation.kind() {
            Kind::Add => highest - rule.operation.amount(),
            _ => highest / rule.operation.amount(),
        };
        Some(Stretches {
            lowest,
            highest,
            stays_up_to: rulebook.moves().iter().map(stays_up_to).collect(),
            special,
        })
    }

    fn fill<S: Score>(
        &self,
        rulebook: &Rulebook,
        sweep: &mut Sweep<S>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let mut special = self.special.iter().copied().peekable();
        let mut number = self.highest;
        while number >= self.lowest {
            if special.next_if_eq(&number).is_some() {
                sweep.fill_number(rulebook, number);
                number -= 1;
                continue;
            }
            let next_special = special.peek().map_or(self.lowest, |special| special + 1);
            let next_change = self.stays_up_to.iter().filter(|limit| **limit < number).max();
            let next_change = next_change.map_or(self.lowest, |limit| limit + 1);
            let patience = number.saturating_sub(PATIENCE as i64);
            let from = next_special.max(next_change).max(patience).max(self.lowest);
            self.fill_stretch(rulebook, sweep, from, number);
            number = from - 1;
            sweep.ask((self.highest - number) as usize, budget)?;
        }
        Ok(())
    }

    /// Fills the numbers `from..=to`, in which each move either stays in the table or goes past its end.
    fn fill_stretch<S: Score>(&self, rulebook: &Rulebook, sweep: &mut Sweep<S>, from: i64, to: i64) {
        let mut leaves = false;
        let mut moves = Moves { by_one: false, adds: vec![], factors: vec![] };
        for (rule, limit) in rulebook.moves().iter().zip(&self.stays_up_to) {
            let amount = rule.operation.amount() as usize;
            match rule.operation.kind() {
                _ if to > *limit => leaves = true,
                Kind::Add if amount == 1 => moves.by_one = true,
                Kind::Add => moves.adds.push(amount),
                _ => moves.factors.push(amount),
            }
        }
        let past = match rulebook.past() {
            _ if !leaves || rulebook.target().is_none() => None,
            Past::Forbidden => None,
            Past::Loses => Some(Verdict::new(Value::Loss, 1)),
            Past::Wins => Some(Verdict::new(Value::Win, 1)),
        };
        let stuck = match rulebook.stuck() {
            Stuck::Loses => Verdict::new(Value::Loss, 0),
            Stuck::Wins => Verdict::new(Value::Win, 0),
            Stuck::Draws | Stuck::Skips => Verdict::DRAW,
        };
        let none_stays = !moves.by_one && moves.adds.is_empty() && moves.factors.is_empty();
        let floor = past.or(none_stays.then_some(stuck)).map_or(S::NONE, S::of);
        let stretch = (from - self.lowest) as usize..(to - self.lowest) as usize + 1;
        moves.fill(&mut sweep.cells, stretch, self.lowest as usize, floor);
    }
}

/// The moves that stay in the table.
struct Moves {
    /// Whether `+1` is one of them.
    by_one: bool,
    /// By how much the other additions add.
    adds: Vec<usize>,
    factors: Vec<usize>,
}

impl Moves {
    /// Fills a stretch of cells from its end back. No cell gets less than the floor.
    fn fill<S: Score>(&self, cells: &mut [S], stretch: Range<usize>, lowest: usize, floor: S) {
        macro_rules! unrolled {
            ($(($adds:literal, $factors:literal)),+) => {
                match (self.adds.len(), self.factors.len()) {
                    $(($adds, $factors) => {
                        let adds: [usize; $adds] = std::array::from_fn(|index| self.adds[index]);
                        let factors: [usize; $factors] = std::array::from_fn(|index| self.factors[index]);
                        fill_cells(cells, stretch, lowest, floor, self.by_one, &adds, &factors);
                    })+
                    _ => fill_cells(cells, stretch, lowest, floor, self.by_one, &self.adds, &self.factors),
                }
            };
        }
        // With the counts known, the loops over the moves are unrolled.
        unrolled!((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2))
    }
}

#[inline(always)]
fn fill_cells<S: Score>(
    cells: &mut [S],
    stretch: Range<usize>,
    lowest: usize,
    floor: S,
    by_one: bool,
    adds: &[usize],
    factors: &[usize],
) {
    // The cell after the one to fill was filled just now. Kept at hand, it need not come back from memory.
    let mut after = cells.get(stretch.end).copied().unwrap_or(floor);
    for index in stretch.rev() {
        let mut best = if by_one { floor.max(after.before_move()) } else { floor };
        for factor in factors {
            best = best.max(cells[(index + lowest) * factor - lowest].before_move());
        }
        for add in adds {
            best = best.max(cells[index + add].before_move());
        }
        cells[index] = best;
        after = best;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulebook::Draft;

    /// The eight-byte table, which only far too large books would need, holds what the four-byte table holds.
    #[test]
    fn long_and_short_tables_agree() {
        for rules in [
            "start = 1\ntarget = 200\nmoves = ['+1', 'x2']",
            "start = 1\ntarget = 60\nmoves = ['+1', '+3', 'x2']\nno_repeat = 'own'\nstuck = 'skips'",
            "start = 90\ntarget = 0\nmoves = ['-1..3']\npast = 'forbidden'\nlosing = [40]",
        ] {
            let rulebook = Draft::read("table", &format!("title = 'Table'\n{rules}")).finish().unwrap();
            let mut budget = Budget { bytes: 1 << 20, keep_going: &mut |_| true };
            let short = Sweep::<i32>::fill(&rulebook, &mut budget).unwrap();
            let long = Sweep::<i64>::fill(&rulebook, &mut budget).unwrap();
            let short: Vec<Verdict> = short.cells.iter().map(|score| score.verdict()).collect();
            let long: Vec<Verdict> = long.cells.iter().map(|score| score.verdict()).collect();
            assert_eq!(short, long);
        }
    }
}
