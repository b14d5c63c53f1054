//! One round at the table: turn by turn, from the opening to the end or until somebody leaves.

use spoton::engine::operation::{Kind, Operation};
use spoton::engine::play::{Move, Situation};
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::engine::written::Offer;
use spoton::format::Menu;
use spoton::people::forced::ForcedEnd;
use spoton::records::Refused;
use spoton::sitting::discovery::Spoiler;
use spoton::words::describe;
use spoton::words::dialogue::{Dialogue, Tint, Voice};
use spoton::words::page::{fold, wrap};
use spoton::words::phrases;
use spoton::words::typed::{self, Typed};

use super::commands::{self, Command};
use super::console::Answer;
use super::session::{PROGRAM_IS_NOT_KEPT, Session};
use crate::failure::Failure;
use crate::shown;
use crate::sitting::Sitting;

/// How somebody left a round that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    Quit,
    EndOfInput,
    Interrupted,
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

const NO_IDEAS: &str = "Not while today's duel counts";

/// How many columns a terminal has, if nobody made it wider.
const TERMINAL: usize = 80;

/// Breaks lines that are too long for a terminal, so that it does not break words.
fn wrap_lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| match line.chars().count() > TERMINAL {
        true => wrap(line, "", ""),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Session<'_> {
    /// Plays the round to its end, or until somebody leaves.
    pub fn play(&mut self, from_the_opening: bool) -> Result<Option<Leaving>, Failure> {
        self.sitting.note();
        let mut printed = false;
        if from_the_opening && let Some(opening) = self.tell(|dialogue| dialogue.opening()) {
            let opening = if self.console.is_terminal() { wrap_lines(&opening) } else { opening };
            self.console.say(&opening)?;
            if let Some(known) = self.out_of_reach() {
                self.console.say(&self.colour.aside(&known))?;
            }
            printed = true;
        } else if from_the_opening && self.console.is_terminal() {
            // The book has no words for the beginning; on a terminal the goal is told all the same.
            let goal = wrap_lines(&self.goal());
            let goal = self.colour.aside(&format!("{goal}\n"));
            self.console.say(&goal)?;
        }
        loop {
            if printed {
                let separator = self.tell(|dialogue| dialogue.separator());
                self.console.say(&separator)?;
            }
            printed = true;
            match self.sitting.round().situation() {
                Situation::Over(_) => {
                    if let Some(ending) = self.tell(|dialogue| dialogue.ending()) {
                        self.console.say(&ending)?;
                    }
                    return Ok(None);
                }
                Situation::Skip => self.make(Move::Skip)?,
                Situation::Choose(_) => {
                    let is_person = self.sitting.setup().is_person(self.sitting.round().position().turn());
                    // On a terminal, nobody wants to read a menu that they can't choose from.
                    if !is_person && self.console.is_terminal() {
                        self.computers_line()?;
                        continue;
                    }
                    let turn = self.tell(|dialogue| dialogue.turn());
                    if !turn.is_empty() {
                        self.console.say(&turn)?;
                    }
                    match is_person {
                        false => self.computers_turn()?,
                        true => match self.persons_turn()? {
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

    /// That nobody can land on the target, for people at a terminal.
    fn out_of_reach(&self) -> Option<String> {
        let known = self.sitting.games().game(self.sitting.rulebook()).out_of_reach();
        known.filter(|_| self.console.is_terminal())
    }

    /// What to play for.
    pub(super) fn goal(&self) -> String {
        describe::goal_knowing(self.sitting.rulebook(), self.out_of_reach().as_deref())
    }

    /// Makes a legal move and tells of it.
    fn make(&mut self, a_move: Move) -> Result<(), Failure> {
        self.sitting.make(a_move)?;
        if let Some(moved) = self.tell(|dialogue| dialogue.moved()).filter(|moved| !moved.is_empty()) {
            self.console.say(&moved)?;
        }
        Ok(())
    }

    /// What a computer or an outside program plays; `None` if it gave the round up.
    fn computers_choice(&mut self) -> Result<Option<Choice>, Failure> {
        match self.sitting.computer() {
            Some(_) => self.sitting.computers_choice(),
            None => self.sitting.programs_choice(),
        }
    }

    /// A computer's turn in one line.
    fn computers_line(&mut self) -> Result<(), Failure> {
        let Some(choice) = self.computers_choice()? else { return Ok(()) };
        self.sitting.make(Move::Operation(choice))?;
        if let Some(line) = self.tell(|dialogue| dialogue.moved_in_short()) {
            self.console.say(&line)?;
        }
        Ok(())
    }

    /// A computer's turn as if it had typed it, for the record of a piped round.
    fn computers_turn(&mut self) -> Result<(), Failure> {
        let Some(choice) = self.computers_choice()? else { return Ok(()) };
        let kind = self.sitting.rulebook().operation(choice).map(Operation::kind);
        let prompts = [self.prompt(None), self.prompt(kind)];
        for (prompt, typed) in prompts.iter().zip(self.tell(|dialogue| dialogue.typed(choice))) {
            self.console.show_answer(prompt, &typed)?;
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
            let line = match self.console.ask(&prompt)? {
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
                Some(kind) => typed::read_number(&line, kind, self.sitting.round()).map(Typed::Choice),
                None => typed::read(&line, self.sitting.round()),
            };
            match understood {
                Ok(Typed::Choice(choice)) if self.stays_with(choice)? => return Ok(Turn::Chose(choice)),
                Ok(Typed::Choice(_)) => kind = None,
                Ok(Typed::Kind(asked)) => kind = Some(asked),
                Err(why) => {
                    if !line.trim().is_empty() {
                        self.sitting.act(spoton::sitting::Command::Refuse(Refused::Illegal))?;
                    }
                    let why = self.colour.refusal(&why);
                    self.console.say(&why)?;
                }
            }
        }
    }

    /// Does what a command asks for; `None` if the question is to be asked again.
    fn obey(&mut self, command: Command, line: &str) -> Result<Option<Turn>, Failure> {
        let rulebook = self.sitting.rulebook();
        let answer = match command {
            Command::Help => {
                let (setup, counted) = (self.sitting.setup(), self.sitting.counts_help());
                let works = |command: Command| match command {
                    Command::Undo => setup.undo,
                    Command::Idea => !counted,
                    Command::Hint | Command::Why => !self.sitting.view().hides(Spoiler::Advice),
                    _ => true,
                };
                commands::help(&self.examples(), works)
            }
            Command::Rules => commands::rules_page(rulebook, self.sitting.view()),
            Command::Moves => self.tell(|dialogue| dialogue.all_moves()),
            Command::Hint | Command::Why if self.sitting.view().hides(Spoiler::Advice) => {
                // While today's duel counts, there are no ideas either.
                let instead = if self.sitting.counts_help() { "" } else { " Test your own rule with idea." };
                let told = format!("{}{instead} spoton discover off turns it off.", phrases::NO_ANSWERS);
                wrap(&told, "", "")
            }
            Command::Hint => fold(&self.or_refusal(Sitting::hint)?),
            Command::Why => fold(&self.or_refusal(|sitting| Ok(sitting.why()?.join("\n")))?),
            // Advice that the line of the day would not tell of.
            Command::Idea if self.sitting.counts_help() => match self.sitting.view().hides(Spoiler::Advice) {
                true => format!("{NO_IDEAS}."),
                false => format!("{NO_IDEAS}: hint and why help, and are counted."),
            },
            Command::Idea => {
                let idea = line.trim_start().chars().skip("idea".len()).collect::<String>();
                return self.test_idea(&idea);
            }
            Command::Finish => match self.sitting.forced_end()? {
                ForcedEnd::Line(line) => {
                    for a_move in line {
                        self.make(a_move)?;
                    }
                    return Ok(Some(Turn::LookAgain));
                }
                ForcedEnd::ChoicesLeft => "There are still choices to make.".to_owned(),
                ForcedEnd::TooLong => "The rest is too long to be played out.".to_owned(),
            },
            Command::Undo => match self.sitting.take_back() {
                Ok(taken_back) => {
                    self.console.say(&taken_back)?;
                    return Ok(Some(Turn::LookAgain));
                }
                Err(why_not) => why_not.to_string(),
            },
            Command::Save if self.sitting.a_program_plays() => PROGRAM_IS_NOT_KEPT.to_owned(),
            Command::Save => match self.sitting.autosave.save() {
                Ok(path) => format!("Saved as {}. The round goes on.", shown::path(&path)),
                // The round is worth more than the save: it goes on.
                Err(failure) => self.colour.refusal(&format!("Not saved: {failure}.")),
            },
            Command::Resign => {
                self.sitting.resign()?;
                return Ok(Some(Turn::LookAgain));
            }
            Command::Quit => return Ok(Some(Turn::Leave(Leaving::Quit))),
        };
        self.console.say(&answer)?;
        Ok(None)
    }

    /// How moves are written: all of them, or some that can be made now if there are many.
    fn examples(&self) -> String {
        let rulebook = self.sitting.rulebook();
        if rulebook.has_only_fixed_moves() {
            let asks_twice = rulebook.wording().menu() == Menu::Questions;
            let back = if asks_twice { ". An empty line goes back to the operation" } else { "" };
            return format!(": {}{back}", phrases::or_list(rulebook.moves()));
        }
        let offers: Vec<Offer> = rulebook.offers(self.sitting.round().position()).collect();
        // One of each entry.
        let of_entries = offers.chunk_by(|one, other| one.entry == other.entry);
        let legal = of_entries.filter_map(|of_entry| of_entry.iter().rfind(|offer| offer.result.is_ok()));
        format!(", such as {}", phrases::or_list(legal.map(|offer| rulebook.write_offer(offer))))
    }

    /// The question to ask; the second of two if the first was answered with a kind. Never coloured: the line
    /// editor has to know how long it is.
    fn prompt(&self, kind: Option<Kind>) -> String {
        let voice = self.voice(&|_, text| text);
        let dialogue = Dialogue { round: self.sitting.round(), voice: &voice };
        match kind {
            Some(kind) => dialogue.number_prompt(kind),
            None => dialogue.prompt(),
        }
    }

    fn tell<T>(&self, what: impl Fn(&Dialogue<'_>) -> T) -> T {
        let colour = self.colour;
        let paint = |tint: Tint, text: String| colour.tint(tint, &text);
        let voice = self.voice(&paint);
        what(&Dialogue { round: self.sitting.round(), voice: &voice })
    }

    fn voice<'v>(&'v self, paint: &'v dyn Fn(Tint, String) -> String) -> Voice<'v> {
        let setup = self.sitting.setup();
        let computers = ByPlayer::from_fn(|player: Player| !setup.is_person(player));
        Voice { names: &setup.names, computers, paint }
    }
}
