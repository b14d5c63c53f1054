//! Compares two players over many rounds of a game: exact odds and played results.

use crate::engine::position::{ByPlayer, Player};
use crate::evaluate::chances::Odds;
use crate::evaluate::opponent::Opponent;
use crate::evaluate::summary::{Line, Seat, Summary};
use crate::solved::SolvedGame;
use crate::solver::{Budget, Unsolved, Value};

/// A contestant: a computer opponent with known odds, or `None` for an outside program.
pub type Contestant = Option<Opponent>;

/// Two players' results in a game.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Their exact odds, by who goes first. `None` if either is a program.
    pub exact: Option<ByPlayer<Odds>>,
    /// The reference players' odds in each program's place.
    pub in_its_place: Vec<InItsPlace>,
    /// The length of a round under best play as a power of ten, if it's too long for anyone to finish. `None` if it
    /// isn't, or is unknown.
    pub beyond_patience: Option<u32>,
    /// The best result the starter can force; `None` if unknown.
    pub opening: Option<Value>,
    /// The played results.
    pub summary: Summary,
    /// How the programs were prompted; `None` if there are none.
    pub asked: Option<PromptOptions>,
    /// Per player, if it's a program: how often it wrote unrequested output.
    pub unasked: ByPlayer<u64>,
}

/// The prompting options that affect a program's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptOptions {
    /// The attempts per turn.
    pub tries: u32,
    /// Whether programs get the list of legal moves.
    pub legal_list: bool,
    /// Whether programs get a language-model prompt.
    pub prompt: bool,
    /// The seed of the disguising story, if any.
    pub disguise: Option<u64>,
    /// Player 1's seat: `first`, `second` or `both`.
    pub seat: &'static str,
}

/// A player's results from a seat, compared with perfect play and guessing. Never a single number.
#[derive(Clone, Copy, Debug)]
pub struct SeatResult<'a> {
    /// The player.
    pub player: Player,
    /// Whether the player went second.
    pub second: bool,
    /// The value of the seat under perfect play.
    pub value: Option<Value>,
    /// A perfect player's exact odds from this seat against the same opponent.
    pub perfect: Option<Odds>,
    /// The careful guesser's exact odds.
    pub careful: Option<Odds>,
    /// This player's exact odds, if it's a computer opponent.
    pub exact: Option<Odds>,
    /// The played results.
    pub got: Option<&'a Line>,
}

/// A reference player's odds in a program's place.
#[derive(Clone, Copy, Debug)]
pub struct InItsPlace {
    /// The program's seat.
    pub player: Player,
    /// The reference player.
    pub opponent: Opponent,
    /// The odds, by who goes first.
    pub odds: ByPlayer<Odds>,
}

impl Meeting {
    /// Everything known about two players before they play a round.
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
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

    /// Everything known about a measured player before it plays a round: the reference players' odds in its place, and
    /// its own odds if it's a computer opponent.
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

    /// Each player's results from each seat, played or planned, compared with perfect play and guessing. `names` are
    /// the names the rounds are counted under.
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
