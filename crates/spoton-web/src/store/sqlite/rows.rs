//! Conversions between rows and values.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::ids::{Hash, SittingId};
use crate::store::values::{damaged_or, natural, sum, waits_for_of};
use crate::store::{Book, Class, IdempotentAnswer, Listed, OfClass, Stored, Unavailable};

/// Wraps an error without the query's values.
pub fn unavailable(error: sqlx::Error) -> Unavailable {
    Unavailable(error.to_string())
}

/// Reads an event from `seq, at, body, sum`. Marks a corrupted one so that nothing can use it.
pub fn stored_of(id: SittingId, row: &SqliteRow) -> sqlx::Result<Stored> {
    let (seq, at): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    // As bytes: corrupted text may not be UTF-8.
    let (body, kept_sum): (Vec<u8>, Vec<u8>) = (row.try_get_unchecked(2)?, row.try_get_unchecked(3)?);
    let is_whole = kept_sum == sum(id, seq, at, &body);
    let body = damaged_or(body, is_whole);
    Ok(Stored { seq: natural(seq), at: natural(at), body })
}

/// Reads a key from `key, body, answer`.
pub fn asked_of(row: &SqliteRow) -> sqlx::Result<IdempotentAnswer> {
    Ok(IdempotentAnswer { key: Hash(bytes(row, 0)?), body: Hash(bytes(row, 1)?), answer: row.try_get(2)? })
}

/// Reads a book from `hash, text`.
pub fn book_of(row: &SqliteRow) -> sqlx::Result<Book> {
    Ok(Book { hash: Hash(bytes(row, 0)?), text: row.try_get(1)? })
}

/// Reads a class from `code, holder, until, is_open, plays`.
pub fn class_of(row: &SqliteRow) -> sqlx::Result<Class> {
    let (code, until, is_open, plays) = (row.try_get(0)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
    Ok(Class { code, holder: Hash(bytes(row, 1)?), until: natural(until), is_open, plays })
}

/// Reads a sitting of a class from `id, holder`.
pub fn of_class_of(row: &SqliteRow) -> sqlx::Result<OfClass> {
    Ok(OfClass { id: id_of(row)?, holder: Hash(bytes(row, 1)?) })
}

/// Reads a sitting from `id, seq, at, moved, waits_for`.
pub fn listed_of(row: &SqliteRow) -> sqlx::Result<(SittingId, Listed)> {
    let (seq, at, moved, waits_for) = (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
    let listed = Listed { seq: natural(seq), at: natural(at), moved, waits_for: waits_for_of(waits_for) };
    Ok((id_of(row)?, listed))
}

/// Reads a sitting's id from the first column.
pub fn id_of(row: &SqliteRow) -> sqlx::Result<SittingId> {
    Ok(SittingId(bytes(row, 0)?))
}

/// Reads a hash from the first column.
pub fn hash_of(row: &SqliteRow) -> sqlx::Result<Hash> {
    Ok(Hash(bytes(row, 0)?))
}

fn bytes<const N: usize>(row: &SqliteRow, column: usize) -> sqlx::Result<[u8; N]> {
    let bytes: &[u8] = row.try_get(column)?;
    bytes.try_into().map_err(|error| sqlx::Error::Decode(Box::new(error)))
}
