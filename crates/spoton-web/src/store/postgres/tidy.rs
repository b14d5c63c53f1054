//! Cleanup in small steps, by one node at a time. It never waits for rows that moves need, and skips them.

use sqlx::postgres::{PgConnection, Postgres};
use sqlx::{Connection, Row, Transaction};

use super::LOCK_OF_TIDYING;
use super::rows::unavailable;
use super::server::Server;
use crate::ids::SittingId;
use crate::store::values::integer;
use crate::store::{Before, Unavailable};

/// Rows per transaction.
const STEP: i64 = 256;

const SITTINGS: &str = "DELETE FROM sitting WHERE id IN (SELECT id FROM sitting
    WHERE id > $1 AND (at < $2 OR NOT moved AND at < $3) ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED) RETURNING id";
const KEYS: &str =
    "DELETE FROM asked WHERE key IN (SELECT key FROM asked WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)";
const INVITATIONS: &str = "DELETE FROM invitation WHERE (id, secret) IN
    (SELECT id, secret FROM invitation WHERE until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)";
const CLASSES: &str = "DELETE FROM class WHERE code IN (SELECT code FROM class WHERE until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)";
const REMEMBERED: &str = "DELETE FROM remembered WHERE (holder, key) IN
    (SELECT holder, key FROM remembered WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)";
const TRIED_CODES: &str = "DELETE FROM tried_code WHERE (family, who) IN
    (SELECT family, who FROM tried_code WHERE until < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)";
const UNPLAYED: &str =
    "DELETE FROM book WHERE hash IN (SELECT hash FROM book WHERE used < $1 AND last_played = 0
    AND NOT EXISTS (SELECT 1 FROM played WHERE book = hash) LIMIT $2 FOR UPDATE SKIP LOCKED)";
const PLAYED: &str = "DELETE FROM book WHERE hash IN (SELECT hash FROM book WHERE greatest(used, last_played) < $1
    AND last_played > 0 AND NOT EXISTS (SELECT 1 FROM played WHERE book = hash) LIMIT $2 FOR UPDATE SKIP LOCKED)";

/// When the sittings' books were last played, before those sittings are deleted. Only changes, in the order of the
/// locks.
const NOTE_PLAYED: &str = "WITH latest AS (
        SELECT played.book AS hash, max(sitting.at) AS at FROM played JOIN sitting ON sitting.id = played.id
        WHERE sitting.moved GROUP BY played.book
    ), changed AS (
        SELECT book.hash, latest.at FROM book JOIN latest ON latest.hash = book.hash
        WHERE latest.at > book.last_played ORDER BY book.hash LIMIT $1 FOR UPDATE OF book SKIP LOCKED
    )
    UPDATE book SET last_played = changed.at FROM changed WHERE book.hash = changed.hash";

/// Deletes a sitting with everything that belongs to it.
pub async fn remove(server: &Server, id: SittingId) -> Result<bool, Unavailable> {
    let mut connection = server.connect().await?;
    let remove = async {
        let mut transaction = unhurried(&mut connection).await?;
        let lock = sqlx::query("SELECT id FROM sitting WHERE id = $1 FOR UPDATE").bind(id.0.to_vec());
        lock.execute(&mut *transaction).await?;
        let keys = sqlx::query("DELETE FROM asked WHERE id = $1").bind(id.0.to_vec());
        keys.execute(&mut *transaction).await?;
        let sitting = sqlx::query("DELETE FROM sitting WHERE id = $1").bind(id.0.to_vec());
        let removed = sitting.execute(&mut *transaction).await?.rows_affected() > 0;
        transaction.commit().await.map(|()| removed)
    };
    let removed = remove.await.map_err(unavailable);
    connection.close().await.ok();
    removed
}

/// Deletes a rule book. Rounds have its rules in their logs and continue.
pub async fn remove_book(server: &Server, short: String) -> Result<bool, Unavailable> {
    const FIRST: &str = "SELECT hash FROM book WHERE short = $1 ORDER BY hash FOR UPDATE";
    const PLAYED: &str = "DELETE FROM played WHERE book IN (SELECT hash FROM book WHERE short = $1)";
    let mut connection = server.connect().await?;
    let remove = async {
        let mut transaction = unhurried(&mut connection).await?;
        sqlx::query(FIRST).bind(short.clone()).execute(&mut *transaction).await?;
        sqlx::query(PLAYED).bind(short.clone()).execute(&mut *transaction).await?;
        let book = sqlx::query("DELETE FROM book WHERE short = $1").bind(short);
        let removed = book.execute(&mut *transaction).await?.rows_affected() > 0;
        transaction.commit().await.map(|()| removed)
    };
    let removed = remove.await.map_err(unavailable);
    connection.close().await.ok();
    removed
}

/// Begins a transaction with a longer statement timeout.
async fn unhurried(connection: &mut PgConnection) -> sqlx::Result<Transaction<'_, Postgres>> {
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT set_config('statement_timeout', '60s', true)").execute(&mut *transaction).await?;
    Ok(transaction)
}

/// Deletes expired data and returns the number of deleted sittings: 0 if another node is doing this.
pub async fn tidy(server: &Server, before: Before) -> Result<u64, Unavailable> {
    let mut connection = server.connect().await?;
    let tidied = tidy_under_lock(&mut connection, before).await.map_err(unavailable);
    // Closing it would release the lock too, but only after a while.
    sqlx::query("SELECT pg_advisory_unlock_all()").execute(&mut connection).await.ok();
    connection.close().await.ok();
    tidied
}

async fn tidy_under_lock(connection: &mut PgConnection, before: Before) -> sqlx::Result<u64> {
    let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK_OF_TIDYING);
    if !lock.fetch_one(&mut *connection).await? {
        return Ok(0);
    }
    sqlx::query("SELECT set_config('statement_timeout', '60s', false)").execute(&mut *connection).await?;
    while sqlx::query(NOTE_PLAYED).bind(STEP).execute(&mut *connection).await?.rows_affected() > 0 {}
    let sittings = sittings(&mut *connection, integer(before.idle), integer(before.unmoved)).await?;
    let (unmoved, books) = (integer(before.unmoved), integer(before.books));
    for (delete, time) in [
        (KEYS, unmoved),
        (INVITATIONS, unmoved),
        (CLASSES, unmoved),
        (TRIED_CODES, unmoved),
        (REMEMBERED, books),
        (UNPLAYED, integer(before.unplayed_books)),
        (PLAYED, books),
    ] {
        while sqlx::query(delete).bind(time).bind(STEP).execute(&mut *connection).await?.rows_affected() > 0 {
        }
    }
    Ok(sittings)
}

async fn sittings(connection: &mut PgConnection, idle: i64, unmoved: i64) -> sqlx::Result<u64> {
    let (mut after, mut removed) = (Vec::new(), 0);
    loop {
        let query = sqlx::query(SITTINGS).bind(after.clone()).bind(idle).bind(unmoved).bind(STEP);
        let gone = query.fetch_all(&mut *connection).await?;
        let ids = gone.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<Vec<Vec<u8>>>>()?;
        let Some(last) = ids.into_iter().max() else { return Ok(removed) };
        (after, removed) = (last, removed + gone.len() as u64);
    }
}
