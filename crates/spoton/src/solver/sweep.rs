//! Sweeps: a shared number that only ever goes one way. Every number has a cell, filled from the far end back, so that
//! what a move leads to is always there already.
//!
//! If repeats are barred, a number has a cell for each memory. For most books without memory, `stretches` fills the
//! cells faster.

use super::stretches::{Stretches, specials};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved};
use crate::engine::operation::Way;
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{ByPlayer, Choice, Clock, MOST_MOVES, Player, Position};
use crate::format::{Direction, NoRepeat, Numbers, Rulebook};

/// How many cells are filled between two questions whether to go on.
pub(super) const PATIENCE: usize = 1 << 16;

pub(super) struct Sweep<S> {
    lowest: i64,
    memories: Memories,
    /// By number, then by memory.
    pub(super) cells: Vec<S>,
}

/// What the players chose last, as the player on turn sees it: their own and the other's.
pub(super) type Memory = (Option<Choice>, Option<Choice>);

/// The memories that play can reach, with their places.
pub(super) struct Memories {
    pub(super) known: Vec<Memory>,
    places: [[u16; MOST_MOVES + 1]; MOST_MOVES + 1],
}

/// How many cells a sweep of this book has, or the refusal if they pass the budget; `None` if it is not a book for a
/// sweep.
pub(super) fn cells(rulebook: &Rulebook, budget: &Budget<'_>) -> Option<Result<u64, Unsolved>> {
    let limited = rulebook.moves().iter().any(|rule| rule.uses.is_some()) || rulebook.passes().is_some();
    // There are too many computed moves to have a cell for each that could be remembered.
    let remembers_few = rulebook.no_repeat() == NoRepeat::None || rulebook.has_only_fixed_moves();
    if rulebook.numbers() != Numbers::Shared || limited || !remembers_few || !rulebook.goes_one_way() {
        return None;
    }
    let (lowest, highest) = ends(rulebook);
    let numbers = u128::from(highest.abs_diff(lowest)) + 1;
    let cells = numbers * Memories::of(rulebook).known.len() as u128;
    let each = if cells < i32::MAX as u128 - 2 { 4 } else { 8 };
    let beside = (specials(rulebook) * size_of::<i64>()) as u128 + BESIDE;
    Some(budget.require_bytes(0, cells, cells * each + beside).map(|()| cells as u64))
}

/// What a sweep holds beside its cells and its special numbers, at most.
const BESIDE: u128 = 4096;

/// Whether the number of a game that goes one way goes up.
pub(crate) fn goes_up(rulebook: &Rulebook) -> bool {
    rulebook.only_way() == Some(Way::Up)
}

/// The lowest and the highest number that a player can be on turn at.
pub(crate) fn ends(rulebook: &Rulebook) -> (i64, i64) {
    let (start, _) = rulebook.start();
    let (low, high) = rulebook.range();
    if rulebook.only_way().is_none() {
        // No move can be used where the round begins.
        return (start, start);
    }
    let up = goes_up(rulebook);
    let beyond = match (rulebook.target(), rulebook.direction()) {
        (Some(target), Some(Direction::Climb)) if up => target - 1,
        (Some(target), Some(Direction::Countdown)) if !up => target + 1,
        _ if up => high,
        _ => low,
    };
    // A division would go the other way beyond 0; but it only comes nearer to 0 and never crosses it.
    let way = if up { Way::Up } else { Way::Down };
    let (least, most) = (start.min(beyond), start.max(beyond));
    let there = match beyond.signum() {
        -1 => (least, most.min(-1)),
        0 => (0, 0),
        _ => (least.max(1), most),
    };
    let turns_back =
        rulebook.moves().iter().any(|entry| entry.way_from(there).is_some_and(|other| other != way));
    let beyond = match turns_back {
        true if up => beyond.min(-1),
        true => beyond.max(1),
        false => beyond,
    };
    if up { (start, beyond.max(start)) } else { (beyond.min(start), start) }
}

impl Memories {
    pub(super) fn of(rulebook: &Rulebook) -> Memories {
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

    /// The memories of one player whom nobody answers: their own last choice.
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

    /// `None` for a memory that play cannot reach.
    pub(super) fn place(&self, memory: Memory) -> Option<usize> {
        let (row, column) = Memories::indices(memory);
        let place = usize::from(*self.places.get(row)?.get(column)?);
        (place < self.known.len()).then_some(place)
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

    pub(super) fn ask(&self, done: usize, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        budget.ask_now(done as u64, Some(self.cells.len() as u64))
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
        let cell = number.checked_mul(self.memories.known.len())? + memory;
        (cell < self.cells.len()).then_some(cell)
    }

    /// Fills the cells of one number by asking the engine.
    pub(super) fn fill_number(&mut self, rulebook: &Rulebook, number: i64) {
        let mut skips = false;
        for place in 0..self.memories.known.len() {
            let position = at(number, self.memories.known[place]);
            let score = match rulebook.situation(&position) {
                Situation::Over(outcome) => S::of(Verdict::new(Value::of(outcome, Player::One), 0)),
                Situation::Choose(choices) => {
                    let scores = choices.iter().map(|choice| self.score(rulebook, &position, choice));
                    scores.max().unwrap_or(S::DRAW)
                }
                Situation::Skip => {
                    skips = true;
                    continue;
                }
            };
            self.set(&position, score);
        }
        // A skipped turn leads to the same number with the other player on turn, whose cell was filled just now.
        for place in 0..if skips { self.memories.known.len() } else { 0 } {
            let position = at(number, self.memories.known[place]);
            let over = Position { clock: Clock::new(Player::Two, 0), ..position };
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
    pub(super) fn score(&self, rulebook: &Rulebook, position: &Position, choice: Choice) -> S {
        match rulebook.play(position, Move::Operation(choice)) {
            Ok(Step::Over { outcome, .. }) => S::of(Verdict::new(Value::of(outcome, Player::One), 1)),
            Ok(Step::On(next)) => self.cell(&next).map_or(S::NONE, |next| self.cells[next].before_move()),
            Err(_) => S::NONE,
        }
    }
}

/// A position at a number, with Player 1 on turn.
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

    /// The eight-byte table, which only far too large books would need, holds what the four-byte table holds.
    #[test]
    fn long_and_short_tables_agree() {
        for rules in [
            "start = 1\ntarget = 200\nmoves = ['+1', 'x2']",
            "start = 1\ntarget = 60\nmoves = ['+1', '+3', 'x2']\nno_repeat = 'own'\nstuck = 'skips'",
            "start = 90\ntarget = 0\nmoves = ['-1..3']\npast = 'forbidden'\nlosing = [40]",
        ] {
            let rulebook = Draft::read("table", &format!("title = 'Table'\n{rules}")).build().unwrap();
            let mut budget = Budget::patient(1 << 20);
            let short = Sweep::<i32>::fill(&rulebook, &mut budget).unwrap();
            let long = Sweep::<i64>::fill(&rulebook, &mut budget).unwrap();
            let short: Vec<Verdict> = short.cells.iter().map(|score| score.verdict()).collect();
            let long: Vec<Verdict> = long.cells.iter().map(|score| score.verdict()).collect();
            assert_eq!(short, long);
        }
    }
}
