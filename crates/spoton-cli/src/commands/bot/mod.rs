//! `spoton bot`: commands for people who evaluate programs, one file each.

pub mod arena;
pub mod bench;
pub mod check;
pub mod engine;

use clap::{ArgMatches, Command};

use crate::args::{Entry, asked};
use crate::failure::Failure;
use crate::output::Colour;

pub const COMMAND: Entry = Entry {
    group: Some("Programs"),
    name: "bot",
    about: "Run and measure programs: arena, bench, engine, check",
    arguments,
    json: |matches| asked(BOT, matches).is_some_and(|(command, matches)| (command.json)(matches)),
    run,
};

/// The commands after `bot`, in the order of its help.
const BOT: &[Entry] = &[arena::COMMAND, bench::COMMAND, engine::COMMAND, check::COMMAND];

fn arguments(command: Command) -> Command {
    let command = command.subcommands(BOT.iter().map(Entry::definition));
    command.subcommand_required(true).arg_required_else_help(true)
}

fn run(matches: &ArgMatches, colour: Colour) -> Result<(), Failure> {
    match asked(BOT, matches) {
        Some((command, matches)) => (command.run)(matches, colour),
        // The parser requires a command.
        None => Ok(()),
    }
}
