//! Plays an idea out against every possible reply.

use super::{Idea, PATIENCE};
use crate::engine::play::Step;
use crate::engine::position::Player;
use crate::format::Rulebook;
use crate::solver::chart::{Chart, position_at};
use crate::solver::{Budget, Unsolved, Value};

/// The result of a move.
#[derive(PartialEq, Eq)]
pub(super) enum AfterMove {
    /// It's the opponent's turn at this number.
    On(i64),
    /// The round is over, with this result for the mover.
    Over(Value),
}

/// The results of all moves from a number.
pub(super) fn moves(rulebook: &Rulebook, number: i64) -> Vec<AfterMove> {
    let Some(position) = position_at(rulebook, number) else { return vec![] };
    let value = |outcome| Some(AfterMove::Over(Value::from_outcome(outcome, Player::One)));
    let next = |a_move| match rulebook.play(&position, a_move).ok()? {
        Step::Over { outcome, .. } => value(outcome),
        Step::On(next) => match rulebook.over_at(&next) {
            Some(outcome) => value(outcome),
            None => Some(AfterMove::On(next.number())),
        },
    };
    rulebook.situation(&position).moves().filter_map(next).collect()
}

/// The outcome of following an idea.
pub(super) enum Followed {
    /// The follower wins in every line.
    Wins,
    /// At some number, the idea gives no move.
    Stops,
    /// Some line never ends.
    Cycles,
}

/// Plays an idea out against every reply. The follower takes an immediate win, otherwise leaves any of the idea's
/// numbers.
pub(super) struct Follower<'a> {
    pub(super) idea: &'a Idea,
    pub(super) chart: &'a Chart,
    /// The reachable numbers, if there are few. `None` uses the whole chart.
    pub(super) few: Option<&'a [i64]>,
}

/// A search node: a number and whether it's the follower's turn there, encoded as an index.
type Place = usize;

impl Follower<'_> {
    fn place(&self, number: i64, follows: bool) -> Place {
        let place = match self.few {
            Some(few) => few.partition_point(|other| *other < number),
            None => number.abs_diff(self.chart.lowest()) as usize,
        };
        2 * place + usize::from(follows)
    }

    fn number(&self, place: Place) -> i64 {
        self.few.map_or_else(|| self.chart.lowest() + (place / 2) as i64, |few| few[place / 2])
    }

    /// The nodes after a node; `None` if it's the follower's turn and the idea gives no move.
    fn goes_on_to(&self, place: Place) -> Option<Vec<Place>> {
        let (number, follows) = (self.number(place), place % 2 == 1);
        let leads = moves(self.chart.rulebook(), number);
        if follows && leads.contains(&AfterMove::Over(Value::Win)) {
            return Some(vec![]);
        }
        let fits =
            |number: i64| !follows || self.idea.speaks_of(number) && self.chart.is_stone(i128::from(number));
        let on = leads.into_iter().filter_map(|next| match next {
            AfterMove::On(number) if fits(number) => Some(self.place(number, !follows)),
            _ => None,
        });
        let on: Vec<Place> = on.collect();
        (!follows || !on.is_empty()).then_some(on)
    }

    /// Follows the idea from the opening: a depth-first search finds the reachable nodes, then a topological sort
    /// finds cycles.
    pub(super) fn follow(&self, starter: bool, budget: &mut Budget<'_>) -> Result<Followed, Unsolved> {
        let rulebook = self.chart.rulebook();
        let opening = self.place(rulebook.start().0, starter);
        let all = || self.chart.highest().abs_diff(self.chart.lowest()) as usize + 1;
        let numbers = self.few.map_or_else(all, <[i64]>::len);
        if rulebook.goes_one_way() {
            return self.follow_one_way(opening, 2 * numbers, budget);
        }
        // Per node: its in-degree, a reached flag, and room on the stack.
        let each = size_of::<u32>() + size_of::<bool>() + 2 * size_of::<Place>();
        budget.require(0, 2 * numbers as u128, each as u64)?;
        let mut in_degree = vec![0_u32; 2 * numbers];
        let mut reached = vec![false; 2 * numbers];
        reached[opening] = true;
        let mut to_do = vec![opening];
        let mut found = 0;
        while let Some(place) = to_do.pop() {
            found += 1;
            budget.ask(found, PATIENCE, None)?;
            let Some(on) = self.goes_on_to(place) else { return Ok(Followed::Stops) };
            for next in on {
                in_degree[next] += 1;
                if !std::mem::replace(&mut reached[next], true) {
                    to_do.push(next);
                }
            }
        }
        // Repeatedly removes nodes without predecessors. Only cycles and the nodes after them remain.
        to_do.extend((in_degree[opening] == 0).then_some(opening));
        let mut removed = 0;
        while let Some(place) = to_do.pop() {
            removed += 1;
            budget.ask(removed, PATIENCE, Some(found))?;
            for next in self.goes_on_to(place).into_iter().flatten() {
                in_degree[next] -= 1;
                if in_degree[next] == 0 {
                    to_do.push(next);
                }
            }
        }
        Ok(if removed < found { Followed::Cycles } else { Followed::Wins })
    }

    /// The same if numbers only go one way. There are no cycles, so one bit per node is enough.
    fn follow_one_way(
        &self,
        opening: Place,
        places: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Followed, Unsolved> {
        let words = places.div_ceil(64);
        budget.require(0, words as u128, size_of::<u64>() as u64)?;
        let mut reached = vec![0_u64; words];
        reached[opening / 64] |= 1 << (opening % 64);
        let up = opening < 2; // the start is the lowest number
        for step in 0..places {
            budget.ask(step as u64, PATIENCE, Some(places as u64))?;
            let place = if up { step } else { places - 1 - step };
            if reached[place / 64] & 1 << (place % 64) == 0 {
                continue;
            }
            let Some(on) = self.goes_on_to(place) else { return Ok(Followed::Stops) };
            for next in on {
                reached[next / 64] |= 1 << (next % 64);
            }
        }
        Ok(Followed::Wins)
    }
}
