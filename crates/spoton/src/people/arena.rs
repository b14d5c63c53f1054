//! Two players against each other in a game, rounds on end: what is known exactly, and what was played.

use super::chances::Odds;
use super::opponent::Opponent;
use super::solved_game::SolvedGame;
use super::summary::{Line, Seat, Summary};
use crate::engine::position::{ByPlayer, Player};
use crate::solver::{Budget, Unsolved, Value};

/// Who plays: somebody whose every chance is known, or a program from outside.
pub type Contestant = Option<Opponent>;

/// How two players fare in a game.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Their exact odds, by who goes first; `None` if one of them is a program.
    pub exact: Option<ByPlayer<Odds>>,
    /// How the reference players would fare in a program's place.
    pub in_its_place: Vec<InItsPlace>,
    /// A round takes more moves than so many powers of ten if both play their best: nobody finishes it. `None` if it does
    /// not, or if that cannot be told.
    pub beyond_patience: Option<u32>,
    /// What whoever goes first can force; `None` if that is not known.
    pub opening: Option<Value>,
    /// What was played.
    pub summary: Summary,
    /// How the programs among them were asked; `None` if there are none.
    pub asked: Option<Asked>,
    /// How often each player, if it is a program, wrote something that nobody had asked for.
    pub unasked: ByPlayer<u64>,
}

/// How outside programs are asked: the switches that a result depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// How often they are asked again on a turn.
    pub tries: u32,
    /// Whether they are told which moves are legal.
    pub legal_list: bool,
    /// Whether they are sent a prompt for a language model.
    pub prompt: bool,
    /// The seed of the story that the game is told as, if it is.
    pub disguise: Option<u64>,
    /// Which seat Player 1 has: `first`, `second` or `both`.
    pub seat: &'static str,
}

/// How a player did from a seat, beside what perfect play and guessing would get there: never one number alone.
#[derive(Clone, Copy, Debug)]
pub struct SeatResult<'a> {
    /// Who it is.
    pub player: Player,
    /// Whether the other player had the first turn.
    pub second: bool,
    /// What the seat is worth if both play perfectly.
    pub value: Option<Value>,
    /// How a perfect player would fare there against the same opponent, exactly.
    pub perfect: Option<Odds>,
    /// How the careful guesser would, exactly.
    pub careful: Option<Odds>,
    /// How this player would, exactly, if its every chance is known.
    pub exact: Option<Odds>,
    /// What it got.
    pub got: Option<&'a Line>,
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
        let opening = game.rulebook().opening(Player::One);
        let value = game.solver(budget)?.verdict(&opening).map(|verdict| verdict.value);
        let mut meeting = Meeting { opening: value, ..Meeting::default() };
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

    /// All that is known of a player who is measured, before a round is played: how the reference players would fare in
    /// its place, whoever it is, and its own odds if its every chance is known.
    ///
    /// # Errors
    ///
    /// As for [`Meeting::known`].
    pub fn measured(
        game: &SolvedGame,
        players: &ByPlayer<Contestant>,
        measured: Player,
        budget: &mut Budget<'_>,
    ) -> Result<Meeting, Unsolved> {
        let mut in_its_place = *players;
        in_its_place[measured] = None;
        let mut meeting = Meeting::known(game, &in_its_place, budget)?;
        if let [Some(one), Some(two)] = players.0 {
            meeting.exact = Some(game.odds(&ByPlayer([one, two]), budget)?);
        }
        Ok(meeting)
    }

    /// What each player got from each seat that they had, or would have, beside what perfect play and guessing would get. `names` are
    /// those that the rounds were counted under.
    pub fn seats(&self, names: &ByPlayer<String>) -> Vec<SeatResult<'_>> {
        let of = |player: Player, second: bool| {
            let first = if second { !player } else { player };
            let reference = |opponent: Opponent| {
                let fits = |place: &&InItsPlace| place.player == player && place.opponent == opponent;
                self.in_its_place.iter().find(fits).map(|place| place.odds[first])
            };
            let [_, careful, perfect] = Opponent::references().map(reference);
            let counted = |(seat, _): &(&Seat, &Line)| seat.player == names[player] && seat.second == second;
            SeatResult {
                player,
                second,
                value: self.opening.map(|value| if second { !value } else { value }),
                perfect,
                careful,
                exact: self.exact.map(|exact| exact[first]),
                got: self.summary.lines().find(counted).map(|(_, line)| line),
            }
        };
        let all = Player::BOTH.into_iter().flat_map(|player| [false, true].map(|second| of(player, second)));
        all.filter(|seat| seat.got.is_some() || seat.exact.is_some() || seat.perfect.is_some()).collect()
    }
}
