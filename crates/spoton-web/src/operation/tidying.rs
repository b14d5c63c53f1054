//! What nobody comes back to is taken out, at the start and then every hour.

use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::limits::{BOOKS_STAY, IDLE_STAY, TIDY, UNMOVED_STAY, UNPLAYED_BOOKS_STAY};
use crate::serve::told_to_stop;
use crate::store::{Before, Millis, Unavailable};
use crate::tables::{Tables, now};

/// How often what is only held in memory is let go. A sitting that another program has taken out of the file is gone
/// for everybody after that time.
const FORGET: Duration = Duration::from_secs(60);

/// Tidies up until it is told to stop.
pub async fn tidy_now_and_then(tables: Tables, mut stop: watch::Receiver<bool>) {
    let mut tidied: Option<Instant> = None;
    loop {
        if tidied.is_none_or(|tidied| tidied.elapsed() >= TIDY) {
            tidied = Some(Instant::now());
            match tidy(&tables, now()).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "sittings that nobody came back to were taken out"),
                Err(unavailable) => tracing::warn!("nothing was tidied up: {unavailable}"),
            }
        }
        tokio::select! {
            () = tokio::time::sleep(FORGET) => {}
            () = told_to_stop(&mut stop) => return,
        }
        tables.rates.forget_the_quiet();
        tables.heads.forget_all();
    }
}

/// Takes out what nobody came back to by this time; how many sittings.
///
/// # Errors
///
/// If the store cannot.
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
        tables.heads.forget_all();
    }
    Ok(count)
}
