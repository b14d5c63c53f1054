//! Asking about solved games from the program: the budget, interrupts, and a line of progress while it works.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use spoton::format::Rulebook;
use spoton::people::idea::{self, Reply};
use spoton::people::solved_game::{SolvedGame, SolvedGames};
use spoton::sitting::{Cannot, Lookahead};
use spoton::solver::{Budget, Progress, Unsolved};

use crate::failure::Failure;

/// Of more threads each would mostly wait for memory.
const MOST_HANDS: usize = 3;

/// What a solver may hold unless the command line says otherwise.
pub const MEBIBYTES: u64 = 1024;

/// The games that a command solves, with so much memory for them.
pub fn games(mebibytes: u64) -> SolvedGames {
    SolvedGames::new(mebibytes << 20).with_hands(lend_processors)
}

/// Lends what takes long the other processors as well.
fn lend_processors(help: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
    let others = thread::available_parallelism().map_or(0, |processors| processors.get() - 1);
    thread::scope(|scope| {
        for _ in 0..others.min(MOST_HANDS) {
            // Without them it only takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, help);
        }
        own();
    });
}

/// Looks ahead among the games that are solved already, with progress on a terminal once it takes a while. An interrupt
/// stops it.
pub fn look_ahead<T>(
    games: &SolvedGames,
    run: impl FnOnce(&mut Lookahead<'_>) -> Result<T, Cannot>,
) -> Result<T, Failure> {
    watched(|keep_going| Ok(run(&mut Lookahead { games, keep_going })?))
}

/// Asks a game something, in the same way.
pub fn ask<T>(
    games: &SolvedGames,
    rulebook: &Arc<Rulebook>,
    question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Failure> {
    look_ahead(games, |ahead| Ok(ahead.ask(rulebook, question)?))
}

/// Works on something that no single game knows, in the same way.
pub fn work<T>(run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>) -> Result<T, Failure> {
    watched(|keep_going| run(&mut Budget::new(MEBIBYTES << 20, keep_going)).map_err(Failure::TooLarge))
}

/// Tests an idea as it was typed.
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
            format!("Looking ahead: {}{of} positions", progress.positions)
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

/// Interrupts while something is looked for. At rest, an interrupt ends the program as it always does; while a round
/// is played, the watch for signals keeps the round and ends the program by itself.
struct Interrupts {
    came: Arc<AtomicBool>,
    at_rest: Arc<AtomicBool>,
}

static WATCHED: AtomicBool = AtomicBool::new(false);

/// Says that somebody else deals with interrupts.
pub fn leave_interrupts() {
    WATCHED.store(true, Ordering::SeqCst);
}

static SILENT: AtomicBool = AtomicBool::new(false);

/// Says that the terminal belongs to somebody else, who does not want a line of progress on it.
pub fn be_silent() {
    SILENT.store(true, Ordering::SeqCst);
}

impl Interrupts {
    fn get() -> &'static Interrupts {
        static INTERRUPTS: OnceLock<Interrupts> = OnceLock::new();
        INTERRUPTS.get_or_init(|| {
            let interrupts = Interrupts { came: Arc::default(), at_rest: Arc::new(AtomicBool::new(true)) };
            // If they cannot be watched for, an interrupt ends the program at once, which is fine.
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

/// A line on a terminal that says how far something has come, once it takes a while.
#[derive(Debug)]
pub struct ProgressLine {
    begun: Instant,
    shown: Option<Instant>,
    visible: bool,
    /// How far it has come, for while something is waited for.
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

    /// One that is not shown.
    pub fn hidden() -> ProgressLine {
        let mut line = ProgressLine::new();
        line.visible = false;
        line
    }

    /// Something has come so far, and may now wait for somebody.
    pub fn has_come(&mut self, so_far: String) {
        self.so_far = so_far;
        let said = self.so_far.clone();
        self.show(|| said);
    }

    /// An answer has been waited for since then.
    pub fn waiting(&mut self, since: Duration) {
        let said = format!("{}: waiting for an answer, {} s", self.so_far, since.as_secs());
        self.show(|| said);
    }

    pub fn show(&mut self, how_far: impl FnOnce() -> String) {
        let last = self.shown.unwrap_or(self.begun);
        if !self.visible || last.elapsed() < Duration::from_millis(300) {
            return;
        }
        self.shown = Some(Instant::now());
        // A line that cannot be shown is no reason to stop.
        let _ = write!(stderr(), "\r\x1b[K{}", how_far());
        let _ = stderr().flush();
    }

    pub fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// Nothing that is said afterwards stands behind it.
impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
