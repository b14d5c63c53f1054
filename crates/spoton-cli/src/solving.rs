//! Asking the solver from the command line: its budget, and a sign of life while it works.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use spoton::format::Rulebook;
use spoton::solver::{Budget, Progress, Solver, Unsolved};

use crate::failure::Failure;

/// What a solver may hold where nothing else is said.
pub const MEBIBYTES: u64 = 1024;
/// What it may hold where somebody sits before a picture and waits: no more than takes the blink of an eye.
pub const AT_A_GLANCE: u64 = 32;

/// Solves a rule book, with progress on a terminal once it takes a while.
pub fn solve(rulebook: Arc<Rulebook>, mebibytes: u64) -> Result<Solver, Failure> {
    with_budget(mebibytes, |budget| Solver::new(rulebook, budget))
}

/// Runs something under a budget, with progress on a terminal once it takes a while. An interrupt stops it.
pub fn with_budget<T>(
    mebibytes: u64,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Failure> {
    let interrupts = Interrupts::get();
    let mut line = ProgressLine::new();
    let mut keep_going = |progress: Progress| {
        line.show(progress);
        !interrupts.came.load(Ordering::SeqCst)
    };
    interrupts.at_rest.store(false, Ordering::SeqCst);
    let answer = run(&mut Budget { bytes: mebibytes << 20, keep_going: &mut keep_going });
    interrupts.at_rest.store(true, Ordering::SeqCst);
    line.clear();
    match answer {
        _ if interrupts.came.load(Ordering::SeqCst) => Err(Failure::Interrupted),
        Ok(answer) => Ok(answer),
        Err(Unsolved::Stopped { .. }) => Err(Failure::Interrupted),
        Err(why) => Err(Failure::Failed(why.to_string())),
    }
}

/// Runs something while somebody waits: it may ask only so often whether to go on. Steps are counted, not seconds, so that
/// it comes to the same on every machine.
pub fn in_steps<T>(
    mebibytes: u64,
    mut steps: u64,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Failure> {
    let mut keep_going = |_: Progress| {
        steps = steps.saturating_sub(1);
        steps > 0
    };
    run(&mut Budget { bytes: mebibytes << 20, keep_going: &mut keep_going }).map_err(|why| match why {
        Unsolved::Stopped { .. } => Failure::Failed("it would take too long".to_owned()),
        why => Failure::Failed(why.to_string()),
    })
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
            // Where they cannot be watched for, an interrupt ends the program at once, which is as well.
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

struct ProgressLine {
    begun: Instant,
    shown: Option<Instant>,
    visible: bool,
}

impl ProgressLine {
    fn new() -> ProgressLine {
        ProgressLine {
            begun: Instant::now(),
            shown: None,
            visible: stderr().is_terminal() && !SILENT.load(Ordering::SeqCst),
        }
    }

    fn show(&mut self, progress: Progress) {
        let last = self.shown.unwrap_or(self.begun);
        if !self.visible || last.elapsed() < Duration::from_millis(300) {
            return;
        }
        self.shown = Some(Instant::now());
        let of = progress.of.map(|of| format!(" of {of}")).unwrap_or_default();
        // A line that cannot be shown is no reason to stop.
        let _ = write!(stderr(), "\r\x1b[KLooking ahead: {}{of} positions", progress.positions);
        let _ = stderr().flush();
    }

    fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
