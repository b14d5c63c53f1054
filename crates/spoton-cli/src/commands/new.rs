//! `spoton new`: a rule book to begin with.

use std::io::Write;
use std::path::Path;

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::game;
use crate::progress;
use crate::shell::quoted_file;
use crate::shown;

pub fn run(args: &NewArgs) -> Result<(), Failure> {
    let text = game::new_text(args.like.as_deref(), progress::view(&Folders::usual()))?;
    let path = &args.file;
    files::create(path, &text)?;
    writeln!(shown::out(), "Wrote {}. Play it with: spoton play {}", shown::path(path), quoted_file(path))?;
    tell_where_own_games_are(path);
    Ok(())
}

/// Says where the list of games and the full screen look, unless the file is there. If nobody listens, it is written all
/// the same.
fn tell_where_own_games_are(path: &Path) {
    let Ok(folder) = Folders::usual().rulebooks() else { return };
    let whole = std::path::absolute(path).ok();
    if whole.as_deref().and_then(Path::parent) != Some(&*folder) {
        let said = "To see it among the games, and on the full screen, put it into this folder:";
        let _ = writeln!(shown::err(), "{said}\n  {}", shown::path(&folder));
    }
}
