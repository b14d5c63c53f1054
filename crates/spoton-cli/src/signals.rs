//! What happens on an interrupt, a hang-up or a request to end: the round is kept and the terminal put right.

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

    /// What the line editor may do with the terminal.
    struct Editor {
        /// It is asking: the terminal is its own now, or is about to be.
        asks: bool,
        /// The program is about to end: it may not ask any more.
        is_over: bool,
    }

    static EDITOR: Mutex<Editor> = Mutex::new(Editor { asks: false, is_over: false });

    fn editor() -> MutexGuard<'static, Editor> {
        EDITOR.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whether the line editor asks. Nothing comes back from here once the program is about to end: a question
    /// that was asked then would leave the terminal to an editor that is gone.
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

    /// Lets the line editor ask a question.
    pub fn asking<T>(ask: impl FnOnce() -> T) -> T {
        note(true);
        let answer = ask();
        note(false);
        answer
    }

    pub fn watch(autosave: Autosave) -> io::Result<()> {
        crate::solving::leave_interrupts();
        // The line editor changes the terminal while it reads; this is how it was before.
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

    /// Gives the terminal back as it was.
    fn give_back(settings: &Termios) {
        // An editor that has just been let in takes the terminal in a moment. Only afterwards does it stay given back.
        const ATTEMPTS: u32 = 1000;
        let not_yet = || tcgetattr(stdin()).is_ok_and(|now| now.local_modes == settings.local_modes);
        for _ in 0..ATTEMPTS {
            if !editor().asks || !not_yet() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        // There may be no terminal left.
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
