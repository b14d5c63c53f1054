//! The store: the log of every sitting, the seat holders and the rule books. One trait; only this folder knows which
//! database is behind it.
//!
//! A sitting is the list of its events. The log is append-only: each event gets the next number (`seq`), and two
//! writers can never append at the same one. Everything else here derives from the log or controls who may append to it.
//!
//! | file | contents |
//! |---|---|
//! | `bell.rs` | how several servers on one database reach each other |
//! | `batch.rs` | pure computation of a batch: which writes are accepted |
//! | `values.rs` | how the databases store values |
//! | `memory.rs` | the reference implementation in memory; tests compare the others with it |
//! | `sqlite.rs` | the log in a SQLite file |
//! | `postgres.rs` | the log in a PostgreSQL database, which several servers may share |

mod batch;
pub mod bell;
pub mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod sqlite;
mod values;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use spoton::engine::position::Player;

use crate::ids::{Hash, SittingId};
use bell::Bell;

/// A store operation in progress.
pub type Pending<'a, T, E = Unavailable> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// Milliseconds since 1970.
pub type Millis = u64;

/// The store isn't working right now: the disk is full or broken, or the database is gone. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("can't save right now: {0}")]
pub struct Unavailable(pub String);

/// Why a batch wasn't acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCommitted {
    /// Nothing was written.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The connection was lost during the commit, so the whole batch was written or nothing was. To find out, commit
    /// the same writes again: that waits for the lost commit, and each write is accepted only once.
    #[error("nobody knows whether that was saved: {0}")]
    Unknown(String),
}

/// One event of a sitting's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its sequence number, from 1 without gaps.
    pub seq: u64,
    /// When it was added.
    pub at: Millis,
    /// The event as JSON.
    pub body: String,
}

/// The effect of one command, applied atomically.
#[derive(Clone, Debug)]
pub struct Write {
    pub id: SittingId,
    /// The new events, without gaps, after the last one that the command saw. May be empty in an existing sitting: in
    /// that case `listed.seq` is what the command saw.
    pub events: Vec<Stored>,
    /// The sitting's new index entry. Its `seq` is that of the last event, its `at` the time of the whole write.
    pub listed: Listed,
    /// The idempotency key, so a retry gets the same answer.
    pub asked: Option<IdempotentAnswer>,
    /// An invitation to use up. It must still be valid.
    pub burns: Option<Hash>,
    /// New invitations. One with the same secret in the same sitting is replaced.
    pub invites: Vec<Invitation>,
    /// Seats and their new holders. The previous holders lose them.
    pub seats: Vec<(Player, Hash)>,
    /// The sitting's rule book, unless it's a shipped one.
    pub book: Option<Book>,
    /// The code of a class that must still let pupils in.
    pub open_class: Option<String>,
}

/// An idempotency key: a retry with the same body gets the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentAnswer {
    /// The key, bound to its sender.
    pub key: Hash,
    /// The request's hash.
    pub body: Hash,
    /// The answer, as JSON.
    pub answer: String,
}

/// A secret that gives a seat, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub secret: Hash,
    pub player: Player,
    /// When it expires; `None` means never.
    pub until: Option<Millis>,
}

/// A player's rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    pub hash: Hash,
    pub text: String,
}

/// A class: everyone with its code gets a partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub code: String,
    /// The teacher who opened it and sees its rounds.
    pub holder: Hash,
    /// When its code expires.
    pub until: Millis,
    /// Whether more pupils may join. Closing it removes nobody.
    pub is_open: bool,
    /// The game and its setup, as JSON.
    pub plays: String,
}

/// A class's sitting, and the pupil it was created for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfClass {
    pub id: SittingId,
    pub holder: Hash,
}

/// A sitting's index entry, derived from its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The last event.
    pub seq: u64,
    /// When it was added.
    pub at: Millis,
    /// Whether anyone has made a move.
    pub moved: bool,
    pub waits_for: WaitsFor,
}

/// The side that has to act in a sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    Player(Player),
    /// It's a computer's turn.
    Computer,
    /// The second player hasn't joined.
    Guest,
    /// The round is over, or a player has moved on to another partner.
    Nobody,
}

/// Why a write was refused by a working store. The first matching reason wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The key was used before, for this request and answer.
    Again(IdempotentAnswer),
    /// The write doesn't follow the last event: another writer was faster, or there is a gap.
    Taken,
    /// The invitation is used up, expired or unknown.
    NoInvitation,
    /// The class is closed, expired or unknown.
    ClosedClass,
}

/// A lock, until it's dropped.
pub type Held = Box<dyn Send + Sync>;

/// A count of tried codes. It's the time until nothing is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriedCode {
    /// The kind of code.
    pub family: &'static str,
    /// The kind of count, and its owner.
    pub who: Hash,
    pub add: Duration,
    /// The count never exceeds this much more than what is added.
    pub most: Duration,
}

/// Cleanup deletes data older than these times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// Sittings without a move.
    pub unmoved: Millis,
    /// Sittings without a later event.
    pub idle: Millis,
    /// Books that were never played, and not shared or opened since. A book with a sitting always stays.
    pub unplayed_books: Millis,
    /// Played books that weren't played, shared or opened since; also data per browser.
    pub books: Millis,
}

pub trait Store: Send + Sync + 'static {
    /// Returns the bell of a store that several servers may share; `None` if this server has it alone.
    fn bell(&self) -> Option<Arc<dyn Bell>> {
        None
    }

    /// Returns the time of a store that several servers may share; `None` if the server's own clock counts.
    fn time(&self) -> Pending<'_, Option<Millis>> {
        Box::pin(async { Ok(None) })
    }

    /// Takes a lock that one server at a time can have; `None` if another one has it for too long. It may be lost with
    /// its connection, so writes under it are conditional too.
    fn lock(&self, _name: String) -> Pending<'_, Option<Held>> {
        Box::pin(async { Ok(Some(Box::new(()) as Held)) })
    }

    /// Adds to a count that all servers share, and returns it as it was before. `None` if the server has to count.
    fn count_code(&self, _tried: TriedCode) -> Pending<'_, Option<Duration>> {
        Box::pin(async { Ok(None) })
    }

    /// Accepts or refuses each write in order, and syncs the accepted ones to disk before it returns, so a power cut
    /// loses nothing.
    ///
    /// # Errors
    ///
    /// Saves all accepted writes or none. An unknown outcome is a separate error.
    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Vec<Result<(), Refused>>, NotCommitted>;

    /// Returns up to `most` events of a sitting after a number, in order; none if the sitting is unknown. A corrupted
    /// event is included with a body that isn't JSON, and so is a missing last event.
    fn events(&self, id: SittingId, after: u64, most: usize) -> Pending<'_, Vec<Stored>>;

    /// Returns the number of the last event of each sitting that exists, by id.
    fn last_events(&self, ids: Vec<SittingId>) -> Pending<'_, Vec<(SittingId, u64)>>;

    /// Returns the earlier use of a key.
    fn asked(&self, key: Hash) -> Pending<'_, Option<IdempotentAnswer>>;

    /// Returns the earlier uses of several keys.
    fn all_asked(&self, keys: Vec<Hash>) -> Pending<'_, Vec<IdempotentAnswer>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for key in keys {
                all.extend(self.asked(key).await?);
            }
            Ok(all)
        })
    }

    /// Returns the holders of a sitting's seats, by seat; none if the sitting is unknown.
    fn holders(&self, id: SittingId) -> Pending<'_, Vec<(Player, Hash)>>;

    /// Returns a holder's seats in a sitting.
    fn seats(&self, id: SittingId, holder: Hash) -> Pending<'_, Vec<Player>> {
        let holders = self.holders(id);
        Box::pin(async move {
            let held = holders.await?.into_iter().filter(|(_, held_by)| *held_by == holder);
            Ok(held.map(|(player, _)| player).collect())
        })
    }

    /// Returns up to `most` sittings where the holder has a seat, latest event first, then by id.
    fn sittings_of(&self, holder: Hash, most: usize) -> Pending<'_, Vec<(SittingId, Listed)>>;

    /// Returns the seat of an invitation that is valid now.
    fn invitation(&self, id: SittingId, secret: Hash, now: Millis) -> Pending<'_, Option<Player>>;

    /// Returns the sitting and seat of an invitation that is valid now; the first by id, if there are several.
    fn invited_where(&self, secret: Hash, now: Millis) -> Pending<'_, Option<(SittingId, Player)>>;

    /// Returns up to `most` sittings where a computer has to move and nothing happened after `since`, longest wait
    /// first, then by id.
    fn waiting_computers(&self, since: Millis, most: usize) -> Pending<'_, Vec<SittingId>>;

    /// Stores a shared rule book, or updates its last-used time.
    fn keep_book(&self, book: Book, now: Millis) -> Pending<'_, ()>;

    /// Returns a rule book by its [`Hash::short`].
    fn book(&self, short: String) -> Pending<'_, Option<Book>>;

    /// Stores a class or its new state. Returns `false` if another holder has the code.
    fn keep_class(&self, class: Class) -> Pending<'_, bool>;

    /// Returns a class by its code, expired or not.
    fn class(&self, code: String) -> Pending<'_, Option<Class>>;

    /// Returns a holder's classes with codes valid now, by code.
    fn classes_of(&self, holder: Hash, now: Millis) -> Pending<'_, Vec<Class>>;

    /// Adds a sitting to a class. It stays in the first one it's added to.
    fn add_to_class(&self, code: String, of_class: OfClass) -> Pending<'_, ()>;

    /// Returns a class's sittings in the order they were added. Some may be deleted.
    fn class_sittings(&self, code: String) -> Pending<'_, Vec<OfClass>>;

    /// Returns the class of a sitting.
    fn class_of(&self, id: SittingId) -> Pending<'_, Option<Class>>;

    /// Returns a holder's data, by key.
    fn remembered(&self, holder: Hash) -> Pending<'_, Vec<(String, String)>>;

    /// Sets or removes a value of a holder.
    fn remember(&self, holder: Hash, key: String, value: Option<String>, now: Millis) -> Pending<'_, ()>;

    /// Replaces a holder's value if it's still the old one; `None` means that there must be none. Returns whether it
    /// was.
    fn replace_remembered(
        &self,
        holder: Hash,
        key: String,
        old: Option<String>,
        new: String,
        now: Millis,
    ) -> Pending<'_, bool>;

    /// Removes a holder's value if it's still the old one. Returns whether it was.
    fn forget_remembered(&self, holder: Hash, key: String, old: String) -> Pending<'_, bool>;

    /// Deletes a sitting. Returns whether it existed.
    fn remove(&self, id: SittingId) -> Pending<'_, bool>;

    /// Deletes a rule book by its [`Hash::short`]. Returns whether it existed. Its rounds continue.
    fn remove_book(&self, short: String) -> Pending<'_, bool>;

    /// Deletes abandoned data, keys older than `unmoved`, and invitations and classes that expired by then. Returns the
    /// number of deleted sittings.
    fn tidy(&self, before: Before) -> Pending<'_, u64>;

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> Pending<'_, u64>;

    /// Checks that writes work right now.
    fn is_ready(&self) -> Pending<'_, ()>;
}
