//! The schema: created and migrated under a lock, so several nodes may start together.
//!
//! Nodes are replaced one by one, so for a while an older program uses a newer schema. A migration therefore only adds
//! things that older programs don't notice, and `about.oldest` names the oldest version that may still write. Raise it
//! one release later, once no older node runs.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};

use super::server::Server;
use super::{CannotOpen, LOCK_OF_SCHEMA};

/// The schema, version by version. Append-only: never change a released migration.
const MIGRATIONS: [&str; 2] =
    [include_str!("migrations/0001_first.sql"), include_str!("migrations/0002_codes.sql")];

/// The current schema version.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// The oldest version that may write to the current schema.
const OLDEST: i64 = 1;

/// One row: the version, the oldest one that may write, and whether `move-data` is still filling the database.
const ABOUT: &str = "CREATE TABLE about (
    one integer NOT NULL PRIMARY KEY CHECK (one = 1),
    version bigint NOT NULL,
    oldest bigint NOT NULL,
    is_moving boolean NOT NULL DEFAULT false
);
INSERT INTO about (one, version, oldest) VALUES (1, 0, 0)";

const HAS_ABOUT: &str = "SELECT to_regclass('spoton.about') IS NOT NULL";
const HAS_OTHERS: &str =
    "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('spoton') AND relkind = 'r')";

/// Returns the oldest version that may write, and whether `move-data` is still filling the database.
pub async fn about(connection: &mut PgConnection) -> sqlx::Result<(i64, bool)> {
    sqlx::query_as("SELECT oldest, is_moving FROM about").persistent(false).fetch_one(connection).await
}

/// Creates the schema or brings it up to date.
pub async fn migrate(server: &Server) -> Result<(), CannotOpen> {
    let failed = |error: sqlx::Error| CannotOpen::failed(server, error.to_string());
    let mut connection = server.connect_any_version().await.map_err(|none| CannotOpen::none(server, none))?;
    let mut transaction = connection.begin().await.map_err(failed)?;
    // Another node may be migrating much data.
    let patience =
        "SELECT set_config('lock_timeout', '60s', true), set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)";
    sqlx::query(patience).execute(&mut *transaction).await.map_err(failed)?;
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK_OF_SCHEMA);
    lock.execute(&mut *transaction).await.map_err(failed)?;
    let has_about: bool = sqlx::query_scalar(HAS_ABOUT).fetch_one(&mut *transaction).await.map_err(failed)?;
    if !has_about {
        let is_foreign: bool =
            sqlx::query_scalar(HAS_OTHERS).fetch_one(&mut *transaction).await.map_err(failed)?;
        if is_foreign {
            return Err(CannotOpen::Foreign(server.address.to_string()));
        }
        sqlx::raw_sql("CREATE SCHEMA IF NOT EXISTS spoton")
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
        sqlx::raw_sql(ABOUT).execute(&mut *transaction).await.map_err(failed)?;
    }
    let about: (i64, i64) = sqlx::query_as("SELECT version, oldest FROM about")
        .fetch_one(&mut *transaction)
        .await
        .map_err(failed)?;
    let (version, oldest) = about;
    if oldest > VERSION {
        return Err(CannotOpen::Newer { address: server.address.to_string(), oldest });
    }
    let done = usize::try_from(version).unwrap_or(0);
    if done < MIGRATIONS.len() {
        for migration in &MIGRATIONS[done..] {
            sqlx::raw_sql(*migration).execute(&mut *transaction).await.map_err(failed)?;
        }
        let mark = format!("UPDATE about SET version = {VERSION}, oldest = greatest(oldest, {OLDEST})");
        // Safe: two integers from this file.
        sqlx::raw_sql(AssertSqlSafe(mark)).execute(&mut *transaction).await.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)?;
    connection.close().await.ok();
    Ok(())
}
