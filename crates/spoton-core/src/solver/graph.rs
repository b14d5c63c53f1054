//! Retrograde analysis: finds all reachable positions, then scores them backwards from the endings. Works for
//! every rule book, with or without cycles. Positions without a score are draws.

use std::collections::HashSet;

use super::interner::Interner;
use super::strategy::{Case, Solution, Stage, too_large_is_none};
use super::value::{Score, Value, Verdict};
use super::{Budget, Unsolved, as_seen, lower_bound};
use crate::engine::play::{Move, Situation, Step};
use crate::engine::position::{Player, Position};
use crate::format::Rulebook;

/// Positions per call to the budget.
const PATIENCE: u64 = 1 << 12;

/// Whether the two seats are distinct. Only needed if a round's history counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seats {
    Alike,
    Apart,
}

/// Lists of integers in a single allocation: the edges of a graph by source.
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn bytes(&self) -> u64 {
        ((self.starts.capacity() + self.items.capacity()) * size_of::<u32>()) as u64
    }

    pub(super) fn get(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The transposed graph: for every item, the lists that contain it, with multiplicity.
    fn transposed(&self, budget: &mut Budget<'_>) -> Result<Lists, Unsolved> {
        let count = self.starts.len() - 1;
        let mut starts = vec![0_u32; count + 1];
        for index in 0..count {
            for item in self.get(index) {
                starts[*item as usize + 1] += 1;
            }
            budget.ask(index as u64, PATIENCE, Some(count as u64))?;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut free = starts.clone();
        let mut items = vec![0_u32; self.items.len()];
        for index in 0..count {
            for item in self.get(index) {
                let place = &mut free[*item as usize];
                items[*place as usize] = index as u32;
                *place += 1;
            }
            budget.ask(index as u64, PATIENCE, Some(count as u64))?;
        }
        Ok(Lists { starts, items })
    }
}

/// The peak bytes of a search per position. Growing a table copies it to twice its size, so it briefly takes
/// three times its contents. The positions are by far the largest part.
pub const BYTES_EACH: usize = 3 * size_of::<Position>() + 48;

/// The peak bytes per move.
pub(super) const BYTES_A_MOVE: usize = 12;

/// Returns an error if the positions and moves exceed the budget. The next position can add `at_once` others
/// before the next check.
fn require(
    budget: &Budget<'_>,
    reached: usize,
    positions: usize,
    moves: usize,
    at_once: usize,
) -> Result<(), Unsolved> {
    let needs = (positions + at_once) * BYTES_EACH + (moves + at_once) * BYTES_A_MOVE;
    let can_be_counted = positions.max(moves) < Points::MAX as usize - 2;
    let needs = if can_be_counted { needs as u128 } else { u128::MAX };
    budget.require_bytes(reached as u64, positions as u128, needs)
}

/// Four-byte scores: no remoteness exceeds the number of positions.
pub(super) type Points = i32;

/// The reachable positions, and where their moves lead.
pub(super) struct Explored {
    pub(super) interner: Interner,
    pub(super) children: Lists,
    /// The best result of the moves that end the round, or the ending itself; [`Score::NONE`] if no move ends
    /// it.
    pub(super) ends: Vec<Points>,
}

/// Collects a position's moves for [`explore`].
pub(super) struct Expansion<'a> {
    interner: &'a mut Interner,
    children: &'a mut Vec<u32>,
    end: Option<Verdict>,
}

impl Expansion<'_> {
    /// Adds a move that continues the round.
    pub(super) fn child(&mut self, position: Position) {
        self.children.push(self.interner.add(position));
    }

    /// Adds a move that ends the round, or the ending itself. Keeps only the best.
    pub(super) fn end(&mut self, verdict: Verdict) {
        self.end = self.end.max(Some(verdict));
    }
}

/// Finds all positions reachable from the roots, breadth first, until the budget is full. No position may
/// have more than `most_choices` choices.
pub(super) fn explore(
    roots: impl IntoIterator<Item = Position>,
    most_choices: usize,
    budget: &mut Budget<'_>,
    mut expand: impl FnMut(&Position, &mut Expansion<'_>),
) -> Result<Explored, Unsolved> {
    let mut interner = Interner::default();
    let mut children = Lists { starts: vec![0], items: Vec::new() };
    let mut ends: Vec<Points> = Vec::new();
    for root in roots {
        interner.add(root);
        require(budget, 0, interner.len(), 0, most_choices)?;
        budget.ask(interner.len() as u64, PATIENCE, None)?;
    }
    let mut next = 0;
    while next < interner.len() {
        if interner.is_crowded(most_choices) {
            interner.grow(|| budget.ask(next as u64, 1, None))?;
        }
        let position = interner.position(next);
        let mut expansion = Expansion { interner: &mut interner, children: &mut children.items, end: None };
        expand(&position, &mut expansion);
        ends.push(expansion.end.map_or(Points::NONE, Points::from_verdict));
        children.starts.push(children.items.len() as u32);
        next += 1;
        require(budget, next, interner.len(), children.items.len(), most_choices)?;
        budget.ask(next as u64, PATIENCE, None)?;
    }
    Ok(Explored { interner, children, ends })
}

impl Explored {
    /// All positions reachable from the opening, as the player to move sees them.
    pub(super) fn from_opening(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Explored, Unsolved> {
        refuse_at_once(rulebook, budget)?;
        let nothing_drawn = HashSet::new();
        explore([rulebook.opening(Player::One)], rulebook.most_choices(), budget, |position, expansion| {
            expand(rulebook, position, &nothing_drawn, as_seen, expansion);
        })
    }

    /// All positions reachable from a position, with distinct seats.
    pub(super) fn from_seat(
        rulebook: &Rulebook,
        root: Position,
        budget: &mut Budget<'_>,
    ) -> Result<Explored, Unsolved> {
        let nothing_drawn = HashSet::new();
        explore([root], rulebook.most_choices(), budget, |position, expansion| {
            expand(rulebook, position, &nothing_drawn, |position| *position, expansion);
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        let ends = self.ends.capacity() * size_of::<Points>();
        self.interner.bytes() + self.children.bytes() + ends as u64
    }

    /// The fewest moves from each position to a win for a player alone, breadth first from the wins. `None`
    /// if some position can't reach a win.
    pub(super) fn distances(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<u32>>, Unsolved> {
        let count = self.interner.len();
        let parents = self.children.transposed(budget)?;
        let mut distances = vec![0_u32; count];
        let mut found: Vec<u32> = Vec::with_capacity(count);
        for (index, end) in self.ends.iter().enumerate() {
            if *end == Points::from_verdict(Verdict::new(Value::Win, 1)) {
                distances[index] = 1;
                found.push(index as u32);
            }
        }
        let mut next = 0;
        while next < found.len() {
            let index = found[next] as usize;
            for parent in parents.get(index) {
                if distances[*parent as usize] == 0 {
                    distances[*parent as usize] = distances[index] + 1;
                    found.push(*parent);
                }
            }
            next += 1;
            budget.ask(next as u64, PATIENCE, Some(count as u64))?;
        }
        Ok((found.len() == count).then_some(distances))
    }

    /// The scores of all positions, breadth first from the endings. This order finds shortest wins and
    /// longest losses.
    fn scores(&self, budget: &mut Budget<'_>) -> Result<Vec<Points>, Unsolved> {
        self.scored(budget).map(|(_, scores)| scores)
    }

    /// [`Explored::scores`], with the predecessors of each position.
    pub(super) fn scored(&self, budget: &mut Budget<'_>) -> Result<(Lists, Vec<Points>), Unsolved> {
        let count = self.interner.len();
        let parents = self.children.transposed(budget)?;
        // Draws until proven otherwise.
        let mut scores = vec![Points::DRAW; count];
        let mut settled: Vec<u32> = Vec::with_capacity(count);
        // How many moves may still save an unsettled position. A drawing move saves it permanently: it outweighs all
        // other moves together.
        const FOR_GOOD: u8 = u8::MAX;
        let mut open: Vec<u8> = (0..count).map(|index| self.children.get(index).len() as u8).collect();
        let [lost_now, lost_next] =
            [0, 1].map(|moves| Points::from_verdict(Verdict::new(Value::Loss, moves)));
        let [won_now, won_next] = [0, 1].map(|moves| Points::from_verdict(Verdict::new(Value::Win, moves)));
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
            if *end == Points::DRAW {
                open[index] = FOR_GOOD;
            }
        }
        let mut next = 0;
        while next < settled.len() {
            let index = settled[next] as usize;
            let score = scores[index].before_move();
            for parent in parents.get(index) {
                let place = *parent as usize;
                if scores[place] != Points::DRAW {
                    continue;
                }
                if score < Points::DRAW {
                    open[place] -= 1;
                }
                if score > Points::DRAW || open[place] == 0 {
                    scores[place] = score;
                    settled.push(*parent);
                }
            }
            next += 1;
            budget.ask(next as u64, PATIENCE, Some(count as u64))?;
        }
        Ok((parents, scores))
    }
}

/// Before it allocates a table, the solver tries a search with one byte per this many table bytes. The search
/// succeeds for games where play reaches almost nothing. A failed attempt costs much less than the table: a
/// position takes about 300 bytes, and as much time as some fifty cells.
const TABLE_BYTES_A_BYTE: u64 = 8;

/// Fails without a search if even the lower bound is too large.
fn refuse_at_once(rulebook: &Rulebook, budget: &Budget<'_>) -> Result<(), Unsolved> {
    budget.require(0, lower_bound(rulebook), BYTES_EACH as u64)
}

/// The scores of all reachable positions.
pub(super) struct Graph {
    pub(super) interner: Interner,
    scores: Vec<Points>,
    seats: Seats,
}

impl Graph {
    /// Solves all positions reachable from the opening. Both seats see the same positions there.
    pub(super) fn of_opening(rulebook: &Rulebook, budget: &mut Budget<'_>) -> Result<Graph, Unsolved> {
        refuse_at_once(rulebook, budget)?;
        let roots = [rulebook.opening(Player::One)];
        Graph::find(rulebook, roots, Seats::Alike, &HashSet::new(), budget)
    }

    pub(super) fn find(
        rulebook: &Rulebook,
        roots: impl IntoIterator<Item = Position>,
        seats: Seats,
        drawn: &HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<Graph, Unsolved> {
        let seen = |position: &Position| match seats {
            Seats::Alike => as_seen(position),
            Seats::Apart => *position,
        };
        let roots = roots.into_iter().map(|root| seen(&root));
        let most = rulebook.most_choices();
        let explored = explore(roots, most, budget, |position, expansion| {
            expand(rulebook, position, drawn, seen, expansion);
        })?;
        let scores = explored.scores(budget)?;
        Ok(Graph { interner: explored.interner, scores, seats })
    }

    /// The position at an index, with its verdict.
    pub(super) fn get(&self, index: usize) -> Option<(Position, Verdict)> {
        Some((self.interner.get(index)?, self.scores.get(index)?.verdict()))
    }

    pub(super) fn find_verdict(&self, position: &Position) -> Option<Verdict> {
        Some(self.scores[self.index(position)?].verdict())
    }

    fn index(&self, position: &Position) -> Option<usize> {
        let position = match self.seats {
            Seats::Alike => as_seen(position),
            Seats::Apart => *position,
        };
        self.interner.find(&position).map(|index| index as usize)
    }
}

impl Solution for Graph {
    fn attempt(
        stage: Stage,
        case: &mut Case<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Graph>, Unsolved> {
        match stage {
            Stage::Sparing if !case.is_full => {
                let Some(Ok(table)) = case.table_bytes(budget) else { return Ok(None) };
                let searched = budget
                    .within(table / TABLE_BYTES_A_BYTE, |budget| Graph::of_opening(case.rulebook, budget));
                too_large_is_none(searched.map(Some))
            }
            Stage::Search => {
                let held = case.uncounted.as_ref().map_or(0, |intervals| intervals.bytes());
                budget.beside(held, |budget| Graph::of_opening(case.rulebook, budget)).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn verdict(&self, _: &Rulebook, position: &Position) -> Option<Verdict> {
        self.find_verdict(position)
    }

    fn bytes(&self) -> u64 {
        self.interner.bytes() + (self.scores.capacity() * size_of::<Points>()) as u64
    }

    fn positions(&self) -> Option<&Interner> {
        Some(&self.interner)
    }
}

/// Whether some line of legal moves repeats a position. Removes positions without predecessors in topological
/// order, which leaves cycles and the positions that follow them. `positions` must be all reachable ones, as
/// the player to move sees them.
pub(super) fn has_cycle(
    rulebook: &Rulebook,
    positions: &Interner,
    budget: &mut Budget<'_>,
) -> Result<bool, Unsolved> {
    let count = positions.len();
    // In-degrees, and the queue of positions without predecessors.
    budget.require(count as u64, count as u128, 3 * size_of::<u32>() as u64)?;
    let next = |index: usize| {
        let position = positions.position(index);
        let moves = rulebook.situation(&position).moves();
        moves.filter_map(move |a_move| match rulebook.play(&position, a_move) {
            Ok(Step::On(next)) => positions.find(&as_seen(&next)),
            _ => None,
        })
    };
    let mut in_degree = vec![0_u32; count];
    for index in 0..count {
        next(index).for_each(|next| in_degree[next as usize] += 1);
        budget.ask(index as u64, PATIENCE, Some(count as u64))?;
    }
    let mut ready: Vec<u32> = (0..count as u32).filter(|index| in_degree[*index as usize] == 0).collect();
    let mut removed = 0;
    while let Some(index) = ready.pop() {
        for next in next(index as usize) {
            in_degree[next as usize] -= 1;
            if in_degree[next as usize] == 0 {
                ready.push(next);
            }
        }
        removed += 1;
        budget.ask(removed, PATIENCE, Some(count as u64))?;
    }
    Ok(removed < count as u64)
}

fn expand(
    rulebook: &Rulebook,
    position: &Position,
    drawn: &HashSet<Position>,
    seen: impl Fn(&Position) -> Position,
    expansion: &mut Expansion<'_>,
) {
    let turn = position.turn();
    let mut tell = |step: Step| match step {
        Step::On(next) if drawn.contains(&next) => expansion.end(Verdict::DRAW),
        Step::On(next) => expansion.child(seen(&next)),
        Step::Over { outcome, .. } => expansion.end(Verdict::new(Value::from_outcome(outcome, turn), 1)),
    };
    // Playing every move and checking for refusals is faster than listing the legal ones first.
    let mut stuck = true;
    for choice in rulebook.offered(position) {
        if let Ok(step) = rulebook.play(position, Move::Operation(choice)) {
            stuck = false;
            tell(step);
        }
    }
    if stuck {
        match rulebook.play(position, Move::Skip) {
            Ok(step) => tell(step),
            Err(_) => {
                if let Situation::Over(outcome) = rulebook.situation(position) {
                    expansion.end(Verdict::new(Value::from_outcome(outcome, turn), 0));
                }
            }
        }
    }
}
