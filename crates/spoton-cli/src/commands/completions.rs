//! `spoton completions`: for a shell.

use std::io::{Write, stdout};

use crate::args::{Args, CompletionsArgs};
use crate::failure::Failure;

pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    // Made in memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::definition(), "spoton", &mut script);
    stdout().write_all(&script)?;
    Ok(())
}
