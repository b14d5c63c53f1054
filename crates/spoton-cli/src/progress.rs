//! What is remembered from one start to the next: how far somebody has come against the adaptive opponent, and
//! whether discovery is on and what it has uncovered. One small sealed file, written like a save. What became of the
//! puzzles is in another of the same form.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use spoton::format::Rulebook;
use spoton::people::map::Cover;
use spoton::people::puzzle::{Became, PuzzleId, Tried};
use spoton::records;
use spoton::sitting::discovery::{Spoiler, View};

use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::output::Colour;
use crate::save::replace_whole;
use crate::shown;

/// More than is ever remembered.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Names and values.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Progress {
    values: BTreeMap<String, String>,
}

impl Progress {
    /// What was remembered, if anything. A damaged file is an error, and left as it is; nobody needs to stop for it.
    pub fn load(folders: &Folders) -> Result<Progress, Failure> {
        match folders.progress() {
            Ok(path) => Progress::load_from(&path),
            // Without a folder, there is nowhere to remember anything.
            Err(_) => Ok(Progress::default()),
        }
    }

    fn load_from(path: &Path) -> Result<Progress, Failure> {
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            files::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = match read() {
            Ok(bytes) => bytes,
            // Without a file, nothing is remembered yet.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Progress::default());
            }
            Err(error) => return Err(Failure::file("read", path, &error)),
        };
        let text = records::unseal(&bytes).map_err(|bad| {
            Failure::Failed(format!("{}: {bad}. Take the file away to begin anew", shown::path(path)))
        })?;
        let pairs = text.lines().filter_map(|line| line.split_once(" = "));
        Ok(Progress { values: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() })
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Remembers a value, beside what anybody else has remembered in the meantime.
    pub fn remember(folders: &Folders, name: &str, value: &str) -> Result<(), Failure> {
        Progress::remember_in(&folders.progress()?, name, value)
    }

    fn remember_in(path: &Path, name: &str, value: &str) -> Result<(), Failure> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::file("make the folder", folder, &error))?;
        }
        replace_whole(path, || {
            let mut progress = Progress::load_from(path)?;
            progress.values.insert(name.to_owned(), value.to_owned());
            Ok(progress.values.iter().map(|(name, value)| format!("{name} = {value}\n")).collect())
        })
    }
}

/// What became of the puzzles. They have a file of their own: there may be thousands, and everything else is asked for
/// more often.
pub fn tried(folders: &Folders) -> Result<Tried, Failure> {
    let Ok(path) = folders.puzzles() else { return Ok(Tried::default()) };
    let progress = Progress::load_from(&path)?;
    Ok(Tried::read(progress.values.iter().map(|(id, became)| (id.as_str(), became.as_str()))))
}

/// Notes what became of a puzzle.
pub fn note_tried(folders: &Folders, id: &PuzzleId, became: Became) -> Result<(), Failure> {
    Progress::remember_in(&folders.puzzles()?, &id.to_string(), &became.to_string())
}

/// Whether discovery is on, until it is turned off.
pub fn is_discovering(folders: &Folders) -> Result<bool, Failure> {
    Ok(Progress::load(folders)?.get(DISCOVER) == Some("on"))
}

/// The same for a command: if it cannot be known, that is told, and the question is answered.
pub fn is_discovering_or_tell(folders: &Folders) -> bool {
    is_discovering(folders).unwrap_or_else(|failure| {
        failure.tell(false, Colour::none());
        false
    })
}

/// What the player at this computer may see.
pub fn view(folders: &Folders) -> View {
    View::of_player(is_discovering_or_tell(folders))
}

/// Refuses a command that would show something hidden.
pub fn refuse_if_hidden(folders: &Folders, spoiler: Spoiler) -> Result<(), Failure> {
    match view(folders).hides(spoiler) {
        true => Err(Failure::Usage(DISCOVERING.to_owned())),
        false => Ok(()),
    }
}

/// Turns discovery on or off.
pub fn discover(folders: &Folders, on: bool) -> Result<(), Failure> {
    Progress::remember(folders, DISCOVER, if on { "on" } else { "off" })
}

/// Why a command that would show something hidden is refused.
const DISCOVERING: &str = "discovery is on: no hints or answers; spoton discover off turns it off";

const DISCOVER: &str = "discover";

/// What lies over the map of a game while discovery is on, as far as somebody has uncovered it.
pub fn cover(folders: &Folders, rulebook: &Rulebook) -> Cover {
    let progress = Progress::load(folders).unwrap_or_default();
    let open = progress.get(&uncovered(rulebook)).and_then(|count| count.parse().ok());
    Cover::new(rulebook, open.unwrap_or(0))
}

/// Uncovers one more number, and remembers it as far as that can be done.
pub fn uncover(folders: &Folders, rulebook: &Rulebook, cover: &mut Cover) -> Result<(), Failure> {
    *cover = cover.uncovered();
    Progress::remember(folders, &uncovered(rulebook), &cover.open().to_string())
}

/// What the numbers that were uncovered in a game are remembered by.
fn uncovered(rulebook: &Rulebook) -> String {
    format!("uncovered {}", rulebook.fingerprint())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_and_a_damaged_file_is_told_and_left() {
        let folder = std::env::temp_dir().join(format!("spoton-progress-{}", std::process::id()));
        let path = folder.join("progress.spoton");
        assert_eq!(Progress::load_from(&path).unwrap(), Progress::default());
        Progress::remember_in(&path, "level a", "2").unwrap();
        Progress::remember_in(&path, "level b", "3").unwrap();
        Progress::remember_in(&path, "level a", "4").unwrap();
        let progress = Progress::load_from(&path).unwrap();
        assert_eq!((progress.get("level a"), progress.get("level b")), (Some("4"), Some("3")));
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(Progress::load_from(&path).is_err());
        assert!(Progress::remember_in(&path, "level a", "5").is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
        fs::remove_dir_all(&folder).unwrap();
    }
}
