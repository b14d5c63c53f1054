//! A solved game. Every fact about it is computed once and shared.
//!
//! Hints, reasons, reviews, maps, ideas, opponents and cards all query a [`SolvedGame`]. It computes each part on
//! first use and caches it. Each folder adds its own parts, so `teach/review.rs` has `SolvedGame::review`.
//! [`SolvedGames`] caches the most recently used games.
//!
//! ```
//! use std::sync::Arc;
//! use spoton::engine::{position::Player, round::Round};
//! use spoton::format::catalog;
//! use spoton::solved::SolvedGames;
//!
//! let games = SolvedGames::new(16 << 20); // 16 MiB for all of them together
//! let maze = Arc::new(catalog::draft("number-maze").unwrap().build().unwrap());
//! let round = Round::new(Arc::clone(&maze), Player::One);
//! let review = games.ask(&maze, &mut |_| true, |game, budget| game.review(&round, budget))?;
//! assert_eq!(review.opening.remoteness(), Some(14));
//! # Ok::<(), spoton::solver::Unsolved>(())
//! ```

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::outlook::{Foresight, Outlook, house_rule_matters};
use crate::engine::position::Player;
use crate::engine::round::Round;
use crate::format::Rulebook;
use crate::solver::chart::{self, Chart, Piece};
use crate::solver::{Budget, Progress, Solver, Unsolved, Value, Workers};

/// A game with the results computed so far. Can be shared between threads.
///
/// A query's budget covers everything, including what the game already holds.
pub struct SolvedGame {
    rulebook: Arc<Rulebook>,
    solver: Memo<Solver>,
    chart: Memo<Option<Chart>>,
    length: Memo<Option<u32>>,
    stretches: Memo<Option<Stretches>>,
    /// The results of other folders, by type.
    others: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    /// The last game that the house rule changed.
    foresight: Mutex<Foresight>,
    /// The total bytes held.
    bytes: AtomicU64,
}

/// The winner at each number, lowest first.
pub(crate) type Stretches = Vec<Piece<Option<Value>>>;

/// A book with at most this many numbers is solved for all of them, even unreachable ones. This saves a second search
/// for its chart.
const FEW_NUMBERS: u64 = 1 << 16;

/// No one would finish a longer round.
const LONGEST: u64 = 1_000_000;

/// Bytes per number in lists made from a chart, such as the numbers to leave.
const BYTES_A_NUMBER: u64 = 16;

impl SolvedGame {
    /// A game without results yet.
    pub fn new(rulebook: Arc<Rulebook>) -> SolvedGame {
        SolvedGame {
            rulebook,
            solver: Memo::default(),
            chart: Memo::default(),
            length: Memo::default(),
            stretches: Memo::default(),
            others: Mutex::default(),
            foresight: Mutex::default(),
            bytes: AtomicU64::new(0),
        }
    }

    /// The rule book.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The values of all reachable positions. Returns `None` for others; solve those with [`Solver::from_positions`].
    ///
    /// # Errors
    ///
    /// If this exceeds the budget or the caller cancels.
    pub fn solver(&self, budget: &mut Budget<'_>) -> Result<Arc<Solver>, Unsolved> {
        self.solver.get(budget.left(), || {
            let solver = budget.beside(self.bytes(), |budget| match self.is_charted_at_once() {
                true => Chart::everywhere(&self.rulebook, budget),
                false => Solver::new(Arc::clone(&self.rulebook), budget),
            })?;
            self.bytes.fetch_add(solver.bytes(), Ordering::Relaxed);
            Ok(solver)
        })
    }

    /// The solution, if it's already computed.
    pub(crate) fn found(&self) -> Option<Arc<Solver>> {
        self.solver.found()
    }

    /// A result of this type, computed once. It counts towards the memory held if its finder [adds](SolvedGame::hold)
    /// it.
    ///
    /// # Errors
    ///
    /// As for `find`. An error is cached until a caller offers more memory.
    pub(crate) fn once<T: Any + Send + Sync>(
        &self,
        bytes: u64,
        find: impl FnOnce() -> Result<T, Unsolved>,
    ) -> Result<Arc<T>, Unsolved> {
        let memo = {
            let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(others.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(Memo::<T>::default())))
        };
        match memo.downcast::<Memo<T>>() {
            Ok(memo) => memo.get(bytes, find),
            // Never: each type has its own memo.
            Err(_) => find().map(Arc::new),
        }
    }

    /// Counts a cached result's bytes.
    pub(crate) fn hold(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn is_charted_at_once(&self) -> bool {
        let (lowest, highest) = chart::numbers(&self.rulebook);
        chart::number_alone_decides(&self.rulebook)
            && !self.rulebook.goes_one_way()
            && highest.abs_diff(lowest) < FEW_NUMBERS
    }

    /// The value of every number; `None` if the number alone doesn't decide.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn chart(&self, budget: &mut Budget<'_>) -> Result<Option<Chart>, Unsolved> {
        if !chart::number_alone_decides(&self.rulebook) {
            return Ok(None);
        }
        // Fails early: this many numbers don't fit in a chart, no matter how the game is solved.
        let (lowest, highest) = chart::numbers(&self.rulebook);
        budget.require(0, u128::from(highest.abs_diff(lowest)) + 1, 1)?;
        let shares_the_solver = self.rulebook.goes_one_way() || self.is_charted_at_once();
        let solver = if shares_the_solver { Some(self.solver(budget)?) } else { None };
        let solver = solver.filter(|solver| !solver.spared_a_table());
        if solver.as_ref().is_some_and(|solver| solver.has_no_table()) {
            // There was no memory for a table, so the chart's per-number lists won't fit either.
            budget.require(0, u128::from(highest.abs_diff(lowest)) + 1, BYTES_A_NUMBER)?;
        }
        let chart = self.chart.get(budget.left(), || {
            budget.beside(self.bytes(), |budget| match solver {
                Some(solver) => Chart::from_solver(&solver, budget),
                None => {
                    let everywhere = Arc::new(Chart::everywhere(&self.rulebook, budget)?);
                    let bytes = everywhere.bytes();
                    let chart = budget.beside(bytes, |budget| Chart::from_solver(&everywhere, budget))?;
                    self.bytes.fetch_add(bytes, Ordering::Relaxed);
                    Ok(chart)
                }
            })
        });
        chart.map(|chart| chart.as_ref().clone())
    }

    /// The outlook of the player to move; `None` if the round is over. For the next turn, caches the last game that the
    /// house rule changed.
    ///
    /// # Errors
    ///
    /// As for [`SolvedGame::solver`].
    pub fn outlook(&self, round: &Round, budget: &mut Budget<'_>) -> Result<Option<Outlook>, Unsolved> {
        let solver = self.solver(budget)?;
        if round.outcome().is_some() {
            return Ok(None);
        }
        let drawn = round.drawn_next_time();
        if !house_rule_matters(&drawn, &solver) {
            return Ok(Outlook::new(round, &solver, &drawn));
        }
        let mut foresight = self.foresight.lock().unwrap_or_else(PoisonError::into_inner);
        // The old content may be dropped.
        self.bytes.fetch_sub(foresight.bytes(), Ordering::Relaxed);
        let found = budget.beside(self.bytes(), |budget| foresight.outlook(round, &solver, budget));
        self.bytes.fetch_add(foresight.bytes(), Ordering::Relaxed);
        found
    }

    /// The length of a round under best play as a power of ten, if it's too long for anyone to finish. The exact number
    /// would reveal who moves last. Also returns `None` if there's no quick way to find it.
    pub fn length_beyond_patience(&self) -> Option<u32> {
        if !SolvedGame::is_vast(&self.rulebook) {
            return None;
        }
        self.length.get(0, || Ok(self.find_length())).ok().and_then(|length| *length)
    }

    /// Whether [`SolvedGame::length_beyond_patience`] needs to search.
    pub fn is_vast(rulebook: &Rulebook) -> bool {
        // If numbers only go one way, the number range limits the length. Otherwise there's no quick answer.
        let (lowest, highest) = chart::numbers(rulebook);
        rulebook.goes_one_way() && highest.abs_diff(lowest) >= LONGEST
    }

    fn find_length(&self) -> Option<u32> {
        const BYTES: u64 = 16 << 20;
        const STEPS: u64 = 2000;
        let opening = self.rulebook.opening(Player::One);
        let find = |budget: &mut Budget<'_>| Solver::by_intervals(Arc::clone(&self.rulebook), budget);
        let verdict = match self.solver.found() {
            Some(solver) => solver.verdict(&opening),
            None => in_steps(BYTES, STEPS, find).ok()??.verdict(&opening),
        };
        let moves = verdict?.remoteness().filter(|moves| *moves > LONGEST)?;
        Some(moves.ilog10())
    }

    /// Drops caches.
    fn tidy_up(&self) {
        let mut foresight = self.foresight.lock().unwrap_or_else(PoisonError::into_inner);
        self.bytes.fetch_sub(foresight.bytes(), Ordering::Relaxed);
        *foresight = Foresight::default();
    }

    /// The winner at every number, as stretches whose values repeat. Works for any range of numbers. `None` if the
    /// number alone doesn't decide or the game has no such form.
    pub(crate) fn stretches(&self, budget: &mut Budget<'_>) -> Result<Arc<Option<Stretches>>, Unsolved> {
        if !chart::number_alone_decides(&self.rulebook) {
            return Ok(Arc::new(None));
        }
        let solver = self.solver(budget)?;
        self.stretches.get(budget.left(), || {
            let found = budget.beside(self.bytes(), |budget| match solver.has_no_table() {
                true => solver.stretches(None, budget),
                false => Ok(quick_stretches(&self.rulebook)),
            })?;
            let bytes = |piece: &Piece<_>| size_of_val(piece) + size_of_val(&piece.pattern[..]);
            let bytes: usize = found.iter().flatten().map(bytes).sum();
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
            Ok(found)
        })
    }
}

/// The winner at every number of a game that also has a table; `None` if that would take noticeable time.
fn quick_stretches(rulebook: &Arc<Rulebook>) -> Option<Stretches> {
    const BYTES: u64 = 1 << 20;
    const STEPS: u64 = 200;
    in_steps(BYTES, STEPS, |budget| match Solver::by_intervals(Arc::clone(rulebook), budget)? {
        Some(solver) => solver.stretches(None, budget),
        None => Ok(None),
    })
    .ok()?
}

/// Runs a computation with a limit on its cancellation checks.
pub(crate) fn in_steps<T>(
    bytes: u64,
    mut steps: u64,
    run: impl FnOnce(&mut Budget<'_>) -> Result<T, Unsolved>,
) -> Result<T, Unsolved> {
    let mut keep_going = |_: Progress| {
        steps = steps.saturating_sub(1);
        steps > 0
    };
    run(&mut Budget::new(bytes, &mut keep_going))
}

/// A memoized result. Also caches errors, until a caller offers more memory.
struct Memo<T>(Mutex<Known<T>>);

enum Known<T> {
    Unasked,
    Found(Arc<T>),
    Refused { bytes: u64, why: Unsolved },
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo(Mutex::new(Known::Unasked))
    }
}

impl<T> Memo<T> {
    /// A panic during a computation leaves no partial state, so a poisoned lock is fine.
    fn lock(&self) -> MutexGuard<'_, Known<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self) -> Option<Arc<T>> {
        match &*self.lock() {
            Known::Found(found) => Some(Arc::clone(found)),
            _ => None,
        }
    }

    /// The result. Concurrent callers wait, so it's computed only once.
    fn get(&self, bytes: u64, find: impl FnOnce() -> Result<T, Unsolved>) -> Result<Arc<T>, Unsolved> {
        let mut known = self.lock();
        match &*known {
            Known::Found(found) => return Ok(Arc::clone(found)),
            Known::Refused { bytes: refused, why } if bytes <= *refused => return Err(why.clone()),
            Known::Refused { .. } | Known::Unasked => {}
        }
        match find() {
            Ok(found) => {
                let found = Arc::new(found);
                *known = Known::Found(Arc::clone(&found));
                Ok(found)
            }
            Err(why) => {
                // A canceled query may be retried.
                if !matches!(why, Unsolved::Stopped { .. }) {
                    *known = Known::Refused { bytes, why: why.clone() };
                }
                Err(why)
            }
        }
    }
}

/// LRU cache of solved games with a memory limit. Handwritten, because a game's size grows while it's cached, and cache
/// crates weigh an entry only when it changes through them.
///
/// The key is the book's entire rules line, including its words and claims, because an audit reports those. The
/// fingerprint leaves them out and can be forged.
pub struct SolvedGames {
    /// The memory limit for all games together, including the queried one.
    bytes: u64,
    /// The memory limit per game.
    bytes_each: u64,
    workers: Option<Workers>,
    /// Each with its key, least recently used first.
    games: Mutex<Vec<(String, Arc<SolvedGame>)>>,
}

/// The maximum number of games to cache, even if they're small.
const MOST_GAMES: usize = 256;

impl SolvedGames {
    /// An empty cache with a memory limit.
    pub fn new(bytes: u64) -> SolvedGames {
        SolvedGames::with_limit_each(bytes, bytes)
    }

    /// An empty cache with a total limit and a limit per game.
    pub fn with_limit_each(bytes: u64, bytes_each: u64) -> SolvedGames {
        SolvedGames { bytes, bytes_each, workers: None, games: Mutex::default() }
    }

    /// The same, with extra threads for expensive games.
    #[must_use]
    pub fn with_workers(self, workers: Workers) -> SolvedGames {
        SolvedGames { workers: Some(workers), ..self }
    }

    fn games(&self) -> MutexGuard<'_, Vec<(String, Arc<SolvedGame>)>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A rule book's game, shared while it's cached.
    pub fn game(&self, rulebook: &Arc<Rulebook>) -> Arc<SolvedGame> {
        let line = line(rulebook);
        let mut games = self.games();
        let known = games.iter().position(|(known, _)| *known == line);
        let (line, game) = match known {
            Some(place) => games.remove(place),
            None => (line, Arc::new(SolvedGame::new(Arc::clone(rulebook)))),
        };
        games.push((line, Arc::clone(&game)));
        // Evicts the least recently used games, never the requested one.
        let held =
            |games: &[(String, Arc<SolvedGame>)]| games.iter().map(|(_, game)| game.bytes()).sum::<u64>();
        let mut evicted = Vec::new();
        while games.len() > 1 && (games.len() > MOST_GAMES || held(&games) > self.bytes) {
            evicted.push(games.remove(0));
        }
        // Freeing large tables takes a while, so the lock is released first.
        drop(games);
        drop(evicted);
        game
    }

    /// The bytes held by all other games.
    fn beside(&self, game: &Arc<SolvedGame>) -> u64 {
        let games = self.games();
        games.iter().filter(|(_, other)| !Arc::ptr_eq(other, game)).map(|(_, other)| other.bytes()).sum()
    }

    /// Queries a game. Other games' memory counts towards the limit. They are evicted if necessary.
    ///
    /// # Errors
    ///
    /// If this exceeds the limits or the caller cancels.
    pub fn ask<T>(
        &self,
        rulebook: &Arc<Rulebook>,
        keep_going: &mut dyn FnMut(Progress) -> bool,
        mut question: impl FnMut(&SolvedGame, &mut Budget<'_>) -> Result<T, Unsolved>,
    ) -> Result<T, Unsolved> {
        let game = self.game(rulebook);
        let beside = self.beside(&game);
        let others_are_in_the_way = self.bytes.saturating_sub(beside) < self.bytes_each;
        let mut budget = Budget::new(self.bytes, keep_going).with_workers(self.workers);
        let answer =
            budget.beside(beside, |budget| budget.within(self.bytes_each, |budget| question(&game, budget)));
        let Err(Unsolved::TooLarge { .. }) = answer else { return answer };
        // Drops caches and retries once.
        let held = game.bytes();
        game.tidy_up();
        if !others_are_in_the_way && game.bytes() == held {
            return answer;
        }
        if others_are_in_the_way {
            let is_other = |kept: &mut (String, Arc<SolvedGame>)| !Arc::ptr_eq(&kept.1, &game);
            // Frees them without holding the lock, as above.
            let evicted: Vec<_> = self.games().extract_if(.., is_other).collect();
            drop(evicted);
        }
        let bytes = self.bytes.min(self.bytes_each);
        question(&game, &mut Budget::new(bytes, keep_going).with_workers(self.workers))
    }
}

/// The cache key of a game.
fn line(rulebook: &Rulebook) -> String {
    let claims = rulebook.claims().iter().map(|claim| format!(" {claim}"));
    rulebook.whole_line() + &claims.collect::<String>()
}
