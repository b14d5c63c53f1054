//! Access to solved games from the program: memory limit, interrupts and a progress line.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use spoton::format::Rulebook;
use spoton::sitting::{Cannot, Lookahead};
use spoton::solved::{SolvedGame, SolvedGames};
use spoton::solver::{Budget, Progress, Unsolved};
use spoton::words::idea::{self, Reply};

use crate::failure::Failure;

/// The maximum number of helper threads. Any more would mostly wait for memory.
const MOST_HELPERS: usize = 3;

/// The default memory limit.
pub const MEBIBYTES: u64 = 1024;

/// Solved games with a memory limit.
pub fn games(mebibytes: u64) -> SolvedGames {
    SolvedGames::new(mebibytes << 20).with_workers(lend_processors)
}

/// Spreads long work over the other processors.
fn lend_processors(help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
    let others = thread::available_parallelism().map_or(0, |processors| processors.get() - 1);
    thread::scope(|scope| {
        for _ in 0..others.min(MOST_HELPERS) {
            // Without helpers, it just takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, help);
        }
        own();
    });
}

/// Runs a query on the solved games. Shows progress on a terminal if it takes a while; an interrupt stops it.
pub fn look_ahead<T>(
    games: &SolvedGames,
    run: impl FnOnce(&mut Lookahead<'_>) -> Result<T, Cannot>,
) -> Result<T, Failure> {
    watched(|keep_going| Ok(run(&mut Lookahead { games, keep_going })?))
}

/// The same for a query on one game.
pub fn ask<T>(
    games: &SolvedGames,
    rulebook: &Arc<Rulebook>,
    question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Failure> {
    look_ahead(games, |ahead| Ok(ahead.ask(rulebook, question)?))
}

/// The same for work that isn't about a single game.
pub fn work<T>(run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>) -> Result<T, Failure> {
    watched(|keep_going| run(&mut Budget::new(MEBIBYTES << 20, keep_going)).map_err(Failure::TooLarge))
}

/// Parses and tests an idea.
pub fn idea_reply(games: &SolvedGames, text: &str, rulebook: &Arc<Rulebook>) -> Result<Reply, Failure> {
    look_ahead(games, |ahead| {
        Ok(idea::reply(text, |idea| ahead.ask(rulebook, |game, budget| game.test(idea, budget)))?)
    })
}

fn watched<T>(
    run: impl FnOnce(&mut dyn FnMut(Progress) -> bool) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let interrupts = Interrupts::get();
    let mut line = ProgressLine::new();
    let mut keep_going = |progress: Progress| {
        line.show(|| {
            let of = progress.of.map(|of| format!(" of {of}")).unwrap_or_default();
            format!("Solving: {}{of} positions", progress.positions)
        });
        !interrupts.came.load(Ordering::SeqCst)
    };
    interrupts.at_rest.store(false, Ordering::SeqCst);
    let answer = run(&mut keep_going);
    interrupts.at_rest.store(true, Ordering::SeqCst);
    drop(line);
    match answer {
        _ if interrupts.came.load(Ordering::SeqCst) => Err(Failure::Interrupted),
        answer => answer,
    }
}

/// Handles interrupts during a query. Otherwise, an interrupt ends the program as usual, and during a round
/// `signals.rs` handles it.
struct Interrupts {
    came: Arc<AtomicBool>,
    at_rest: Arc<AtomicBool>,
}

static WATCHED: AtomicBool = AtomicBool::new(false);

/// Leaves interrupts to `signals.rs`.
pub fn leave_interrupts() {
    WATCHED.store(true, Ordering::SeqCst);
}

static SILENT: AtomicBool = AtomicBool::new(false);

/// Turns the progress line off: the full screen owns the terminal.
pub fn be_silent() {
    SILENT.store(true, Ordering::SeqCst);
}

impl Interrupts {
    fn get() -> &'static Interrupts {
        static INTERRUPTS: OnceLock<Interrupts> = OnceLock::new();
        INTERRUPTS.get_or_init(|| {
            let interrupts = Interrupts { came: Arc::default(), at_rest: Arc::new(AtomicBool::new(true)) };
            // If registration fails, an interrupt ends the program immediately, which is fine.
            #[cfg(unix)]
            if !WATCHED.load(Ordering::SeqCst) {
                use signal_hook::consts::SIGINT;
                use signal_hook::flag;
                let _ = flag::register_conditional_default(SIGINT, Arc::clone(&interrupts.at_rest));
                let _ = flag::register(SIGINT, Arc::clone(&interrupts.came));
            }
            interrupts
        })
    }
}

/// A progress line that appears on a terminal if something takes a while.
#[derive(Debug)]
pub struct ProgressLine {
    begun: Instant,
    shown: Option<Instant>,
    visible: bool,
    /// The latest progress, to show while waiting.
    so_far: String,
}

impl Default for ProgressLine {
    fn default() -> ProgressLine {
        ProgressLine::hidden()
    }
}

impl ProgressLine {
    pub fn new() -> ProgressLine {
        ProgressLine {
            begun: Instant::now(),
            shown: None,
            visible: stderr().is_terminal() && !SILENT.load(Ordering::SeqCst),
            so_far: String::new(),
        }
    }

    /// A progress line that never appears.
    pub fn hidden() -> ProgressLine {
        let mut line = ProgressLine::new();
        line.visible = false;
        line
    }

    /// Sets and shows the progress so far.
    pub fn has_come(&mut self, so_far: String) {
        self.so_far = so_far;
        let said = self.so_far.clone();
        self.show(|| said);
    }

    /// Shows how long a program's answer has taken so far.
    pub fn waiting(&mut self, since: Duration) {
        let said = format!("{}: waiting for an answer ({} s)", self.so_far, since.as_secs());
        self.show(|| said);
    }

    pub fn show(&mut self, how_far: impl FnOnce() -> String) {
        let last = self.shown.unwrap_or(self.begun);
        if !self.visible || last.elapsed() < Duration::from_millis(300) {
            return;
        }
        self.shown = Some(Instant::now());
        // Keep going if a write fails.
        let _ = write!(stderr(), "\r\x1b[K{}", how_far());
        let _ = stderr().flush();
    }

    pub fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// Clears the line to make way for other output.
impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
