//! The connections for reads, and for single statements that can safely be retried.
//!
//! Unlike sqlx's pool it connects to the server that takes writes at that moment, also after a failover.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgArguments, PgConnection, PgRow, Postgres};
use sqlx::query::Query;
use tokio::sync::Semaphore;

use super::rows::{is_broken, unavailable};
use super::server::Server;
use super::{CONNECTIONS, TIME_TO_ANSWER};
use crate::store::Unavailable;

/// If the database didn't answer in time, it isn't asked again for this long.
const LATE: Duration = Duration::from_secs(1);

fn late() -> Unavailable {
    Unavailable("the database doesn't answer in time".to_owned())
}

/// A statement with its values.
pub type Bound = Query<'static, Postgres, PgArguments>;

#[derive(Debug)]
pub struct Pool {
    server: Arc<Server>,
    idle: Mutex<Vec<PgConnection>>,
    permits: Semaphore,
    /// When the database didn't answer in time.
    late: Mutex<Option<Instant>>,
}

impl Pool {
    pub fn new(server: Arc<Server>) -> Pool {
        Pool { server, idle: Mutex::default(), permits: Semaphore::new(CONNECTIONS), late: Mutex::default() }
    }

    /// Runs a statement and returns its rows.
    pub async fn rows(
        &self,
        statement: &'static str,
        bind: impl Fn(Bound) -> Bound,
    ) -> Result<Vec<PgRow>, Unavailable> {
        self.run(statement, bind, true).await.map(|(rows, _)| rows)
    }

    /// Runs a statement and returns its rows, converted.
    pub async fn read<T>(
        &self,
        statement: &'static str,
        bind: impl Fn(Bound) -> Bound,
        of: impl Fn(&PgRow) -> sqlx::Result<T>,
    ) -> Result<Vec<T>, Unavailable> {
        let rows = self.rows(statement, bind).await?;
        rows.iter().map(of).collect::<sqlx::Result<_>>().map_err(unavailable)
    }

    /// Runs a statement that may run twice, and returns the number of changed rows.
    pub async fn change(
        &self,
        statement: &'static str,
        bind: impl Fn(Bound) -> Bound,
    ) -> Result<u64, Unavailable> {
        self.run(statement, bind, false).await.map(|(_, changed)| changed)
    }

    async fn run(
        &self,
        statement: &'static str,
        bind: impl Fn(Bound) -> Bound,
        for_rows: bool,
    ) -> Result<(Vec<PgRow>, u64), Unavailable> {
        // A request may need several reads. The others don't wait as long as the first one did.
        let is_late = || self.late.lock().unwrap_or_else(PoisonError::into_inner);
        if is_late().is_some_and(|late| late.elapsed() < LATE) {
            return Err(late());
        }
        let has_begun = AtomicBool::new(false);
        let run = async {
            let _permit = self.permits.acquire().await.map_err(|error| Unavailable(error.to_string()))?;
            has_begun.store(true, Ordering::Relaxed);
            let idle = self.idle().pop();
            if let Some(mut connection) = idle {
                match execute(&mut connection, bind(sqlx::query(statement)), for_rows).await {
                    // The server has restarted or failed over since, so try once more on a new connection.
                    Err(error) if is_broken(&error) => self.idle().clear(),
                    done => return self.put_back(connection, done),
                }
            }
            let mut connection = self.server.connect().await?;
            let done = execute(&mut connection, bind(sqlx::query(statement)), for_rows).await;
            self.put_back(connection, done)
        };
        // A connection that takes longer is dropped in the middle of its statement.
        let run = tokio::time::timeout(TIME_TO_ANSWER, run).await;
        run.unwrap_or_else(|_| {
            if has_begun.load(Ordering::Relaxed) {
                *is_late() = Some(Instant::now());
            }
            Err(late())
        })
    }

    fn put_back<T>(&self, connection: PgConnection, done: sqlx::Result<T>) -> Result<T, Unavailable> {
        if !done.as_ref().is_err_and(is_broken) {
            self.idle().push(connection);
        }
        done.map_err(unavailable)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<PgConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the idle connections.
    pub async fn close(&self) {
        use sqlx::Connection;
        self.permits.close();
        let idle = std::mem::take(&mut *self.idle());
        for connection in idle {
            connection.close().await.ok();
        }
    }
}

/// Runs a statement for its rows, or for their number.
async fn execute(
    connection: &mut PgConnection,
    query: Bound,
    for_rows: bool,
) -> sqlx::Result<(Vec<PgRow>, u64)> {
    match for_rows {
        true => Ok((query.fetch_all(connection).await?, 0)),
        false => Ok((vec![], query.execute(connection).await?.rows_affected())),
    }
}
