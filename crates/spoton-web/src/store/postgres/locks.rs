//! Advisory locks: one server at a time has a lock with this name. Each uses a connection, whose transaction holds it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgConnection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::rows::{is_broken, unavailable};
use super::server::Server;
use crate::ids::Hash;
use crate::store::{Held, Unavailable};

/// Time to get a lock, with everything that it needs.
const PATIENCE: Duration = Duration::from_secs(5);

/// Locks that a server may have or wait for.
const MOST_LOCKS: usize = 16;

/// Connections that stay open without a lock.
const MOST_IDLE: usize = 2;

/// A lock is lost after this time without a statement: longer than any request may take.
const BEGIN: &str =
    "SELECT set_config('lock_timeout', '5s', true), set_config('statement_timeout', '6s', true),
    set_config('idle_in_transaction_session_timeout', '15s', true)";

#[derive(Debug)]
pub struct Locks {
    server: Arc<Server>,
    idle: Arc<Mutex<Vec<PgConnection>>>,
    permits: Arc<Semaphore>,
}

/// A lock, until it's dropped.
struct Lock {
    connection: Option<PgConnection>,
    idle: Arc<Mutex<Vec<PgConnection>>>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Without a runtime, closing the connection releases it too.
        if let (Some(mut connection), Ok(runtime)) =
            (self.connection.take(), tokio::runtime::Handle::try_current())
        {
            let idle = Arc::clone(&self.idle);
            runtime.spawn(async move {
                if sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok() {
                    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
                    if idle.len() < MOST_IDLE {
                        idle.push(connection);
                    }
                }
            });
        }
    }
}

impl Locks {
    pub fn new(server: Arc<Server>) -> Locks {
        Locks { server, idle: Arc::default(), permits: Arc::new(Semaphore::new(MOST_LOCKS)) }
    }

    /// Takes a lock; `None` if another server has it for too long.
    pub async fn lock(&self, name: &str) -> Result<Option<Held>, Unavailable> {
        let lock = tokio::time::timeout(PATIENCE, self.wait_for(name)).await;
        // Dropping the connection ends the wait in the database too.
        lock.unwrap_or(Ok(None))
    }

    async fn wait_for(&self, name: &str) -> Result<Option<Held>, Unavailable> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|error| Unavailable(error.to_string()))?;
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut known = idle();
        loop {
            let is_new = known.is_none();
            let mut connection = match known.take() {
                Some(connection) => connection,
                None => self.server.connect().await?,
            };
            match take(&mut connection, name).await {
                Ok(()) => {
                    let (idle, connection) = (Arc::clone(&self.idle), Some(connection));
                    return Ok(Some(Box::new(Lock { connection, idle, _permit: permit })));
                }
                Err(error) if is_timeout(&error) => return Ok(None),
                // The database has restarted since.
                Err(error) if is_broken(&error) && !is_new => known = idle(),
                Err(error) => return Err(unavailable(error)),
            }
        }
    }

    /// Closes the idle connections.
    pub async fn close(&self) {
        use sqlx::Connection;
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for connection in idle {
            connection.close().await.ok();
        }
    }
}

async fn take(connection: &mut PgConnection, name: &str) -> sqlx::Result<()> {
    let [a, b, c, d, e, f, g, h, ..] = Hash::digest(name).0;
    let key = i64::from_be_bytes([a, b, c, d, e, f, g, h]);
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    sqlx::query(BEGIN).execute(&mut *connection).await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(key).execute(connection).await?;
    Ok(())
}

fn is_timeout(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == "55P03")
}
