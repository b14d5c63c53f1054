//! The store in a PostgreSQL database, which several servers may share.
//!
//! One connection writes batches and some others read. A commit is acknowledged when it's durable, as far as the
//! database's settings go: each new connection checks them. Single statements, such as a shared rule book, may run
//! twice if their connection is lost. They have the same effect then.
//!
//! | file | contents |
//! |---|---|
//! | `postgres/address.rs` | the servers of a database, without showing passwords |
//! | `postgres/server.rs` | connects to the server that takes writes, and checks it |
//! | `postgres/schema.rs` | creates and migrates the schema |
//! | `postgres/writer.rs` | the writing connection, its deadline and its retry |
//! | `postgres/commit.rs` | a batch: locks, reads and writes in a fixed order |
//! | `postgres/pool.rs` | the other connections |
//! | `postgres/people.rs` | classes, and data per browser |
//! | `postgres/rows.rs` | conversions between rows and values |
//! | `postgres/size.rs` | how much the database holds |
//! | `postgres/bell.rs` | notifies the other servers |
//! | `postgres/locks.rs` | locks that all servers respect |
//! | `postgres/tidy.rs` | cleanup in small steps |
//! | `postgres/moving.rs` | moves the data of a SQLite file here |
//! | `postgres/migrations/` | the schema, one file per version |

mod address;
mod bell;
mod commit;
mod locks;
mod moving;
mod people;
mod pool;
mod rows;
mod schema;
mod server;
mod size;
mod tidy;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use spoton::engine::position::Player;
use sqlx::Row;
use sqlx::postgres::PgRow;

pub use address::{Address, NotAnAddress};
pub use moving::{CannotMove, move_data};
pub use schema::VERSION;

use super::bell::Bell;
use super::values::{integer, natural};
use super::{
    Before, Book, Class, Held, IdempotentAnswer, Listed, Millis, NotCommitted, OfClass, Pending, Refused,
    Store, Stored, TriedCode, Write,
};
use crate::ids::{Hash, SittingId};
use bell::PostgresBell;
use locks::Locks;
use pool::Pool;
use rows::{listed_of, player_of, to_text};
use server::{NoConnection, Server};
use size::Size;
use writer::Writer;

/// Time for a batch with everything that it needs: a connection, the transaction and one retry.
const TIME_TO_COMMIT: Duration = Duration::from_secs(4);

/// Time for a read, with waiting for a connection.
const TIME_TO_ANSWER: Duration = Duration::from_secs(4);

/// Connections besides the writing one.
const CONNECTIONS: usize = 8;

/// The keys of advisory locks: "Spot" and a number.
const LOCK_OF_SCHEMA: i64 = 0x5370_6f74_0000_0001;
const LOCK_OF_TIDYING: i64 = 0x5370_6f74_0000_0002;
const LOCK_OF_MOVING: i64 = 0x5370_6f74_0000_0003;

/// The servers to accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Only servers that never lose an acknowledged write.
    #[default]
    Checked,
    /// Also servers that may lose some.
    Unchecked,
}

/// The order in which a batch locks sittings.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Sorted,
    /// As they come, to prove that the tests notice.
    AsTheyCome,
}

/// Why a database can't be opened. It's unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    #[error(
        "{0} has a schema \"spoton\" that belongs to another program. Choose another database; this one is unchanged"
    )]
    Foreign(String),
    #[error(
        "{address} comes from a newer version of Spot On (it needs schema version {oldest}, this program knows \
         {VERSION}). Start the newer program; the database is unchanged"
    )]
    Newer { address: String, oldest: i64 },
    #[error("can't open {address}: {reason}")]
    Failed { address: String, reason: String },
}

impl CannotOpen {
    fn failed(server: &Server, reason: String) -> CannotOpen {
        CannotOpen::Failed { address: server.address.to_string(), reason }
    }

    fn none(server: &Server, none: NoConnection) -> CannotOpen {
        CannotOpen::failed(server, none.to_string())
    }
}

/// A database.
#[derive(Debug)]
pub struct PostgresStore {
    server: Arc<Server>,
    writer: Writer,
    pool: Pool,
    size: Size,
    bell: Arc<PostgresBell>,
    locks: Locks,
}

impl PostgresStore {
    /// Opens a database, and creates or migrates its schema.
    ///
    /// # Errors
    ///
    /// Fails if no server takes writes, or if the database could lose some, belongs to another program or needs a newer
    /// one.
    pub async fn open(address: Address, durability: Durability) -> Result<PostgresStore, CannotOpen> {
        PostgresStore::open_with(address, durability, Order::Sorted).await
    }

    /// Opens with another lock order, to prove that the tests notice.
    ///
    /// # Errors
    ///
    /// The same as [`PostgresStore::open`].
    #[doc(hidden)]
    pub async fn open_with(
        address: Address,
        durability: Durability,
        order: Order,
    ) -> Result<PostgresStore, CannotOpen> {
        let server = Arc::new(Server::new(address, durability == Durability::Unchecked));
        schema::migrate(&server).await?;
        let connected = server.connect().await;
        let connection = connected.map_err(|none| CannotOpen::none(&server, none))?;
        let writer = Writer::new(Arc::clone(&server), connection, order);
        let bell = Arc::new(PostgresBell::new(Arc::clone(&server)));
        let pool = Pool::new(Arc::clone(&server));
        let locks = Locks::new(Arc::clone(&server));
        Ok(PostgresStore { pool, writer, server, size: Size::default(), bell, locks })
    }

    /// Closes the connections. The store is unusable after that.
    pub async fn close(&self) {
        self.pool.close().await;
        self.locks.close().await;
        self.writer.close().await;
    }
}

// `sitting` knows the last event. If that event is missing, it's returned as a corrupted one without a checksum.
const EVENTS: &str = "SELECT seq, at, body, sum FROM event WHERE id = $1 AND seq > $2
    UNION ALL SELECT seq, at, 'missing', ''::bytea FROM sitting WHERE id = $1 AND seq > $2
        AND NOT EXISTS (SELECT 1 FROM event WHERE event.id = $1 AND event.seq = sitting.seq)
    ORDER BY seq LIMIT $3";
const LAST_EVENTS: &str = "SELECT id, seq FROM sitting WHERE id = ANY($1) ORDER BY id";
const ASKED: &str = "SELECT key, body, answer FROM asked WHERE key = $1";
const ALL_ASKED: &str = "SELECT key, body, answer FROM asked WHERE key = ANY($1)";
const TIME: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8";
const HOLDERS: &str = "SELECT holder, player FROM seat WHERE id = $1 ORDER BY player";
const SITTINGS_OF: &str = "SELECT id, seq, at, moved, waits_for FROM sitting
    WHERE id IN (SELECT id FROM seat WHERE holder = $1) ORDER BY at DESC, id LIMIT $2";
const INVITATION: &str =
    "SELECT player FROM invitation WHERE id = $1 AND secret = $2 AND (until IS NULL OR until > $3)";
const INVITED_WHERE: &str = "SELECT id, player FROM invitation
    WHERE secret = $1 AND (until IS NULL OR until > $2) ORDER BY id LIMIT 1";
const WAITING_COMPUTERS: &str =
    "SELECT id FROM sitting WHERE waits_for = 3 AND at <= $1 ORDER BY at, id LIMIT $2";
const BOOK: &str = "SELECT hash, text FROM book WHERE short = $1 ORDER BY hash LIMIT 1";

impl Store for PostgresStore {
    fn bell(&self) -> Option<Arc<dyn Bell>> {
        Some(self.bell.clone())
    }

    fn time(&self) -> Pending<'_, Option<Millis>> {
        Box::pin(async move {
            let time = |row: &PgRow| row.try_get::<i64, _>(0).map(natural);
            Ok(self.pool.read(TIME, |query| query, time).await?.pop())
        })
    }

    fn lock(&self, name: String) -> Pending<'_, Option<Held>> {
        Box::pin(async move { self.locks.lock(&name).await })
    }

    fn count_code(&self, tried: TriedCode) -> Pending<'_, Option<Duration>> {
        Box::pin(async move { people::count_code(&self.pool, tried).await.map(Some) })
    }

    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Vec<Result<(), Refused>>, NotCommitted> {
        Box::pin(async move {
            let bytes = size::of_writes(&writes);
            let answers = self.writer.commit(writes).await?;
            self.size.add(bytes);
            Ok(answers)
        })
    }

    fn events(&self, id: SittingId, after: u64, most: usize) -> Pending<'_, Vec<Stored>> {
        Box::pin(async move {
            let (after, most) = (integer(after), integer(most as u64));
            let stored = |row: &PgRow| rows::stored_of(id, row);
            self.pool.read(EVENTS, |query| query.bind(id.0.to_vec()).bind(after).bind(most), stored).await
        })
    }

    fn last_events(&self, ids: Vec<SittingId>) -> Pending<'_, Vec<(SittingId, u64)>> {
        Box::pin(async move {
            let ids: Vec<Vec<u8>> = ids.iter().map(|id| id.0.to_vec()).collect();
            let last = |row: &PgRow| Ok((rows::id_of(row)?, natural(row.try_get(1)?)));
            self.pool.read(LAST_EVENTS, |query| query.bind(ids.clone()), last).await
        })
    }

    fn asked(&self, key: Hash) -> Pending<'_, Option<IdempotentAnswer>> {
        Box::pin(async move {
            Ok(self.pool.read(ASKED, |query| query.bind(key.0.to_vec()), rows::asked_of).await?.pop())
        })
    }

    fn all_asked(&self, keys: Vec<Hash>) -> Pending<'_, Vec<IdempotentAnswer>> {
        Box::pin(async move {
            let keys: Vec<Vec<u8>> = keys.iter().map(|key| key.0.to_vec()).collect();
            self.pool.read(ALL_ASKED, |query| query.bind(keys.clone()), rows::asked_of).await
        })
    }

    fn holders(&self, id: SittingId) -> Pending<'_, Vec<(Player, Hash)>> {
        Box::pin(async move {
            let rows = self.pool.rows(HOLDERS, |query| query.bind(id.0.to_vec())).await?;
            let holder = |row: &PgRow| Some((player_of(row, 1)?, rows::hash_of(row, 0).ok()?));
            Ok(rows.iter().filter_map(holder).collect())
        })
    }

    fn sittings_of(&self, holder: Hash, most: usize) -> Pending<'_, Vec<(SittingId, Listed)>> {
        Box::pin(async move {
            let most = integer(most as u64);
            self.pool.read(SITTINGS_OF, |query| query.bind(holder.0.to_vec()).bind(most), listed_of).await
        })
    }

    fn invitation(&self, id: SittingId, secret: Hash, now: Millis) -> Pending<'_, Option<Player>> {
        Box::pin(async move {
            let found = self.pool.rows(INVITATION, |query| {
                query.bind(id.0.to_vec()).bind(secret.0.to_vec()).bind(integer(now))
            });
            Ok(found.await?.first().and_then(|row| player_of(row, 0)))
        })
    }

    fn invited_where(&self, secret: Hash, now: Millis) -> Pending<'_, Option<(SittingId, Player)>> {
        Box::pin(async move {
            let found = |row: &PgRow| Ok(rows::id_of(row)?).map(|id| Some((id, player_of(row, 1)?)));
            let bind = |query: pool::Bound| query.bind(secret.0.to_vec()).bind(integer(now));
            Ok(self.pool.read(INVITED_WHERE, bind, found).await?.pop().flatten())
        })
    }

    fn waiting_computers(&self, since: Millis, most: usize) -> Pending<'_, Vec<SittingId>> {
        Box::pin(async move {
            let (since, most) = (integer(since), integer(most as u64));
            self.pool.read(WAITING_COMPUTERS, |query| query.bind(since).bind(most), rows::id_of).await
        })
    }

    fn keep_book(&self, book: Book, now: Millis) -> Pending<'_, ()> {
        Box::pin(async move {
            let one = |query| commit::with_books(query, std::iter::once((book.clone(), now)));
            self.pool.change(commit::BOOKS, one).await.map(|_| ())
        })
    }

    fn book(&self, short: String) -> Pending<'_, Option<Book>> {
        Box::pin(async move {
            Ok(self.pool.read(BOOK, |query| query.bind(to_text(&short)), rows::book_of).await?.pop())
        })
    }

    fn keep_class(&self, class: Class) -> Pending<'_, bool> {
        Box::pin(people::keep_class(&self.pool, class))
    }

    fn class(&self, code: String) -> Pending<'_, Option<Class>> {
        Box::pin(people::class(&self.pool, code))
    }

    fn classes_of(&self, holder: Hash, now: Millis) -> Pending<'_, Vec<Class>> {
        Box::pin(people::classes_of(&self.pool, holder, now))
    }

    fn add_to_class(&self, code: String, of_class: OfClass) -> Pending<'_, ()> {
        Box::pin(people::add_to_class(&self.pool, code, of_class))
    }

    fn class_sittings(&self, code: String) -> Pending<'_, Vec<OfClass>> {
        Box::pin(people::class_sittings(&self.pool, code))
    }

    fn class_of(&self, id: SittingId) -> Pending<'_, Option<Class>> {
        Box::pin(people::class_of(&self.pool, id))
    }

    fn remembered(&self, holder: Hash) -> Pending<'_, Vec<(String, String)>> {
        Box::pin(people::remembered(&self.pool, holder))
    }

    fn remember(&self, holder: Hash, key: String, value: Option<String>, now: Millis) -> Pending<'_, ()> {
        Box::pin(people::remember(&self.pool, holder, key, value, now))
    }

    fn replace_remembered(
        &self,
        holder: Hash,
        key: String,
        old: Option<String>,
        new: String,
        now: Millis,
    ) -> Pending<'_, bool> {
        Box::pin(people::replace_remembered(&self.pool, holder, (key, old), new, now))
    }

    fn forget_remembered(&self, holder: Hash, key: String, old: String) -> Pending<'_, bool> {
        Box::pin(people::forget_remembered(&self.pool, holder, key, old))
    }

    fn remove(&self, id: SittingId) -> Pending<'_, bool> {
        Box::pin(async move {
            let removed = tidy::remove(&self.server, id).await;
            self.size.forget();
            removed
        })
    }

    fn remove_book(&self, short: String) -> Pending<'_, bool> {
        Box::pin(async move {
            let removed = tidy::remove_book(&self.server, short).await;
            self.size.forget();
            removed
        })
    }

    fn tidy(&self, before: Before) -> Pending<'_, u64> {
        Box::pin(async move {
            let tidied = tidy::tidy(&self.server, before).await;
            self.size.forget();
            tidied
        })
    }

    fn bytes(&self) -> Pending<'_, u64> {
        Box::pin(self.size.bytes(&self.pool))
    }

    fn is_ready(&self) -> Pending<'_, ()> {
        // Only a write proves that writes work.
        Box::pin(self.writer.probe())
    }
}
