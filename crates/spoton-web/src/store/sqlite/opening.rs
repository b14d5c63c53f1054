//! A file is made, looked at before it is touched, and brought up to date.

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

/// The tables, version after version. What stands here is never changed, only added to.
const MIGRATIONS: [&str; 3] = [
    include_str!("migrations/0001_first.sql"),
    include_str!("migrations/0002_people.sql"),
    include_str!("migrations/0003_played_books.sql"),
];

/// The newest version of the tables, which every database is brought to.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// Tells our databases from those of other programs: "Spot".
const APPLICATION: i64 = 0x5370_6f74;

/// How databases of SQLite begin.
const HEADER: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for somebody else who writes, such as another program that looks into the file.
const BUSY: Duration = Duration::from_secs(5);

/// How many connections read.
const READERS: u32 = 4;

/// What an acknowledged write outlasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The end of the program, and a cut of the power.
    PowerCut,
    /// Only the end of the program.
    Kill,
}

/// Why a database cannot be opened. It was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    #[error("{} is not a database. It was left as it is; name another file", .0.display())]
    NotADatabase(PathBuf),
    #[error("{} is a database of another program. It was left as it is; name another file", .0.display())]
    Foreign(PathBuf),
    #[error(
        "{} was written by a newer version of Spot On (its tables have version {found}, this program knows \
         {VERSION}). It was left as it is; start the newer program", .path.display()
    )]
    Newer { path: PathBuf, found: i64 },
    #[error(
        "{} is in use by another server{by}. Stop that one first, or choose another file with --data",
        .path.display()
    )]
    InUse { path: PathBuf, by: String },
    #[error("{} cannot be opened: {reason}", .path.display())]
    Failed { path: PathBuf, reason: String },
}

/// A database that is up to date.
pub struct Opened {
    pub path: PathBuf,
    pub files: Arc<Files>,
    pub writer: Writer,
    pub readers: SqlitePool,
}

pub async fn open(path: &Path, durability: Durability) -> Result<Opened, CannotOpen> {
    let failed = |reason: String| CannotOpen::Failed { path: path.to_owned(), reason };
    // SQLite would take names such as `file:x` for something else.
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
        // Pages that every batch changes are moved from the log into the file less often: 16 MiB of them at a time.
        .pragma("wal_autocheckpoint", "4096")
        // In KiB.
        .pragma("cache_size", "-32768")
        // What it takes to undo one statement of a batch need not go through the file system.
        .pragma("temp_store", "memory")
        // A long log beside the file, which only a long read makes grow, is cut when it has been moved.
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
            // A connection that is opened later must not read another file.
            move |_, _| {
                let in_place = files.verify().map_err(|lost| sqlx::Error::Io(io::Error::other(lost)));
                Box::pin(async move { in_place })
            }
        });
    let readers = pool.connect_with(options(&path).read_only(true)).await;
    let readers = readers.map_err(|error| failed(error.to_string()))?;
    Ok(Opened { path, files, writer, readers })
}

/// Connects. A new file is changed so that reading and writing need not wait for each other, and that is the one thing
/// SQLite does not wait for by itself, if somebody else opens the file in the same moment.
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

/// What all connections have in common.
pub fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).busy_timeout(BUSY).disable_statement_logging()
}

/// Whether a file may be a database. Where there is none, an empty one is made, for nobody else to read: it knows
/// everybody's names.
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

/// Makes an empty file that outlasts a power cut. SQLite sees to its content, not to its name.
pub fn create(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.sync_all()?;
    sync_folder_of(path)
}

/// Keeps the names of the files in a folder for good.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        // Elsewhere folders cannot be opened like this, and keep their names by themselves.
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Looks whether a database is ours and not from the future, without changing anything.
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

/// Whether an error is the one that SQLite numbers so.
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

/// Brings a database up to date, one version after another, each in whole or not at all.
async fn migrate(connection: &mut SqliteConnection, path: &Path) -> Result<(), CannotOpen> {
    let failed = |error: sqlx::Error| CannotOpen::Failed { path: path.to_owned(), reason: error.to_string() };
    loop {
        // The version is looked at under the lock: another program may have been faster.
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let version = version(&mut transaction).await.map_err(failed)?;
        refuse_newer(path, version)?;
        let Some(migration) = usize::try_from(version).ok().and_then(|done| MIGRATIONS.get(done)) else {
            return transaction.rollback().await.map_err(failed);
        };
        sqlx::raw_sql(*migration).execute(&mut *transaction).await.map_err(failed)?;
        let marks = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {}", version + 1);
        // Safe: two numbers of our own.
        sqlx::raw_sql(AssertSqlSafe(marks)).execute(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
    }
}
