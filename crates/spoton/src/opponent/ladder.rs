//! The opponents in order for the game at hand, by exact chances.

use super::Opponent;
use crate::chances::{NoOdds, Odds, odds};
use crate::position::{ByPlayer, Player};
use crate::rulebook::Rulebook;
use crate::solver::{Budget, Solver};

/// The ladder of a game, from the gentlest rung to the strongest.
pub struct Ladder {
    /// The rungs in order.
    pub rungs: Vec<Rung>,
}

/// Opponents that play alike in a game, and how they fare.
pub struct Rung {
    /// Who stands here; more than one where they play alike.
    pub opponents: Vec<Opponent>,
    /// What they can expect in a round against each of the other rungs, both seats taken together: from 0 to 1.
    pub strength: f64,
}

/// A game with fewer rungs has too few choices for levels.
pub const LEAST_RUNGS: usize = 3;

impl Ladder {
    /// Works the ladder of a game out.
    ///
    /// # Errors
    ///
    /// Where that takes more than the budget.
    pub fn of(rulebook: &Rulebook, solver: &Solver, budget: &mut Budget<'_>) -> Result<Ladder, NoOdds> {
        let people: Vec<Opponent> = Opponent::for_people().collect();
        let mut table = Vec::new();
        for one in &people {
            let mut row = Vec::new();
            for two in &people {
                row.push(both_seats(rulebook, *one, *two, solver, budget)?);
            }
            table.push(row);
        }
        // Opponents who fare the same against everybody, each other included, play alike.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for index in 0..people.len() {
            let alike =
                |other: usize| table[index].iter().zip(&table[other]).all(|(a, b)| (a - b).abs() < 1e-9);
            match groups.iter_mut().find(|group| alike(group[0])) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let strength = |group: &[usize]| {
            let others = groups.iter().filter(|other| other[0] != group[0]);
            let points: Vec<f64> = others.map(|other| table[group[0]][other[0]]).collect();
            points.iter().sum::<f64>() / points.len().max(1) as f64
        };
        let rung = |group: &Vec<usize>| Rung {
            opponents: group.iter().map(|index| people[*index]).collect(),
            strength: strength(group),
        };
        let mut rungs: Vec<Rung> = groups.iter().map(rung).collect();
        rungs.sort_by(|a, b| a.strength.total_cmp(&b.strength));
        Ok(Ladder { rungs })
    }

    /// Whether there are enough rungs to speak of levels.
    pub fn has_levels(&self) -> bool {
        self.rungs.len() >= LEAST_RUNGS
    }
}

/// What the first can expect against the second, sitting in either seat as often.
fn both_seats(
    rulebook: &Rulebook,
    one: Opponent,
    two: Opponent,
    solver: &Solver,
    budget: &mut Budget<'_>,
) -> Result<f64, NoOdds> {
    let players = ByPlayer([one, two]);
    let mut points = 0.0;
    for first in Player::BOTH {
        let odds: Odds = odds(rulebook, &players, first, Some(solver), budget)?;
        points += odds.points(Player::One) / 2.0;
    }
    Ok(points)
}
