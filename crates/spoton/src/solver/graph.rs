//! Every position that can be reached, searched backwards from the ends. This works for every rule book, cycles among
//! them: what no end reaches is a draw.

use std::collections::HashSet;
use std::collections::VecDeque;

use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved, as_seen};
use crate::play::{Move, Situation, Step};
use crate::position::{Player, Position};
use crate::rulebook::Rulebook;

/// How many positions are looked at between two questions whether to go on.
const PATIENCE: u64 = 1 << 12;

/// Whether the two seats are told apart. They only have to be where a round's history counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seats {
    Alike,
    Apart,
}

/// Positions by number and back. Open addressing over indices keeps a position once, and its size known.
pub(crate) struct Interner {
    positions: Vec<Position>,
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Interner {
    pub(crate) fn new() -> Interner {
        Interner { positions: Vec::new(), slots: vec![FREE; 16] }
    }

    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn position(&self, index: usize) -> Position {
        self.positions[index]
    }

    pub(crate) fn find(&self, position: &Position) -> Option<u32> {
        match self.slots[self.slot(position)] {
            FREE => None,
            index => Some(index),
        }
    }

    pub(crate) fn add(&mut self, position: Position) -> u32 {
        let slot = self.slot(&position);
        if self.slots[slot] != FREE {
            return self.slots[slot];
        }
        let index = self.positions.len() as u32;
        self.slots[slot] = index;
        self.positions.push(position);
        if self.positions.len() * 2 > self.slots.len() {
            self.slots = vec![FREE; self.slots.len() * 2];
            for index in 0..self.positions.len() {
                let slot = self.slot(&self.positions[index]);
                self.slots[slot] = index as u32;
            }
        }
        index
    }

    /// Where a position is, or where it would go.
    fn slot(&self, position: &Position) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(position) as usize & mask;
        while self.slots[slot] != FREE && self.positions[self.slots[slot] as usize] != *position {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Mixes what a position holds. The same on every machine and in every run.
fn hash(position: &Position) -> u64 {
    let mut mixed = 0_u64;
    let mut mix = |part: u64| {
        mixed = (mixed.rotate_left(29) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    };
    for player in Player::BOTH {
        mix(position.numbers[player] as u64);
        for eight in position.uses[player].chunks_exact(8) {
            mix(eight.iter().fold(0, |packed, uses| packed << 8 | u64::from(*uses)));
        }
        let last = position.last[player].map_or(0, |choice| choice.place() as u64 + 1);
        mix(last << 8 | u64::from(position.passes[player]));
    }
    mix(position.turn as u64);
    mixed ^ mixed >> 31
}

/// Lists of numbers, one after another in a single allocation.
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn get(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// For every item, the lists that it stands in, as often as it does.
    fn reversed(&self, count: usize) -> Lists {
        let mut starts = vec![0_u32; count + 1];
        for item in &self.items {
            starts[*item as usize + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut free = starts.clone();
        let mut items = vec![0_u32; self.items.len()];
        for index in 0..self.starts.len() - 1 {
            for item in self.get(index) {
                let place = &mut free[*item as usize];
                items[*place as usize] = index as u32;
                *place += 1;
            }
        }
        Lists { starts, items }
    }
}

/// Bytes for a position in all the tables of a search, doubled since growing tables are copied.
fn bytes(positions: usize, edges: usize) -> u64 {
    let each = size_of::<Position>() + 8 + 4 * 4 + 8 + 2 + 4;
    2 * (positions as u64 * each as u64 + edges as u64 * 8)
}

/// What can be reached, and where each position's moves lead.
pub(super) struct Explored {
    pub(super) interner: Interner,
    children: Lists,
    /// The best that the moves which end the round give, or the end itself; nothing where no move ends it.
    ends: Vec<i64>,
}

/// What a position's moves lead to, told to [`explore`].
pub(super) struct Expansion {
    pub(super) children: Vec<Position>,
    pub(super) end: Option<Verdict>,
}

/// Looks at everything that can be reached from the roots, until the budget is full.
pub(super) fn explore(
    roots: impl IntoIterator<Item = Position>,
    budget: &mut Budget<'_>,
    mut expand: impl FnMut(&Position) -> Expansion,
) -> Result<Explored, Unsolved> {
    let mut interner = Interner::new();
    for root in roots {
        interner.add(root);
        budget.hold(0, interner.len() as u128, bytes(1, 0))?;
    }
    let mut children = Lists { starts: vec![0], items: Vec::new() };
    let mut ends = Vec::new();
    let mut next = 0;
    while next < interner.len() {
        let expansion = expand(&interner.position(next));
        ends.push(expansion.end.map_or(i64::NONE, i64::of));
        for child in expansion.children {
            let child = interner.add(child);
            children.items.push(child);
        }
        children.starts.push(children.items.len() as u32);
        next += 1;
        let (positions, edges) = (interner.len(), children.items.len());
        let needs = bytes(positions, edges);
        if needs > budget.bytes || edges > u32::MAX as usize / 2 {
            let (reached, at_least) = (next as u64, positions as u128);
            return Err(Unsolved::TooLarge { reached, at_least, needs: u128::from(needs), budget: budget.bytes });
        }
        budget.ask(next as u64, PATIENCE, None)?;
    }
    Ok(Explored { interner, children, ends })
}

impl Explored {
    /// The fewest moves from each position to a win at once, for one who plays alone; nothing where there is no way.
    pub(super) fn distances(&self) -> Vec<Option<u64>> {
        let count = self.interner.len();
        let parents = self.children.reversed(count);
        let won_next = i64::of(Verdict::new(Value::Win, 1));
        let mut distances: Vec<Option<u64>> =
            self.ends.iter().map(|end| (*end == won_next).then_some(1)).collect();
        let mut queue: VecDeque<usize> = (0..count).filter(|index| distances[*index].is_some()).collect();
        while let Some(index) = queue.pop_front() {
            for parent in parents.get(index) {
                let parent = *parent as usize;
                if distances[parent].is_none() {
                    distances[parent] = distances[index].map(|distance| distance + 1);
                    queue.push_back(parent);
                }
            }
        }
        distances
    }

    /// The scores of all positions. First in, first out: the shortest win and the longest loss come by themselves.
    fn scores(&self, budget: &mut Budget<'_>) -> Result<Vec<i64>, Unsolved> {
        let count = self.interner.len();
        let parents = self.children.reversed(count);
        // A draw until proved otherwise.
        let mut scores = vec![i64::DRAW; count];
        let mut open: Vec<u16> = (0..count).map(|index| self.children.get(index).len() as u16).collect();
        let mut settled: Vec<u32> = Vec::new();
        let lost_now = i64::of(Verdict::new(Value::Loss, 0));
        let won_now = i64::of(Verdict::new(Value::Win, 0));
        let won_next = i64::of(Verdict::new(Value::Win, 1));
        let lost_next = i64::of(Verdict::new(Value::Loss, 1));
        for (index, end) in self.ends.iter().enumerate() {
            if *end == lost_now || *end == won_now {
                scores[index] = *end;
                settled.push(index as u32);
            }
        }
        for (index, end) in self.ends.iter().enumerate() {
            let all_lose = *end == lost_next && open[index] == 0;
            if *end == won_next || all_lose {
                scores[index] = *end;
                settled.push(index as u32);
            }
            if *end == i64::DRAW {
                // A move that draws at once is never lost: this position cannot become a loss.
                open[index] = u16::MAX;
            }
        }
        let mut next = 0;
        while next < settled.len() {
            let index = settled[next] as usize;
            let score = scores[index].before_move();
            for parent in parents.get(index) {
                let parent = *parent as usize;
                if scores[parent] != i64::DRAW || open[parent] == 0 {
                    continue;
                }
                if score > i64::DRAW {
                    scores[parent] = score;
                    settled.push(parent as u32);
                } else if open[parent] != u16::MAX {
                    open[parent] -= 1;
                    if open[parent] == 0 {
                        scores[parent] = score;
                        settled.push(parent as u32);
                    }
                }
            }
            next += 1;
            budget.ask(next as u64, PATIENCE, None)?;
        }
        Ok(scores)
    }
}

/// The scores of everything that can be reached.
pub(super) struct Solution {
    interner: Interner,
    scores: Vec<i64>,
    seats: Seats,
}

impl Solution {
    pub(super) fn find(
        rulebook: &Rulebook,
        roots: impl IntoIterator<Item = Position>,
        seats: Seats,
        drawn: &HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<Solution, Unsolved> {
        let seen = |position: &Position| match seats {
            Seats::Alike => as_seen(position),
            Seats::Apart => *position,
        };
        let roots = roots.into_iter().map(|root| seen(&root));
        let explored = explore(roots, budget, |position| expand(rulebook, position, drawn, seen))?;
        let scores = explored.scores(budget)?;
        Ok(Solution { interner: explored.interner, scores, seats })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (Position, Verdict)> {
        let positions = (0..self.interner.len()).map(|index| self.interner.position(index));
        positions.zip(self.scores.iter().map(|score| score.verdict()))
    }

    pub(super) fn verdict(&self, position: &Position) -> Option<Verdict> {
        let position = match self.seats {
            Seats::Alike => as_seen(position),
            Seats::Apart => *position,
        };
        let index = self.interner.find(&position)?;
        Some(self.scores[index as usize].verdict())
    }
}

fn expand(
    rulebook: &Rulebook,
    position: &Position,
    drawn: &HashSet<Position>,
    seen: impl Fn(&Position) -> Position,
) -> Expansion {
    let turn = position.turn();
    let mut expansion = Expansion { children: Vec::new(), end: None };
    let moves = match rulebook.situation(position) {
        Situation::Over(outcome) => {
            expansion.end = Some(Verdict::new(Value::of(outcome, turn), 0));
            return expansion;
        }
        Situation::Skip => vec![Move::Skip],
        Situation::Choose(choices) => choices.map(Move::Operation).collect(),
    };
    for a_move in moves {
        match rulebook.play(position, a_move) {
            Ok(Step::On(next)) if drawn.contains(&next) => {
                expansion.end = expansion.end.max(Some(Verdict::DRAW))
            }
            Ok(Step::On(next)) => expansion.children.push(seen(&next)),
            Ok(Step::Over { outcome, .. }) => {
                expansion.end = expansion.end.max(Some(Verdict::new(Value::of(outcome, turn), 1)));
            }
            Err(_) => {}
        }
    }
    expansion
}
