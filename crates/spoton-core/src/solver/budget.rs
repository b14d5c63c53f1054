//! Limits on a query: its memory, and a callback that can stop it.

/// The memory limit of a query, and the callback that decides whether it continues.
///
/// ```
/// use spoton::solver::Budget;
///
/// let mut patience = 1000;
/// let mut keep_going = |_| {
///     patience -= 1;
///     patience > 0
/// };
/// let budget = Budget::new(16 << 20, &mut keep_going); // 16 MiB
/// assert_eq!(budget.left(), 16 << 20);
/// ```
pub struct Budget<'a> {
    /// The memory limit, in bytes.
    limit: u64,
    /// The bytes that the caller already holds.
    held: u64,
    /// Called every few milliseconds with the progress so far.
    keep_going: &'a mut dyn FnMut(Progress) -> bool,
    workers: Option<Workers>,
}

/// Lends threads for slow work. An implementation runs the first closure on one or more other threads while
/// it runs the second on this one, and returns when all have finished. It may also run only the second.
///
/// ```
/// use spoton::solver::{Budget, Workers};
///
/// let two: Workers = |other, own| {
///     std::thread::scope(|scope| {
///         scope.spawn(other);
///         own();
///     });
/// };
/// let budget = Budget::patient(16 << 20).with_workers(Some(two));
/// # let _ = budget;
/// ```
pub type Workers = fn(&(dyn Fn() + Sync), &mut dyn FnMut());

impl<'a> Budget<'a> {
    /// A budget in bytes. The query stops when `keep_going` returns false. It's called every few
    /// milliseconds.
    pub fn new(bytes: u64, keep_going: &'a mut dyn FnMut(Progress) -> bool) -> Budget<'a> {
        Budget { limit: bytes, held: 0, keep_going, workers: None }
    }

    /// Adds threads for slow work. They don't change the results.
    #[must_use]
    pub fn with_workers(self, workers: Option<Workers>) -> Budget<'a> {
        Budget { workers, ..self }
    }

    /// A budget in bytes for a query that never stops early.
    pub fn patient(bytes: u64) -> Budget<'static> {
        // A stateless closure is zero-sized, so this leaks nothing.
        Budget::new(bytes, Box::leak(Box::new(|_| true)))
    }

    /// The bytes that are still free.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.held)
    }

    /// Runs part of a query while holding `bytes` more.
    pub fn beside<T, E>(
        &mut self,
        bytes: u64,
        run: impl FnOnce(&mut Budget<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let held = self.held.saturating_add(bytes);
        run(&mut Budget { limit: self.limit, held, keep_going: self.keep_going, workers: self.workers })
    }

    /// Runs part of a query with at most `bytes`, and at most what is left.
    pub fn within<T, E>(
        &mut self,
        bytes: u64,
        run: impl FnOnce(&mut Budget<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let limit = self.limit.min(self.held.saturating_add(bytes));
        run(&mut Budget { limit, held: self.held, keep_going: self.keep_going, workers: self.workers })
    }

    /// Runs part of a query that calls `keep_going` too often. Forwards one in `every` of its calls.
    pub(crate) fn seldom<T>(&mut self, every: u64, run: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let (mut asked, keep_going) = (0_u64, &mut *self.keep_going);
        let mut ask = |progress| {
            asked += 1;
            !asked.is_multiple_of(every) || keep_going(progress)
        };
        run(&mut Budget { limit: self.limit, held: self.held, keep_going: &mut ask, workers: self.workers })
    }

    /// Runs `run` while other threads run `help`, if the caller lends any.
    pub(crate) fn with_help<T>(
        &mut self,
        help: &(dyn Fn() + Sync),
        run: impl FnOnce(&mut Budget<'_>) -> T,
    ) -> T {
        let Some(workers) = self.workers else { return run(self) };
        let (mut run, mut answer) = (Some(run), None);
        workers(help, &mut || {
            if let Some(run) = run.take() {
                answer = Some(run(self));
            }
        });
        match (answer, run) {
            (Some(answer), _) => answer,
            (None, Some(run)) => run(self),
            (None, None) => unreachable!("`run` has run and set the answer"),
        }
    }

    /// Whether something would fit if nothing else were held.
    pub(crate) fn lacks_room_only(&self, why: &Unsolved) -> bool {
        let held = u128::from(self.held);
        matches!(why, Unsolved::TooLarge { needs, .. } if *needs - held.min(*needs) <= self.limit.into())
    }

    /// Returns an error if `positions` exceed the free bytes. `reached` of them have been visited.
    pub fn require(&self, reached: u64, positions: u128, bytes_each: u64) -> Result<(), Unsolved> {
        self.require_bytes(reached, positions, positions.saturating_mul(u128::from(bytes_each)))
    }

    /// [`Budget::require`] with the total size of the positions.
    pub fn require_bytes(&self, reached: u64, positions: u128, bytes: u128) -> Result<(), Unsolved> {
        let needs = bytes.saturating_add(u128::from(self.held));
        if needs <= u128::from(self.limit) {
            return Ok(());
        }
        Err(Unsolved::TooLarge { reached, at_least: positions, needs, budget: self.limit, table: None })
    }

    /// Asks whether to continue, once per `every` positions.
    pub fn ask(&mut self, done: u64, every: u64, of: Option<u64>) -> Result<(), Unsolved> {
        if done.is_multiple_of(every) { self.ask_now(done, of) } else { Ok(()) }
    }

    /// Asks whether to continue.
    pub fn ask_now(&mut self, done: u64, of: Option<u64>) -> Result<(), Unsolved> {
        match (self.keep_going)(Progress { positions: done, of }) {
            true => Ok(()),
            false => Err(Unsolved::Stopped { reached: done }),
        }
    }
}

/// The progress of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The positions visited so far.
    pub positions: u64,
    /// The total, if known.
    pub of: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsolved {
    /// The positions exceed the budget.
    #[error("{}", too_large(*.reached, *.at_least, *.needs, *.budget, *.table))]
    TooLarge {
        /// The positions visited before it was full; 0 if the numbers alone exceeded it.
        reached: u64,
        /// A lower bound on the positions.
        at_least: u128,
        /// The bytes they need, including everything held alongside.
        needs: u128,
        /// The budget, in bytes.
        budget: u64,
        /// The size of a full table, if known. That much memory is certainly enough.
        table: Option<u128>,
    },
    /// It fits, but would take too long.
    #[error("too slow: {positions} positions form cycles that play hardly ever leaves")]
    TooLong {
        /// The number of positions.
        positions: u64,
    },
    /// The winner is known, but not the number of moves, which the caller needs.
    #[error("too large to count moves, which this requires. The winner is known: try the opponent \"sound\"")]
    Uncounted,
    /// The caller stopped it.
    #[error("stopped after {} positions", grouped((*.reached).into()))]
    Stopped {
        /// The positions visited.
        reached: u64,
    },
}

impl Unsolved {
    /// If the game is too large, adds how many bytes are certainly enough.
    pub(super) fn would_do(mut self, bytes: Option<u128>) -> Unsolved {
        if let Unsolved::TooLarge { table, .. } = &mut self {
            *table = bytes;
        }
        self
    }
}

/// Separates thousands: `1,000,000`.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

fn too_large(reached: u64, at_least: u128, needs: u128, budget: u64, table: Option<u128>) -> String {
    // Rounds up, so that it never looks as if the bytes fit.
    let memory = |bytes: u128| match bytes.div_ceil(1 << 20) {
        _ if bytes < 1 << 20 => format!("{bytes} bytes"),
        mebibytes if mebibytes < 10_000 => format!("{mebibytes} MiB"),
        mebibytes => format!("{} GiB", mebibytes.div_ceil(1 << 10)),
    };
    let budget = memory(u128::from(budget));
    match (reached, table) {
        // A table that takes less than the search's lower bound is certainly enough.
        (0, Some(table)) if table <= needs => format!(
            "too large: at least {} positions need {}; the memory limit is {budget}",
            grouped(at_least),
            memory(table)
        ),
        (0, _) => format!(
            "too large: at least {} positions need {} or more; the memory limit is {budget}",
            grouped(at_least),
            memory(needs)
        ),
        (_, table) => format!(
            "too large: {} positions filled the memory limit of {budget}, and there are more{}",
            grouped(reached.into()),
            table.map_or(String::new(), |bytes| format!(". {} is enough", memory(bytes)))
        ),
    }
}
