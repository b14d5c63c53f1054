//! `spoton bot engine`: an engine for tournaments and other programs. `spoton bot check`: checks other engines.

use std::io::{Write, stdin};
use std::time::Duration;

use serde::Serialize;
use spoton::discovery::Spoiler;
use spoton::words::protocol::Reply;

use crate::args::{BotCheckArgs, EngineArgs};
use crate::engine::{self, Engine};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::lines;
use crate::progress::refuse_if_hidden;
use crate::shown::{answer_out, out};
use crate::signals;
use crate::sitting::autosave::Autosave;

pub fn run(args: &EngineArgs) -> Result<(), Failure> {
    refuse_if_hidden(&Folders::usual(), Spoiler::Values)?;
    let (mut out, mut input) = (out(), stdin().lock());
    let mut engine = Engine::new(args.memory.mebibytes << 20);
    let cannot = |error| Failure::Failed(format!("cannot read standard input: {error}"));
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

/// Checks an engine and reports on each rule of the protocol.
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

pub fn check(args: &BotCheckArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    refuse_if_hidden(&folders, Spoiler::Values)?;
    // A signal also ends the engine.
    signals::watch(Autosave::new(folders))
        .map_err(|error| Failure::Failed(format!("cannot set up signal handlers: {error}")))?;
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
