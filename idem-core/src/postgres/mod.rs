//! The store of record: PostgreSQL 14 or newer, autocommit, READ COMMITTED, its own clock.
//!
//! This file opens and checks; `repository.rs` binds; the statements are in `sql/`, one a file.

mod approval;
mod approval_row;
mod inspection;
mod migrate;
mod probe;
mod repository;
mod row;

use crate::error::RepositoryError;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use std::str::FromStr;
use std::time::Duration;

/// How long a statement waits for a connection. With the lock timeout it stays below a lease's margin (R10).
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

/// Connections a process opens unless its pool says otherwise.
const CONNECTIONS_MAX: u32 = 10;

/// The plane on PostgreSQL. Cheap to clone; every clone shares the pool.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    /// Connects by URL, `postgres://user@host/database`. Nothing is migrated and nothing is checked.
    ///
    /// # Errors
    ///
    /// [`RepositoryError::Address`] for a URL that cannot be read, [`RepositoryError::Unavailable`] for a server
    /// that does not answer.
    pub async fn connect(url: &str) -> Result<Self, RepositoryError> {
        let options = options(url)?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS_MAX)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            // A lost connection shows itself by the statement's error, which the service tries again; a ping before
            // each statement would double the round trips.
            .test_before_acquire(false)
            .connect_with(options)
            .await
            .map_err(|error| unreachable(&error))?;
        Ok(Self { pool })
    }

    /// The plane over an application's own pool. The plane holds no connection while a tool's body runs.
    #[must_use]
    pub fn from_pool(pool: PgPool) -> Self {
        Self { pool }
    }

    /// The pool.
    #[must_use]
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }
}

fn options(url: &str) -> Result<PgConnectOptions, RepositoryError> {
    // The driver's own error may repeat the URL, and a URL may hold a password.
    PgConnectOptions::from_str(url).map(|options| options.application_name("idem")).map_err(|_| {
        RepositoryError::Address(
            "the store's address cannot be read: write `postgres://user:password@host:5432/database`"
                .to_owned(),
        )
    })
}

fn unreachable(error: &sqlx::Error) -> RepositoryError {
    RepositoryError::Unavailable(error.to_string().into())
}

/// Sorts a driver's error: asked again it may work, it is read-only, or it was refused.
pub(crate) fn sort_error(error: sqlx::Error) -> RepositoryError {
    let code = match &error {
        sqlx::Error::Database(database) => database.code().map(|code| code.into_owned()),
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Protocol(_)
        | sqlx::Error::Tls(_) => return RepositoryError::Unavailable(error.into()),
        _ => return RepositoryError::Refused(error.into()),
    };
    match code.as_deref().unwrap_or_default() {
        "25006" => RepositoryError::ReadOnly(error.to_string()),
        code if is_transient(code) => RepositoryError::Unavailable(error.into()),
        _ => RepositoryError::Refused(error.into()),
    }
}

/// Connection failures (08), rollbacks (40), too many connections (53), a shutting server (57P), locks (55P03) and
/// a cancelled statement (57014).
fn is_transient(code: &str) -> bool {
    ["08", "40", "53", "57P"]
        .iter()
        .any(|class| code.starts_with(class))
        || code == "55P03"
        || code == "57014"
}
