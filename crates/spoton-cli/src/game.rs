//! Resolves a game on the command line to a rule book.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use spoton::discovery::{LEFT_OUT, Spoiler, View};
use spoton::format::{BookText, Changes, Game, Listed, TEMPLATE, text_like, unspoiled};
use spoton_host::files::{self, BadFile, book};
use spoton_host::{Finder, Found};

use crate::failure::Failure;
use crate::files::STANDARD_INPUT;
use crate::folders::Folders;
use crate::shell::{quoted, quoted_file};
use crate::sitting::today;

const FINDER: Finder = Finder { list: "run `spoton games` for a list, or give the path of a rule book file" };

/// Finds a game and applies the changes to it.
pub fn find(name: &OsStr, changes: &Changes) -> Result<Game, Failure> {
    let book = match FINDER.anywhere(name, &Folders::usual().own_books())? {
        Found::Book(book) => book,
        Found::DuelOf(day) => today::duel(day)?.book(),
    };
    let name = if book.own_file { name.to_string_lossy().into_owned() } else { book.id.clone() };
    Ok(Game::new(book, name, changes)?)
}

/// Like [`find`], but `-` reads a rule book from standard input.
pub fn find_or_read(name: &OsStr, changes: &Changes) -> Result<Game, Failure> {
    if name != STANDARD_INPUT {
        return find(name, changes);
    }
    let path = Path::new(name);
    Ok(Game::new(book(path, read_text(path)?), STANDARD_INPUT.to_owned(), changes)?)
}

/// The text of a new rule book: a template with comments, or a copy of a game's rule book, without what the viewer may
/// not see.
pub fn new_text(like: Option<&OsStr>, view: View) -> Result<String, Failure> {
    let Some(like) = like else { return Ok(TEMPLATE.to_owned()) };
    let game = find(like, &Changes::default())?;
    game.rulebook()?;
    let text = text_for(&game.book, view)?;
    Ok(text_like(&BookText { text, ..game.book }))
}

/// The text of a rule book without what the viewer may not see. If something is left out, a first line notes it.
pub fn text_for(book: &BookText, view: View) -> Result<String, Failure> {
    if !view.hides(Spoiler::Claims) && !view.hides(Spoiler::Notes) {
        return Ok(book.text.clone());
    }
    let cannot = "discovery mode is on, and Spot On can't remove the claims and notes from this text. To turn it off: spoton config discovery off";
    let text = unspoiled(&book.text).ok_or_else(|| Failure::Usage(cannot.to_owned()))?;
    Ok(format!("# {LEFT_OUT}\n\n{}", text.trim_start()))
}

/// The command-line words that select a game with its changes.
pub fn command_line(game: &Game) -> String {
    let variant = game.variant.iter().map(|variant| format!(" --variant {}", quoted(variant)));
    let settings = game.written_settings();
    let settings = settings.iter().map(|setting| format!(" --rule {}", quoted(setting)));
    quoted_file(&game.name) + &variant.chain(settings).collect::<String>()
}

/// Recommends a variant that has more levels than its game, with the option that selects it.
pub fn by_variant(name: &str) -> String {
    format!("Its variant {name} has more: --variant {}", quoted(name))
}

/// A game in the list of all games.
pub struct FoundGame {
    /// A name that always finds it: its id, or the path of a player's own file.
    pub name: OsString,
    pub listed: Listed,
}

/// All games with a name: first Spot On's, then the player's own.
pub fn all(folders: &Folders) -> Vec<FoundGame> {
    let shipped = Listed::shipped().map(|listed| FoundGame { name: listed.id.clone().into(), listed });
    let own = folders.own_books().into_iter().map(|(_, path)| {
        let book = book(&path, read_text(&path).unwrap_or_default());
        FoundGame { name: path.into_os_string(), listed: Listed::from_text(&book) }
    });
    shipped.chain(own).collect()
}

/// Reads the text of a rule book file, or of standard input.
pub fn read_text(path: &Path) -> Result<String, BadFile> {
    match path == Path::new(STANDARD_INPUT) {
        true => files::text_from(io::stdin().lock(), path),
        false => files::read_text(path),
    }
}
