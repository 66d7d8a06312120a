//! The embedded store: one file on one machine, WAL, every commit synced, its own clock.
//!
//! This file opens and checks; `repository.rs` binds; the statements are in `sql/`, one a file, twins of PostgreSQL's.

mod approval;
mod approval_row;
mod inspection;
mod migrate;
mod probe;
mod repository;
mod row;

use crate::error::RepositoryError;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use std::str::FromStr;
use std::time::Duration;

/// How long a statement waits for this process's writer. With [`BUSY_TIMEOUT`] it stays below a lease's margin.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a statement waits for another process's writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(4);

/// Connections that only read.
const READERS_MAX: u32 = 4;

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
        Self::open(url, true).await
    }

    /// As [`connect`](Self::connect), and makes no file: a mistyped name is an error.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect), and [`RepositoryError::Address`] for a file that is not there.
    pub async fn connect_existing(url: &str) -> Result<Self, RepositoryError> {
        let options = options(url)?;
        if !options.get_filename().exists() {
            return Err(RepositoryError::Address(format!(
                "there is no file {}: check the address, or make the store with `idem migrate`",
                options.get_filename().display()
            )));
        }
        Self::open(url, false).await
    }

    async fn open(url: &str, create: bool) -> Result<Self, RepositoryError> {
        let options = options(url)?.create_if_missing(create);
        let pool = |connections| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .test_before_acquire(false)
        };
        let writer = pool(1)
            .connect_with(options.clone())
            .await
            .map_err(|e| unopened(url, &e))?;
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

    /// The pool whose connections write.
    #[must_use]
    pub fn pool(&self) -> &SqlitePool {
        &self.writer
    }
}

fn options(url: &str) -> Result<SqliteConnectOptions, RepositoryError> {
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    let names_nothing = matches!(url.trim_end_matches('/'), "sqlite:" | "sqlite");
    if in_memory || names_nothing {
        return Err(RepositoryError::Address(
            "a SQLite store needs a file, such as `sqlite://agent.db`: a database in memory is another one for \
             each connection, and it is gone with the process, which is when a repeat arrives"
                .to_owned(),
        ));
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
        .busy_timeout(BUSY_TIMEOUT))
}

fn unopened(url: &str, error: &sqlx::Error) -> RepositoryError {
    RepositoryError::Unavailable(
        format!("{url} cannot be opened ({error}): its folder must exist and be writable").into(),
    )
}

/// Sorts a driver's error: asked again it may work, it is read-only, or it was refused.
pub(crate) fn sort_error(error: sqlx::Error) -> RepositoryError {
    /// The low byte of SQLite's extended result codes is the primary one.
    const PRIMARY: i64 = 0xff;
    const BUSY: i64 = 5;
    const LOCKED: i64 = 6;
    const READ_ONLY: i64 = 8;
    const IO: i64 = 10;
    const FULL: i64 = 13;

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
        BUSY | LOCKED | IO | FULL => RepositoryError::Unavailable(error.into()),
        _ => RepositoryError::Refused(error.into()),
    }
}
