//! `spoton engine`: an engine for tournaments and other programs, and the check of somebody else's.

use std::io::{Write, stdin};
use std::time::Duration;

use serde_json::json;
use spoton::sitting::discovery::Spoiler;
use spoton::words::protocol::Reply;

use crate::args::EngineArgs;
use crate::engine::{Engine, check};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::lines;
use crate::progress::refuse_if_hidden;
use crate::shown::{answer_out, out};
use crate::signals;
use crate::sitting::autosave::Autosave;

pub fn run(args: &EngineArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    refuse_if_hidden(&folders, Spoiler::Values)?;
    if let Some(command) = &args.check {
        // Told to end, we end the engine too.
        signals::watch(Autosave::new(folders))
            .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
        return report(command, args);
    }
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

/// Checks an engine, and says of each rule whether it is kept.
fn report(command: &str, args: &EngineArgs) -> Result<(), Failure> {
    let mut out = answer_out(args.json);
    let mut findings = Vec::new();
    for (rule, finding) in check::all(command, Duration::from_millis(args.answer_time)) {
        let finding = finding?;
        if !args.json {
            let (mark, said) = match &finding {
                Ok(None) => ("kept  ", String::new()),
                Ok(Some(remark)) => ("kept  ", format!("\n        {remark}")),
                Err(why) => ("BROKEN", format!("\n        {why}")),
            };
            writeln!(out, "{mark}  {rule}{said}")?;
            out.flush()?;
        }
        findings.push((rule, finding));
    }
    let broken = findings.iter().filter(|(_, finding)| finding.is_err()).count();
    if args.json {
        let rules = findings.iter().map(|(rule, finding)| {
            let said = finding.as_ref().map_or_else(Some, Option::as_ref);
            json!({ "rule": rule, "kept": finding.is_ok(), "said": said })
        });
        let rules: Vec<_> = rules.collect();
        writeln!(out, "{}", json!({ "engine": command, "conforms": broken == 0, "rules": rules }))?;
    } else if broken == 0 {
        writeln!(out, "\nIt keeps all {} rules.", findings.len())?;
    } else {
        writeln!(out, "\nIt breaks {broken} of {} rules.", findings.len())?;
    }
    if broken == 0 { Ok(()) } else { Err(Failure::Told(1)) }
}
