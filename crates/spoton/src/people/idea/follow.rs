//! Following an idea: it is played out against everything that the other player might do.

use super::{Idea, PATIENCE};
use crate::engine::play::Step;
use crate::engine::position::Player;
use crate::format::Rulebook;
use crate::solver::chart::{Chart, position_at};
use crate::solver::{Budget, Unsolved, Value};

/// What a move leads to.
#[derive(PartialEq, Eq)]
pub(super) enum AfterMove {
    /// The other player is on turn at this number.
    On(i64),
    /// The round is over, and worth this to the player who moved.
    Over(Value),
}

/// What the moves from a number lead to.
pub(super) fn moves(rulebook: &Rulebook, number: i64) -> Vec<AfterMove> {
    let Some(position) = position_at(rulebook, number) else { return vec![] };
    let value = |outcome| Some(AfterMove::Over(Value::of(outcome, Player::One)));
    let next = |a_move| match rulebook.play(&position, a_move).ok()? {
        Step::Over { outcome, .. } => value(outcome),
        Step::On(next) => match rulebook.over_at(&next) {
            Some(outcome) => value(outcome),
            None => Some(AfterMove::On(next.number())),
        },
    };
    rulebook.situation(&position).moves().filter_map(next).collect()
}

/// What becomes of a player who follows an idea.
pub(super) enum Followed {
    /// Every line ends with the follower winning.
    Wins,
    /// Somewhere the idea has nothing to say.
    Stops,
    /// Some line never ends.
    Cycles,
}

/// Plays an idea out against everything: the follower wins at once if that can be done, and else leaves any of the
/// numbers; the other player does whatever they like.
pub(super) struct Follower<'a> {
    pub(super) idea: &'a Idea,
    pub(super) chart: &'a Chart,
    /// The numbers that come up, if they are few; else all of the chart are looked at.
    pub(super) few: Option<&'a [i64]>,
}

/// A number and whether the follower is on turn there, as a place in a list.
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

    /// The places that can follow a place; `None` if the follower is on turn and the idea has nothing to say.
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

    /// Follows the idea from the opening on: depth first to find the places that can come up, and then in topological
    /// order to find cycles.
    pub(super) fn follow(&self, starter: bool, budget: &mut Budget<'_>) -> Result<Followed, Unsolved> {
        let rulebook = self.chart.rulebook();
        let opening = self.place(rulebook.start().0, starter);
        let all = || self.chart.highest().abs_diff(self.chart.lowest()) as usize + 1;
        let numbers = self.few.map_or_else(all, <[i64]>::len);
        if rulebook.goes_one_way() {
            return self.follow_one_way(opening, 2 * numbers, budget);
        }
        // For each place: its in-degree, whether it can come up, and room in the stack of those still to be looked at.
        let each = size_of::<u32>() + size_of::<bool>() + 2 * size_of::<Place>();
        budget.require(0, 2 * numbers as u128, each as u64)?;
        let mut in_degree = vec![0_u32; 2 * numbers];
        let mut comes_up = vec![false; 2 * numbers];
        comes_up[opening] = true;
        let mut to_do = vec![opening];
        let mut found = 0;
        while let Some(place) = to_do.pop() {
            found += 1;
            budget.ask(found, PATIENCE, None)?;
            let Some(on) = self.goes_on_to(place) else { return Ok(Followed::Stops) };
            for next in on {
                in_degree[next] += 1;
                if !std::mem::replace(&mut comes_up[next], true) {
                    to_do.push(next);
                }
            }
        }
        // Places that nothing leads to are removed, again and again. Only cycles, and what lies behind them, are left.
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

    /// The same if numbers only go one way: there are no cycles, and a bit for each place is enough.
    fn follow_one_way(
        &self,
        opening: Place,
        places: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Followed, Unsolved> {
        let words = places.div_ceil(64);
        budget.require(0, words as u128, size_of::<u64>() as u64)?;
        let mut comes_up = vec![0_u64; words];
        comes_up[opening / 64] |= 1 << (opening % 64);
        let up = opening < 2; // the start is the lowest number
        for step in 0..places {
            budget.ask(step as u64, PATIENCE, Some(places as u64))?;
            let place = if up { step } else { places - 1 - step };
            if comes_up[place / 64] & 1 << (place % 64) == 0 {
                continue;
            }
            let Some(on) = self.goes_on_to(place) else { return Ok(Followed::Stops) };
            for next in on {
                comes_up[next / 64] |= 1 << (next % 64);
            }
        }
        Ok(Followed::Wins)
    }
}
