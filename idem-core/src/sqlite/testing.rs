//! Moves rows of a file back in time, on a connection of its own (feature `testing`).

use super::waiting::patiently;
use super::{SqliteConnection, options, sort_error};
use crate::error::RepositoryError;
use crate::testing::Rows;
use sqlx::sqlite::SqliteQueryResult;
use sqlx::{Connection, query};
use std::time::Duration;

pub(crate) async fn age(url: &str, rows: Rows<'_>, by: Duration) -> Result<u64, RepositoryError> {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    let mut connection = connect(url).await?;
    let moving = match rows {
        Rows::Key(_) => query(include_str!("testing/age_key.sql")),
        Rows::Keys => query(include_str!("testing/age_keys.sql")),
        Rows::Cards => query(include_str!("testing/age_cards.sql")),
        Rows::Turns => query(include_str!("testing/age_turns.sql")),
        Rows::Runs => query(include_str!("testing/age_runs.sql")),
    };
    let mut moving = moving.bind(by);
    if let Rows::Key(key) = rows {
        moving = moving
            .bind(key.organization().as_uuid())
            .bind(key.scope().as_str())
            .bind(key.key().as_bytes().as_slice());
    }
    let moved = moving.execute(&mut connection).await;
    close(connection, moved).await
}

pub(crate) async fn pass_leases(url: &str) -> Result<u64, RepositoryError> {
    let mut connection = connect(url).await?;
    let moving = query(include_str!("testing/pass_leases.sql"));
    let moved = moving.execute(&mut connection).await;
    close(connection, moved).await
}

async fn connect(url: &str) -> Result<SqliteConnection, RepositoryError> {
    let options = options(url)?;
    patiently(url, || SqliteConnection::connect_with(&options)).await
}

async fn close(
    connection: SqliteConnection,
    moved: Result<SqliteQueryResult, sqlx::Error>,
) -> Result<u64, RepositoryError> {
    let rows = moved.map_err(sort_error)?.rows_affected();
    connection.close().await.map_err(sort_error)?;
    Ok(rows)
}
