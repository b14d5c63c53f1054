//! The one connection that writes, and what happens when that fails.

use std::path::Path;
use std::sync::Arc;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::{Mutex, MutexGuard};

use super::files::Files;
use super::opening::has_code;
use super::rows::unavailable;
use crate::store::Unavailable;

/// Lets one transaction write at a time, in the order in which they ask.
#[derive(Debug)]
pub struct Writer {
    options: SqliteConnectOptions,
    files: Arc<Files>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// None while a transaction has it, and after one that was dropped: then the next opens a new one.
    connection: Option<SqliteConnection>,
    /// A connection that has read once and does nothing more. As long as it is there, what is known about the log
    /// beside the file stays known. With the last connection it would be gone, and the next would work it out from the
    /// log itself: there, a commit that was written but not kept looks like any other.
    anchor: Option<SqliteConnection>,
    /// Whether the last transaction failed.
    failed: bool,
    closed: bool,
}

/// A transaction under way. If it is dropped, nothing of it is kept: its connection goes with it.
pub struct Writing<'a> {
    connection: SqliteConnection,
    files: &'a Files,
    state: MutexGuard<'a, State>,
}

impl Writer {
    /// A connection that was opened with these options, to the database at this path, writes from now on.
    pub async fn new(
        path: &Path,
        options: SqliteConnectOptions,
        connection: SqliteConnection,
    ) -> sqlx::Result<Writer> {
        let mut anchor = options.clone().read_only(true).connect().await?;
        // Only now it has the log open.
        execute(&mut anchor, "SELECT count(*) FROM sqlite_schema").await?;
        let files = Arc::new(Files::of(path)?);
        let state =
            State { connection: Some(connection), anchor: Some(anchor), failed: false, closed: false };
        Ok(Writer { options, files, state: Mutex::new(state) })
    }

    /// The files that it writes to.
    pub fn files(&self) -> Arc<Files> {
        Arc::clone(&self.files)
    }

    /// Begins a transaction; it is alone until it ends.
    pub async fn begin(&self) -> Result<Writing<'_>, Unavailable> {
        let mut state = self.state.lock().await;
        if state.closed {
            return Err(Unavailable("the database was closed".into()));
        }
        // Before a new connection could open another file.
        self.files.verify()?;
        let connection = match state.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await.map_err(unavailable)?,
        };
        let mut writing = Writing { connection, files: &self.files, state };
        // The lock for writing at once: a transaction that gets it later may find that it began with an old state.
        match execute(&mut writing.connection, "BEGIN IMMEDIATE").await {
            Ok(()) => Ok(writing),
            Err(error) => Err(writing.give_up(error).await),
        }
    }

    pub async fn close(&self) {
        let mut state = self.state.lock().await;
        state.closed = true;
        // The last to leave tidies up, and only the one that writes may.
        if let Some(anchor) = state.anchor.take() {
            anchor.close().await.ok();
        }
        if let Some(mut connection) = state.connection.take() {
            // What cannot be moved into the one file now stays in the log beside it, and is found there next time.
            execute(&mut connection, "PRAGMA wal_checkpoint(TRUNCATE)").await.ok();
            connection.close().await.ok();
        }
    }
}

impl Writing<'_> {
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    /// Keeps what was written, for good.
    pub async fn commit(mut self) -> Result<(), Unavailable> {
        match execute(&mut self.connection, "COMMIT").await {
            Ok(()) => {
                self.state.failed = false;
                self.state.connection = Some(self.connection);
                // What went to a file that nobody finds again was not kept.
                self.files.verify()
            }
            Err(error) => Err(self.give_up(error).await),
        }
    }

    /// Undoes what was written, because of an error.
    ///
    /// After a second failure a new connection is tried, in case that it is the connection that is broken.
    pub async fn give_up(mut self, error: sqlx::Error) -> Unavailable {
        let rolled_back = execute(&mut self.connection, "ROLLBACK").await;
        // Some errors roll back by themselves; then there is nothing left to be undone, which is SQLITE_ERROR.
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
