//! Detects deleted, replaced, truncated or overwritten files of an open database.
//!
//! SQLite keeps writing to the files that it opened, wherever they are now, and its cache hides that data is
//! missing. Without this check, the server would acknowledge moves and then lose them.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::opening::HEADER;
use crate::store::Unavailable;

/// How often an idle server checks. A commit checks every time.
const EVERY: Duration = Duration::from_secs(1);

/// One of the database's files is gone, replaced or truncated. Not recoverable: SQLite has the old one open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLost(pub PathBuf);

/// An open database's files.
#[derive(Debug)]
pub struct Files {
    opened: [(PathBuf, Identity); 3],
    /// The main file, the log and its index.
    ///
    /// Invariant: they stay open as long as the store. Closing one would release SQLite's locks in this process.
    files: [File; 3],
    /// The main file's size and change counter. Both only grow: nothing vacuums it.
    seen: Mutex<(u64, u32)>,
    lost: watch::Sender<Option<FileLost>>,
}

/// A file's identity, independent of its name: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl From<Metadata> for Identity {
    fn from(file: Metadata) -> Identity {
        Identity(file.dev(), file.ino())
    }
}

impl Identity {
    pub fn read(path: &Path) -> io::Result<Identity> {
        fs::metadata(path).map(Identity::from)
    }
}

impl Files {
    /// Records the files of a database. A connection must have read from it before: only then do all of them exist.
    pub fn open(path: &Path) -> io::Result<Files> {
        let (wal, shm) = (beside(path, "-wal")?, beside(path, "-shm")?);
        let open = |path: PathBuf| -> io::Result<_> {
            let file = File::open(&path)?;
            let identity = Identity::from(file.metadata()?);
            Ok(((path, identity), file))
        };
        let [main, wal, shm] = [open(path.to_owned())?, open(wal)?, open(shm)?];
        Ok(Files {
            opened: [main.0, wal.0, shm.0],
            files: [main.1, wal.1, shm.1],
            seen: Mutex::default(),
            lost: watch::Sender::new(None),
        })
    }

    /// Checks that all files are where they were, with everything that SQLite wrote.
    pub fn verify(&self) -> Result<(), Unavailable> {
        // Undecided if a check fails: the disk may return in a moment.
        let undecided = |error: io::Error| Unavailable(error.to_string());
        for (path, identity) in &self.opened {
            match Identity::read(path) {
                Ok(found) if found == *identity => {}
                Ok(_) => self.note(path),
                Err(error) if is_gone(&error) => self.note(path),
                Err(error) => return Err(undecided(error)),
            }
        }
        if self.lost.borrow().is_none()
            && let Some(file) = self.damaged().map_err(undecided)?
        {
            self.note(&self.opened[file].0);
        }
        match &*self.lost.borrow() {
            None => Ok(()),
            // Logs contain no paths.
            Some(_) => {
                Err(Unavailable("a file of the database was deleted, replaced or truncated".to_owned()))
            }
        }
    }

    fn note(&self, path: &Path) {
        self.lost.send_if_modified(|lost| {
            let is_first = lost.is_none();
            lost.get_or_insert_with(|| FileLost(path.to_owned()));
            is_first
        });
    }

    /// Returns the file that's missing data that SQLite wrote, if any.
    fn damaged(&self) -> io::Result<Option<usize>> {
        const MAIN: usize = 0;
        const WAL: usize = 1;
        const SHM: usize = 2;
        let [main, wal, _] = &self.files;
        let Some(header) = start_of::<100>(main)? else { return Ok(Some(MAIN)) };
        let counter = u32::from_be_bytes([header[24], header[25], header[26], header[27]]);
        let size = main.metadata()?.len();
        {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if !header.starts_with(HEADER) || size < seen.0 || counter < seen.1 {
                return Ok(Some(MAIN));
            }
            *seen = (size, counter);
        }
        let index = match Index::read(&self.files[SHM])? {
            Some(Ok(index)) => index,
            // Being written.
            Some(Err(())) => return Ok(None),
            None => return Ok(Some(SHM)),
        };
        // Without frames, the log is unused, and a checkpoint may have truncated it.
        let is_whole = index.frames == 0
            || wal.metadata()?.len() >= index.bytes()
                && start_of::<24>(wal)?.is_some_and(|header| header[16..] == index.salts);
        // Another program may have checkpointed the log in the meantime.
        let is_same = || Ok::<_, io::Error>(Index::read(&self.files[SHM])? == Some(Ok(index)));
        Ok((!is_whole && is_same()?).then_some(WAL))
    }

    /// Waits until a file is lost or damaged.
    pub async fn lost(&self) -> FileLost {
        let mut news = self.lost.subscribe();
        loop {
            // If this check fails, the next one decides.
            let _ = self.verify();
            if let Some(lost) = &*news.borrow_and_update() {
                return lost.clone();
            }
            let _ = tokio::time::timeout(EVERY, news.changed()).await;
        }
    }
}

/// The head of the log's index: what the log must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Index {
    page: u64,
    frames: u64,
    /// Random bytes that also begin the log.
    salts: [u8; 8],
}

impl Index {
    /// Reads the head. It's stored twice: if the two differ, SQLite is writing it now. Returns `None` if it's cut off.
    fn read(shm: &File) -> io::Result<Option<Result<Index, ()>>> {
        let Some(both) = start_of::<96>(shm)? else { return Ok(None) };
        let (head, copy) = both.split_at(48);
        if head != copy || head[12] == 0 {
            return Ok(Some(Err(())));
        }
        let mut salts = [0; 8];
        salts.copy_from_slice(&head[32..40]);
        let page = u64::from(u16::from_ne_bytes([head[14], head[15]]));
        let frames = u32::from_ne_bytes([head[16], head[17], head[18], head[19]]);
        // A page of 64 KiB doesn't fit into the field.
        Ok(Some(Ok(Index { page: if page == 1 { 1 << 16 } else { page }, frames: frames.into(), salts })))
    }

    /// The minimum size of the log: its header, plus its frames with their headers.
    fn bytes(self) -> u64 {
        32 + self.frames * (24 + self.page)
    }
}

/// Returns the first bytes of a file; `None` if it's shorter.
fn start_of<const N: usize>(file: &File) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match file.read_exact_at(&mut bytes, 0) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns a sibling of the database, where SQLite puts its own files: next to the target if the path is a link.
pub fn beside(path: &Path, end: &str) -> io::Result<PathBuf> {
    let mut path = OsString::from(fs::canonicalize(path)?);
    path.push(end);
    Ok(path.into())
}
