//! `spoton puzzle`: puzzles in line mode.

use std::ffi::OsString;

use clap::Args;
use spoton::discovery::{Spoiler, View};
use spoton::json;
use spoton::solved::SolvedGames;
use spoton::teach::puzzle::{Attempt, AttemptState, Served};
use spoton::words::page::wrap;
use spoton::words::puzzle::TASK;
use spoton::words::typed::{self, Typed};
use spoton::words::{self, describe};

use super::commands::{Command, rules_page};
use super::console::{self, Answer, Console};
use crate::args::{ChangeArgs, Entry, Memory, json_option, read, suggest};
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

pub const COMMAND: Entry = Entry {
    group: Some("Play"),
    name: "puzzle",
    about: "Solve a puzzle: find the hidden win",
    arguments: PuzzleArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

const PUZZLE_EXAMPLES: &str = "\
Examples:
  spoton puzzle
  spoton puzzle number-maze
  spoton puzzle maze --target 34
  spoton puzzle my-game.toml
  spoton puzzle --json      (one puzzle, without its solution)

A wrong move ends a puzzle and shows why. You can try it again the next day.
Puzzles that you have solved don't come back. If a game has no puzzles, Spot On
reports that, and the exit status is 0.";

#[derive(Args, Debug)]
#[command(after_help = PUZZLE_EXAMPLES)]
pub struct PuzzleArgs {
    /// Game id, part of an id, or rule book file [default: rotate through the games]
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    #[command(flatten)]
    pub memory: Memory,

    /// Print one puzzle as JSON, without its solution
    #[arg(long)]
    pub json: bool,
}

/// The answer to `help`. In discovery mode, giving up doesn't reveal the answer.
fn help(discover: bool) -> String {
    let resign = if discover { "give up" } else { "give up and see the answer" };
    format!(
        "\
Type the key in front of a move, or the move itself, such as +1.
You can also type:
  help    show this list
  rules   show the rules
  moves   show the result of each move
  resign  {resign}
  quit    leave; an unfinished puzzle doesn't count
Puzzles have no hints and no undo."
    )
}

fn run(args: &PuzzleArgs, colour: Colour) -> Result<(), Failure> {
    let folders = Folders::usual();
    let desk = match &args.game {
        Some(name) => Desk::of_game(game::find(name, &args.changes)?, &folders)?,
        None if args.changes.variant.is_some() || !args.changes.settings.is_empty() => {
            return Err(Failure::Usage(
                "--variant, --rule and --target need a game. Add its name.".to_owned(),
            ));
        }
        None => Desk::of_all(&folders)?,
    };
    if let Some(trouble) = desk.trouble() {
        // Puzzles also work without stored results.
        trouble.tell(false, Colour::none());
    }
    let games = solving::games(args.memory.mebibytes);
    if args.json {
        match desk.next(&games)? {
            Ok(served) => answer_out(true).answer(&json::puzzle(&served))?,
            Err(why) => answer_out(true).answer(&json::no_puzzle(&why))?,
        }
        return Ok(());
    }
    let mut console = console::open(colour)?;
    signals::watch(Autosave::new(folders.clone()))
        .map_err(|error| Failure::Failed(format!("can't set up signal handlers: {error}")))?;
    let view = view(&folders);
    Table { desk, games, console: console.as_mut(), colour, view, has_said: false }.run()
}

struct Table<'a> {
    desk: Desk,
    games: SolvedGames,
    console: &'a mut dyn Console,
    colour: Colour,
    view: View,
    /// Whether puzzles have been explained.
    has_said: bool,
}

impl Table<'_> {
    /// Serves puzzles until the player stops; only one on a pipe.
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

    /// Plays a puzzle. Returns whether it was finished.
    fn try_one(&mut self, served: Served) -> Result<bool, Failure> {
        let rulebook = served.rulebook().clone();
        self.say(&format!("{TASK}: {}", describe::title(&served.game, &rulebook)))?;
        self.say(&describe::at_a_glance(&rulebook))?;
        for said in self.desk.about(&served) {
            self.aside(&said)?;
        }
        self.aside(&words::puzzle::grade_in_words(served.grade()))?;
        if self.console.is_terminal() && !std::mem::replace(&mut self.has_said, true) {
            self.aside("Keep the win against the best defence. Type help for the list of commands.")?;
        }
        let mut attempt = Attempt::begin(served);
        while attempt.is_open() {
            self.console.say("")?;
            self.say(&words::puzzle::status(attempt.round()))?;
            self.console.say(&words::puzzle::choices(attempt.round()))?;
            if !self.turn(&mut attempt)? {
                return Ok(false);
            }
        }
        self.console.say("")?;
        match attempt.state() {
            AttemptState::Open => {}
            AttemptState::Solved => self.say(&format!("Solved. {}", words::puzzle::solved(&attempt)))?,
            AttemptState::Missed(proof) => {
                for said in words::puzzle::proof(&attempt, proof, self.view.hides(Spoiler::Values)) {
                    self.say(&said)?;
                }
            }
        }
        match (self.desk.note(&attempt), attempt.state()) {
            (Ok(()), AttemptState::Missed(_)) => self.aside("You'll see it again tomorrow.")?,
            (Ok(()), _) => {}
            (Err(failure), _) => {
                // The attempt still counts here; only its saved result is lost.
                self.aside(words::puzzle::NOT_KEPT)?;
                failure.tell(false, Colour::none());
            }
        }
        Ok(true)
    }

    /// Asks until there is a move. Returns `false` if the player leaves.
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
                Some(Command::Moves) => self.console.say(&words::puzzle::choices(attempt.round()))?,
                Some(Command::Resign) => {
                    attempt.give_up();
                    return Ok(true);
                }
                Some(Command::Quit) => return Ok(false),
                Some(Command::Hint | Command::Why | Command::Idea) => {
                    let shows = if self.view.hides(Spoiler::Values) { "" } else { " and see the answer" };
                    self.say(&format!("Puzzles have no hints. Type resign to give up{shows}."))?;
                }
                Some(Command::Undo | Command::Save | Command::Finish) => {
                    self.say("That doesn't work in a puzzle. Type a move or help.")?;
                }
                None => match typed::read(&line, attempt.round()) {
                    Ok(Typed::Choice(choice)) => {
                        let since = attempt.round().history().len();
                        attempt.play(choice);
                        let told = words::puzzle::told_since(attempt.round(), since, attempt.solver());
                        self.say(&told.join(" "))?;
                        return Ok(true);
                    }
                    Ok(Typed::Kind(_)) => self.say("Type the whole move, such as +1.")?,
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
                    _ => self.console.say("Type y or n.")?,
                },
                Answer::End => return Ok(false),
                Answer::Interrupted => return Err(Failure::Interrupted),
            }
        }
    }
}
