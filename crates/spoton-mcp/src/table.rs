//! Somebody at a table with a computer: the library's sitting, and how it is told. Nothing here tells what anything is worth.

use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::json;
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Player};
use spoton::engine::round::Round;
use spoton::format::Game;
use spoton::json;
use spoton::people::opponent::Opponent;
use spoton::records::{Record, Refusals, Refused};
use spoton::sitting::{Cannot, Command, Dice, Lookahead, Setup, Sitting};
use spoton::words::answer::{self, NoMove};
use spoton::words::dialogue::{Dialogue, Voice};
use spoton::words::prompt::Telling;

use crate::answer::{Answer, Refusal};
use crate::limits::{MOST_MOVES, MOVE_BYTES};

/// What whoever plays against the computer is called in records.
const NAME: &str = "model";

/// A round of somebody against a computer.
#[derive(Clone)]
pub struct Table {
    pub sitting: Sitting,
    /// The player who is not the computer.
    pub you: Player,
    /// Whether hints are told.
    pub hints: bool,
    /// Your moves so far.
    answered: Vec<Answered>,
    /// The last answer that did not count.
    refused: Option<RefusedBefore>,
}

/// An answer that did not count.
#[derive(Clone)]
struct RefusedBefore {
    turn: u64,
    written: String,
    sentence: String,
}

/// A move of yours.
#[derive(Clone, Copy)]
struct Answered {
    /// The turn that it was made on.
    turn: u64,
    /// How many answers had not counted by then.
    refusals: ByPlayer<Refusals>,
}

/// What is settled before a round, beside its game.
pub struct Terms {
    pub opponent: Opponent,
    pub you: Player,
    pub hints: bool,
    pub take_back: bool,
    pub seed: u64,
    /// Which round with this seed it is, from 1.
    pub number: u32,
}

impl Table {
    /// Sits down, and lets the computer begin if it goes first.
    pub fn begin(game: Game, terms: &Terms, ahead: &mut Lookahead<'_>) -> Result<Table, Cannot> {
        let Terms { opponent, you, hints, take_back, seed, number } = *terms;
        let computers = ByPlayer::from_fn(|player| (player != you).then_some(opponent));
        let setup = Setup::new(game, computers, Player::One, Dice::new(seed));
        let setup = Setup { undo: take_back, round_number: number, ..setup };
        let (sitting, _) = Sitting::begin(setup, ahead)?;
        let mut table = Table { sitting, you, hints, answered: Vec::new(), refused: None };
        table.let_computer_play(ahead)?;
        Ok(table)
    }

    /// Makes the turns that are skipped and those of the computer, until it is your turn or the round is over.
    pub fn let_computer_play(&mut self, ahead: &mut Lookahead<'_>) -> Result<(), Cannot> {
        loop {
            self.sitting.let_turns_go_over();
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
                Some(choice) => Command::Play(Move::Operation(choice)),
                None => Command::Stop,
            };
            self.sitting.act(command)?;
        }
    }

    /// The number of the turn that is next, from 1. Skipped turns and those of the computer count.
    pub fn turn(&self) -> u64 {
        self.sitting.round().history().len() as u64 + 1
    }

    /// Makes your move, and lets the computer reply.
    pub fn play(&mut self, a_move: Move, ahead: &mut Lookahead<'_>) -> Result<(), Cannot> {
        let (turn, refusals) = (self.turn(), self.refusals());
        self.sitting.act(Command::Play(a_move))?;
        // What was taken back was not answered.
        self.answered.retain(|answered| answered.turn < turn);
        self.answered.push(Answered { turn, refusals });
        self.refused = None;
        self.let_computer_play(ahead)
    }

    /// Counts an answer that is no legal move: what is said of it.
    pub fn refuse(&mut self, written: &str, no_move: &NoMove) -> Result<String, Refusal> {
        self.sitting.act(Command::Refuse(no_move.why))?;
        let sentence = self.does_not_count(no_move)?;
        let (turn, written) = (self.turn(), written.to_owned());
        self.refused = Some(RefusedBefore { turn, written, sentence: sentence.clone() });
        Ok(sentence)
    }

    /// What was said of the last answer on this turn, if it was this one and did not count.
    pub fn refused_before(&self, written: &str) -> Option<String> {
        let refused = self.refused.as_ref()?;
        (refused.turn == self.turn() && refused.written == written).then(|| refused.sentence.clone())
    }

    /// The round as it was after you had made a move on an earlier turn, if it was this move.
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
        let mut then = Table { sitting, answered, refused: None, ..self.clone() };
        if then.sitting.round().history().len() >= MOST_MOVES && !then.is_over() {
            then.sitting.act(Command::Stop)?;
        }
        Ok(Some(then))
    }

    fn refusals(&self) -> ByPlayer<Refusals> {
        let record = self.sitting.record();
        ByPlayer::from_fn(|player| record.refusals(player))
    }

    /// Reads a move. It is not guessed at.
    pub fn read(&self, written: &str) -> Result<Move, NoMove> {
        if written.len() > MOVE_BYTES {
            return Err(NoMove {
                why: Refused::Unreadable,
                reason: "this is far longer than a move".to_owned(),
            });
        }
        answer::read(written, self.sitting.round()).map(Move::Operation)
    }

    /// The round written down. Whoever plays against the computer has one name in it from either seat, so that all rounds of a
    /// session can be counted together.
    pub fn record(&self) -> Record {
        let mut record = self.sitting.record();
        record.players[self.you] = NAME.to_owned();
        record
    }

    /// The round as it counts if nobody goes on with it: then whoever is on turn, who is not the computer, has forfeited it.
    #[must_use]
    pub fn as_if_left(&self) -> Table {
        let mut table = self.clone();
        // Only a round that is over cannot be forfeited, and counts as it is.
        let _ = table.sitting.act(Command::Forfeit);
        table
    }

    pub fn is_over(&self) -> bool {
        self.sitting.round().outcome().is_some()
    }

    /// What is said of a move for another turn than the one that is next.
    pub fn is_another_turn(&self, id: &str, expected: u64) -> Result<String, Refusal> {
        let made = |answered: &&Answered| answered.turn == expected;
        let why = match self.answered.iter().find(made) {
            Some(Answered { turn, .. }) => {
                let ply = &self.sitting.round().history()[*turn as usize - 1];
                let made = self.sitting.rulebook().write(ply.a_move);
                format!("You have answered turn {expected} with {made}.")
            }
            None if self.is_over() => format!("There was no turn {expected}: the round is over."),
            None => format!("Turn {expected} is not yours to answer: the next is turn {}.", self.turn()),
        };
        Ok(format!("{why} Nothing has changed, and nothing was counted.\n\n{}", self.standing(id)?))
    }

    /// What is said of a move that does not count.
    fn does_not_count(&self, no_move: &NoMove) -> Result<String, Refusal> {
        Ok(format!(
            "This does not count ({}): {}. Nothing has changed, and it is still your turn. Your legal moves: {}",
            no_move.why.word(),
            no_move.reason,
            self.telling()?.legal(self.sitting.round()).join(", ")
        ))
    }

    /// What a tool answers that is about the round: some words before how it stands, and the moves that are new.
    pub fn answer(&self, id: &str, before: &str, after: usize) -> Result<Answer, Refusal> {
        let mut words = vec![before.to_owned()];
        words.push(self.telling()?.moves(self.sitting.round(), after).join("\n"));
        words.push(self.standing(id)?);
        words.retain(|part| !part.is_empty());
        let data =
            serde_json::to_value(State { id, table: self }).map_err(|error| Refusal(error.to_string()))?;
        Ok(Answer { words: words.join("\n\n"), data })
    }

    /// The answer that begins a round: who plays what, and its rules.
    pub fn introduction(&self, id: &str) -> Result<Answer, Refusal> {
        let (you, rulebook) = (self.you, self.sitting.rulebook());
        let goes = if you == self.sitting.round().first() { "first" } else { "second" };
        let opponent = match self.opponent() {
            Some(opponent) => format!(" {} is {}: {}.", !you, opponent.title(), opponent.habit()),
            None => String::new(),
        };
        let allowed = |is_allowed: bool| if is_allowed { "allowed" } else { "not allowed" };
        let rules =
            self.telling()?.rules(rulebook).iter().map(|rule| format!("- {rule}")).collect::<Vec<_>>();
        let introduction = format!(
            "Round {id}: {}. You are {you}, and go {goes}.{opponent} Hints are {}, taking back is {}.\n\nRules:\n{}",
            rulebook.title(),
            allowed(self.hints),
            allowed(self.sitting.setup().undo),
            rules.join("\n")
        );
        self.answer(id, &introduction, 0)
    }

    /// How the round stands, and what can be done.
    fn standing(&self, id: &str) -> Result<String, Refusal> {
        let round = self.sitting.round();
        let Some(outcome) = round.outcome() else {
            let standing = self.telling()?.standing(round);
            let turn = self.turn();
            return Ok(format!(
                "{standing}\n\nIt is your turn: call move with round \"{id}\" and expected_turn {turn}."
            ));
        };
        let names = &self.sitting.setup().names;
        let computers = ByPlayer::from_fn(|player| player != self.you);
        let voice = Voice { names, computers, paint: &|_, text| text };
        let ending = Dialogue { round, voice: &voice }.ending().unwrap_or_default();
        let result = match outcome.winner {
            Some(winner) if winner == self.you => "You won.",
            Some(_) => "You lost.",
            None => "Nobody won.",
        };
        Ok(format!(
            "{ending}\n{result} The round is over. review tells which moves mattered, and where it turned."
        ))
    }

    fn telling(&self) -> Result<Telling, Refusal> {
        Telling::new(self.sitting.rulebook(), true, None).map_err(|no_words| Refusal(no_words.to_string()))
    }

    fn opponent(&self) -> Option<Opponent> {
        self.sitting.setup().computers[!self.you]
    }
}

/// A round as programs see it.
struct State<'a> {
    id: &'a str,
    table: &'a Table,
}

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let State { id, table } = self;
        let (sitting, you) = (&table.sitting, table.you);
        let mut state = serializer.serialize_map(None)?;
        state.serialize_entry("round", id)?;
        state.serialize_entry("you", &you.number())?;
        state.serialize_entry("opponent", &table.opponent().map(|opponent| opponent.to_string()))?;
        state.serialize_entry("hints", &table.hints)?;
        state.serialize_entry("take_back", &sitting.setup().undo)?;
        json::round(&sitting.setup().game, sitting.round(), &mut state)?;
        let refused = sitting.record().refusals(you);
        let refused =
            json!({ "illegal": refused[Refused::Illegal], "unreadable": refused[Refused::Unreadable] });
        state.serialize_entry("refused", &refused)?;
        let result = sitting.round().outcome().map(|outcome| match outcome.winner {
            Some(winner) if winner == you => "won",
            Some(_) => "lost",
            None if outcome.ending.is_without_result() => "none",
            None => "drawn",
        });
        state.serialize_entry("result", &result)?;
        state.serialize_entry("expected_turn", &(!table.is_over()).then(|| table.turn()))?;
        state.end()
    }
}
