//! How much the database holds. Deleted data doesn't count, although its files keep their size.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::pool::Pool;
use crate::store::values::natural;
use crate::store::{Stored, Unavailable, Write};

/// Approximate size of a row and its index entries, excluding its text.
const BYTES_OF_AN_EVENT: u64 = 160;
const BYTES_OF_A_WRITE: u64 = 300;

/// Adds up the sizes of the sittings. It reads them all, so it runs rarely if they are many.
const BYTES: &str = "SELECT (SELECT coalesce(sum(bytes + 500), 0)::int8 FROM sitting)
    + (SELECT coalesce(sum(octet_length(text) + 200), 0)::int8 FROM book)
    + (SELECT count(*) * 200 FROM remembered) + (SELECT count(*) * 200 FROM of_class)";

/// The size of the files, including deleted data. Used if there is too much to add up.
const FILES: &str = "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::int8 FROM pg_class
    WHERE relnamespace = 'spoton'::regnamespace AND relkind = 'r'";

/// A sum is reused for this many times as long as it took.
const REUSE: u32 = 200;

/// The last sum, plus this server's writes since then.
#[derive(Debug, Default)]
pub struct Size(Mutex<Option<Known>>);

#[derive(Clone, Copy, Debug)]
struct Known {
    bytes: u64,
    until: Instant,
}

/// Returns the approximate size of events.
pub fn of_events<'a>(events: impl IntoIterator<Item = &'a Stored>) -> u64 {
    events.into_iter().map(|event| event.body.len() as u64 + BYTES_OF_AN_EVENT).sum()
}

/// Returns the approximate size of writes.
pub fn of_writes(writes: &[Write]) -> u64 {
    writes.iter().map(|write| of_events(&write.events) + BYTES_OF_A_WRITE).sum()
}

impl Size {
    /// Adds what this server has written.
    pub fn add(&self, bytes: u64) {
        if let Some(known) = &mut *self.known() {
            known.bytes += bytes;
        }
    }

    /// Forgets the sum after a deletion.
    pub fn forget(&self) {
        *self.known() = None;
    }

    pub async fn bytes(&self, pool: &Pool) -> Result<u64, Unavailable> {
        let known = *self.known();
        if let Some(known) = known
            && known.until > Instant::now()
        {
            return Ok(known.bytes);
        }
        let begun = Instant::now();
        let number = |row: &PgRow| row.try_get::<i64, _>(0).map(natural);
        let bytes = match pool.read(BYTES, |query| query, number).await {
            Ok(bytes) => bytes,
            Err(_) => pool.read(FILES, |query| query, number).await?,
        };
        let bytes = bytes.first().copied().unwrap_or(0);
        let until = Instant::now() + (begun.elapsed() * REUSE).min(Duration::from_secs(600));
        *self.known() = Some(Known { bytes, until });
        Ok(bytes)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
