//! Conversions between rows and values.

use std::borrow::Cow;

use spoton::engine::position::Player;
use sqlx::Row;
use sqlx::postgres::PgRow;

use crate::ids::{Hash, SittingId};
use crate::store::values::{damaged_or, natural, sum, waits_for_of};
use crate::store::{Book, Class, IdempotentAnswer, Listed, OfClass, Stored, Unavailable};

/// PostgreSQL's texts can't contain a zero byte. This one is written instead, and then which byte it was.
const ESCAPE: char = '\u{1}';

/// Wraps an error without the query's values.
pub fn unavailable(error: sqlx::Error) -> Unavailable {
    Unavailable(error.to_string())
}

/// Returns whether an error ends its connection: it broke, the server shuts down, or it no longer takes writes.
pub fn is_broken(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("57P") || code.starts_with("08") || code.starts_with("25P03") || code == "25006"
        }),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnIndexOutOfBounds { .. } => false,
        _ => true,
    }
}

/// Returns whether an error is transient: a conflict with another transaction.
pub fn is_bad_luck(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    // Deadlock, serialization failure.
    matches!(code.as_deref(), Some("40P01" | "40001"))
}

/// Converts a text for the database.
pub fn to_text(text: &str) -> String {
    match text.contains(['\0', ESCAPE]) {
        false => text.to_owned(),
        true => text.replace(ESCAPE, "\u{1}1").replace('\0', "\u{1}0"),
    }
}

/// Converts a text back.
pub fn from_text(text: String) -> String {
    match text.contains(ESCAPE) {
        false => text,
        true => text.replace("\u{1}0", "\0").replace("\u{1}1", "\u{1}"),
    }
}

/// Reads an event from `seq, at, body, sum`. Marks a corrupted one so that nothing can use it.
pub fn stored_of(id: SittingId, row: &PgRow) -> sqlx::Result<Stored> {
    let (seq, at): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    let body = text(row, 2)?;
    let is_whole = row.try_get::<&[u8], _>(3)? == sum(id, seq, at, body.as_bytes());
    Ok(Stored { seq: natural(seq), at: natural(at), body: damaged_or(body.into_bytes(), is_whole) })
}

/// Reads a key from `key, body, answer`.
pub fn asked_of(row: &PgRow) -> sqlx::Result<IdempotentAnswer> {
    Ok(IdempotentAnswer { key: Hash(bytes(row, 0)?), body: Hash(bytes(row, 1)?), answer: text(row, 2)? })
}

/// Reads a book from `hash, text`.
pub fn book_of(row: &PgRow) -> sqlx::Result<Book> {
    Ok(Book { hash: Hash(bytes(row, 0)?), text: text(row, 1)? })
}

/// Reads a class from `code, holder, until, is_open, plays`.
pub fn class_of(row: &PgRow) -> sqlx::Result<Class> {
    let (until, is_open) = (row.try_get(2)?, row.try_get(3)?);
    let holder = Hash(bytes(row, 1)?);
    Ok(Class { code: text(row, 0)?, holder, until: natural(until), is_open, plays: text(row, 4)? })
}

/// Reads a sitting of a class from `id, holder`.
pub fn of_class_of(row: &PgRow) -> sqlx::Result<OfClass> {
    Ok(OfClass { id: id_of(row)?, holder: Hash(bytes(row, 1)?) })
}

/// Reads a sitting from `id, seq, at, moved, waits_for`.
pub fn listed_of(row: &PgRow) -> sqlx::Result<(SittingId, Listed)> {
    let (seq, at, moved) = (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
    let waits_for = waits_for_of(row.try_get::<i16, _>(4)?.into());
    Ok((id_of(row)?, Listed { seq: natural(seq), at: natural(at), moved, waits_for }))
}

/// Reads a player from a column, if it's valid.
pub fn player_of(row: &PgRow, column: usize) -> Option<Player> {
    let number: i16 = row.try_get(column).ok()?;
    Player::from_number(u8::try_from(number).ok()?)
}

/// Reads a sitting's id from the first column.
pub fn id_of(row: &PgRow) -> sqlx::Result<SittingId> {
    Ok(SittingId(bytes(row, 0)?))
}

/// Reads a hash from a column.
pub fn hash_of(row: &PgRow, column: usize) -> sqlx::Result<Hash> {
    Ok(Hash(bytes(row, column)?))
}

/// Reads a text from a column.
pub fn text(row: &PgRow, column: usize) -> sqlx::Result<String> {
    row.try_get(column).map(from_text)
}

fn bytes<const N: usize>(row: &PgRow, column: usize) -> sqlx::Result<[u8; N]> {
    let bytes: Cow<'_, [u8]> = Cow::Borrowed(row.try_get(column)?);
    bytes.as_ref().try_into().map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_and_none_has_a_zero_byte() {
        for text in ["", "{}", "a\0b", "\0\0", "\u{1}", "\u{1}0", "\u{1}1", "\0\u{1}1\u{1}0\0", "ünï→🎲"]
        {
            let stored = to_text(text);
            assert!(!stored.contains('\0'));
            assert_eq!(from_text(stored), text);
        }
    }
}
