//! Takes over the terminal, restores it on every exit, and reads events.

use std::ffi::OsStr;
use std::io::{self, Write, stdout};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use spoton::format::shown;
use spoton::words::today::DOT;

use super::app::{App, Asks};
use crate::failure::Failure;
use crate::shown;
use crate::sitting::autosave::{Autosave, kept_at};

/// Held while drawing. Restoring the terminal waits for it, so that nothing is drawn afterwards.
static DRAWING: Mutex<()> = Mutex::new(());
/// The terminal's owner. Held while the owner changes.
static TERMINAL: Mutex<TerminalOwner> = Mutex::new(TerminalOwner::Theirs);
/// Whether an editor has the terminal. Then an interrupt is for the editor.
static EDITOR: Mutex<Editor> = Mutex::new(Editor { is_open: false, interrupt_owed: false });
/// Set by the signal handler on SIGINT.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether to redraw everything.
static STALE: AtomicBool = AtomicBool::new(false);

fn drawing() -> MutexGuard<'static, ()> {
    DRAWING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TerminalOwner {
    Theirs,
    Ours,
    /// Restored for the last time: the program is about to exit.
    #[cfg_attr(not(unix), allow(dead_code))] // only Unix code sets it
    NeverAgain,
}

struct Editor {
    is_open: bool,
    /// Whether the signal thread has yet to receive an interrupt that arrived while the editor was open.
    interrupt_owed: bool,
}

fn editor() -> MutexGuard<'static, Editor> {
    EDITOR.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Editor {
    fn open(&mut self) {
        *self = Editor { is_open: true, interrupt_owed: false };
        INTERRUPTED.store(false, Ordering::SeqCst);
    }

    /// An editor can die of SIGINT before the signal thread sees the signal.
    fn close(&mut self) {
        *self = Editor { is_open: false, interrupt_owed: INTERRUPTED.swap(false, Ordering::SeqCst) };
    }

    /// Whether this signal was for the editor.
    #[cfg(unix)]
    fn gets(&mut self, signal: i32) -> bool {
        if self.is_open {
            INTERRUPTED.store(false, Ordering::SeqCst);
            return true;
        }
        signal == signal_hook::consts::SIGINT && std::mem::take(&mut self.interrupt_owed)
    }
}

fn owner() -> MutexGuard<'static, TerminalOwner> {
    TERMINAL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take() -> io::Result<()> {
    let mut owner = owner();
    if *owner == TerminalOwner::NeverAgain {
        // A signal arrived before we had the terminal. Its handler exits the program.
        drop(owner);
        loop {
            std::thread::park();
        }
    }
    enable_raw_mode()?;
    *owner = TerminalOwner::Ours;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)
}

/// Restores the terminal. Safe to call at any time, and more than once.
fn give_back() {
    give_back_to(TerminalOwner::Theirs);
}

fn give_back_to(whom: TerminalOwner) {
    let mut owner = owner();
    if *owner == TerminalOwner::Ours {
        // The terminal may be gone.
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
    if *owner != TerminalOwner::NeverAgain {
        *owner = whom;
    }
}

/// Restores the terminal when dropped.
struct TerminalGuard;

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Runs the full screen until the player quits.
pub fn run(app: &mut App, autosave: &Autosave, now: impl Fn() -> Duration) -> Result<(), Failure> {
    watch_signals(autosave.clone())
        .map_err(|error| Failure::Failed(format!("can't set up signal handlers: {error}")))?;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Restore the terminal first to keep the panic message readable.
        give_back();
        hook(panic);
    }));
    let guard = TerminalGuard;
    take()?;
    // The first poll starts watching for resizes. Do it before drawing, so that no resize is missed.
    event::poll(Duration::ZERO)?;
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let asks = events(app, &mut terminal, now);
    // Save the round in progress, no matter why the loop ended.
    let left = app.leave_everything();
    drop(guard);
    let asks = asks?;
    left?;
    if let Some(line) = &app.world.line {
        // Standard output may be closed.
        let between = app.world.theme.signs.between;
        let _ = writeln!(shown::out(), "{}", line.replace(DOT.trim(), between));
    }
    match asks {
        Asks::Interrupt => {
            if let Some(path) = &app.world.kept {
                // Standard error may be closed.
                let _ = writeln!(shown::err(), "{}", kept_at(path, &app.world.folders));
            }
            Err(Failure::Interrupted)
        }
        _ => Ok(()),
    }
}

fn events(
    app: &mut App,
    terminal: &mut Terminal<CrosstermBackend<io::Stdout>>,
    now: impl Fn() -> Duration,
) -> Result<Asks, Failure> {
    loop {
        app.wake(now());
        {
            let _drawing = drawing();
            if STALE.swap(false, Ordering::SeqCst) {
                // Redraws everything without asking for the cursor position: some terminals don't answer.
                let size = terminal.size()?;
                terminal.resize(size.into())?;
            }
            terminal.draw(|frame| {
                provoke("draw");
                app.draw(frame);
            })?;
        }
        // If no wake-up is due, wait only for the player.
        if let Some(at) = app.wakes_at()
            && !event::poll(at.saturating_sub(now()))?
        {
            continue;
        }
        // Handle all pending events before drawing.
        loop {
            let event = event::read()?;
            provoke("read");
            if let Event::Resize(..) = event {
                STALE.store(true, Ordering::SeqCst);
            }
            app.world.now = now();
            match app.handle(&event) {
                // Immediate effects, such as a computer's move, come before the next key.
                Asks::Nothing => app.wake(now()),
                Asks::Suspend => suspend()?,
                Asks::Edit(path) => app.edited(edit(&path)),
                asks => return Ok(asks),
            }
            if !is_more_there()? {
                break;
            }
        }
    }
}

/// Whether more events are pending.
fn is_more_there() -> io::Result<bool> {
    if event::poll(Duration::ZERO)? {
        return Ok(true);
    }
    // crossterm reads only a part of a large paste and waits for another key before reading on (its pull request 1057).
    // Writing the terminal's settings wakes it up.
    if !is_unread() {
        return Ok(false);
    }
    set_anew();
    event::poll(Duration::ZERO)
}

#[cfg(unix)]
fn is_unread() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stdin = rustix::stdio::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut terminal, Some(&Timespec::default())).is_ok() && terminal[0].revents().contains(PollFlags::IN)
}

#[cfg(not(unix))]
fn is_unread() -> bool {
    false
}

/// Writes the terminal's settings unchanged.
fn set_anew() {
    #[cfg(unix)]
    {
        use rustix::stdio::stdin;
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

        // Don't do this while the owner changes.
        let owner = owner();
        if *owner == TerminalOwner::Ours
            && let Ok(settings) = tcgetattr(stdin())
        {
            // If this fails, the next key wakes the terminal up.
            let _ = tcsetattr(stdin(), OptionalActions::Now, &settings);
        }
    }
}

/// Opens a file in the player's editor and waits for it.
fn edit(path: &Path) -> Result<(), Failure> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var_os(name).filter(|name| !name.is_empty()));
    let Some(editor) = editor else {
        let told = format!(
            "No editor found. Set EDITOR to your editor's name. The file: {}",
            shown(&path.to_string_lossy())
        );
        return Err(Failure::Failed(told));
    };
    let ran = {
        let _drawing = drawing();
        self::editor().open();
        give_back();
        let ran = run_editor(&editor, path);
        let taken = take();
        self::editor().close();
        STALE.store(true, Ordering::SeqCst);
        taken?;
        ran
    };
    let why = match ran {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(Failure::Failed(format!("The editor {} failed: {why}", editor.to_string_lossy())))
}

/// The variable may contain options, so a shell parses it.
#[cfg(unix)]
fn run_editor(editor: &OsStr, path: &Path) -> io::Result<ExitStatus> {
    let mut line = editor.to_owned();
    line.push(" \"$1\"");
    Command::new("sh").arg("-c").arg(line).arg("sh").arg(path).status()
}

#[cfg(not(unix))]
fn run_editor(editor: &OsStr, path: &Path) -> io::Result<ExitStatus> {
    Command::new(editor).arg(path).status()
}

/// Panics on request, for tests. Never in a release build.
fn provoke(place: &str) {
    if cfg!(debug_assertions) && std::env::var_os("SPOTON_PANIC").is_some_and(|asked| asked == place) {
        panic!("test panic requested by SPOTON_PANIC");
    }
}

#[cfg(unix)]
fn suspend() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)
}

#[cfg(not(unix))]
fn suspend() -> io::Result<()> {
    Ok(())
}

/// SIGINT, SIGHUP and SIGTERM restore the terminal and save the round. SIGTSTP restores the terminal; when the program
/// continues, it takes the terminal over again.
#[cfg(unix)]
fn watch_signals(autosave: Autosave) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::{emulate_default_handler, raise};

    crate::solving::leave_interrupts();
    watch_for_the_end(autosave.clone());
    signal_hook::flag::register(SIGINT, Arc::clone(&INTERRUPTED))?;
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGTSTP])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if editor().gets(signal) {
                match signal {
                    SIGINT => {}
                    SIGTSTP => drop(emulate_default_handler(SIGTSTP)),
                    signal => autosave.keep_and_exit(128 + signal),
                }
                continue;
            }
            let _drawing = drawing();
            if signal != SIGTSTP {
                give_back_to(TerminalOwner::NeverAgain);
                autosave.keep_and_exit(128 + signal);
            }
            give_back();
            let _ = emulate_default_handler(SIGTSTP);
            let _ = take();
            STALE.store(true, Ordering::SeqCst);
            // Wakes the event loop, as a resize does.
            let _ = raise(SIGWINCH);
        }
    });
    Ok(())
}

/// A terminal can disappear without a signal. Reading from it would then loop forever.
#[cfg(unix)]
fn watch_for_the_end(autosave: Autosave) {
    use rustix::event::{PollFd, PollFlags, poll};

    std::thread::spawn(move || {
        let stdin = rustix::stdio::stdin();
        // Without requested events, this waits only for the terminal to disappear.
        let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
        loop {
            let gone = match poll(&mut terminal, None) {
                Ok(_) => terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL),
                Err(rustix::io::Errno::INTR) => false,
                Err(_) => return,
            };
            if gone {
                let _drawing = drawing();
                give_back_to(TerminalOwner::NeverAgain);
                autosave.keep_and_exit(128 + signal_hook::consts::SIGHUP);
            }
        }
    });
}

#[cfg(not(unix))]
fn watch_signals(_autosave: Autosave) -> io::Result<()> {
    Ok(())
}
