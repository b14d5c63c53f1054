//! The store in a SQLite file.
//!
//! One connection writes and several read, without waiting for each other (WAL). Commits are synced to disk before they
//! are acknowledged (`synchronous=FULL`). A failed write is rolled back and the next one starts fresh, so the store
//! recovers as soon as the disk does.
//!
//! | file | contents |
//! |---|---|
//! | `sqlite/opening.rs` | creates, checks and migrates the file |
//! | `sqlite/writer.rs` | the writing connection, and recovery from errors |
//! | `sqlite/files.rs` | detects deleted, replaced or truncated files |
//! | `sqlite/lock.rs` | one server per database |
//! | `sqlite/probe.rs` | checks whether the disk is full |
//! | `sqlite/people.rs` | classes, and data per browser |
//! | `sqlite/commit.rs` | reads what a batch needs and writes its results |
//! | `sqlite/rows.rs` | conversions between rows and values |
//! | `sqlite/tidy.rs` | cleanup in small steps |
//! | `sqlite/backup.rs` | online backup |
//! | `sqlite/migrations/` | the schema, one file per version |

mod backup;
mod commit;
mod files;
mod lock;
mod opening;
mod people;
mod probe;
mod rows;
mod tidy;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use spoton::engine::position::Player;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqlitePool};

pub use backup::{CannotBackUp, backup};
pub use files::FileLost;
pub use lock::ServerLock;
pub use opening::{CannotOpen, Durability, VERSION};

use super::values::{integer, natural};
use super::{
    Before, Book, Class, IdempotentAnswer, Listed, Millis, NotCommitted, OfClass, Pending, Refused, Store,
    Stored, Write,
};
use crate::ids::{Hash, SittingId};
use files::Files;
use rows::{listed_of, unavailable};
use writer::Writer;

/// Sittings per query of their last events. SQLite allows 32,766 parameters.
const MOST_LOOKED_UP: usize = 10_000;

/// A database file.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    files: Arc<Files>,
    writer: Writer,
    readers: SqlitePool,
}

impl SqliteStore {
    /// Opens a database, creates it if missing, and migrates it.
    ///
    /// # Errors
    ///
    /// Fails if the file isn't accessible, or belongs to another program or a newer version. In that case, the file is
    /// unchanged.
    pub async fn open(path: impl AsRef<Path>) -> Result<SqliteStore, CannotOpen> {
        SqliteStore::open_with(path, Durability::PowerCut).await
    }

    /// Opens with less durability, to prove that the tests notice.
    ///
    /// # Errors
    ///
    /// The same as [`SqliteStore::open`].
    #[doc(hidden)]
    pub async fn open_with(
        path: impl AsRef<Path>,
        durability: Durability,
    ) -> Result<SqliteStore, CannotOpen> {
        let opened = opening::open(path.as_ref(), durability).await?;
        let opening::Opened { path, files, writer, readers } = opened;
        Ok(SqliteStore { path, files, writer, readers })
    }

    /// Copies a consistent snapshot into a new file while reads and writes continue.
    ///
    /// # Errors
    ///
    /// Fails if the file exists or isn't writable, or if the copy is corrupted.
    pub async fn backup(&self, to: impl AsRef<Path>) -> Result<(), CannotBackUp> {
        backup(&self.path, to.as_ref()).await
    }

    /// Waits until a file of the database is deleted, replaced or truncated. Nothing is written from then on.
    ///
    /// Don't close the store after that: SQLite would delete files by name, and those may belong to someone else now.
    pub async fn lost(&self) -> FileLost {
        self.files.lost().await
    }

    /// Checkpoints the log into the main file and closes it. The store is unusable after that.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

// `sitting` knows the last event. If that event is missing, it's returned as a corrupted one without a checksum.
const EVENTS: &str = "SELECT seq, at, body, sum FROM event WHERE id = ?1 AND seq > ?2
    UNION ALL SELECT seq, at, 'missing', x'' FROM sitting WHERE id = ?1 AND seq > ?2
        AND NOT EXISTS (SELECT 1 FROM event WHERE event.id = ?1 AND event.seq = sitting.seq)
    ORDER BY seq LIMIT ?3";
const ASKED: &str = "SELECT key, body, answer FROM asked WHERE key = ?";
const HOLDERS: &str = "SELECT holder, player FROM seat WHERE id = ? ORDER BY player";
const SITTINGS_OF: &str = "SELECT id, seq, at, moved, waits_for FROM sitting
    WHERE id IN (SELECT id FROM seat WHERE holder = ?) ORDER BY at DESC, id LIMIT ?";
const INVITATION: &str =
    "SELECT player FROM invitation WHERE id = ? AND secret = ? AND (until IS NULL OR until > ?)";
const INVITED_WHERE: &str = "SELECT id, player FROM invitation
    WHERE secret = ? AND (until IS NULL OR until > ?) ORDER BY id LIMIT 1";
const WAITING_COMPUTERS: &str =
    "SELECT id FROM sitting WHERE waits_for = 3 AND at <= ? ORDER BY at, id LIMIT ?";
const BOOK: &str = "SELECT hash, text FROM book WHERE short = ? ORDER BY hash LIMIT 1";
const PAGES: &str = "SELECT (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size";

impl Store for SqliteStore {
    fn commit(&self, writes: Vec<Write>) -> Pending<'_, Vec<Result<(), Refused>>, NotCommitted> {
        Box::pin(async move {
            let mut writing = self.writer.begin().await?;
            match commit::commit(writing.connection(), writes).await {
                Ok(answers) => Ok(writing.commit().await.map(|()| answers)?),
                Err(error) => Err(writing.give_up(error).await.into()),
            }
        })
    }

    fn events(&self, id: SittingId, after: u64, most: usize) -> Pending<'_, Vec<Stored>> {
        Box::pin(async move {
            let query =
                sqlx::query(EVENTS).bind(id.0.to_vec()).bind(integer(after)).bind(integer(most as u64));
            let rows = query.fetch_all(&self.readers).await.map_err(unavailable)?;
            rows.iter().map(|row| rows::stored_of(id, row)).collect::<sqlx::Result<_>>().map_err(unavailable)
        })
    }

    fn last_events(&self, ids: Vec<SittingId>) -> Pending<'_, Vec<(SittingId, u64)>> {
        Box::pin(async move {
            let mut last = Vec::with_capacity(ids.len());
            for some in ids.chunks(MOST_LOOKED_UP) {
                let places = vec!["?"; some.len()].join(", ");
                let text = format!("SELECT id, seq FROM sitting WHERE id IN ({places}) ORDER BY id");
                // Safe: this file's text plus question marks.
                let query = sqlx::query(AssertSqlSafe(text)).persistent(false);
                let query = some.iter().fold(query, |query, id| query.bind(id.0.to_vec()));
                let rows = query.fetch_all(&self.readers).await.map_err(unavailable)?;
                let found = rows.iter().map(|row| Ok((rows::id_of(row)?, natural(row.try_get(1)?))));
                last.extend(found.collect::<sqlx::Result<Vec<_>>>().map_err(unavailable)?);
            }
            last.sort_unstable();
            last.dedup();
            Ok(last)
        })
    }

    fn asked(&self, key: Hash) -> Pending<'_, Option<IdempotentAnswer>> {
        Box::pin(async move {
            let query = sqlx::query(ASKED).bind(key.0.to_vec());
            let row = query.fetch_optional(&self.readers).await.map_err(unavailable)?;
            row.map(|row| rows::asked_of(&row)).transpose().map_err(unavailable)
        })
    }

    fn holders(&self, id: SittingId) -> Pending<'_, Vec<(Player, Hash)>> {
        Box::pin(async move {
            let query = sqlx::query(HOLDERS).bind(id.0.to_vec());
            let rows = query.fetch_all(&self.readers).await.map_err(unavailable)?;
            let holder = |row: &SqliteRow| Some((player_of(row, 1)?, rows::hash_of(row).ok()?));
            Ok(rows.iter().filter_map(holder).collect())
        })
    }

    fn sittings_of(&self, holder: Hash, most: usize) -> Pending<'_, Vec<(SittingId, Listed)>> {
        Box::pin(async move {
            let query = sqlx::query(SITTINGS_OF).bind(holder.0.to_vec()).bind(integer(most as u64));
            let rows = query.fetch_all(&self.readers).await.map_err(unavailable)?;
            rows.iter().map(listed_of).collect::<sqlx::Result<_>>().map_err(unavailable)
        })
    }

    fn invitation(&self, id: SittingId, secret: Hash, now: Millis) -> Pending<'_, Option<Player>> {
        Box::pin(async move {
            let query =
                sqlx::query(INVITATION).bind(id.0.to_vec()).bind(secret.0.to_vec()).bind(integer(now));
            let row = query.fetch_optional(&self.readers).await.map_err(unavailable)?;
            Ok(row.as_ref().and_then(|row| player_of(row, 0)))
        })
    }

    fn invited_where(&self, secret: Hash, now: Millis) -> Pending<'_, Option<(SittingId, Player)>> {
        Box::pin(async move {
            let query = sqlx::query(INVITED_WHERE).bind(secret.0.to_vec()).bind(integer(now));
            let row = query.fetch_optional(&self.readers).await.map_err(unavailable)?;
            let found = |row: SqliteRow| Ok(rows::id_of(&row)?).map(|id| Some((id, player_of(&row, 1)?)));
            row.map_or(Ok(None), found).map_err(unavailable)
        })
    }

    fn waiting_computers(&self, since: Millis, most: usize) -> Pending<'_, Vec<SittingId>> {
        Box::pin(async move {
            let query = sqlx::query(WAITING_COMPUTERS).bind(integer(since)).bind(integer(most as u64));
            let rows = query.fetch_all(&self.readers).await.map_err(unavailable)?;
            rows.iter().map(rows::id_of).collect::<sqlx::Result<_>>().map_err(unavailable)
        })
    }

    fn keep_book(&self, book: Book, now: Millis) -> Pending<'_, ()> {
        Box::pin(async move {
            let mut writing = self.writer.begin().await?;
            match commit::keep_book(writing.connection(), book, now).await {
                Ok(()) => writing.commit().await,
                Err(error) => Err(writing.give_up(error).await),
            }
        })
    }

    fn book(&self, short: String) -> Pending<'_, Option<Book>> {
        Box::pin(async move {
            let query = sqlx::query(BOOK).bind(short);
            let row = query.fetch_optional(&self.readers).await.map_err(unavailable)?;
            row.map(|row| rows::book_of(&row)).transpose().map_err(unavailable)
        })
    }

    fn keep_class(&self, class: Class) -> Pending<'_, bool> {
        Box::pin(people::keep_class(&self.writer, class))
    }

    fn class(&self, code: String) -> Pending<'_, Option<Class>> {
        Box::pin(people::class(&self.readers, code))
    }

    fn classes_of(&self, holder: Hash, now: Millis) -> Pending<'_, Vec<Class>> {
        Box::pin(people::classes_of(&self.readers, holder, now))
    }

    fn add_to_class(&self, code: String, of_class: OfClass) -> Pending<'_, ()> {
        Box::pin(people::add_to_class(&self.writer, code, of_class))
    }

    fn class_sittings(&self, code: String) -> Pending<'_, Vec<OfClass>> {
        Box::pin(people::class_sittings(&self.readers, code))
    }

    fn class_of(&self, id: SittingId) -> Pending<'_, Option<Class>> {
        Box::pin(people::class_of(&self.readers, id))
    }

    fn remembered(&self, holder: Hash) -> Pending<'_, Vec<(String, String)>> {
        Box::pin(people::remembered(&self.readers, holder))
    }

    fn remember(&self, holder: Hash, key: String, value: Option<String>, now: Millis) -> Pending<'_, ()> {
        Box::pin(people::remember(&self.writer, holder, key, value, now))
    }

    fn replace_remembered(
        &self,
        holder: Hash,
        key: String,
        old: Option<String>,
        new: String,
        now: Millis,
    ) -> Pending<'_, bool> {
        Box::pin(people::replace_remembered(&self.writer, holder, (key, old), new, now))
    }

    fn forget_remembered(&self, holder: Hash, key: String, old: String) -> Pending<'_, bool> {
        Box::pin(people::forget_remembered(&self.writer, holder, key, old))
    }

    fn remove(&self, id: SittingId) -> Pending<'_, bool> {
        Box::pin(async move {
            let mut writing = self.writer.begin().await?;
            match tidy::remove(writing.connection(), id).await {
                Ok(removed) => writing.commit().await.map(|()| removed),
                Err(error) => Err(writing.give_up(error).await),
            }
        })
    }

    fn remove_book(&self, short: String) -> Pending<'_, bool> {
        Box::pin(async move {
            let mut writing = self.writer.begin().await?;
            match tidy::remove_book(writing.connection(), short).await {
                Ok(removed) => writing.commit().await.map(|()| removed),
                Err(error) => Err(writing.give_up(error).await),
            }
        })
    }

    fn tidy(&self, before: Before) -> Pending<'_, u64> {
        Box::pin(tidy::tidy(&self.readers, &self.writer, before))
    }

    fn bytes(&self) -> Pending<'_, u64> {
        Box::pin(async move {
            let bytes: i64 = sqlx::query_scalar(PAGES).fetch_one(&self.readers).await.map_err(unavailable)?;
            Ok(natural(bytes))
        })
    }

    fn is_ready(&self) -> Pending<'_, ()> {
        // Only a write proves that writes work. It also overwrites a failed commit's leftovers in the log, which a kill
        // could otherwise bring back. The log reuses its space, so a separate file shows whether the disk is full.
        Box::pin(async move {
            probe::write_and_remove(&self.path).await?;
            self.writer.probe().await
        })
    }
}

/// Returns the player in a column, if it's valid.
fn player_of(row: &SqliteRow, column: usize) -> Option<Player> {
    let number: i64 = row.try_get(column).ok()?;
    Player::from_number(u8::try_from(number).ok()?)
}
