//! The program `spoton`: Spot On in a terminal.
//!
//! The library provides the rules, the solver and the wording. The program adds the command line, line mode, the full
//! screen, and everything that touches the machine: files, signals, terminals, the date and entropy.
//!
//! | file | contents |
//! |---|---|
//! | `args.rs` | the command line, defined once: help, man pages and completions derive from it |
//! | `args/` | options per group of commands; the help screen; old spellings; completion values |
//! | `commands/` | one file per command that answers and exits |
//! | `play/`, `screen/` | line mode; the full screen |
//! | `sitting/` | the library's sitting with its files |
//! | `game.rs`, `files.rs` | resolves a game with its variant, settings and target; files named on the command line |
//! | `save.rs`, `save/` | atomic, sealed and locked saves |
//! | `progress.rs`, `folders.rs` | state between runs; the platform's data folder |
//! | `sitting/today.rs`, `puzzles.rs`, `past_rounds.rs` | files for daily duels, puzzles and finished rounds |
//! | `programs/`, `engine/` | outside programs as players; our engine, and the check of other engines |
//! | `contest.rs` | many rounds between two players, for `arena` and `bench`; gives up on a program that never answers |
//! | `solving.rs` | access to `SolvedGames`: memory limit, progress line, interrupts |
//! | `signals.rs` | on SIGINT, SIGTERM and SIGHUP: saves the round and restores the terminal |
//! | `entropy.rs`, `clock.rs` | a random seed (all other randomness comes from `Dice`); today's date |
//! | `failure.rs`, `problems.rs`, `output.rs` | errors with messages and exit codes; rule book problems with carets; colours |
//! | `shown.rs`, `shell.rs` | writers that escape untrusted text; shell quoting |
//! | `lines.rs` | lines of any length from standard input |

mod args;
mod clock;
mod commands;
mod contest;
mod engine;
mod entropy;
mod failure;
mod files;
mod folders;
mod game;
mod lines;
mod output;
mod past_rounds;
mod play;
mod problems;
mod programs;
mod progress;
mod puzzles;
mod save;
mod screen;
mod shell;
mod shown;
mod signals;
mod sitting;
mod solving;

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use args::{Args, BotCheckArgs, BotCommand, Command, EngineArgs, OldCommand};
use failure::Failure;

fn main() -> ExitCode {
    if commands::completions::answered() {
        return ExitCode::SUCCESS;
    }
    let args = match Args::read() {
        Ok(args) => args,
        // This includes help and version, which go to standard output.
        Err(told) => return failure::tell_usage(&told),
    };
    let colour = output::Colour::new(args.color);
    let json = args.command.as_ref().is_some_and(Command::wants_json);
    match run(args, colour) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(json, colour),
    }
}

fn run(args: Args, colour: output::Colour) -> Result<(), Failure> {
    match args.command {
        Some(Command::Games(args)) if args.opponents => commands::opponents::list(args.json, colour),
        Some(Command::Games(args)) => commands::games::run(&args, colour),
        Some(Command::Rules(args)) => commands::rules::run(&args, colour),
        Some(Command::Play(args)) => play::run(args, colour),
        Some(Command::Today(args)) if args.json => commands::today::run(&args),
        Some(Command::Today(args)) => play::today(&args, colour),
        Some(Command::Puzzle(args)) => play::puzzle::run(&args, colour),
        Some(Command::Solve(args)) => commands::solve::run(&args),
        Some(Command::Map(args)) => commands::map::run(&args, colour),
        Some(Command::Idea(args)) => commands::idea::run(&args),
        Some(Command::Audit(args)) => commands::audit::run(&args),
        Some(Command::Invent(args)) => commands::invent::run(&args),
        Some(Command::Bot(args)) => bot(args.command),
        Some(Command::Config(args)) => commands::config::run(&args),
        Some(Command::Review(args)) if args.convert => commands::record::run(&args.files, args.json),
        Some(Command::Review(args)) => commands::review::run(&args, colour),
        Some(Command::New(args)) => commands::new::run(&args),
        Some(Command::Check(args)) => commands::check::run(&args, colour),
        Some(Command::Completions(args)) => commands::completions::run(&args),
        Some(Command::Man(args)) => commands::man::run(&args),
        Some(Command::Old(old)) => old_spelling(old, colour),
        // The parser has already printed the help in `Args::read`.
        Some(Command::Help(_)) => Ok(()),
        None if stdin().is_terminal() && stdout().is_terminal() => {
            if std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb") {
                // A dumb terminal can't draw, but line mode works.
                return play::run(args::PlayArgs::default(), colour);
            }
            let no_motion = args.screen.no_motion || !progress::has_motion(&folders::Folders::usual());
            screen::run(&args::ScreenArgs { no_motion, ..args.screen }, colour)
        }
        None => commands::guide::run(),
    }
}

fn bot(command: BotCommand) -> Result<(), Failure> {
    match command {
        BotCommand::Arena(args) => commands::arena::run(&args),
        BotCommand::Bench(args) => commands::bench::run(&args),
        BotCommand::Engine(args) => commands::engine::run(&args),
        BotCommand::Check(args) => commands::engine::check(&args),
    }
}

/// Runs an old spelling as its new command.
fn old_spelling(old: OldCommand, colour: output::Colour) -> Result<(), Failure> {
    match old {
        OldCommand::Arena(args) => bot(BotCommand::Arena(args)),
        OldCommand::Bench(args) => bot(BotCommand::Bench(args)),
        OldCommand::Engine(args) => match args.check {
            Some(check) => {
                let (answer_time, json) = (args.answer_time, args.json);
                bot(BotCommand::Check(BotCheckArgs { check, answer_time, json }))
            }
            None => bot(BotCommand::Engine(EngineArgs { memory: args.memory })),
        },
        OldCommand::Record(args) => commands::record::run(&args.files, args.json),
        OldCommand::Discover(args) => commands::config::discover(args.to),
        OldCommand::Opponents(args) => commands::opponents::run(&args, colour),
    }
}
