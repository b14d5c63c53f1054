//! Rule book files, and the folder with the user's own.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use etcetera::base_strategy::choose_native_strategy;
use spoton::format::{BookText, LARGEST_FILE, shown};

/// Why a file can't be read as a rule book.
#[derive(Debug, thiserror::Error)]
pub enum BadFile {
    /// The system can't read the file.
    #[error("can't read {}: {error}", path_shown(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file is too long or isn't text.
    #[error("{0}")]
    NotABook(String),
}

fn path_shown(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// Spot On's data folder; `None` if the platform has none.
pub fn data_folder() -> Option<PathBuf> {
    choose_native_strategy().ok().map(|folders| folders.data_dir().join("spoton"))
}

/// The folder with the user's own rule books, inside a data folder. Their names work like ids.
pub fn book_folder(data: &Path) -> PathBuf {
    data.join("rulebooks")
}

/// The rule books in a folder. A missing folder has none.
pub fn book_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    // Reading from a pipe with such a name could block forever.
    let is_book = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml") && path.is_file();
    let mut books: Vec<PathBuf> = paths.filter(is_book).collect();
    // Sorted by stem, not by path: `a.toml` comes before `a-b.toml`.
    books.sort_by(|one, two| one.file_stem().cmp(&two.file_stem()));
    Ok(books)
}

/// The rule books in a data folder, by name. An unreadable folder has none.
pub fn own_books(data: Option<&Path>) -> Vec<(String, PathBuf)> {
    let paths = data.and_then(|data| book_files(&book_folder(data)).ok()).unwrap_or_default();
    let named = |path: PathBuf| Some((path.file_stem()?.to_str()?.to_owned(), path));
    paths.into_iter().filter_map(named).collect()
}

/// Reads a rule book file.
///
/// # Errors
///
/// If the file can't be read, is too long or isn't text.
pub(crate) fn read_book(path: &Path) -> Result<BookText, BadFile> {
    Ok(book(path, read_text(path)?))
}

/// A rule book whose text comes from a file.
pub fn book(path: &Path, text: String) -> BookText {
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    BookText { id, own_file: true, source_name: path_shown(path), text }
}

/// Reads the text of a rule book file.
///
/// # Errors
///
/// As for `read_book`.
pub fn read_text(path: &Path) -> Result<String, BadFile> {
    let file = File::open(path).map_err(|error| BadFile::Unreadable { path: path.to_owned(), error })?;
    text_from(file, path)
}

/// Reads the text of a rule book up to the largest size allowed. `path` is only for messages.
///
/// # Errors
///
/// As for `read_book`.
pub fn text_from(source: impl Read, path: &Path) -> Result<String, BadFile> {
    let mut bytes = Vec::new();
    let read = source.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| BadFile::Unreadable { path: path.to_owned(), error })?;
    if bytes.len() > LARGEST_FILE {
        let length = fs::metadata(path).map_or(0, |about| about.len()).max(bytes.len() as u64);
        let message = format!("the file has {length} bytes; the limit is {LARGEST_FILE} (64 KiB)");
        return Err(BadFile::NotABook(format!("{}:1:1: {message}", path_shown(path))));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        BadFile::NotABook(format!("{}:{line}:{column}: the file is not UTF-8 text", path_shown(path)))
    })
}
