//! `spoton new`: a rule book to begin with.

use std::io::{self, Write};

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::files;
use crate::game;
use crate::shell::quoted_file;
use crate::shown;

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let text = game::new_text(args.like.as_deref())?;
    let path = &args.file;
    files::write_new(path, &text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} exists already, and is left as it is", shown::path(path)))
        }
        _ => Failure::file("write", path, &error),
    })?;
    writeln!(shown::out(), "Wrote {}. Play it with: spoton play {}", shown::path(path), quoted_file(path))?;
    Ok(())
}
