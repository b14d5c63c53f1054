//! One server per database: a lock on the file itself, and a note next to it with the server's address.
//!
//! Only the lock counts, and it ends with the process; the note is informational. `backup` and `remove` take no lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use spoton::day::Day;

use super::files::{Identity, beside};
use super::opening::{CannotOpen, create};

/// The note's suffix, in the style of SQLite's files next to the database.
const NOTE: &str = "-server";
/// Truncates a note that isn't ours.
const MOST_OF_A_NOTE: usize = 200;

/// A server's lock on its database.
///
/// Invariant: drop it after the store. Dropping it closes a file, which would release SQLite's own locks in this
/// process.
#[derive(Debug)]
pub struct ServerLock {
    path: PathBuf,
    note: PathBuf,
    file: File,
}

impl ServerLock {
    /// Locks a database and creates it if missing.
    ///
    /// # Errors
    ///
    /// Fails if another server has it, or the file can't be opened.
    pub fn take(path: &Path) -> Result<ServerLock, CannotOpen> {
        let failed =
            |error: io::Error| CannotOpen::Failed { path: path.to_owned(), reason: error.to_string() };
        // Absolute: a bare file name has no folder that `create` could sync.
        let path = &std::path::absolute(path).map_err(failed)?;
        match create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        let file = File::options().read(true).write(true).open(path).map_err(failed)?;
        let note = beside(path, NOTE).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let by = [read(&note), holder(&file)].into_iter().find(|by| !by.is_empty());
                return Err(CannotOpen::InUse { path: path.to_owned(), by: by.unwrap_or_default() });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // A killed server leaves its note.
        fs::remove_file(&note).ok();
        Ok(ServerLock { path: path.to_owned(), note, file })
    }

    /// Returns whether the locked file is still the one at its path.
    pub fn is_on_the_file(&self) -> bool {
        let locked = self.file.metadata().map(Identity::from);
        locked.is_ok_and(|locked| Identity::read(&self.path).is_ok_and(|found| found == locked))
    }

    /// Writes the note for others who want the same file.
    ///
    /// # Errors
    ///
    /// Fails if it can't be written.
    pub fn announce(&self, url: &str) -> io::Result<()> {
        let started = moment(SystemTime::now());
        fs::write(&self.note, format!("process {} at {url}, started {started}\n", std::process::id()))
    }
}

impl Drop for ServerLock {
    fn drop(&mut self) {
        // While the lock is held: later it might be the next server's.
        fs::remove_file(&self.note).ok();
    }
}

/// Returns the process that holds the lock, if the system reports it: the note is missing if the server opened the file
/// by another name.
fn holder(file: &File) -> String {
    let inode = file.metadata().map(|file| format!(":{}", file.ino()));
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    // "1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF"
    let mut held = locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "FLOCK", _, "WRITE", process, file, ..]
                if inode.as_ref().is_ok_and(|inode| file.ends_with(inode)) =>
            {
                process.parse::<u32>().ok().filter(|process| *process != 0)
            }
            _ => None,
        }
    });
    match (held.next(), held.next()) {
        (Some(process), None) => format!(" (process {process})"),
        _ => String::new(),
    }
}

fn read(note: &Path) -> String {
    let note = fs::read(note).unwrap_or_default();
    let line = String::from_utf8_lossy(&note);
    let line = line.lines().next().unwrap_or_default().chars();
    let line: String = line.filter(|letter| !letter.is_control()).take(MOST_OF_A_NOTE).collect();
    if line.is_empty() { line } else { format!(" ({line})") }
}

/// Formats a time such as `2026-11-18 14:05:09 UTC`.
fn moment(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (day, second) = (Day::since_1970(seconds / 86_400), seconds % 86_400);
    format!("{day} {:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_moment_reads_as_a_date_and_a_time() {
        let moment = |seconds| moment(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(moment(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(moment(1_000_000_000), "2001-09-09 01:46:40 UTC");
    }
}
