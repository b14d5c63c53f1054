//! How a command can fail, what is said then, and with which status it ends.

use std::io::{self, Write, stderr};
use std::path::Path;
use std::process::ExitCode;

use spoton::format::{BadGame, Problem, is_hidden, shown_lines};
use spoton::json;
use spoton::sitting::Cannot;
use spoton::solver::Unsolved;

use crate::output::Colour;
use crate::problems;
use crate::shown::{self, json_out};

#[derive(Debug)]
pub enum Failure {
    /// The reader of our output went away: end quietly.
    Closed,
    /// Interrupted by the player: the status says so, and nothing else needs saying.
    Interrupted,
    /// The question makes no sense as it was put.
    Usage(String),
    /// A rule book is not valid.
    Invalid(Vec<Problem>),
    /// It has all been said already; only the status is left.
    Told(u8),
    /// Looking ahead would take more memory or time than there is.
    TooLarge(Unsolved),
    /// It went wrong while running.
    Failed(String),
    /// An outside program does not answer.
    NoAnswer(String),
}

/// The exit status if an outside program has finished no round.
pub const NO_ANSWER: u8 = 3;

impl Failure {
    /// A failure to do something with a file, in words that name it.
    pub fn file(what: &str, path: &Path, error: &io::Error) -> Failure {
        Failure::Failed(format!("cannot {what} {}: {}", shown::path(path), plain(error)))
    }

    /// A failure to read a file that was named. A name that no file has, or that is a folder's, is a mistake in the question.
    pub fn reading(path: &Path, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::NotFound => Failure::Usage(format!("there is no file {}", shown::path(path))),
            io::ErrorKind::IsADirectory => Failure::Usage(Failure::file("read", path, error).to_string()),
            _ => Failure::file("read", path, error),
        }
    }

    /// The same, and what can be done where looking ahead takes too much.
    pub fn or_else_try(self, instead: &str) -> Failure {
        match self {
            Failure::TooLarge(why) => Failure::Failed(format!("{why}. {instead}")),
            other => other,
        }
    }

    /// What went wrong, in plain text; `None` if there is nothing to say.
    fn message(&self) -> Option<String> {
        match self {
            Failure::Closed | Failure::Interrupted | Failure::Told(_) => None,
            Failure::Usage(message) | Failure::Failed(message) | Failure::NoAnswer(message) => {
                Some(message.clone())
            }
            Failure::TooLarge(why) => Some(why.to_string()),
            Failure::Invalid(found) => {
                Some(found.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))
            }
        }
    }

    fn status(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Failed(_) | Failure::TooLarge(_) => 1,
            Failure::Usage(_) | Failure::Invalid(_) => 2,
            Failure::NoAnswer(_) => NO_ANSWER,
            Failure::Told(status) => *status,
            Failure::Interrupted => 130,
        }
    }

    /// Says what went wrong, as far as anybody still listens.
    pub fn tell(self, json: bool, colour: Colour) -> ExitCode {
        if let Some(message) = self.message() {
            let shown = match &self {
                Failure::Invalid(found) => problems::render(found, colour.for_errors()),
                _ => format!("spoton: {}\n", shown_lines(&message)),
            };
            // If even this fails, there is nobody left to tell.
            let _ = stderr().write_all(shown.as_bytes());
            if json {
                let _ = writeln!(json_out(), "{}", json::error(&message));
            }
        }
        ExitCode::from(self.status())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message().unwrap_or_default())
    }
}

impl From<Unsolved> for Failure {
    fn from(why: Unsolved) -> Failure {
        match why {
            Unsolved::Stopped { .. } => Failure::Interrupted,
            why => Failure::TooLarge(why),
        }
    }
}

impl From<Cannot> for Failure {
    fn from(cannot: Cannot) -> Failure {
        match cannot {
            Cannot::Unsolved(why) => why.into(),
            Cannot::BadGame(bad) => bad.into(),
            cannot => Failure::Failed(cannot.to_string()),
        }
    }
}

impl From<BadGame> for Failure {
    fn from(bad: BadGame) -> Failure {
        match bad {
            BadGame::Invalid(problems) => Failure::Invalid(problems.into()),
            bad => Failure::Usage(bad.to_string()),
        }
    }
}

/// Failing to write to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(format!("cannot write to standard output: {}", plain(&error))),
        }
    }
}

/// An error without the number that the system gives it.
pub fn plain(error: &io::Error) -> String {
    let message = error.to_string();
    match message.split_once(" (os error") {
        Some((message, _)) => message.to_owned(),
        None => message,
    }
}

/// What the parser of the command line has to say: an error, or the help that was asked for.
pub fn tell_usage(told: &clap::Error) -> ExitCode {
    let message = told.to_string();
    // Nothing in our own texts is hidden: what is comes from the command line, and is shown without colours.
    let printed = match message.contains(|c| is_hidden(c) && c != '\n') {
        true => write!(shown::err(), "{message}"),
        false => told.print(),
    };
    match printed {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Err(error) => return Failure::from(error).tell(false, Colour::none()),
    }
    let wants_json = std::env::args_os().any(|arg| arg == "--json");
    if told.use_stderr() && wants_json {
        // All that is wrong, without the usage that follows it.
        let wrong: Vec<&str> = message.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
        let wrong = wrong.join(" ");
        let _ = writeln!(json_out(), "{}", json::error(wrong.trim_start_matches("error: ")));
    }
    ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2))
}
