//! The numbers that play can land on, if the number alone decides.

use crate::engine::play::Outcome;
use crate::engine::written::Written;
use crate::solver::chart::{Chart, position_at};
use crate::solver::reachable::Reachable;

/// The result of landing on a number, if play can reach it.
pub(crate) struct Landings<'a> {
    pub(crate) chart: &'a Chart,
    pub(crate) reachable: &'a Reachable,
}

impl Landings<'_> {
    /// A superset of the numbers where a player can move.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i64> {
        let few = self.reachable.list();
        let all = few.is_none().then(|| self.chart.lowest()..=self.chart.highest());
        all.into_iter().flatten().chain(few.into_iter().flatten().copied())
    }

    /// Whether any move in any round leaves the opponent at this number, to move or stuck.
    pub(crate) fn leaves(&self, number: i64) -> bool {
        self.chart.rulebook().goes_on_at(number.into()) && self.can_land_on(number)
    }

    /// The outcome if a player is stuck at a number; `None` if the round continues.
    pub(crate) fn stuck_at(&self, number: i64) -> Option<Outcome> {
        let rulebook = self.chart.rulebook();
        rulebook.over_at(&position_at(rulebook, number)?)
    }

    /// Whether any move in any round lands on a number, with any result.
    pub(crate) fn can_land_on(&self, number: i64) -> bool {
        let (chart, rulebook) = (self.chart, self.chart.rulebook());
        let (start, _) = rulebook.start();
        let is_charted = |number: i64| (chart.lowest()..=chart.highest()).contains(&number);
        // At the start, it's a player's turn even if no move lands there.
        if is_charted(number) && number != start {
            return self.reachable.on_turn(number) || self.reachable.ends(number);
        }
        let lands = |from: i64, written: Written| {
            let choice = rulebook.choice(written)?;
            rulebook.result(&position_at(rulebook, from)?, choice).ok()
        };
        let mut ways = rulebook.ways_to(number);
        ways.any(|(from, written)| {
            is_charted(from) && self.reachable.on_turn(from) && lands(from, written) == Some(number.into())
        })
    }
}
