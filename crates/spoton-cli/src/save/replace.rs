//! Replacing a file so that at every moment it holds all of the old or all of the new bytes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::beside;

/// What a save has to outlast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlasts {
    /// The program, however it ends. This takes no time that anybody would feel.
    TheProgram,
    /// A cut of the power as well: it is waited for until the disk has it.
    ThePower,
}

/// The steps of replacing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Create,
    Write,
    WriteOn,
    Sync,
    Rename,
    SyncFolder,
}

/// Replaces a file; `before` is asked at every step, and can make it fail. Whoever calls this holds the lock, which
/// keeps others away from the part file.
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
    // Not every system can open a folder; without that, the rename is as lasting as it gets.
    match path.parent().map(File::open) {
        Some(Ok(folder)) => folder.sync_all(),
        _ => Ok(()),
    }
}

/// A new part file. One that a killed program has left makes room; a link or anything else is not touched.
fn create(part: &Path) -> io::Result<File> {
    match File::create_new(part) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if !fs::symlink_metadata(part)?.is_file() {
                return Err(io::Error::other("something else stands in the place of its part file"));
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
