//! Detects that a file of the database was deleted or replaced while it is open.
//!
//! SQLite keeps writing to the files that it opened, wherever they are now. Without this check, the server would
//! acknowledge moves that nobody finds again.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::watch;

use crate::store::Unavailable;

/// How often an idle server looks. A commit looks every time.
const EVERY: Duration = Duration::from_secs(1);

/// A file of the database is gone, or another one is in its place. There is no way back: SQLite holds the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLost(pub PathBuf);

/// The files of an open database.
#[derive(Debug)]
pub struct Files {
    opened: Vec<(PathBuf, Identity)>,
    lost: watch::Sender<Option<FileLost>>,
}

/// Which file it is, whatever its name: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl From<Metadata> for Identity {
    fn from(file: Metadata) -> Identity {
        Identity(file.dev(), file.ino())
    }
}

impl Identity {
    pub fn of(path: &Path) -> io::Result<Identity> {
        fs::metadata(path).map(Identity::from)
    }
}

impl Files {
    /// The files of a database that a connection has open and has read from: only then all of them exist.
    pub fn of(path: &Path) -> io::Result<Files> {
        let (wal, shm) = (beside(path, "-wal")?, beside(path, "-shm")?);
        let opened = [path.to_owned(), wal, shm].into_iter().map(|path| {
            let identity = Identity::of(&path)?;
            Ok((path, identity))
        });
        Ok(Files { opened: opened.collect::<io::Result<_>>()?, lost: watch::Sender::new(None) })
    }

    /// Checks that all files are where they were.
    pub fn verify(&self) -> Result<(), Unavailable> {
        for (path, identity) in &self.opened {
            match Identity::of(path) {
                Ok(found) if found == *identity => continue,
                Ok(_) => {}
                Err(error) if is_gone(&error) => {}
                // Nobody knows: the disk may be back in a moment.
                Err(error) => return Err(Unavailable(error.to_string())),
            }
            self.lost.send_if_modified(|lost| {
                let is_first = lost.is_none();
                lost.get_or_insert_with(|| FileLost(path.clone()));
                is_first
            });
        }
        match &*self.lost.borrow() {
            None => Ok(()),
            // Logs name no paths.
            Some(_) => Err(Unavailable("a file of the database was deleted or replaced".to_owned())),
        }
    }

    /// Waits until a file is lost.
    pub async fn lost(&self) -> FileLost {
        let mut news = self.lost.subscribe();
        loop {
            // The next look finds out if this one can't.
            let _ = self.verify();
            if let Some(lost) = &*news.borrow_and_update() {
                return lost.clone();
            }
            let _ = tokio::time::timeout(EVERY, news.changed()).await;
        }
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A file next to the database, where SQLite has its own: next to the file itself if the path is a link.
pub fn beside(path: &Path, end: &str) -> io::Result<PathBuf> {
    let mut path = OsString::from(fs::canonicalize(path)?);
    path.push(end);
    Ok(path.into())
}
