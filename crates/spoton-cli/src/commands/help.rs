//! `spoton help`: does the same as the named command with `--help`.

use std::ffi::OsString;

use clap::Args;

use crate::args::{Entry, json_option, read};
use crate::failure::Failure;
use crate::output::Colour;

pub const COMMAND: Entry = Entry {
    group: Some("More"),
    name: "help",
    about: "Explain a command: help COMMAND (see also completions, man)",
    arguments: HelpArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

#[derive(Args, Debug)]
pub struct HelpArgs {
    /// A command, such as play or bot arena
    #[arg(value_parser = super::command_name(), hide_possible_values = true)]
    pub command: Vec<String>,
}

fn run(args: &HelpArgs, colour: Colour) -> Result<(), Failure> {
    let words = args.command.iter().map(OsString::from);
    let words = [OsString::from("spoton")].into_iter().chain(words).chain(["--help".into()]);
    // This is an `Err` that prints the help, unless the words end with `--`.
    let asked = super::parse(words.collect())?;
    asked.command.map_or(Ok(()), |(command, matches)| (command.run)(&matches, colour))
}
