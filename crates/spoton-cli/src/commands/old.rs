//! Old spellings of commands. They still work, but help, man pages and completions don't list them. Old spellings of
//! options are aliases where the option is defined. `docs/command-line.md` lists both.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::error::{ContextKind, ContextValue};
use spoton::discovery::Spoiler;
use spoton::evaluate::opponent::Table;
use spoton::json;
use spoton::words::opponents;

use super::bot::check::{self, BotCheckArgs};
use super::bot::engine::{self, EngineArgs};
use super::bot::{arena, bench};
use super::{config, games, review};
use crate::args::{ChangeArgs, Entry, Memory, Switch, json_option, read, suggest};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress::refuse_if_hidden;
use crate::shown::{coloured_out, json_out, unplayable_first};
use crate::solving::{self, ask};

/// Every old spelling, with the new one to suggest in its place after a typo.
pub const OLD: &[(Entry, &str)] = &[
    (Entry { group: None, about: "Old spelling of bot arena", ..arena::COMMAND }, "bot arena"),
    (Entry { group: None, about: "Old spelling of bot bench", ..bench::COMMAND }, "bot bench"),
    (ENGINE, "bot engine"),
    (RECORD, "review --convert"),
    (DISCOVER, "config discovery"),
    (OPPONENTS, "games --opponents"),
];

/// Likewise for options.
const OLD_OPTIONS: &[(&str, &str)] = &[("--set", "--rule"), ("--memory", "--memory-limit")];

const ENGINE: Entry = Entry {
    group: None,
    name: "engine",
    about: "Old spelling of bot engine and bot check",
    arguments: OldEngineArgs::augment_args,
    json: json_option,
    run: |matches, _| engine_or_check(read(matches)?),
};

const RECORD: Entry = Entry {
    group: None,
    name: "record",
    about: "Old spelling of review --convert",
    arguments: RecordArgs::augment_args,
    json: json_option,
    run: |matches, _| {
        let RecordArgs { files, json } = read(matches)?;
        review::convert(&files, json)
    },
};

const DISCOVER: Entry = Entry {
    group: None,
    name: "discover",
    about: "Old spelling of config discovery",
    arguments: DiscoverArgs::augment_args,
    json: json_option,
    run: |matches, _| {
        let DiscoverArgs { to } = read(matches)?;
        config::discover(to)
    },
};

const OPPONENTS: Entry = Entry {
    group: None,
    name: "opponents",
    about: "Old spelling of games --opponents and of a section of audit",
    arguments: OpponentsArgs::augment_args,
    json: json_option,
    run: |matches, colour| odds(&read(matches)?, colour),
};

/// An error whose suggestions have only new spellings.
pub fn with_new_spellings(mut error: clap::Error) -> clap::Error {
    let new = |old: &String| {
        let mut pairs =
            OLD.iter().map(|(command, new)| (command.name, *new)).chain(OLD_OPTIONS.iter().copied());
        let pair = pairs.find(|(spelling, _)| spelling == old);
        pair.map_or_else(|| old.clone(), |(_, new)| new.to_owned())
    };
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand] {
        let better = match error.get(kind) {
            Some(ContextValue::String(one)) => ContextValue::String(new(one)),
            Some(ContextValue::Strings(several)) => ContextValue::Strings(several.iter().map(new).collect()),
            _ => continue,
        };
        error.insert(kind, better);
    }
    error
}

#[derive(Args, Debug)]
pub struct OldEngineArgs {
    /// Check another engine: now spoton bot check
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,

    /// With --check: time limit per answer in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, requires = "check", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub answer_time: u64,

    #[command(flatten)]
    pub memory: Memory,

    /// With --check: print JSON
    #[arg(long, requires = "check")]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct RecordArgs {
    /// Files with records, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct DiscoverArgs {
    /// on or off; without it, the current value is shown
    #[arg(value_name = "ON")]
    pub to: Option<Switch>,
}

#[derive(Args, Debug)]
pub struct OpponentsArgs {
    /// Game: adds the exact odds of every pair of opponents
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: Option<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    #[command(flatten)]
    pub memory: Memory,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn engine_or_check(args: OldEngineArgs) -> Result<(), Failure> {
    let OldEngineArgs { check, answer_time, memory, json } = args;
    match check {
        Some(check) => check::run(&BotCheckArgs { check, answer_time, json }),
        None => engine::run(&EngineArgs { memory }),
    }
}

/// The opponents, or their exact odds in a game.
fn odds(args: &OpponentsArgs, colour: Colour) -> Result<(), Failure> {
    let Some(name) = &args.game else { return games::opponents(args.json, colour) };
    refuse_if_hidden(&Folders::usual(), Spoiler::Facts)?;
    let game = game::find(name, &args.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let games = solving::games(args.memory.mebibytes);
    let ladder = ask(&games, &rulebook, |game, budget| game.ladder(budget)).map_err(|failure| {
        failure.or_else_try(
            "Exact odds need every position. Try spoton bot arena --rounds N, which plays rounds instead",
        )
    })?;
    let table = Table::new(ladder);
    if args.json {
        json_out().answer(&json::odds(&game, &table))?;
        return Ok(());
    }
    unplayable_first(&rulebook)?;
    let remark = opponents::too_few_choices(table.ladder(), &game, &games, game::by_variant);
    let page = opponents::page(&table, &game, &rulebook, remark.as_deref());
    let (title, rest) = page.split_once('\n').unwrap_or((&page, ""));
    write!(coloured_out(colour), "{}\n{rest}", colour.name(title))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::definition;

    const CHANGES: &str = "variant= set= target=";
    const PROGRAMS: &str = "tries= move-time= no-legal-list prompt disguise= go= keep-going";

    /// The whole command line before commands and options were renamed, frozen: each command with its options. `=`
    /// takes a value. Scripts may use any of it.
    const BEFORE: [(&str, &[&str]); 21] = [
        (
            "play",
            &[
                CHANGES,
                PROGRAMS,
                "p1= p2= vs= names= first= moves= coach discover= first-to= rounds= seed= record= resume=",
            ],
        ),
        ("today", &["date= json"]),
        ("puzzle", &[CHANGES, "memory= json"]),
        ("games", &["json"]),
        ("rules", &[CHANGES, "source markdown json"]),
        ("solve", &[CHANGES, "moves= stdin memory= json"]),
        ("map", &[CHANGES, "blank uncover last= memory= json"]),
        ("idea", &[CHANGES, "memory= json"]),
        ("opponents", &[CHANGES, "memory= json"]),
        ("audit", &[CHANGES, "targets= better strict markdown memory= json"]),
        ("invent", &["seed= count= to= like= level= length= subtle= guess= json"]),
        ("arena", &[CHANGES, PROGRAMS, "memory= p1= p2= names= rounds= seat= seed= record= json"]),
        ("bench", &[PROGRAMS, "vs= fresh= memory= rounds= seat= seed= markdown json"]),
        ("engine", &["check= answer-time= memory= json"]),
        ("discover", &[]),
        ("review", &["summary annotate memory= json"]),
        ("new", &["like="]),
        ("check", &["json"]),
        ("record", &["json"]),
        ("completions", &[]),
        ("man", &[]),
    ];

    #[test]
    fn every_old_command_has_every_old_option() {
        let definition = definition();
        let has = |command: &clap::Command, option: &str| {
            let (name, takes_value) = option.strip_suffix('=').map_or((option, false), |name| (name, true));
            command.get_arguments().any(|arg| {
                let aliases = arg.get_all_aliases().unwrap_or_default();
                (arg.get_long() == Some(name) || aliases.contains(&name))
                    && arg.get_action().takes_values() == takes_value
            })
        };
        for option in ["color=", "no-motion", "ascii", "background="] {
            assert!(has(&definition, option), "spoton --{option}");
        }
        for (name, options) in BEFORE {
            let command = definition.find_subcommand(name).unwrap_or_else(|| panic!("spoton {name} is gone"));
            for option in options.iter().flat_map(|options| options.split(' ')).chain(["color="]) {
                assert!(has(command, option), "spoton {name} --{option}");
            }
        }
    }
}
