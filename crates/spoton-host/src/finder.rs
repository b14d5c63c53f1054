//! Finds a game by its typed name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, is_separator};

use spoton::day::Day;
use spoton::design::today::Duel;
use spoton::format::{BadName, BookText, called, catalog};

use crate::files::{BadFile, read_book};

/// Finds games by name for one surface.
#[derive(Clone, Copy, Debug)]
pub struct Finder {
    /// How its users list the games, for the message about an unknown name.
    pub list: &'static str,
}

/// A game that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A rule book.
    Book(BookText),
    /// A day's [duel](Duel). Records name it by its day.
    DuelOf(Day),
}

/// Why a name doesn't find a game.
#[derive(Debug, thiserror::Error)]
pub enum NoGame {
    /// Several games match.
    #[error("{0}")]
    Ambiguous(String),
    /// No game matches.
    #[error("{0}")]
    Unknown(String),
    /// The file isn't a rule book.
    #[error(transparent)]
    BadFile(#[from] BadFile),
}

impl Finder {
    /// Finds a shipped game by its name or a unique part of it.
    ///
    /// ```
    /// use spoton_host::Finder;
    ///
    /// let finder = Finder { list: "/games lists the games" };
    /// assert_eq!(finder.shipped("maze").unwrap().id, "number-maze");
    /// let refusal = |name| finder.shipped(name).unwrap_err().to_string();
    /// assert_eq!(refusal("qqqq"), "there is no game \"qqqq\"; /games lists the games");
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is ambiguous or unknown.
    pub fn shipped(self, name: &str) -> Result<BookText, NoGame> {
        let id = called(name, catalog::ids()).map_err(|bad| self.no_game(&bad))?;
        BookText::shipped(id).ok_or_else(|| NoGame::Unknown(id.to_owned()))
    }

    /// Finds a game by its name or path. A name that ends in `.toml` or contains a folder is a file. Otherwise it's a
    /// shipped game, one of the user's own files (`own` lists them by name), a day's duel, a unique part of a game's or
    /// file's name, or any other file.
    ///
    /// ```
    /// use spoton_host::{Finder, Found};
    ///
    /// let finder = Finder { list: "run `spoton games` for a list" };
    /// let own = [("my-maze".to_owned(), "rulebooks/my-maze.toml".into())];
    /// let found = |name: &str| finder.anywhere(name.as_ref(), &own);
    /// assert!(matches!(found("number-maze"), Ok(Found::Book(book)) if book.id == "number-maze"));
    /// assert!(matches!(found("today-2026-11-15"), Ok(Found::DuelOf(_))));
    /// assert_eq!(
    ///     found("maze").unwrap_err().to_string(),
    ///     "\"maze\" could be my-maze or number-maze; type more of the name"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is ambiguous or unknown, or the file isn't a rule book.
    pub fn anywhere(self, name: &OsStr, own: &[(String, PathBuf)]) -> Result<Found, NoGame> {
        let path = Path::new(name);
        let has_folder = name.as_encoded_bytes().iter().any(|byte| is_separator(char::from(*byte)));
        if has_folder || path.extension().is_some_and(|ending| ending == "toml") {
            return Ok(Found::Book(read_book(path)?));
        }
        let book = |name: &str| {
            let of_own = || own.iter().find(|(known, _)| known == name).map(|(_, path)| read_book(path));
            BookText::shipped(name).map(Ok).or_else(of_own)
        };
        if let Some(name) = name.to_str() {
            if let Some(book) = book(name) {
                return Ok(Found::Book(book?));
            }
            if let Some(day) = Duel::day_of(name) {
                return Ok(Found::DuelOf(day));
            }
        }
        let shipped = catalog::ids().map(|id| -> &str { id });
        let known = shipped.chain(own.iter().map(|(known, _)| known.as_str()));
        match called(&name.to_string_lossy(), known) {
            Ok(part) => Ok(Found::Book(book(part).unwrap_or_else(|| read_book(path))?)),
            Err(BadName::Unknown { .. }) if path.is_file() => Ok(Found::Book(read_book(path)?)),
            Err(bad) => Err(self.no_game(&bad)),
        }
    }

    fn no_game(self, bad: &BadName) -> NoGame {
        match bad {
            BadName::Unknown { meant: None, .. } => NoGame::Unknown(format!("{bad}; {}", self.list)),
            BadName::Several { .. } => NoGame::Ambiguous(bad.to_string()),
            bad => NoGame::Unknown(bad.to_string()),
        }
    }
}
