//! `spoton audit`: the facts about a game, and whether its claims are true.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use clap::Args;
use spoton::design::audit::Audit;
use spoton::design::audit::better::better;
use spoton::design::audit::sweep::Sweep;
use spoton::discovery::Spoiler;
use spoton::format::{Game, Rulebook, catalog, span_of_targets};
use spoton::json;
use spoton::words::audit::{self, Audited};
use spoton::words::describe;

use crate::args::{ChangeArgs, Entry, Memory, json_option, read, suggest};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::progress::refuse_if_hidden;
use crate::shell::quoted;
use crate::shown::answer_out;
use crate::solving::{ask, games};

pub const COMMAND: Entry = Entry {
    group: Some("Make"),
    name: "audit",
    about: "Report the facts about a game: who wins, how it plays",
    arguments: AuditArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const AUDIT_EXAMPLES: &str = "\
Examples:
  spoton audit my-game.toml
  spoton audit number-maze --targets 2..200
  spoton audit number-maze double-or-add    (two games, side by side)
  spoton audit my-game.toml --strict        (exit status 1 if a claim is false)

A rule book makes its claims like this:
  claims = [\"ends\", \"no-draws\", \"skill-wins\", \"moves <= 20\", \"subtle >= 3\"]";

#[derive(Args, Debug)]
#[command(after_help = AUDIT_EXAMPLES)]
pub struct AuditArgs {
    /// Games or rule book files [default: all of Spot On's games]
    #[arg(value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Show who wins at each target, and any pattern
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, conflicts_with_all = ["markdown", "strict"])]
    pub targets: Option<String>,

    /// Look for small changes that make guessing harder
    #[arg(long, conflicts_with = "targets")]
    pub better: bool,

    /// Exit with status 1 if a claim is false
    #[arg(long)]
    pub strict: bool,

    /// Print Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print one JSON object per game, one per line
    #[arg(long)]
    pub json: bool,
}

fn run(args: &AuditArgs) -> Result<(), Failure> {
    refuse_if_hidden(&Folders::usual(), Spoiler::Facts)?;
    let every: Vec<OsString> = catalog::ids().map(OsString::from).collect();
    let names = if args.games.is_empty() { &every } else { &args.games };
    let asked = names.iter().map(|name| game::find(name, &args.changes));
    let asked = asked.collect::<Result<Vec<Game>, Failure>>()?;
    if let Some(targets) = &args.targets {
        for (place, game) in asked.iter().enumerate() {
            if place > 0 && !args.json {
                writeln!(answer_out(false))?;
            }
            sweep(game, targets, args)?;
        }
        return Ok(());
    }
    let games = games(args.memory.mebibytes);
    let mut out = answer_out(args.json);
    let mut audited: Vec<(&Game, Arc<Rulebook>, Arc<Audit>)> = Vec::new();
    for game in &asked {
        let rulebook = Arc::new(game.rulebook()?);
        let audit = ask(&games, &rulebook, |game, budget| game.audit(budget)).map_err(|failure| {
            // The audit doesn't fit in memory, but the solver alone may.
            match ask(&games, &rulebook, |game, budget| game.solver(budget)) {
                Ok(_) => failure.or_else_try(
                    "An audit needs every position. Try spoton solve or spoton map, which need fewer",
                ),
                Err(_) => failure,
            }
        })?;
        audited.push((game, rulebook, audit));
    }
    let mut better_ones = Vec::new();
    for (game, rulebook, audit) in audited.iter().filter(|_| args.better) {
        better_ones.push(ask(&games, rulebook, |_, budget| better(game, rulebook, audit, budget))?);
    }
    if args.json {
        for (place, (game, rulebook, audit)) in audited.iter().enumerate() {
            out.answer(&json::audit(game, rulebook, audit, better_ones.get(place).map(Vec::as_slice)))?;
        }
    } else {
        let titles: Vec<String> =
            audited.iter().map(|(game, rulebook, _)| describe::title(game, rulebook)).collect();
        let named: Vec<Audited<'_>> = titles
            .iter()
            .zip(&audited)
            .map(|(title, (_, rulebook, audit))| Audited { title, rulebook, audit })
            .collect();
        let page = match named.as_slice() {
            many if args.markdown => audit::markdown(many),
            [one, two] => audit::compared(*one, *two),
            many => many.iter().map(|one| audit::page(*one)).collect::<Vec<_>>().join("\n"),
        };
        out.write_all(page.as_bytes())?;
        for (((game, ..), title), found) in audited.iter().zip(&titles).zip(&better_ones) {
            let play = |settings: &[String]| {
                let settings = settings.iter().map(|setting| format!(" --rule {}", quoted(setting)));
                format!("spoton play {}{}", game::command_line(game), settings.collect::<String>())
            };
            out.write_all(audit::better(title, found, play).as_bytes())?;
        }
    }
    let broken = audited.iter().any(|(_, _, audit)| !audit.keeps_its_claims());
    if args.strict && broken { Err(Failure::Reported(1)) } else { Ok(()) }
}

fn sweep(game: &Game, targets: &str, args: &AuditArgs) -> Result<(), Failure> {
    let span = span_of_targets(targets)
        .map_err(|bad| Failure::Usage(bad.to_string().replacen("--target ", "--targets ", 1)))?;
    let span =
        span.ok_or_else(|| Failure::Usage(format!("--targets takes a range such as 2..200, not {targets}")))?;
    let rulebook = Arc::new(game.rulebook()?);
    let swept = ask(&games(args.memory.mebibytes), &rulebook, |_, budget| {
        Sweep::over_targets(game, span.clone(), budget)
    })?;
    let mut out = answer_out(args.json);
    if args.json {
        out.answer(&json::sweep(game, &swept))?;
    } else {
        out.write_all(audit::sweep(&describe::title(game, &rulebook), &rulebook, &swept).as_bytes())?;
    }
    Ok(())
}
