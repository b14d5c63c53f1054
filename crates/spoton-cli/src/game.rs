//! From what stands on the command line to a rule book that can be played.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use spoton::format::{
    BadName, BookText, Changes, Game, LARGEST_FILE, Listed, TEMPLATE, text_like, unspoiled,
};
use spoton::people::named::{Named, named};
use spoton::sitting::discovery::{LEFT_OUT, Spoiler, View};

use crate::failure::Failure;
use crate::files::{self, STANDARD_INPUT};
use crate::folders::Folders;
use crate::shell::{quoted, quoted_file};
use crate::shown;
use crate::today;

/// Finds a game and lays the changes over it.
pub fn find(name: &OsStr, changes: &Changes) -> Result<Game, Failure> {
    let book = locate(name)?;
    let name = if book.own_file { name.to_string_lossy().into_owned() } else { book.id.clone() };
    Ok(Game::new(book, name, changes)?)
}

/// The same where `-` stands for a rule book that comes by standard input.
pub fn find_or_read(name: &OsStr, changes: &Changes) -> Result<Game, Failure> {
    if name != STANDARD_INPUT {
        return find(name, changes);
    }
    Ok(Game::new(read_file(Path::new(name))?, STANDARD_INPUT.to_owned(), changes)?)
}

/// What a new rule book begins with: that of a game, as far as a viewer may see it, or else one in which remarks explain
/// every line.
pub fn new_text(like: Option<&OsStr>, view: View) -> Result<String, Failure> {
    let Some(like) = like else { return Ok(TEMPLATE.to_owned()) };
    let game = find(like, &Changes::default())?;
    game.rulebook()?;
    let text = text_for(&game.book, view)?;
    Ok(text_like(&BookText { text, ..game.book }))
}

/// The text of a rule book as far as a viewer may see it. If something is left out, its first line says so.
pub fn text_for(book: &BookText, view: View) -> Result<String, Failure> {
    if !view.hides(Spoiler::Claims) && !view.hides(Spoiler::Notes) {
        return Ok(book.text.clone());
    }
    let cannot = "discovery is on, and claims and notes cannot be cut out of this text; spoton discover off turns it off";
    let text = unspoiled(&book.text).ok_or_else(|| Failure::Usage(cannot.to_owned()))?;
    Ok(format!("# {LEFT_OUT}\n\n{}", text.trim_start()))
}

/// How to ask for a game, as it stands, on a command line.
pub fn command_line(game: &Game) -> String {
    let variant = game.variant.iter().map(|variant| format!(" --variant {}", quoted(variant)));
    let settings = game.written_settings();
    let settings = settings.iter().map(|setting| format!(" --set {}", quoted(setting)));
    quoted_file(&game.name) + &variant.chain(settings).collect::<String>()
}

/// What is said of a variant that has more levels than its game: how to ask for it on a command line.
pub fn by_variant(name: &str) -> String {
    format!("Its variant {name} has more: --variant {}", quoted(name))
}

/// A game of the list of all games.
pub struct FoundGame {
    /// What finds it for sure: the id, or the path of a player's own file.
    pub name: OsString,
    pub listed: Listed,
}

/// Every game that can be called by its name: Spot On's, then the player's own.
pub fn all(folders: &Folders) -> Vec<FoundGame> {
    let shipped = Listed::shipped().map(|listed| FoundGame { name: listed.id.clone().into(), listed });
    let own = own_names(folders).into_iter().map(|(id, path)| {
        let text = read_text(&path).unwrap_or_default();
        let book = BookText { id, own_file: true, source_name: shown::path(&path), text };
        FoundGame { name: path.into_os_string(), listed: Listed::of(&book) }
    });
    shipped.chain(own).collect()
}

/// A file by its path, a shipped game or the player's own by its name or a part of it; and at last a file whose name looks
/// like that of a game.
fn locate(name: &OsStr) -> Result<BookText, Failure> {
    let path = Path::new(name);
    match named(name, &own_names(&Folders::usual())) {
        Ok(Named::Shipped(book)) => Ok(book),
        Ok(Named::File(path)) => read_file(path),
        Ok(Named::DuelOf(day)) => Ok(today::duel(day)?.book()),
        Err(BadName::Unknown { .. }) if path.is_file() => read_file(path),
        Err(bad) => Err(Failure::Usage(bad.to_string())),
    }
}

/// The player's own rule books by name.
pub fn own_names(folders: &Folders) -> Vec<(String, PathBuf)> {
    let paths = folders.rulebooks().ok().and_then(|folder| own_files(&folder).ok()).unwrap_or_default();
    let named = |path: PathBuf| Some((path.file_stem()?.to_str()?.to_owned(), path));
    let mut own: Vec<(String, PathBuf)> = paths.into_iter().filter_map(named).collect();
    own.sort();
    own
}

/// The rule books in a folder, whatever they are called. A folder that is not there has none.
pub fn own_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    // A pipe of such a name would be waited for, for ever.
    let is_book = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml") && path.is_file();
    let mut own: Vec<PathBuf> = paths.filter(is_book).collect();
    // By name, which is not the order of the paths: `a.toml` comes before `a-b.toml`.
    own.sort_by(|one, two| one.file_stem().cmp(&two.file_stem()));
    Ok(own)
}

fn read_file(path: &Path) -> Result<BookText, Failure> {
    let text = read_text(path)?;
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(BookText { id, own_file: true, source_name: shown::path(path), text })
}

/// A rule book file's text, no more of it than a rule book may have.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = files::read_bytes(path, LARGEST_FILE as u64 + 1);
    let bytes = bytes.map_err(|error| Failure::reading(path, &error))?;
    if bytes.len() > LARGEST_FILE {
        let length = std::fs::metadata(path).map_or(0, |about| about.len()).max(bytes.len() as u64);
        let message = format!("the file has {length} bytes; a rule book has at most {LARGEST_FILE} (64 KiB)");
        return Err(Failure::Usage(format!("{}:1:1: {message}", shown::path(path))));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..at]);
        let (line, column) = (
            before.matches('\n').count() + 1,
            before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1,
        );
        Failure::Usage(format!("{}:{line}:{column}: the file is not a text in UTF-8", shown::path(path)))
    })
}
