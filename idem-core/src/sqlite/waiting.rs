//! Waiting for a file that another process writes to.
//!
//! SQLite's own wait looks again after 1, 2, 5, 10 and up to 100 ms, so beside a process that writes without a pause it
//! may never meet the moment between two of that one's commits. Here the writing connections look about every
//! millisecond.

use super::{SqliteStore, sort_error};
use crate::error::RepositoryError;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Execute, Sqlite};
use std::time::{Duration, Instant};

/// How long a statement waits for another process's writer.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(4);

/// How long SQLite itself waits on a connection that writes: it looks twice.
pub(super) const BUSY_SLICE: Duration = Duration::from_millis(2);

/// How long to wait before a file that is held is looked at again.
const LOOK_AFTER: Duration = Duration::from_millis(1);

/// A statement with what is bound to it.
pub(super) type Statement<'q> = Query<'q, Sqlite, SqliteArguments>;

/// The wait of one statement.
pub(super) struct Patience(Instant);

impl Patience {
    pub(super) fn new() -> Self {
        Self(Instant::now() + BUSY_TIMEOUT)
    }

    /// Waits a moment where the file was held and there is time left. `false`: the error is the answer.
    pub(super) async fn waits_out(&self, error: &sqlx::Error) -> bool {
        let waits = is_held(error) && Instant::now() < self.0;
        if waits {
            tokio::time::sleep(LOOK_AFTER).await;
        }
        waits
    }
}

impl SqliteStore {
    /// Runs a statement on the writing connection, to its end. The callers of this process queue for it in their order,
    /// and the first of them waits for other processes.
    pub(super) async fn write(
        &self,
        statement: Statement<'_>,
    ) -> Result<Vec<SqliteRow>, RepositoryError> {
        let mut connection = self.writer.acquire().await.map_err(sort_error)?;
        write_on(&mut connection, statement)
            .await
            .map_err(sort_error)
    }

    /// As [`write`](Self::write), for a statement that does nothing where `there` finds a row: then it is not run, and
    /// there are no rows. Nobody waits for the file to be told that another caller was first.
    pub(super) async fn write_unless(
        &self,
        there: Statement<'_>,
        statement: Statement<'_>,
    ) -> Result<Vec<SqliteRow>, RepositoryError> {
        let mut connection = self.writer.acquire().await.map_err(sort_error)?;
        let found = there.fetch_all(&mut *connection).await;
        if !found.map_err(sort_error)?.is_empty() {
            return Ok(Vec::new());
        }
        write_on(&mut connection, statement)
            .await
            .map_err(sort_error)
    }
}

pub(super) async fn write_on(
    connection: &mut SqliteConnection,
    mut statement: Statement<'_>,
) -> Result<Vec<SqliteRow>, sqlx::Error> {
    let bound = statement.take_arguments().map_err(sqlx::Error::Encode)?;
    let (bound, sql) = (bound.unwrap_or_default(), statement.sql());
    let patience = Patience::new();
    loop {
        // What is bound is shared, not copied.
        let statement = sqlx::query_with(sql.clone(), bound.clone());
        match statement.fetch_all(&mut *connection).await {
            Err(error) if patience.waits_out(&error).await => {}
            answer => return answer,
        }
    }
}

/// Opens a file and waits out whoever holds it, at most [`BUSY_TIMEOUT`].
///
/// SQLite's own busy time-out does not cover the change of a fresh file to WAL: of several that open it at once, those
/// that would have to wait are told at once that it is held.
pub(super) async fn patiently<T, Opening>(
    url: &str,
    open: impl Fn() -> Opening,
) -> Result<T, RepositoryError>
where
    Opening: Future<Output = Result<T, sqlx::Error>>,
{
    let patience = Patience::new();
    loop {
        match open().await {
            Err(error) if patience.waits_out(&error).await => {}
            opened => return opened.map_err(|error| unopened(url, &error)),
        }
    }
}

/// The primary result code, which is the low byte of the extended one.
fn primary_code(error: &sqlx::Error) -> Option<i64> {
    const PRIMARY: i64 = 0xff;

    let code = error.as_database_error()?.code()?;
    code.parse::<i64>().ok().map(|code| code & PRIMARY)
}

fn is_held(error: &sqlx::Error) -> bool {
    const BUSY: i64 = 5;
    const LOCKED: i64 = 6;

    matches!(primary_code(error), Some(BUSY | LOCKED))
}

fn unopened(url: &str, error: &sqlx::Error) -> RepositoryError {
    const NOT_A_DATABASE: i64 = 26;

    if primary_code(error) == Some(NOT_A_DATABASE) {
        return RepositoryError::Address(format!(
            "{url} is not a database: name a SQLite file, or one that is not there yet"
        ));
    }
    let advice = if is_held(error) {
        "another connection holds it: wait until that one is done, and open it again"
    } else {
        "its folder must exist and be writable"
    };
    RepositoryError::Unavailable(format!("{url} cannot be opened ({error}): {advice}").into())
}
