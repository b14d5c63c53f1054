//! `start_round`: starts a round, or the next one of the exam.

use rmcp::model::{JsonObject, Tool};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use spoton::engine::position::Player;
use spoton::evaluate::opponent::Opponent;
use tokio_util::sync::CancellationToken;

use super::{Does, Entry, Exams};
use crate::answer::{Answer, Refusal};
use crate::arguments::{AskedGame, Nothing, read};
use crate::limits::TIME_TO_THINK;
use crate::rounds::random;
use crate::state::ServerState;
use crate::table::{Table, Terms};

pub const TOOL: Entry = Entry {
    name: "start_round",
    title: "Start a round",
    description: "Starts a round of a game or of your own rule book against a computer. Returns the round's id, which the \
                  other tools need, the rules and your legal moves. If the opponent goes first, it has already moved. \
                  After 2,000 moves the round is drawn. If a round without hints is in progress, finish it first.",
    does: Does::Changes,
    exams: Exams::Never,
    arguments: Tool::with_input_schema::<AskedStart>,
    call: |state, arguments, gone| Box::pin(answer(state, arguments, gone)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedStart {
    /// A game's id, from list_games. Part of it is enough if only one game matches. Omit it if you give a
    /// rulebook.
    pub game: Option<String>,
    /// A whole rule book (TOML) instead of a game, such as one from invent. At most 64 KiB.
    pub rulebook: Option<String>,
    /// A variant's name. Default: the game itself.
    pub variant: Option<String>,
    /// A different target number.
    pub target: Option<i64>,
    /// Your opponent, by its name from list_games. Default: "perfect", which never makes a mistake.
    pub opponent: Option<String>,
    /// Whether you go first or second. Default: first.
    pub seat: Option<Seat>,
    /// Allow the hint tool in this round. Default: false.
    #[serde(default)]
    pub hints: bool,
    /// Allow undo with the take_back tool in this round. Default: false.
    #[serde(default)]
    pub take_back: bool,
    /// The opponent's random seed: with the same seed, the same moves get the same replies. Default: random.
    pub seed: Option<u64>,
}

/// A player's place in the turn order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    #[default]
    First,
    Second,
}

impl Seat {
    /// The player with this seat. Player 1 always goes first.
    pub fn player(self) -> Player {
        match self {
            Seat::First => Player::One,
            Seat::Second => Player::Two,
        }
    }
}

impl AskedStart {
    /// Takes the arguments that choose the game.
    pub fn game(&mut self) -> AskedGame {
        let (game, rulebook, variant) = (self.game.take(), self.rulebook.take(), self.variant.take());
        AskedGame { game, rulebook, variant, target: self.target }
    }
}

async fn answer(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let mut asked: AskedStart = read(arguments)?;
    // Fails early; `keep` checks again.
    state.rounds.may_think(None)?;
    let opponent = asked.opponent.as_deref().map_or(Ok(Opponent::perfect()), Opponent::parse)?;
    let game = asked.game();
    let terms = Terms {
        opponent,
        you: asked.seat.unwrap_or_default().player(),
        hints: asked.hints,
        take_back: asked.take_back,
        seed: asked.seed.unwrap_or_else(random),
        number: 1,
    };
    let begun = state.thinking.about(TIME_TO_THINK, gone, move |ahead| {
        Ok::<_, Refusal>(Table::begin(game.find()?, &terms, ahead)?)
    });
    let (id, table) = state.rounds.keep(begun.await??)?;
    table.introduction(&id)
}

/// The same in an exam. The model can't choose anything.
pub const IN_EXAM: Entry = Entry {
    name: "start_round",
    title: "Start a round",
    description: "Starts the next round of the exam against a computer. Takes no arguments. Returns the round's id, \
                  which the other tools need, the rules and your legal moves. If the opponent goes first, it has \
                  already moved. Finish each round before you start the next one.",
    does: Does::Changes,
    exams: Exams::Only,
    arguments: Tool::with_input_schema::<Nothing>,
    call: |state, arguments, gone| Box::pin(next_of_exam(state, arguments, gone)),
};

async fn next_of_exam(
    state: &ServerState,
    arguments: JsonObject,
    gone: &CancellationToken,
) -> Result<Answer, Refusal> {
    let Some(exam) = &state.exam else { return Err(Refusal("this isn't an exam".to_owned())) };
    if !arguments.is_empty() {
        let sentence = "this is an exam; the games, the opponent and the seats are set. Call start_round without \
                        arguments to start the next round";
        return Err(Refusal(sentence.to_owned()));
    }
    state.rounds.may_think(None)?;
    let Some((number, game, terms)) = exam.next() else {
        return Err(Refusal(format!("the exam is over: all {} rounds were played", exam.total())));
    };
    let begun =
        state.thinking.about(TIME_TO_THINK, gone, move |ahead| Table::begin(game.clone(), &terms, ahead));
    let table = begun.await??;
    let (id, table) = exam.begin(number, || state.rounds.keep(table))?;
    let mut answer = table.introduction(&id)?;
    answer.words = format!("Round {number} of {} of the exam.\n\n{}", exam.total(), answer.words);
    Ok(answer)
}
