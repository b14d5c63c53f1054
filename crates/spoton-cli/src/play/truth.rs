//! Looking ahead while a round is played: the game is solved when somebody first asks, and remembered.

use std::cell::RefCell;
use std::sync::Arc;

use spoton::chart::Chart;
use spoton::coach::Outlook;
use spoton::round::Round;
use spoton::rulebook::Rulebook;
use spoton::solver::Solver;

use crate::failure::Failure;
use crate::solving::{MEBIBYTES, solve, with_budget};

#[derive(Default)]
pub struct Truth(RefCell<Option<Known>>);

struct Known {
    solver: Solver,
    /// Made when a pattern is first looked for.
    chart: Option<Option<Chart>>,
}

impl Truth {
    /// What the player on turn can force; nothing where the round is over.
    pub fn outlook(&self, round: &Round) -> Result<Option<Outlook>, Failure> {
        self.with(round.rulebook(), |known| {
            with_budget(MEBIBYTES, |budget| Outlook::of(round, &known.solver, budget))
        })
    }

    /// Does something with the chart of a game, where the number alone decides it.
    pub fn with_chart<T>(
        &self,
        rulebook: &Arc<Rulebook>,
        run: impl FnOnce(&Chart) -> Option<T>,
    ) -> Option<T> {
        let found = self.with(rulebook, |known| {
            let chart = known.chart.get_or_insert_with(|| {
                with_budget(MEBIBYTES, |budget| Chart::of(rulebook, budget)).unwrap_or_default()
            });
            Ok(chart.as_ref().and_then(run))
        });
        found.ok().flatten()
    }

    fn with<T>(
        &self,
        rulebook: &Arc<Rulebook>,
        run: impl FnOnce(&mut Known) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut known = self.0.borrow_mut();
        // Another round may have another target.
        if known.as_ref().is_none_or(|known| !Arc::ptr_eq(known.solver.rulebook(), rulebook)) {
            *known = Some(Known { solver: solve(Arc::clone(rulebook), MEBIBYTES)?, chart: None });
        }
        match known.as_mut() {
            Some(known) => run(known),
            None => Err(Failure::Failed("looking ahead came to nothing".to_owned())),
        }
    }
}
