//! `spoton rules`: the rules of a game.

use std::io::Write;

use clap::Args;
use spoton::json;
use spoton::words::rules;

use crate::args::{Entry, GameArgs, json_option, read};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress;
use crate::shown::{coloured_out, json_out};

pub const COMMAND: Entry = Entry {
    group: Some("Play"),
    name: "rules",
    about: "Show a game's rules",
    arguments: RulesArgs::augment_args,
    json: json_option,
    run: |matches, colour| run(&read(matches)?, colour),
};

#[derive(Args, Debug)]
pub struct RulesArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Print the rule book's TOML source
    #[arg(long, conflicts_with_all = ["markdown", "json", "variant", "set", "target"])]
    pub source: bool,

    /// Print a Markdown handout
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

fn run(args: &RulesArgs, colour: Colour) -> Result<(), Failure> {
    let game = game::find_or_read(&args.game.game, &args.game.changes)?;
    let mut out = if args.json { json_out() } else { coloured_out(colour) };
    let view = progress::view(&Folders::usual());
    if args.source {
        out.write_all(game::text_for(&game.book, view)?.as_bytes())?;
        return Ok(());
    }
    let rulebook = game.rulebook()?;
    if args.json {
        out.answer(&json::rules(&game, &rulebook, view))?;
        return Ok(());
    }
    let page = match args.markdown {
        true => rules::markdown(&game, &rulebook, view),
        false => colour.headings(&rules::plain(&game, &rulebook, view)),
    };
    out.write_all(page.as_bytes())?;
    Ok(())
}
