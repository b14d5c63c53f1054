//! The store: the log of every sitting, the seat holders and the rule books. One trait; only this folder knows which
//! database is behind it.
//!
//! A sitting is the list of its events. The log is append-only: each event gets the next number (`seq`), and two
//! writers can never append at the same one. Everything else here derives from the log or says who may append to it.
//!
//! | file | contents |
//! |---|---|
//! | `memory.rs` | the reference implementation in memory; tests compare the others with it |
//! | `sqlite.rs` | the log in a SQLite file |

pub mod memory;
pub mod sqlite;

use std::future::Future;
use std::pin::Pin;

use spoton::engine::position::Player;

use crate::ids::{Hash, SittingId};

/// An answer that takes a while.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, Unavailable>> + Send + 'a>>;

/// Milliseconds since 1970.
pub type Millis = u64;

/// The store cannot do it now: the disk is full, or broken, or the database is gone. Nothing was kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what was played cannot be kept just now: {0}")]
pub struct Unavailable(pub String);

/// One event of a sitting's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its place, from 1 without a gap.
    pub seq: u64,
    /// When it was added.
    pub at: Millis,
    /// What happened, as JSON.
    pub body: String,
}

/// What one command adds: all of it or nothing.
#[derive(Clone, Debug)]
pub struct Write {
    pub id: SittingId,
    /// The events, without a gap. The first of them follows what the command has seen. There may be none, in a sitting
    /// that has some already: then `listed.seq` says what the command has seen.
    pub events: Vec<Stored>,
    /// What the list of sittings says of it from now on. Its `seq` is that of the last event, its `at` is the time of
    /// the whole write.
    pub listed: Listed,
    /// What was asked, so that asking again gets the same answer.
    pub asked: Option<Asked>,
    /// An invitation that must still be there and good, and is gone then.
    pub burns: Option<Hash>,
    /// Invitations that are made. One with the same secret in the same sitting is replaced.
    pub invites: Vec<Invitation>,
    /// Seats that are given, each to the holder of a secret. Whoever held one of them before holds it no more.
    pub seats: Vec<(Player, Hash)>,
    /// The rule book that the sitting plays, if it is not a shipped one.
    pub book: Option<Book>,
}

/// A command that carried a key: the same key with the same body gets the same answer again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The key, together with who sent it.
    pub key: Hash,
    /// What was asked.
    pub body: Hash,
    /// What was answered, as JSON.
    pub answer: String,
}

/// A secret that gives a seat, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub secret: Hash,
    pub player: Player,
    /// From when on it is worth nothing; `None` if it stays.
    pub until: Option<Millis>,
}

/// A rule book somebody has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    pub hash: Hash,
    pub text: String,
}

/// A class: whoever brings its code is given somebody to play with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub code: String,
    /// Who has opened it, and sees how the rounds stand.
    pub holder: Hash,
    /// From when on its code is worth nothing.
    pub until: Millis,
    /// Whether more may come. Those who are there stay.
    pub is_open: bool,
    /// What is played, as JSON.
    pub plays: String,
}

/// A sitting of a class, and for whom it was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfClass {
    pub id: SittingId,
    pub holder: Hash,
}

/// What can be known of a sitting without reading its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The last event.
    pub seq: u64,
    /// When it was added.
    pub at: Millis,
    /// Whether anybody has made a move yet.
    pub moved: bool,
    pub waits_for: WaitsFor,
}

/// Who is to do something in a sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    Player(Player),
    /// A computer is on turn.
    Computer,
    /// The second player has not come yet.
    Guest,
    /// The round is over, or a player has gone on to another partner.
    Nobody,
}

/// Why a write was not done, though the store is well. If several reasons hold, it is the first of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The key was used before, with what was asked and answered then.
    Again(Asked),
    /// The write does not follow the last event: there is one at that number already, since somebody was faster, or
    /// one before it is missing.
    Taken,
    /// The invitation is gone, or past its time, or was never there.
    NoInvitation,
}

/// What is older than these times goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// Sittings without a move.
    pub unmoved: Millis,
    /// Sittings in which nothing has happened since.
    pub idle: Millis,
    /// Books that nobody has ever played, and nobody has shared or opened since. No book goes as long as there is a
    /// sitting that plays it.
    pub unplayed_books: Millis,
    /// Books that were played, and that nobody has played, shared or opened since; and what was remembered before.
    pub books: Millis,
}

pub trait Store: Send + Sync + 'static {
    /// Does each of these or not, one after another as they stand, and keeps all that was done for good before it
    /// answers: a power cut after that costs nothing.
    ///
    /// # Errors
    ///
    /// If it cannot be kept: then none of them was done.
    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Vec<Result<(), Refused>>>;

    /// The events of a sitting after a number, in order; no more than so many. Empty if there is no such sitting. An
    /// event that was damaged since it was added is there too, with a body that is no JSON; so is a last event that is
    /// missing.
    fn events(&self, id: SittingId, after: u64, most: usize) -> Pending<'_, Vec<Stored>>;

    /// What was answered to a key before.
    fn asked(&self, key: Hash) -> Pending<'_, Option<Asked>>;

    /// Who holds which seat of a sitting, by seat. Empty if there is no such sitting.
    fn holders(&self, id: SittingId) -> Pending<'_, Vec<(Player, Hash)>>;

    /// The seats of a holder in a sitting.
    fn seats(&self, id: SittingId, holder: Hash) -> Pending<'_, Vec<Player>> {
        let holders = self.holders(id);
        Box::pin(async move {
            let held = holders.await?.into_iter().filter(|(_, held_by)| *held_by == holder);
            Ok(held.map(|(player, _)| player).collect())
        })
    }

    /// All sittings in which a holder has a seat, those with the latest events first (at the same time, by id); no
    /// more than so many.
    fn sittings_of(&self, holder: Hash, most: usize) -> Pending<'_, Vec<(SittingId, Listed)>>;

    /// The seat that an invitation gives, if it is there and still good at this time.
    fn invitation(&self, id: SittingId, secret: Hash, now: Millis) -> Pending<'_, Option<Player>>;

    /// The sitting that has this invitation, with the seat that it gives, if it is still good at this time. If several
    /// have it, it is the first of them by id.
    fn invited_where(&self, secret: Hash, now: Millis) -> Pending<'_, Option<(SittingId, Player)>>;

    /// Sittings in which a computer is on turn, and nothing has happened after a time, those that wait longest first
    /// (at the same time, by id); no more than so many.
    fn waiting_computers(&self, since: Millis, most: usize) -> Pending<'_, Vec<SittingId>>;

    /// Keeps a rule book that somebody shares. Keeping it again says that it is still of use.
    fn keep_book(&self, book: Book, now: Millis) -> Pending<'_, ()>;

    /// A rule book by the first letters of its hash, as its address has them ([`Hash::short`]).
    fn book(&self, short: String) -> Pending<'_, Option<Book>>;

    /// Keeps a class, or what has become of it; whether that was done. It is not if the code is somebody else's.
    fn keep_class(&self, class: Class) -> Pending<'_, bool>;

    /// A class by its code, whether or not that is still good.
    fn class(&self, code: String) -> Pending<'_, Option<Class>>;

    /// The classes of a holder whose codes are good at this time, by code.
    fn classes_of(&self, holder: Hash, now: Millis) -> Pending<'_, Vec<Class>>;

    /// Adds a sitting to a class; a sitting belongs to one class at most, and stays there.
    fn add_to_class(&self, code: String, of_class: OfClass) -> Pending<'_, ()>;

    /// The sittings of a class, in the order in which they were added. Some of them may be gone.
    fn class_sittings(&self, code: String) -> Pending<'_, Vec<OfClass>>;

    /// The class that a sitting belongs to.
    fn class_of(&self, id: SittingId) -> Pending<'_, Option<Class>>;

    /// What is remembered for a holder, by key.
    fn remembered(&self, holder: Hash) -> Pending<'_, Vec<(String, String)>>;

    /// Remembers something for a holder under a key, instead of what was there, or forgets it.
    fn remember(&self, holder: Hash, key: String, value: Option<String>, now: Millis) -> Pending<'_, ()>;

    /// Takes a sitting out for good; whether there was one.
    fn remove(&self, id: SittingId) -> Pending<'_, bool>;

    /// Takes a rule book out for good, by the first letters of its hash; whether there was one. Rounds that play it go
    /// on.
    fn remove_book(&self, short: String) -> Pending<'_, bool>;

    /// Takes out what nobody comes back to, and keys, invitations and classes that are of no use any more: keys older
    /// than `unmoved`, invitations and classes past their time at it. How many sittings.
    fn tidy(&self, before: Before) -> Pending<'_, u64>;

    /// How many bytes are kept, about.
    fn bytes(&self) -> Pending<'_, u64>;

    /// Whether a write would be kept now.
    fn is_ready(&self) -> Pending<'_, ()>;
}
