//! The database of a server: a file or PostgreSQL.

use std::path::Path;
use std::sync::Arc;

use super::arguments::{Arguments, Data};
use crate::store::Store;
#[cfg(feature = "postgres")]
use crate::store::postgres::{self, Address, Durability, PostgresStore};
use crate::store::sqlite::{FileLost, ServerLock, SqliteStore};

/// An open database.
pub enum Opened {
    /// A file, locked if a server has it.
    File { store: Arc<SqliteStore>, lock: Option<ServerLock> },
    #[cfg(feature = "postgres")]
    Postgres(Arc<PostgresStore>),
}

#[cfg(not(feature = "postgres"))]
const WITHOUT_POSTGRES: &str = "this program was built without PostgreSQL; build it with --features postgres";

impl Opened {
    /// Opens a server's database and locks it if it's a file. Creates a missing one.
    pub async fn for_server(arguments: &Arguments) -> Result<Opened, String> {
        match &arguments.data {
            Data::File(path) => {
                let lock = ServerLock::take(path).map_err(|error| error.to_string())?;
                let store = SqliteStore::open(path).await.map_err(|error| error.to_string())?;
                match lock.is_on_the_file() {
                    true => Ok(Opened::File { store: Arc::new(store), lock: Some(lock) }),
                    false => Err(format!("{} was just replaced; start again", path.display())),
                }
            }
            Data::Postgres(address) => Opened::postgres(address, arguments.unsafe_database).await,
        }
    }

    /// Opens an existing database. A server may be using it.
    pub async fn existing(arguments: &Arguments) -> Result<Opened, String> {
        match &arguments.data {
            Data::File(path) if !path.exists() => {
                Err(format!("no database at {}; choose one with --data", path.display()))
            }
            Data::File(path) => {
                let store = SqliteStore::open(path).await.map_err(|error| error.to_string())?;
                Ok(Opened::File { store: Arc::new(store), lock: None })
            }
            Data::Postgres(address) => Opened::postgres(address, arguments.unsafe_database).await,
        }
    }

    #[cfg(feature = "postgres")]
    async fn postgres(address: &str, is_unsafe: bool) -> Result<Opened, String> {
        let (address, durability) = read(address, is_unsafe)?;
        if is_unsafe {
            tracing::warn!("the database isn't checked, so saved moves may be lost");
        }
        let store = PostgresStore::open(address, durability).await.map_err(|error| error.to_string())?;
        Ok(Opened::Postgres(Arc::new(store)))
    }

    #[cfg(not(feature = "postgres"))]
    async fn postgres(_: &str, _: bool) -> Result<Opened, String> {
        Err(WITHOUT_POSTGRES.to_owned())
    }

    pub fn store(&self) -> Arc<dyn Store> {
        match self {
            Opened::File { store, .. } => store.clone(),
            #[cfg(feature = "postgres")]
            Opened::Postgres(store) => store.clone(),
        }
    }

    /// Writes a note for others who want the same file.
    pub fn announce(&self, url: &str) {
        // Informational only: the lock is what counts.
        if let Opened::File { lock: Some(lock), .. } = self
            && let Err(error) = lock.announce(url)
        {
            tracing::warn!("can't write the address next to the database: {error}");
        }
    }

    /// Waits until a file of the database is deleted, replaced or truncated.
    pub async fn lost(&self) -> FileLost {
        match self {
            Opened::File { store, .. } => store.lost().await,
            #[cfg(feature = "postgres")]
            Opened::Postgres(_) => std::future::pending().await,
        }
    }

    pub async fn close(&self) {
        match self {
            Opened::File { store, .. } => store.close().await,
            #[cfg(feature = "postgres")]
            Opened::Postgres(store) => store.close().await,
        }
    }
}

#[cfg(feature = "postgres")]
fn read(address: &str, is_unsafe: bool) -> Result<(Address, Durability), String> {
    let durability = if is_unsafe { Durability::Unchecked } else { Durability::Checked };
    let address = address.parse().map_err(|error: postgres::NotAnAddress| error.to_string())?;
    Ok((address, durability))
}

/// Moves a file's data into PostgreSQL.
#[cfg(feature = "postgres")]
pub async fn move_data(
    from: &Path,
    to: &str,
    is_unsafe: bool,
    mut report: impl FnMut(String),
) -> Result<(), String> {
    let (to, durability) = read(to, is_unsafe)?;
    let moved = postgres::move_data(from, to.clone(), durability, &mut report).await;
    let rows = moved.map_err(|error| error.to_string())?;
    report(format!("Moved {rows} rows from {} to {to}. Both sides are the same.", from.display()));
    Ok(())
}

#[cfg(not(feature = "postgres"))]
pub async fn move_data(_: &Path, _: &str, _: bool, _: impl FnMut(String)) -> Result<(), String> {
    Err(WITHOUT_POSTGRES.to_owned())
}
