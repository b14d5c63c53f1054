//! Conversions between rows and values.

use spoton::engine::position::Player;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::ids::{Hash, SittingId};
use crate::store::{Book, Class, IdempotentAnswer, Listed, OfClass, Stored, Unavailable, WaitsFor};

/// Converts to SQLite's signed integers. Only "forever" exceeds them, and it saturates.
pub fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts back. Only a corrupted value is negative.
pub fn natural(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Wraps an error without the query's values.
pub fn unavailable(error: sqlx::Error) -> Unavailable {
    Unavailable(error.to_string())
}

/// Returns the checksum of a log row. SQLite has none, and a flipped digit may still be a legal move.
pub fn sum(id: SittingId, seq: i64, at: i64, body: &[u8]) -> Vec<u8> {
    let row = [&id.0[..], &seq.to_be_bytes(), &at.to_be_bytes(), body].concat();
    Hash::digest(row).0[..8].to_vec()
}

/// Reads an event from `seq, at, body, sum`. Marks a corrupted one so that nothing can use it.
pub fn stored_of(id: SittingId, row: &SqliteRow) -> sqlx::Result<Stored> {
    let (seq, at): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    // As bytes: corrupted text may not be UTF-8.
    let (body, kept_sum): (Vec<u8>, Vec<u8>) = (row.try_get_unchecked(2)?, row.try_get_unchecked(3)?);
    let is_whole = kept_sum == sum(id, seq, at, &body);
    let body = match String::from_utf8(body) {
        Ok(body) if is_whole => body,
        Ok(body) => format!("damaged: {body}"),
        Err(error) => format!("damaged: {}", String::from_utf8_lossy(error.as_bytes())),
    };
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

/// Encodes who a sitting waits for. The index of waiting computers uses number 3.
pub fn waits_for_number(waits_for: WaitsFor) -> i64 {
    match waits_for {
        WaitsFor::Nobody => 0,
        WaitsFor::Player(player) => i64::from(player.number()),
        WaitsFor::Computer => 3,
        WaitsFor::Guest => 4,
    }
}

fn waits_for_of(number: i64) -> WaitsFor {
    match number {
        1 => WaitsFor::Player(Player::One),
        2 => WaitsFor::Player(Player::Two),
        3 => WaitsFor::Computer,
        4 => WaitsFor::Guest,
        _ => WaitsFor::Nobody,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sittings_next_player_is_read_back_as_written() {
        let players = Player::BOTH.map(WaitsFor::Player);
        for waits_for in [WaitsFor::Nobody, WaitsFor::Computer, WaitsFor::Guest].into_iter().chain(players) {
            assert_eq!(waits_for_of(waits_for_number(waits_for)), waits_for);
        }
    }

    #[test]
    fn each_part_of_an_event_counts_in_its_sum() {
        let whole = sum(SittingId([1; 16]), 1, 2, b"x2");
        for other in [
            sum(SittingId([2; 16]), 1, 2, b"x2"),
            sum(SittingId([1; 16]), 2, 2, b"x2"),
            sum(SittingId([1; 16]), 1, 3, b"x2"),
            sum(SittingId([1; 16]), 1, 2, b"x3"),
        ] {
            assert_ne!(other, whole);
        }
    }
}
