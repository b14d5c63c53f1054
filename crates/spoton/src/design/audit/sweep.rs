//! A sweep over targets: who wins at each one, and whether the winners form a pattern.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::always::always;
use super::one_line::Pick;
use crate::engine::position::Player;
use crate::format::Game;
use crate::solver::{Budget, Solver, Unsolved, Verdict};

/// The winner at each target.
pub struct Sweep {
    /// The playable targets, each with the best result the starter can force.
    pub targets: Vec<(i64, Verdict)>,
    /// The unplayable targets.
    pub unplayable: Vec<i64>,
    /// The moves that always win from the winning seat when repeated, with their targets.
    pub always: Vec<(Pick, Player, Vec<i64>)>,
}

/// The winners' pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The same result at every target: this player wins, or neither.
    Always(Option<Player>),
    /// The winner depends on the target's remainder.
    Rests {
        /// The divisor.
        divisor: i64,
        /// The winner by remainder, starting at 0.
        winners: Vec<Option<Player>>,
    },
    /// No pattern.
    None,
}

/// The minimum number of times a pattern must repeat within a sweep.
const OFTEN: usize = 3;

impl Sweep {
    /// Sweeps over targets.
    ///
    /// # Errors
    ///
    /// If a target exceeds the budget or the caller cancels.
    pub fn over_targets(
        game: &Game,
        targets: RangeInclusive<i64>,
        budget: &mut Budget<'_>,
    ) -> Result<Sweep, Unsolved> {
        let mut sweep = Sweep { targets: vec![], unplayable: vec![], always: vec![] };
        let count = targets.end().abs_diff(*targets.start()).saturating_add(1);
        // The memory that the final list needs.
        budget.require(0, u128::from(count), 64)?;
        for (done, target) in (1..).zip(targets) {
            budget.ask_now(done, Some(count))?;
            let Some(rulebook) = game.with_target(target).ok().filter(|book| book.unplayable().is_none())
            else {
                sweep.unplayable.push(target);
                continue;
            };
            let solver = Solver::new(Arc::new(rulebook), budget)?;
            // Invariant: the opening is solved.
            let opening = solver.verdict(&solver.rulebook().opening(Player::One)).unwrap_or(Verdict::DRAW);
            sweep.targets.push((target, opening));
            let Some(winner) = opening.value.winner(Player::One) else { continue };
            let picks = budget.beside(solver.bytes(), |budget| always(&solver, winner, budget))?;
            for pick in picks {
                let known =
                    sweep.always.iter_mut().find(|(known, seat, _)| (*known, *seat) == (pick, winner));
                match known {
                    Some((_, _, targets)) => targets.push(target),
                    None => sweep.always.push((pick, winner, vec![target])),
                }
            }
        }
        Ok(sweep)
    }

    /// The targets at which a player wins; with `None`, those at which neither does.
    pub fn won_by(&self, winner: Option<Player>) -> Vec<i64> {
        let won = self.targets.iter().filter(|(_, verdict)| verdict.value.winner(Player::One) == winner);
        won.map(|(target, _)| *target).collect()
    }

    /// The winners' pattern, if it holds at every swept target.
    pub fn pattern(&self) -> Pattern {
        let winners =
            || self.targets.iter().map(|(target, verdict)| (*target, verdict.value.winner(Player::One)));
        match rests(winners()) {
            Some((1, winners)) => Pattern::Always(winners.first().copied().flatten()),
            Some((divisor, winners)) => Pattern::Rests { divisor, winners },
            None => Pattern::None,
        }
    }

    /// The remainders that describe exactly the given targets among all swept ones.
    pub(crate) fn rests_of(&self, some: &[i64]) -> Option<(i64, Vec<i64>)> {
        let is_one = self.targets.iter().map(|(target, _)| (*target, some.contains(target)));
        let (divisor, is_one) = rests(is_one)?;
        Some((divisor, (0..divisor).filter(|rest| is_one[*rest as usize]).collect()))
    }
}

/// The smallest divisor whose remainders determine the items, with the item for each remainder. `None` if no pattern
/// repeats often enough.
fn rests<T: Copy + PartialEq>(items: impl Iterator<Item = (i64, T)>) -> Option<(i64, Vec<T>)> {
    let items: Vec<(i64, T)> = items.collect();
    let most = items.len() / OFTEN;
    (1..=most.max(1)).find_map(|divisor| {
        let mut found: Vec<Option<T>> = vec![None; divisor];
        for (number, item) in &items {
            let rest = number.rem_euclid(divisor as i64) as usize;
            if *found[rest].get_or_insert(*item) != *item {
                return None;
            }
        }
        Some((divisor as i64, found.into_iter().collect::<Option<Vec<T>>>()?))
    })
}
