//! Tests a book's claims over every line of play.

use super::{Figures, ReferenceOdds};
use crate::engine::position::Player;
use crate::format::Claim;
use crate::solved::lines::Lines;

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct TestedClaim {
    /// The claim.
    pub claim: Claim,
    /// Whether it's true.
    pub holds: bool,
    /// The counterexample, if the claim is false.
    pub against: Option<Against>,
}

/// The evidence against a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// A line of moves, in notation.
    Line(String),
    /// An endless line, cut at the first repetition.
    Endless(String),
    /// The figure itself.
    Figure(f64),
}

/// In a game of skill, perfect play beats random play more often than this.
const SKILL: f64 = 0.75;
/// Odds of exactly 75% may be computed as slightly more.
const ROUNDING: f64 = 1e-9;

pub(super) fn test(lines: &Lines, figures: &Figures, odds: &ReferenceOdds) -> Vec<TestedClaim> {
    let line = |line: Vec<_>| Against::Line(lines.write(&line));
    let endless = || lines.endless_line().map(|line| Against::Endless(lines.write(&line)));
    // If neither player can force a win, even best play may never end.
    let best = || match figures.winner().is_none() && !figures.always_ends {
        true => Against::Endless(lines.write(&lines.best_line())),
        false => line(lines.best_line()),
    };
    let test = |claim: Claim| {
        let (holds, against): (bool, &dyn Fn() -> Option<Against>) = match claim {
            Claim::Ends => (figures.always_ends, &endless),
            Claim::NoDraws => (!figures.can_draw, &|| lines.line_to_a_drawn_end().map(line).or_else(endless)),
            Claim::SkillWins => (odds.skill() - SKILL > ROUNDING, &|| Some(Against::Figure(odds.skill()))),
            Claim::FirstWins => (figures.winner() == Some(Player::One), &|| Some(best())),
            Claim::SecondWins => (figures.winner() == Some(Player::Two), &|| Some(best())),
            Claim::MovesAtMost(most) => {
                (figures.longest.is_some_and(|longest| longest <= most), &move || match lines.longest() {
                    Some(longest) => Some(line(lines.long_line(&longest, most + 1))),
                    None => endless(),
                })
            }
            Claim::SubtleAtLeast(least) => {
                (figures.subtle >= least, &|| Some(Against::Figure(figures.subtle as f64)))
            }
        };
        TestedClaim { claim, holds, against: if holds { None } else { against() } }
    };
    lines.rulebook().claims().iter().map(|claim| test(*claim)).collect()
}
