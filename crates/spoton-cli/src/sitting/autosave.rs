//! Keeps an unfinished round on disk, whether the input ends, the player leaves or the program is told to end.

use std::io::{Write, stderr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spoton::engine::play::Move;
use spoton::sitting::Unfinished;

use crate::failure::Failure;
use crate::folders::Folders;
use crate::save::Save;

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
    /// Whether the player asked for the save. Then it stays after the round is over.
    asked_for: bool,
}

impl Autosave {
    pub fn new(folders: Folders) -> Autosave {
        let state = State { folders, game: String::new(), unfinished: None, save: None, asked_for: false };
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

    /// Keeps the round because the player asked for it.
    pub fn save(&self) -> Result<PathBuf, Failure> {
        let mut state = self.state();
        state.asked_for = true;
        let kept = state.keep()?;
        kept.ok_or_else(|| Failure::Failed("there is no round to keep".to_owned()))
    }

    /// Keeps the round, if one is under way.
    pub fn keep(&self) -> Result<Option<PathBuf>, Failure> {
        self.state().keep()
    }

    /// Keeps the round and ends the program; with another status if keeping fails.
    ///
    /// It is held to the very end, so that the game cannot do the same at the same time.
    pub fn keep_and_exit(&self, status: i32) -> ! {
        let mut state = self.state();
        let kept = state.keep();
        state.save = None;
        // There may be nobody left to tell.
        let status = match kept {
            Ok(kept) => {
                let told = kept.map(|path| writeln!(stderr(), "\n{}", kept_at(&path)));
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
        let kept = if keep { state.keep() } else { Ok(None) };
        state.unfinished = None;
        state.save = None;
        state.asked_for = false;
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
        let asked_for = std::mem::take(&mut state.asked_for);
        match state.save.take() {
            Some(save) if !asked_for => save.remove(),
            _ => Ok(()),
        }
    }
}

impl State {
    fn keep(&mut self) -> Result<Option<PathBuf>, Failure> {
        let Some(unfinished) = self.unfinished.as_ref().filter(|unfinished| !unfinished.is_over()) else {
            return Ok(None);
        };
        let text = unfinished.text();
        if self.save.is_none() {
            self.save = Some(Save::create(&self.folders.saves()?, &self.game)?);
        }
        let Some(save) = &self.save else { return Ok(None) };
        save.write(&text)?;
        Ok(Some(save.path().to_owned()))
    }
}

pub fn kept_at(path: &std::path::Path) -> String {
    format!("Kept as {}.\nGo on with: spoton play --resume", path.display())
}
