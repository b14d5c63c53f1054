//! Two players against each other in a game, rounds on end: what is known exactly, and what was played.

use super::chances::Odds;
use super::opponent::Opponent;
use super::solved_game::SolvedGame;
use super::summary::Summary;
use crate::engine::position::{ByPlayer, Player};
use crate::solver::{Budget, Unsolved};

/// Who plays: somebody whose every chance is known, or a program from outside.
pub type Contestant = Option<Opponent>;

/// How two players fare in a game.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Their exact odds, by who goes first; `None` if one of them is a program.
    pub exact: Option<ByPlayer<Odds>>,
    /// How the reference players would fare in a program's place.
    pub in_its_place: Vec<InItsPlace>,
    /// What was played.
    pub summary: Summary,
}

/// How a reference player would fare in the place of a program.
#[derive(Clone, Copy, Debug)]
pub struct InItsPlace {
    /// The seat of the program.
    pub player: Player,
    /// Who sits there instead.
    pub opponent: Opponent,
    /// The odds, by who goes first.
    pub odds: ByPlayer<Odds>,
}

impl Meeting {
    /// All that is known of two players before a round is played.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
    pub fn known(
        game: &SolvedGame,
        players: &ByPlayer<Contestant>,
        budget: &mut Budget<'_>,
    ) -> Result<Meeting, Unsolved> {
        let mut meeting = Meeting::default();
        match players.0 {
            [Some(one), Some(two)] => meeting.exact = Some(game.odds(&ByPlayer([one, two]), budget)?),
            [None, None] => {}
            [one, two] => {
                let player = if one.is_none() { Player::One } else { Player::Two };
                for opponent in Opponent::references() {
                    let seated = ByPlayer([one.unwrap_or(opponent), two.unwrap_or(opponent)]);
                    let odds = game.odds(&seated, budget)?;
                    meeting.in_its_place.push(InItsPlace { player, opponent, odds });
                }
            }
        }
        Ok(meeting)
    }
}
