//! Looking ahead, off the threads that answer requests: computer players, hints, reviews, audits. Bounded pools work,
//! bounded queues wait, and what is solved once is shared.
//!
//! There are three queues, so that nobody who plays waits for somebody who wants to know something: what is found in a
//! moment, what people at a table wait for, and facts.
//!
//! A game is solved once: who needs a solution that somebody else is at work on waits for it, together with the worker.
//! What is found in a moment has therefore one worker more than could ever be held up like that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use spoton::people::solved_game::SolvedGames;
use spoton::sitting::Lookahead;
use spoton::solver::Progress;
use tokio::sync::{Semaphore, oneshot};

use crate::ids::Hash;
use crate::limits::{A_MOMENT, BYTES_OF_A_JOB, CACHE_BYTES, MOST_WAITING_TO_THINK};

/// Those who think.
#[derive(Clone)]
pub struct Thinking {
    games: Arc<SolvedGames>,
    soon: Queue,
    table: Queue,
    facts: Queue,
    /// What each browser wants to know just now, by the hash of its key; it wants one thing at a time.
    wanted: Arc<Mutex<HashMap<Hash, Wanted>>>,
    turns: Arc<Turns>,
    ending: Arc<AtomicBool>,
}

/// Too many want to know something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too much is going on just now")]
pub struct TooBusy;

/// Why there are no facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFacts {
    #[error(transparent)]
    TooBusy(#[from] TooBusy),
    /// The same browser has asked for something else.
    #[error("this was stopped, since you have asked for something newer; ask again")]
    Replaced,
}

/// Something that a browser wants to know. When it is gone from the list, whoever waits for it is told.
struct Wanted {
    job: Arc<AtomicBool>,
    _kept: oneshot::Sender<()>,
}

/// Some who work, and some who wait for them.
#[derive(Clone)]
struct Queue {
    workers: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Queue {
    fn new(workers: usize) -> Queue {
        Queue {
            workers: Arc::new(Semaphore::new(workers)),
            waiting: Arc::new(Semaphore::new(MOST_WAITING_TO_THINK)),
        }
    }

    fn waiting(&self) -> usize {
        MOST_WAITING_TO_THINK.saturating_sub(self.waiting.available_permits())
    }

    /// Works as soon as somebody is free, and it is this one's turn if others want to work on the same.
    async fn run<T: Send + 'static>(
        &self,
        turn: Option<(&Arc<Turns>, Hash)>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let waits = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| TooBusy)?;
        let turn = match turn {
            Some((turns, what)) => Some(Turns::take(turns, what).await),
            None => None,
        };
        let works = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| TooBusy)?;
        drop(waits);
        let worked = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((turn, works));
            done
        });
        worked.await.map_err(|_| TooBusy)
    }
}

/// Of those who want to work on the same, one does; the others wait without a worker.
#[derive(Default)]
struct Turns(Mutex<HashMap<Hash, Arc<tokio::sync::Mutex<()>>>>);

struct Turn {
    turns: Arc<Turns>,
    what: Hash,
    held: Option<tokio::sync::OwnedMutexGuard<()>>,
}

impl Turns {
    fn all(&self) -> MutexGuard<'_, HashMap<Hash, Arc<tokio::sync::Mutex<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn take(turns: &Arc<Turns>, what: Hash) -> Turn {
        let one = Arc::clone(turns.all().entry(what).or_default());
        // Whoever goes away while waiting leaves the place for the next one to tidy up.
        let mut turn = Turn { turns: Arc::clone(turns), what, held: None };
        turn.held = Some(one.lock_owned().await);
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.held = None;
        let mut all = self.turns.all();
        if all.get(&self.what).is_some_and(|one| Arc::strong_count(one) == 1) {
            all.remove(&self.what);
        }
    }
}

/// Whoever wanted to know something has gone away: then nobody has to find it out.
struct StopWhenGone(Arc<AtomicBool>);

impl Drop for StopWhenGone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Default for Thinking {
    fn default() -> Thinking {
        // One core answers requests.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = cores.saturating_sub(1).max(1);
        Thinking {
            games: Arc::new(SolvedGames::with_limit_each(CACHE_BYTES, BYTES_OF_A_JOB)),
            // Each of the others may hold up the moves of one game, and its beginnings.
            soon: Queue::new(2 * (workers + workers) + 1),
            table: Queue::new(workers),
            facts: Queue::new(workers),
            wanted: Arc::default(),
            turns: Arc::default(),
            ending: Arc::default(),
        }
    }
}

impl Thinking {
    /// Thinks about something that people at a table wait for, for no longer than this.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn about<T: Send + 'static>(
        &self,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let gone = StopWhenGone(Arc::default());
        let (thought, _) = self.table.run(None, self.job(limit, &gone.0, think)).await?;
        Ok(thought)
    }

    /// The same for something that takes but a moment most of the time, such as a computer's move: then it does not wait
    /// for what takes long. What does take long is begun anew among its like. `game` is what the game is known by.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn soon<T: Send + 'static>(
        &self,
        game: Hash,
        limit: Duration,
        think: impl Fn(&mut Lookahead<'_>) -> T + Send + Sync + 'static,
    ) -> Result<T, TooBusy> {
        let gone = StopWhenGone(Arc::default());
        let think = Arc::new(think);
        let again = Arc::clone(&think);
        let job = self.job(A_MOMENT.min(limit), &gone.0, move |ahead| think(ahead));
        match self.soon.run(Some((&self.turns, game)), job).await? {
            (thought, false) => Ok(thought),
            (_, true) => self.about(limit, move |ahead| again(ahead)).await,
        }
    }

    /// Does something short that does not look ahead.
    ///
    /// # Errors
    ///
    /// If too many are waiting already.
    pub async fn at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        self.soon.run(None, work).await
    }

    /// Finds out something about a game, for no longer than this. If the browser that asks wants to know something else
    /// already, that is stopped.
    ///
    /// # Errors
    ///
    /// If too many are waiting already, or the browser has asked for something else meanwhile.
    pub async fn facts<T: Send + 'static>(
        &self,
        browser: Option<Hash>,
        limit: Duration,
        think: impl FnOnce(&mut Lookahead<'_>) -> T + Send + 'static,
    ) -> Result<T, NoFacts> {
        let gone = StopWhenGone(Arc::default());
        let (kept, replaced) = oneshot::channel();
        let wanted = browser.map(|browser| {
            self.wanted().insert(browser, Wanted { job: Arc::clone(&gone.0), _kept: kept });
            NoLongerWanted { thinking: self, browser, job: Arc::clone(&gone.0) }
        });
        let work = self.facts.run(None, self.job(limit, &gone.0, think));
        let is_replaced = async {
            match wanted {
                Some(_) => drop(replaced.await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = is_replaced => Err(NoFacts::Replaced),
            found = work => Ok(found?.0),
        }
    }

    fn wanted(&self) -> MutexGuard<'_, HashMap<Hash, Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something to think about, until it takes too long or nobody wants it any more; and whether it was stopped.
    fn job<T, F: FnOnce(&mut Lookahead<'_>) -> T>(
        &self,
        limit: Duration,
        stop: &Arc<AtomicBool>,
        think: F,
    ) -> impl FnOnce() -> (T, bool) + use<T, F> {
        let (games, ending, stop) = (Arc::clone(&self.games), Arc::clone(&self.ending), Arc::clone(stop));
        move || {
            let begun = Instant::now();
            let mut stopped = false;
            let mut keep_going = |_: Progress| {
                let over = [&stop, &ending].into_iter().any(|flag| flag.load(Ordering::Relaxed));
                stopped |= over || begun.elapsed() >= limit;
                !stopped
            };
            let thought = think(&mut Lookahead { games: &games, keep_going: &mut keep_going });
            (thought, stopped)
        }
    }

    /// How many wait for somebody to think.
    pub fn waiting(&self) -> usize {
        [&self.soon, &self.table, &self.facts].map(Queue::waiting).iter().sum()
    }

    /// Nothing is to be thought about any more.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }
}

/// Takes a job from the list when it is over, unless another one has taken its place.
struct NoLongerWanted<'a> {
    thinking: &'a Thinking,
    browser: Hash,
    job: Arc<AtomicBool>,
}

impl Drop for NoLongerWanted<'_> {
    fn drop(&mut self) {
        let mut wanted = self.thinking.wanted();
        if wanted.get(&self.browser).is_some_and(|wanted| Arc::ptr_eq(&wanted.job, &self.job)) {
            wanted.remove(&self.browser);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use spoton::format::{Draft, Rulebook};
    use tokio::task::JoinHandle;

    use super::*;

    /// Far more than anything here ever takes.
    const LONG: Duration = Duration::from_secs(600);

    fn who(name: &str) -> Option<Hash> {
        Some(Hash::of(name))
    }

    /// A job that has begun and goes on until it is stopped.
    struct Endless<T> {
        asked: JoinHandle<T>,
        ended: mpsc::Receiver<()>,
    }

    /// Thinks until nobody wants it any more.
    fn until_stopped(
        begun: tokio::sync::oneshot::Sender<()>,
        ended: mpsc::Sender<()>,
    ) -> impl FnOnce(&mut Lookahead<'_>) {
        move |ahead| {
            let _ = begun.send(());
            while (ahead.keep_going)(Progress { positions: 0, of: None }) {
                std::thread::yield_now();
            }
            let _ = ended.send(());
        }
    }

    async fn endless_facts(thinking: &Thinking, browser: Option<Hash>) -> Endless<Result<(), NoFacts>> {
        let ((begins, begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
        let thinking = thinking.clone();
        let asked =
            tokio::spawn(async move { thinking.facts(browser, LONG, until_stopped(begins, ends)).await });
        begun.await.unwrap();
        Endless { asked, ended }
    }

    fn workers(queue: &Queue) -> usize {
        queue.workers.available_permits()
    }

    #[tokio::test]
    async fn a_newer_question_of_a_browser_stops_the_older_one() {
        let thinking = Thinking::default();
        let older = endless_facts(&thinking, who("ann")).await;
        assert_eq!(thinking.facts(who("ann"), LONG, |_| 7).await, Ok(7));
        assert_eq!(older.asked.await.unwrap(), Err(NoFacts::Replaced));
        older.ended.recv().unwrap();
        assert!(thinking.wanted().is_empty());
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_is_stopped() {
        let thinking = Thinking::default();
        let job = endless_facts(&thinking, None).await;
        job.asked.abort();
        assert!(job.asked.await.unwrap_err().is_cancelled());
        job.ended.recv().unwrap();
        // Its worker is free for others.
        assert_eq!(thinking.facts(None, LONG, |_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn what_takes_too_long_is_stopped() {
        let thinking = Thinking::default();
        let ((begins, _begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
        let short = Duration::from_millis(1);
        assert_eq!(thinking.facts(None, short, until_stopped(begins, ends)).await, Ok(()));
        ended.recv().unwrap();
    }

    /// Other browsers are not hindered by one, and players are not hindered by anybody.
    #[tokio::test]
    async fn what_is_found_in_a_moment_does_not_wait_for_what_takes_long() {
        let thinking = Thinking::default();
        let mut jobs = Vec::new();
        for number in 0..workers(&thinking.facts) {
            jobs.push(endless_facts(&thinking, who(&number.to_string())).await);
        }
        let mut at_tables = Vec::new();
        for _ in 0..workers(&thinking.table) {
            let ((begins, begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
            let talks = thinking.clone();
            let asked = tokio::spawn(async move { talks.about(LONG, until_stopped(begins, ends)).await });
            begun.await.unwrap();
            at_tables.push(Endless { asked, ended });
        }
        assert_eq!((workers(&thinking.facts), workers(&thinking.table)), (0, 0));
        assert_eq!(thinking.soon(Hash::of("game"), LONG, |_| 7).await, Ok(7));
        assert_eq!(thinking.at_once(|| 8).await, Ok(8));
        thinking.end();
        for job in jobs {
            job.ended.recv().unwrap();
            assert_eq!(job.asked.await.unwrap(), Ok(()));
        }
        for job in at_tables {
            job.ended.recv().unwrap();
            assert_eq!(job.asked.await.unwrap(), Ok(()));
        }
    }

    /// Somebody is at work on a game, and many want to move in it: other games are not hindered.
    #[tokio::test]
    async fn a_game_that_is_being_solved_holds_up_nobody_but_its_own_players() {
        let thinking = Thinking::default();
        let (solves, (begins, begun), (go_on, waits)) =
            (thinking.clone(), oneshot::channel(), mpsc::channel());
        let slow = book("title = 'Slow'");
        let solved = Arc::clone(&slow);
        let facts = tokio::spawn(async move {
            let solve = move |ahead: &mut Lookahead<'_>| {
                let mut begins = Some(begins);
                // Whoever asks for the solution now has to wait for it.
                let mut keep_going = |_: Progress| {
                    if let Some(begins) = begins.take() {
                        let _ = begins.send(());
                        let _: Result<(), _> = waits.recv();
                    }
                    true
                };
                let mut ahead = Lookahead { games: ahead.games, keep_going: &mut keep_going };
                ahead.ask(&solved, |game, budget| game.audit(budget)).is_ok()
            };
            solves.facts(None, LONG, solve).await
        });
        begun.await.unwrap();
        let mut moves = Vec::new();
        for _ in 0..2 * workers(&thinking.soon) {
            let (moving, slow) = (thinking.clone(), Arc::clone(&slow));
            moves.push(tokio::spawn(async move {
                let think = move |ahead: &mut Lookahead<'_>| {
                    ahead.ask(&slow, |game, budget| game.audit(budget)).is_ok()
                };
                moving.soon(Hash::of("slow"), LONG, think).await
            }));
        }
        while thinking.soon.waiting.available_permits() + moves.len() > MOST_WAITING_TO_THINK + 1 {
            tokio::task::yield_now().await;
        }
        assert_eq!(thinking.soon(Hash::of("other"), LONG, |_| 7).await, Ok(7));
        go_on.send(()).unwrap();
        assert_eq!(facts.await.unwrap(), Ok(true));
        for moved in moves {
            assert_eq!(moved.await.unwrap(), Ok(true));
        }
        assert!(thinking.turns.all().is_empty());
    }

    /// A move that takes longer than a moment is found all the same.
    #[tokio::test]
    async fn what_turns_out_to_take_long_is_begun_anew_among_its_like() {
        let thinking = Thinking::default();
        let tries = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = Arc::clone(&tries);
        let found = thinking.soon(Hash::of("game"), LONG, move |ahead| {
            match counted.fetch_add(1, Ordering::SeqCst) {
                0 => {
                    while (ahead.keep_going)(Progress { positions: 0, of: None }) {
                        std::thread::yield_now();
                    }
                    "stopped"
                }
                _ => "found",
            }
        });
        assert_eq!((found.await, tries.load(Ordering::SeqCst)), (Ok("found"), 2));
    }

    #[tokio::test]
    async fn so_many_may_wait_and_one_more_is_told_to_come_back() {
        let thinking = Thinking::default();
        let mut working = Vec::new();
        for _ in 0..workers(&thinking.facts) {
            working.push(endless_facts(&thinking, None).await);
        }
        let mut waiting = Vec::new();
        for _ in 0..MOST_WAITING_TO_THINK {
            let asks = thinking.clone();
            waiting.push(tokio::spawn(async move { asks.facts(None, LONG, |_| 7).await }));
        }
        while thinking.facts.waiting.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(thinking.facts(None, LONG, |_| 7).await, Err(NoFacts::TooBusy(TooBusy)));
        for job in working {
            job.asked.abort();
        }
        for job in waiting {
            assert_eq!(job.await.unwrap(), Ok(7));
        }
    }

    #[tokio::test]
    async fn a_question_may_hold_so_much_and_no_more() {
        let thinking = Thinking::default();
        let book = book("title = 'A'");
        let left = thinking.facts(None, LONG, move |ahead| ahead.ask(&book, |_, budget| Ok(budget.left())));
        assert_eq!(left.await, Ok(Ok(BYTES_OF_A_JOB)));
    }

    fn book(words: &str) -> Arc<Rulebook> {
        let text = format!("{words}\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\n");
        Arc::new(Draft::read("own", &text).build().unwrap())
    }

    /// Books with the same fingerprint, which leaves words and claims out, are not taken for each other.
    #[tokio::test]
    async fn the_same_rules_in_other_words_are_another_game() {
        let thinking = Thinking::default();
        let books = [
            book("title = 'A'"),
            book("title = 'B'"),
            book("title = 'A'\nclaims = ['ends']"),
            book("title = 'A'\nclaims = ['first-wins', 'ends']"),
        ];
        assert!(books.iter().all(|book| book.fingerprint() == books[0].fingerprint()));
        let asked = books.clone();
        let told = thinking.facts(None, LONG, move |ahead| {
            asked.map(|book| {
                let found = ahead.ask(&book, |game, budget| {
                    Ok((game.rulebook().title().to_owned(), game.audit(budget)?.claims.len()))
                });
                found.unwrap()
            })
        });
        let told = told.await.unwrap();
        let told: Vec<(&str, usize)> = told.iter().map(|(title, claims)| (title.as_str(), *claims)).collect();
        assert_eq!(told, [("A", 0), ("B", 0), ("A", 1), ("A", 2)]);
    }
}
