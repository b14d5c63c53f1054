//! Asking the solver from the command line: its budget, and a sign of life while it works.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use spoton::rulebook::Rulebook;
use spoton::solver::{Budget, Progress, Solver, Unsolved};

use crate::failure::Failure;

/// What a solver may hold where nothing else is said.
pub const MEBIBYTES: u64 = 1024;

/// Solves a rule book, with progress on a terminal once it takes a while.
pub fn solve(rulebook: Arc<Rulebook>, mebibytes: u64) -> Result<Solver, Failure> {
    with_budget(mebibytes, |budget| Solver::new(rulebook, budget))
}

/// Runs something under a budget, with progress on a terminal once it takes a while. An interrupt stops it.
pub fn with_budget<T>(
    mebibytes: u64,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Failure> {
    let interrupted = interrupts();
    let mut line = ProgressLine::new();
    let mut keep_going = |progress: Progress| {
        line.show(progress);
        !interrupted.load(Ordering::Relaxed)
    };
    let answer = run(&mut Budget { bytes: mebibytes << 20, keep_going: &mut keep_going });
    line.clear();
    answer.map_err(|why| match why {
        Unsolved::Stopped { .. } => Failure::Interrupted,
        Unsolved::TooLarge { .. } => Failure::Failed(why.to_string()),
    })
}

/// A flag that is up once the player has interrupted. While a round is played, the watch for signals is quicker.
fn interrupts() -> &'static AtomicBool {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        // Where it cannot be watched for, an interrupt ends the program as it always does.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag));
        flag
    })
}

struct ProgressLine {
    begun: Instant,
    shown: Option<Instant>,
    visible: bool,
}

impl ProgressLine {
    fn new() -> ProgressLine {
        ProgressLine { begun: Instant::now(), shown: None, visible: stderr().is_terminal() }
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
