//! A game's lines of play, as a graph of reachable positions and their moves.

use std::sync::Arc;

use crate::engine::play::{Move, Outcome, Step};
use crate::engine::position::{Player, Position};
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solved::weight::Weight;
use crate::solver::{
    BYTES_OF_A_SEARCH, Budget, Interner, Solver, Unsolved, Value, Verdict, as_seen, lower_bound,
};

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It's the opponent's turn in this position.
    On(u32),
    /// The round is over, with this result for the mover. Includes the opponent being stuck.
    Over(Value),
}

/// A move and its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) a_move: Move,
    pub(crate) next: Next,
}

/// Every reachable position that isn't over, normalized to the player to move, with its moves. The opening comes
/// first. Empty if the round is over before it begins.
pub(crate) struct Lines {
    rulebook: Arc<Rulebook>,
    positions: Interner,
    verdicts: Vec<Verdict>,
    starts: Vec<u32>,
    ways: Vec<Way>,
    /// The outcome, if the round is over before it begins.
    over_at_once: Option<Outcome>,
}

/// Positions visited between two checks for cancellation.
const PATIENCE: u64 = 1 << 10;

/// Bytes per move, including room to grow.
const BYTES_OF_A_WAY: u128 = 3 * size_of::<Way>() as u128;
/// Bytes per position, including room to grow and the temporary lists that queries use.
const BYTES_OF_A_POSITION: u128 =
    BYTES_OF_A_SEARCH as u128 + 3 * (size_of::<Verdict>() + size_of::<u32>()) as u128 + 160;

impl Lines {
    /// All lines of a solved game.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub(crate) fn from_solver(solver: &Solver, budget: &mut Budget<'_>) -> Result<Lines, Unsolved> {
        let rulebook = Arc::clone(solver.rulebook());
        // A walk by small steps may end in a stuck position.
        let least = lower_bound(&rulebook).saturating_sub(2);
        budget.require_bytes(0, least, least.saturating_mul(BYTES_OF_A_POSITION))?;
        let opening = rulebook.opening(Player::One);
        let over_at_once = rulebook.over_at(&opening);
        let mut lines = Lines {
            rulebook,
            positions: Interner::default(),
            verdicts: Vec::new(),
            starts: vec![0],
            ways: Vec::new(),
            over_at_once,
        };
        if over_at_once.is_none() {
            lines.positions.add(opening);
        }
        while lines.verdicts.len() < lines.positions.len() {
            let position = lines.positions.position(lines.verdicts.len());
            lines.add_ways(&position);
            lines.starts.push(lines.ways.len() as u32);
            // Invariant: every reachable position is solved.
            lines.verdicts.push(solver.verdict(&position).unwrap_or(Verdict::DRAW));
            let done = lines.verdicts.len() as u64;
            budget.require_bytes(done, lines.positions.len() as u128, lines.needs())?;
            budget.ask(done, PATIENCE, None)?;
        }
        Ok(lines)
    }

    fn add_ways(&mut self, position: &Position) {
        let rulebook = Arc::clone(&self.rulebook);
        for a_move in rulebook.situation(position).moves() {
            let over = |outcome| Next::Over(Value::from_outcome(outcome, position.turn()));
            let next = match rulebook.play(position, a_move) {
                Ok(Step::Over { outcome, .. }) => over(outcome),
                Ok(Step::On(next)) => match rulebook.over_at(&next) {
                    Some(outcome) => over(outcome),
                    None => Next::On(self.positions.add(as_seen(&next))),
                },
                Err(_) => continue,
            };
            self.ways.push(Way { a_move, next });
        }
    }

    fn needs(&self) -> u128 {
        self.positions.len() as u128 * BYTES_OF_A_POSITION + self.ways.len() as u128 * BYTES_OF_A_WAY
    }

    /// The bytes held, plus the maximum that queries need.
    pub(crate) fn bytes(&self) -> u64 {
        self.needs() as u64
    }

    pub(crate) fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.verdicts.len()
    }

    pub(crate) fn position(&self, index: u32) -> Position {
        self.positions.position(index as usize)
    }

    /// The index of a position, normalized to the player to move; `None` if it's unreachable or over.
    pub(crate) fn find(&self, position: &Position) -> Option<u32> {
        self.positions.find(position)
    }

    pub(crate) fn verdict(&self, index: u32) -> Verdict {
        self.verdicts[index as usize]
    }

    /// The best result the starter can force.
    pub(crate) fn opening(&self) -> Verdict {
        match self.over_at_once {
            Some(outcome) => Verdict::new(Value::from_outcome(outcome, Player::One), 0),
            None => self.verdicts[0],
        }
    }

    pub(crate) fn over_at_once(&self) -> Option<Outcome> {
        self.over_at_once
    }

    /// The moves from a position.
    pub(crate) fn ways(&self, index: u32) -> &[Way] {
        let index = index as usize;
        &self.ways[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The value of a move for the mover.
    pub(crate) fn worth(&self, way: &Way) -> Verdict {
        match way.next {
            Next::On(next) => self.verdict(next).before_move(),
            Next::Over(value) => Verdict::new(value, 1),
        }
    }

    /// Whether the choice in a position matters.
    pub(crate) fn weight(&self, index: u32) -> Weight {
        let at_once = |way: &Way| match way.next {
            Next::Over(value) => Some(value),
            Next::On(_) => None,
        };
        Weight::weigh(self.ways(index), |way| self.worth(way).value, at_once)
    }

    /// The round after these moves, with Player 1 going first.
    pub(crate) fn round_after(&self, line: &[Move]) -> Round {
        let mut round = Round::new(Arc::clone(&self.rulebook), Player::One);
        for a_move in line {
            // Invariant: these moves are legal.
            let _ = round.play(*a_move);
        }
        round
    }

    /// The indices of all positions.
    pub(crate) fn indices(&self) -> impl DoubleEndedIterator<Item = u32> + use<> {
        0..self.len() as u32
    }

    fn nexts(&self, index: u32) -> impl Iterator<Item = u32> {
        self.ways(index).iter().filter_map(|way| match way.next {
            Next::On(next) => Some(next),
            Next::Over(_) => None,
        })
    }

    /// The positions in topological order; `None` if some line never ends.
    pub(crate) fn in_order(&self) -> Option<Vec<u32>> {
        let order = self.in_order_so_far();
        (order.len() == self.len()).then_some(order)
    }

    /// The positions in topological order. Leaves out positions on a cycle or after one.
    fn in_order_so_far(&self) -> Vec<u32> {
        let mut in_degree = vec![0_u32; self.len()];
        for index in self.indices() {
            self.nexts(index).for_each(|next| in_degree[next as usize] += 1);
        }
        let mut order: Vec<u32> = self.indices().filter(|index| in_degree[*index as usize] == 0).collect();
        let mut done = 0;
        while let Some(index) = order.get(done).copied() {
            done += 1;
            for next in self.nexts(index) {
                in_degree[next as usize] -= 1;
                if in_degree[next as usize] == 0 {
                    order.push(next);
                }
            }
        }
        order
    }

    /// For each position, the maximum number of moves left in the round; `None` if some line never ends.
    pub(crate) fn longest(&self) -> Option<Vec<u64>> {
        let mut longest = vec![0; self.len()];
        for index in self.in_order()?.into_iter().rev() {
            let after = self.nexts(index).map(|next| longest[next as usize]).max();
            longest[index as usize] = 1 + after.unwrap_or(0);
        }
        Some(longest)
    }

    /// Whether there is exactly one move and it isn't a skipped turn.
    pub(crate) fn is_forced(&self, index: u32) -> bool {
        matches!(self.ways(index), [Way { a_move: Move::Operation(_), .. }])
    }

    /// The longest run of forced positions at the end of a round, over all lines.
    pub(crate) fn dead_tail(&self) -> u64 {
        // Searches backwards from the forced positions that end the round.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        let mut last = Vec::new();
        for index in self.indices().filter(|index| self.is_forced(*index)) {
            match self.ways(index)[0].next {
                Next::Over(_) => last.push(index),
                Next::On(next) => before[next as usize].push(index),
            }
        }
        let mut tail = 0;
        while !last.is_empty() {
            tail += 1;
            last = last.iter().flat_map(|index| before[*index as usize].iter().copied()).collect();
        }
        tail
    }

    /// A shortest line to a draw; `None` if no line ends in one. Empty if the round is drawn before it begins.
    pub(crate) fn line_to_a_drawn_end(&self) -> Option<Vec<Move>> {
        if let Some(outcome) = self.over_at_once {
            return outcome.winner.is_none().then(Vec::new);
        }
        let from_opening = Search::from(self, 0);
        let mut places = std::iter::once(0).chain(from_opening.found.iter().copied());
        places.find_map(|place| {
            let draws = |way: &&Way| way.next == Next::Over(Value::Draw);
            let draw = self.ways(place as u32 / 2).iter().find(draws)?;
            let mut line = from_opening.way_to(place)?;
            line.push(draw.a_move);
            Some(line)
        })
    }

    /// An endless line, up to the first repetition with the same player to move; `None` if all lines end. The line
    /// takes the shortest path to the nearest repeatable position and back to it.
    pub(crate) fn endless_line(&self) -> Option<Vec<Move>> {
        if self.in_order().is_some() {
            return None;
        }
        let mut may_come_back = vec![true; self.len()];
        self.in_order_so_far().into_iter().for_each(|index| may_come_back[index as usize] = false);
        let from_opening = Search::from(self, 0);
        for place in std::iter::once(0).chain(from_opening.found.iter().copied()) {
            if !may_come_back[place / 2] {
                continue;
            }
            let from_there = Search::from(self, place);
            if let Some(back) = from_there.line_to(place) {
                let there = from_opening.way_to(place)?;
                return Some([there, back].concat());
            }
        }
        None
    }

    /// A line of best play, up to its end or the first repetition with the same player to move.
    pub(crate) fn best_line(&self) -> Vec<Move> {
        if self.len() == 0 { vec![] } else { self.best_line_from(0) }
    }

    /// The same from a given position.
    pub(crate) fn best_line_from(&self, index: u32) -> Vec<Move> {
        let mut seen = vec![[false; 2]; self.len()];
        let (mut line, mut at) = (vec![], Next::On(index));
        while let Next::On(index) = at {
            let turn = line.len() % 2;
            if std::mem::replace(&mut seen[index as usize][turn], true) {
                break;
            }
            // Ties go to the first move, so the line is deterministic.
            let Some(best) = self.ways(index).iter().rev().max_by_key(|way| self.worth(way)) else { break };
            line.push(best.a_move);
            at = best.next;
        }
        line
    }

    /// The first moves of a longest line. Requires that all lines end.
    pub(crate) fn long_line(&self, longest: &[u64], moves: u64) -> Vec<Move> {
        let (mut line, mut at) = (vec![], Next::On(0));
        while let Next::On(index) = at
            && (line.len() as u64) < moves
        {
            let left = |way: &&Way| match way.next {
                Next::On(next) => longest[next as usize],
                Next::Over(_) => 0,
            };
            let Some(longest) = self.ways(index).iter().rev().max_by_key(left) else { break };
            line.push(longest.a_move);
            at = longest.next;
        }
        line
    }

    /// A line in notation.
    pub(crate) fn write(&self, line: &[Move]) -> String {
        line.iter().map(|a_move| self.rulebook.write(*a_move)).collect::<Vec<_>>().join(" ")
    }
}

/// Breadth-first search from a node, over at least one move. A node (`place`) is a position plus the player to move,
/// numbered as twice the position's index, plus one if the starter isn't to move.
pub(crate) struct Search {
    from: usize,
    came_by: Vec<Option<(usize, Move)>>,
    /// Nearest first.
    found: Vec<usize>,
}

impl Search {
    pub(crate) fn from(lines: &Lines, from: usize) -> Search {
        let mut search = Search { from, came_by: vec![None; 2 * lines.len()], found: vec![] };
        let (mut place, mut done) = (from, 0);
        loop {
            for way in lines.ways(place as u32 / 2) {
                let Next::On(next) = way.next else { continue };
                let next = 2 * next as usize + (1 - place % 2);
                if search.came_by[next].is_none() {
                    search.came_by[next] = Some((place, way.a_move));
                    search.found.push(next);
                }
            }
            match search.found.get(done) {
                Some(next) => place = *next,
                None => return search,
            }
            done += 1;
        }
    }

    /// One node per position, nearest first, beginning with the search's start.
    pub(crate) fn each_position(&self) -> impl Iterator<Item = usize> {
        let mut seen = vec![false; self.came_by.len() / 2];
        let places = std::iter::once(self.from).chain(self.found.iter().copied());
        places.filter(move |place| !std::mem::replace(&mut seen[place / 2], true))
    }

    /// The shortest line to a node (empty for the start); `None` if there's none.
    pub(crate) fn way_to(&self, place: usize) -> Option<Vec<Move>> {
        if place == self.from { Some(vec![]) } else { self.line_to(place) }
    }

    /// The shortest line of at least one move to a node; `None` if there's none.
    pub(crate) fn line_to(&self, place: usize) -> Option<Vec<Move>> {
        let (mut before, a_move) = self.came_by[place]?;
        let mut line = vec![a_move];
        while before != self.from {
            let (place, a_move) = self.came_by[before]?;
            line.push(a_move);
            before = place;
        }
        line.reverse();
        Some(line)
    }
}
