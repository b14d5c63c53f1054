//! `spoton bot check`: checks that an engine follows the protocol.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use spoton::discovery::Spoiler;

use crate::args::{Entry, json_option, read};
use crate::engine;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::refuse_if_hidden;
use crate::shown::answer_out;
use crate::signals;
use crate::sitting::autosave::Autosave;

pub const COMMAND: Entry = Entry {
    group: Some("Programs"),
    name: "check",
    about: "Check that an engine follows the protocol",
    arguments: BotCheckArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const CHECK_EXAMPLES: &str = "\
Examples:
  spoton bot check \"./my-engine\"
  spoton bot check \"python3 my-engine.py\" --json

The exit status is 0 if the engine follows every rule of the protocol, else 1.
See docs/engines.md.";

#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct BotCheckArgs {
    /// The engine's command
    #[arg(value_name = "COMMAND")]
    pub check: String,

    /// Time limit per answer in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub answer_time: u64,

    /// Print the report as a JSON object
    #[arg(long)]
    pub json: bool,
}

/// Whether an engine follows the protocol's rules.
#[derive(Serialize)]
struct CheckedEngine<'a> {
    /// The engine's command.
    engine: &'a str,
    /// Whether it follows all of them.
    conforms: bool,
    rules: Vec<CheckedRule<'a>>,
}

#[derive(Serialize)]
struct CheckedRule<'a> {
    /// The rule as a sentence.
    rule: &'a str,
    /// Whether the engine follows it.
    kept: bool,
    /// How it breaks the rule, or a remark.
    said: Option<&'a String>,
}

/// Checks an engine and reports on each rule of the protocol.
pub fn run(args: &BotCheckArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    refuse_if_hidden(&folders, Spoiler::Values)?;
    // A signal also ends the engine.
    signals::watch(Autosave::new(folders))
        .map_err(|error| Failure::Failed(format!("can't set up signal handlers: {error}")))?;
    let mut out = answer_out(args.json);
    let mut findings = Vec::new();
    for (rule, finding) in engine::check::all(&args.check, Duration::from_millis(args.answer_time)) {
        let finding = finding?;
        if !args.json {
            let (mark, said) = match &finding {
                Ok(None) => ("passed", String::new()),
                Ok(Some(remark)) => ("passed", format!("\n        {remark}")),
                Err(why) => ("FAILED", format!("\n        {why}")),
            };
            writeln!(out, "{mark}  {rule}{said}")?;
            out.flush()?;
        }
        findings.push((rule, finding));
    }
    let broken = findings.iter().filter(|(_, finding)| finding.is_err()).count();
    if args.json {
        let rules = findings.iter().map(|(rule, finding)| CheckedRule {
            rule,
            kept: finding.is_ok(),
            said: finding.as_ref().map_or_else(Some, Option::as_ref),
        });
        let rules = rules.collect();
        out.answer(&CheckedEngine { engine: &args.check, conforms: broken == 0, rules })?;
    } else if broken == 0 {
        writeln!(out, "\nThe engine follows all {} rules.", findings.len())?;
    } else {
        writeln!(out, "\nThe engine breaks {broken} of {} rules.", findings.len())?;
    }
    if broken == 0 { Ok(()) } else { Err(Failure::Reported(1)) }
}
