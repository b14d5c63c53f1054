//! Transitions on a [`Grid`]: from number to number, and from memory state to memory state.

#[cfg(test)]
mod tests;

use super::grid::Grid;
use super::leap::{Leap, Outside};
use super::{Budget, Unsolved, Value, Verdict, as_seen};
use crate::engine::operation::{Kind as Sign, Operation};
use crate::engine::play::{Move, Situation, Step as Played};
use crate::engine::position::{Choice, EntryIndex, MOST_MOVES, Player, Position};
use crate::engine::written::Written;
use crate::format::{Entry, NoRepeat, On, Op, Rulebook, Stuck};

/// Numbers or memory states per call to the budget.
const PATIENCE: u64 = 1 << 14;

/// The result of a legal move at a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The rank of the next number, or the ending: [`LOST`] or [`WON`] for the number's owner.
    pub(super) to: usize,
    /// The [`Kind`] of the move.
    pub(super) kind: u16,
}

pub(super) const LOST: usize = usize::MAX - 1;
pub(super) const WON: usize = usize::MAX;

/// Properties of a move, other than the number, that affect its legality and what is remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    /// The remembered choice, if any.
    choice: Option<Choice>,
    /// The entries that offer it, as bits. It counts against the first with uses left.
    entries: u16,
    /// Whether it leaves the number unchanged.
    is_pass: bool,
}

/// A transition between memory states.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) from: u32,
    pub(super) to: u32,
}

pub(super) struct Moves<'a> {
    pub(super) rulebook: &'a Rulebook,
    pub(super) grid: &'a Grid,
    /// Whether no move has two entries.
    one_each: bool,
    /// Empty if there is only one memory state.
    kinds: Vec<Kind>,
    /// Whether there is one kind per entry, in order.
    kinds_are_entries: bool,
    /// For every kind, its transitions from the memory states where it's legal. Empty if there is only one
    /// memory state.
    pub(super) links: Vec<Vec<Link>>,
    /// The results of landing outside the grid, if there are no number lists. Then they are the same for all
    /// numbers there, and the round continues at every number of the grid.
    outside: Option<Outside>,
    /// The effect of each entry, if all are fixed and there are no lists; otherwise empty.
    leaps: Vec<Leap>,
}

/// A move at a number.
#[derive(Clone, Copy)]
struct Made {
    number: i64,
    written: Written,
    /// An entry that offers it. Another may too.
    place: usize,
    is_pass: bool,
}

/// An upper bound on a table's memory, excluding cells: forward and backward steps and links.
pub(super) fn most_bytes_beside(rulebook: &Rulebook, grid: &Grid) -> u128 {
    let steps = rulebook.most_choices() as u128;
    let numbers = if grid.pairs { u128::from(grid.numbers()) } else { 0 };
    let memory_states = if grid.memory_states > 1 { grid.memory_states } else { 0 };
    let each = steps * 8 * size_of::<Step>() as u128 + 64;
    numbers.saturating_add(memory_states).saturating_add(64).saturating_mul(each)
}

/// The result for a player without a step.
pub(super) enum Without {
    /// The round is over, or the last turn ends it: won, lost or drawn after this many moves.
    Ended(Verdict),
    /// The turn is skipped, to the position at this index.
    Skips(usize),
}

impl<'a> Moves<'a> {
    /// The parts common to all numbers.
    pub(super) fn for_grid(
        rulebook: &'a Rulebook,
        grid: &'a Grid,
        budget: &mut Budget<'_>,
    ) -> Result<Moves<'a>, Unsolved> {
        let lists = [rulebook.winning(), rulebook.losing(), rulebook.forbidden()];
        let one_each = rulebook.each_move_has_one_entry();
        let mut moves = Moves {
            rulebook,
            grid,
            one_each,
            kinds: Vec::new(),
            // One-way moves never leave a number unchanged.
            kinds_are_entries: grid.memory_states > 1 && one_each && rulebook.goes_one_way(),
            links: Vec::new(),
            outside: None,
            leaps: Vec::new(),
        };
        if lists.iter().all(|list| list.is_empty()) {
            let target = rulebook.target().map(i128::from);
            let beyond = |number: i128, step: i128| {
                let number = if target == Some(number) { number + step } else { number };
                moves.landing(number)
            };
            moves.outside = Some(Outside {
                on_target: target.and_then(|target| moves.landing(target)),
                above: beyond(i128::from(grid.highest) + 1, 1),
                below: beyond(i128::from(grid.lowest) - 1, -1),
            });
        }
        if let Some(outside) = moves.outside {
            let leap = |entry| Leap::precompute(entry, grid, rulebook.target(), outside);
            // Either all entries have a leap, or none.
            moves.leaps = rulebook.moves().iter().map(leap).collect::<Option<_>>().unwrap_or_default();
        }
        if grid.memory_states > 1 {
            moves.find_kinds(budget)?;
            let can_be_counted = grid.memory_states <= u128::from(u32::MAX);
            let needs = if can_be_counted { moves.bytes_of_memory_states() } else { u128::MAX };
            budget.require_bytes(0, grid.places(), needs)?;
            let links: Result<_, Unsolved> =
                moves.kinds.iter().map(|kind| moves.links_of(*kind, budget)).collect();
            moves.links = links?;
        }
        Ok(moves)
    }

    /// The size of the transitions between memory states and of the buffers for using them: the best score per
    /// memory state, skips and, for stretches of a shared number, the options.
    fn bytes_of_memory_states(&self) -> u128 {
        let skips = if self.rulebook.may_skip() { 6 * size_of::<(usize, usize)>() } else { 0 };
        let to_choose_from = if self.grid.pairs { 0 } else { 2 * size_of::<u32>() + size_of::<i64>() };
        let each = self.kinds.len() * (size_of::<Link>() + to_choose_from) + 2 * size_of::<i64>() + skips;
        self.grid.memory_states.saturating_mul(each as u128)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes_of_memory_states() as u64
    }

    fn find_kinds(&mut self, budget: &mut Budget<'_>) -> Result<(), Unsolved> {
        if self.kinds_are_entries {
            let kind = |(place, entry): (usize, &Entry)| {
                let choice = match entry.op {
                    Op::Fixed(operation) => self.remembered(Written { operation, on: entry.on }),
                    Op::Computed(_) => None,
                };
                Kind { choice, entries: 1 << place, is_pass: false }
            };
            self.kinds = self.rulebook.moves().iter().enumerate().map(kind).collect();
            return Ok(());
        }
        let mut found = Vec::new();
        for rank in 0..self.grid.numbers() {
            for on in [On::Own, On::Other] {
                self.landings(rank as usize, on, |_, made| {
                    let kind = self.kind_of(made);
                    if !found.contains(&kind) {
                        found.push(kind);
                    }
                });
            }
            budget.ask(rank, PATIENCE, Some(self.grid.numbers()))?;
        }
        self.kinds = found;
        Ok(())
    }

    /// Calls `tell` with each step from a number.
    #[inline]
    pub(super) fn steps(&self, rank: usize, on: On, mut tell: impl FnMut(Step)) {
        self.landings(rank, on, |to, made| {
            if let Some(kind) = self.kind_index(made) {
                tell(Step { to, kind });
            }
        });
    }

    /// The steps that lead to a number without ending the round, with their origins.
    #[inline]
    pub(super) fn steps_to(&self, rank: usize, mut tell: impl FnMut(Step)) {
        let number = self.grid.number(rank);
        if self.outside.is_none() && !self.rulebook.goes_on_at(number.into()) {
            return;
        }
        for (place, entry) in self.rulebook.moves().iter().enumerate() {
            let mut tell = |from: i64, operation: Operation| {
                let Some(to) = self.grid.rank(from) else { return };
                let written = Written { operation, on: entry.on };
                let made = Made { number: from, written, place, is_pass: from == number };
                if self.counts(made)
                    && let Some(kind) = self.kind_index(made)
                {
                    tell(Step { to, kind });
                }
            };
            match (entry.op, self.leaps.get(place)) {
                (Op::Fixed(operation), Some(leap)) => {
                    leap.comes_from(number).into_iter().for_each(|from| tell(from, operation));
                }
                _ => entry.sources_of(number).for_each(|(from, operation)| tell(from, operation)),
            }
        }
    }

    #[inline]
    fn kind_index(&self, made: Made) -> Option<u16> {
        if self.kinds_are_entries {
            return Some(made.place as u16);
        }
        if self.kinds.is_empty() {
            return Some(0);
        }
        let kind = self.kind_of(made);
        self.kinds.iter().position(|known| *known == kind).map(|index| index as u16)
    }

    /// The results of moves from a number, as far as they depend on the number.
    #[inline]
    fn landings(&self, rank: usize, on: On, mut tell: impl FnMut(usize, Made)) {
        let number = self.grid.number(rank);
        for (place, entry) in self.rulebook.moves().iter().enumerate().filter(|(_, entry)| entry.on == on) {
            self.landings_of(place, entry, number, |operation, to, is_pass| {
                let made = Made { number, written: Written { operation, on }, place, is_pass };
                if self.counts(made) {
                    tell(to, made);
                }
            });
        }
    }

    /// A faster version for a shared one-way number without memory, where it doesn't matter which move leads
    /// to a number, or how many do.
    #[inline(always)]
    pub(super) fn only_landings(&self, rank: usize, mut tell: impl FnMut(usize)) {
        let number = self.grid.number(rank);
        for (place, entry) in self.rulebook.moves().iter().enumerate() {
            self.landings_of(place, entry, number, |_, to, _| tell(to));
        }
    }

    /// The effect of an entry at a number: the operation, its result, and whether that leaves the number
    /// unchanged.
    #[inline(always)]
    fn landings_of(
        &self,
        place: usize,
        entry: &Entry,
        number: i64,
        mut tell: impl FnMut(Operation, usize, bool),
    ) {
        let mut land = |operation: Operation| {
            let result = operation.apply(number);
            if let Some(to) = result.and_then(|result| self.landing(result)) {
                tell(operation, to, result == Some(number.into()));
            }
        };
        match (entry.op, self.leaps.get(place)) {
            (Op::Fixed(operation), Some(leap)) => {
                if let Some(to) = leap.landing(number, self.grid) {
                    tell(operation, to, Some(to) == self.grid.rank(number));
                }
            }
            _ if !entry.may_be_used_at(number) => {}
            (Op::Fixed(operation), None) => land(operation),
            (Op::Computed(computed), _) => {
                let operations = computed.amounts(number).filter_map(|amount| computed.with(amount));
                let Some(outside) = self.outside else { return operations.for_each(land) };
                for operation in operations {
                    let amount = operation.amount();
                    // Computed amounts never overflow 64 bits, and computed divisors divide exactly.
                    let result = match operation.kind() {
                        Sign::Add => number + amount,
                        Sign::Subtract => number - amount,
                        Sign::Multiply => number * amount,
                        Sign::Divide => number / amount,
                    };
                    if let Some(to) = self.landing_without_lists(result, outside) {
                        tell(operation, to, result == number);
                    }
                }
            }
        }
    }

    /// The effect of each entry, if only a single number decides and nothing else is needed.
    pub(super) fn plain(&self) -> Option<&[Leap]> {
        let plain = !self.grid.pairs && self.grid.memory_states == 1 && !self.leaps.is_empty();
        plain.then_some(&self.leaps[..])
    }

    /// The rank of a number landed on, or the ending; `None` if no move may land there.
    #[inline]
    fn landing(&self, number: i128) -> Option<usize> {
        match (i64::try_from(number), self.outside) {
            (Ok(number), Some(outside)) => self.landing_without_lists(number, outside),
            (Err(_), Some(outside)) => {
                if number > 0 {
                    outside.above
                } else {
                    outside.below
                }
            }
            (rank, None) => {
                self.landing_by_the_rules(number, rank.ok().and_then(|number| self.grid.rank(number)))
            }
        }
    }

    #[inline]
    fn landing_without_lists(&self, number: i64, outside: Outside) -> Option<usize> {
        match self.grid.rank(number) {
            Some(rank) => Some(rank),
            None if self.rulebook.target() == Some(number) => outside.on_target,
            None if number > self.grid.highest => outside.above,
            None => outside.below,
        }
    }

    #[inline(never)]
    fn landing_by_the_rules(&self, number: i128, rank: Option<usize>) -> Option<usize> {
        self.rulebook.admits(number).ok()?;
        match self.rulebook.landing_of_number(number) {
            Some((true, _)) => Some(WON),
            Some((false, _)) => Some(LOST),
            None => rank,
        }
    }

    pub(super) fn never_passes(&self) -> bool {
        self.rulebook.passes() == Some(0)
    }

    /// Whether a move counts: not an illegal pass, and not a duplicate of an earlier entry's.
    #[inline]
    fn counts(&self, made: Made) -> bool {
        if made.is_pass && self.never_passes() {
            return false;
        }
        let earlier = || &self.rulebook.moves()[..made.place];
        self.one_each || !earlier().iter().any(|entry| entry.offers(made.written, made.number))
    }

    /// The kind of a move that no earlier entry offers.
    fn kind_of(&self, made: Made) -> Kind {
        let mut entries = 1 << made.place;
        if !self.one_each {
            for (later, entry) in self.rulebook.moves().iter().enumerate().skip(made.place + 1) {
                entries |= u16::from(entry.offers(made.written, made.number)) << later;
            }
        }
        Kind { choice: self.remembered(made.written), entries, is_pass: made.is_pass }
    }

    /// The remembered choice of a move, if any.
    fn remembered(&self, written: Written) -> Option<Choice> {
        let remembers = self.rulebook.no_repeat() != NoRepeat::None;
        if remembers { self.rulebook.choice(written) } else { None }
    }

    fn links_of(&self, kind: Kind, budget: &mut Budget<'_>) -> Result<Vec<Link>, Unsolved> {
        let entries = (0..MOST_MOVES).filter(|place| kind.entries >> place & 1 == 1).map(EntryIndex::new);
        let next = |before: &Position| {
            self.rulebook.memory_after(before, kind.choice, entries.clone(), kind.is_pass)
        };
        self.linked(next, budget)
    }

    /// The transitions of a skip from all memory states, except the last turn.
    pub(super) fn links_of_skips(&self, budget: &mut Budget<'_>) -> Result<Vec<Link>, Unsolved> {
        self.linked(|before| Some(self.rulebook.with_turn_over(before)), budget)
    }

    fn linked(
        &self,
        next: impl Fn(&Position) -> Option<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Link>, Unsolved> {
        let memory_states = self.grid.memory_states as usize;
        let mut links = Vec::with_capacity(memory_states);
        for from in 0..memory_states {
            let next =
                next(&self.grid.memory_at(from)).and_then(|next| self.grid.memory_state(&as_seen(&next)));
            links.extend(next.map(|to| Link { from: from as u32, to: to as u32 }));
            budget.ask(from as u64, PATIENCE, Some(memory_states as u64))?;
        }
        Ok(links)
    }

    /// Whether having no step has the same result everywhere.
    pub(super) fn stuck_is_the_same_everywhere(&self) -> bool {
        let by_number = matches!(self.rulebook.stuck(), Stuck::Skips | Stuck::Closest);
        !by_number && self.rulebook.turns().is_none()
    }

    /// Asks the engine what happens to the player at an index without steps.
    pub(super) fn without_step(&self, place: usize) -> Without {
        let position = self.grid.position(place);
        let worth = |outcome| Value::from_outcome(outcome, Player::One);
        let situation = self.rulebook.situation(&position);
        if let Situation::Over(outcome) = situation {
            return Without::Ended(Verdict::new(worth(outcome), 0));
        }
        let mut best = None;
        for a_move in situation.moves() {
            match self.rulebook.play(&position, a_move) {
                // The last turn.
                Ok(Played::Over { outcome, .. }) => best = best.max(Some(Verdict::new(worth(outcome), 1))),
                Ok(Played::On(next)) if a_move == Move::Skip => {
                    if let Some(next) = self.grid.place(&next) {
                        return Without::Skips(next);
                    }
                }
                _ => {}
            }
        }
        Without::Ended(best.unwrap_or(Verdict::DRAW))
    }
}

/// The steps from all numbers, in a single allocation.
pub(super) struct Steps {
    starts: Vec<u32>,
    steps: Vec<Step>,
}

impl Steps {
    pub(super) fn from_moves(moves: &Moves<'_>, on: On, budget: &mut Budget<'_>) -> Result<Steps, Unsolved> {
        let numbers = moves.grid.numbers();
        let mut count = 0;
        for rank in 0..numbers {
            moves.steps(rank as usize, on, |_| count += 1);
            budget.ask(rank, PATIENCE, Some(numbers))?;
        }
        // Twice, for the structures derived from them.
        let bytes = 2 * (u128::from(numbers + 1) * 8 + count as u128 * size_of::<Step>() as u128);
        budget.require_bytes(0, moves.grid.places(), bytes)?;
        let mut found =
            Steps { starts: Vec::with_capacity(numbers as usize + 1), steps: Vec::with_capacity(count) };
        for rank in 0..numbers {
            found.starts.push(found.steps.len() as u32);
            moves.steps(rank as usize, on, |step| found.steps.push(step));
            budget.ask(rank, PATIENCE, Some(numbers))?;
        }
        found.starts.push(found.steps.len() as u32);
        Ok(found)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    #[inline]
    pub(super) fn from(&self, rank: usize) -> &[Step] {
        &self.steps[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.starts.capacity() * size_of::<u32>() + self.steps.capacity() * size_of::<Step>()) as u64
    }

    /// The reversed steps: for every number, those that lead to it, with their origins.
    pub(super) fn reversed(&self) -> Steps {
        let numbers = self.starts.len() - 1;
        let mut starts = vec![0_u32; numbers + 2];
        for step in self.steps.iter().filter(|step| step.to < numbers) {
            starts[step.to + 2] += 1;
        }
        for rank in 2..starts.len() {
            starts[rank] += starts[rank - 1];
        }
        // Fill from the starts: each start advances to that of the next number.
        let mut steps = vec![Step { to: 0, kind: 0 }; starts[numbers + 1] as usize];
        for rank in 0..numbers {
            for step in self.from(rank).iter().filter(|step| step.to < numbers) {
                let place = &mut starts[step.to + 1];
                steps[*place as usize] = Step { to: rank, kind: step.kind };
                *place += 1;
            }
        }
        starts.truncate(numbers + 1);
        Steps { starts, steps }
    }
}
