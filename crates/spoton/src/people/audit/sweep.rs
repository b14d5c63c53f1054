//! A sweep over targets: who wins at each of them, and whether there is a pattern in it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::lines::Lines;
use super::one_line::{Pick, always};
use crate::engine::position::Player;
use crate::format::Game;
use crate::solver::{Budget, Solver, Unsolved, Verdict};

/// Who wins at each of some targets.
pub struct Sweep {
    /// The targets with which the game can be played, each with what the player who starts can force.
    pub targets: Vec<(i64, Verdict)>,
    /// The targets with which it cannot be played.
    pub unplayable: Vec<i64>,
    /// The moves that always win from the winning seat if they are made again and again, each with those targets.
    pub always: Vec<(Pick, Player, Vec<i64>)>,
}

/// What the winners of a sweep have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// It is the same at every target: this player, or neither.
    Always(Option<Player>),
    /// It depends on the rest that the target leaves.
    Rests {
        /// What it is divided by.
        divisor: i64,
        /// For each rest from 0 on, who wins.
        winners: Vec<Option<Player>>,
    },
    /// Neither: here are the lists.
    None,
}

/// A pattern has to come up at least so often in a sweep.
const OFTEN: usize = 3;

impl Sweep {
    /// Sweeps over targets.
    ///
    /// # Errors
    ///
    /// If one of them takes more than the budget, or the caller does not want to go on.
    pub fn of(game: &Game, targets: RangeInclusive<i64>, budget: &mut Budget<'_>) -> Result<Sweep, Unsolved> {
        let mut sweep = Sweep { targets: vec![], unplayable: vec![], always: vec![] };
        let count = targets.end().abs_diff(*targets.start()).saturating_add(1);
        // So many are listed in the end.
        budget.require(0, u128::from(count), 64)?;
        for (done, target) in (1..).zip(targets) {
            budget.ask_now(done, Some(count))?;
            let Ok(rulebook) = game.with_target(target).map(Arc::new) else {
                sweep.unplayable.push(target);
                continue;
            };
            let solver = Solver::new(rulebook, budget)?;
            let lines = budget.beside(solver.bytes(), |budget| Lines::of(&solver, budget))?;
            sweep.targets.push((target, lines.opening()));
            let Some(winner) = lines.opening().value.winner(Player::One) else { continue };
            for pick in always(&lines) {
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

    /// The targets at which a player wins, or neither does.
    pub fn won_by(&self, winner: Option<Player>) -> Vec<i64> {
        let won = self.targets.iter().filter(|(_, verdict)| verdict.value.winner(Player::One) == winner);
        won.map(|(target, _)| *target).collect()
    }

    /// The pattern of who wins, which holds at every target of the sweep.
    pub fn pattern(&self) -> Pattern {
        let winners =
            || self.targets.iter().map(|(target, verdict)| (*target, verdict.value.winner(Player::One)));
        match rests(winners()) {
            Some((1, winners)) => Pattern::Always(winners.first().copied().flatten()),
            Some((divisor, winners)) => Pattern::Rests { divisor, winners },
            None => Pattern::None,
        }
    }

    /// The rests of some of the swept targets, if these are all the targets with these rests and no other.
    pub fn rests_of(&self, some: &[i64]) -> Option<(i64, Vec<i64>)> {
        let is_one = self.targets.iter().map(|(target, _)| (*target, some.contains(target)));
        let (divisor, is_one) = rests(is_one)?;
        Some((divisor, (0..divisor).filter(|rest| is_one[*rest as usize]).collect()))
    }
}

/// The smallest divisor whose rests decide, with what each rest comes to; `None` if there is none that comes up often
/// enough to be called a pattern.
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
