//! Where files live: the platform's own data folder.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use etcetera::base_strategy::choose_native_strategy;

use crate::failure::Failure;

/// The folder for everything that Spot On keeps.
fn data() -> Result<PathBuf, Failure> {
    let folders = choose_native_strategy().map_err(|error| {
        Failure::Failed(format!("cannot find the folder for data: {error}; set HOME or XDG_DATA_HOME"))
    })?;
    Ok(folders.data_dir().join("spoton"))
}

/// Rounds that were kept.
pub fn saves() -> Result<PathBuf, Failure> {
    Ok(data()?.join("saves"))
}

/// What is remembered from one start to the next.
pub fn progress() -> Result<PathBuf, Failure> {
    Ok(data()?.join("progress.spoton"))
}

/// The player's own rule books, which can be called by their names.
pub fn rulebooks() -> Option<PathBuf> {
    Some(data().ok()?.join("rulebooks"))
}
