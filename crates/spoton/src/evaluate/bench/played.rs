//! A player's recorded rounds, grouped by game for a score.

use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::evaluate::arena::Meeting;
use crate::evaluate::opponent::Opponent;
use crate::format::shown;
use crate::records::Record;
use crate::solved::SolvedGame;
use crate::solver::{Budget, Unsolved};
use crate::teach::review::Review;

/// A record, its round and its review.
pub type Reviewed = (Record, Round, Review);

/// A player's rounds against one computer opponent.
#[derive(Clone, Debug)]
pub struct Played {
    /// The opponent.
    pub opponent: Opponent,
    /// The games, in order of first appearance.
    pub games: Vec<PlayedGame>,
}

/// A player's rounds of one game, from one side of the table.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The side of the table. Not the seat: who goes first may change from round to round.
    pub player: Player,
    /// The rounds. Never empty.
    pub rounds: Vec<Reviewed>,
}

/// The reason rounds have no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoScore {
    /// There are no rounds.
    #[error("no rounds to score: give at least one record")]
    NoRounds,
    /// The player isn't in one of the rounds, or is both players.
    #[error(
        "exactly one of the players must be {}; this round is {} against {}",
        shown(.player), shown(&.players.0[0]), shown(&.players.0[1])
    )]
    NotThere {
        /// The player to score.
        player: String,
        /// The players of the round.
        players: ByPlayer<String>,
    },
    /// The record doesn't name the computer opponent.
    #[error(
        "{} played against {}, which isn't the name of a computer opponent; name the opponent, because the score depends on it",
        shown(.player), shown(.met)
    )]
    Unknown {
        /// The player to score.
        player: String,
        /// The opponent's name.
        met: String,
    },
    /// The opponent was an outside program.
    #[error("{} played against {}: only rounds against Spot On's computer opponents have a score", shown(.player), shown(.met))]
    Program {
        /// The player to score.
        player: String,
        /// The program.
        met: String,
    },
    /// The opponent wasn't the one named.
    #[error("{} played against {met}, not {said}", shown(.player))]
    Another {
        /// The player to score.
        player: String,
        /// The actual opponent.
        met: Opponent,
        /// The expected opponent.
        said: Opponent,
    },
    /// There were several opponents.
    #[error("{} played against {one} and {other}: score each opponent separately", shown(.player))]
    Several {
        /// The player to score.
        player: String,
        /// The first opponent.
        one: Opponent,
        /// The later opponent.
        other: Opponent,
    },
}

impl Played {
    /// Groups a player's rounds. The records name the opponent, in a tag or as a computer opponent's name. If they
    /// don't, `against` names it.
    ///
    /// # Errors
    ///
    /// If there are no rounds, if the player isn't in one of them, or if the opponent is unknown or varies.
    pub fn from_reviews(
        player: &str,
        against: Option<Opponent>,
        rounds: impl IntoIterator<Item = Reviewed>,
    ) -> Result<Played, NoScore> {
        let mut opponent = against;
        let mut games: Vec<(String, PlayedGame)> = Vec::new();
        for reviewed in rounds {
            let (record, round, _) = &reviewed;
            let side = side(record, player)?;
            let met = match met(record, player, !side)? {
                Some(met) => met,
                None => against.ok_or_else(|| NoScore::Unknown {
                    player: player.to_owned(),
                    met: record.players[!side].clone(),
                })?,
            };
            let one = *opponent.get_or_insert(met);
            if one != met {
                let player = player.to_owned();
                return Err(match against {
                    Some(said) => NoScore::Another { player, met, said },
                    None => NoScore::Several { player, one, other: met },
                });
            }
            // Settings and variants count as separate games.
            let Record { rulebook, variant, settings, .. } = record;
            let game = format!("{rulebook} {variant:?} {settings:?} {}", round.rulebook().whole_line());
            match games.iter_mut().find(|(known, played)| *known == game && played.player == side) {
                Some((_, played)) => played.rounds.push(reviewed),
                None => games.push((game, PlayedGame { player: side, rounds: vec![reviewed] })),
            }
        }
        let games: Vec<PlayedGame> = games.into_iter().map(|(_, played)| played).collect();
        match opponent {
            Some(opponent) if !games.is_empty() => Ok(Played { opponent, games }),
            _ => Err(NoScore::NoRounds),
        }
    }
}

impl PlayedGame {
    /// The player's results in the game against this opponent, compared with perfect play and guessing.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub fn meeting(
        &self,
        opponent: Opponent,
        game: &SolvedGame,
        budget: &mut Budget<'_>,
    ) -> Result<Meeting, Unsolved> {
        let mut players = ByPlayer([None; 2]);
        players[!self.player] = Some(opponent);
        let mut meeting = Meeting::measured(game, &players, self.player, budget)?;
        for (record, round, review) in &self.rounds {
            meeting.summary.count(record, round, Some(review));
        }
        Ok(meeting)
    }
}

/// The side of the table a player had.
fn side(record: &Record, player: &str) -> Result<Player, NoScore> {
    match record.players.0.each_ref().map(|name| name == player) {
        [true, false] => Ok(Player::One),
        [false, true] => Ok(Player::Two),
        _ => Err(NoScore::NotThere { player: player.to_owned(), players: record.players.clone() }),
    }
}

/// The computer opponent on a side of the table; `None` if the record doesn't name it.
fn met(record: &Record, player: &str, side: Player) -> Result<Option<Opponent>, NoScore> {
    match &record.computers[side] {
        Some(computer) => match Opponent::parse(computer) {
            Ok(opponent) => Ok(Some(opponent)),
            Err(_) => Err(NoScore::Program { player: player.to_owned(), met: computer.clone() }),
        },
        None => Ok(Opponent::parse(&record.players[side]).ok()),
    }
}
