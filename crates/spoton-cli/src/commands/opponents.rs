//! `spoton opponents`: names and habits, and for a game the exact odds between them.

use std::io::Write;
use std::sync::Arc;

use spoton::json;
use spoton::people::opponent::{Opponent, Table};
use spoton::words::opponents;
use spoton::words::page::wrap;

use crate::args::OpponentsArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::progress::{DISCOVERING, is_discovering_or_tell};
use crate::shown::answer_out;
use crate::solving::{ask, games};

pub fn run(args: &OpponentsArgs) -> Result<(), Failure> {
    let page = match &args.game {
        None if args.json => format!("{}\n", json::opponents()),
        None => everybody(),
        Some(_) if is_discovering_or_tell(&Folders::usual()) => {
            return Err(Failure::Usage(DISCOVERING.to_owned()));
        }
        Some(name) => {
            let game = game::find(name, &args.changes)?;
            let rulebook = Arc::new(game.rulebook()?);
            let games = games(args.memory.mebibytes);
            let ladder = ask(&games, &rulebook, |game, budget| game.ladder(budget)).map_err(|failure| {
                failure.or_else_try("Exact odds go through every position; spoton arena plays rounds instead")
            })?;
            let table = Table::new(ladder);
            if args.json {
                format!("{}\n", json::odds(&game, &table))
            } else {
                let remark = opponents::too_few_choices(table.ladder(), &game, &games, game::by_variant);
                opponents::page(&table, &game, &rulebook, remark.as_deref())
            }
        }
    };
    answer_out(args.json).write_all(page.as_bytes())?;
    Ok(())
}

fn everybody() -> String {
    let mut page = "Whom you can play against, with --vs NAME, from the gentlest on:\n\n".to_owned();
    for opponent in Opponent::for_people() {
        page.push_str(&line(opponent));
    }
    let others =
        "easy, medium and hard are other names for pip, momo and sage; adaptive goes up and down with you.";
    page.push_str(&format!("\n{}\n", wrap(others, "  ", "  ")));
    page.push_str("\nFor comparison; these never change:\n\n");
    for opponent in Opponent::all().filter(|opponent| opponent.is_reference()) {
        page.push_str(&line(opponent));
    }
    let more = "spoton opponents GAME tells how well they do in a game; NAME:slip=0.1 makes one slip more or less often.";
    page.push_str(&format!("\n{}\n", wrap(more, "", "")));
    page
}

/// An opponent with its habit, on lines that fit a page.
fn line(opponent: Opponent) -> String {
    let name = format!("  {:<8} ", opponent.to_string());
    format!("{}\n", wrap(&format!("{}.", opponent.habit()), &name, "           "))
}
