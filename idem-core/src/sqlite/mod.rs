//! The embedded store: one file on one machine, WAL, every commit synced, its own clock.
//!
//! This file opens and checks; `repository.rs` binds; the statements are in `sql/`, one a file, twins of PostgreSQL's.

mod approval;
mod inspection;
mod many;
mod migrate;
mod probe;
mod repository;
mod row;
mod run;
#[cfg(feature = "testing")]
pub(crate) mod testing;
mod transaction;
mod waiting;

/// The driver's connection, as a transaction lends it.
pub use sqlx::SqliteConnection;
pub use transaction::SqliteTransaction;

use crate::error::RepositoryError;
use sqlx::query;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use waiting::Statement;

/// How long a statement waits for this process's writer. With [`waiting::BUSY_TIMEOUT`] it stays below a lease's margin.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// Connections that only read.
const READERS_MAX: u32 = 4;

/// A row, as the driver gives it.
type Row = sqlx::sqlite::SqliteRow;

/// The plane in a SQLite file. Cheap to clone; every clone shares the pools.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    writer: SqlitePool,
    reader: SqlitePool,
}

impl SqliteStore {
    /// Opens a file, `sqlite://agent.db`, and makes it where it is missing. Nothing is migrated and nothing checked.
    ///
    /// SQLite has one writer at a time, so this process has one writing connection and its callers queue for it.
    ///
    /// # Errors
    ///
    /// [`RepositoryError::Address`] for a URL that cannot be read or that names no file: a database in memory is
    /// another one for each connection and gone with the process. [`RepositoryError::Unavailable`] for a file that
    /// cannot be opened.
    pub async fn connect(url: &str) -> Result<Self, RepositoryError> {
        Self::connect_with(url, options(url)?).await
    }

    /// As [`connect`](Self::connect), and a file that is missing is refused and not made.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect), and [`RepositoryError::SchemaOlder`] where there is no such file in its folder.
    pub async fn connect_existing(url: &str) -> Result<Self, RepositoryError> {
        let options = options(url)?.create_if_missing(false);
        let file = options.get_filename();
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if !file.exists() && folder.is_none_or(std::path::Path::exists) {
            let known = migrate::NEWEST;
            return Err(RepositoryError::SchemaOlder { found: 0, known });
        }
        Self::connect_with(url, options).await
    }

    async fn connect_with(
        url: &str,
        options: SqliteConnectOptions,
    ) -> Result<Self, RepositoryError> {
        let pool = |connections| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .test_before_acquire(false)
        };
        let writing = options.clone().busy_timeout(waiting::BUSY_SLICE);
        let writer = waiting::patiently(url, || pool(1).connect_with(writing.clone())).await?;
        let reader = pool(READERS_MAX).connect_lazy_with(options);
        Ok(Self { writer, reader })
    }

    /// The plane in an application's own file, over its own pool. The plane holds no connection while a tool's body
    /// runs. Its connections must be `synchronous = FULL`; the start-up check refuses less.
    #[must_use]
    pub fn from_pool(pool: SqlitePool) -> Self {
        Self {
            writer: pool.clone(),
            reader: pool,
        }
    }

    /// The pool whose connections write. A statement on it does not wait until another process has written, as
    /// [`begin`](Self::begin) does; the application's own statements need a pool of their own.
    #[must_use]
    pub fn pool(&self) -> &SqlitePool {
        &self.writer
    }

    /// Runs a statement that only looks.
    async fn look(&self, statement: Statement<'_>) -> Result<Vec<Row>, RepositoryError> {
        statement.fetch_all(&self.reader).await.map_err(sort_error)
    }
}

pub(crate) fn missing_file(url: &str) -> Option<PathBuf> {
    let file = options(url).ok()?.get_filename().to_owned();
    (!file.exists()).then_some(file)
}

/// A duration as the statements count it: in milliseconds, none too short, and so few that the clock can add them.
fn span(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX / 2)
}

fn options(url: &str) -> Result<SqliteConnectOptions, RepositoryError> {
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    let names_nothing = matches!(place.trim_end_matches('/'), "sqlite:" | "sqlite");
    if in_memory || names_nothing {
        return Err(RepositoryError::Address(
            "a SQLite store needs a file, such as `sqlite://agent.db`: a database in memory is another one for \
             each connection, and it is gone with the process, which is when a repeat arrives"
                .to_owned(),
        ));
    }
    let read_only = ["mode=ro", "immutable=true", "immutable=1"];
    if let Some(option) = query.split('&').find(|option| read_only.contains(option)) {
        return Err(RepositoryError::ReadOnly(format!(
            "its address says `{option}`"
        )));
    }
    let options = SqliteConnectOptions::from_str(url).map_err(|error| {
        RepositoryError::Address(format!(
            "the store's address cannot be read ({error}): write `sqlite://folder/agent.db`"
        ))
    })?;
    Ok(options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(waiting::BUSY_TIMEOUT))
}

/// Sorts a driver's error: asked again it may work, it is read-only, or it was refused.
pub(crate) fn sort_error(error: sqlx::Error) -> RepositoryError {
    /// The low byte of SQLite's extended result codes is the primary one.
    const PRIMARY: i64 = 0xff;
    const READ_ONLY: i64 = 8;
    /// Not about what was written: NOMEM, BUSY, LOCKED, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
    const TRANSIENT: [i64; 8] = [7, 5, 6, 9, 10, 13, 14, 15];

    let code = match &error {
        sqlx::Error::Database(database) => {
            database
                .code()
                .and_then(|code| code.parse::<i64>().ok())
                .unwrap_or(0)
                & PRIMARY
        }
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => return RepositoryError::Unavailable(error.into()),
        _ => return RepositoryError::Refused(error.into()),
    };
    match code {
        READ_ONLY => RepositoryError::ReadOnly(error.to_string()),
        code if TRANSIENT.contains(&code) => RepositoryError::Unavailable(error.into()),
        _ => RepositoryError::Refused(error.into()),
    }
}
