//! Today's duel with its files: the streak, and an unfinished attempt.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use spoton::day::Day;
use spoton::design::today::{Attempt, Duel, Score, Streak, Terms};
use spoton::sitting::{Help, Setup};
use spoton::solved::SolvedGames;

use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::Progress;
use crate::save::{self, Save};
use crate::shown;
use crate::sitting::autosave::Autosave;
use crate::sitting::resume::resume;
use crate::solving::work;

/// The streak's key.
const STREAK: &str = "today";

/// The stored streak. An unreadable streak comes from another version and starts over.
pub fn streak(folders: &Folders) -> Result<Streak, Failure> {
    let progress = Progress::load(folders)?;
    Ok(progress.get(STREAK).and_then(|streak| streak.parse().ok()).unwrap_or_default())
}

/// Counts a day's duel. Returns `None` if that changes nothing.
pub fn count(folders: &Folders, day: Day, score: Score) -> Result<Option<Streak>, Failure> {
    let counted = streak(folders)?.counted(day, score);
    if let Some(streak) = &counted {
        Progress::remember(folders, STREAK, &streak.to_string())?;
    }
    Ok(counted)
}

/// A duel's terms: it counts only if the result can be saved.
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

/// The daily duel.
pub fn duel(day: Day) -> Result<Duel, Failure> {
    work(|budget| Duel::for_day(day, budget))
}

/// The day's unfinished attempt, or a new one. Players can't improve their first result by leaving.
pub fn setup(
    duel: &Duel,
    counts: bool,
    help: Help,
    autosave: &Autosave,
    games: &Rc<SolvedGames>,
    folders: &Folders,
) -> Result<Setup, Failure> {
    match kept(folders, duel.day).filter(|_| counts) {
        // `resume` rejects an attempt that is open in another window.
        Some(path) => resume(Some(&path), help, autosave, games, folders),
        None => Ok(Setup { help, ..Setup::today(duel, counts)? }),
    }
}

fn saves(folders: &Folders) -> Vec<PathBuf> {
    folders.saves().and_then(|folder| Save::all(&folder)).unwrap_or_default()
}

/// The attempt in a save, if it counts.
pub fn attempt_in(path: &Path) -> Option<Attempt> {
    // Only saves of duels have such names; others may take long to read.
    day_in_name(path)?;
    let setup = Save::peek(path).ok().and_then(|text| Setup::from_text(&text, 0).ok());
    let attempt = setup.filter(|setup| !setup.tried_out).and_then(|setup| setup.today);
    attempt.filter(|attempt| attempt.counts)
}

/// The day in the name of a duel's save: `0007-today-2026-11-15.spoton`.
fn day_in_name(path: &Path) -> Option<Day> {
    let (_, game) = path.file_stem()?.to_str()?.split_once('-')?;
    Duel::day_of(game)
}

/// The save with a day's unfinished attempt that counts.
pub fn kept(folders: &Folders, day: Day) -> Option<PathBuf> {
    saves(folders).into_iter().find(|path| attempt_in(path).is_some_and(|attempt| attempt.day == day))
}

/// The latest unfinished attempt from an earlier day that would still count.
pub fn left_before(folders: &Folders, day: Day, streak: &Streak) -> Option<(Day, PathBuf)> {
    let left = saves(folders).into_iter().filter_map(|path| Some((attempt_in(&path)?.day, path)));
    left.filter(|(left, _)| *left < day && streak.takes(*left)).max()
}

/// Why a daily duel's save can't be resumed; `None` if it can. The save doesn't change.
pub fn damaged(folders: &Folders, day: Day) -> Option<Failure> {
    let of_day = saves(folders).into_iter().filter(|path| day_in_name(path) == Some(day));
    of_day.into_iter().find_map(|path| {
        let why = match Save::peek(&path) {
            Err(why) => why.to_string(),
            Ok(text) => format!("{}: {}", shown::path(&path), Setup::from_text(&text, 0).err()?),
        };
        Some(Failure::Failed(format!("{why}. Today's duel starts over")))
    })
}
