//! What happens on an interrupt, a hang-up or a request to end: the round is kept and the terminal put right.

use std::io;

use crate::sitting::autosave::Autosave;

#[cfg(unix)]
pub fn watch(autosave: Autosave) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    crate::solving::leave_interrupts();
    // The line editor changes the terminal while it reads; this is how it was before.
    let settings = rustix::termios::tcgetattr(rustix::stdio::stdin()).ok();
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            if let Some(settings) = &settings {
                let _ = rustix::termios::tcsetattr(
                    rustix::stdio::stdin(),
                    rustix::termios::OptionalActions::Now,
                    settings,
                );
            }
            autosave.keep_and_exit(128 + signal);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub fn watch(_autosave: Autosave) -> io::Result<()> {
    Ok(())
}
