//! A batch of writes in one transaction.
//!
//! The transaction is exclusive from its start. So it reads what the batch needs, computes the result (`batch.rs`) and
//! writes that; refused writes never touch the database. All rows for a table go into one statement: each round trip to
//! the connection's thread costs more than the work there. The schema's triggers check every row again.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{AssertSqlSafe, Row, Sqlite, ValueRef};

use super::rows;
use crate::ids::{Hash, SittingId};
use crate::store::batch::{Batch, Found};
use crate::store::values::{integer, natural, sum, waits_for_number};
use crate::store::{Book, Millis, Refused, Write};

/// Rows per statement. Statements are prepared once for 1, 2, 4 … rows.
const MOST: usize = 64;

/// Runs the writes of a transaction in order.
///
/// # Errors
///
/// Fails if the transaction must be rolled back.
pub async fn commit(
    connection: &mut SqliteConnection,
    writes: Vec<Write>,
) -> sqlx::Result<Vec<Result<(), Refused>>> {
    let mut answers = Vec::with_capacity(writes.len());
    let mut writes = writes.into_iter().peekable();
    while writes.peek().is_some() {
        let some: Vec<Write> = writes.by_ref().take(MOST).collect();
        let mut batch = Batch::new(find(&mut *connection, &some).await?);
        answers.extend(some.into_iter().map(|write| batch.add(write)));
        store(&mut *connection, batch).await?;
    }
    Ok(answers)
}

/// Stores a book, or updates its last-used time.
pub async fn keep_book(connection: &mut SqliteConnection, book: Book, now: Millis) -> sqlx::Result<()> {
    let mut batch = Batch::default();
    batch.books.insert(book.hash, (book.text, now));
    store(connection, batch).await
}

/// Reads what the writes refer to: last events, keys, and the invitations they use up.
async fn find(connection: &mut SqliteConnection, writes: &[Write]) -> sqlx::Result<Found> {
    let mut found = Found::default();
    let size = writes.len().next_power_of_two();
    let places = vec!["?"; size].join(", ");
    // All sittings in one row: each row is a round trip between threads. Keys are few.
    let text = format!(
        "SELECT NULL, NULL, group_concat(hex(id) || seq) FROM sitting WHERE id IN ({places})
        UNION ALL SELECT key, body, answer FROM asked WHERE key IN ({places})"
    );
    // Safe: this file's text plus question marks. Unused placeholders are NULL and match nothing.
    let mut query = sqlx::query(AssertSqlSafe(text));
    for place in 0..size {
        query = query.bind(writes.get(place).map(|write| write.id.0.to_vec()));
    }
    for write in writes {
        query = query.bind(write.asked.as_ref().map(|asked| asked.key.0.to_vec()));
    }
    for row in query.fetch_all(&mut *connection).await? {
        if row.try_get_raw(0)?.is_null() {
            let sittings: Option<String> = row.try_get(2)?;
            found.last = sittings.iter().flat_map(|all| all.split(',')).filter_map(id_and_seq).collect();
        } else {
            let asked = rows::asked_of(&row)?;
            found.asked.insert(asked.key, asked);
        }
    }
    for write in writes {
        if let Some(burnt) = write.burns
            && let Some(until) = invitation(&mut *connection, write.id, burnt).await?
        {
            found.invitations.insert((write.id, burnt), until);
        }
        if let Some(code) = &write.open_class {
            let query = sqlx::query("SELECT until FROM class WHERE code = ? AND is_open").bind(code.clone());
            if let Some(row) = query.fetch_optional(&mut *connection).await? {
                found.open_classes.insert(code.clone(), natural(row.try_get(0)?));
            }
        }
    }
    Ok(found)
}

/// Parses a sitting and its last event from hex and decimal digits.
fn id_and_seq(text: &str) -> Option<(SittingId, u64)> {
    let (id, seq) = text.split_at_checked(32)?;
    let id = u128::from_str_radix(id, 16).ok()?;
    Some((SittingId(id.to_be_bytes()), seq.parse().ok()?))
}

/// Returns when an invitation expires, if it exists.
async fn invitation(
    connection: &mut SqliteConnection,
    id: SittingId,
    secret: Hash,
) -> sqlx::Result<Option<Option<Millis>>> {
    let query = sqlx::query("SELECT until FROM invitation WHERE id = ? AND secret = ?");
    let row = query.bind(id.0.to_vec()).bind(secret.0.to_vec()).fetch_optional(connection).await?;
    row.map(|row| row.try_get::<Option<i64>, _>(0).map(|until| until.map(natural))).transpose()
}

/// Writes a batch. The order satisfies the references: events, sittings, their details; books before `played`.
async fn store(connection: &mut SqliteConnection, batch: Batch) -> sqlx::Result<()> {
    let mut insert = async |head, tail, rows| insert(&mut *connection, head, tail, rows).await;
    let asked = batch.asked.into_values().map(|(id, at, asked)| {
        [bytes(&asked.key.0), bytes(&id.0), number(at), bytes(&asked.body.0), Value::Text(asked.answer)]
    });
    insert("INSERT INTO asked (key, id, at, body, answer)", "", listed(asked)).await?;
    let events = batch.events.into_iter().map(|(id, event)| {
        let (seq, at) = (integer(event.seq), integer(event.at));
        let sum = sum(id, seq, at, event.body.as_bytes());
        [bytes(&id.0), Value::Integer(seq), Value::Integer(at), Value::Text(event.body), Value::Bytes(sum)]
    });
    insert("INSERT INTO event (id, seq, at, body, sum)", "", listed(events)).await?;
    let sittings = batch.listed.into_iter().map(|(id, listed)| {
        let waits_for = Value::Integer(waits_for_number(listed.waits_for));
        [bytes(&id.0), number(listed.seq), number(listed.at), number(listed.moved.into()), waits_for]
    });
    insert(
        "INSERT INTO sitting (id, seq, at, moved, waits_for)",
        "ON CONFLICT (id) DO UPDATE SET
        seq = excluded.seq, at = excluded.at, moved = excluded.moved, waits_for = excluded.waits_for",
        listed(sittings),
    )
    .await?;
    let burnt = batch.invitations.iter().filter(|(_, made)| made.is_none());
    let burnt = burnt.map(|((id, secret), _)| [bytes(&id.0), bytes(&secret.0)]);
    insert("DELETE FROM invitation WHERE (id, secret) IN (", ")", listed(burnt)).await?;
    let made = batch.invitations.iter().filter_map(|((id, _), made)| made.map(|made| (id, made)));
    let made = made.map(|(id, made)| {
        let until = made.until.map_or(Value::Nothing, number);
        [bytes(&id.0), bytes(&made.secret.0), number(made.player.number().into()), until]
    });
    insert("INSERT OR REPLACE INTO invitation (id, secret, player, until)", "", listed(made)).await?;
    let seats = batch.seats.into_iter();
    let seats =
        seats.map(|((id, player), holder)| [bytes(&id.0), number(player.number().into()), bytes(&holder.0)]);
    insert("INSERT OR REPLACE INTO seat (id, player, holder)", "", listed(seats)).await?;
    let books = batch.books.into_iter().map(|(hash, (text, used))| {
        [bytes(&hash.0), Value::Text(hash.short()), number(used), Value::Text(text)]
    });
    insert(
        "INSERT INTO book (hash, short, used, text)",
        "ON CONFLICT (hash) DO UPDATE SET used = max(used, excluded.used)",
        listed(books),
    )
    .await?;
    let played = batch.played.into_iter().map(|(id, book)| [bytes(&id.0), bytes(&book.0)]);
    insert("INSERT OR IGNORE INTO played (id, book)", "", listed(played)).await
}

/// A column's value.
enum Value {
    Bytes(Vec<u8>),
    Integer(i64),
    Text(String),
    Nothing,
}

fn bytes(bytes: &[u8]) -> Value {
    Value::Bytes(bytes.to_vec())
}

fn number(number: u64) -> Value {
    Value::Integer(integer(number))
}

fn listed<const N: usize>(rows: impl Iterator<Item = [Value; N]>) -> Vec<Vec<Value>> {
    rows.map(Vec::from).collect()
}

/// Inserts rows between the statement's two parts.
async fn insert(
    connection: &mut SqliteConnection,
    head: &str,
    tail: &str,
    rows: Vec<Vec<Value>>,
) -> sqlx::Result<()> {
    let mut rows = rows.into_iter().peekable();
    while let Some(first) = rows.peek() {
        let row = format!("({})", vec!["?"; first.len()].join(", "));
        let some: Vec<Vec<Value>> = rows.by_ref().take(MOST).collect();
        // Unused placeholders are NULL: they pad to the next prepared size.
        let places = vec![row; some.len().next_power_of_two()].join(", ");
        let text = format!("{head} SELECT * FROM (VALUES {places}) WHERE column1 IS NOT NULL {tail}");
        // Safe: all parts of the text are in this file.
        let query = sqlx::query(AssertSqlSafe(text));
        some.into_iter().flatten().fold(query, bind).execute(&mut *connection).await?;
    }
    Ok(())
}

fn bind(query: Query<'_, Sqlite, SqliteArguments>, value: Value) -> Query<'_, Sqlite, SqliteArguments> {
    match value {
        Value::Bytes(bytes) => query.bind(bytes),
        Value::Integer(number) => query.bind(number),
        Value::Text(text) => query.bind(text),
        Value::Nothing => query.bind(None::<i64>),
    }
}
