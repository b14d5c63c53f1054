//! One round at the table: turn by turn, from the opening to the end or until somebody leaves.

use spoton::describe;
use spoton::dialogue::{Dialogue, Tint, Voice};
use spoton::finish::Rest;
use spoton::operation::Kind;
use spoton::opponent::Opponent;
use spoton::phrases;
use spoton::play::{Move, Situation};
use spoton::position::{ByPlayer, Choice, Player, Position};
use spoton::round::Round;
use spoton::rulebook::MoveRule;
use spoton::typed::{self, Typed};

use super::commands::{self, Command};
use super::console::Answer;
use super::session::Session;
use crate::failure::Failure;

/// Two computers that go on for so long are stopped.
const MOST_PLIES: usize = 10_000;

/// How somebody left a round that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    Quit,
    EndOfInput,
    Interrupted,
}

pub struct Table<'s, 'a> {
    pub session: &'s mut Session<'a>,
    pub round: Round,
    /// How many hints were given, and where.
    pub hints_given: Option<(Position, usize)>,
    /// Whether it has been said that the rest plays itself.
    pub announced: bool,
    /// How many hints of the coach's budget are used up.
    pub hints_used: usize,
}

/// What a person did with their turn.
pub enum Turn {
    Chose(Choice),
    /// The round stands elsewhere now, or is over: look again.
    LookAgain,
    /// A side round from this number, to see an idea fail.
    PlayOut(i64),
    Leave(Leaving),
}

impl Table<'_, '_> {
    /// Plays the round to its end, or until somebody leaves.
    pub fn play(&mut self, from_the_opening: bool) -> Result<Option<Leaving>, Failure> {
        self.session.note(&self.round);
        let mut printed = false;
        if from_the_opening && let Some(opening) = self.tell(|dialogue| dialogue.opening()) {
            self.session.console.say(&opening)?;
            printed = true;
        } else if from_the_opening && self.session.console.is_terminal() {
            // The book has no words for the beginning; on a terminal the goal is told all the same.
            let goal = self.session.colour.aside(&format!("{}\n", describe::goal(self.round.rulebook())));
            self.session.console.say(&goal)?;
        }
        loop {
            if printed {
                let separator = self.tell(|dialogue| dialogue.separator());
                self.session.console.say(&separator)?;
            }
            printed = true;
            match self.round.situation() {
                Situation::Over(_) => {
                    if let Some(ending) = self.tell(|dialogue| dialogue.ending()) {
                        self.session.console.say(&ending)?;
                    }
                    return Ok(None);
                }
                Situation::Skip => self.make(Move::Skip)?,
                Situation::Choose(_) => {
                    let turn = self.tell(|dialogue| dialogue.turn());
                    if !turn.is_empty() {
                        self.session.console.say(&turn)?;
                    }
                    match self.session.setup.computers[self.round.position().turn()] {
                        Some(opponent) => self.computers_turn(opponent)?,
                        None => match self.persons_turn()? {
                            Turn::Chose(choice) => self.make(Move::Operation(choice))?,
                            Turn::LookAgain => {}
                            Turn::PlayOut(number) => self.play_out(number)?,
                            Turn::Leave(leaving) => return Ok(Some(leaving)),
                        },
                    }
                }
            }
        }
    }

    /// Makes a legal move and tells of it.
    fn make(&mut self, a_move: Move) -> Result<(), Failure> {
        if self.round.play(a_move).is_err() {
            return Err(Failure::Failed("a move that was legal was refused; please report this".to_owned()));
        }
        self.session.keeper.follow(a_move);
        if let Some(moved) = self.tell(|dialogue| dialogue.moved()).filter(|moved| !moved.is_empty()) {
            self.session.console.say(&moved)?;
        }
        Ok(())
    }

    fn computers_turn(&mut self, opponent: Opponent) -> Result<(), Failure> {
        let plies = self.round.history().len();
        let only_computers = self.session.setup.computers.0.iter().all(Option::is_some);
        if only_computers && plies >= MOST_PLIES {
            self.round.stop();
            return Ok(());
        }
        let chances = self.session.truth.chances(opponent, &self.round)?;
        let setup = &self.session.setup;
        let draw = setup.dice.draw(setup.round_number, plies);
        let Some(choice) = chances.pick(draw) else {
            return Err(Failure::Failed("the computer found no move; please report this".to_owned()));
        };
        let kind = self.round.rulebook().moves()[choice.place()].operation.kind();
        let prompts = [self.prompt(None), self.prompt(Some(kind))];
        for (prompt, typed) in prompts.iter().zip(self.tell(|dialogue| dialogue.typed(choice))) {
            self.session.console.show_answer(prompt, &typed)?;
        }
        self.make(Move::Operation(choice))
    }

    /// Asks the person on turn until there is an answer that counts.
    fn persons_turn(&mut self) -> Result<Turn, Failure> {
        self.announce_finish()?;
        self.offer_hint()?;
        // With two questions: the kind that the first was answered with.
        let mut kind: Option<Kind> = None;
        loop {
            let prompt = self.prompt(kind);
            let line = match self.session.console.ask(&prompt)? {
                Answer::Line(line) => line,
                Answer::End => return Ok(Turn::Leave(Leaving::EndOfInput)),
                Answer::Interrupted => return Ok(Turn::Leave(Leaving::Interrupted)),
            };
            if let Some(command) = Command::read(&line) {
                match self.obey(command, &line)? {
                    Some(turn) => return Ok(turn),
                    None => continue,
                }
            }
            let understood = match kind {
                Some(_) if line.trim().is_empty() => {
                    kind = None;
                    continue;
                }
                Some(kind) => typed::read_number(&line, kind, &self.round).map(Typed::Choice),
                None => typed::read(&line, &self.round),
            };
            match understood {
                Ok(Typed::Choice(choice)) if self.stays_with(choice)? => return Ok(Turn::Chose(choice)),
                Ok(Typed::Choice(_)) => kind = None,
                Ok(Typed::Kind(asked)) => kind = Some(asked),
                Err(why) => {
                    self.session.illegal[self.round.position().turn()] += u32::from(!line.trim().is_empty());
                    let why = self.session.colour.refusal(&why);
                    self.session.console.say(&why)?;
                }
            }
        }
    }

    /// Does what a command asks for; a turn where the question is not to be asked again.
    fn obey(&mut self, command: Command, line: &str) -> Result<Option<Turn>, Failure> {
        let rulebook = self.round.rulebook();
        let answer = match command {
            Command::Help => {
                let examples = rulebook.moves().iter().map(|rule: &MoveRule| rule.operation);
                commands::help(&phrases::or_list(examples), self.session.setup.help.discover)
            }
            Command::Rules => commands::rules_page(rulebook),
            Command::Moves => self.tell(|dialogue| dialogue.all_moves()),
            Command::Hint => self.or_refusal(Table::hint)?,
            Command::Why => self.or_refusal(|table| table.why())?,
            Command::Idea => {
                let idea = line.trim_start().chars().skip("idea".len()).collect::<String>();
                return self.test_idea(&idea);
            }
            Command::Finish => match self.rest()? {
                Rest::Line(line) => {
                    for a_move in line {
                        self.make(a_move)?;
                    }
                    return Ok(Some(Turn::LookAgain));
                }
                Rest::Choices => "There are still choices to make.".to_owned(),
                Rest::TooLong => "The rest is too long to be played out.".to_owned(),
            },
            Command::Undo => match self.take_back() {
                Some(taken_back) => {
                    self.session.console.say(&taken_back)?;
                    return Ok(Some(Turn::LookAgain));
                }
                None => "There is nothing to take back.".to_owned(),
            },
            Command::Save => match self.session.keeper.save() {
                Ok(path) => format!("Saved as {}. The round goes on.", path.display()),
                // The round is worth more than the save: it goes on.
                Err(failure) => self.session.colour.refusal(&format!("Not saved: {failure}.")),
            },
            Command::Resign => {
                let player = self.round.position().turn();
                self.round.resign(player);
                return Ok(Some(Turn::LookAgain));
            }
            Command::Quit => return Ok(Some(Turn::Leave(Leaving::Quit))),
        };
        self.session.console.say(&answer)?;
        Ok(None)
    }

    /// Takes back the last move; against a computer, back to the person's own last turn.
    fn take_back(&mut self) -> Option<String> {
        let asks = self.round.position().turn();
        let against_computer = self.session.setup.computers[!asks].is_some();
        let mut trial = self.round.clone();
        let mut taken_back = Vec::new();
        loop {
            let ply = trial.undo()?;
            let Move::Operation(choice) = ply.a_move else { return None };
            taken_back.push(trial.rulebook().moves()[choice.place()].operation.to_string());
            if !against_computer || ply.player() == asks {
                break;
            }
        }
        self.round = trial;
        self.session.note(&self.round);
        taken_back.reverse();
        Some(format!("Taken back: {}.", taken_back.join(" ")))
    }

    /// The question to ask; the second of two where the first was answered with a kind. Never coloured: the line
    /// editor has to know how long it is.
    fn prompt(&self, kind: Option<Kind>) -> String {
        let voice = self.voice(&|_, text| text);
        let dialogue = Dialogue { round: &self.round, voice: &voice };
        match kind {
            Some(kind) => dialogue.number_prompt(kind),
            None => dialogue.prompt(),
        }
    }

    fn tell<T>(&self, what: impl Fn(&Dialogue<'_>) -> T) -> T {
        let colour = self.session.colour;
        let paint = |tint: Tint, text: String| colour.tint(tint, &text);
        let voice = self.voice(&paint);
        what(&Dialogue { round: &self.round, voice: &voice })
    }

    fn voice<'v>(&'v self, paint: &'v dyn Fn(Tint, String) -> String) -> Voice<'v> {
        let setup = &self.session.setup;
        let computers = ByPlayer::from_fn(|player: Player| setup.computers[player].is_some());
        Voice { names: &setup.names, computers, paint }
    }
}
