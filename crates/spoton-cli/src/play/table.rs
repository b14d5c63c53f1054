//! One round, turn by turn, until it ends or the player leaves.

use spoton::engine::operation::{Kind, Operation};
use spoton::engine::play::Move;
use spoton::engine::position::{ByPlayer, Choice, Player};
use spoton::format::Menu;
use spoton::records::Refused;
use spoton::sitting::Cannot;
use spoton::teach::forced::ForcedEnd;
use spoton::view::{TableView, Viewer, WhyNot};
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

/// How the player left an unfinished round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    Quit,
    EndOfInput,
    Interrupted,
}

/// The result of a turn.
pub enum Turn {
    Chose(Choice),
    /// The position changed or the round is over.
    LookAgain,
    /// Play a side round from this number to show why an idea fails.
    PlayOut(i64),
    Leave(Leaving),
}

const NO_IDEAS: &str = "You can't test ideas while today's duel counts.";

/// The usual width of a terminal.
const TERMINAL: usize = 80;

/// Wraps lines longer than a terminal at words.
fn wrap_lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| match line.chars().count() > TERMINAL {
        true => wrap(line, "", ""),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Session<'_> {
    /// Plays the round to its end, or until the player leaves.
    pub fn play(&mut self, from_the_opening: bool) -> Result<Option<Leaving>, Failure> {
        self.sitting.note();
        let mut printed = false;
        // The moves reported so far. A new round may begin with a skipped turn.
        let mut reported = if from_the_opening { 0 } else { self.plies() };
        if from_the_opening && let Some(opening) = self.tell(|dialogue| dialogue.opening()) {
            let opening = if self.console.is_terminal() { wrap_lines(&opening) } else { opening };
            self.console.say(&opening)?;
            if let Some(known) = self.out_of_reach() {
                self.console.say(&self.colour.aside(&known))?;
            }
            printed = true;
        } else if from_the_opening && self.console.is_terminal() {
            // If the book has no opening sentence, a terminal still shows how to win.
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
            // The last choice is already reported, but not the forced skips after it.
            if reported < self.plies() {
                self.report(reported)?;
                reported += 1;
                continue;
            }
            if self.sitting.round().outcome().is_some() {
                if let Some(ending) = self.tell(|dialogue| dialogue.ending()) {
                    self.console.say(&ending)?;
                }
                return Ok(None);
            }
            let is_person = self.sitting.setup().is_person(self.sitting.round().position().turn());
            // A terminal skips the menu of a turn that isn't the player's.
            if !is_person && self.console.is_terminal() {
                self.computers_line()?;
                reported = (reported + 1).min(self.plies());
                continue;
            }
            let turn = self.tell(|dialogue| dialogue.turn());
            if !turn.is_empty() {
                self.console.say(&turn)?;
            }
            let turn = if is_person { self.persons_turn()? } else { self.computers_turn()? };
            match turn {
                Turn::Chose(choice) => {
                    self.sitting.make(choice)?;
                    self.report(reported)?;
                    reported += 1;
                }
                Turn::LookAgain => reported = self.plies(),
                Turn::PlayOut(number) => self.play_out(number)?,
                Turn::Leave(leaving) => return Ok(Some(leaving)),
            }
        }
    }

    /// The number of moves and skipped turns so far.
    fn plies(&self) -> usize {
        self.sitting.round().history().len()
    }

    /// Reports a move or a skipped turn.
    fn report(&mut self, place: usize) -> Result<(), Failure> {
        if let Some(moved) = self.tell(|dialogue| dialogue.moved(place)).filter(|moved| !moved.is_empty()) {
            self.console.say(&moved)?;
        }
        Ok(())
    }

    /// The note on a terminal that no player can land on the target.
    fn out_of_reach(&self) -> Option<String> {
        let known = self.sitting.games().game(self.sitting.rulebook()).out_of_reach(self.sitting.view());
        known.filter(|_| self.console.is_terminal())
    }

    /// How to win.
    pub(super) fn goal(&self) -> String {
        describe::goal_knowing(self.sitting.rulebook(), self.out_of_reach().as_deref())
    }

    /// Plays a computer's turn and reports it in one line.
    fn computers_line(&mut self) -> Result<(), Failure> {
        let Some(choice) = self.sitting.others_choice()? else { return Ok(()) };
        let place = self.plies();
        self.sitting.make(choice)?;
        if let Some(line) = self.tell(|dialogue| dialogue.moved_in_short(place)) {
            self.console.say(&line)?;
        }
        Ok(())
    }

    /// Prints a computer's choice like typed input, for the transcript of a piped round.
    fn computers_turn(&mut self) -> Result<Turn, Failure> {
        let Some(choice) = self.sitting.others_choice()? else { return Ok(Turn::LookAgain) };
        let kind = self.sitting.rulebook().operation(choice).map(Operation::kind);
        let prompts = [self.prompt(None), self.prompt(kind)];
        for (prompt, typed) in prompts.iter().zip(self.tell(|dialogue| dialogue.typed(choice))) {
            self.console.show_answer(prompt, &typed)?;
        }
        Ok(Turn::Chose(choice))
    }

    /// Asks the player until there is a valid answer.
    fn persons_turn(&mut self) -> Result<Turn, Failure> {
        self.announce_finish()?;
        self.offer_hint()?;
        // The first of the turn's two answers.
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

    /// Runs a command. Returns `None` if the question is to be asked again.
    fn obey(&mut self, command: Command, line: &str) -> Result<Option<Turn>, Failure> {
        let rulebook = self.sitting.rulebook();
        let answer = match command {
            Command::Help => {
                let requests = self.view().requests;
                let works = |command: Command| match command {
                    Command::Undo => requests.undo != Err(WhyNot::Cannot(Cannot::UndoIsOff)),
                    Command::Idea => requests.idea != Err(WhyNot::Counts),
                    Command::Hint | Command::Why => requests.hint.is_ok(),
                    _ => true,
                };
                commands::help(&self.examples(), works)
            }
            Command::Rules => commands::rules_page(rulebook, self.sitting.view()),
            Command::Moves => self.tell(|dialogue| dialogue.all_moves()),
            Command::Hint | Command::Why if self.view().requests.hint == Err(WhyNot::Discovery) => {
                // Ideas can't be tested while today's duel counts.
                let counts = self.view().requests.idea == Err(WhyNot::Counts);
                let instead = if counts { "" } else { " Type idea to test a rule." };
                let told =
                    format!("{}{instead} To turn it off: spoton config discovery off", phrases::NO_ANSWERS);
                wrap(&told, "", "")
            }
            Command::Hint => fold(&self.or_refusal(Sitting::hint)?),
            Command::Why => fold(&self.or_refusal(|sitting| Ok(sitting.why()?.join("\n")))?),
            // The day's score doesn't record idea tests.
            Command::Idea if self.view().requests.idea == Err(WhyNot::Counts) => {
                match self.view().requests.hint.is_ok() {
                    false => NO_IDEAS.to_owned(),
                    true => format!("{NO_IDEAS} You can use hint and why, but they're recorded."),
                }
            }
            Command::Idea => {
                let idea = line.trim_start().chars().skip("idea".len()).collect::<String>();
                return self.test_idea(&idea);
            }
            Command::Finish => match self.sitting.forced_end()? {
                ForcedEnd::Line(line) => {
                    let mut reported = self.plies();
                    for choice in line.into_iter().filter_map(Move::choice) {
                        self.sitting.make(choice)?;
                        for place in reported..self.plies() {
                            self.report(place)?;
                        }
                        reported = self.plies();
                    }
                    return Ok(Some(Turn::LookAgain));
                }
                ForcedEnd::ChoicesLeft => "There are still choices to make.".to_owned(),
                ForcedEnd::TooLong => "The rest is too long to play out.".to_owned(),
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
                Ok(path) => format!("Saved to {}. Keep playing.", shown::path(&path)),
                // A failed save doesn't end the round.
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

    /// The table as the person at the keyboard sees it.
    fn view(&self) -> TableView<'_> {
        TableView::new(&self.sitting, Viewer::at_keyboard(&self.sitting))
    }

    /// How to write moves: all of them, or examples of legal ones if amounts vary.
    fn examples(&self) -> String {
        let rulebook = self.sitting.rulebook();
        if rulebook.has_only_fixed_moves() {
            let asks_twice = rulebook.wording().menu() == Menu::Questions;
            let back = if asks_twice { ". Press Enter to go back to the first question" } else { "" };
            return format!(": {}{back}", phrases::or_list(rulebook.moves()));
        }
        let moves = self.view().moves;
        // One example per entry.
        let of_entries = moves.chunk_by(|one, other| one.offer.entry == other.offer.entry);
        let legal = of_entries.filter_map(|of_entry| of_entry.iter().rfind(|a_move| a_move.is_legal()));
        format!(", such as {}", phrases::or_list(legal.map(|a_move| &a_move.written)))
    }

    /// The prompt: the second of two if the first was answered with a kind. Never coloured, because the line editor
    /// measures it.
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
