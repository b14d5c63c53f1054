//! A copy of a database while everything runs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions, Connection};

use crate::ids::SittingId;

use super::opening::{create, options, sync_folder_of};

/// Why there is no copy. What was written of it is gone, and nothing else was touched.
#[derive(Debug, thiserror::Error)]
pub enum CannotBackUp {
    #[error("{} exists already; name a new file", .0.display())]
    Exists(PathBuf),
    #[error("{} cannot be written: {reason}", .path.display())]
    Failed { path: PathBuf, reason: String },
    #[error("the copy is not whole, so the database may be damaged: {0}")]
    Damaged(String),
}

/// Copies a database into a new file, as it is at one moment. Another program may have it open and write to it.
///
/// # Errors
///
/// If there is a file of that name, or it cannot be written, or the copy is not whole.
pub async fn backup(from: &Path, to: &Path) -> Result<(), CannotBackUp> {
    let failed = |reason: String| CannotBackUp::Failed { path: to.to_owned(), reason };
    // SQLite would take names such as `file:x` for something else.
    let to = std::path::absolute(to).map_err(|error| failed(error.to_string()))?;
    if to.symlink_metadata().is_ok() {
        return Err(CannotBackUp::Exists(to));
    }
    // Nobody can take a half-written copy for a whole one: it gets its name at the end.
    let part = part_of(&to).ok_or_else(|| failed("it has no name".into()))?;
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

/// The hidden name of a copy that is not finished: a new one each time, so that what a killed program has left is in
/// nobody's way.
fn part_of(to: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(to.file_name()?);
    name.push(format!(".{}.spoton-part", SittingId::random()));
    Some(to.with_file_name(name))
}

async fn copy(from: &Path, part: &Path) -> Result<(), CannotBackUp> {
    let failed = |reason: String| CannotBackUp::Failed { path: part.to_owned(), reason };
    let text = part.to_str().ok_or_else(|| failed("its name is not Unicode".into()))?;
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

/// Gives a finished copy its name, unless somebody has taken that by now.
fn name(part: &Path, to: &Path) -> Result<(), CannotBackUp> {
    let failed = |error: io::Error| CannotBackUp::Failed { path: to.to_owned(), reason: error.to_string() };
    // A second name never replaces a file, as a rename would. Some file systems have none.
    match fs::hard_link(part, to) {
        Ok(()) => fs::remove_file(part).map_err(failed)?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(CannotBackUp::Exists(to.to_owned()));
        }
        Err(_) => fs::rename(part, to).map_err(failed)?,
    }
    sync_folder_of(to).map_err(failed)
}
