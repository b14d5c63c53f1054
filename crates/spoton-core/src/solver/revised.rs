//! Incremental solutions: during a round, the house rule draws more and more positions, and each of them
//! changes few scores. All other scores are reused.
//!
//! A score table is right if every score is the best of its moves: the quickest win, else a draw, else the
//! slowest loss. Endless play is a draw. Wins and losses then follow by induction on the remoteness, and every
//! other position has a move that keeps the draw. So it's enough to look at the neighbours of a change:
//! positions whose score is no longer the best of their moves are rescored, together with everything derived
//! from them, until all scores fit.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::graph::{Explored, Lists, Points};
use super::strategy::Solution;
use super::value::{Score, Verdict};
use super::{Budget, Unsolved};
use crate::engine::position::Position;
use crate::format::Rulebook;

/// Positions per call to the budget.
const PATIENCE: u64 = 1 << 12;

/// A position's index in the table.
type Place = u32;

/// The scores of all reachable positions, with their predecessors.
pub(super) struct Revised {
    explored: Explored,
    parents: Lists,
    scores: Vec<Points>,
    /// The positions that count as drawn when a move reaches them.
    drawn: HashSet<Place>,
}

/// A position being rescored.
struct Open {
    /// Its previous score.
    before: Points,
    /// The best of its settled moves.
    best: Points,
    /// How many of its moves lead to unsettled positions.
    uncertain: u32,
    is_settled: bool,
}

/// The positions being rescored.
type OpenPlaces = HashMap<Place, Open>;

impl Revised {
    /// All positions reachable from a position, with distinct seats and nothing drawn yet.
    pub(super) fn from(
        rulebook: &Rulebook,
        root: Position,
        budget: &mut Budget<'_>,
    ) -> Result<Revised, Unsolved> {
        let explored = Explored::from_seat(rulebook, root, budget)?;
        let (parents, scores) = explored.scored(budget)?;
        Ok(Revised { explored, parents, scores, drawn: HashSet::new() })
    }

    /// Sets the drawn positions. An error leaves the scores inconsistent.
    pub(super) fn draw(
        &mut self,
        drawn: &HashSet<Position>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let drawn: HashSet<Place> =
            drawn.iter().filter_map(|position| self.explored.interner.find(position)).collect();
        let changed: Vec<Place> = self.drawn.symmetric_difference(&drawn).copied().collect();
        self.drawn = drawn;
        let around = changed.iter().flat_map(|place| self.parents.get(*place as usize)).copied();
        let mut misfits: Vec<Place> = around.filter(|place| !self.fits(*place)).collect();
        let mut open = OpenPlaces::new();
        let mut done = 0;
        while !misfits.is_empty() {
            self.open_up(misfits, &mut open);
            let each = 2 * size_of::<(Place, Open)>() + 2 * size_of::<(u64, Place, Points)>();
            budget.beside(self.bytes(), |budget| {
                budget.require(done, open.len() as u128, each as u64)?;
                self.score_anew(&mut open, &mut done, budget)
            })?;
            let changed = open.iter().filter(|(place, open)| self.scores[**place as usize] != open.before);
            let around = changed.flat_map(|(place, _)| self.parents.get(*place as usize)).copied();
            misfits = around.filter(|place| !open.contains_key(place) && !self.fits(*place)).collect();
            for (place, open) in &mut open {
                open.before = self.scores[*place as usize];
            }
        }
        Ok(())
    }

    /// The score of a move to a position, for the player who makes it.
    fn worth_of_move_to(&self, place: Place) -> Points {
        match self.drawn.contains(&place) {
            true => Points::DRAW,
            false => self.scores[place as usize].before_move(),
        }
    }

    fn children(&self, place: Place) -> &[Place] {
        self.explored.children.get(place as usize)
    }

    /// Whether a position's score is the best of its moves.
    fn fits(&self, place: Place) -> bool {
        let moves = self.children(place).iter().map(|child| self.worth_of_move_to(*child));
        let best = moves.fold(self.explored.ends[place as usize], Points::max);
        best == self.scores[place as usize]
    }

    /// Opens positions for rescoring, along with everything derived from them.
    fn open_up(&self, misfits: Vec<Place>, open: &mut OpenPlaces) {
        let opened = |place: Place| Open {
            before: self.scores[place as usize],
            best: Points::NONE,
            uncertain: 0,
            is_settled: false,
        };
        // Scores derive from lower remoteness, so process them in that order.
        let mut waiting: BinaryHeap<Reverse<(u64, Place)>> = BinaryHeap::new();
        let rank = |place: Place| self.scores[place as usize].verdict().remoteness();
        let wait = |waiting: &mut BinaryHeap<Reverse<(u64, Place)>>, place: Place| {
            // No win or loss derives from a draw, and draws don't derive from anything.
            if self.drawn.contains(&place) || rank(place).is_none() {
                return;
            }
            for parent in self.parents.get(place as usize) {
                waiting.extend(rank(*parent).map(|rank| Reverse((rank, *parent))));
            }
        };
        for place in misfits {
            if open.insert(place, opened(place)).is_none() {
                wait(&mut waiting, place);
            }
        }
        while let Some(Reverse((_, place))) = waiting.pop() {
            if !open.contains_key(&place) && !self.stands(place, open) {
                open.insert(place, opened(place));
                wait(&mut waiting, place);
            }
        }
    }

    /// Whether a position's win or loss follows from settled moves.
    fn stands(&self, place: Place, open: &OpenPlaces) -> bool {
        let score = self.scores[place as usize];
        let is_certain = |child: &Place| self.drawn.contains(child) || !open.contains_key(child);
        let mut children = self.children(place).iter();
        match score > Points::DRAW {
            true => {
                self.explored.ends[place as usize] == score
                    || children.any(|child| is_certain(child) && self.worth_of_move_to(*child) == score)
            }
            false => children.all(is_certain) && self.fits(place),
        }
    }

    /// Rescores all open positions from the settled ones around them, in order of remoteness.
    fn score_anew(
        &mut self,
        open: &mut OpenPlaces,
        done: &mut u64,
        budget: &mut Budget<'_>,
    ) -> Result<(), Unsolved> {
        let places: Vec<Place> = open.keys().copied().collect();
        let mut waiting: BinaryHeap<Reverse<(u64, Place, Points)>> = BinaryHeap::new();
        let wait = |waiting: &mut BinaryHeap<_>, place: Place, score: Points| {
            let remoteness = score.verdict().remoteness();
            waiting.extend(remoteness.map(|remoteness| Reverse((remoteness, place, score))));
        };
        for place in &places {
            let children = self.children(*place).iter();
            let is_uncertain = |child: &&Place| open.contains_key(child) && !self.drawn.contains(child);
            let (uncertain, certain): (Vec<Place>, Vec<Place>) =
                children.copied().partition(|child| is_uncertain(&child));
            let moves = certain.iter().map(|child| self.worth_of_move_to(*child));
            let best = moves.fold(self.explored.ends[*place as usize], Points::max);
            let Some(here) = open.get_mut(place) else { continue };
            (here.best, here.uncertain, here.is_settled) = (best, uncertain.len() as u32, false);
            if best > Points::DRAW || (uncertain.is_empty() && best < Points::DRAW) {
                wait(&mut waiting, *place, best);
            }
        }
        // Draws until proven otherwise.
        for place in places {
            self.scores[place as usize] = Points::DRAW;
        }
        while let Some(Reverse((_, place, score))) = waiting.pop() {
            *done += 1;
            budget.ask(*done, PATIENCE, None)?;
            match open.get_mut(&place) {
                Some(here) if !here.is_settled => here.is_settled = true,
                _ => continue,
            }
            self.scores[place as usize] = score;
            if self.drawn.contains(&place) {
                continue;
            }
            let worth = score.before_move();
            for parent in self.parents.get(place as usize) {
                let Some(above) = open.get_mut(parent).filter(|above| !above.is_settled) else { continue };
                above.best = above.best.max(worth);
                above.uncertain -= 1;
                if worth > Points::DRAW || (above.uncertain == 0 && above.best < Points::DRAW) {
                    wait(&mut waiting, *parent, above.best);
                }
            }
        }
        Ok(())
    }
}

/// No `attempt`: a revised solution covers one round, never a whole book.
impl Solution for Revised {
    fn verdict(&self, _: &Rulebook, position: &Position) -> Option<Verdict> {
        let place = self.explored.interner.find(position)?;
        Some(self.scores[place as usize].verdict())
    }

    fn bytes(&self) -> u64 {
        let places = self.drawn.capacity() * 2 * size_of::<Place>();
        let scores = self.scores.capacity() * size_of::<Points>();
        self.explored.bytes() + self.parents.bytes() + (places + scores) as u64
    }
}
