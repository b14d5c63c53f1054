//! Looking ahead while a round is played: the game is solved when somebody first asks, and remembered.

use std::cell::RefCell;
use std::sync::Arc;

use spoton::engine::round::Round;
use spoton::format::Rulebook;
use spoton::people::coach::Outlook;
use spoton::people::opponent::{Chances, Opponent};
use spoton::people::review::Review;
use spoton::solver::Solver;
use spoton::solver::chart::Chart;

use crate::failure::Failure;
use crate::solving::{solve, with_budget};

pub struct Truth {
    /// What it may hold.
    mebibytes: u64,
    last: RefCell<Option<Asked>>,
}

/// The last game that was asked about.
struct Asked {
    rulebook: Arc<Rulebook>,
    /// What was found out, or why nothing could be: that is not tried again.
    known: Result<Known, String>,
}

struct Known {
    solver: Solver,
    /// Made when a pattern is first looked for.
    chart: Option<Option<Chart>>,
}

impl Truth {
    pub fn new(mebibytes: u64) -> Truth {
        Truth { mebibytes, last: RefCell::default() }
    }

    /// Looks back on a round.
    pub fn review(&self, round: &Round) -> Result<Review, Failure> {
        self.with(round.rulebook(), |known| {
            with_budget(self.mebibytes, |budget| Review::of(round, &known.solver, budget))
        })
    }

    /// What the player on turn can force; nothing where the round is over.
    pub fn outlook(&self, round: &Round) -> Result<Option<Outlook>, Failure> {
        self.with(round.rulebook(), |known| {
            with_budget(self.mebibytes, |budget| Outlook::of(round, &known.solver, budget))
        })
    }

    /// The chances of an opponent's moves here. The game is only solved for those who need that.
    pub fn chances(&self, opponent: Opponent, round: &Round) -> Result<Chances, Failure> {
        let needs_solution = || Failure::Failed("this opponent needs the game to be solved".to_owned());
        let solved = match opponent.looks_ahead() {
            true => self.outlook(round).map(Some),
            false => Ok(None),
        };
        match solved {
            Ok(Some(outlook)) => self.with(round.rulebook(), |known| {
                opponent
                    .chances_in_round(round, Some(&known.solver), outlook.as_ref())
                    .ok_or_else(needs_solution)
            }),
            Ok(None) => opponent.chances_in_round(round, None, None).ok_or_else(needs_solution),
            // Some do without it in a game that is too large.
            Err(why @ Failure::Failed(_)) => opponent.chances_in_round(round, None, None).ok_or(why),
            Err(why) => Err(why),
        }
    }

    /// Does something with the chart of a game, where the number alone decides it.
    pub fn with_chart<T>(
        &self,
        rulebook: &Arc<Rulebook>,
        run: impl FnOnce(&Chart) -> Option<T>,
    ) -> Option<T> {
        let found = self.with(rulebook, |known| {
            let chart = known.chart.get_or_insert_with(|| {
                with_budget(self.mebibytes, |budget| Chart::of(rulebook, budget)).unwrap_or_default()
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
        let mut last = self.last.borrow_mut();
        // Another round may have another target. Mostly it is the very same book, which is seen at once.
        let is_same = |asked: &Asked| Arc::ptr_eq(&asked.rulebook, rulebook) || asked.rulebook == *rulebook;
        if !last.as_ref().is_some_and(is_same) {
            let known = match solve(Arc::clone(rulebook), self.mebibytes) {
                Ok(solver) => Ok(Known { solver, chart: None }),
                Err(Failure::Failed(why)) => Err(why),
                Err(failure) => return Err(failure),
            };
            *last = Some(Asked { rulebook: Arc::clone(rulebook), known });
        }
        match last.as_mut().map(|asked| &mut asked.known) {
            Some(Ok(known)) => run(known),
            Some(Err(why)) => Err(Failure::Failed(why.clone())),
            None => Err(Failure::Failed("looking ahead came to nothing".to_owned())),
        }
    }
}
