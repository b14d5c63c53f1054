//! `spoton rules`: the rules of a game.

use std::io::Write;

use spoton::json;
use spoton::words::rules;

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress;
use crate::shown::{coloured_out, json_out};

pub fn run(args: &RulesArgs, colour: Colour) -> Result<(), Failure> {
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
