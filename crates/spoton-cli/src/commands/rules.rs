//! `spoton rules`: a game in words.

use std::io::Write;

use spoton::json;
use spoton::words::rules;

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::game;
use crate::shown::answer_out;

pub fn run(args: &RulesArgs) -> Result<(), Failure> {
    let game = game::find_or_read(&args.game.game, &args.game.changes)?;
    let mut out = answer_out(args.json);
    if args.source {
        out.write_all(game.book.text.as_bytes())?;
        return Ok(());
    }
    let rulebook = game.rulebook()?;
    let page = if args.json {
        format!("{}\n", json::rules(&game, &rulebook))
    } else if args.markdown {
        rules::markdown(&game, &rulebook)
    } else {
        rules::plain(&game, &rulebook)
    };
    out.write_all(page.as_bytes())?;
    Ok(())
}
