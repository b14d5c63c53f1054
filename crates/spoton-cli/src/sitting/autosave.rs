//! Saves an unfinished round after every move, so that a crash loses nothing. Saves it durably at the end of the input,
//! when the player leaves, and when a signal ends the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use spoton::engine::position::Choice;
use spoton::sitting::Unfinished;

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::save::{Outlasts, Save};
use crate::shell::quoted;
use crate::shown;
use crate::sitting::today;

/// Shared by the game and the signal thread.
#[derive(Clone)]
pub struct Autosave(Arc<Mutex<State>>);

struct State {
    folders: Folders,
    /// The game's id, for the name of the save.
    game: String,
    /// The round in progress.
    unfinished: Option<Unfinished>,
    save: Option<Save>,
    /// When the save was last written, and how many plies it had.
    written: Option<(Instant, usize)>,
    /// The text of the save that the player requested. It outlives the round.
    asked_for: Option<String>,
}

impl Autosave {
    pub fn new(folders: Folders) -> Autosave {
        let state = State {
            folders,
            game: String::new(),
            unfinished: None,
            save: None,
            written: None,
            asked_for: None,
        };
        Autosave(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Continues a save instead of creating a new one.
    pub fn adopt(&self, save: Save) {
        self.state().save = Some(save);
    }

    /// Notes the round to save if the program ends now.
    pub fn note(&self, unfinished: Unfinished) {
        let mut state = self.state();
        unfinished.game().clone_into(&mut state.game);
        state.unfinished = Some(unfinished);
    }

    /// Adds a choice to the noted round.
    pub fn follow(&self, choice: Choice) {
        if let Some(unfinished) = &mut self.state().unfinished {
            unfinished.follow(choice);
        }
    }

    /// Saves the round between two moves, in case the program is killed. Errors are reported when the players leave.
    pub fn keep_up(&self) {
        let mut state = self.state();
        let Some(unfinished) = state.unfinished.as_ref().filter(|unfinished| !unfinished.is_over()) else {
            return;
        };
        if unfinished.has_begun() {
            if state.is_due(unfinished.plies()) {
                let _ = state.keep(Outlasts::TheProgram);
            }
        } else if !unfinished.is_in_match() && state.asked_for.is_none() {
            // All moves were undone, so there is nothing to save.
            let _ = state.save.take().map(Save::remove);
        }
    }

    /// Saves the round at the player's request.
    pub fn save(&self) -> Result<PathBuf, Failure> {
        let mut state = self.state();
        let text = state.text();
        let earlier = std::mem::replace(&mut state.asked_for, text);
        let kept = state.keep(Outlasts::ThePower);
        if kept.is_err() {
            state.asked_for = earlier;
        }
        kept?.ok_or_else(|| Failure::Failed("there's no round to save".to_owned()))
    }

    /// Saves the round in progress, if there is one.
    pub fn keep(&self) -> Result<Option<PathBuf>, Failure> {
        self.state().keep(Outlasts::ThePower)
    }

    /// Saves the round and exits, with status 1 if saving fails.
    ///
    /// Holds the lock until the exit, so that the game can't save at the same time.
    pub fn keep_and_exit(&self, status: i32) -> ! {
        let mut state = self.state();
        let kept = state.keep(Outlasts::ThePower);
        state.save = None;
        let status = match kept {
            Ok(kept) => {
                // Standard error may be closed.
                let told = kept.map(|path| writeln!(shown::err(), "\n{}", kept_at(&path, &state.folders)));
                drop(told);
                status
            }
            Err(failure) => {
                failure.tell(false, crate::output::Colour::none());
                1
            }
        };
        std::process::exit(status)
    }

    /// Forgets the round that the players leave. Saves it first if `keep`.
    pub fn put_away(&self, keep: bool) -> Result<Option<PathBuf>, Failure> {
        let mut state = self.state();
        let kept = if keep { state.keep(Outlasts::ThePower) } else { Ok(None) };
        state.unfinished = None;
        state.save = None;
        state.asked_for = None;
        kept
    }

    /// Releases the save's lock.
    pub fn let_go(&self) {
        self.state().save = None;
    }

    /// Forgets a finished round and removes its save.
    pub fn round_is_over(&self) -> Result<(), Failure> {
        let mut state = self.state();
        state.unfinished = None;
        match (state.save.take(), state.asked_for.take()) {
            (Some(save), None) => save.remove(),
            // A save that the player requested keeps its state from that time.
            (Some(save), Some(text)) => save.write(&text, Outlasts::ThePower),
            (None, _) => Ok(()),
        }
    }
}

impl State {
    /// Whether to write the save again. A long round is slow to write, so moves faster than a person's are written in
    /// batches.
    fn is_due(&self, plies: usize) -> bool {
        const PATIENCE: Duration = Duration::from_millis(50);
        const SHORT: usize = 200;
        self.save.is_none()
            || self.written.is_none_or(|(at, before)| {
                at.elapsed() >= PATIENCE || plies.abs_diff(before) >= plies / SHORT
            })
    }

    /// The text of the round in progress.
    fn text(&self) -> Option<String> {
        let under_way = self.unfinished.as_ref().filter(|unfinished| !unfinished.is_over());
        under_way.map(Unfinished::text)
    }

    fn keep(&mut self, outlasts: Outlasts) -> Result<Option<PathBuf>, Failure> {
        let is_worth_it = |unfinished: &Unfinished| unfinished.has_begun() || unfinished.is_in_match();
        let is_wanted = self.asked_for.is_some() || self.unfinished.as_ref().is_some_and(is_worth_it);
        let Some(text) = self.text().filter(|_| is_wanted) else { return Ok(None) };
        if self.save.is_none() {
            self.save = Some(Save::create(&self.folders.saves()?, &self.game)?);
        }
        let Some(save) = &self.save else { return Ok(None) };
        save.write(&text, outlasts)?;
        self.written = Some((Instant::now(), self.unfinished.as_ref().map_or(0, Unfinished::plies)));
        Ok(Some(save.path().to_owned()))
    }
}

/// Where a round was saved, and the command that resumes it.
pub fn kept_at(path: &Path, folders: &Folders) -> String {
    let of_today = today::attempt_in(path).is_some_and(|attempt| attempt.day == clock::today());
    let command = if of_today { "spoton today".to_owned() } else { resume_command(path, folders) };
    format!("Saved to {}.\nResume with: {command}", shown::path(path))
}

/// The command that resumes a save. The latest one needs no file name.
pub fn resume_command(path: &Path, folders: &Folders) -> String {
    let all = folders.saves().and_then(|folder| Save::all(&folder)).unwrap_or_default();
    let which = match all.first() {
        Some(latest) if latest == path => String::new(),
        _ => format!("={}", quoted(path)),
    };
    format!("spoton play --resume{which}")
}
