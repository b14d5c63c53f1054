//! Where files are kept: the platform's own data folder.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use etcetera::base_strategy::choose_native_strategy;

use crate::failure::Failure;

/// The folder for everything that Spot On keeps; `None` if the platform has none.
#[derive(Clone, Debug)]
pub struct Folders(Option<PathBuf>);

impl Folders {
    /// The usual folder.
    pub fn usual() -> Folders {
        Folders(choose_native_strategy().ok().map(|folders| folders.data_dir().join("spoton")))
    }

    /// Another folder.
    #[cfg(test)]
    pub fn at(folder: PathBuf) -> Folders {
        Folders(Some(folder))
    }

    fn data(&self) -> Result<PathBuf, Failure> {
        let missing = "cannot find the folder for data; set HOME or XDG_DATA_HOME";
        self.0.clone().ok_or_else(|| Failure::Failed(missing.to_owned()))
    }

    /// Rounds that were kept.
    pub fn saves(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("saves"))
    }

    /// What is remembered from one start to the next.
    pub fn progress(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("progress.spoton"))
    }

    /// What became of the puzzles.
    pub fn puzzles(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("puzzles.spoton"))
    }

    /// The rounds that were played to their end.
    pub fn rounds(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("rounds.txt"))
    }

    /// The player's own rule books, which can be called by their names.
    pub fn rulebooks(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("rulebooks"))
    }
}
