//! Online backup.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions, Connection};

use crate::ids::SittingId;

use super::opening::{create, options, sync_folder_of};

/// Why there is no backup. Partial output is deleted, and nothing else changed.
#[derive(Debug, thiserror::Error)]
pub enum CannotBackUp {
    #[error("{} already exists; choose a new file", .0.display())]
    Exists(PathBuf),
    #[error("can't write {}: {reason}", .path.display())]
    Failed { path: PathBuf, reason: String },
    #[error("the copy failed its check, so the database may be corrupted: {0}")]
    Damaged(String),
}

/// Copies a consistent snapshot of a database into a new file. Other programs may use the database meanwhile.
///
/// # Errors
///
/// Fails if the file exists or isn't writable, or if the copy is corrupted.
pub async fn backup(from: &Path, to: &Path) -> Result<(), CannotBackUp> {
    let failed = |reason: String| CannotBackUp::Failed { path: to.to_owned(), reason };
    // An absolute path: SQLite gives names such as `file:x` a special meaning.
    let to = std::path::absolute(to).map_err(|error| failed(error.to_string()))?;
    if to.symlink_metadata().is_ok() {
        return Err(CannotBackUp::Exists(to));
    }
    // The copy gets its final name when it's complete, so nobody mistakes a partial copy for a backup.
    let part = part_of(&to).ok_or_else(|| failed("the path has no file name".into()))?;
    create(&part).map_err(|error| failed(error.to_string()))?;
    let copied = match copy(from, &part).await {
        Ok(()) => name(&part, &to),
        Err(error) => Err(error),
    };
    if copied.is_err() {
        fs::remove_file(&part).ok();
    }
    copied
}

/// Returns the hidden name of a partial copy. It's random, so leftovers of a killed program don't get in the way.
fn part_of(to: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(to.file_name()?);
    name.push(format!(".{}.spoton-part", SittingId::random()));
    Some(to.with_file_name(name))
}

async fn copy(from: &Path, part: &Path) -> Result<(), CannotBackUp> {
    let failed = |reason: String| CannotBackUp::Failed { path: part.to_owned(), reason };
    let text = part.to_str().ok_or_else(|| failed("the file name isn't Unicode".into()))?;
    let copy = async {
        let mut database = options(from).read_only(true).connect().await?;
        sqlx::query("VACUUM INTO ?").bind(text).execute(&mut database).await?;
        database.close().await
    };
    copy.await.map_err(|error| failed(error.to_string()))?;
    let synced = File::options().write(true).open(part).and_then(|file| file.sync_all());
    synced.map_err(|error| failed(error.to_string()))?;
    let check = async {
        let mut copy = options(part).read_only(true).connect().await?;
        let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut copy).await?;
        copy.close().await?;
        sqlx::Result::Ok(found)
    };
    match check.await.map_err(|error: sqlx::Error| CannotBackUp::Damaged(error.to_string()))? {
        found if found == ["ok"] => Ok(()),
        found => Err(CannotBackUp::Damaged(found.join("; "))),
    }
}

/// Gives a complete copy its name, unless the name is taken by now.
fn name(part: &Path, to: &Path) -> Result<(), CannotBackUp> {
    let failed = |error: io::Error| CannotBackUp::Failed { path: to.to_owned(), reason: error.to_string() };
    // Unlike a rename, a hard link never replaces a file. Some file systems have no hard links.
    match fs::hard_link(part, to) {
        Ok(()) => fs::remove_file(part).map_err(failed)?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(CannotBackUp::Exists(to.to_owned()));
        }
        Err(_) => fs::rename(part, to).map_err(failed)?,
    }
    sync_folder_of(to).map_err(failed)
}
