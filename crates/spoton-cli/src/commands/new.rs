//! `spoton new`: a new rule book.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use spoton::format::Draft;

use crate::args::{Entry, json_option, read, suggest};
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::game;
use crate::progress;
use crate::shell::quoted_file;
use crate::shown;

pub const COMMAND: Entry = Entry {
    group: Some("Make"),
    name: "new",
    about: "Create a rule book",
    arguments: NewArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

#[derive(Args, Debug)]
pub struct NewArgs {
    /// The file to create; it must not exist yet
    pub file: PathBuf,

    /// Copy this game's rule book
    #[arg(long, value_name = "GAME", value_parser = suggest::game(), hide_possible_values = true)]
    pub like: Option<OsString>,
}

fn run(args: &NewArgs) -> Result<(), Failure> {
    let text = game::new_text(args.like.as_deref(), progress::view(&Folders::usual()))?;
    let path = &args.file;
    files::create(path, &text)?;
    let draft = Draft::read(&shown::path(path), &text);
    if let Some(why) = draft.build().ok().and_then(|rulebook| rulebook.unplayable()) {
        writeln!(shown::out(), "{why}")?;
    }
    writeln!(shown::out(), "Wrote {}. Play it with: spoton play {}", shown::path(path), quoted_file(path))?;
    tell_where_own_games_are(path);
    Ok(())
}

/// Mentions the folder for the player's own games, unless the file is already in it. Creates the folder, because moving a
/// file to a missing folder would rename the file. Ignores a closed standard error.
fn tell_where_own_games_are(path: &Path) {
    let Ok(folder) = Folders::usual().rulebooks() else { return };
    // The folder may be in a read-only home.
    std::fs::create_dir_all(&folder).ok();
    let whole = std::path::absolute(path).ok();
    if whole.as_deref().and_then(Path::parent) != Some(&*folder) {
        let said = "To list it with the other games, move it to this folder:";
        let _ = writeln!(shown::err(), "{said}\n  {}", shown::path(&folder));
    }
}
