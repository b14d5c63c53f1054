//! The platform's data folder.

use std::path::PathBuf;

use spoton_host::files;

use crate::failure::Failure;

/// Spot On's data folder; `None` if the platform has none.
#[derive(Clone, Debug)]
pub struct Folders(Option<PathBuf>);

impl Folders {
    /// The platform's folder.
    pub fn usual() -> Folders {
        Folders(files::data_folder())
    }

    /// Another folder, for tests.
    #[cfg(test)]
    pub fn at(folder: PathBuf) -> Folders {
        Folders(Some(folder))
    }

    fn data(&self) -> Result<PathBuf, Failure> {
        let missing = "can't find the data folder; set HOME or XDG_DATA_HOME";
        self.0.clone().ok_or_else(|| Failure::Failed(missing.to_owned()))
    }

    /// Saved rounds.
    pub fn saves(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("saves"))
    }

    /// Settings and progress.
    pub fn progress(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("progress.spoton"))
    }

    /// Results of puzzles.
    pub fn puzzles(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("puzzles.spoton"))
    }

    /// Finished rounds.
    pub fn rounds(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("rounds.txt"))
    }

    /// The folder with the player's own rule books. Their names work like ids.
    pub fn rulebooks(&self) -> Result<PathBuf, Failure> {
        Ok(files::book_folder(&self.data()?))
    }

    /// The player's own rule books, by name.
    pub fn own_books(&self) -> Vec<(String, PathBuf)> {
        files::own_books(self.0.as_deref())
    }
}
