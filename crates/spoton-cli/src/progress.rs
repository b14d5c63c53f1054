//! State between runs: levels against the adaptive opponent, settings, and uncovered maps. One small file with a
//! checksum holds all of it and is replaced atomically, like a save. Puzzle results have a second file in the same
//! format.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use spoton::discovery::{Spoiler, View};
use spoton::format::Rulebook;
use spoton::records;
use spoton::teach::map::Cover;
use spoton::teach::puzzle::{Became, PuzzleId, Tried};

use crate::failure::Failure;
use crate::files;
use crate::folders::Folders;
use crate::output::Colour;
use crate::save::replace_whole;
use crate::shown;

/// Maximum size of the file.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Names and values.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Progress {
    values: BTreeMap<String, String>,
}

impl Progress {
    /// Loads the file. A corrupted file is an error and stays as it is; callers can continue without it.
    pub fn load(folders: &Folders) -> Result<Progress, Failure> {
        match folders.progress() {
            Ok(path) => Progress::load_from(&path),
            // Without a data folder, nothing is stored.
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
            // Nothing has been stored yet.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Progress::default());
            }
            Err(error) => return Err(Failure::file("read", path, &error)),
        };
        let text = records::unseal(&bytes).map_err(|bad| {
            Failure::Failed(format!("{}: {bad}. Delete the file to start over", shown::path(path)))
        })?;
        let pairs = text.lines().filter_map(|line| line.split_once(" = "));
        Ok(Progress { values: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() })
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Stores a value. Keeps values that other programs have stored in the meantime.
    pub fn remember(folders: &Folders, name: &str, value: &str) -> Result<(), Failure> {
        Progress::remember_in(&folders.progress()?, name, value)
    }

    fn remember_in(path: &Path, name: &str, value: &str) -> Result<(), Failure> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::file("create the folder", folder, &error))?;
        }
        replace_whole(path, || {
            let mut progress = Progress::load_from(path)?;
            progress.values.insert(name.to_owned(), value.to_owned());
            Ok(progress.values.iter().map(|(name, value)| format!("{name} = {value}\n")).collect())
        })
    }
}

/// Puzzle results. They have a separate file: there may be thousands, and the other values are read more often.
pub fn tried(folders: &Folders) -> Result<Tried, Failure> {
    let Ok(path) = folders.puzzles() else { return Ok(Tried::default()) };
    let progress = Progress::load_from(&path)?;
    Ok(Tried::read(progress.values.iter().map(|(id, became)| (id.as_str(), became.as_str()))))
}

/// Stores a puzzle's result.
pub fn note_tried(folders: &Folders, id: &PuzzleId, became: Became) -> Result<(), Failure> {
    Progress::remember_in(&folders.puzzles()?, &id.to_string(), &became.to_string())
}

/// Whether discovery mode is on.
pub fn is_discovering(folders: &Folders) -> Result<bool, Failure> {
    Ok(Progress::load(folders)?.get(DISCOVER) == Some("on"))
}

/// Like [`is_discovering`], but reports an unreadable file and continues.
pub fn is_discovering_or_tell(folders: &Folders) -> bool {
    is_discovering(folders).unwrap_or_else(|failure| {
        failure.tell(false, Colour::none());
        false
    })
}

/// The spoilers that the player on this computer may see.
pub fn view(folders: &Folders) -> View {
    View::of_player(is_discovering_or_tell(folders))
}

/// Refuses a command that would reveal something hidden.
pub fn refuse_if_hidden(folders: &Folders, spoiler: Spoiler) -> Result<(), Failure> {
    match view(folders).hides(spoiler) {
        true => Err(Failure::Usage(DISCOVERING.to_owned())),
        false => Ok(()),
    }
}

/// Turns discovery mode on or off.
pub fn discover(folders: &Folders, on: bool) -> Result<(), Failure> {
    Progress::remember(folders, DISCOVER, if on { "on" } else { "off" })
}

/// The reason for refusing a command that would reveal something hidden.
const DISCOVERING: &str =
    "discovery mode is on: no hints or answers. To turn it off: spoton config discovery off";

/// Names of settings: `spoton config` and the full screen share them.
pub const DISCOVER: &str = "discover";
pub const MOTION: &str = "motion";
pub const BACKGROUND: &str = "background";
pub const NAMES: &str = "names";

/// Whether the full screen is animated.
pub fn has_motion(folders: &Folders) -> bool {
    Progress::load(folders).is_ok_and(|progress| progress.get(MOTION) != Some("off"))
}

/// The cover on a game's map in discovery mode.
pub fn cover(folders: &Folders, rulebook: &Rulebook) -> Cover {
    let progress = Progress::load(folders).unwrap_or_default();
    let open = progress.get(&uncovered(rulebook)).and_then(|count| count.parse().ok());
    Cover::new(rulebook, open.unwrap_or(0))
}

/// Uncovers one more number and saves it.
pub fn uncover(folders: &Folders, rulebook: &Rulebook, cover: &mut Cover) -> Result<(), Failure> {
    *cover = cover.uncovered();
    Progress::remember(folders, &uncovered(rulebook), &cover.open().to_string())
}

/// The key for a game's uncovered numbers.
fn uncovered(rulebook: &Rulebook) -> String {
    format!("uncovered {}", rulebook.fingerprint())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_and_a_corrupted_file_is_an_error() {
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
