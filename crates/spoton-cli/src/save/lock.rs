//! Lock files: one program at a time holds a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::beside;

/// A lock file next to a save. The system releases it when the process exits.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

pub enum NotLocked {
    Taken,
    Failed(io::Error),
}

impl Lock {
    pub fn take(save: &Path) -> Result<Lock, NotLocked> {
        let path = beside(save, "lock");
        loop {
            let file = open(&path).map_err(NotLocked::Failed)?;
            match file.try_lock() {
                // The previous holder may have removed the file in the meantime, which makes this lock void.
                Ok(()) if is_still_there(&path, &file) => return Ok(Lock { path, _file: file }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(NotLocked::Taken),
                Err(TryLockError::Error(error)) => return Err(NotLocked::Failed(error)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Remove it while still holding it, so that two programs never hold the same save.
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens or creates a lock file. Never changes its content or follows a link.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a pipe could block forever.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    let is_link = || fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
    if !file.metadata()?.is_file() || is_link() {
        return Err(io::Error::other("its lock file isn't a regular file"));
    }
    Ok(file)
}

#[cfg(unix)]
fn is_still_there(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (fs::symlink_metadata(path), file.metadata()) {
        (Ok(there), Ok(here)) => (there.dev(), there.ino()) == (here.dev(), here.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still_there(path: &Path, _file: &File) -> bool {
    path.exists()
}
