//! `spoton man`: the man page, from the same definition as the help.

use std::io::{Write, stdout};

use clap_mangen::Man;

use crate::args::{Args, ManArgs};
use crate::failure::Failure;

pub fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut definition = Args::definition();
    definition.build();
    let command = match &args.command {
        None => definition,
        Some(name) => match definition.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let known = definition.get_subcommands().map(clap::Command::get_name);
                let known: Vec<&str> = known.collect();
                let message = format!("spoton has no command \"{name}\"; it has {}", known.join(", "));
                return Err(Failure::Usage(message));
            }
        },
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    stdout().write_all(&page)?;
    Ok(())
}
