//! On which numbers play can land, in a game in which the number alone decides.

use crate::engine::play::Outcome;
use crate::engine::written::Written;
use crate::solver::chart::{Chart, position_at};
use crate::solver::coming_up::ComingUp;

/// What comes of landing on a number, if play can lead there at all.
pub(super) struct Landings<'a> {
    pub(super) chart: &'a Chart,
    pub(super) coming_up: &'a ComingUp,
}

impl Landings<'_> {
    /// The numbers at which somebody can be on turn, and perhaps others.
    pub(super) fn numbers(&self) -> impl Iterator<Item = i64> {
        let few = self.coming_up.list();
        let all = few.is_none().then(|| self.chart.lowest()..=self.chart.highest());
        all.into_iter().flatten().chain(few.into_iter().flatten().copied())
    }

    /// Whether some move of some round leaves the other player at this number, on turn or stuck.
    pub(super) fn leaves(&self, number: i64) -> bool {
        self.chart.rulebook().goes_on_at(number.into()) && self.can_land_on(number)
    }

    /// How the round ends if a player is stuck at a number; `None` if it goes on there.
    pub(super) fn stuck_at(&self, number: i64) -> Option<Outcome> {
        let rulebook = self.chart.rulebook();
        rulebook.over_at(&position_at(rulebook, number)?)
    }

    /// Whether some move of some round lands on a number, whatever comes of it.
    pub(super) fn can_land_on(&self, number: i64) -> bool {
        let (chart, rulebook) = (self.chart, self.chart.rulebook());
        let (start, _) = rulebook.start();
        let is_charted = |number: i64| (chart.lowest()..=chart.highest()).contains(&number);
        // Whoever begins is on turn at the start, though nothing may have landed there.
        if is_charted(number) && number != start {
            return self.coming_up.on_turn(number) || self.coming_up.ends(number);
        }
        let lands = |from: i64, written: Written| {
            let choice = rulebook.choice(written)?;
            rulebook.result(&position_at(rulebook, from)?, choice).ok()
        };
        let mut ways = rulebook.ways_to(number);
        ways.any(|(from, written)| {
            is_charted(from) && self.coming_up.on_turn(from) && lands(from, written) == Some(number.into())
        })
    }
}
