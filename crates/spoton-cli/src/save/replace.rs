//! Atomic file replacement. Invariant: the file always contains either all of the old bytes or all of the new ones.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::beside;

/// The failures that a save must survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlasts {
    /// Survives a kill of the program. Takes no noticeable time.
    TheProgram,
    /// Also survives a power cut: waits for the disk.
    ThePower,
}

/// Steps of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Create,
    Write,
    WriteOn,
    Sync,
    Rename,
    SyncFolder,
}

/// Replaces a file. `before` runs before every step and can make the step fail. The caller holds the lock, which
/// protects the part file.
pub fn replace(
    path: &Path,
    bytes: &[u8],
    outlasts: Outlasts,
    before: &mut dyn FnMut(Step) -> io::Result<()>,
) -> io::Result<()> {
    before(Step::Create)?;
    let part = beside(path, "part");
    let file = create(&part)?;
    fill(file, bytes, outlasts, before).and_then(|()| rename(&part, path, before)).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })?;
    if outlasts == Outlasts::TheProgram {
        return Ok(());
    }
    before(Step::SyncFolder)?;
    // Not every system can open a folder. If it can't, there is nothing more to sync.
    match path.parent().map(File::open) {
        Some(Ok(folder)) => folder.sync_all(),
        _ => Ok(()),
    }
}

/// Creates a part file. Replaces one left by a killed program, but never a link or anything else.
fn create(part: &Path) -> io::Result<File> {
    match File::create_new(part) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if !fs::symlink_metadata(part)?.is_file() {
                return Err(io::Error::other("its part file isn't a regular file"));
            }
            fs::remove_file(part)?;
            File::create_new(part)
        }
        file => file,
    }
}

fn fill(
    mut file: File,
    bytes: &[u8],
    outlasts: Outlasts,
    before: &mut dyn FnMut(Step) -> io::Result<()>,
) -> io::Result<()> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    before(Step::Write)?;
    file.write_all(first)?;
    before(Step::WriteOn)?;
    file.write_all(second)?;
    if outlasts == Outlasts::ThePower {
        before(Step::Sync)?;
        file.sync_all()?;
    }
    Ok(())
}

fn rename(part: &Path, path: &Path, before: &mut dyn FnMut(Step) -> io::Result<()>) -> io::Result<()> {
    before(Step::Rename)?;
    fs::rename(part, path)
}
