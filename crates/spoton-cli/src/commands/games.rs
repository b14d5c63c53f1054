//! `spoton games`: what there is to play.

use std::io::Write;

use spoton::json;
use spoton::words::describe;
use spoton::words::page::wrap;

use crate::args::GamesArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::Colour;
use crate::shown::{coloured_out, json_out};

pub fn run(args: &GamesArgs, colour: Colour) -> Result<(), Failure> {
    let games = game::all(&Folders::usual());
    let games = games.iter().map(|found| &found.listed);
    if args.json {
        writeln!(json_out(), "{}", json::games(games))?;
        return Ok(());
    }
    let mut out = coloured_out(colour);
    for (index, listed) in games.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let Some(rulebook) = &listed.rulebook else {
            writeln!(
                out,
                "{}\n    This rule book is not valid; spoton check tells why.",
                colour.name(&listed.id)
            )?;
            continue;
        };
        let mark = if listed.own_file { "  (your own)" } else { "" };
        writeln!(out, "{}  {}{mark}", colour.name(&listed.id), rulebook.title())?;
        writeln!(out, "{}", wrap(&describe::summary(rulebook), "    ", "    "))?;
        if let Some(suits) = rulebook.suits() {
            writeln!(out, "{}", wrap(&format!("For {suits}."), "    ", "    "))?;
        }
        if !listed.variants.is_empty() {
            writeln!(out, "{}", wrap(&listed.variants.join(", "), "    Variants: ", "    "))?;
        }
    }
    writeln!(out, "\nspoton play GAME starts one; spoton rules GAME explains it.")?;
    Ok(())
}
