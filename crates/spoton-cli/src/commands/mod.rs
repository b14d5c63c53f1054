//! The command line, defined once: help, man pages and completions derive from the list of commands.
//!
//! | file | command |
//! |---|---|
//! | `audit.rs` | `audit`: the facts about a game and the truth of its claims |
//! | `bot/` | `bot`: opponents, outside programs and engines |
//! | `check.rs` | `check`: errors and warnings of rule books |
//! | `completions.rs`, `man.rs`, `help.rs` | `completions`, `man` and `help`, from the definition |
//! | `config.rs` | `config`: settings |
//! | `games.rs` | `games`, and `games --opponents` |
//! | `idea.rs` | `idea`: tests a player's idea |
//! | `invent.rs`, `new.rs` | `invent` and `new`: new games and rule books |
//! | `map.rs` | `map`: who can force a win at every number |
//! | `review.rs` | `review`, and `review --convert` |
//! | `rules.rs` | `rules`: the rules of a game |
//! | `solve.rs` | `solve`: evaluates a position and each move |
//!
//! | file | contents |
//! |---|---|
//! | `guide.rs` | `spoton` without a terminal: a short guide |
//! | `help_screen.rs` | the help screen, with commands in groups |
//! | `old.rs` | old spellings of commands |
//!
//! The commands that play are in `play/`. Invariants: only `main.rs` imports from here, and no command uses another; old
//! spellings do. A test checks both.

mod audit;
mod bot;
mod check;
pub mod completions;
mod config;
mod games;
pub mod guide;
mod help;
mod help_screen;
mod idea;
mod invent;
mod man;
mod map;
mod new;
mod old;
mod review;
mod rules;
mod solve;

use std::ffi::OsString;

use clap::builder::StringValueParser;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::args::suggest::{self, Suggest};
use crate::args::{Args, Entry, asked};
use crate::play;

/// Every command, in the order of the help screen.
const COMMANDS: &[Entry] = &[
    play::round::COMMAND,
    play::today::COMMAND,
    play::puzzle::COMMAND,
    games::COMMAND,
    rules::COMMAND,
    solve::COMMAND,
    map::COMMAND,
    idea::COMMAND,
    review::COMMAND,
    new::COMMAND,
    check::COMMAND,
    audit::COMMAND,
    invent::COMMAND,
    bot::COMMAND,
    config::COMMAND,
    help::COMMAND,
    completions::COMMAND,
    man::COMMAND,
];

/// The user's request.
pub struct CommandLine {
    /// The options of the program itself.
    pub args: Args,
    /// The command with its arguments.
    pub command: Option<(&'static Entry, ArgMatches)>,
}

/// Parses the command line.
pub fn read() -> Result<CommandLine, clap::Error> {
    parse(std::env::args_os().map(idea::idea_or_option).collect())
}

fn parse(words: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    // Added here and not in the definition, to keep it out of man pages and completions.
    let seed = clap::Arg::new("screen-seed").long("screen-seed").hide(true);
    let seed = seed.value_parser(clap::value_parser!(u64));
    let definition = definition().arg(seed).color(help_colour());
    let matches = definition.try_get_matches_from(words).map_err(old::with_new_spellings)?;
    let mut args = Args::from_arg_matches(&matches)?;
    args.screen.seed = matches.get_one("screen-seed").copied();
    let command = asked(every(), &matches).map(|(command, matches)| (command, matches.clone()));
    Ok(CommandLine { args, command })
}

/// Every command, and then the old spellings.
fn every() -> impl Iterator<Item = &'static Entry> {
    COMMANDS.iter().chain(old::OLD.iter().map(|(command, _)| command))
}

/// The definition, for completions and man pages.
fn definition() -> clap::Command {
    let definition = Args::command();
    // --color works everywhere, but only the top level lists it.
    let colour = definition.get_arguments().find(|arg| arg.get_id() == "color").cloned();
    let hidden = colour.map(|colour| colour.hide(true));
    let commands = every().map(|command| command.definition().args(hidden.clone()));
    let definition = definition.subcommands(commands);
    let screen = help_screen::template(&definition, COMMANDS);
    definition.help_template(screen)
}

/// A command, or a subcommand of the preceding word: `man bot arena`.
fn command_name() -> Suggest<StringValueParser> {
    suggest::words(|| {
        let definition = definition();
        let mut words = suggest::words_of_the_line();
        words.pop(); // the word to complete
        let within = words.iter().skip(1).filter_map(|word| definition.find_subcommand(word)).next();
        match within {
            Some(command) => {
                let listed = command.get_subcommands().filter(|command| !command.is_hide_set());
                listed.map(|command| command.get_name().to_owned()).collect()
            }
            // Unlike the help screen, this includes hidden commands.
            None => COMMANDS.iter().map(|command| command.name.to_owned()).collect(),
        }
    })
}

/// Colours of help and usage errors, which are printed before `--color` has been parsed.
fn help_colour() -> clap::ColorChoice {
    let words: Vec<OsString> = std::env::args_os().collect();
    let asks = |when: &str| {
        let joined = OsString::from(format!("--color={when}"));
        words.contains(&joined) || words.windows(2).any(|pair| pair[0] == "--color" && pair[1] == when)
    };
    match (asks("always"), asks("never")) {
        (true, _) => clap::ColorChoice::Always,
        (_, true) => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}
