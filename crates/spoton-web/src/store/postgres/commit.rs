//! A batch of writes in one transaction, at the default isolation (READ COMMITTED).
//!
//! Invariant: transactions lock rows in one order, so they wait for each other but never in a circle. First come new
//! sittings, then the existing ones, both sorted by id; then the tables in a fixed order, each sorted. A later
//! statement reads everything that depends on the locked rows: the locking one may still see them as they were before
//! it waited.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::Row;
use sqlx::postgres::{PgArguments, PgConnection, PgQueryResult, Postgres};
use sqlx::query::Query;

use super::rows::{self, to_text};
use super::schema::VERSION;
use super::size;
use crate::ids::{Hash, SittingId};
use crate::store::batch::{Batch, Found};
use crate::store::values::{integer, natural, sum, waits_for_number};
use crate::store::{Book, IdempotentAnswer, Millis, Refused, Write};

/// New sittings have no event yet. A plain unique violation would undo the whole batch if two nodes create the same one.
const CREATE: &str = "INSERT INTO sitting (id, seq, at, moved, waits_for)
    SELECT id, 0, 0, false, 0::int2 FROM unnest($1::bytea[]) AS new (id) ON CONFLICT (id) DO NOTHING RETURNING id";
const LOCK: &str = "SELECT id FROM sitting WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const FIND: &str = "SELECT 0 AS kind, id AS a, NULL::bytea AS b, seq AS number, NULL::text AS answer
        FROM sitting WHERE id = ANY($1)
    UNION ALL SELECT 1, key, body, NULL, answer FROM asked WHERE key = ANY($2)
    UNION ALL SELECT 2, id, secret, until, NULL FROM invitation
        WHERE (id, secret) IN (SELECT * FROM unnest($3::bytea[], $4::bytea[]))
    UNION ALL SELECT 3, NULL, NULL, oldest, is_moving::text FROM about";
/// If the class is closed meanwhile, one transaction waits for the other, and the later one sees what the other did.
const OPEN_CLASSES: &str =
    "SELECT code, until FROM class WHERE code = ANY($1) AND is_open ORDER BY code FOR SHARE";
const UNDO_CREATE: &str = "DELETE FROM sitting WHERE id = ANY($1) AND seq = 0";
const ASKED: &str = "INSERT INTO asked (key, id, at, body, answer)
    SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::int8[], $4::bytea[], $5::text[]) ON CONFLICT (key) DO NOTHING";
const EVENTS: &str = "INSERT INTO event (id, seq, at, body, sum)
    SELECT * FROM unnest($1::bytea[], $2::int8[], $3::int8[], $4::text[], $5::bytea[])";
const LISTED: &str = "UPDATE sitting
    SET seq = new.seq, at = new.at, moved = new.moved, waits_for = new.waits_for, bytes = bytes + new.added
    FROM unnest($1::bytea[], $2::int8[], $3::int8[], $4::int8[], $5::bool[], $6::int2[], $7::int8[])
        AS new (id, before, seq, at, moved, waits_for, added)
    WHERE sitting.id = new.id AND sitting.seq = new.before";
const BURN: &str =
    "DELETE FROM invitation WHERE (id, secret) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[]))";
const INVITE: &str = "INSERT INTO invitation (id, secret, player, until)
    SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::int2[], $4::int8[])
    ON CONFLICT (id, secret) DO UPDATE SET player = excluded.player, until = excluded.until";
const SEATS: &str = "INSERT INTO seat (id, player, holder)
    SELECT * FROM unnest($1::bytea[], $2::int2[], $3::bytea[])
    ON CONFLICT (id, player) DO UPDATE SET holder = excluded.holder";
pub const BOOKS: &str = "INSERT INTO book (hash, short, used, text)
    SELECT * FROM unnest($1::bytea[], $2::text[], $3::int8[], $4::text[])
    ON CONFLICT (hash) DO UPDATE SET used = greatest(book.used, excluded.used)";
const PLAYED: &str = "INSERT INTO played (id, book)
    SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT DO NOTHING";

/// Why a transaction can't be committed. It must be rolled back.
#[derive(Debug)]
pub enum Undone {
    Sql(sqlx::Error),
    /// A key or a sitting changed in spite of the locks, so the batch must be computed again.
    Overtaken,
    /// A newer program needs at least this schema version.
    TooOld(i64),
    /// Data is being moved into the database.
    Moving,
}

impl From<sqlx::Error> for Undone {
    fn from(error: sqlx::Error) -> Undone {
        Undone::Sql(error)
    }
}

/// A transaction's answers, before it is committed.
pub struct Decided {
    pub answers: Vec<Result<(), Refused>>,
    /// Whether all writes were refused, so there is nothing to commit.
    pub is_empty: bool,
}

/// Runs the writes in an open transaction.
pub async fn run(connection: &mut PgConnection, writes: &[Write], in_order: bool) -> Result<Decided, Undone> {
    let found = find(&mut *connection, writes, in_order).await?;
    let created = found.created;
    let mut batch = Batch::new(found.found);
    let answers: Vec<_> = writes.iter().map(|write| batch.add(write.clone())).collect();
    let is_empty = answers.iter().all(Result::is_err);
    if !is_empty {
        let unused: Vec<Vec<u8>> =
            created.iter().filter(|id| !batch.listed.contains_key(id)).map(|id| id.0.to_vec()).collect();
        if !unused.is_empty() {
            sqlx::query(UNDO_CREATE).bind(unused).execute(&mut *connection).await?;
        }
        store(connection, batch).await?;
    }
    Ok(Decided { answers, is_empty })
}

struct FoundAndCreated {
    found: Found,
    created: Vec<SittingId>,
}

/// Locks the sittings and reads what the writes refer to.
async fn find(
    connection: &mut PgConnection,
    writes: &[Write],
    in_order: bool,
) -> Result<FoundAndCreated, Undone> {
    let sorted = |ids: Vec<SittingId>| {
        let unique: BTreeSet<SittingId> = ids.iter().copied().collect();
        let ids = if in_order { unique.into_iter().collect() } else { ids };
        ids.iter().map(|id| id.0.to_vec()).collect::<Vec<_>>()
    };
    let is_first = |write: &&Write| write.events.first().is_some_and(|event| event.seq == 1);
    let new = sorted(writes.iter().filter(is_first).map(|write| write.id).collect());
    let mut created = Vec::new();
    if !new.is_empty() {
        let rows = sqlx::query(CREATE).bind(new).fetch_all(&mut *connection).await?;
        created = rows.iter().map(rows::id_of).collect::<sqlx::Result<_>>()?;
    }
    let ids = sorted(writes.iter().map(|write| write.id).collect());
    if in_order {
        sqlx::query(LOCK).bind(&ids).execute(&mut *connection).await?;
    } else {
        // Only in tests, which prove that the order is needed.
        for id in &ids {
            sqlx::query(LOCK).bind(vec![id.clone()]).execute(&mut *connection).await?;
        }
    }
    let keys: Vec<Vec<u8>> =
        writes.iter().filter_map(|write| write.asked.as_ref()).map(|asked| asked.key.0.to_vec()).collect();
    let burnt = writes.iter().filter_map(|write| Some((write.id.0.to_vec(), write.burns?.0.to_vec())));
    let (burnt_in, burnt): (Vec<Vec<u8>>, Vec<Vec<u8>>) = burnt.unzip();
    let mut found = Found::default();
    let classes: Vec<String> =
        writes.iter().filter_map(|write| write.open_class.as_deref()).map(to_text).collect();
    if !classes.is_empty() {
        for row in sqlx::query(OPEN_CLASSES).bind(classes).fetch_all(&mut *connection).await? {
            found.open_classes.insert(rows::text(&row, 0)?, natural(row.try_get(1)?));
        }
    }
    let query = sqlx::query(FIND).bind(ids).bind(keys).bind(burnt_in).bind(burnt);
    for row in query.fetch_all(connection).await? {
        let number: Option<i64> = row.try_get(3)?;
        let number_or_zero = natural(number.unwrap_or(0));
        match row.try_get::<i32, _>(0)? {
            0 => drop(found.last.insert(SittingId(array(&row, 1)?), number_or_zero)),
            1 => {
                let (key, body) = (Hash(array(&row, 1)?), Hash(array(&row, 2)?));
                found.asked.insert(key, IdempotentAnswer { key, body, answer: rows::text(&row, 4)? });
            }
            2 => {
                let place = (SittingId(array(&row, 1)?), Hash(array(&row, 2)?));
                found.invitations.insert(place, number.map(natural));
            }
            _ if row.try_get::<Option<&str>, _>(4)? == Some("true") => return Err(Undone::Moving),
            _ => match number {
                Some(oldest) if oldest > VERSION => return Err(Undone::TooOld(oldest)),
                _ => {}
            },
        }
    }
    Ok(FoundAndCreated { found, created })
}

fn array<const N: usize>(row: &sqlx::postgres::PgRow, column: usize) -> sqlx::Result<[u8; N]> {
    let bytes: &[u8] = row.try_get(column)?;
    bytes.try_into().map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// Writes a batch. The maps and the order of the tables are the lock order.
async fn store(connection: &mut PgConnection, batch: Batch) -> Result<(), Undone> {
    let before: Vec<i64> = batch.listed.keys().map(|id| integer(batch.before(*id))).collect();
    if !batch.asked.is_empty() {
        let (mut keys, mut ids, mut ats) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bodies, mut answers) = (Vec::new(), Vec::new());
        for (id, at, asked) in batch.asked.into_values() {
            keys.push(asked.key.0.to_vec());
            ids.push(id.0.to_vec());
            ats.push(integer(at));
            bodies.push(asked.body.0.to_vec());
            answers.push(to_text(&asked.answer));
        }
        let count = keys.len();
        let query = sqlx::query(ASKED).bind(keys).bind(ids).bind(ats).bind(bodies).bind(answers);
        all(query.execute(&mut *connection).await?, count)?;
    }
    if !batch.events.is_empty() {
        let (mut ids, mut seqs, mut ats) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bodies, mut sums) = (Vec::new(), Vec::new());
        for (id, event) in &batch.events {
            let (seq, at) = (integer(event.seq), integer(event.at));
            ids.push(id.0.to_vec());
            seqs.push(seq);
            ats.push(at);
            bodies.push(to_text(&event.body));
            sums.push(sum(*id, seq, at, event.body.as_bytes()));
        }
        let query = sqlx::query(EVENTS).bind(ids).bind(seqs).bind(ats).bind(bodies).bind(sums);
        query.execute(&mut *connection).await?;
    }
    let mut added: BTreeMap<SittingId, u64> = BTreeMap::new();
    for (id, event) in &batch.events {
        *added.entry(*id).or_default() += size::of_events([event]);
    }
    let added = |id: &SittingId| integer(added.get(id).copied().unwrap_or(0));
    let query = sqlx::query(LISTED)
        .bind(batch.listed.keys().map(|id| id.0.to_vec()).collect::<Vec<_>>())
        .bind(before)
        .bind(batch.listed.values().map(|listed| integer(listed.seq)).collect::<Vec<_>>())
        .bind(batch.listed.values().map(|listed| integer(listed.at)).collect::<Vec<_>>())
        .bind(batch.listed.values().map(|listed| listed.moved).collect::<Vec<_>>())
        .bind(batch.listed.values().map(small).collect::<Vec<_>>())
        .bind(batch.listed.keys().map(added).collect::<Vec<_>>());
    all(query.execute(&mut *connection).await?, batch.listed.len())?;
    let burnt = batch.invitations.iter().filter(|(_, made)| made.is_none());
    let burnt = burnt.map(|((id, secret), _)| (id.0.to_vec(), secret.0.to_vec()));
    let (ids, secrets): (Vec<_>, Vec<_>) = burnt.unzip();
    if !ids.is_empty() {
        sqlx::query(BURN).bind(ids).bind(secrets).execute(&mut *connection).await?;
    }
    let made: Vec<_> = batch.invitations.iter().filter_map(|((id, _), made)| Some((id, (*made)?))).collect();
    if !made.is_empty() {
        let query = sqlx::query(INVITE)
            .bind(made.iter().map(|(id, _)| id.0.to_vec()).collect::<Vec<_>>())
            .bind(made.iter().map(|(_, made)| made.secret.0.to_vec()).collect::<Vec<_>>())
            .bind(made.iter().map(|(_, made)| i16::from(made.player.number())).collect::<Vec<_>>())
            .bind(made.iter().map(|(_, made)| made.until.map(integer)).collect::<Vec<_>>());
        query.execute(&mut *connection).await?;
    }
    if !batch.seats.is_empty() {
        let query = sqlx::query(SEATS)
            .bind(batch.seats.keys().map(|(id, _)| id.0.to_vec()).collect::<Vec<_>>())
            .bind(batch.seats.keys().map(|(_, player)| i16::from(player.number())).collect::<Vec<_>>())
            .bind(batch.seats.values().map(|holder| holder.0.to_vec()).collect::<Vec<_>>());
        query.execute(&mut *connection).await?;
    }
    if !batch.books.is_empty() {
        let books = batch.books.into_iter().map(|(hash, (text, used))| (Book { hash, text }, used));
        with_books(sqlx::query(BOOKS), books).execute(&mut *connection).await?;
    }
    if !batch.played.is_empty() {
        let query = sqlx::query(PLAYED)
            .bind(batch.played.iter().map(|(id, _)| id.0.to_vec()).collect::<Vec<_>>())
            .bind(batch.played.iter().map(|(_, book)| book.0.to_vec()).collect::<Vec<_>>());
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

fn small(listed: &crate::store::Listed) -> i16 {
    i16::try_from(waits_for_number(listed.waits_for)).unwrap_or(0)
}

/// Checks that every row was written.
fn all(done: PgQueryResult, wanted: usize) -> Result<(), Undone> {
    match done.rows_affected() == wanted as u64 {
        true => Ok(()),
        false => Err(Undone::Overtaken),
    }
}

/// Binds books, with the times of their use, to [`BOOKS`].
pub fn with_books(
    query: Query<'static, Postgres, PgArguments>,
    books: impl Iterator<Item = (Book, Millis)>,
) -> Query<'static, Postgres, PgArguments> {
    let (mut hashes, mut shorts, mut times, mut texts) = (vec![], vec![], vec![], vec![]);
    for (Book { hash, text }, used) in books {
        hashes.push(hash.0.to_vec());
        shorts.push(hash.short());
        times.push(integer(used));
        texts.push(to_text(&text));
    }
    query.bind(hashes).bind(shorts).bind(times).bind(texts)
}
