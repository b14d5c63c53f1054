//! Today's duel with the files that belong to it: the streak is remembered, and an attempt that was left goes on.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use spoton::people::day::Day;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::{Attempt, Duel, Score, Streak, Terms};
use spoton::sitting::{Help, Setup};

use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::Progress;
use crate::save::{self, Save};
use crate::shown;
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

/// On which terms a duel is played: one that would count may have nowhere to be kept.
pub fn terms(folders: &Folders, counts: bool) -> Terms {
    let can_be_kept = || {
        let path = folders.progress().ok()?;
        Progress::load(folders).ok().filter(|_| save::can_be_written(&path))
    };
    match counts {
        false => Terms::Practice,
        true if can_be_kept().is_some() => Terms::Counts,
        true => Terms::CannotBeKept,
    }
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

fn saves(folders: &Folders) -> Vec<PathBuf> {
    folders.saves().and_then(|folder| Save::all(&folder)).unwrap_or_default()
}

/// The attempt that counts in a save, if it is one.
pub fn attempt_in(path: &Path) -> Option<Attempt> {
    // Only saves of duels are called after one, and others may be long to read.
    day_in_name(path)?;
    let setup = Save::peek(path).ok().and_then(|text| Setup::from_text(&text, 0).ok());
    let attempt = setup.filter(|setup| !setup.tried_out).and_then(|setup| setup.today);
    attempt.filter(|attempt| attempt.counts)
}

/// The day of the duel that a save is called after: `0007-today-2026-11-15.spoton`.
fn day_in_name(path: &Path) -> Option<Day> {
    let (_, game) = path.file_stem()?.to_str()?.split_once('-')?;
    Duel::day_of(game)
}

/// Where the attempt of a day is that counts and was left.
pub fn kept(folders: &Folders, day: Day) -> Option<PathBuf> {
    saves(folders).into_iter().find(|path| attempt_in(path).is_some_and(|attempt| attempt.day == day))
}

/// An attempt of an earlier day that was left and would still count, the latest of them.
pub fn left_before(folders: &Folders, day: Day, streak: &Streak) -> Option<(Day, PathBuf)> {
    let left = saves(folders).into_iter().filter_map(|path| Some((attempt_in(&path)?.day, path)));
    left.filter(|(left, _)| *left < day && streak.takes(*left)).max()
}

/// What is wrong with a save of the duel of a day, if it cannot be gone on with. It is left as it is.
pub fn damaged(folders: &Folders, day: Day) -> Option<Failure> {
    let of_day = saves(folders).into_iter().filter(|path| day_in_name(path) == Some(day));
    of_day.into_iter().find_map(|path| {
        let why = match Save::peek(&path) {
            Err(why) => why.to_string(),
            Ok(text) => format!("{}: {}", shown::path(&path), Setup::from_text(&text, 0).err()?),
        };
        Some(Failure::Failed(format!("{why}. The duel that was left in it begins anew")))
    })
}
