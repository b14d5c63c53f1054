//! `spoton new`: a rule book to begin with.

use std::io::Write;

use spoton::format::{Changes, TEMPLATE};

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::files;
use crate::game;
use crate::shell::quoted_file;
use crate::shown;

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let text = match &args.like {
        None => TEMPLATE.to_owned(),
        Some(like) => {
            let game = game::find(like, &Changes::default())?;
            game.rulebook()?;
            let id = &game.id();
            format!(
                "# Made from the rule book of {id}. Change what you like: it is yours now.\n\n{}",
                game.book.text
            )
        }
    };
    let path = &args.file;
    files::create(path, &text)?;
    writeln!(shown::out(), "Wrote {}. Play it with: spoton play {}", shown::path(path), quoted_file(path))?;
    Ok(())
}
