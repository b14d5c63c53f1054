//! Creates, checks and migrates the file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use super::files::Files;
use super::writer::Writer;

/// The schema, version by version. Append-only: never change a released migration.
const MIGRATIONS: [&str; 3] = [
    include_str!("migrations/0001_first.sql"),
    include_str!("migrations/0002_people.sql"),
    include_str!("migrations/0003_played_books.sql"),
];

/// The current schema version.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// The `application_id` of Spot On's databases: "Spot".
const APPLICATION: i64 = 0x5370_6f74;

/// The magic bytes of SQLite files.
pub const HEADER: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for another program's write lock.
const BUSY: Duration = Duration::from_secs(5);

/// Reading connections.
const READERS: u32 = 4;

/// The failures that acknowledged writes survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A program crash, and a power cut.
    PowerCut,
    /// Only a program crash.
    Kill,
}

/// Why a database can't be opened. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    #[error("{} isn't a database. Choose another file; this one is unchanged", .0.display())]
    NotADatabase(PathBuf),
    #[error("{} belongs to another program. Choose another file; this one is unchanged", .0.display())]
    Foreign(PathBuf),
    #[error(
        "{} comes from a newer version of Spot On (schema version {found}, this program knows {VERSION}). Start \
         the newer program; the file is unchanged", .path.display()
    )]
    Newer { path: PathBuf, found: i64 },
    #[error(
        "{} is in use by another server{by}. Stop that one first, or choose another file with --data",
        .path.display()
    )]
    InUse { path: PathBuf, by: String },
    #[error("can't open {}: {reason}", .path.display())]
    Failed { path: PathBuf, reason: String },
}

/// An open, migrated database.
pub struct Opened {
    pub path: PathBuf,
    pub files: Arc<Files>,
    pub writer: Writer,
    pub readers: SqlitePool,
}

pub async fn open(path: &Path, durability: Durability) -> Result<Opened, CannotOpen> {
    let failed = |reason: String| CannotOpen::Failed { path: path.to_owned(), reason };
    // An absolute path: SQLite gives names such as `file:x` a special meaning.
    let path = std::path::absolute(path).map_err(|error| failed(error.to_string()))?;
    if !has_header_or_is_new(&path).map_err(|error| failed(error.to_string()))? {
        return Err(CannotOpen::NotADatabase(path));
    }
    look(&path).await?;
    let synchronous = match durability {
        Durability::PowerCut => SqliteSynchronous::Full,
        Durability::Kill => SqliteSynchronous::Normal,
    };
    let writing = options(&path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .foreign_keys(true)
        // Every batch changes the same pages, so checkpoint less often: after 16 MiB of log.
        .pragma("wal_autocheckpoint", "4096")
        // 32 MiB.
        .pragma("cache_size", "-32768")
        // Keeps statement journals out of the file system.
        .pragma("temp_store", "memory")
        // Long reads can make the log grow. This truncates it after the next checkpoint.
        .pragma("journal_size_limit", "67108864");
    let mut connection = connect(&writing).await.map_err(|error| failed(error.to_string()))?;
    migrate(&mut connection, &path).await?;
    let writer = Writer::new(&path, writing, connection).await.map_err(|error| failed(error.to_string()))?;
    let files = writer.files();
    let pool = SqlitePoolOptions::new()
        .max_connections(READERS)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .acquire_timeout(BUSY)
        .after_connect({
            let files = Arc::clone(&files);
            // A late connection must not open a different file.
            move |_, _| {
                let in_place = files.verify().map_err(|lost| sqlx::Error::Io(io::Error::other(lost)));
                Box::pin(async move { in_place })
            }
        });
    let readers = pool.connect_with(options(&path).read_only(true)).await;
    let readers = readers.map_err(|error| failed(error.to_string()))?;
    Ok(Opened { path, files, writer, readers })
}

/// Connects. SQLite's busy timeout doesn't cover the switch to WAL mode of a new file, so retry that if another program
/// opens the file at the same moment.
async fn connect(options: &SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut waited = Duration::ZERO;
    loop {
        match options.connect().await {
            // SQLITE_BUSY
            Err(error) if has_code(&error, "5") && waited < BUSY => {
                tokio::time::sleep(PAUSE).await;
                waited += PAUSE;
            }
            connected => return connected,
        }
    }
}

/// Options of every connection.
pub fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).busy_timeout(BUSY).disable_statement_logging()
}

/// Returns whether the file may be a database. Creates it if missing, readable only by its owner: it holds everyone's
/// names.
fn has_header_or_is_new(path: &Path) -> io::Result<bool> {
    match create(path) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let mut header = Vec::new();
    File::open(path)?.take(HEADER.len() as u64).read_to_end(&mut header)?;
    Ok(header.is_empty() || header == HEADER)
}

/// Creates an empty file that survives a power cut. SQLite syncs a file's content, but not its name.
pub fn create(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.sync_all()?;
    sync_folder_of(path)
}

/// Syncs a file's folder, and so the names in it.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        // Other systems can't open folders like this, and sync names by themselves.
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Checks without any change that the database is Spot On's and not newer.
async fn look(path: &Path) -> Result<(), CannotOpen> {
    let is_empty = fs::metadata(path).is_ok_and(|file| file.len() == 0);
    if is_empty {
        return Ok(());
    }
    let look = async {
        let mut connection = options(path).read_only(true).connect().await?;
        let application: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut connection).await?;
        let version = version(&mut connection).await?;
        let tables: i64 =
            sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut connection).await?;
        connection.close().await?;
        sqlx::Result::Ok((application, version, tables))
    };
    match look.await {
        Ok((APPLICATION, version, _)) => refuse_newer(path, version),
        Ok((0, 0, 0)) => Ok(()),
        Ok(_) => Err(CannotOpen::Foreign(path.to_owned())),
        // SQLITE_NOTADB
        Err(error) if has_code(&error, "26") => Err(CannotOpen::NotADatabase(path.to_owned())),
        Err(error) => Err(CannotOpen::Failed { path: path.to_owned(), reason: error.to_string() }),
    }
}

/// Returns whether an error has this SQLite code.
pub fn has_code(error: &sqlx::Error, number: &str) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == number)
}

fn refuse_newer(path: &Path, found: i64) -> Result<(), CannotOpen> {
    match found > VERSION {
        true => Err(CannotOpen::Newer { path: path.to_owned(), found }),
        false => Ok(()),
    }
}

async fn version(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("PRAGMA user_version").fetch_one(connection).await
}

/// Migrates a database version by version, each in a transaction.
async fn migrate(connection: &mut SqliteConnection, path: &Path) -> Result<(), CannotOpen> {
    let failed = |error: sqlx::Error| CannotOpen::Failed { path: path.to_owned(), reason: error.to_string() };
    loop {
        // Checked under the lock: another program may have just migrated.
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let version = version(&mut transaction).await.map_err(failed)?;
        refuse_newer(path, version)?;
        let Some(migration) = usize::try_from(version).ok().and_then(|done| MIGRATIONS.get(done)) else {
            return transaction.rollback().await.map_err(failed);
        };
        sqlx::raw_sql(*migration).execute(&mut *transaction).await.map_err(failed)?;
        let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {}", version + 1);
        // Safe: two integers from this file.
        sqlx::raw_sql(AssertSqlSafe(marks)).execute(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
    }
}
