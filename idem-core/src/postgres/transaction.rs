//! The short transaction in which an effect and its answer commit together (R32).

use super::repository::{bind_answer, bind_held};
use super::{PostgresStore, sort_error};
use crate::answer::Answer;
use crate::claim::Fence;
use crate::error::{CommitError, RepositoryError};
use crate::repository::TRANSACTION_MAX;
use crate::stores::row::StoredRow;
use sqlx::{PgConnection, Postgres, Transaction};
use std::time::{Duration, Instant};
use time::OffsetDateTime;

/// A transaction of at most [`TRANSACTION_MAX`], begun by [`PostgresStore::begin`]. Dropping it rolls it back.
#[must_use = "a transaction that is dropped is rolled back"]
#[derive(Debug)]
pub struct PostgresTransaction {
    inner: Transaction<'static, Postgres>,
    ends: Instant,
}

impl PostgresStore {
    /// Begins a transaction for an effect that is rows of this database. It is for the end of the work: it holds a connection and the claim's row,
    /// and it is rolled back after [`TRANSACTION_MAX`].
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: nothing was begun.
    ///
    /// # Cancel safety
    ///
    /// Safe: what was begun is rolled back.
    pub async fn begin(&self) -> Result<PostgresTransaction, RepositoryError> {
        // In a task of its own: a BEGIN that is dropped on its way would stay open in the pool, since the driver
        // counts the transaction only once the server has answered. Dropped after that, it is rolled back.
        let pool = self.pool.clone();
        let begun = tokio::spawn(async move {
            pool.begin_with(include_str!("sql/transaction_begin.sql"))
                .await
        });
        let begun = begun
            .await
            .map_err(|error| RepositoryError::Unavailable(error.into()))?;
        let inner = begun.map_err(sort_error)?;
        // Counted from here on, since the wait for a connection holds nobody up.
        let ends = Instant::now() + TRANSACTION_MAX;
        Ok(PostgresTransaction { inner, ends })
    }

    /// Looks, inside a transaction, whether the fence still stands, and keeps it standing until the transaction ends:
    /// the row is locked. `false`: the lease moved on; write nothing (R7).
    ///
    /// The transaction may be the application's own. It must be READ COMMITTED.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: roll the transaction back.
    ///
    /// # Cancel safety
    ///
    /// Safe: nothing is written.
    pub async fn fence_in(
        &self,
        connection: &mut PgConnection,
        fence: &Fence,
    ) -> Result<bool, RepositoryError> {
        let statement = bind_held(sqlx::query(include_str!("sql/fence_in.sql")), &fence.held);
        let rows = statement.fetch_all(connection).await.map_err(sort_error)?;
        Ok(!rows.is_empty())
    }

    /// Stores the claim's answer inside a transaction, so that it commits with the effect or not at all; gives back
    /// when. `None`: the lease moved on; roll the transaction back (R7).
    ///
    /// The claim itself is ended by [`committed`](crate::IdempotencyService::committed) once the commit was
    /// acknowledged.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: roll the transaction back.
    ///
    /// # Cancel safety
    ///
    /// Safe: nothing counts before the commit.
    pub async fn complete_in(
        &self,
        connection: &mut PgConnection,
        fence: &Fence,
        answer: &Answer,
    ) -> Result<Option<OffsetDateTime>, RepositoryError> {
        let statement = bind_held(sqlx::query(include_str!("sql/complete.sql")), &fence.held);
        let statement = bind_answer(statement, answer);
        let rows = statement.fetch_all(connection).await.map_err(sort_error)?;
        rows.first()
            .map(|row| row.instant("completed_at"))
            .transpose()
    }
}

impl PostgresTransaction {
    /// The connection, for the application's own statements. It must not end the transaction by a statement of its
    /// own.
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.inner
    }

    /// Whether this is the transaction that was begun: `false` where a statement of the application's has ended it.
    /// To be asked once, before the answer is completed in it.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: the store did not answer.
    pub async fn is_whole(&mut self) -> Result<bool, RepositoryError> {
        let released = sqlx::query(include_str!("sql/release_effect.sql"))
            .execute(self.connection())
            .await;
        match released {
            Ok(_) => Ok(true),
            Err(error) if is_gone(&error) => Ok(false),
            Err(error) => Err(sort_error(error)),
        }
    }

    /// What is left of [`TRANSACTION_MAX`].
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Commits. A transaction whose time is over is rolled back instead.
    ///
    /// # Errors
    ///
    /// [`CommitError::RolledBack`] where nothing was committed, [`CommitError::Unknown`] where the reply was lost.
    ///
    /// # Cancel safety
    ///
    /// Not safe: it may be committed or not; read the journal.
    pub async fn commit(self) -> Result<(), CommitError> {
        if self.time_left().is_zero() {
            return Err(CommitError::TimeIsOver);
        }
        self.inner.commit().await.map_err(|error| {
            let refused = is_refusal(&error);
            let error = sort_error(error);
            if refused {
                CommitError::RolledBack(error)
            } else {
                CommitError::Unknown(error)
            }
        })
    }

    /// Rolls back, and waits until that is done.
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: the connection is lost, and with it the transaction.
    ///
    /// # Cancel safety
    ///
    /// Safe: it is rolled back all the same.
    pub async fn rollback(self) -> Result<(), RepositoryError> {
        self.inner.rollback().await.map_err(sort_error)
    }
}

/// Whether a commit's error says that nothing was committed: the server refused it, and did not go away meanwhile.
fn is_refusal(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| !code.starts_with("08") && !code.starts_with("57P"))
}

/// The savepoint is not there, or no transaction is. A transaction that a statement has aborted is still the one that
/// was begun: it rolls back.
fn is_gone(error: &sqlx::Error) -> bool {
    const NO_SAVEPOINT: &str = "3B001";
    const NO_TRANSACTION: &str = "25P01";

    let code = error.as_database_error().and_then(|error| error.code());
    matches!(code.as_deref(), Some(NO_SAVEPOINT | NO_TRANSACTION))
}
