//! A database that all nodes share, and their connections to it. Everything takes a while. It crashes and loses what
//! wasn't synced; connections break in the middle of a commit; texts of the bell are lost, late, doubled or overtaken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use spoton::engine::position::Player;
use spoton_web::ids::{Hash, SittingId};
use spoton_web::store::bell::{Bell, Listening};
use spoton_web::store::memory::MemoryStore;
use spoton_web::store::{
    Before, Book, Class, IdempotentAnswer, Listed, Millis, NotCommitted, OfClass, Pending, Refused, Store,
    Stored, Unavailable, Write,
};
use tokio::sync::{OwnedMutexGuard, mpsc, oneshot};
use tokio::time::timeout;

use crate::chance::{Chance, wait};
use crate::trace::{Trace, note};

/// The deadline of a commit on the node's side.
const TIME_TO_COMMIT: Duration = Duration::from_secs(4);

type Answers = Vec<Result<(), Refused>>;

pub struct Database {
    pub trace: Arc<Trace>,
    chance: Chance,
    /// Whether commits are acknowledged before they are synced: a fault for a control.
    syncs_late: bool,
    /// After the end of all faults.
    is_calm: AtomicBool,
    state: Mutex<State>,
}

struct State {
    /// The visible data.
    kept: Arc<MemoryStore>,
    /// The accepted writes in order. The first `synced` ones survive a crash.
    written: Vec<Write>,
    synced: usize,
    last: BTreeMap<SittingId, u64>,
    is_up: bool,
    /// Counts crashes.
    era: u64,
    /// Row locks: commits to one sitting wait for each other.
    rows: BTreeMap<SittingId, Arc<tokio::sync::Mutex<()>>>,
    ears: Vec<Ear>,
    counts: Counts,
}

/// A node that listens.
#[derive(Clone)]
struct Ear {
    tell: mpsc::UnboundedSender<String>,
    connection: Connection,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub commits: u64,
    pub crashes: u64,
    pub unknown: u64,
    /// Unknown to the node, but saved.
    pub unknown_saved: u64,
    pub lost_texts: u64,
    pub doubled_texts: u64,
}

fn gone(why: &str) -> Unavailable {
    Unavailable(why.to_owned())
}

impl Database {
    pub fn new(trace: Arc<Trace>, chance: Chance, syncs_late: bool) -> Arc<Database> {
        let state = State {
            kept: Arc::default(),
            written: Vec::new(),
            synced: 0,
            last: BTreeMap::new(),
            is_up: true,
            era: 0,
            rows: BTreeMap::new(),
            ears: Vec::new(),
            counts: Counts::default(),
        };
        let (is_calm, state) = (AtomicBool::new(false), Mutex::new(state));
        Arc::new(Database { trace, chance, syncs_late, is_calm, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Returns the number of the last visible event of a sitting, 0 if there's none.
    pub fn last(&self, id: SittingId) -> u64 {
        self.state().last.get(&id).copied().unwrap_or(0)
    }

    /// Returns all accepted writes, in order.
    pub fn written(&self) -> Vec<Write> {
        self.state().written.clone()
    }

    pub fn count_written(&self) -> usize {
        self.state().written.len()
    }

    /// Ends all faults.
    pub fn calm_down(&self) {
        self.is_calm.store(true, Ordering::Relaxed);
        self.state().is_up = true;
    }

    /// Returns whether something fails now: never after the end of all faults.
    fn fails(&self, chance: &Chance, one_in: u64) -> bool {
        chance.one_in(one_in) && !self.is_calm.load(Ordering::Relaxed)
    }

    fn delay(&self, chance: &Chance) -> Duration {
        let delay = chance.delay();
        match self.is_calm.load(Ordering::Relaxed) {
            true => delay.min(Duration::from_millis(20)),
            false => delay,
        }
    }

    /// Stops immediately: what isn't synced is lost, and so are all connections.
    pub async fn crash(&self) {
        let written = {
            let mut state = self.state();
            state.era += 1;
            state.is_up = false;
            state.counts.crashes += 1;
            state.ears.clear();
            state.rows.clear();
            let synced = state.synced;
            state.written.truncate(synced);
            state.written.clone()
        };
        note!(self.trace, "the database crashes with {} writes", written.len());
        let (kept, mut last) = (Arc::new(MemoryStore::default()), BTreeMap::new());
        for write in written {
            last.insert(write.id, write.listed.seq);
            assert_eq!(kept.commit(vec![write]).await, Ok(vec![Ok(())]));
        }
        let mut state = self.state();
        (state.kept, state.last) = (kept, last);
    }

    pub fn start(&self) {
        note!(self.trace, "the database is back");
        self.state().is_up = true;
    }

    /// Ends a random node's connection that listens.
    pub fn deafen(&self, chance: &Chance) {
        let mut state = self.state();
        if !state.ears.is_empty() {
            let place = chance.below(state.ears.len() as u64) as usize;
            let ear = state.ears.remove(place);
            note!(self.trace, "{} can't hear any more", ear.connection.0.name);
        }
    }

    /// Carries out a transaction. Sends no answer if its connection or the database is gone.
    async fn commit(
        self: Arc<Self>,
        writes: Vec<Write>,
        era: u64,
        chance: Chance,
        answer: oneshot::Sender<Answers>,
    ) {
        // Some connections break before COMMIT arrives.
        let is_rolled_back = self.fails(&chance, 40);
        let ids: BTreeSet<SittingId> = writes.iter().map(|write| write.id).collect();
        let mut held: Vec<OwnedMutexGuard<()>> = Vec::new();
        for id in ids {
            let row = Arc::clone(self.state().rows.entry(id).or_default());
            held.push(row.lock_owned().await);
        }
        wait(self.delay(&chance)).await;
        let kept = {
            let state = self.state();
            if state.era != era || is_rolled_back {
                return;
            }
            Arc::clone(&state.kept)
        };
        // Sync and visibility are one moment, unless the control wants otherwise.
        let Ok(answers) = kept.commit(writes.clone()).await else { return };
        let written = {
            let mut state = self.state();
            for (write, answer) in writes.into_iter().zip(&answers) {
                note!(self.trace, "write {}..{}: {}", write.id, write.listed.seq, answer.is_ok());
                if answer.is_ok() {
                    state.last.insert(write.id, write.listed.seq);
                    state.written.push(write);
                }
            }
            state.counts.commits += 1;
            state.written.len()
        };
        if self.syncs_late {
            let database = Arc::clone(&self);
            let later = chance.between(1, 400);
            tokio::spawn(async move {
                wait(later).await;
                let mut state = database.state();
                if state.era == era {
                    state.synced = state.synced.max(written);
                }
            });
        } else {
            self.state().synced = written;
        }
        drop(held);
        wait(self.delay(&chance)).await;
        let is_saved = answers.iter().any(Result::is_ok);
        let is_lost = self.state().era != era || answer.send(answers).is_err();
        if is_lost && is_saved {
            self.state().counts.unknown_saved += 1;
        }
    }

    /// Sends a text to all nodes that listen. Some are lost, late, doubled or overtaken.
    fn ring(&self, text: &str) {
        let ears = self.state().ears.clone();
        for ear in ears {
            let (lost, doubled) = (self.chance.one_in(8), self.chance.one_in(12));
            {
                let counts = &mut self.state().counts;
                counts.lost_texts += u64::from(lost);
                counts.doubled_texts += u64::from(doubled && !lost);
            }
            for _ in 0..if lost { 0 } else { 1 + usize::from(doubled) } {
                let (ear, text, delay) = (ear.clone(), text.to_owned(), self.chance.delay());
                tokio::spawn(async move {
                    wait(delay).await;
                    if ear.connection.is_well() {
                        // Nobody listens any more.
                        let _ = ear.tell.send(text);
                    }
                });
            }
        }
    }
}

const WELL: u8 = 0;
/// Nothing arrives for a while.
const CUT: u8 = 1;
/// The node is dead.
const DEAD: u8 = 2;

/// A node's connections.
#[derive(Clone)]
pub struct Connection(Arc<Wire>);

struct Wire {
    name: String,
    database: Arc<Database>,
    chance: Chance,
    link: AtomicU8,
}

impl Connection {
    pub fn new(name: String, database: Arc<Database>, chance: Chance) -> Connection {
        Connection(Arc::new(Wire { name, database, chance, link: AtomicU8::new(WELL) }))
    }

    pub fn cut(&self) {
        note!(self.0.database.trace, "{} is cut off", self.0.name);
        self.0.link.store(CUT, Ordering::Relaxed);
    }

    pub fn mend(&self) {
        if self.0.link.compare_exchange(CUT, WELL, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            note!(self.0.database.trace, "{} is back", self.0.name);
        }
    }

    /// Stops everything that the node's tasks still do.
    pub fn kill(&self) {
        self.0.link.store(DEAD, Ordering::Relaxed);
    }

    fn is_well(&self) -> bool {
        self.0.link.load(Ordering::Relaxed) == WELL
    }

    /// A dead node does nothing any more.
    async fn lives(&self) {
        if self.0.link.load(Ordering::Relaxed) == DEAD {
            std::future::pending().await
        }
    }

    /// One way to the database, or back from it.
    async fn trip(&self) -> Result<u64, Unavailable> {
        let Wire { database, chance, .. } = &*self.0;
        wait(database.delay(chance)).await;
        self.lives().await;
        if !self.is_well() {
            wait(chance.between(100, 4000)).await;
            self.lives().await;
            return Err(gone("cut off"));
        }
        let state = database.state();
        if state.is_up { Ok(state.era) } else { Err(gone("the database is down")) }
    }

    fn through<'a, T: Send + 'a>(
        &'a self,
        ask: impl for<'k> FnOnce(&'k MemoryStore) -> Pending<'k, T> + Send + 'a,
    ) -> Pending<'a, T> {
        Box::pin(async move {
            let era = self.trip().await?;
            let kept = Arc::clone(&self.0.database.state().kept);
            let answer = ask(&kept).await?;
            match self.trip().await? == era {
                true => Ok(answer),
                false => Err(gone("the connection was lost")),
            }
        })
    }
}

impl Bell for Connection {
    fn ring(&self, text: String) -> Pending<'_, ()> {
        Box::pin(async move {
            let Wire { name, database, chance, .. } = &*self.0;
            self.trip().await?;
            let is_broken = database.fails(chance, 25);
            if !(is_broken && chance.one_in(2)) {
                // Servers' names are random.
                note!(database.trace, "{name} rings {}", text.split_once(' ').map_or("", |(_, news)| news));
                database.ring(&text);
            }
            self.trip().await?;
            if is_broken { Err(gone("the connection was lost")) } else { Ok(()) }
        })
    }

    fn listen(&self) -> Pending<'_, Box<dyn Listening>> {
        Box::pin(async move {
            self.trip().await?;
            let (tell, texts) = mpsc::unbounded_channel();
            let connection = self.clone();
            self.0.database.state().ears.push(Ear { tell, connection });
            Ok(Box::new(Ears(texts)) as Box<dyn Listening>)
        })
    }
}

struct Ears(mpsc::UnboundedReceiver<String>);

impl Listening for Ears {
    fn hear(&mut self) -> Pending<'_, String> {
        Box::pin(async move { self.0.recv().await.ok_or_else(|| gone("the connection was lost")) })
    }
}

/// Delegates operations whose arguments need no lifetime. Only commits survive a crash: nobody here uses other writes.
macro_rules! through {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($argument: $kind),*) -> Pending<'_, $answer> {
            self.through(move |kept| kept.$name($($argument),*))
        })*
    };
}

impl Store for Connection {
    fn bell(&self) -> Option<Arc<dyn Bell>> {
        Some(Arc::new(self.clone()))
    }

    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Answers, NotCommitted> {
        Box::pin(async move {
            let Wire { name, database, chance, .. } = &*self.0;
            let era = self.trip().await?;
            let (answer, answered) = oneshot::channel();
            // A separate task, because nobody can cancel a COMMIT.
            tokio::spawn(Arc::clone(database).commit(writes, era, chance.fork(), answer));
            let patience = match database.fails(chance, 10) {
                true => chance.between(0, 15),
                false => TIME_TO_COMMIT,
            };
            let answers = timeout(patience, answered).await;
            self.lives().await;
            match answers {
                Ok(Ok(answers)) if self.is_well() => Ok(answers),
                _ => {
                    note!(database.trace, "{name} doesn't know whether a commit was saved");
                    database.state().counts.unknown += 1;
                    Err(NotCommitted::Unknown("the connection was lost".to_owned()))
                }
            }
        })
    }

    through! {
        events(id: SittingId, after: u64, most: usize) -> Vec<Stored>;
        last_events(ids: Vec<SittingId>) -> Vec<(SittingId, u64)>;
        asked(key: Hash) -> Option<IdempotentAnswer>;
        all_asked(keys: Vec<Hash>) -> Vec<IdempotentAnswer>;
        holders(id: SittingId) -> Vec<(Player, Hash)>;
        seats(id: SittingId, holder: Hash) -> Vec<Player>;
        sittings_of(holder: Hash, most: usize) -> Vec<(SittingId, Listed)>;
        invitation(id: SittingId, secret: Hash, now: Millis) -> Option<Player>;
        invited_where(secret: Hash, now: Millis) -> Option<(SittingId, Player)>;
        waiting_computers(since: Millis, most: usize) -> Vec<SittingId>;
        keep_book(book: Book, now: Millis) -> ();
        book(short: String) -> Option<Book>;
        keep_class(class: Class) -> bool;
        class(code: String) -> Option<Class>;
        classes_of(holder: Hash, now: Millis) -> Vec<Class>;
        add_to_class(code: String, of_class: OfClass) -> ();
        class_sittings(code: String) -> Vec<OfClass>;
        class_of(id: SittingId) -> Option<Class>;
        remembered(holder: Hash) -> Vec<(String, String)>;
        remember(holder: Hash, key: String, value: Option<String>, now: Millis) -> ();
        replace_remembered(holder: Hash, key: String, old: Option<String>, new: String, now: Millis) -> bool;
        forget_remembered(holder: Hash, key: String, old: String) -> bool;
        remove(id: SittingId) -> bool;
        remove_book(short: String) -> bool;
        tidy(before: Before) -> u64;
        bytes() -> u64;
        is_ready() -> ();
    }
}
