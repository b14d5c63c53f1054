//! `spoton games`: what there is to play.

use std::ffi::OsString;
use std::io::{Write, stdout};

use serde_json::json;
use spoton::format::{Draft, Rulebook, catalog};

use crate::args::GamesArgs;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::game;
use crate::output::wrap;

/// A game as a list shows it.
pub struct Listed {
    pub id: String,
    /// What finds it for sure: the id, or the path of a player's own file.
    pub name: OsString,
    pub own_file: bool,
    pub variants: Vec<String>,
    /// The rule book; nothing where a player's own file is not valid.
    pub rulebook: Option<Rulebook>,
}

/// Every game that can be called by its name: Spot On's, then the player's own.
pub fn all(folders: &Folders) -> Vec<Listed> {
    let shipped =
        catalog::ids().filter_map(|id| Some((id.to_owned(), id.into(), catalog::draft(id)?, false)));
    let own = game::own_names(folders).into_iter().map(|(id, path)| {
        let text = game::read_text(&path).unwrap_or_default();
        let draft = Draft::read(&path.display().to_string(), &text);
        (id, path.into_os_string(), draft, true)
    });
    let listed = |(id, name, draft, own_file): (String, OsString, Draft, bool)| Listed {
        id,
        name,
        own_file,
        variants: draft.variants().map(str::to_owned).collect(),
        rulebook: draft.build().ok(),
    };
    shipped.chain(own).map(listed).collect()
}

pub fn run(args: &GamesArgs) -> Result<(), Failure> {
    let games = all(&Folders::usual());
    let mut out = stdout().lock();
    if args.json {
        let list: Vec<_> = games
            .iter()
            .map(|listed| {
                json!({
                    "game": listed.id,
                    "own_file": listed.own_file,
                    "valid": listed.rulebook.is_some(),
                    "title": listed.rulebook.as_ref().map(Rulebook::title),
                    "summary": listed.rulebook.as_ref().map(Rulebook::summary),
                    "suits": listed.rulebook.as_ref().and_then(Rulebook::suits),
                    "variants": listed.variants,
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::Value::Array(list))?;
        return Ok(());
    }
    for (index, listed) in games.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let Some(rulebook) = &listed.rulebook else {
            writeln!(out, "{}\n    This rule book is not valid; spoton check tells why.", listed.id)?;
            continue;
        };
        let mark = if listed.own_file { "  (your own)" } else { "" };
        writeln!(out, "{}  {}{mark}", listed.id, rulebook.title())?;
        if !rulebook.summary().is_empty() {
            writeln!(out, "{}", wrap(rulebook.summary(), "    ", "    "))?;
        }
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
