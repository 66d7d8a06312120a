//! What a session must promise before any claim is made: durability, isolation, lock waits, schema (R9, R19).

use super::migrate::{NEWEST, refuse_newer, schema_version};
use super::{PostgresStore, sort_error};
use crate::error::RepositoryError;
use crate::repository::Probe;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

/// The longest a statement may wait for a row: with the wait for a connection it stays below a lease's margin.
const LOCK_TIMEOUT_MS_MAX: i64 = 5_000;

pub(super) async fn probe(store: &PostgresStore) -> Result<Probe, RepositoryError> {
    let mut connection = store.pool.acquire().await.map_err(sort_error)?;
    let found = schema_version(&mut connection).await?;
    if let Some(found) = found {
        refuse_newer(found)?;
    }
    if found != Some(NEWEST) {
        return Err(RepositoryError::SchemaOlder {
            found: found.unwrap_or(0),
            known: NEWEST,
        });
    }
    let row = session(&mut connection).await?;
    check(&row)?;
    let clock = row.try_get("clock").map_err(sort_error)?;
    Ok(Probe {
        store: "PostgreSQL",
        clock,
    })
}

/// What the session says of itself.
async fn session(connection: &mut PgConnection) -> Result<PgRow, RepositoryError> {
    let mut rows = sqlx::query(include_str!("sql/probe.sql"))
        .fetch_all(connection)
        .await
        .map_err(sort_error)?;
    rows.pop()
        .ok_or_else(|| RepositoryError::Corrupt("the probe answered no row".to_owned()))
}

/// Refuses a session that cannot write, before a migration fails for it.
pub(super) async fn check_writable(connection: &mut PgConnection) -> Result<(), RepositoryError> {
    writable(&session(connection).await?)
}

fn text(row: &PgRow, name: &str) -> Result<String, RepositoryError> {
    row.try_get(name).map_err(sort_error)
}

/// The statement that gives this role's sessions in this database another default.
fn alter(row: &PgRow, setting: &str, value: &str) -> Result<String, RepositoryError> {
    let (role, database) = (quote(&text(row, "role")?), quote(&text(row, "database")?));
    Ok(format!(
        "run `ALTER ROLE {role} IN DATABASE {database} SET {setting} = {value}` and connect again"
    ))
}

fn writable(row: &PgRow) -> Result<(), RepositoryError> {
    let replica: bool = row.try_get("replica").map_err(sort_error)?;
    if replica {
        return Err(RepositoryError::ReadOnly(
            "this server is a replica in recovery".to_owned(),
        ));
    }
    if text(row, "read_only")? == "on" {
        let remedy = alter(row, "default_transaction_read_only", "off")?;
        return Err(RepositoryError::ReadOnly(format!(
            "transactions of this role are ({remedy})"
        )));
    }
    Ok(())
}

fn check(row: &PgRow) -> Result<(), RepositoryError> {
    writable(row)?;
    let commit = text(row, "synchronous_commit")?;
    if commit == "off" {
        let remedy = alter(row, "synchronous_commit", "on")?;
        return Err(RepositoryError::NotDurable {
            setting: "synchronous_commit",
            found: commit,
            remedy,
        });
    }
    let fsync = text(row, "fsync")?;
    if fsync != "on" {
        let remedy = "set `fsync = on` in the server's configuration and reload it".to_owned();
        return Err(RepositoryError::NotDurable {
            setting: "fsync",
            found: fsync,
            remedy,
        });
    }
    let isolation = text(row, "isolation")?;
    if isolation != "read committed" {
        let remedy = alter(row, "default_transaction_isolation", "'read committed'")?;
        return Err(RepositoryError::Session {
            setting: "default_transaction_isolation",
            found: isolation,
            needed: "`read committed`",
            remedy,
        });
    }
    let lock_timeout_ms: i64 = row.try_get("lock_timeout_ms").map_err(sort_error)?;
    if !(1..=LOCK_TIMEOUT_MS_MAX).contains(&lock_timeout_ms) {
        return Err(RepositoryError::Session {
            setting: "lock_timeout",
            found: format!("{lock_timeout_ms}ms"),
            needed: "1ms to 5s, so that a wait cannot eat a lease",
            remedy: alter(row, "lock_timeout", "'5s'")?,
        });
    }
    Ok(())
}

/// An identifier as it is written in a statement, for the reader to copy.
fn quote(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}
