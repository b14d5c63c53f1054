//! `spoton audit`: what a rule book is worth, and whether it keeps what it claims.

use std::io::Write;
use std::sync::Arc;

use spoton::format::{Game, Rulebook, span_of_targets};
use spoton::json;
use spoton::people::audit::Audit;
use spoton::people::audit::sweep::Sweep;
use spoton::words::audit;

use crate::args::AuditArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::progress::{DISCOVERING, is_discovering_or_tell};
use crate::shown::answer_out;
use crate::solving::{ask, games};

pub fn run(args: &AuditArgs) -> Result<(), Failure> {
    if is_discovering_or_tell(&Folders::usual()) {
        return Err(Failure::Usage(DISCOVERING.to_owned()));
    }
    let asked = args.games.iter().map(|name| game::find(name, &args.changes));
    let asked = asked.collect::<Result<Vec<Game>, Failure>>()?;
    if let Some(targets) = &args.targets {
        return asked.iter().try_for_each(|game| sweep(game, targets, args));
    }
    let games = games(args.memory.mebibytes);
    let mut out = answer_out(args.json);
    let mut audited: Vec<(&Game, Arc<Rulebook>, Arc<Audit>)> = Vec::new();
    for game in &asked {
        let rulebook = Arc::new(game.rulebook()?);
        let audit = ask(&games, &rulebook, |game, budget| game.audit(budget))?;
        audited.push((game, rulebook, audit));
    }
    match audited.as_slice() {
        _ if args.json => {
            for (game, rulebook, audit) in &audited {
                writeln!(out, "{}", json::audit(game, rulebook, audit))?;
            }
        }
        [(one, one_book, one_audit), (two, two_book, two_audit)] if !args.markdown => {
            let page = audit::compared(
                (&title(one, one_book), one_book, one_audit),
                (&title(two, two_book), two_book, two_audit),
            );
            out.write_all(page.as_bytes())?;
        }
        _ => {
            let pages = audited.iter().map(|(game, rulebook, audit)| {
                let title = title(game, rulebook);
                match args.markdown {
                    true => audit::markdown(&title, rulebook, audit),
                    false => audit::page(&title, rulebook, audit),
                }
            });
            out.write_all(pages.collect::<Vec<_>>().join("\n").as_bytes())?;
        }
    }
    let broken = audited.iter().any(|(_, _, audit)| !audit.keeps_its_claims());
    if args.strict && broken { Err(Failure::Told(1)) } else { Ok(()) }
}

/// The title of a game, with what was changed.
fn title(game: &Game, rulebook: &Rulebook) -> String {
    let changes = game.variant.iter().cloned().chain(game.written_settings());
    rulebook.title().to_owned() + &changes.map(|change| format!(", {change}")).collect::<String>()
}

fn sweep(game: &Game, targets: &str, args: &AuditArgs) -> Result<(), Failure> {
    let span = span_of_targets(targets)?;
    let span =
        span.ok_or_else(|| Failure::Usage(format!("--targets takes a span such as 2..200, not {targets}")))?;
    let rulebook = Arc::new(game.rulebook()?);
    let swept =
        ask(&games(args.memory.mebibytes), &rulebook, |_, budget| Sweep::of(game, span.clone(), budget))?;
    let mut out = answer_out(args.json);
    if args.json {
        writeln!(out, "{}", json::sweep(game, &swept))?;
    } else {
        out.write_all(audit::sweep(&title(game, &rulebook), &rulebook, &swept).as_bytes())?;
    }
    Ok(())
}
