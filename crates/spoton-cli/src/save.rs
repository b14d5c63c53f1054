//! Saves on disk. Invariant: a save is the old one or the new one, never torn. One program at a time holds it.
//!
//! A save is a record under a seal: a first line with length and checksum, which record readers skip as a comment. Spot
//! On writes it to a part file (`save/replace.rs`) and renames it. After every move it does this without syncing, which
//! survives a kill. When the players leave it also syncs, which survives a power cut. A lock file (`save/lock.rs`)
//! excludes other programs. The system releases the lock when the process exits. Both files have hidden names that end
//! in `.spoton-part` and `.spoton-lock`. Handwritten, because crates for atomic files either always
//! wait for the disk or never do, and name part files at random, so a killed program would leave one behind every time.

mod lock;
mod replace;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use spoton::records;

use crate::failure::Failure;
use crate::files;
use crate::shown;
use lock::{Lock, NotLocked};
pub use replace::Outlasts;
use replace::{Step, replace};

const ENDING: &str = "spoton";
/// Size limit.
const LARGEST: u64 = 64 * 1024 * 1024;

/// A save that this program holds.
#[derive(Debug)]
pub struct Save {
    path: PathBuf,
    /// Held for the lifetime of the save; other programs get an error.
    _lock: Lock,
}

impl Save {
    /// Creates a save with a unique name: a counter and the game.
    pub fn create(folder: &Path, game: &str) -> Result<Save, Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create the folder", folder, &error))?;
        let fits = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
        let game: String = game.chars().take(40).map(fits).collect();
        let mut number = 1 + numbered(folder)?.last().map_or(0, |(number, _)| *number);
        loop {
            let path = folder.join(format!("{number:04}-{game}.{ENDING}"));
            match Lock::take(&path) {
                Ok(_lock) if fs::symlink_metadata(&path).is_err() => return Ok(Save { path, _lock }),
                // Another program has just taken this number.
                Ok(_) | Err(NotLocked::Taken) => number += 1,
                Err(NotLocked::Failed(error)) => return Err(Failure::file("write", &path, &error)),
            }
        }
    }

    /// Opens a save and returns its text.
    pub fn open(path: &Path) -> Result<(Save, String), Failure> {
        // Read before locking: don't leave a lock next to a file that isn't a save.
        let about = fs::metadata(path).map_err(|error| Failure::reading(path, &error))?;
        if about.len() > LARGEST {
            let why = io::Error::other("it is too large for a save");
            return Err(Failure::file("read", path, &why));
        }
        read(path)?;
        let lock = Lock::take(path).map_err(|error| match error {
            NotLocked::Taken => is_played_elsewhere(path),
            NotLocked::Failed(error) => Failure::file("lock", path, &error),
        })?;
        // Read again under the lock.
        let text = read(path)?;
        Ok((Save { path: path.to_owned(), _lock: lock }, text))
    }

    /// The text of a save, without locking it.
    pub fn peek(path: &Path) -> Result<String, Failure> {
        read(path)
    }

    /// Whether a file is a save, by its name. Any other file is a record: it can be resumed and stays as it is.
    pub fn is_save(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == ENDING)
    }

    /// All saves in a folder, latest first.
    pub fn all(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let written = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
        let saves = numbered(folder)?.into_iter().filter(|(_, path)| Save::is_save(path));
        let mut saves: Vec<_> = saves.map(|(number, path)| (written(&path), number, path)).collect();
        saves.sort();
        Ok(saves.into_iter().rev().map(|(_, _, path)| path).collect())
    }

    /// The saves in a folder, except those held by other programs, latest first.
    pub fn free(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let is_free = |save: &PathBuf| !matches!(Lock::take(save), Err(NotLocked::Taken));
        Ok(Save::all(folder)?.into_iter().filter(is_free).collect())
    }

    /// The latest save that isn't open in another window, or else the latest of all.
    pub fn latest(folder: &Path) -> Result<PathBuf, Failure> {
        let latest = Save::free(folder)?.into_iter().next();
        let latest = latest.or_else(|| Save::all(folder).ok()?.into_iter().next());
        latest.ok_or_else(|| Failure::Failed(format!("no saved rounds in {}", shown::path(folder))))
    }

    /// Resolves a link, so that the save is locked and written in its real folder.
    pub fn at(path: &Path) -> Result<PathBuf, Failure> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
        let real = if is_link { fs::canonicalize(path) } else { std::path::absolute(path) };
        real.map_err(|error| Failure::reading(path, &error))
    }

    /// Deletes a save without reading it.
    pub fn discard(path: &Path) -> Result<(), Failure> {
        let lock = Lock::take(path).map_err(|error| match error {
            NotLocked::Taken => is_played_elsewhere(path),
            NotLocked::Failed(error) => Failure::file("lock", path, &error),
        })?;
        Save { path: path.to_owned(), _lock: lock }.remove()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the save's content.
    pub fn write(&self, text: &str, outlasts: Outlasts) -> Result<(), Failure> {
        self.write_through(text, outlasts, &mut |_| Ok(()))
    }

    /// Like [`Save::write`]. `before` runs before every step and can make the step fail.
    fn write_through(
        &self,
        text: &str,
        outlasts: Outlasts,
        before: &mut dyn FnMut(Step) -> io::Result<()>,
    ) -> Result<(), Failure> {
        replace(&self.path, records::seal(text).as_bytes(), outlasts, before)
            .map_err(|error| Failure::file("save", &self.path, &error))
    }

    /// Deletes the save: its round is over.
    pub fn remove(self) -> Result<(), Failure> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Failure::file("remove", &self.path, &error))
            }
            // Already gone, which is fine.
            _ => Ok(()),
        }
    }
}

/// Whether a file could be replaced. Doesn't touch the file.
pub fn can_be_written(path: &Path) -> bool {
    let there = path.parent().is_none_or(|folder| fs::create_dir_all(folder).is_ok());
    there && !matches!(Lock::take(path), Err(NotLocked::Failed(_)))
}

fn is_played_elsewhere(path: &Path) -> Failure {
    let message = "is open in another window; close it there first";
    Failure::Failed(format!("{} {message}", shown::path(path)))
}

/// Replaces a sealed file under its lock, so that no concurrent update is lost.
pub fn replace_whole(path: &Path, make: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
    const ATTEMPTS: u32 = 500;
    let mut attempts = 0;
    let _lock = loop {
        match Lock::take(path) {
            Ok(lock) => break lock,
            Err(NotLocked::Taken) if attempts < ATTEMPTS => {
                attempts += 1;
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            Err(NotLocked::Taken) => {
                return Err(Failure::Failed(format!(
                    "can't write {}: another program is using it",
                    shown::path(path)
                )));
            }
            Err(NotLocked::Failed(error)) => return Err(Failure::file("lock", path, &error)),
        }
    };
    let sealed = records::seal(&make()?);
    replace(path, sealed.as_bytes(), Outlasts::ThePower, &mut |_| Ok(()))
        .map_err(|error| Failure::file("save", path, &error))
}

/// The path of a save's lock or part file: a hidden name that users don't choose.
fn beside(path: &Path, kind: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{ENDING}-{kind}"));
    path.with_file_name(name)
}

fn read(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    files::open(path)
        .and_then(|file| file.take(LARGEST).read_to_end(&mut bytes))
        .map_err(|error| Failure::reading(path, &error))?;
    match records::unseal(&bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(bad) => Err(Failure::Failed(format!("{}: {bad}", shown::path(path)))),
    }
}

/// Numbered files in the folder, in order. Includes part files and locks, so that numbers stay unique.
fn numbered(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::file("read the folder", folder, &error)),
    };
    let number = |path: &Path| -> Option<u64> {
        let name = path.file_name()?.to_str()?.trim_start_matches('.');
        name.split_once('-')?.0.parse().ok()
    };
    let mut found: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use super::*;

    const OLD: &str = "[Rulebook \"a\"]\n\n1. +1 *\n";
    const NEW: &str = "[Rulebook \"a\"]\n\n1. +1 x2 2. +1 x2 3. +1 x2 *\n";
    const STEPS: usize = 6;

    /// A temporary folder.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("spoton-save-{name}-{}", std::process::id()));
            // A killed test with the same process id may have left one.
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Replaces a save, stopping before step k, for every k. Returns the content after each.
    fn stopped_at_every_step(
        folder: &Folder,
        replace: impl Fn(&Path, &[u8], &mut dyn FnMut(Step) -> io::Result<()>) -> io::Result<()>,
    ) -> Vec<Result<String, String>> {
        let path = folder.0.join("0001-a.spoton");
        let mut found = Vec::new();
        for stop in 0..=STEPS {
            fs::write(&path, records::seal(OLD)).unwrap();
            let mut step = 0;
            let mut before = |_| {
                step += 1;
                if step > stop { Err(io::Error::other("stopped")) } else { Ok(()) }
            };
            let ended = replace(&path, records::seal(NEW).as_bytes(), &mut before);
            assert_eq!(ended.is_ok(), stop >= step, "stopped before step {stop}");
            found.push(read(&path).map_err(|failure| format!("{failure:?}")));
        }
        found
    }

    /// F1: wherever the program stops, the file contains the whole old save or the whole new one.
    #[test]
    fn f1_a_save_is_never_torn() {
        let folder = Folder::new("torn");
        let found = stopped_at_every_step(&folder, |path, bytes, before| {
            replace(path, bytes, Outlasts::ThePower, before)
        });
        let texts: Vec<&str> = found.iter().map(|text| text.as_deref().unwrap()).collect();
        assert_eq!(texts, [OLD, OLD, OLD, OLD, OLD, NEW, NEW]);
        // Writing without sync, as after every move, doesn't tear the file either.
        let quick = |path: &Path, bytes: &[u8], before: &mut dyn FnMut(Step) -> io::Result<()>| {
            replace(path, bytes, Outlasts::TheProgram, before)
        };
        let found = stopped_at_every_step(&folder, quick);
        let texts: Vec<&str> = found.iter().map(|text| text.as_deref().unwrap()).collect();
        assert_eq!(texts, [OLD, OLD, OLD, OLD, NEW, NEW, NEW]);
    }

    /// Control: writing in place, without part file and rename, tears the save. The same test notices it.
    #[test]
    fn f1_without_protection_a_save_is_torn() {
        let folder = Folder::new("control");
        let in_place = |path: &Path, bytes: &[u8], before: &mut dyn FnMut(Step) -> io::Result<()>| {
            let (first, second) = bytes.split_at(bytes.len() / 2);
            before(Step::Create)?;
            let mut file = File::create(path)?;
            before(Step::Write)?;
            file.write_all(first)?;
            before(Step::WriteOn)?;
            file.write_all(second)
        };
        let found = stopped_at_every_step(&folder, in_place);
        assert!(found.iter().any(Result::is_err), "{found:?}");
    }

    /// F3: an error at any step names the path. The old save stays, and no other files are left.
    #[test]
    fn f3_a_failed_save_harms_nothing() {
        let folder = Folder::new("failed");
        let save = Save::create(&folder.0, "a").unwrap();
        save.write(OLD, Outlasts::ThePower).unwrap();
        for (kind, words) in
            [(io::ErrorKind::StorageFull, "no storage space"), (io::ErrorKind::Other, "other error")]
        {
            for fails in [Step::Create, Step::Write, Step::WriteOn, Step::Sync, Step::Rename] {
                let mut before = |step| if step == fails { Err(kind.into()) } else { Ok(()) };
                let Err(Failure::Failed(message)) = save.write_through(NEW, Outlasts::ThePower, &mut before)
                else {
                    panic!("{fails:?} did not fail");
                };
                assert!(message.contains("0001-a.spoton") && message.contains(words), "{message}");
                assert_eq!(read(save.path()).unwrap(), OLD, "{fails:?}");
                let mut names = folder.names();
                names.sort();
                assert_eq!(names, [".0001-a.spoton.spoton-lock", "0001-a.spoton"], "{fails:?}");
            }
        }
        drop(save);
        assert_eq!(folder.names(), ["0001-a.spoton"]);
    }

    /// F4: the lock excludes others. Control: without it, both get in.
    #[test]
    fn f4_only_one_holds_a_save() {
        let folder = Folder::new("lock");
        let save = Save::create(&folder.0, "a").unwrap();
        save.write(OLD, Outlasts::ThePower).unwrap();
        let path = save.path().to_owned();
        assert!(matches!(Save::open(&path), Err(Failure::Failed(_))));
        assert!(read(&path).is_ok(), "without the lock it could be read, and a move be lost");
        drop(save);
        assert!(Save::open(&path).is_ok());
    }

    #[test]
    fn every_save_has_a_unique_name() {
        let folder = Folder::new("names");
        let first = Save::create(&folder.0, "a").unwrap();
        let second = Save::create(&folder.0, "b/../ü").unwrap();
        first.write(OLD, Outlasts::ThePower).unwrap();
        second.write(NEW, Outlasts::TheProgram).unwrap();
        assert_eq!(second.path().file_name().unwrap(), "0002-b-----.spoton");
        assert_eq!(Save::latest(&folder.0).unwrap(), second.path());
        second.remove().unwrap();
        assert_eq!(Save::latest(&folder.0).unwrap(), first.path());
    }
}
