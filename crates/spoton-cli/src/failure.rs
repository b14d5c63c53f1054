//! Failures of commands: their messages and exit statuses.

use std::io::{self, Write, stderr};
use std::path::Path;
use std::process::ExitCode;

use spoton::format::{BadGame, Problem, is_hidden, shown_lines};
use spoton::json;
use spoton::sitting::Cannot;
use spoton::solver::Unsolved;
use spoton_host::{BadFile, NoGame};

use crate::output::Colour;
use crate::problems;
use crate::shown::{self, json_out};

#[derive(Debug)]
pub enum Failure {
    /// Broken pipe: exit quietly.
    Closed,
    /// The player interrupted the program: an exit status without a message.
    Interrupted,
    /// A mistake in the command line, or in a file named there.
    Usage(String),
    /// A rule book is invalid.
    Invalid(Vec<Problem>),
    /// Already reported: an exit status without a message.
    Reported(u8),
    /// The solver would need too much memory or time.
    TooLarge(Unsolved),
    /// A runtime error.
    Failed(String),
    /// An outside program doesn't answer.
    NoAnswer(String),
    /// The command line parser's `Err`: a usage error, help or the version.
    CommandLine(clap::Error),
}

/// The exit status if an outside program didn't finish any round.
pub const NO_ANSWER: u8 = 3;

impl Failure {
    /// A failed file operation, with the path in its message.
    pub fn file(what: &str, path: &Path, error: &io::Error) -> Failure {
        Failure::Failed(format!("can't {what} {}: {}", shown::path(path), plain(error)))
    }

    /// A failure to read a file named on the command line. If the file is missing or is a folder, that's a usage error.
    pub fn reading(path: &Path, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::NotFound => Failure::Usage(format!("there is no file {}", shown::path(path))),
            io::ErrorKind::IsADirectory => {
                Failure::Usage(format!("can't read {}: it's a folder", shown::path(path)))
            }
            _ => Failure::file("read", path, error),
        }
    }

    /// Adds advice to a [`Failure::TooLarge`].
    pub fn or_else_try(self, instead: &str) -> Failure {
        match self {
            Failure::TooLarge(why) => Failure::Failed(format!("{why}. {instead}")),
            other => other,
        }
    }

    /// The message as plain text, if there is one.
    fn message(&self) -> Option<String> {
        match self {
            Failure::Closed | Failure::Interrupted | Failure::Reported(_) | Failure::CommandLine(_) => None,
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
            Failure::Reported(status) => *status,
            Failure::Interrupted => 130,
            Failure::CommandLine(told) => u8::try_from(told.exit_code()).unwrap_or(2),
        }
    }

    /// Reports the failure. Ignores a closed standard error.
    pub fn tell(self, json: bool, colour: Colour) -> ExitCode {
        if let Failure::CommandLine(told) = self {
            return tell_usage(&told);
        }
        if let Some(message) = self.message() {
            let shown = match &self {
                Failure::Invalid(found) => problems::render(found, colour.for_errors()),
                _ => format!("spoton: {}\n", shown_lines(&message)),
            };
            let _ = stderr().write_all(shown.as_bytes());
            if json {
                let _ = json_out().answer(&json::error(&message));
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

impl From<clap::Error> for Failure {
    fn from(told: clap::Error) -> Failure {
        Failure::CommandLine(told)
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

impl From<NoGame> for Failure {
    fn from(none: NoGame) -> Failure {
        match none {
            NoGame::BadFile(bad) => bad.into(),
            none => Failure::Usage(none.to_string()),
        }
    }
}

impl From<BadFile> for Failure {
    fn from(bad: BadFile) -> Failure {
        match bad {
            BadFile::Unreadable { path, error } => Failure::reading(&path, &error),
            bad => Failure::Usage(bad.to_string()),
        }
    }
}

/// A failed write to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(format!("can't write to standard output: {}", plain(&error))),
        }
    }
}

/// An error message without the system's error number.
pub fn plain(error: &io::Error) -> String {
    let message = error.to_string();
    match message.split_once(" (os error") {
        Some((message, _)) => message.to_owned(),
        None => message,
    }
}

/// Prints the command line parser's `Err`.
fn tell_usage(told: &clap::Error) -> ExitCode {
    let message = told.to_string();
    // Our own texts have no hidden characters. Any that appear come from the command line, so escape them.
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
        // Only the error, without the usage.
        let wrong: Vec<&str> = message.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
        let wrong = wrong.join(" ");
        let _ = json_out().answer(&json::error(wrong.trim_start_matches("error: ")));
    }
    ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2))
}
