//! Which game a name stands for, wherever somebody names one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, is_separator};

use super::day::Day;
use super::today::Duel;
use crate::format::{BadName, BookText, called, catalog};

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named<'a> {
    /// A game that comes with Spot On.
    Shipped(BookText),
    /// A rule book file.
    File(&'a Path),
    /// The [duel](Duel) of a day, which records call by its day.
    DuelOf(Day),
}

/// The game of a name: what ends in `.toml` or has a folder is a file; else it is the name of a game that comes with Spot On,
/// that of one of somebody's own files (`own` has them by name), that of a day's duel, or a part of one of the first two.
///
/// ```
/// use spoton::people::named::{Named, named};
///
/// let own = [("my-maze".to_owned(), "rulebooks/my-maze.toml".into())];
/// assert!(matches!(named("number-maze".as_ref(), &own), Ok(Named::Shipped(book)) if book.id == "number-maze"));
/// assert_eq!(named("my-m".as_ref(), &own), Ok(Named::File("rulebooks/my-maze.toml".as_ref())));
/// assert_eq!(named("maze.toml".as_ref(), &own), Ok(Named::File("maze.toml".as_ref())));
/// assert!(matches!(named("today-2026-11-15".as_ref(), &own), Ok(Named::DuelOf(_))));
/// assert_eq!(
///     named("maze".as_ref(), &own).unwrap_err().to_string(),
///     "\"maze\" could be my-maze or number-maze; please type more of it"
/// );
/// ```
///
/// # Errors
///
/// If it could be several of them, or none. Whoever can look may find that a file has this name.
pub fn named<'a>(name: &'a OsStr, own: &'a [(String, PathBuf)]) -> Result<Named<'a>, BadName> {
    let path = Path::new(name);
    let has_folder = name.as_encoded_bytes().iter().any(|byte| is_separator(char::from(*byte)));
    if has_folder || path.extension().is_some_and(|ending| ending == "toml") {
        return Ok(Named::File(path));
    }
    let known = |name: &str| {
        let of_own = || own.iter().find(|(known, _)| known == name).map(|(_, path)| Named::File(path));
        BookText::shipped(name).map(Named::Shipped).or_else(of_own)
    };
    let exactly =
        name.to_str().and_then(|name| known(name).or_else(|| Duel::day_of(name).map(Named::DuelOf)));
    if let Some(exactly) = exactly {
        return Ok(exactly);
    }
    let shipped = catalog::ids().map(|id| -> &str { id });
    let part = called(&name.to_string_lossy(), shipped.chain(own.iter().map(|(known, _)| known.as_str())))?;
    Ok(known(part).unwrap_or(Named::File(path)))
}
