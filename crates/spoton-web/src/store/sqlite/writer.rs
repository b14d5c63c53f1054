//! The writing connection, and recovery from errors.

use std::path::Path;
use std::sync::Arc;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::{Mutex, MutexGuard};

use super::files::Files;
use super::opening::has_code;
use super::rows::unavailable;
use crate::store::Unavailable;

const PROBE: &str =
    "INSERT INTO probe (one, times) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET times = times + 1";

/// Runs one write transaction at a time, in order of request.
#[derive(Debug)]
pub struct Writer {
    options: SqliteConnectOptions,
    files: Arc<Files>,
    state: Mutex<ConnectionState>,
}

#[derive(Debug)]
struct ConnectionState {
    /// `None` during a transaction, and after a dropped one, when the next one reconnects.
    connection: Option<SqliteConnection>,
    /// An idle connection that has read once. It keeps the shared-memory index of the log alive. Without it, the next
    /// connection would rebuild the index from the log, where a failed commit looks like any other.
    anchor: Option<SqliteConnection>,
    /// Whether the last transaction failed.
    failed: bool,
    /// Whether the last probe failed. Nothing else is written until one succeeds.
    in_doubt: bool,
    closed: bool,
}

/// An open transaction. Dropping it discards the connection and everything uncommitted.
pub struct Writing<'a> {
    connection: SqliteConnection,
    files: &'a Files,
    state: MutexGuard<'a, ConnectionState>,
}

impl Writer {
    /// Takes over an open connection to the database at this path.
    pub async fn new(
        path: &Path,
        options: SqliteConnectOptions,
        connection: SqliteConnection,
    ) -> sqlx::Result<Writer> {
        let mut anchor = options.clone().read_only(true).connect().await?;
        // Only a read opens the log.
        execute(&mut anchor, "SELECT count(*) FROM sqlite_schema").await?;
        let files = Arc::new(Files::open(path)?);
        let state = ConnectionState {
            connection: Some(connection),
            anchor: Some(anchor),
            failed: false,
            in_doubt: false,
            closed: false,
        };
        Ok(Writer { options, files, state: Mutex::new(state) })
    }

    /// Returns the files it writes to.
    pub fn files(&self) -> Arc<Files> {
        Arc::clone(&self.files)
    }

    /// Begins an exclusive transaction.
    pub async fn begin(&self) -> Result<Writing<'_>, Unavailable> {
        let is_in_doubt = self.state.lock().await.in_doubt;
        if is_in_doubt {
            self.probe().await?;
        }
        self.begin_any().await
    }

    /// Checks that writes work. If not, every transaction begins with this check until it succeeds.
    pub async fn probe(&self) -> Result<(), Unavailable> {
        let probed = self.write_probe().await;
        self.state.lock().await.in_doubt = probed.is_err();
        probed
    }

    async fn write_probe(&self) -> Result<(), Unavailable> {
        let mut writing = self.begin_any().await?;
        match execute(writing.connection(), PROBE).await {
            Ok(()) => writing.commit().await,
            Err(error) => Err(writing.give_up(error).await),
        }
    }

    async fn begin_any(&self) -> Result<Writing<'_>, Unavailable> {
        let mut state = self.state.lock().await;
        if state.closed {
            return Err(Unavailable("the database is closed".into()));
        }
        // Before a new connection could open another file.
        self.files.verify()?;
        let connection = match state.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await.map_err(unavailable)?,
        };
        let mut writing = Writing { connection, files: &self.files, state };
        // Takes the write lock first: a later upgrade could fail because of an outdated snapshot.
        match execute(&mut writing.connection, "BEGIN IMMEDIATE").await {
            Ok(()) => Ok(writing),
            Err(error) => Err(writing.give_up(error).await),
        }
    }

    pub async fn close(&self) {
        let mut state = self.state.lock().await;
        state.closed = true;
        // The last connection to close checkpoints the log, and only the writer may.
        if let Some(anchor) = state.anchor.take() {
            anchor.close().await.ok();
        }
        if let Some(mut connection) = state.connection.take() {
            // If the checkpoint fails, the log remains, and the next start finds it.
            execute(&mut connection, "PRAGMA wal_checkpoint(TRUNCATE)").await.ok();
            connection.close().await.ok();
        }
    }
}

impl Writing<'_> {
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    /// Commits durably.
    pub async fn commit(mut self) -> Result<(), Unavailable> {
        match execute(&mut self.connection, "COMMIT").await {
            Ok(()) => {
                self.state.failed = false;
                self.state.connection = Some(self.connection);
                // A write to a deleted file isn't durable.
                self.files.verify()
            }
            Err(error) => Err(self.give_up(error).await),
        }
    }

    /// Rolls back after an error.
    ///
    /// After a second failure the next transaction reconnects, in case the connection is broken.
    pub async fn give_up(mut self, error: sqlx::Error) -> Unavailable {
        let rolled_back = execute(&mut self.connection, "ROLLBACK").await;
        // Some errors roll back automatically. In that case ROLLBACK fails with SQLITE_ERROR.
        let is_undone = match &rolled_back {
            Ok(()) => true,
            Err(error) => has_code(error, "1"),
        };
        if is_undone && !self.state.failed {
            self.state.connection = Some(self.connection);
        }
        self.state.failed = true;
        unavailable(error)
    }
}

async fn execute(connection: &mut SqliteConnection, statement: &'static str) -> sqlx::Result<()> {
    sqlx::query(statement).execute(connection).await.map(|_| ())
}
