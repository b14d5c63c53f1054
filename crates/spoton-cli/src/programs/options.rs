//! The options of outside programs on the command line.

use spoton::words::protocol::How;

/// Options for outside programs.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Outside programs")]
pub struct ProgramArgs {
    /// Retries per turn before a forfeit
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub tries: u32,

    /// Time limit per answer in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub move_time: u64,

    /// Don't send the list of legal moves
    #[arg(long)]
    pub no_legal_list: bool,

    /// Send a prompt for a language model (exec: only)
    #[arg(long)]
    pub prompt: bool,

    /// Send a prompt that disguises the game as another story
    #[arg(long, value_name = "SEED")]
    pub disguise: Option<u64>,

    /// Engine search: "depth N", "time MS" or perfect
    #[arg(long, value_name = "HOW", value_parser = How::read)]
    pub go: Option<How>,

    /// Continue if a program never answers in its first round
    #[arg(long)]
    pub keep_going: bool,
}

impl ProgramArgs {
    /// The ids of these options. `play` also has them, but hides them.
    pub const IDS: [&str; 7] =
        ["tries", "move_time", "no_legal_list", "prompt", "disguise", "go", "keep_going"];
}

impl Default for ProgramArgs {
    fn default() -> ProgramArgs {
        ProgramArgs {
            tries: 2,
            move_time: 10_000,
            no_legal_list: false,
            prompt: false,
            disguise: None,
            go: None,
            keep_going: false,
        }
    }
}
