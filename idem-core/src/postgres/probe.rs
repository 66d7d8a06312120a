//! What a session must promise before any claim is made: durability, isolation, lock waits, schema (R9, R19).

use super::migrate::{NEWEST, refuse_newer, schema_version};
use super::{PostgresStore, sort_error};
use crate::error::RepositoryError;
use crate::repository::Probe;
use sqlx::Row;
use sqlx::postgres::PgRow;

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
    let rows = sqlx::query(include_str!("sql/probe.sql"))
        .fetch_all(&mut *connection)
        .await
        .map_err(sort_error)?;
    let Some(row) = rows.first() else {
        return Err(RepositoryError::Corrupt(
            "the probe answered no row".to_owned(),
        ));
    };
    check(row)?;
    let clock = row.try_get("clock").map_err(sort_error)?;
    Ok(Probe {
        store: "PostgreSQL",
        clock,
    })
}

fn check(row: &PgRow) -> Result<(), RepositoryError> {
    let text = |name: &str| row.try_get::<String, _>(name).map_err(sort_error);
    let replica: bool = row.try_get("replica").map_err(sort_error)?;
    if replica {
        return Err(RepositoryError::ReadOnly(
            "this server is a replica in recovery".to_owned(),
        ));
    }
    if text("read_only")? == "on" {
        return Err(RepositoryError::ReadOnly(
            "transactions of this role are read-only".to_owned(),
        ));
    }
    let alter = |setting: &str, value: &str| -> Result<String, RepositoryError> {
        let (role, database) = (quote(&text("role")?), quote(&text("database")?));
        Ok(format!(
            "run `ALTER ROLE {role} IN DATABASE {database} SET {setting} = {value}` and connect again"
        ))
    };
    let commit = text("synchronous_commit")?;
    if commit == "off" {
        let remedy = alter("synchronous_commit", "on")?;
        return Err(RepositoryError::NotDurable {
            setting: "synchronous_commit",
            found: commit,
            remedy,
        });
    }
    let fsync = text("fsync")?;
    if fsync != "on" {
        let remedy = "set `fsync = on` in the server's configuration and reload it".to_owned();
        return Err(RepositoryError::NotDurable {
            setting: "fsync",
            found: fsync,
            remedy,
        });
    }
    let isolation = text("isolation")?;
    if isolation != "read committed" {
        let remedy = alter("default_transaction_isolation", "'read committed'")?;
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
            remedy: alter("lock_timeout", "'5s'")?,
        });
    }
    Ok(())
}

/// An identifier as it is written in a statement, for the reader to copy.
fn quote(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}
