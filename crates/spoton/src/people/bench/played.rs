//! Rounds of a player that were played anywhere, sorted for a score: whom the player met, and at which games.

use crate::engine::position::{ByPlayer, Player};
use crate::engine::round::Round;
use crate::format::shown;
use crate::people::arena::Meeting;
use crate::people::opponent::Opponent;
use crate::people::review::Review;
use crate::people::solved_game::SolvedGame;
use crate::records::Record;
use crate::solver::{Budget, Unsolved};

/// A record, its round, and what looking back on it found.
pub type Reviewed = (Record, Round, Review);

/// The rounds of a player against one computer player.
#[derive(Clone, Debug)]
pub struct Played {
    /// Whom the player met.
    pub opponent: Opponent,
    /// The games, in the order in which they came up.
    pub games: Vec<PlayedGame>,
}

/// The rounds of a player at one game, from one side of the table.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The side of the table. The seat is another matter: who goes first may change from round to round.
    pub player: Player,
    /// The rounds; there is at least one.
    pub rounds: Vec<Reviewed>,
}

/// Why rounds have no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoScore {
    /// There are none.
    #[error("there is no round to be scored: no record was given")]
    NoRounds,
    /// The player did not play one of them, or is both players.
    #[error(
        "one of the players has to be {}; this round is {} against {}",
        shown(.player), shown(&.players.0[0]), shown(&.players.0[1])
    )]
    NotThere {
        /// Who was to be scored.
        player: String,
        /// Who played.
        players: ByPlayer<String>,
    },
    /// The record does not say which computer player it was.
    #[error(
        "{} met {}, which is not the name of a computer player: what perfect play would win depends on who it was, so say that",
        shown(.player), shown(.met)
    )]
    Unknown {
        /// Who was to be scored.
        player: String,
        /// What the other player is called.
        met: String,
    },
    /// It was a program.
    #[error("{} met {}: what perfect play would win is only known against a computer player of Spot On", shown(.player), shown(.met))]
    Program {
        /// Who was to be scored.
        player: String,
        /// What it was.
        met: String,
    },
    /// It was another one than was said.
    #[error("{} met {met}, and not {said}", shown(.player))]
    Another {
        /// Who was to be scored.
        player: String,
        /// Who was met.
        met: Opponent,
        /// Who was said to be.
        said: Opponent,
    },
    /// There were several.
    #[error("{} met {one} and {other}: score the rounds against each of them apart", shown(.player))]
    Several {
        /// Who was to be scored.
        player: String,
        /// Who was met first.
        one: Opponent,
        /// Who was met later.
        other: Opponent,
    },
}

impl Played {
    /// Sorts the rounds of a player. Whom the player met, the records say: by their tag or else by a name that is a
    /// computer player's. Where they do not, `against` does.
    ///
    /// # Errors
    ///
    /// If there is no round, the player was not there, or it is not one known opponent that was met in all of them.
    pub fn of(
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
            // Settings and variants make games of their own.
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
    /// What perfect play and guessing would win at the game against this opponent, beside what was got.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget, or the caller does not want to go on.
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

/// On which side of the table a player sat.
fn side(record: &Record, player: &str) -> Result<Player, NoScore> {
    match record.players.0.each_ref().map(|name| name == player) {
        [true, false] => Ok(Player::One),
        [false, true] => Ok(Player::Two),
        _ => Err(NoScore::NotThere { player: player.to_owned(), players: record.players.clone() }),
    }
}

/// The computer player on a side of the table; `None` if the record does not tell.
fn met(record: &Record, player: &str, side: Player) -> Result<Option<Opponent>, NoScore> {
    match &record.computers[side] {
        Some(computer) => match Opponent::parse(computer) {
            Ok(opponent) => Ok(Some(opponent)),
            Err(_) => Err(NoScore::Program { player: player.to_owned(), met: computer.clone() }),
        },
        None => Ok(Opponent::parse(&record.players[side]).ok()),
    }
}
