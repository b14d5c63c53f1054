//! Classes, and data per browser.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite, SqlitePool};

use super::rows::{self, unavailable};
use super::writer::Writer;
use crate::ids::{Hash, SittingId};
use crate::store::values::integer;
use crate::store::{Class, Millis, OfClass, Unavailable};

/// Commits one statement and returns the number of changed rows.
async fn write(writer: &Writer, query: Query<'_, Sqlite, SqliteArguments>) -> Result<u64, Unavailable> {
    let mut writing = writer.begin().await?;
    match query.execute(writing.connection()).await {
        Ok(done) => writing.commit().await.map(|()| done.rows_affected()),
        Err(error) => Err(writing.give_up(error).await),
    }
}

async fn read<T>(
    readers: &SqlitePool,
    query: Query<'_, Sqlite, SqliteArguments>,
    of: impl Fn(&SqliteRow) -> sqlx::Result<T>,
) -> Result<Vec<T>, Unavailable> {
    let rows = query.fetch_all(readers).await.map_err(unavailable)?;
    rows.iter().map(of).collect::<sqlx::Result<_>>().map_err(unavailable)
}

pub async fn keep_class(writer: &Writer, class: Class) -> Result<bool, Unavailable> {
    const KEEP: &str = "INSERT INTO class (code, holder, until, is_open, plays) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (code) DO UPDATE SET until = excluded.until, is_open = excluded.is_open, plays = excluded.plays
        WHERE holder = excluded.holder";
    let query = sqlx::query(KEEP).bind(class.code).bind(class.holder.0.to_vec()).bind(integer(class.until));
    Ok(write(writer, query.bind(class.is_open).bind(class.plays)).await? > 0)
}

pub async fn class(readers: &SqlitePool, code: String) -> Result<Option<Class>, Unavailable> {
    const CLASS: &str = "SELECT code, holder, until, is_open, plays FROM class WHERE code = ?";
    Ok(read(readers, sqlx::query(CLASS).bind(code), rows::class_of).await?.pop())
}

pub async fn classes_of(readers: &SqlitePool, holder: Hash, now: Millis) -> Result<Vec<Class>, Unavailable> {
    const CLASSES: &str = "SELECT code, holder, until, is_open, plays FROM class
        WHERE holder = ? AND until > ? ORDER BY code";
    let query = sqlx::query(CLASSES).bind(holder.0.to_vec()).bind(integer(now));
    read(readers, query, rows::class_of).await
}

pub async fn add_to_class(writer: &Writer, code: String, of_class: OfClass) -> Result<(), Unavailable> {
    // A no-op if the class doesn't exist.
    const ADD: &str =
        "INSERT OR IGNORE INTO of_class (id, code, holder) SELECT ?, code, ? FROM class WHERE code = ?";
    let query = sqlx::query(ADD).bind(of_class.id.0.to_vec()).bind(of_class.holder.0.to_vec()).bind(code);
    write(writer, query).await.map(|_| ())
}

pub async fn class_sittings(readers: &SqlitePool, code: String) -> Result<Vec<OfClass>, Unavailable> {
    const SITTINGS: &str = "SELECT id, holder FROM of_class WHERE code = ? ORDER BY place";
    read(readers, sqlx::query(SITTINGS).bind(code), rows::of_class_of).await
}

pub async fn class_of(readers: &SqlitePool, id: SittingId) -> Result<Option<Class>, Unavailable> {
    const CLASS_OF: &str = "SELECT class.code, class.holder, until, is_open, plays
        FROM of_class JOIN class ON class.code = of_class.code WHERE id = ?";
    Ok(read(readers, sqlx::query(CLASS_OF).bind(id.0.to_vec()), rows::class_of).await?.pop())
}

pub async fn remembered(readers: &SqlitePool, holder: Hash) -> Result<Vec<(String, String)>, Unavailable> {
    const REMEMBERED: &str = "SELECT key, value FROM remembered WHERE holder = ? ORDER BY key";
    let query = sqlx::query(REMEMBERED).bind(holder.0.to_vec());
    read(readers, query, |row| Ok((row.try_get(0)?, row.try_get(1)?))).await
}

pub async fn remember(
    writer: &Writer,
    holder: Hash,
    key: String,
    value: Option<String>,
    now: Millis,
) -> Result<(), Unavailable> {
    const REMEMBER: &str = "INSERT INTO remembered (holder, key, value, at) VALUES (?, ?, ?, ?)
        ON CONFLICT (holder, key) DO UPDATE SET value = excluded.value, at = excluded.at";
    const FORGET: &str = "DELETE FROM remembered WHERE holder = ? AND key = ?";
    let holder = holder.0.to_vec();
    let query = match value {
        Some(value) => sqlx::query(REMEMBER).bind(holder).bind(key).bind(value).bind(integer(now)),
        None => sqlx::query(FORGET).bind(holder).bind(key),
    };
    write(writer, query).await.map(|_| ())
}

/// Removes a value that is still the old one.
pub async fn forget_remembered(
    writer: &Writer,
    holder: Hash,
    key: String,
    old: String,
) -> Result<bool, Unavailable> {
    const FORGET: &str = "DELETE FROM remembered WHERE holder = ? AND key = ? AND value = ?";
    Ok(write(writer, sqlx::query(FORGET).bind(holder.0.to_vec()).bind(key).bind(old)).await? > 0)
}

/// Replaces a value that is still the old one, or sets it if it's still missing.
pub async fn replace_remembered(
    writer: &Writer,
    holder: Hash,
    (key, old): (String, Option<String>),
    new: String,
    now: Millis,
) -> Result<bool, Unavailable> {
    const ADD: &str = "INSERT OR IGNORE INTO remembered (holder, key, value, at) VALUES (?, ?, ?, ?)";
    const REPLACE: &str =
        "UPDATE remembered SET value = ?, at = ? WHERE holder = ? AND key = ? AND value = ?";
    let holder = holder.0.to_vec();
    let query = match old {
        None => sqlx::query(ADD).bind(holder).bind(key).bind(new).bind(integer(now)),
        Some(old) => sqlx::query(REPLACE).bind(new).bind(integer(now)).bind(holder).bind(key).bind(old),
    };
    Ok(write(writer, query).await? > 0)
}
