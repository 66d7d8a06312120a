//! The store of record: PostgreSQL 14 or newer, autocommit, READ COMMITTED, its own clock.
//!
//! This file opens and checks; `repository.rs` binds; the statements are in `sql/`, one a file.

mod approval;
mod inspection;
mod many;
mod migrate;
mod probe;
mod repository;
mod row;
mod run;
#[cfg(feature = "testing")]
pub mod testing;
mod transaction;

/// The driver's connection, as a transaction lends it.
pub use sqlx::PgConnection;
pub use transaction::PostgresTransaction;

use crate::error::RepositoryError;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::query::Query;
use sqlx::{Connection, Postgres, query};
use std::str::FromStr;
use std::time::Duration;

/// How long a statement waits for a connection. With the lock timeout it stays below a lease's margin (R10).
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

/// Connections a process opens unless its pool says otherwise.
const CONNECTIONS_MAX: u32 = 10;

/// A row, as the driver gives it.
type Row = sqlx::postgres::PgRow;

/// A statement with what is bound to it.
type Statement<'q> = Query<'q, Postgres, PgArguments>;

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
        let server = options.clone();
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS_MAX)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            // A lost connection shows itself by the statement's error, which the service tries again; a ping before
            // each statement would double the round trips.
            .test_before_acquire(false)
            .connect_with(options)
            .await
            .map_err(|error| unreachable(&server, &error))?;
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

    /// Runs a statement to its end.
    async fn write(&self, statement: Statement<'_>) -> Result<Vec<Row>, RepositoryError> {
        self.answered(statement).await.map_err(sort_error)
    }

    /// As [`write`](Self::write), with the driver's own error.
    async fn answered(&self, statement: Statement<'_>) -> Result<Vec<Row>, sqlx::Error> {
        let answer = statement.fetch_all(&self.pool).await;
        if answer.as_ref().is_err_and(is_connection_lost) {
            self.shed_ended_connections().await;
        }
        answer
    }

    /// Runs a statement that only looks.
    async fn look(&self, statement: Statement<'_>) -> Result<Vec<Row>, RepositoryError> {
        self.write(statement).await
    }

    /// Looks at the idle connections after one of the pool's has ended: a server that restarted has ended them all,
    /// and each would cost a statement to find out.
    async fn shed_ended_connections(&self) {
        let mut alive = Vec::new();
        for _ in 0..self.pool.num_idle() {
            let Some(mut connection) = self.pool.try_acquire() else {
                return;
            };
            match connection.ping().await {
                Ok(()) => alive.push(connection),
                Err(_) => drop(connection.detach()),
            }
        }
    }
}

/// The server ended a session that was idle in a transaction for too long.
const IDLE_TOO_LONG: &str = "25P03";

/// Whether the connection itself is gone, and not only its statement.
fn is_connection_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(database) => database.code().is_some_and(|code| {
            code.starts_with("57P") || code.starts_with("08") || code == IDLE_TOO_LONG
        }),
        _ => false,
    }
}

/// A duration as the statements count it: in microseconds, and so few that the clock can add them.
fn span(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX / 2)
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

/// Names the server and never the password.
fn unreachable(server: &PgConnectOptions, error: &sqlx::Error) -> RepositoryError {
    let (host, port) = (server.get_host(), server.get_port());
    RepositoryError::Unavailable(
        format!("{error}; is PostgreSQL running at {host}:{port}, and does it let this role in?")
            .into(),
    )
}

/// Sorts a driver's error: asked again it may work, it is read-only, or it was refused.
pub(crate) fn sort_error(error: sqlx::Error) -> RepositoryError {
    let database = match error {
        sqlx::Error::Database(database) => database,
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Protocol(_)
        | sqlx::Error::Tls(_) => return RepositoryError::Unavailable(error.into()),
        _ => return RepositoryError::Refused(error.into()),
    };
    let code = database.code().unwrap_or_default();
    // The message alone: what the server adds to it quotes the row, and a row holds what people wrote.
    let text = format!("{} ({code})", database.message());
    match &*code {
        "25006" => RepositoryError::ReadOnly(text),
        code if is_transient(code) => RepositoryError::Unavailable(text.into()),
        _ => RepositoryError::Refused(text.into()),
    }
}

/// Connection failures (08), rollbacks (40), lack of resources (53), locks (55), a shutting server and a cancelled
/// statement (57), failures of the system under the server (58) and inside it (XX): none is about what was written.
fn is_transient(code: &str) -> bool {
    ["08", "40", "53", "55", "57", "58", "XX", IDLE_TOO_LONG]
        .iter()
        .any(|class| code.starts_with(class))
}
