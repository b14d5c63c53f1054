//! The commands for people who write rule books.

use std::ffi::OsString;

use super::{ChangeArgs, Memory, suggest};

const AUDIT_EXAMPLES: &str = "\
Examples:
  spoton audit my-game.toml
  spoton audit number-maze --targets 2..200
  spoton audit number-maze double-or-add    (the two, side by side)
  spoton audit my-game.toml --strict        (status 1 if a claim is false)";

#[derive(clap::Args, Debug)]
#[command(after_help = AUDIT_EXAMPLES)]
pub struct AuditArgs {
    /// Games: ids, parts of ids that fit no other game, or rule book files
    #[arg(required = true, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub games: Vec<OsString>,

    #[command(flatten)]
    pub changes: ChangeArgs,

    /// Tell who wins at each of these targets, and whether there is a pattern
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, conflicts_with_all = ["markdown", "strict"])]
    pub targets: Option<String>,

    /// End with status 1 if a claim of a rule book is not true
    #[arg(long)]
    pub strict: bool,

    /// Print Markdown, for a file
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    #[command(flatten)]
    pub memory: Memory,

    /// Print a JSON object a game, one a line
    #[arg(long)]
    pub json: bool,
}
