//! Two players over many rounds of a game.

use serde::Serialize;

use super::{About, Counts, PlayerNumber, SummaryLine, Value};
use crate::engine::position::{ByPlayer, Player};
use crate::evaluate::arena;
use crate::evaluate::chances;
use crate::format::{Game, Rulebook};
use crate::words::answer::GRAMMAR;
use crate::words::prompt;

/// Two players' results in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Meeting {
    /// The game.
    #[serde(flatten)]
    pub about: About,
    /// The range of targets, if each round draws one: `20..40`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<String>,
    /// The players.
    pub players: Vec<NamedPlayer>,
    /// Their exact odds. `null` if either is a program.
    pub exact: Option<Vec<OddsByStarter>>,
    /// The reference players' odds in a program's place.
    pub in_its_place: Vec<InItsPlace>,
    /// A number of moves that a round exceeds under best play, if it's too long for anyone to finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_play_is_longer_than: Option<u64>,
    /// The played rounds.
    pub played: Vec<SummaryLine>,
    /// Each player's results from each seat.
    pub seats: Vec<SeatResult>,
    /// How the programs were prompted; `null` if there are none.
    pub asked: Option<Prompting>,
    /// How often each player wrote unrequested output, if there are programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unasked: Option<[u64; 2]>,
}

/// A player and its name in records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedPlayer {
    /// An opponent's id, or a program's command.
    pub player: String,
    /// The name.
    pub name: String,
}

/// Both players' odds when one of them starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsByStarter {
    /// The starter.
    pub first: PlayerNumber,
    /// The probability that each player wins.
    pub wins: [f64; 2],
    /// The probability of a draw.
    pub drawn: f64,
}

/// A reference player's odds in a program's place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InItsPlace {
    /// The program's seat.
    pub in_place_of: PlayerNumber,
    /// The reference player's id.
    pub player: String,
    /// The odds.
    pub exact: Vec<OddsByStarter>,
}

/// A player's results from a seat, compared with perfect play and guessing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatResult {
    /// The player.
    pub player: PlayerNumber,
    /// The player's name.
    pub name: String,
    /// `first` or `second`.
    pub seat: &'static str,
    /// The result that this seat can force; `null` if unknown.
    pub value: Option<Value>,
    /// A perfect player's exact odds from this seat against the same opponent.
    pub perfect: Option<SeatOdds>,
    /// The careful guesser's exact odds.
    pub careful: Option<SeatOdds>,
    /// This player's exact odds, if it's a computer opponent.
    pub exact: Option<SeatOdds>,
    /// The played results.
    pub got: Option<Counts>,
}

/// One player's odds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatOdds {
    /// The probability of a win.
    pub wins: f64,
    /// The probability of a draw.
    pub drawn: f64,
}

/// How outside programs were prompted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Prompting {
    /// The attempts per turn.
    pub tries: u32,
    /// Whether programs got the list of legal moves.
    pub legal_list: bool,
    /// Whether programs got a language-model prompt.
    pub prompt: bool,
    /// The seed of the disguising story, if any.
    pub disguise: Option<u64>,
    /// Player 1's seat: `first`, `second` or `both`.
    pub seat: &'static str,
    /// The version of the grammar that answers were read with.
    pub grammar: u32,
    /// The fingerprint of the prompt's wording, if programs got a prompt.
    pub prompt_fingerprint: Option<String>,
}

/// Two players' results in a game. `players` holds the names that records use.
pub fn meeting(
    game: &Game,
    rulebook: &Rulebook,
    players: &ByPlayer<String>,
    names: &ByPlayer<String>,
    meeting: &arena::Meeting,
) -> Meeting {
    let named = |player: Player| NamedPlayer { player: players[player].clone(), name: names[player].clone() };
    let in_its_place = meeting.in_its_place.iter().map(|place| InItsPlace {
        in_place_of: place.player.into(),
        player: place.opponent.to_string(),
        exact: odds(&place.odds),
    });
    let seat = |seat: &arena::SeatResult<'_>| {
        let odds = |odds: Option<chances::Odds>| {
            odds.map(|odds| SeatOdds { wins: odds.wins[seat.player], drawn: odds.drawn() })
        };
        SeatResult {
            player: seat.player.into(),
            name: names[seat.player].clone(),
            seat: if seat.second { "second" } else { "first" },
            value: seat.value.map(Value::from),
            perfect: odds(seat.perfect),
            careful: odds(seat.careful),
            exact: odds(seat.exact),
            got: seat.got.map(Counts::from),
        }
    };
    Meeting {
        about: About::new(game, rulebook),
        targets: game.targets.as_ref().map(|targets| format!("{}..{}", targets.start(), targets.end())),
        players: Player::BOTH.map(named).to_vec(),
        exact: meeting.exact.as_ref().map(odds),
        in_its_place: in_its_place.collect(),
        best_play_is_longer_than: meeting.beyond_patience.map(|power| 10_u64.saturating_pow(power)),
        played: super::summary(&meeting.summary),
        seats: meeting.seats(names).iter().map(seat).collect(),
        asked: meeting.asked.as_ref().map(asked),
        unasked: meeting.asked.as_ref().map(|_| meeting.unasked.0),
    }
}

/// How outside programs were prompted.
pub fn asked(asked: &arena::PromptOptions) -> Prompting {
    Prompting {
        tries: asked.tries,
        legal_list: asked.legal_list,
        prompt: asked.prompt,
        disguise: asked.disguise,
        seat: asked.seat,
        grammar: GRAMMAR,
        prompt_fingerprint: asked.prompt.then(prompt::fingerprint),
    }
}

fn odds(odds: &ByPlayer<chances::Odds>) -> Vec<OddsByStarter> {
    let from = |first: Player| OddsByStarter {
        first: first.into(),
        wins: odds[first].wins.0,
        drawn: odds[first].drawn(),
    };
    Player::BOTH.map(from).to_vec()
}
