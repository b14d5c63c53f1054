//! A command: how it appears in the help, its arguments, and what it does.

use clap::parser::ArgMatches;
use clap::{Command, Error, FromArgMatches};

use crate::failure::Failure;
use crate::output::Colour;

/// A command. Each has its own file.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its heading on the help screen. Help, man pages and completions don't list a command without one.
    pub group: Option<&'static str>,
    pub name: &'static str,
    /// A description on one line.
    pub about: &'static str,
    /// Adds its arguments.
    pub arguments: fn(Command) -> Command,
    /// Whether errors should also be JSON.
    pub json: fn(&ArgMatches) -> bool,
    pub run: fn(&ArgMatches, Colour) -> Result<(), Failure>,
}

impl Entry {
    /// The command as part of the program's definition.
    pub fn definition(&self) -> Command {
        let command = (self.arguments)(Command::new(self.name));
        // The documentation of shared options must not become the command's.
        command.about(self.about).long_about(None).hide(self.group.is_none())
    }
}

/// Finds the subcommand that the user invoked, with its arguments.
pub fn asked(
    entries: impl IntoIterator<Item = &'static Entry>,
    matches: &ArgMatches,
) -> Option<(&'static Entry, &ArgMatches)> {
    let (name, arguments) = matches.subcommand()?;
    Some((entries.into_iter().find(|entry| entry.name == name)?, arguments))
}

/// Reads a command's arguments.
pub fn read<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Error> {
    A::from_arg_matches(matches)
}

/// Whether the command has `--json` and the user passed it.
pub fn json_option(matches: &ArgMatches) -> bool {
    matches.try_get_one("json").ok().flatten().copied().unwrap_or(false)
}
