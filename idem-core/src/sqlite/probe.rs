//! What a connection must promise before any claim is made: a file, WAL, every commit synced, schema (R19).

use super::migrate::{NEWEST, refuse_newer, schema_version};
use super::waiting::write_on;
use super::{SqliteStore, sort_error};
use crate::error::RepositoryError;
use crate::repository::Probe;
use crate::stores::row::{StoredRow, get};
use sqlx::sqlite::SqliteRow;

/// `PRAGMA synchronous` counts OFF, NORMAL, FULL, EXTRA from zero.
const SYNCHRONOUS_FULL: i64 = 2;

pub(super) async fn probe(store: &SqliteStore) -> Result<Probe, RepositoryError> {
    let mut connection = store.writer.acquire().await.map_err(sort_error)?;
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
    // A file without write permission opens, reads, and fails only at the first claim.
    write_on(
        &mut connection,
        sqlx::query(include_str!("sql/probe_write.sql")),
    )
    .await
    .map_err(sort_error)?;
    Ok(Probe {
        store: "SQLite",
        clock: row.instant("clock_ms")?,
    })
}

fn check(row: &SqliteRow) -> Result<(), RepositoryError> {
    let file: Option<String> = get(row, "file")?;
    if file.is_none_or(|file| file.is_empty()) {
        return Err(RepositoryError::Address(
            "this SQLite database is in memory; a store needs a file, such as `sqlite://agent.db`"
                .to_owned(),
        ));
    }
    if get::<i64>(row, "query_only")? != 0 {
        return Err(RepositoryError::ReadOnly(
            "`PRAGMA query_only` is on".to_owned(),
        ));
    }
    let synchronous: i64 = get(row, "synchronous")?;
    if synchronous < SYNCHRONOUS_FULL {
        let found = if synchronous == 0 { "OFF" } else { "NORMAL" }.to_owned();
        let remedy = "open the pool with `.synchronous(SqliteSynchronous::Full)`".to_owned();
        return Err(RepositoryError::NotDurable {
            setting: "PRAGMA synchronous",
            found,
            remedy,
        });
    }
    let journal: String = get(row, "journal_mode")?;
    if journal != "wal" {
        return Err(RepositoryError::Session {
            setting: "PRAGMA journal_mode",
            found: journal,
            needed: "`wal`, so that readers and the writer do not lock each other out",
            remedy: "open the pool with `.journal_mode(SqliteJournalMode::Wal)`".to_owned(),
        });
    }
    Ok(())
}
