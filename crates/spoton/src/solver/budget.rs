//! How much a question may take: memory, which is counted, and time, for which the caller is asked again and again.

/// How much memory a question may hold, and whether it is to go on.
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
    /// The most bytes that may be held at any time.
    limit: u64,
    /// The bytes that the caller holds already.
    held: u64,
    /// Asked every few milliseconds with what has been done so far.
    keep_going: &'a mut dyn FnMut(Progress) -> bool,
    hands: Option<Hands>,
}

/// How a caller lends further threads to what takes long: it runs the first on another thread, or on several at once, while
/// the second runs on this one, and returns when all of them have. To run only the second is no mistake.
///
/// ```
/// use spoton::solver::{Budget, Hands};
///
/// let two: Hands = |other, own| {
///     std::thread::scope(|scope| {
///         scope.spawn(other);
///         own();
///     });
/// };
/// let budget = Budget::patient(16 << 20).with_hands(Some(two));
/// # let _ = budget;
/// ```
pub type Hands = fn(&(dyn Fn() + Sync), &mut dyn FnMut());

impl<'a> Budget<'a> {
    /// A budget of so many bytes. The question stops when `keep_going` says no; it is asked every few milliseconds.
    pub fn new(bytes: u64, keep_going: &'a mut dyn FnMut(Progress) -> bool) -> Budget<'a> {
        Budget { limit: bytes, held: 0, keep_going, hands: None }
    }

    /// The same with further threads for what takes long. The answers are the same without.
    #[must_use]
    pub fn with_hands(self, hands: Option<Hands>) -> Budget<'a> {
        Budget { hands, ..self }
    }

    /// A budget of so many bytes for a question that is never stopped.
    pub fn patient(bytes: u64) -> Budget<'static> {
        // A closure without a state takes no memory, so nothing is leaked.
        Budget::new(bytes, Box::leak(Box::new(|_| true)))
    }

    /// The bytes that may still be held.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.held)
    }

    /// Runs a part of a question while so many bytes are held beside it.
    pub(crate) fn beside<T, E>(
        &mut self,
        bytes: u64,
        run: impl FnOnce(&mut Budget<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let held = self.held.saturating_add(bytes);
        run(&mut Budget { limit: self.limit, held, keep_going: self.keep_going, hands: self.hands })
    }

    /// Runs a part of a question that may hold no more than so many bytes, and no more than are left.
    pub(crate) fn within<T, E>(
        &mut self,
        bytes: u64,
        run: impl FnOnce(&mut Budget<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let limit = self.limit.min(self.held.saturating_add(bytes));
        run(&mut Budget { limit, held: self.held, keep_going: self.keep_going, hands: self.hands })
    }

    /// Runs something while others help, if the caller has lent hands for that.
    pub(crate) fn with_help<T>(
        &mut self,
        help: &(dyn Fn() + Sync),
        run: impl FnOnce(&mut Budget<'_>) -> T,
    ) -> T {
        let Some(hands) = self.hands else { return run(self) };
        let (mut run, mut answer) = (Some(run), None);
        hands(help, &mut || {
            if let Some(run) = run.take() {
                answer = Some(run(self));
            }
        });
        match (answer, run) {
            (Some(answer), _) => answer,
            (None, Some(run)) => run(self),
            (None, None) => unreachable!("it was run, and has an answer"),
        }
    }

    /// Whether something that does not fit now would, if nothing were held beside it.
    pub(crate) fn lacks_room_only(&self, why: &Unsolved) -> bool {
        let held = u128::from(self.held);
        matches!(why, Unsolved::TooLarge { needs, .. } if *needs - held.min(*needs) <= self.limit.into())
    }

    /// Refuses so many positions if they take more than is left. `reached` of them have been looked at.
    pub(crate) fn require(&self, reached: u64, positions: u128, bytes_each: u64) -> Result<(), Unsolved> {
        self.require_bytes(reached, positions, positions.saturating_mul(u128::from(bytes_each)))
    }

    /// The same for positions that take so many bytes together.
    pub(crate) fn require_bytes(&self, reached: u64, positions: u128, bytes: u128) -> Result<(), Unsolved> {
        let needs = bytes.saturating_add(u128::from(self.held));
        if needs <= u128::from(self.limit) {
            return Ok(());
        }
        Err(Unsolved::TooLarge { reached, at_least: positions, needs, budget: self.limit, table: None })
    }

    /// Asks whether to go on, every so many positions.
    pub(crate) fn ask(&mut self, done: u64, every: u64, of: Option<u64>) -> Result<(), Unsolved> {
        if done.is_multiple_of(every) { self.ask_now(done, of) } else { Ok(()) }
    }

    /// Asks whether to go on.
    pub(crate) fn ask_now(&mut self, done: u64, of: Option<u64>) -> Result<(), Unsolved> {
        match (self.keep_going)(Progress { positions: done, of }) {
            true => Ok(()),
            false => Err(Unsolved::Stopped { reached: done }),
        }
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions looked at so far.
    pub positions: u64,
    /// How many there are, if that is known.
    pub of: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsolved {
    /// There are more positions than the budget holds.
    #[error("{}", too_large(*.reached, *.at_least, *.needs, *.budget, *.table))]
    TooLarge {
        /// How many positions were looked at before it was full; 0 if the numbers alone said so.
        reached: u64,
        /// How many there are at least.
        at_least: u128,
        /// The bytes that so many would take, with all that is held beside them.
        needs: u128,
        /// The budget, in bytes.
        budget: u64,
        /// The bytes that would certainly do, if that is known: a table with a place for everything takes so many.
        table: Option<u128>,
    },
    /// It is small enough, but would take too long.
    #[error("too long: {positions} positions that lead to each other, and play among them hardly ever ends")]
    TooLong {
        /// How many positions there are.
        positions: u64,
    },
    /// It is known who wins, but not in how many moves, and whoever asked needs to know that.
    #[error(
        "too large to count the moves, which is needed here; who wins is known, and \"sound\" plays by that"
    )]
    Uncounted,
    /// The caller did not want to go on.
    #[error("stopped after {reached} positions")]
    Stopped {
        /// How many positions were looked at.
        reached: u64,
    },
}

impl Unsolved {
    /// The same, if it is too large, with how many bytes would certainly do.
    pub(super) fn would_do(mut self, bytes: Option<u128>) -> Unsolved {
        if let Unsolved::TooLarge { table, .. } = &mut self {
            *table = bytes;
        }
        self
    }
}

fn too_large(reached: u64, at_least: u128, needs: u128, budget: u64, table: Option<u128>) -> String {
    // Rounded up, so that a need never reads as if it fitted.
    let memory = |bytes: u128| match bytes.div_ceil(1 << 20) {
        _ if bytes < 1 << 20 => format!("{bytes} bytes"),
        mebibytes if mebibytes < 10_000 => format!("{mebibytes} MiB"),
        mebibytes => format!("{} GiB", mebibytes.div_ceil(1 << 10)),
    };
    let (needs, budget) = (memory(needs), memory(u128::from(budget)));
    let table = table.map_or(String::new(), |bytes| format!("; {} would do", memory(bytes)));
    match reached {
        0 => format!(
            "too large: at least {at_least} positions, which take {needs} or more; the budget is {budget}{table}"
        ),
        _ => format!(
            "too large: the budget of {budget} was full after {reached} positions, and there are more{table}"
        ),
    }
}
