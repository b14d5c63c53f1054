//! One server per database: a lock on the file itself, and a note next to it that names the server.
//!
//! The lock decides and ends with the process; the note only informs. `backup` and `remove` take no lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use spoton::people::day::Day;

use super::files::{Identity, beside};
use super::opening::{CannotOpen, create};

/// The end of the note's name, as SQLite ends the names of its files next to the database.
const NOTE: &str = "-server";
/// Nobody needs more of a note that something else has written.
const MOST_OF_A_NOTE: usize = 200;

/// The lock of a server on its database.
///
/// Dropping it closes a file, which would release SQLite's own locks in this process: drop it after the store.
#[derive(Debug)]
pub struct ServerLock {
    path: PathBuf,
    note: PathBuf,
    file: File,
}

impl ServerLock {
    /// Locks a database, which is created if missing.
    ///
    /// # Errors
    ///
    /// If another server has it, or the file can't be opened.
    pub fn take(path: &Path) -> Result<ServerLock, CannotOpen> {
        let failed =
            |error: io::Error| CannotOpen::Failed { path: path.to_owned(), reason: error.to_string() };
        match create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        let file = File::options().read(true).write(true).open(path).map_err(failed)?;
        let note = beside(path, NOTE).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CannotOpen::InUse { path: path.to_owned(), by: read(&note) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // A server that was killed left its own.
        fs::remove_file(&note).ok();
        Ok(ServerLock { path: path.to_owned(), note, file })
    }

    /// Whether the file that is locked is still the one at its path.
    pub fn is_on_the_file(&self) -> bool {
        let locked = self.file.metadata().map(Identity::from);
        locked.is_ok_and(|locked| Identity::of(&self.path).is_ok_and(|found| found == locked))
    }

    /// Leaves a note for everyone who wants the same file.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub fn announce(&self, url: &str) -> io::Result<()> {
        let started = moment(SystemTime::now());
        fs::write(&self.note, format!("process {} at {url}, started {started}\n", std::process::id()))
    }
}

impl Drop for ServerLock {
    fn drop(&mut self) {
        // While the lock is held: afterwards it might be the next server's.
        fs::remove_file(&self.note).ok();
    }
}

fn read(note: &Path) -> String {
    let note = fs::read(note).unwrap_or_default();
    let line = String::from_utf8_lossy(&note);
    let line = line.lines().next().unwrap_or_default().chars();
    let line: String = line.filter(|letter| !letter.is_control()).take(MOST_OF_A_NOTE).collect();
    if line.is_empty() { line } else { format!(" ({line})") }
}

/// Such as `2026-11-18 14:05:09 UTC`.
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
