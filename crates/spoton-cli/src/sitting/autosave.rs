//! Keeps an unfinished round on disk: after every move, so that nothing is lost however the program ends, and for good
//! when the input ends, the player leaves or the program is told to end.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use spoton::engine::play::Move;
use spoton::sitting::Unfinished;

use crate::clock;
use crate::failure::Failure;
use crate::folders::Folders;
use crate::save::{Outlasts, Save};
use crate::shell::quoted;
use crate::shown;
use crate::today;

/// Shared between the game and the watch for signals.
#[derive(Clone)]
pub struct Autosave(Arc<Mutex<State>>);

struct State {
    folders: Folders,
    /// The game that the save is named after.
    game: String,
    /// The round that would have to be kept now; `None` while none is under way.
    unfinished: Option<Unfinished>,
    save: Option<Save>,
    /// When the save was written last, and how many plies the round had then.
    written: Option<(Instant, usize)>,
    /// What was to be kept when the player asked for a save. That stays after the round is over.
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

    /// Goes on with a save instead of making a new one.
    pub fn adopt(&self, save: Save) {
        self.state().save = Some(save);
    }

    /// Notes the round that would have to be kept if the program had to end now.
    pub fn note(&self, unfinished: Unfinished) {
        let mut state = self.state();
        unfinished.game().clone_into(&mut state.game);
        state.unfinished = Some(unfinished);
    }

    /// Follows a move that was made.
    pub fn follow(&self, a_move: Move) {
        if let Some(unfinished) = &mut self.state().unfinished {
            unfinished.follow(a_move);
        }
    }

    /// Keeps the round as it stands between two moves, in case the program has no time to do so at its end. If that
    /// cannot be done, it is told when the players leave.
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
            // All its moves were taken back: there is nothing to keep any more.
            let _ = state.save.take().map(Save::remove);
        }
    }

    /// Keeps the round because the player asked for it.
    pub fn save(&self) -> Result<PathBuf, Failure> {
        let mut state = self.state();
        let text = state.text();
        let earlier = std::mem::replace(&mut state.asked_for, text);
        let kept = state.keep(Outlasts::ThePower);
        if kept.is_err() {
            state.asked_for = earlier;
        }
        kept?.ok_or_else(|| Failure::Failed("there is no round to keep".to_owned()))
    }

    /// Keeps the round, if one is under way.
    pub fn keep(&self) -> Result<Option<PathBuf>, Failure> {
        self.state().keep(Outlasts::ThePower)
    }

    /// Keeps the round and ends the program; with another status if keeping fails.
    ///
    /// It is held to the very end, so that the game cannot do the same at the same time.
    pub fn keep_and_exit(&self, status: i32) -> ! {
        let mut state = self.state();
        let kept = state.keep(Outlasts::ThePower);
        state.save = None;
        let status = match kept {
            Ok(kept) => {
                // There may be nobody left to tell.
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

    /// The players leave the round: it is kept if that is wanted, and then forgotten.
    pub fn put_away(&self, keep: bool) -> Result<Option<PathBuf>, Failure> {
        let mut state = self.state();
        let kept = if keep { state.keep(Outlasts::ThePower) } else { Ok(None) };
        state.unfinished = None;
        state.save = None;
        state.asked_for = None;
        kept
    }

    /// Releases the save, so that others can open it.
    pub fn let_go(&self) {
        self.state().save = None;
    }

    /// The round is over: there is nothing to keep any more, and what it was resumed from is not needed any more.
    pub fn round_is_over(&self) -> Result<(), Failure> {
        let mut state = self.state();
        state.unfinished = None;
        match (state.save.take(), state.asked_for.take()) {
            (Some(save), None) => save.remove(),
            // What the player asked to keep is what stood there then.
            (Some(save), Some(text)) => save.write(&text, Outlasts::ThePower),
            (None, _) => Ok(()),
        }
    }
}

impl State {
    /// Whether the round is to be written again. A long one takes a while to write: between moves that come faster than
    /// anybody plays, it is only written as often as costs little beside playing them.
    fn is_due(&self, plies: usize) -> bool {
        const PATIENCE: Duration = Duration::from_millis(50);
        const SHORT: usize = 200;
        self.save.is_none()
            || self.written.is_none_or(|(at, before)| {
                at.elapsed() >= PATIENCE || plies.abs_diff(before) >= plies / SHORT
            })
    }

    /// The round under way as a text.
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

/// Where a round was kept, and the command that goes on with it: only the latest of the usual folder needs no name.
pub fn kept_at(path: &Path, folders: &Folders) -> String {
    let of_today = today::attempt_in(path).is_some_and(|attempt| attempt.day == clock::today());
    let command = if of_today { "spoton today".to_owned() } else { resume_command(path, folders) };
    format!("Kept as {}.\nGo on with: {command}", shown::path(path))
}

/// The command that takes up a save.
pub fn resume_command(path: &Path, folders: &Folders) -> String {
    let all = folders.saves().and_then(|folder| Save::all(&folder)).unwrap_or_default();
    let which = match all.first() {
        Some(latest) if latest == path => String::new(),
        _ => format!("={}", quoted(path)),
    };
    format!("spoton play --resume{which}")
}
