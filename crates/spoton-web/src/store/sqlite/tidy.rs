//! Cleanup in small steps, so moves never wait for it.

use sqlx::sqlite::SqliteConnection;
use sqlx::{Row, SqlitePool};

use super::rows::unavailable;
use super::writer::Writer;
use crate::ids::SittingId;
use crate::store::values::integer;
use crate::store::{Before, Unavailable};

/// Rows per transaction.
const STEP: i64 = 256;

/// Deletes a sitting with everything that belongs to it.
pub async fn remove(connection: &mut SqliteConnection, id: SittingId) -> sqlx::Result<bool> {
    sqlx::query("DELETE FROM asked WHERE id = ?").bind(id.0.to_vec()).execute(&mut *connection).await?;
    let query = sqlx::query("DELETE FROM sitting WHERE id = ?").bind(id.0.to_vec());
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

/// Deletes a rule book. Rounds have its rules in their logs and continue.
pub async fn remove_book(connection: &mut SqliteConnection, short: String) -> sqlx::Result<bool> {
    const PLAYED: &str = "DELETE FROM played WHERE book IN (SELECT hash FROM book WHERE short = ?)";
    sqlx::query(PLAYED).bind(short.clone()).execute(&mut *connection).await?;
    let query = sqlx::query("DELETE FROM book WHERE short = ?").bind(short);
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

/// Deletes expired data and returns the number of deleted sittings.
pub async fn tidy(readers: &SqlitePool, writer: &Writer, before: Before) -> Result<u64, Unavailable> {
    let (unmoved, idle) = (integer(before.unmoved), integer(before.idle));
    let (unplayed_books, books) = (integer(before.unplayed_books), integer(before.books));
    note_played_books(readers, writer).await?;
    let sittings = sittings(readers, writer, unmoved, idle).await?;
    let keys = "DELETE FROM asked WHERE rowid IN (SELECT rowid FROM asked WHERE at < ? LIMIT ?)";
    all(writer, keys, unmoved).await?;
    let invitations = "DELETE FROM invitation
        WHERE (id, secret) IN (SELECT id, secret FROM invitation WHERE until <= ? LIMIT ?)";
    all(writer, invitations, unmoved).await?;
    let classes = "DELETE FROM class WHERE code IN (SELECT code FROM class WHERE until <= ? LIMIT ?)";
    all(writer, classes, unmoved).await?;
    let forgotten = "DELETE FROM remembered
        WHERE (holder, key) IN (SELECT holder, key FROM remembered WHERE at < ? LIMIT ?)";
    all(writer, forgotten, books).await?;
    let unplayed = "DELETE FROM book WHERE rowid IN (SELECT rowid FROM book
        WHERE used < ? AND last_played = 0 AND NOT EXISTS (SELECT 1 FROM played WHERE book = hash) LIMIT ?)";
    all(writer, unplayed, unplayed_books).await?;
    let played = "DELETE FROM book WHERE rowid IN (SELECT rowid FROM book WHERE max(used, last_played) < ?
        AND last_played > 0 AND NOT EXISTS (SELECT 1 FROM played WHERE book = hash) LIMIT ?)";
    all(writer, played, books).await?;
    Ok(sittings)
}

/// Records when the sittings' books were last played, before those sittings are deleted. It writes only changes, so
/// moves don't wait for it.
async fn note_played_books(readers: &SqlitePool, writer: &Writer) -> Result<(), Unavailable> {
    const SEARCH: &str = "SELECT played.book, max(sitting.at) AS latest
        FROM played JOIN sitting ON sitting.id = played.id JOIN book ON book.hash = played.book
        WHERE sitting.moved = 1 GROUP BY played.book HAVING latest > max(book.last_played)";
    const NOTE: &str = "UPDATE book SET last_played = max(last_played, ?) WHERE hash = ?";
    let found = sqlx::query(SEARCH).fetch_all(readers).await.map_err(unavailable)?;
    for some in found.chunks(STEP as usize) {
        let mut writing = writer.begin().await?;
        for row in some {
            let note = async {
                let (book, latest): (Vec<u8>, i64) = (row.try_get(0)?, row.try_get(1)?);
                sqlx::query(NOTE).bind(latest).bind(book).execute(writing.connection()).await
            };
            if let Err(error) = note.await {
                return Err(writing.give_up(error).await);
            }
        }
        writing.commit().await?;
    }
    Ok(())
}

/// A reader searches, and the delete checks again: a player may have returned meanwhile.
async fn sittings(
    readers: &SqlitePool,
    writer: &Writer,
    unmoved: i64,
    idle: i64,
) -> Result<u64, Unavailable> {
    let search =
        "SELECT id FROM sitting WHERE id > ? AND (at < ? OR moved = 0 AND at < ?) ORDER BY id LIMIT ?";
    let delete = "DELETE FROM sitting WHERE id = ? AND (at < ? OR moved = 0 AND at < ?)";
    let (mut after, mut removed) = (Vec::new(), 0);
    loop {
        let query = sqlx::query(search).bind(after).bind(idle).bind(unmoved).bind(STEP);
        let found = query.fetch_all(readers).await.map_err(unavailable)?;
        let ids = found.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<Vec<Vec<u8>>>>();
        let ids = ids.map_err(unavailable)?;
        let Some(last) = ids.last() else { return Ok(removed) };
        after = last.clone();
        let mut writing = writer.begin().await?;
        let mut gone = 0;
        for id in ids {
            let query = sqlx::query(delete).bind(id).bind(idle).bind(unmoved);
            match query.execute(writing.connection()).await {
                Ok(done) => gone += done.rows_affected(),
                Err(error) => return Err(writing.give_up(error).await),
            }
        }
        writing.commit().await?;
        removed += gone;
    }
}

/// Repeats a statement with a time and a row limit until no rows are left.
async fn all(writer: &Writer, delete: &'static str, before: i64) -> Result<(), Unavailable> {
    loop {
        let mut writing = writer.begin().await?;
        match sqlx::query(delete).bind(before).bind(STEP).execute(writing.connection()).await {
            Ok(done) => {
                writing.commit().await?;
                if done.rows_affected() == 0 {
                    return Ok(());
                }
            }
            Err(error) => return Err(writing.give_up(error).await),
        }
    }
}
