//! The parts of the command line that several commands share. Each command defines its own options.
//!
//! | file | contents |
//! |---|---|
//! | `entry.rs` | what a command consists of |
//! | `changes.rs`, `seats.rs` | options that change a game; who goes first |
//! | `suggest.rs` | completion values |

mod changes;
mod entry;
mod seats;
pub mod suggest;

use std::ffi::OsString;

use clap::{Parser, ValueEnum};
use spoton::day::{Day, NoSuchDay};

pub use changes::ChangeArgs;
pub use entry::{Entry, asked, json_option, read};
pub use seats::Seats;

use crate::output::When;

const EXIT_STATUS: &str = "\
Exit status:
  0    success; saving an unfinished round counts as success
  1    something failed while running
  2    invalid command line, rule book or record
  3    an outside program never answered, or never finished a round
  130  interrupted";

/// The options of the program itself.
#[derive(Parser, Debug)]
#[command(
    name = "spoton",
    version,
    about = "Spot On: two-player number duels. Land exactly on the target to win.",
    after_help = EXIT_STATUS,
    max_term_width = 80,
    // Ours is in `commands/help.rs`.
    disable_help_subcommand = true
)]
pub struct Args {
    /// Colours: auto, always or never; NO_COLOR also turns them off
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: When,

    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Options of the full-screen game, which opens without a command.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = "Full screen, without a command")]
pub struct ScreenArgs {
    /// Disable animation
    #[arg(long)]
    pub no_motion: bool,

    /// Use plain ASCII characters
    #[arg(long)]
    pub ascii: bool,

    /// Background: light or dark; press b to switch in the game
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub background: Option<Background>,

    /// Random seed, for tests.
    #[arg(skip)]
    pub seed: Option<u64>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    Light,
    Dark,
}

/// A game and the changes to it.
#[derive(clap::Args, Debug)]
pub struct GameArgs {
    /// Game id, part of an id, or rule book file
    #[arg(value_parser = suggest::game(), hide_possible_values = true)]
    pub game: OsString,

    #[command(flatten)]
    pub changes: ChangeArgs,
}

/// The solver's memory limit.
#[derive(clap::Args, Debug)]
pub struct Memory {
    /// Solver memory limit in MiB
    #[arg(long = "memory-limit", alias = "memory", value_name = "MIB", default_value_t = crate::solving::MEBIBYTES, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub mebibytes: u64,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    On,
    Off,
}

/// A date on the command line.
pub fn day(text: &str) -> Result<Day, String> {
    text.parse().map_err(|no_such_day: NoSuchDay| format!("there is no such day; {no_such_day}"))
}
