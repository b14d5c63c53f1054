//! Computer opponents, and their odds against each other.

use serde::Serialize;

use super::Chosen;
use crate::engine::position::Player;
use crate::evaluate::opponent::{self, Table};
use crate::format::Game;

/// A computer opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opponent {
    /// Its id: `pip`.
    pub opponent: String,
    /// Its name: `Pip`.
    pub name: &'static str,
    /// How it plays.
    pub habit: String,
    /// Whether it's a reference player, which never changes.
    pub reference: bool,
}

/// The list of opponents.
pub fn opponents() -> Vec<Opponent> {
    opponent::Opponent::all().map(opponent).collect()
}

/// A computer opponent.
pub fn opponent(opponent: opponent::Opponent) -> Opponent {
    Opponent {
        opponent: opponent.to_string(),
        name: opponent.title(),
        habit: opponent.habit().into_owned(),
        reference: opponent.is_reference(),
    }
}

/// A game's ladder with the odds for every pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Odds {
    /// The game.
    #[serde(flatten)]
    pub chosen: Chosen,
    /// The ladder.
    #[serde(flatten)]
    pub ladder: Ladder,
}

/// A ladder's rungs and the reference players, each with its odds against all the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ladder {
    /// Whether the opponents differ enough in strength to form levels.
    pub levels: bool,
    /// The opponents for people, weakest first. Equally strong ones share a rung.
    pub rungs: Vec<LadderRow>,
    /// The reference players.
    pub references: Vec<LadderRow>,
}

/// Opponents of the same strength.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LadderRow {
    /// Their ids.
    pub opponents: Vec<String>,
    /// Their expected points per round against the other rungs, from 0 to 1; `null` for reference players.
    pub strength: Option<f64>,
    /// Their odds when they go first.
    pub going_first_against: Vec<PairOdds>,
}

/// The odds against an opponent who goes second.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairOdds {
    /// The opponent's id.
    pub second: String,
    /// The probability that the starter wins.
    pub first_wins: f64,
    /// The probability that the opponent wins.
    pub second_wins: f64,
    /// The probability of a draw.
    pub drawn: f64,
}

/// A game's ladder with the odds for every pair.
pub fn odds(game: &Game, table: &Table) -> Odds {
    Odds { chosen: Chosen::new(game), ladder: ladder(table) }
}

pub(super) fn ladder(table: &Table) -> Ladder {
    let against = |row: usize| {
        let pairs = table.rows().iter().enumerate().map(|(column, other)| {
            let odds = table.odds(row, column);
            PairOdds {
                second: other[0].to_string(),
                first_wins: odds.wins[Player::One],
                second_wins: odds.wins[Player::Two],
                drawn: odds.drawn(),
            }
        });
        pairs.collect()
    };
    let ladder = table.ladder();
    let row = |(index, opponents): (usize, &Vec<opponent::Opponent>)| LadderRow {
        opponents: opponents.iter().map(ToString::to_string).collect(),
        strength: ladder.rungs.get(index).map(|rung| rung.strength),
        going_first_against: against(index),
    };
    let mut rungs: Vec<LadderRow> = table.rows().iter().enumerate().map(row).collect();
    let references = rungs.split_off(ladder.rungs.len());
    Ladder { levels: ladder.has_levels(), rungs, references }
}
