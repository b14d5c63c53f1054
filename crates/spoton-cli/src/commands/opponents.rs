//! `spoton games --opponents`: the opponents and their habits. The old `spoton opponents GAME`: exact odds between them.

use std::io::Write;
use std::sync::Arc;

use spoton::discovery::Spoiler;
use spoton::evaluate::opponent::{Opponent, Table};
use spoton::json;
use spoton::words::opponents;
use spoton::words::page::wrap;

use crate::args::OpponentsArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::progress::refuse_if_hidden;
use crate::shown::{coloured_out, json_out, unplayable_first};
use crate::solving::{ask, games};

/// Lists all opponents.
pub fn list(json: bool, colour: Colour) -> Result<(), Failure> {
    match json {
        true => json_out().answer(&json::opponents())?,
        false => coloured_out(colour).write_all(everybody(colour).as_bytes())?,
    }
    Ok(())
}

pub fn run(args: &OpponentsArgs, colour: Colour) -> Result<(), Failure> {
    let Some(name) = &args.game else { return list(args.json, colour) };
    refuse_if_hidden(&Folders::usual(), Spoiler::Facts)?;
    let game = game::find(name, &args.changes)?;
    let rulebook = Arc::new(game.rulebook()?);
    let games = games(args.memory.mebibytes);
    let ladder = ask(&games, &rulebook, |game, budget| game.ladder(budget)).map_err(|failure| {
        failure.or_else_try(
            "Exact odds need every position. Try spoton bot arena --rounds N, which plays rounds instead",
        )
    })?;
    let table = Table::new(ladder);
    if args.json {
        json_out().answer(&json::odds(&game, &table))?;
        return Ok(());
    }
    unplayable_first(&rulebook)?;
    let remark = opponents::too_few_choices(table.ladder(), &game, &games, game::by_variant);
    let page = opponents::page(&table, &game, &rulebook, remark.as_deref());
    let (title, rest) = page.split_once('\n').unwrap_or((&page, ""));
    write!(coloured_out(colour), "{}\n{rest}", colour.name(title))?;
    Ok(())
}

fn everybody(colour: Colour) -> String {
    let mut page = "Opponents for --vs NAME, from easy to hard:\n\n".to_owned();
    for opponent in Opponent::for_people() {
        page.push_str(&line(opponent, colour));
    }
    let others = "easy, medium and hard mean pip, momo and sage; adaptive adjusts to your results.";
    page.push_str(&format!("\n{}\n", wrap(others, "  ", "  ")));
    page.push_str("\nReference opponents, which never change:\n\n");
    for opponent in Opponent::all().filter(|opponent| opponent.is_reference()) {
        page.push_str(&line(opponent, colour));
    }
    let more =
        "spoton audit GAME shows their exact odds in a game. NAME:slip=0.1 sets how often an opponent slips.";
    page.push_str(&format!("\n{}\n", wrap(more, "", "")));
    page
}

/// An opponent and its habit, wrapped.
fn line(opponent: Opponent, colour: Colour) -> String {
    let name = opponent.to_string();
    let line =
        format!("{}\n", wrap(&format!("{}.", opponent.habit()), &format!("  {name:<8} "), "           "));
    line.replacen(&name, &colour.name(&name), 1)
}
