//! Connections to the server that takes writes, each checked before its first use.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnection, PgListener, PgPoolOptions, PgRow};
use sqlx::{ConnectOptions, Row};

use super::address::Address;
use super::rows::unavailable;
use super::schema::{self, VERSION};
use crate::store::Unavailable;

/// Time to connect to one of several servers, so one that is cut off leaves time for the next.
const TIME_FOR_ONE: Duration = Duration::from_millis(1500);

/// The oldest supported version of PostgreSQL.
const OLDEST_POSTGRESQL: i32 = 15;

/// Session settings. A frozen node's locks must time out before the other nodes do.
const SESSION: &str = "SELECT current_setting('server_version_num')::int4, current_setting('server_encoding'),
    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool,
    current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
    set_config('search_path', 'spoton', false), set_config('lock_timeout', '2s', false),
    set_config('statement_timeout', '3s', false), set_config('idle_in_transaction_session_timeout', '3s', false),
    set_config('client_connection_check_interval', '2s', false), set_config('jit', 'off', false),
    set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
    set_config('tcp_keepalives_count', '3', false)";

/// Why a server doesn't use a database that `move-data` is filling.
pub const MOVING: &str = "a move of data into this database isn't finished; run spoton-web move-data again";

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoConnection {
    #[error("{0}")]
    Unreachable(String),
    /// Only standbys answer.
    #[error("{0} doesn't take writes: it's a standby, or read-only")]
    ReadOnly(String),
    /// The server could lose acknowledged moves, or doesn't fit otherwise.
    #[error("{0}")]
    Unfit(String),
}

impl From<NoConnection> for Unavailable {
    fn from(none: NoConnection) -> Unavailable {
        Unavailable(none.to_string())
    }
}

/// The servers of a database.
#[derive(Debug)]
pub struct Server {
    pub address: Address,
    /// Whether to accept a server that could lose acknowledged moves.
    is_unsafe: bool,
    /// The one that took writes last.
    last: AtomicUsize,
}

impl Server {
    pub fn new(address: Address, is_unsafe: bool) -> Server {
        Server { address, is_unsafe, last: AtomicUsize::new(0) }
    }

    /// Connects to the server that takes writes, and checks that this program may still write there.
    pub async fn connect(&self) -> Result<PgConnection, NoConnection> {
        let mut connection = self.connect_any_version().await?;
        let about = schema::about(&mut connection).await;
        match about.map_err(|error| NoConnection::Unreachable(error.to_string()))? {
            (_, true) => Err(NoConnection::Unfit(MOVING.to_owned())),
            (oldest, _) if oldest <= VERSION => Ok(connection),
            (oldest, _) => Err(NoConnection::Unfit(format!(
                "a newer program has changed the database, which now needs schema version {oldest}; this program knows \
                 {VERSION}. Start the newer program instead"
            ))),
        }
    }

    /// Connects to the server that takes writes.
    pub async fn connect_any_version(&self) -> Result<PgConnection, NoConnection> {
        let (count, last) = (self.address.servers.len(), self.last.load(Ordering::Relaxed));
        let mut failed = None;
        for place in (0..count).map(|further| (last + further) % count) {
            let time = if count > 1 { TIME_FOR_ONE } else { super::TIME_TO_COMMIT };
            match tokio::time::timeout(time, self.connect_to(place)).await {
                Ok(Ok(connection)) => {
                    self.last.store(place, Ordering::Relaxed);
                    return Ok(connection);
                }
                Ok(Err(why)) => {
                    // An unfit server is a more useful error than an unreachable one.
                    if !matches!(failed, Some(NoConnection::Unfit(_))) {
                        failed = Some(why);
                    }
                }
                Err(_) => {
                    let why = format!("{} doesn't answer", self.address.name(place));
                    failed.get_or_insert(NoConnection::Unreachable(why));
                }
            }
        }
        Err(failed.unwrap_or_else(|| NoConnection::Unreachable("no server to connect to".to_owned())))
    }

    /// Connects to the server that takes writes, and listens on a channel there.
    pub async fn listen(&self, channel: &str) -> Result<PgListener, Unavailable> {
        use sqlx::Connection;
        // Finds and checks the server.
        self.connect().await?.close().await.ok();
        let place = self.last.load(Ordering::Relaxed);
        let options = self.address.servers.get(place).cloned().unwrap_or_default();
        // sqlx listens only on a connection from one of its pools.
        let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let pool = pool.connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&pool).await.map_err(unavailable)?;
        // A lost connection is reported, so texts that were lost with it are noticed.
        listener.eager_reconnect(false);
        listener.listen(channel).await.map_err(unavailable)?;
        Ok(listener)
    }

    async fn connect_to(&self, place: usize) -> Result<PgConnection, NoConnection> {
        let name = self.address.name(place);
        let unreachable = |error: sqlx::Error| NoConnection::Unreachable(format!("{name}: {error}"));
        let options = self.address.servers.get(place).ok_or_else(|| unreachable(sqlx::Error::PoolClosed))?;
        let mut connection = options.connect().await.map_err(unreachable)?;
        let session = sqlx::query(SESSION).persistent(false).fetch_one(&mut connection);
        let session = session.await.map_err(unreachable)?;
        self.check(&name, &session)?;
        Ok(connection)
    }

    /// Refuses a server that can't keep the store's promises.
    fn check(&self, name: &str, session: &PgRow) -> Result<(), NoConnection> {
        let text = |column: usize| session.try_get::<String, _>(column).unwrap_or_default();
        let version: i32 = session.try_get(0).unwrap_or(0);
        if version / 10_000 < OLDEST_POSTGRESQL {
            let why = format!("{name} is older than PostgreSQL {OLDEST_POSTGRESQL}; upgrade it");
            return Err(NoConnection::Unfit(why));
        }
        if text(1) != "UTF8" {
            let why = format!("the database's encoding is {}; create it with ENCODING 'UTF8'", text(1));
            return Err(NoConnection::Unfit(why));
        }
        if session.try_get(2).unwrap_or(true) {
            return Err(NoConnection::ReadOnly(name.to_owned()));
        }
        let safe = [
            ("fsync", text(3) == "on"),
            ("full_page_writes", text(4) == "on"),
            // `local` and `remote_write` are weaker than `on`, and `remote_apply` is stronger.
            ("synchronous_commit", matches!(text(5).as_str(), "on" | "remote_apply")),
        ];
        match safe.iter().find(|(_, is_on)| !is_on) {
            Some((setting, _)) if !self.is_unsafe => Err(NoConnection::Unfit(format!(
                "{name} could lose moves after it acknowledged them, because its setting {setting} isn't on. Turn it on, \
                 also for this database and user"
            ))),
            _ => Ok(()),
        }
    }
}
