//! Handles SIGINT, SIGTERM and SIGHUP: saves the round and restores the terminal.

#[cfg(unix)]
pub use unix::{asking, watch};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::thread;
    use std::time::Duration;

    use rustix::stdio::stdin;
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::sitting::autosave::Autosave;

    /// State of the line editor.
    struct Editor {
        /// The line editor has changed the terminal's settings, or is about to.
        asks: bool,
        /// The program is exiting: no more questions.
        is_over: bool,
    }

    static EDITOR: Mutex<Editor> = Mutex::new(Editor { asks: false, is_over: false });

    fn editor() -> MutexGuard<'static, Editor> {
        EDITOR.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records whether the line editor is asking. Never returns once the program is exiting: a new question would leave
    /// the terminal in the editor's mode.
    fn note(asks: bool) {
        let mut editor = editor();
        editor.asks = asks;
        if editor.is_over {
            drop(editor);
            loop {
                thread::park();
            }
        }
    }

    /// Runs a question of the line editor.
    pub fn asking<T>(ask: impl FnOnce() -> T) -> T {
        note(true);
        let answer = ask();
        note(false);
        answer
    }

    pub fn watch(autosave: Autosave) -> io::Result<()> {
        crate::solving::leave_interrupts();
        // The settings before the line editor changes them.
        let settings = tcgetattr(stdin()).ok();
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                editor().is_over = true;
                if let Some(settings) = &settings {
                    give_back(settings);
                }
                crate::programs::end_all();
                autosave.keep_and_exit(128 + signal);
            }
        });
        Ok(())
    }

    /// Restores the terminal.
    fn give_back(settings: &Termios) {
        // An editor that has just started is about to change the settings. Restoring works only after that.
        const ATTEMPTS: u32 = 1000;
        let not_yet = || tcgetattr(stdin()).is_ok_and(|now| now.local_modes == settings.local_modes);
        for _ in 0..ATTEMPTS {
            if !editor().asks || !not_yet() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        // The terminal may be gone.
        let _ = tcsetattr(stdin(), OptionalActions::Now, settings);
    }
}

#[cfg(not(unix))]
pub fn asking<T>(ask: impl FnOnce() -> T) -> T {
    ask()
}

#[cfg(not(unix))]
pub fn watch(_autosave: crate::sitting::autosave::Autosave) -> std::io::Result<()> {
    Ok(())
}
