//! Cleanup: deletes abandoned rounds and rule books, at startup and every hour.

use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::limits::{BOOKS_STAY, IDLE_STAY, TIDY, UNMOVED_STAY, UNPLAYED_BOOKS_STAY};
use crate::stop::told_to_stop;
use crate::store::{Before, Millis, Unavailable};
use crate::tables::Tables;

/// How often caches are dropped. If another program removes a sitting from the file, the server notices within this
/// time.
const FORGET: Duration = Duration::from_secs(60);

/// Cleans up until shutdown.
pub(crate) async fn tidy_now_and_then(tables: Tables, mut stop: watch::Receiver<bool>) {
    let mut tidied: Option<Instant> = None;
    loop {
        if tidied.is_none_or(|tidied| tidied.elapsed() >= TIDY) {
            tidied = Some(Instant::now());
            match tidy(&tables, tables.clock.now()).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "deleted abandoned sittings"),
                Err(unavailable) => tracing::warn!("cleanup failed: {unavailable}"),
            }
        }
        tokio::select! {
            () = tokio::time::sleep(FORGET) => {}
            () = told_to_stop(&mut stop) => return,
        }
        tables.rates.forget_the_quiet();
        tables.rooms.forget_all();
    }
}

/// Deletes what was abandoned before `now` and returns the number of sittings.
///
/// # Errors
///
/// Fails if the store does.
pub async fn tidy(tables: &Tables, now: Millis) -> Result<u64, Unavailable> {
    let before = |stay: Millis| now.saturating_sub(stay);
    let before = Before {
        unmoved: before(UNMOVED_STAY),
        idle: before(IDLE_STAY),
        unplayed_books: before(UNPLAYED_BOOKS_STAY),
        books: before(BOOKS_STAY),
    };
    let count = tables.store.tidy(before).await?;
    tables.metrics.tidied.inc_by(count);
    if count > 0 {
        tables.rooms.forget_all();
    }
    Ok(count)
}
