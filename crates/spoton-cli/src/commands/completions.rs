//! `spoton completions`: a script for a shell, which asks this program what to offer.

use std::io::{Write, stdout};

use clap_complete::env::Shells;

use crate::args::{Args, CompletionsArgs};
use crate::failure::Failure;

/// The environment variable by which a shell asks for completions.
const ASKING: &str = "SPOTON_COMPLETE";

pub fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&args.shell.to_string()) {
        shell.write_registration(ASKING, "spoton", "spoton", "spoton", &mut script)?;
    }
    stdout().write_all(&script)?;
    Ok(())
}

/// Answers a shell that asks what to offer, and says whether one did.
pub fn answered() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    let env = clap_complete::CompleteEnv::with_factory(Args::definition).var(ASKING);
    env.try_complete(words, std::env::current_dir().ok().as_deref()).unwrap_or_else(|error| {
        let _ = error.print();
        true
    })
}
