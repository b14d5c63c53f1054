//! `spoton bot engine`: an engine for tournaments and other programs.

use std::io::{Write, stdin};

use clap::Args;
use spoton::discovery::Spoiler;
use spoton::words::protocol::Reply;

use crate::args::{Entry, Memory, json_option, read};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::lines;
use crate::progress::refuse_if_hidden;
use crate::shown::out;

pub const COMMAND: Entry = Entry {
    group: Some("Programs"),
    name: "engine",
    about: "Run Spot On's engine on standard input and output",
    arguments: EngineArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const ENGINE_EXAMPLES: &str = "\
A short conversation:
  rules {start = 1, target = 20, moves = ['+1', 'x2']}
  position opening moves x2
  go perfect
The engine answers every line; the last answer is bestmove. See docs/engines.md.

To check your own engine, use spoton bot check COMMAND.";

#[derive(Args, Debug)]
#[command(after_help = ENGINE_EXAMPLES)]
pub struct EngineArgs {
    #[command(flatten)]
    pub memory: Memory,
}

pub fn run(args: &EngineArgs) -> Result<(), Failure> {
    refuse_if_hidden(&Folders::usual(), Spoiler::Values)?;
    let (mut out, mut input) = (out(), stdin().lock());
    let mut engine = Engine::new(args.memory.mebibytes << 20);
    let cannot = |error| Failure::Failed(format!("can't read standard input: {error}"));
    while let Some(line) = lines::next(&mut input).map_err(cannot)? {
        let replies = line.map_or_else(|why| vec![Reply::Error(why)], |line| engine.answer(&line));
        for reply in &replies {
            writeln!(out, "{reply}")?;
        }
        out.flush()?;
        if replies.last() == Some(&Reply::Bye) {
            break;
        }
    }
    Ok(())
}
