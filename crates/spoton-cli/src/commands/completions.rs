//! `spoton completions`: a shell script that asks this program for completions.

use std::io::{Write, stdout};

use clap_complete::env::Shells;

use crate::args::{Args, CompletionsArgs};
use crate::failure::Failure;

/// The environment variable that marks a completion request.
const ASKING: &str = "SPOTON_COMPLETE";

pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&args.shell.to_string()) {
        shell.write_registration(ASKING, "spoton", "spoton", "spoton", &mut script)?;
    }
    stdout().write_all(&script)?;
    Ok(())
}

/// Answers a completion request. Returns whether there was one.
pub fn answered() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    let env = clap_complete::CompleteEnv::with_factory(Args::definition).var(ASKING);
    env.try_complete(words, std::env::current_dir().ok().as_deref()).unwrap_or_else(|error| {
        let _ = error.print();
        true
    })
}
