//! Today's duel with the files that belong to it: the streak is remembered, and an attempt that was left goes on.

use std::path::PathBuf;
use std::rc::Rc;

use spoton::people::day::Day;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::{Duel, Score, Streak};
use spoton::sitting::{Help, Setup};

use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::Progress;
use crate::save::Save;
use crate::sitting::autosave::Autosave;
use crate::sitting::resume::resume;
use crate::solving::work;

/// What the streak is remembered by.
const STREAK: &str = "today";

/// The streak as it is remembered. What cannot be understood was not written by this version, and begins anew.
pub fn streak(folders: &Folders) -> Result<Streak, Failure> {
    let progress = Progress::load(folders)?;
    Ok(progress.get(STREAK).and_then(|streak| streak.parse().ok()).unwrap_or_default())
}

/// Counts the duel of a day; `None` if it changes nothing.
pub fn count(folders: &Folders, day: Day, score: Score) -> Result<Option<Streak>, Failure> {
    let counted = streak(folders)?.counted(day, score);
    if let Some(streak) = &counted {
        Progress::remember(folders, STREAK, &streak.to_string())?;
    }
    Ok(counted)
}

/// The duel of a day.
pub fn duel(day: Day) -> Result<Duel, Failure> {
    work(|budget| Duel::of(day, budget))
}

/// What to sit down to: the attempt of the day that was left, or a new one. Nobody gets a better first result by leaving.
pub fn setup(
    duel: &Duel,
    counts: bool,
    help: Help,
    autosave: &Autosave,
    games: &Rc<SolvedGames>,
    folders: &Folders,
) -> Result<Setup, Failure> {
    match kept(folders, duel.day).filter(|_| counts) {
        // One that is being played in another window is refused there.
        Some(path) => resume(Some(&path), help, autosave, games, folders),
        None => Ok(Setup { help, ..Setup::today(duel, counts)? }),
    }
}

/// Where the attempt of a day is that counts and was left.
pub fn kept(folders: &Folders, day: Day) -> Option<PathBuf> {
    let saves = folders.saves().and_then(|folder| Save::all(&folder)).unwrap_or_default();
    saves.into_iter().find(|path| {
        let setup = Save::peek(path).ok().and_then(|text| Setup::from_text(&text, 0).ok());
        let attempt = setup.filter(|setup| !setup.tried_out).and_then(|setup| setup.today);
        attempt.is_some_and(|attempt| attempt.counts && attempt.day == day)
    })
}
