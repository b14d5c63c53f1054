//! The terminal: taken over, given back whatever happens, and asked for what the player does.

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
use spoton::people::today::DOT;

use super::app::{App, Asks};
use crate::failure::Failure;
use crate::shown;
use crate::sitting::autosave::{Autosave, kept_at};

/// Held while something is drawn. Giving the terminal back waits for it, so that nothing is drawn afterwards.
static DRAWING: Mutex<()> = Mutex::new(());
/// Who has the terminal. Held while that changes: nobody goes on before it has.
static TERMINAL: Mutex<Hands> = Mutex::new(Hands::Theirs);
/// Whether an editor has the terminal: then an interrupt is meant for it, and it is taken back only when it is closed.
static EDITOR: Mutex<Editor> = Mutex::new(Editor { is_open: false, interrupt_owed: false });
/// Set at the very moment of an interrupt.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether everything has to be drawn anew.
static STALE: AtomicBool = AtomicBool::new(false);

fn drawing() -> MutexGuard<'static, ()> {
    DRAWING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hands {
    Theirs,
    Ours,
    /// Given back for good: the program is about to end.
    #[cfg_attr(not(unix), allow(dead_code))] // there are no signals there
    NeverAgain,
}

struct Editor {
    is_open: bool,
    /// Whether an interrupt came while it was open that nobody has heard of yet.
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

    /// An editor can die of an interrupt before whoever watches for signals has heard of it.
    fn close(&mut self) {
        *self = Editor { is_open: false, interrupt_owed: INTERRUPTED.swap(false, Ordering::SeqCst) };
    }

    /// Whether a signal that is heard of now was meant for the editor.
    #[cfg(unix)]
    fn gets(&mut self, signal: i32) -> bool {
        if self.is_open {
            INTERRUPTED.store(false, Ordering::SeqCst);
            return true;
        }
        signal == signal_hook::consts::SIGINT && std::mem::take(&mut self.interrupt_owed)
    }
}

fn hands() -> MutexGuard<'static, Hands> {
    TERMINAL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take() -> io::Result<()> {
    let mut hands = hands();
    if *hands == Hands::NeverAgain {
        // A signal came before the terminal was ours. Its handler ends the program.
        drop(hands);
        loop {
            std::thread::park();
        }
    }
    enable_raw_mode()?;
    *hands = Hands::Ours;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)
}

/// Gives the terminal back as it was. Safe to call at any time, and more than once.
fn give_back() {
    give_back_to(Hands::Theirs);
}

fn give_back_to(whom: Hands) {
    let mut hands = hands();
    if *hands == Hands::Ours {
        // There may be no terminal left.
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
    if *hands != Hands::NeverAgain {
        *hands = whom;
    }
}

/// Gives the terminal back when it goes out of sight, by whatever way.
struct Taken;

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Runs the full screen until the player leaves it.
pub fn run(app: &mut App, autosave: &Autosave, now: impl Fn() -> Duration) -> Result<(), Failure> {
    watch_signals(autosave.clone())
        .map_err(|error| Failure::Failed(format!("cannot watch for signals: {error}")))?;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // First the terminal, so that what is said of the panic can be read.
        give_back();
        hook(panic);
    }));
    let taken = Taken;
    take()?;
    // The first time that it is asked, it begins to watch for changes of size. None is to be missed after the first picture.
    event::poll(Duration::ZERO)?;
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let asks = events(app, &mut terminal, now);
    // However it ends, a round that is under way is kept.
    let left = app.leave_everything();
    drop(taken);
    let asks = asks?;
    left?;
    if let Some(line) = &app.world.line {
        // There may be nobody left to tell.
        let between = app.world.theme.signs.between;
        let _ = writeln!(shown::out(), "{}", line.replace(DOT.trim(), between));
    }
    match asks {
        Asks::Interrupt => {
            if let Some(path) = &app.world.kept {
                // There may be nobody left to tell.
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
                // This draws everything anew without asking the terminal where its cursor is: not all of them answer.
                let size = terminal.size()?;
                terminal.resize(size.into())?;
            }
            terminal.draw(|frame| {
                provoke("draw");
                app.draw(frame);
            })?;
        }
        // Without anything to come, this waits for the player and nothing else.
        if let Some(at) = app.wakes_at()
            && !event::poll(at.saturating_sub(now()))?
        {
            continue;
        }
        // Everything that is there already is dealt with before the next picture.
        loop {
            let event = event::read()?;
            provoke("read");
            if let Event::Resize(..) = event {
                STALE.store(true, Ordering::SeqCst);
            }
            app.world.now = now();
            match app.handle(&event) {
                // What follows at once, such as a computer's answer, comes before the next key.
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

/// Whether the player has done more already.
fn is_more_there() -> io::Result<bool> {
    if event::poll(Duration::ZERO)? {
        return Ok(true);
    }
    // Of much at once, crossterm reads a part, and waits for another key before it reads on (its pull request 1057).
    // When a terminal's settings are written, whoever waits for it looks again.
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

/// Writes the terminal's settings as they are already.
fn set_anew() {
    #[cfg(unix)]
    {
        use rustix::stdio::stdin;
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

        // Not while it changes hands.
        let hands = hands();
        if *hands == Hands::Ours
            && let Ok(settings) = tcgetattr(stdin())
        {
            // If this fails, another key helps.
            let _ = tcsetattr(stdin(), OptionalActions::Now, &settings);
        }
    }
}

/// Opens a file in the player's editor, and waits until it is closed.
fn edit(path: &Path) -> Result<(), Failure> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var_os(name).filter(|name| !name.is_empty()));
    let Some(editor) = editor else {
        let told = format!(
            "Set EDITOR to the name of your editor, and e opens it. The file: {}",
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
    Err(Failure::Failed(format!("the editor {} ended with: {why}", editor.to_string_lossy())))
}

/// The variable may hold options as well, as a shell would read them.
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

/// For the tests of panics: one is provoked on request. Never in a release build.
fn provoke(place: &str) {
    if cfg!(debug_assertions) && std::env::var_os("SPOTON_PANIC").is_some_and(|asked| asked == place) {
        panic!("asked for, to see what happens");
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

/// An interrupt, a hang-up or a request to end gives the terminal back and keeps the round. A stop gives it back, and
/// takes it again when the program goes on.
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
                give_back_to(Hands::NeverAgain);
                autosave.keep_and_exit(128 + signal);
            }
            give_back();
            let _ = emulate_default_handler(SIGTSTP);
            let _ = take();
            STALE.store(true, Ordering::SeqCst);
            // Wakes whoever waits for events, as a change of size does.
            let _ = raise(SIGWINCH);
        }
    });
    Ok(())
}

/// A terminal can go away without a word. Reading from what is gone would go on for ever.
#[cfg(unix)]
fn watch_for_the_end(autosave: Autosave) {
    use rustix::event::{PollFd, PollFlags, poll};

    std::thread::spawn(move || {
        let stdin = rustix::stdio::stdin();
        // Asked for nothing, this waits for nothing but the end.
        let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
        loop {
            let gone = match poll(&mut terminal, None) {
                Ok(_) => terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL),
                Err(rustix::io::Errno::INTR) => false,
                Err(_) => return,
            };
            if gone {
                let _drawing = drawing();
                give_back_to(Hands::NeverAgain);
                autosave.keep_and_exit(128 + signal_hook::consts::SIGHUP);
            }
        }
    });
}

#[cfg(not(unix))]
fn watch_signals(_autosave: Autosave) -> io::Result<()> {
    Ok(())
}
