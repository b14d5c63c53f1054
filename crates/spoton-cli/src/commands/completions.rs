//! `spoton completions`: a shell script that asks this program for completions.

use std::io::{Write, stdout};

use clap::Args;
use clap_complete::env::Shells;

use crate::args::{Entry, json_option, read};
use crate::failure::Failure;

pub const COMMAND: Entry = Entry {
    group: None,
    name: "completions",
    about: "Print a completion script for a shell",
    arguments: CompletionsArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

/// The environment variable that marks a completion request.
const ASKING: &str = "SPOTON_COMPLETE";

fn run(args: &CompletionsArgs) -> Result<(), Failure> {
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
    let env = clap_complete::CompleteEnv::with_factory(super::definition).var(ASKING);
    env.try_complete(words, std::env::current_dir().ok().as_deref()).unwrap_or_else(|error| {
        let _ = error.print();
        true
    })
}
