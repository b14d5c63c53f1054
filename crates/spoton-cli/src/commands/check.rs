//! `spoton check`: is this rule book valid, and what is odd about it?

use std::io::Write;

use spoton::format::{Draft, Problem};
use spoton::json;
use spoton::words::phrases;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::game;
use crate::output::Colour;
use crate::problems;
use crate::shown::{self, answer_out};

pub fn run(args: &CheckArgs, colour: Colour) -> Result<(), Failure> {
    let mut out = answer_out(args.json);
    let mut worst = 0;
    for path in &args.files {
        let name = shown::path(path);
        let text = match game::read_text(path) {
            Ok(text) => text,
            Err(failure) => {
                worst = worst.max(match failure {
                    Failure::Failed(_) => 1,
                    _ => 2,
                });
                if args.json {
                    let (Failure::Usage(message) | Failure::Failed(message)) = failure else { continue };
                    writeln!(out, "{}", json::unreadable(&name, &message))?;
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
        if args.json {
            writeln!(out, "{}", json::check(&name, &found))?;
            continue;
        }
        if !found.is_empty() {
            // Answers go to standard output, what is wrong to standard error.
            let _ = std::io::stderr().write_all(problems::render(&found, colour.for_errors()).as_bytes());
        }
        if valid {
            let title = draft.build().map(|rulebook| rulebook.title().to_owned()).unwrap_or_default();
            writeln!(out, "{name}: {}", phrases::is_valid(&title, draft.variants().count() as u64))?;
        }
    }
    if worst == 0 { Ok(()) } else { Err(Failure::Told(worst)) }
}
