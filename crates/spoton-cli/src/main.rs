//! The program `spoton`: Spot On in a terminal.
//!
//! The rules, the solutions and the words come from the library. The program has the command line ([`args`],
//! [`commands`]), line mode ([`play`]), the full screen ([`screen`]), and everything that touches the machine: files
//! ([`sitting`], [`save`], [`progress`], [`files`], [`folders`]), signals ([`signals`]), terminals, the date ([`clock`]) and
//! chance ([`entropy`]).

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
mod today;

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use args::{Args, Command};
use failure::Failure;

fn main() -> ExitCode {
    let args = match Args::read() {
        Ok(args) => args,
        // Help and version come this way too, and go to standard output.
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
        Some(Command::Games(args)) => commands::games::run(&args),
        Some(Command::Rules(args)) => commands::rules::run(&args),
        Some(Command::Play(args)) => play::run(args, colour),
        Some(Command::Today(args)) if args.json => commands::today::run(&args),
        Some(Command::Today(args)) => play::today(&args, colour),
        Some(Command::Puzzle(args)) => play::puzzle::run(&args, colour),
        Some(Command::Solve(args)) => commands::solve::run(&args),
        Some(Command::Map(args)) => commands::map::run(&args, colour),
        Some(Command::Idea(args)) => commands::idea::run(&args),
        Some(Command::Opponents(args)) => commands::opponents::run(&args),
        Some(Command::Arena(args)) => commands::arena::run(&args),
        Some(Command::Bench(args)) => commands::bench::run(&args),
        Some(Command::Engine(args)) => commands::engine::run(&args),
        Some(Command::Audit(args)) => commands::audit::run(&args),
        Some(Command::Invent(args)) => commands::invent::run(&args),
        Some(Command::Discover(args)) => commands::discover::run(&args),
        Some(Command::Review(args)) => commands::review::run(&args),
        Some(Command::New(args)) => commands::new::run(&args),
        Some(Command::Check(args)) => commands::check::run(&args, colour),
        Some(Command::Record(args)) => commands::record::run(&args),
        Some(Command::Completions(args)) => commands::completions::run(&args),
        Some(Command::Man(args)) => commands::man::run(&args),
        None if stdin().is_terminal() && stdout().is_terminal() => {
            if std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb") {
                // Nothing can be drawn there, but lines can be read.
                return play::run(args::PlayArgs::default(), colour);
            }
            screen::run(&args.screen, colour)
        }
        None => commands::guide::run(),
    }
}
