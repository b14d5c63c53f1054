//! The program `spoton`: Spot On in a terminal.
//!
//! The library provides the rules, the solver and the wording. The program adds the command line, line mode, the full
//! screen, and everything that touches the machine: files, signals, terminals, the date and entropy.
//!
//! | file | contents |
//! |---|---|
//! | `args.rs`, `args/` | the parts of the command line that several commands share; completion values |
//! | `commands/` | one file per command that answers and exits; the list of all commands |
//! | `play/`, `screen/` | line mode and its commands; the full screen |
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

use args::ScreenArgs;
use commands::CommandLine;
use failure::Failure;
use output::Colour;

fn main() -> ExitCode {
    if commands::completions::answered() {
        return ExitCode::SUCCESS;
    }
    let CommandLine { args, command } = match commands::read() {
        Ok(asked) => asked,
        // This includes help and version, which go to standard output.
        Err(told) => return Failure::from(told).tell(false, Colour::none()),
    };
    let colour = Colour::new(args.color);
    let (ended, json) = match command {
        Some((command, matches)) => ((command.run)(&matches, colour), (command.json)(&matches)),
        None => (without_a_command(args.screen, colour), false),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(json, colour),
    }
}

fn without_a_command(screen: ScreenArgs, colour: Colour) -> Result<(), Failure> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return commands::guide::run();
    }
    if std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb") {
        // A dumb terminal can't draw, but line mode works.
        return play::round::run(play::round::PlayArgs::default(), colour);
    }
    let no_motion = screen.no_motion || !progress::has_motion(&folders::Folders::usual());
    screen::run(&ScreenArgs { no_motion, ..screen }, colour)
}
