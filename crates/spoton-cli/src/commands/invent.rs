//! `spoton invent`: new games, each with a certificate from its audit.

use std::io::Write;
use std::sync::Arc;

use spoton::design::invent::{Bounds, Invented, Inventor};
use spoton::discovery::Spoiler;
use spoton::format::Changes;
use spoton::json;
use spoton::words::phrases;

use crate::args::InventArgs;
use crate::entropy;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::game;
use crate::progress::refuse_if_hidden;
use crate::shown::{self, answer_out};
use crate::solving::work;

pub fn run(args: &InventArgs) -> Result<(), Failure> {
    // The comments in the rule book reveal who wins.
    refuse_if_hidden(&Folders::usual(), Spoiler::Facts)?;
    if args.count > 1 && args.to.is_none() && !args.json {
        return Err(Failure::Usage("a rule book holds one game; use --count with --to or --json".to_owned()));
    }
    let seed = args.seed.unwrap_or_else(entropy::seed);
    let mut inventor = Inventor::new(seed, bounds(args));
    if let Some(like) = &args.like {
        let like = game::find(like, &Changes::default())?;
        let like = Arc::new(like.rulebook()?);
        if like.target().is_none() {
            return Err(Failure::Usage("--like needs a game with a target".to_owned()));
        }
        inventor = inventor.like(like);
    }
    if let Some(folder) = &args.to {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::file("create the folder", folder, &error))?;
    }
    let mut out = answer_out(args.json);
    for number in 1..=args.count {
        let invented = work(|budget| inventor.next(budget))?;
        let Some(game) = invented else {
            let found = match number - 1 {
                0 => "no such game found".to_owned(),
                found => format!("only {} found", phrases::count(found, "such game", "such games")),
            };
            return Err(Failure::Failed(format!("{found}; try wider bounds")));
        };
        match &args.to {
            _ if args.json => out.answer(&json::invented(&game))?,
            None => out.write_all(game.text_to_read().as_bytes())?,
            Some(folder) => {
                let path = folder.join(format!("{}.toml", file_name(&game)));
                files::create(&path, &game.text)?;
                writeln!(out, "{}: {}", shown::path(&path), game.rulebook.title())?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

/// The file name includes the seed, so the game can be generated again.
fn file_name(game: &Invented) -> String {
    format!("invented-{}-{}", game.seed, game.number)
}

fn bounds(args: &InventArgs) -> Bounds {
    let mut bounds = args.level.and_then(Bounds::of_level).unwrap_or_else(Bounds::usual);
    if let Some(length) = args.length {
        bounds.length = length.from..=length.to;
    }
    if let Some(subtle) = args.subtle {
        bounds.subtle = subtle.from..=subtle.to;
    }
    if args.guess.is_some() {
        bounds.guess = args.guess;
    }
    bounds
}
