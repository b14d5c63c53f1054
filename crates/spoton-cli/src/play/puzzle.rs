//! `spoton puzzle`: puzzles in lines.

use std::io::Write;

use spoton::json;
use spoton::people::puzzle::{self, Attempt, Served, State, TASK};
use spoton::people::solved_game::SolvedGames;
use spoton::sitting::discovery::{Spoiler, View};
use spoton::words::describe;
use spoton::words::page::wrap;
use spoton::words::typed::{self, Typed};

use super::commands::{Command, rules_page};
use super::console::{self, Answer, Console};
use crate::args::PuzzleArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress::view;
use crate::puzzles::Desk;
use crate::shown::answer_out;
use crate::signals;
use crate::sitting::autosave::Autosave;
use crate::solving;

/// The answer to `help`. With discovery on, nobody is shown what would have won.
fn help(discover: bool) -> String {
    let resign = if discover { "give up" } else { "give up, and see what would have won" };
    format!(
        "\
Type what stands before a line, or a move as it is written, such as +1.
You can also type:
  help    this list
  rules   the rules of this game
  moves   what each operation would give now
  resign  {resign}
  quit    leave; a puzzle that is not over does not count
There are no hints in a puzzle, and no move is taken back."
    )
}

pub fn run(args: &PuzzleArgs, colour: Colour) -> Result<(), Failure> {
    let folders = Folders::usual();
    let desk = match &args.game {
        Some(name) => Desk::of_game(game::find(name, &args.changes)?, &folders)?,
        None if args.changes.variant.is_some() || !args.changes.settings.is_empty() => {
            return Err(Failure::Usage("--variant, --set and --target change a game: name it".to_owned()));
        }
        None => Desk::of_all(&folders)?,
    };
    if let Some(trouble) = desk.trouble() {
        // There are puzzles all the same.
        trouble.tell(false, Colour::none());
    }
    let games = solving::games(args.memory.mebibytes);
    if args.json {
        let next = desk.next(&games)?;
        let answer = next.map_or_else(|why| json::no_puzzle(&why), |served| json::puzzle(&served));
        writeln!(answer_out(true), "{answer}")?;
        return Ok(());
    }
    let mut console = console::open(colour)?;
    signals::watch(Autosave::new(folders.clone()))
        .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
    let view = view(&folders);
    Table { desk, games, console: console.as_mut(), colour, view, has_said: false }.run()
}

struct Table<'a> {
    desk: Desk,
    games: SolvedGames,
    console: &'a mut dyn Console,
    colour: Colour,
    view: View,
    /// Whether it has been said what a puzzle is.
    has_said: bool,
}

impl Table<'_> {
    /// One puzzle after another on a terminal; on a pipe, one.
    fn run(&mut self) -> Result<(), Failure> {
        loop {
            match self.desk.next(&self.games)? {
                Ok(served) => {
                    if !self.try_one(served)? {
                        return Ok(());
                    }
                }
                Err(why) => {
                    self.say(&why)?;
                    if let Some(elsewhere) = self.desk.elsewhere() {
                        self.say(&elsewhere)?;
                    }
                    return Ok(());
                }
            }
            if !self.console.is_terminal() || !self.wants_another()? {
                return Ok(());
            }
            self.console.say("")?;
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.console.say(&wrap(text, "", ""))?)
    }

    fn aside(&mut self, text: &str) -> Result<(), Failure> {
        let text = self.colour.aside(&wrap(text, "", ""));
        Ok(self.console.say(&text)?)
    }

    /// Tries a puzzle; whether it came to an end.
    fn try_one(&mut self, served: Served) -> Result<bool, Failure> {
        let rulebook = served.rulebook().clone();
        self.say(&format!("{TASK}: {}", describe::title(&served.game, &rulebook)))?;
        self.say(&describe::at_a_glance(&rulebook))?;
        for said in self.desk.about(&served) {
            self.aside(&said)?;
        }
        self.aside(&puzzle::grade_in_words(served.grade()))?;
        if self.console.is_terminal() && !std::mem::replace(&mut self.has_said, true) {
            self.aside("Hold the win against the best defence. Type help to see what you can type.")?;
        }
        let mut attempt = Attempt::begin(served);
        while attempt.is_open() {
            self.console.say("")?;
            self.say(&puzzle::stands(attempt.round()))?;
            self.console.say(&puzzle::choices(attempt.round()))?;
            if !self.turn(&mut attempt)? {
                return Ok(false);
            }
        }
        self.console.say("")?;
        match attempt.state() {
            State::Open => {}
            State::Solved => self.say(&format!("Solved. {}", puzzle::solved(&attempt)))?,
            State::Missed(proof) => {
                for said in puzzle::proof(&attempt, proof, self.view.hides(Spoiler::Values)) {
                    self.say(&said)?;
                }
            }
        }
        match (self.desk.note(&attempt), attempt.state()) {
            (Ok(()), State::Missed(_)) => self.aside("It comes back tomorrow.")?,
            (Ok(()), _) => {}
            (Err(failure), _) => {
                // The puzzle was tried all the same; it will come again.
                self.aside(puzzle::NOT_KEPT)?;
                failure.tell(false, Colour::none());
            }
        }
        Ok(true)
    }

    /// Asks for a move until there is one; `false` if somebody leaves.
    fn turn(&mut self, attempt: &mut Attempt) -> Result<bool, Failure> {
        loop {
            let line = match self.console.ask("Your move: ")? {
                Answer::Line(line) => line,
                Answer::End => return Ok(false),
                Answer::Interrupted => return Err(Failure::Interrupted),
            };
            if line.trim().eq_ignore_ascii_case("give up") {
                attempt.give_up();
                return Ok(true);
            }
            match Command::read(&line) {
                Some(Command::Help) => self.console.say(&help(self.view.hides(Spoiler::Values)))?,
                Some(Command::Rules) => {
                    self.console.say(&rules_page(attempt.round().rulebook(), self.view))?
                }
                Some(Command::Moves) => self.console.say(&puzzle::choices(attempt.round()))?,
                Some(Command::Resign) => {
                    attempt.give_up();
                    return Ok(true);
                }
                Some(Command::Quit) => return Ok(false),
                Some(Command::Hint | Command::Why | Command::Idea) => {
                    let shows =
                        if self.view.hides(Spoiler::Values) { "" } else { " and shows what would have won" };
                    self.say(&format!("There are no hints in a puzzle. resign gives up{shows}."))?;
                }
                Some(Command::Undo | Command::Save | Command::Finish) => {
                    self.say("That cannot be done in a puzzle. Type a move, or help.")?;
                }
                None => match typed::read(&line, attempt.round()) {
                    Ok(Typed::Choice(choice)) => {
                        let since = attempt.round().history().len();
                        attempt.play(choice);
                        let told = puzzle::told_since(attempt.round(), since, attempt.solver());
                        self.say(&told.join(" "))?;
                        return Ok(true);
                    }
                    Ok(Typed::Kind(_)) => self.say("Please type the whole move, such as +1.")?,
                    Err(why) => {
                        let why = self.colour.refusal(&why);
                        self.console.say(&why)?;
                    }
                },
            }
        }
    }

    fn wants_another(&mut self) -> Result<bool, Failure> {
        self.console.say("")?;
        loop {
            match self.console.ask("Another one? [Y/n] ")? {
                Answer::Line(line) => match line.trim().to_lowercase().as_str() {
                    "" | "y" | "yes" => return Ok(true),
                    "n" | "no" | "q" | "quit" | "exit" => return Ok(false),
                    _ => self.console.say("Please answer y or n.")?,
                },
                Answer::End => return Ok(false),
                Answer::Interrupted => return Err(Failure::Interrupted),
            }
        }
    }
}
