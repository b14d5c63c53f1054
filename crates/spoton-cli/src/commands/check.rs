//! `spoton check`: errors and warnings of rule books.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use spoton::format::{Draft, Problem, Rulebook};
use spoton::json;
use spoton::words::phrases;

use crate::args::{Entry, json_option, read};
use crate::failure::Failure;
use crate::game;
use crate::output::Colour;
use crate::problems;
use crate::shown::{self, answer_out};

pub const COMMAND: Entry = Entry {
    group: Some("Make"),
    name: "check",
    about: "Check rule books for errors",
    arguments: CheckArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rule book files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print one JSON object per file, one per line
    #[arg(long)]
    pub json: bool,
}

fn run(args: &CheckArgs, colour: Colour) -> Result<(), Failure> {
    let mut out = answer_out(args.json);
    let mut worst = 0;
    let mut valid_files = 0;
    for path in &args.files {
        let name = shown::path(path);
        let text = match game::read_text(path).map_err(Failure::from) {
            Ok(text) => text,
            Err(failure) => {
                worst = worst.max(match failure {
                    Failure::Failed(_) => 1,
                    _ => 2,
                });
                if args.json {
                    let (Failure::Usage(message) | Failure::Failed(message)) = failure else { continue };
                    out.answer(&json::unreadable(&name, &message))?;
                } else {
                    failure.tell(false, colour);
                }
                continue;
            }
        };
        let draft = Draft::read(&name, &text);
        let found = spoton::format::check(&draft);
        let valid = !found.iter().any(Problem::is_error);
        if !valid {
            worst = 2;
        }
        let rulebook = draft.build().ok().filter(|_| valid);
        let variants = if valid { draft.unplayable_variants() } else { vec![] };
        if args.json {
            let answer = json::check(&name, &found);
            let unplayable = rulebook.as_ref().and_then(Rulebook::unplayable);
            let unplayable_variants = variants.into_iter().collect();
            out.answer(&json::Check { unplayable, unplayable_variants, ..answer })?;
            continue;
        }
        if !found.is_empty() {
            // Results go to standard output, problems to standard error.
            let rendered = problems::render(&found, colour.for_errors());
            let _ = std::io::stderr().write_all(rendered.as_bytes());
            let _ = writeln!(shown::err(), "{name}: {}.", counted(&found));
        }
        if let Some(rulebook) = rulebook {
            valid_files += 1;
            for sentence in phrases::is_valid(&rulebook, draft.variants().count() as u64, &variants) {
                writeln!(out, "{name}: {sentence}")?;
            }
        }
    }
    if args.files.len() > 1 && !args.json {
        writeln!(out, "{valid_files} of {} rule books are valid.", args.files.len())?;
    }
    if worst == 0 { Ok(()) } else { Err(Failure::Reported(worst)) }
}

/// `2 errors and 1 warning`
fn counted(found: &[Problem]) -> String {
    let errors = found.iter().filter(|problem| problem.is_error()).count() as u64;
    let warnings = found.len() as u64 - errors;
    let counts = [(errors, "error", "errors"), (warnings, "warning", "warnings")];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    counts.map(|(count, one, many)| phrases::count(count, one, many)).collect::<Vec<_>>().join(" and ")
}
