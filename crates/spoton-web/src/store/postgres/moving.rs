//! Moves the data of a stopped SQLite server into an empty database.
//!
//! Tables are copied in the order of their keys, so the last key there shows where an interrupted move resumes. Until
//! both sides have the same number of rows and the same hash, `about.is_moving` keeps servers out.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row};

use super::rows::{from_text, to_text};
use super::schema;
use super::server::Server;
use super::{Address, CannotOpen, Durability, LOCK_OF_MOVING};
use crate::store::sqlite::{self, ServerLock, SqliteStore};

/// Rows per transaction.
const STEP: i64 = 1000;

/// How often progress is reported.
const REPORT: Duration = Duration::from_secs(2);

/// Why the data wasn't moved. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CannotMove {
    #[error("no database at {}; choose one with --from", .0.display())]
    Missing(PathBuf),
    #[error(transparent)]
    File(#[from] sqlite::CannotOpen),
    #[error(transparent)]
    Target(#[from] CannotOpen),
    #[error("{0} already has data. Choose an empty database")]
    NotEmpty(String),
    #[error("another move into {0} is running")]
    Running(String),
    #[error("the move was interrupted: {0}. Run the same command again to resume")]
    Interrupted(#[from] sqlx::Error),
    #[error(
        "the copies of table {table} differ: {from} rows were read and {to} were written, or one of them changed. Drop \
         the schema \"spoton\" and start again"
    )]
    Differs { table: &'static str, from: u64, to: u64 },
}

#[derive(Clone, Copy)]
enum Kind {
    Bytes,
    Integer,
    /// May be missing.
    Time,
    Small,
    Flag,
    Text,
}

#[derive(Clone, Debug)]
enum Value {
    Bytes(Vec<u8>),
    Integer(i64),
    Text(String),
    Nothing,
}

struct Table {
    name: &'static str,
    columns: &'static [(&'static str, Kind)],
    /// The number of columns in the key; they come first.
    key: usize,
}

/// The tables in an order that satisfies the references.
const TABLES: [Table; 10] = [
    Table {
        name: "sitting",
        columns: &[
            ("id", Kind::Bytes),
            ("seq", Kind::Integer),
            ("at", Kind::Integer),
            ("moved", Kind::Flag),
            ("waits_for", Kind::Small),
        ],
        key: 1,
    },
    Table {
        name: "event",
        columns: &[
            ("id", Kind::Bytes),
            ("seq", Kind::Integer),
            ("at", Kind::Integer),
            ("body", Kind::Text),
            ("sum", Kind::Bytes),
        ],
        key: 2,
    },
    Table {
        name: "seat",
        columns: &[("id", Kind::Bytes), ("player", Kind::Small), ("holder", Kind::Bytes)],
        key: 2,
    },
    Table {
        name: "invitation",
        columns: &[
            ("id", Kind::Bytes),
            ("secret", Kind::Bytes),
            ("player", Kind::Small),
            ("until", Kind::Time),
        ],
        key: 2,
    },
    Table {
        name: "book",
        columns: &[
            ("hash", Kind::Bytes),
            ("short", Kind::Text),
            ("used", Kind::Integer),
            ("last_played", Kind::Integer),
            ("text", Kind::Text),
        ],
        key: 1,
    },
    Table { name: "played", columns: &[("id", Kind::Bytes), ("book", Kind::Bytes)], key: 2 },
    Table {
        name: "class",
        columns: &[
            ("code", Kind::Text),
            ("holder", Kind::Bytes),
            ("until", Kind::Integer),
            ("is_open", Kind::Flag),
            ("plays", Kind::Text),
        ],
        key: 1,
    },
    Table {
        name: "of_class",
        columns: &[
            ("place", Kind::Integer),
            ("id", Kind::Bytes),
            ("code", Kind::Text),
            ("holder", Kind::Bytes),
        ],
        key: 1,
    },
    Table {
        name: "remembered",
        columns: &[
            ("holder", Kind::Bytes),
            ("key", Kind::Text),
            ("value", Kind::Text),
            ("at", Kind::Integer),
        ],
        key: 2,
    },
    Table {
        name: "asked",
        columns: &[
            ("key", Kind::Bytes),
            ("id", Kind::Bytes),
            ("at", Kind::Integer),
            ("body", Kind::Bytes),
            ("answer", Kind::Text),
        ],
        key: 1,
    },
];

/// Moves the data of a file, or resumes that. Returns the number of rows.
///
/// # Errors
///
/// Fails if a server uses the file, or the database has other data.
pub async fn move_data(
    from: &Path,
    to: Address,
    durability: Durability,
    mut report: impl FnMut(String),
) -> Result<u64, CannotMove> {
    // Opening a missing file would create it.
    if !from.exists() {
        return Err(CannotMove::Missing(from.to_owned()));
    }
    let _lock = ServerLock::take(from)?;
    // Migrates it and empties its log.
    SqliteStore::open(from).await?.close().await;
    let path = std::path::absolute(from).map_err(sqlx::Error::Io)?;
    let options = SqliteConnectOptions::new().filename(path).read_only(true).disable_statement_logging();
    let mut file = options.connect().await?;
    let server = Server::new(to, durability == Durability::Unchecked);
    schema::migrate(&server).await?;
    let connected = server.connect_any_version().await;
    let mut target = connected.map_err(|none| CannotOpen::none(&server, none))?;
    begin(&mut target, &server).await?;

    let mut total: u64 = 0;
    for table in &TABLES {
        let text = format!("SELECT count(*) FROM {}", table.name);
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(&mut file).await?;
        total += rows.unsigned_abs();
    }
    let (mut moved, mut reported) = (0, Instant::now());
    report(format!("Moving {total} rows"));
    for table in &TABLES {
        moved += copied(&mut target, table).await?;
        let mut after = last_key(&mut target, table).await?;
        loop {
            let rows = from_file(&mut file, table, &after).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last[..table.key].to_vec());
            moved += rows.len() as u64;
            insert(&mut target, table, rows).await?;
            if reported.elapsed() >= REPORT {
                reported = Instant::now();
                report(format!("Moved {moved} of {total} rows"));
            }
        }
    }
    report("Comparing both sides".to_owned());
    for table in &TABLES {
        compare(&mut file, &mut target, table).await?;
    }
    // The next place comes after the moved ones.
    let place =
        "SELECT setval(pg_get_serial_sequence('of_class', 'place'), coalesce(max(place), 0) + 1, false)
        FROM of_class";
    sqlx::query(place).execute(&mut target).await?;
    sqlx::query("UPDATE about SET is_moving = false").execute(&mut target).await?;
    let bytes = "UPDATE sitting SET bytes = (SELECT coalesce(sum(octet_length(body) + 160), 0) FROM event WHERE event.id = sitting.id)";
    sqlx::query(bytes).execute(&mut target).await?;
    // The query planner needs statistics for the server's first queries.
    for table in &TABLES {
        sqlx::query(AssertSqlSafe(format!("ANALYZE {}", table.name))).execute(&mut target).await?;
    }
    target.close().await.ok();
    file.close().await.ok();
    Ok(total)
}

/// Locks servers and other moves out.
async fn begin(target: &mut PgConnection, server: &Server) -> Result<(), CannotMove> {
    sqlx::query("SELECT set_config('statement_timeout', '0', false)").execute(&mut *target).await?;
    let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK_OF_MOVING);
    if !lock.fetch_one(&mut *target).await? {
        return Err(CannotMove::Running(server.address.to_string()));
    }
    let (_, is_moving) = schema::about(&mut *target).await?;
    if !is_moving {
        for table in &TABLES {
            if copied(&mut *target, table).await? > 0 {
                return Err(CannotMove::NotEmpty(server.address.to_string()));
            }
        }
        sqlx::query("UPDATE about SET is_moving = true").execute(&mut *target).await?;
    }
    Ok(())
}

/// Returns the number of rows in the target.
async fn copied(target: &mut PgConnection, table: &Table) -> sqlx::Result<u64> {
    let text = format!("SELECT count(*) FROM {}", table.name);
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(target).await?;
    Ok(count.unsigned_abs())
}

impl Table {
    fn names(&self, columns: usize) -> String {
        self.columns[..columns].iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Selects a step of rows, the first or one after a key. `place` names a placeholder.
    fn step(&self, has_key: bool, place: impl Fn(usize) -> String) -> String {
        let (all, key) = (self.names(self.columns.len()), self.names(self.key));
        let places = (1..=self.key).map(place).collect::<Vec<_>>().join(", ");
        let after = if has_key { format!("WHERE ({key}) > ({places})") } else { String::new() };
        format!("SELECT {all} FROM {} {after} ORDER BY {key} LIMIT {STEP}", self.name)
    }
}

async fn last_key(target: &mut PgConnection, table: &Table) -> sqlx::Result<Option<Vec<Value>>> {
    let (all, name) = (table.names(table.columns.len()), table.name);
    let descending = table.columns[..table.key].iter().map(|(name, _)| format!("{name} DESC"));
    let descending = descending.collect::<Vec<_>>().join(", ");
    let text = format!("SELECT {all} FROM {name} ORDER BY {descending} LIMIT 1");
    let row = sqlx::query(AssertSqlSafe(text)).fetch_optional(target).await?;
    Ok(row.map(|row| postgres_row(&row, table)).transpose()?.map(|row| row[..table.key].to_vec()))
}

async fn from_file(
    file: &mut SqliteConnection,
    table: &Table,
    after: &Option<Vec<Value>>,
) -> sqlx::Result<Vec<Vec<Value>>> {
    let text = table.step(after.is_some(), |_| "?".to_owned());
    // Safe: this file's names. The same for the other statements here.
    let mut query = sqlx::query(AssertSqlSafe(text));
    for value in after.iter().flatten() {
        query = match value.clone() {
            Value::Bytes(bytes) => query.bind(bytes),
            Value::Integer(number) => query.bind(number),
            Value::Text(text) => query.bind(text),
            Value::Nothing => query.bind(None::<i64>),
        };
    }
    query.fetch_all(file).await?.iter().map(|row| file_row(row, table)).collect()
}

async fn from_target(
    target: &mut PgConnection,
    table: &Table,
    after: &Option<Vec<Value>>,
) -> sqlx::Result<Vec<Vec<Value>>> {
    let text = table.step(after.is_some(), |place| format!("${place}"));
    let mut query = sqlx::query(AssertSqlSafe(text));
    for (value, (_, kind)) in after.iter().flatten().zip(table.columns) {
        query = match (value.clone(), kind) {
            (Value::Bytes(bytes), _) => query.bind(bytes),
            (Value::Integer(number), Kind::Small) => query.bind(small(number)),
            (Value::Integer(number), _) => query.bind(number),
            (Value::Text(text), _) => query.bind(to_text(&text)),
            (Value::Nothing, _) => query.bind(None::<i64>),
        };
    }
    query.fetch_all(target).await?.iter().map(|row| postgres_row(row, table)).collect()
}

fn file_row(row: &SqliteRow, table: &Table) -> sqlx::Result<Vec<Value>> {
    let value = |(column, (_, kind)): (usize, &(&str, Kind))| {
        Ok(match kind {
            Kind::Bytes => Value::Bytes(row.try_get(column)?),
            Kind::Text => {
                // As bytes: a corrupted text may not be UTF-8, and its checksum shows that it's corrupted.
                let bytes: Vec<u8> = row.try_get_unchecked(column)?;
                Value::Text(String::from_utf8_lossy(&bytes).into_owned())
            }
            Kind::Integer | Kind::Small | Kind::Flag => Value::Integer(row.try_get(column)?),
            Kind::Time => row.try_get::<Option<i64>, _>(column)?.map_or(Value::Nothing, Value::Integer),
        })
    };
    table.columns.iter().enumerate().map(value).collect()
}

fn postgres_row(row: &PgRow, table: &Table) -> sqlx::Result<Vec<Value>> {
    let value = |(column, (_, kind)): (usize, &(&str, Kind))| {
        Ok(match kind {
            Kind::Bytes => Value::Bytes(row.try_get(column)?),
            Kind::Text => Value::Text(from_text(row.try_get(column)?)),
            Kind::Integer => Value::Integer(row.try_get(column)?),
            Kind::Small => Value::Integer(row.try_get::<i16, _>(column)?.into()),
            Kind::Flag => Value::Integer(row.try_get::<bool, _>(column)?.into()),
            Kind::Time => row.try_get::<Option<i64>, _>(column)?.map_or(Value::Nothing, Value::Integer),
        })
    };
    table.columns.iter().enumerate().map(value).collect()
}

fn small(number: i64) -> i16 {
    i16::try_from(number).unwrap_or(0)
}

/// Inserts rows in one transaction, so a step is all or nothing.
async fn insert(target: &mut PgConnection, table: &Table, rows: Vec<Vec<Value>>) -> sqlx::Result<()> {
    let kinds = table.columns.iter().enumerate().map(|(place, (_, kind))| {
        let kind = match kind {
            Kind::Bytes => "bytea[]",
            Kind::Integer | Kind::Time => "int8[]",
            Kind::Small => "int2[]",
            Kind::Flag => "bool[]",
            Kind::Text => "text[]",
        };
        format!("${}::{kind}", place + 1)
    });
    let (names, kinds) = (table.names(table.columns.len()), kinds.collect::<Vec<_>>().join(", "));
    let text = format!("INSERT INTO {} ({names}) SELECT * FROM unnest({kinds})", table.name);
    let mut query = sqlx::query(AssertSqlSafe(text));
    for (column, (_, kind)) in table.columns.iter().enumerate() {
        let values = rows.iter().map(|row| row[column].clone());
        let number = |value: Value| if let Value::Integer(number) = value { Some(number) } else { None };
        query = match kind {
            Kind::Bytes => query.bind(values.map(bytes_of).collect::<Vec<_>>()),
            Kind::Text => query.bind(values.map(text_of).collect::<Vec<_>>()),
            Kind::Integer | Kind::Time => query.bind(values.map(number).collect::<Vec<_>>()),
            Kind::Small => query.bind(values.map(|value| number(value).map(small)).collect::<Vec<_>>()),
            Kind::Flag => {
                query.bind(values.map(|value| number(value).map(|flag| flag != 0)).collect::<Vec<_>>())
            }
        };
    }
    query.execute(target).await.map(|_| ())
}

fn bytes_of(value: Value) -> Vec<u8> {
    if let Value::Bytes(bytes) = value { bytes } else { vec![] }
}

fn text_of(value: Value) -> String {
    if let Value::Text(text) = value { to_text(&text) } else { String::new() }
}

/// Compares a table on both sides.
async fn compare(
    file: &mut SqliteConnection,
    target: &mut PgConnection,
    table: &Table,
) -> Result<(), CannotMove> {
    let (mut from, mut to) = (Side::default(), Side::default());
    loop {
        let rows = from_file(&mut *file, table, &from.after).await?;
        if !from.takes(rows, table) {
            break;
        }
    }
    loop {
        let rows = from_target(&mut *target, table, &to.after).await?;
        if !to.takes(rows, table) {
            break;
        }
    }
    let is_same = from.count == to.count && from.hash.finalize() == to.hash.finalize();
    if is_same {
        return Ok(());
    }
    Err(CannotMove::Differs { table: table.name, from: from.count, to: to.count })
}

/// A side's rows so far.
#[derive(Default)]
struct Side {
    hash: Sha256,
    count: u64,
    after: Option<Vec<Value>>,
}

impl Side {
    /// Adds rows; `false` if there are none.
    fn takes(&mut self, rows: Vec<Vec<Value>>, table: &Table) -> bool {
        for value in rows.iter().flatten() {
            let (kind, bytes) = match value {
                Value::Bytes(bytes) => (b'b', bytes.clone()),
                Value::Integer(number) => (b'i', number.to_be_bytes().to_vec()),
                Value::Text(text) => (b't', text.clone().into_bytes()),
                Value::Nothing => (b'n', vec![]),
            };
            self.hash.update([kind]);
            self.hash.update((bytes.len() as u64).to_be_bytes());
            self.hash.update(bytes);
        }
        self.count += rows.len() as u64;
        self.after = rows.last().map(|row| row[..table.key].to_vec());
        self.after.is_some()
    }
}
