//! The writing connection, with one deadline for everything it does.
//!
//! Each transaction runs in a separate task, so a COMMIT is never cancelled just because its caller is gone.
//! At the deadline the connection is dropped. If COMMIT was sent by then, the outcome is unknown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::Connection;
use sqlx::postgres::PgConnection;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

use super::commit::{self, Undone};
use super::rows::{is_bad_luck, is_broken};
use super::server::{MOVING, Server};
use super::{Order, TIME_TO_COMMIT};
use crate::store::{NotCommitted, Refused, Unavailable, Write};

type Answers = Vec<Result<(), Refused>>;

const PROBE: &str = "INSERT INTO probe (one, times) VALUES (1, 1)
    ON CONFLICT (one) DO UPDATE SET times = probe.times + 1";

#[derive(Debug)]
pub struct Writer {
    server: Arc<Server>,
    order: Order,
    connection: Arc<Mutex<Option<PgConnection>>>,
}

/// The result of an attempt.
enum Tried {
    /// Committed or refused: no retry.
    Done(Answers),
    /// A retry may succeed.
    Again(Unavailable),
    Failed(NotCommitted),
}

impl Writer {
    pub fn new(server: Arc<Server>, connection: PgConnection, order: Order) -> Writer {
        Writer { server, order, connection: Arc::new(Mutex::new(Some(connection))) }
    }

    /// Commits a batch.
    pub async fn commit(&self, writes: Vec<Write>) -> Result<Answers, NotCommitted> {
        if writes.is_empty() {
            return Ok(vec![]);
        }
        let until = Instant::now() + TIME_TO_COMMIT;
        let mut held = self.hold(until).await?;
        let (server, order) = (Arc::clone(&self.server), self.order);
        let task = tokio::spawn(async move {
            let was_sent = AtomicBool::new(false);
            let tried = commit_or_retry(&server, &mut held, &writes, order, &was_sent);
            let late = "the database doesn't answer in time".to_owned();
            match tokio::time::timeout_at(until, tried).await {
                Ok(answers) => answers,
                Err(_) if was_sent.load(Ordering::Relaxed) => Err(NotCommitted::Unknown(late)),
                Err(_) => Err(Unavailable(late).into()),
            }
        });
        // If it panicked, it dropped its connection.
        task.await.unwrap_or_else(|error| Err(NotCommitted::Unknown(error.to_string())))
    }

    /// Checks that writes work.
    pub async fn probe(&self) -> Result<(), Unavailable> {
        let until = Instant::now() + TIME_TO_COMMIT;
        let mut held = self.hold(until).await?;
        let server = Arc::clone(&self.server);
        let task = tokio::spawn(async move {
            let probe = async {
                if let Some(mut connection) = held.take()
                    && sqlx::query(PROBE).execute(&mut connection).await.is_ok()
                {
                    *held = Some(connection);
                    return Ok(());
                }
                let mut connection = server.connect().await?;
                let done = sqlx::query(PROBE).execute(&mut connection).await;
                done.map_err(super::rows::unavailable)?;
                *held = Some(connection);
                Ok(())
            };
            let late = || Unavailable("the database doesn't answer in time".to_owned());
            tokio::time::timeout_at(until, probe).await.unwrap_or_else(|_| Err(late()))
        });
        task.await.unwrap_or_else(|error| Err(Unavailable(error.to_string())))
    }

    async fn hold(&self, until: Instant) -> Result<OwnedMutexGuard<Option<PgConnection>>, Unavailable> {
        let held = tokio::time::timeout_at(until, Arc::clone(&self.connection).lock_owned()).await;
        held.map_err(|_| Unavailable("the database is still busy with earlier writes".to_owned()))
    }

    pub async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            connection.close().await.ok();
        }
    }
}

async fn commit_or_retry(
    server: &Server,
    held: &mut Option<PgConnection>,
    writes: &[Write],
    order: Order,
    was_sent: &AtomicBool,
) -> Result<Answers, NotCommitted> {
    let first = match try_once(server, held, writes, order, was_sent).await {
        Tried::Done(answers) => return Ok(answers),
        Tried::Failed(why) => return Err(why),
        Tried::Again(why) => why,
    };
    tracing::debug!("retrying a batch: {first}");
    match try_once(server, held, writes, order, was_sent).await {
        Tried::Done(answers) => Ok(answers),
        Tried::Failed(why) => Err(why),
        Tried::Again(why) => Err(why.into()),
    }
}

/// Runs one transaction. The connection is put back if it can be used again.
async fn try_once(
    server: &Server,
    held: &mut Option<PgConnection>,
    writes: &[Write],
    order: Order,
    was_sent: &AtomicBool,
) -> Tried {
    let (mut connection, is_new) = match held.take() {
        Some(connection) => (connection, false),
        None => match server.connect().await {
            Ok(connection) => (connection, true),
            Err(none) => return Tried::Failed(Unavailable::from(none).into()),
        },
    };
    let decided = async {
        sqlx::query("BEGIN").execute(&mut connection).await?;
        commit::run(&mut connection, writes, order == Order::Sorted).await
    };
    let (why, may_retry) = match decided.await {
        Ok(decided) if decided.is_empty => {
            roll_back(held, connection).await;
            return Tried::Done(decided.answers);
        }
        Ok(decided) => {
            was_sent.store(true, Ordering::Relaxed);
            match sqlx::query("COMMIT").execute(&mut connection).await {
                Ok(_) => {
                    *held = Some(connection);
                    return Tried::Done(decided.answers);
                }
                Err(error) if is_broken(&error) => {
                    return Tried::Failed(NotCommitted::Unknown(error.to_string()));
                }
                // The server has answered that it rolled back.
                Err(error) => {
                    was_sent.store(false, Ordering::Relaxed);
                    (error.to_string(), is_bad_luck(&error))
                }
            }
        }
        // The server has restarted or failed over since the last batch.
        Err(Undone::Sql(error)) if is_broken(&error) => {
            let why = Unavailable(error.to_string());
            return if is_new { Tried::Failed(why.into()) } else { Tried::Again(why) };
        }
        Err(Undone::Sql(error)) => (error.to_string(), is_bad_luck(&error)),
        Err(Undone::Overtaken) => ("another node used the same key".to_owned(), true),
        Err(Undone::Moving) => (MOVING.to_owned(), false),
        Err(Undone::TooOld(oldest)) => {
            (format!("the database needs a program with schema version {oldest}; start a newer one"), false)
        }
    };
    roll_back(held, connection).await;
    if may_retry { Tried::Again(Unavailable(why)) } else { Tried::Failed(Unavailable(why).into()) }
}

/// Rolls back and keeps the connection, unless it's broken.
async fn roll_back(held: &mut Option<PgConnection>, mut connection: PgConnection) {
    if sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok() {
        *held = Some(connection);
    }
}
