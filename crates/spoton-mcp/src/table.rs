//! A client against a computer: a library sitting and its answers, which contain no position values.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::Serialize;
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::engine::round::Round;
use spoton::evaluate::opponent::Opponent;
use spoton::format::Game;
use spoton::json;
use spoton::records::{Record, Refusals, Refused};
use spoton::sitting::{Cannot, Command, Dice, Lookahead, Setup, Sitting};
use spoton::view::{EndView, Seating, TableView, Viewer};
use spoton::words::answer::{self, NoMove};
use spoton::words::prompt::Telling;

use crate::answer::{Answer, Refusal};
use crate::limits::{MOST_MOVES, MOVE_BYTES};

/// The client's name in records.
const NAME: &str = "model";

/// A round between a client and a computer.
#[derive(Clone)]
pub struct Table {
    pub sitting: Sitting,
    /// The client's player.
    pub you: Player,
    /// Whether hints are on.
    pub hints: bool,
    /// The client's moves so far.
    answered: Vec<Answered>,
    /// The rejected answers of this turn, so that retries are free.
    refused: Vec<RefusedBefore>,
}

/// A rejected answer.
#[derive(Clone)]
struct RefusedBefore {
    turn: u64,
    /// A hash of the answer, which may be long.
    written: u64,
    sentence: String,
}

/// Rejected answers per turn that retries can repeat.
const MOST_REFUSED: usize = 256;

fn hash(written: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    written.hash(&mut hasher);
    hasher.finish()
}

/// A move by the client.
#[derive(Clone, Copy)]
struct Answered {
    /// Its turn.
    turn: u64,
    /// The number of rejected answers before it.
    refusals: ByPlayer<Refusals>,
}

/// A round's settings, except for its game.
pub struct Terms {
    pub opponent: Opponent,
    pub you: Player,
    pub hints: bool,
    pub take_back: bool,
    pub seed: u64,
    /// The round's number within this seed, from 1.
    pub number: u32,
}

impl Table {
    /// Starts a round. If the computer goes first, it makes its move.
    pub fn begin(game: Game, terms: &Terms, ahead: &mut Lookahead<'_>) -> Result<Table, Cannot> {
        let Terms { opponent, you, hints, take_back, seed, number } = *terms;
        let computers = ByPlayer::from_fn(|player| (player != you).then_some(opponent));
        let setup = Setup::new(game, computers, Player::One, Dice::new(seed));
        let setup = Setup { undo: take_back, round_number: number, ..setup };
        let (sitting, _) = Sitting::begin(setup, ahead)?;
        let mut table = Table { sitting, you, hints, answered: Vec::new(), refused: Vec::new() };
        table.let_computer_play(ahead)?;
        Ok(table)
    }

    /// Plays the computer's turns until it's the client's turn or the round is over.
    pub fn let_computer_play(&mut self, ahead: &mut Lookahead<'_>) -> Result<(), Cannot> {
        loop {
            if self.is_over() {
                return Ok(());
            }
            if self.sitting.round().history().len() >= MOST_MOVES {
                self.sitting.act(Command::Stop)?;
                return Ok(());
            }
            if self.sitting.computer().is_none() {
                return Ok(());
            }
            let command = match self.sitting.computers_choice(ahead)? {
                Some(choice) => Command::Play(choice),
                None => Command::Stop,
            };
            self.sitting.act(command)?;
        }
    }

    /// The next turn's number, from 1. Skipped turns and the computer's turns count.
    pub fn turn(&self) -> u64 {
        self.sitting.round().history().len() as u64 + 1
    }

    /// Makes the client's move and the computer's reply.
    pub fn play(&mut self, choice: Choice, ahead: &mut Lookahead<'_>) -> Result<(), Cannot> {
        let (turn, refusals) = (self.turn(), self.refusals());
        self.sitting.act(Command::Play(choice))?;
        // Undone moves no longer count as answered.
        self.answered.retain(|answered| answered.turn < turn);
        self.answered.push(Answered { turn, refusals });
        self.refused.clear();
        self.let_computer_play(ahead)
    }

    /// Counts a rejected answer and returns the reply.
    pub fn refuse(&mut self, written: &str, no_move: &NoMove) -> Result<String, Refusal> {
        self.sitting.act(Command::Refuse(no_move.why))?;
        let sentence = self.does_not_count(no_move)?;
        let (turn, written) = (self.turn(), hash(written));
        self.refused.retain(|refused| refused.turn == turn);
        if self.refused.len() == MOST_REFUSED {
            self.refused.remove(0);
        }
        self.refused.push(RefusedBefore { turn, written, sentence: sentence.clone() });
        Ok(sentence)
    }

    /// The reply to an answer already rejected this turn.
    pub fn refused_before(&self, written: &str) -> Option<String> {
        let (turn, written) = (self.turn(), hash(written));
        let same = |refused: &&RefusedBefore| refused.turn == turn && refused.written == written;
        self.refused.iter().find(same).map(|refused| refused.sentence.clone())
    }

    /// The round as it was after the client's move on an earlier turn. Returns `None` if that was a different move.
    pub fn after_turn(
        &self,
        turn: u64,
        written: &str,
        ahead: &mut Lookahead<'_>,
    ) -> Result<Option<Table>, Cannot> {
        let Some(place) = self.answered.iter().position(|answered| answered.turn == turn) else {
            return Ok(None);
        };
        let round = self.sitting.round();
        let mut again = Round::new(Arc::clone(round.rulebook()), round.first());
        let next = self.answered.get(place + 1).map_or(u64::MAX, |next| next.turn);
        for (number, ply) in (1..).zip(round.history()).take_while(|(number, _)| *number < next) {
            let is_same = || answer::read(written, &again).ok().map(Move::Operation) == Some(ply.a_move);
            if number == turn && !is_same() {
                return Ok(None);
            }
            if again.play(ply.a_move).is_err() {
                break;
            }
        }
        let setup = self.sitting.setup().clone();
        let refused = self.answered[place].refusals;
        let (sitting, _) = Sitting::begin(Setup { resumed: Some(again), refused, ..setup }, ahead)?;
        let answered = self.answered[..=place].to_vec();
        let mut then = Table { sitting, answered, refused: Vec::new(), ..self.clone() };
        if then.sitting.round().history().len() >= MOST_MOVES && !then.is_over() {
            then.sitting.act(Command::Stop)?;
        }
        Ok(Some(then))
    }

    fn refusals(&self) -> ByPlayer<Refusals> {
        let record = self.sitting.record();
        ByPlayer::from_fn(|player| record.refusals(player))
    }

    /// Reads a move strictly, without guessing.
    pub fn read(&self, written: &str) -> Result<Choice, NoMove> {
        if written.len() > MOVE_BYTES {
            return Err(NoMove {
                why: Refused::Unreadable,
                reason: "this is far too long for a move".to_owned(),
            });
        }
        answer::read(written, self.sitting.round())
    }

    /// The round's record. The client has the same name from both seats, so that all rounds of a session can be
    /// counted together.
    pub fn record(&self) -> Record {
        let mut record = self.sitting.record();
        record.players[self.you] = NAME.to_owned();
        record
    }

    /// The round as recorded if left unfinished: forfeited by the player to move, who is always the client.
    #[must_use]
    pub fn as_if_left(&self) -> Table {
        let mut table = self.clone();
        // Fails only if the round is over. A finished round counts as it is.
        let _ = table.sitting.act(Command::Forfeit);
        table
    }

    pub fn is_over(&self) -> bool {
        self.sitting.round().outcome().is_some()
    }

    /// The table as the client sees it.
    pub fn view(&self) -> TableView<'_> {
        let seating = Seating { hints: self.hints, ..Seating::from_sitting(&self.sitting) };
        TableView::with(&self.sitting, Viewer::Program(self.you), &seating)
    }

    /// The reply to a move for a turn other than the next.
    pub fn is_another_turn(&self, id: &str, expected: u64) -> Result<String, Refusal> {
        let made = |answered: &&Answered| answered.turn == expected;
        let why = match self.answered.iter().find(made) {
            Some(Answered { turn, .. }) => {
                let ply = &self.sitting.round().history()[*turn as usize - 1];
                let made = self.sitting.rulebook().write(ply.a_move);
                format!("You answered turn {expected} with {made}.")
            }
            None if self.is_over() => format!("Turn {expected} wasn't yours to answer."),
            None => format!("Turn {expected} isn't yours to answer; turn {} is next.", self.turn()),
        };
        Ok(format!("{why} Nothing has changed, and nothing was counted.\n\n{}", self.standing(id)?))
    }

    /// The reply to a rejected answer.
    fn does_not_count(&self, no_move: &NoMove) -> Result<String, Refusal> {
        Ok(format!(
            "This answer doesn't count ({}): {}. Nothing has changed; it's still your turn. Your legal moves: {}",
            no_move.why.word(),
            no_move.reason,
            self.telling()?.legal(self.sitting.round()).join(", ")
        ))
    }

    /// An answer about the round: the words `before`, the moves from ply `after` on, and the current state.
    pub fn answer(&self, id: &str, before: &str, after: usize) -> Result<Answer, Refusal> {
        let mut words = vec![before.to_owned()];
        words.push(self.telling()?.moves(self.sitting.round(), after).join("\n"));
        words.push(self.standing(id)?);
        words.retain(|part| !part.is_empty());
        Answer::new(words.join("\n\n"), &RoundState::new(id, self))
    }

    /// The first answer of a round: its players and its rules.
    pub fn introduction(&self, id: &str) -> Result<Answer, Refusal> {
        let (you, rulebook) = (self.you, self.sitting.rulebook());
        let goes = if you == self.sitting.round().first() { "first" } else { "second" };
        let opponent = match self.opponent() {
            Some(opponent) => format!(" {} is {}: {}.", !you, opponent.title(), opponent.habit()),
            None => String::new(),
        };
        let on_or_off = |is_on: bool| if is_on { "on" } else { "off" };
        let rules =
            self.telling()?.rules(rulebook).iter().map(|rule| format!("- {rule}")).collect::<Vec<_>>();
        let introduction = format!(
            "Round {id}: {}. You are {you} and go {goes}.{opponent} Hints are {}, undo is {}.\n\nRules:\n{}",
            rulebook.title(),
            on_or_off(self.hints),
            on_or_off(self.sitting.setup().undo),
            rules.join("\n")
        );
        self.answer(id, &introduction, 0)
    }

    /// The current state and the possible next calls.
    fn standing(&self, id: &str) -> Result<String, Refusal> {
        let view = self.view();
        let Some(EndView { outcome, how, .. }) = view.end() else {
            let standing = self.telling()?.standing(self.sitting.round());
            let turn = self.turn();
            return Ok(format!(
                "{standing}\n\nIt's your turn: call move with round \"{id}\" and expected_turn {turn}."
            ));
        };
        let result = match outcome.winner {
            Some(winner) if winner == self.you => "You won.",
            Some(_) => "You lost.",
            None => "Nobody won.",
        };
        Ok(format!(
            "{how} {result} The round is over. review shows which moves mattered and where the round turned."
        ))
    }

    fn telling(&self) -> Result<Telling, Refusal> {
        Telling::new(self.sitting.rulebook(), true, None).map_err(|no_words| Refusal(no_words.to_string()))
    }

    fn opponent(&self) -> Option<Opponent> {
        self.sitting.setup().computers[!self.you]
    }
}

/// A round as data.
#[derive(Serialize)]
struct RoundState<'a> {
    round: &'a str,
    you: u8,
    opponent: Option<String>,
    hints: bool,
    take_back: bool,
    #[serde(flatten)]
    state: json::Round<'a>,
    /// The client's rejected answers.
    refused: RefusedAnswers,
    /// `won`, `lost`, `drawn` or `none`; `null` while the round isn't over.
    result: Option<&'static str>,
    expected_turn: Option<u64>,
}

#[derive(Serialize)]
struct RefusedAnswers {
    illegal: u64,
    unreadable: u64,
}

impl<'a> RoundState<'a> {
    fn new(id: &'a str, table: &'a Table) -> RoundState<'a> {
        let (sitting, you) = (&table.sitting, table.you);
        let refused = sitting.record().refusals(you);
        let result = sitting.round().outcome().map(|outcome| match outcome.winner {
            Some(winner) if winner == you => "won",
            Some(_) => "lost",
            None if outcome.ending.is_without_result() => "none",
            None => "drawn",
        });
        RoundState {
            round: id,
            you: you.number(),
            opponent: table.opponent().map(|opponent| opponent.to_string()),
            hints: table.hints,
            take_back: sitting.setup().undo,
            state: json::round(&sitting.setup().game, sitting.round()),
            refused: RefusedAnswers {
                illegal: refused[Refused::Illegal],
                unreadable: refused[Refused::Unreadable],
            },
            result,
            expected_turn: (!table.is_over()).then(|| table.turn()),
        }
    }
}
