//! `spoton opponents`: names and habits, and for a game the exact odds between them.

use std::io::Write;
use std::sync::Arc;

use spoton::json;
use spoton::people::opponent::{Opponent, Table};
use spoton::sitting::discovery::Spoiler;
use spoton::words::opponents;
use spoton::words::page::wrap;

use crate::args::OpponentsArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress::refuse_if_hidden;
use crate::shown::{coloured_out, json_out};
use crate::solving::{ask, games};

pub fn run(args: &OpponentsArgs, colour: Colour) -> Result<(), Failure> {
    let page = match &args.game {
        None if args.json => format!("{}\n", json::opponents()),
        None => everybody(colour),
        Some(name) => {
            refuse_if_hidden(&Folders::usual(), Spoiler::Facts)?;
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
                let page = opponents::page(&table, &game, &rulebook, remark.as_deref());
                let (title, rest) = page.split_once('\n').unwrap_or((&page, ""));
                format!("{}\n{rest}", colour.name(title))
            }
        }
    };
    let mut out = if args.json { json_out() } else { coloured_out(colour) };
    out.write_all(page.as_bytes())?;
    Ok(())
}

fn everybody(colour: Colour) -> String {
    let mut page = "Whom you can play against, with --vs NAME, from the gentlest on:\n\n".to_owned();
    for opponent in Opponent::for_people() {
        page.push_str(&line(opponent, colour));
    }
    let others =
        "easy, medium and hard are other names for pip, momo and sage; adaptive goes up and down with you.";
    page.push_str(&format!("\n{}\n", wrap(others, "  ", "  ")));
    page.push_str("\nFor comparison; these never change:\n\n");
    for opponent in Opponent::all().filter(|opponent| opponent.is_reference()) {
        page.push_str(&line(opponent, colour));
    }
    let more = "spoton opponents GAME tells how well they do in a game; NAME:slip=0.1 makes one slip more or less often.";
    page.push_str(&format!("\n{}\n", wrap(more, "", "")));
    page
}

/// An opponent with its habit, on lines that fit a page.
fn line(opponent: Opponent, colour: Colour) -> String {
    let name = opponent.to_string();
    let line =
        format!("{}\n", wrap(&format!("{}.", opponent.habit()), &format!("  {name:<8} "), "           "));
    line.replacen(&name, &colour.name(&name), 1)
}
