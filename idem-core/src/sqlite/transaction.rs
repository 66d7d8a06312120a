//! The short transaction in which an effect and its answer commit together (R32).

use super::repository::{bind_answer, bind_held};
use super::waiting::Patience;
use super::{SqliteStore, sort_error};
use crate::answer::Answer;
use crate::claim::Fence;
use crate::error::{CommitError, RepositoryError};
use crate::repository::TRANSACTION_MAX;
use crate::stores::row::StoredRow;
use sqlx::{Sqlite, SqliteConnection, Transaction};
use std::time::{Duration, Instant};
use time::OffsetDateTime;

/// A transaction of at most [`TRANSACTION_MAX`], begun by [`SqliteStore::begin`]. Dropping it rolls it back.
#[must_use = "a transaction that is dropped is rolled back"]
#[derive(Debug)]
pub struct SqliteTransaction {
    inner: Transaction<'static, Sqlite>,
    ends: Instant,
}

impl SqliteStore {
    /// Begins a transaction for an effect that is rows of this database. It is for the end of the work: it holds the file's one writer,
    /// and it is rolled back after [`TRANSACTION_MAX`].
    ///
    /// # Errors
    ///
    /// [`RepositoryError`]: nothing was begun.
    ///
    /// # Cancel safety
    ///
    /// Safe: what was begun is rolled back.
    pub async fn begin(&self) -> Result<SqliteTransaction, RepositoryError> {
        let (begin, patience) = (include_str!("sql/transaction_begin.sql"), Patience::new());
        let inner = loop {
            match self.writer.begin_with(begin).await {
                Err(error) if patience.waits_out(&error).await => {}
                begun => break begun.map_err(sort_error)?,
            }
        };
        // Counted from here on, since the wait for the writer holds nobody up.
        let ends = Instant::now() + TRANSACTION_MAX;
        Ok(SqliteTransaction { inner, ends })
    }

    /// Looks, inside a transaction, whether the fence still stands, and keeps it standing until the transaction ends:
    /// the writer is alone. `false`: the lease moved on; write nothing (R7).
    ///
    /// The transaction may be the application's own. It must be the writer from the start (`BEGIN IMMEDIATE`).
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
        connection: &mut SqliteConnection,
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
        connection: &mut SqliteConnection,
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

impl SqliteTransaction {
    /// The connection, for the application's own statements. It must not end the transaction by a statement of its
    /// own.
    pub fn connection(&mut self) -> &mut SqliteConnection {
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

/// Whether a commit's error says that nothing was committed: a deferred constraint, or a lock. After a failed write
/// or sync the log may still hold the commit.
fn is_refusal(error: &sqlx::Error) -> bool {
    /// The low byte of SQLite's extended result codes is the primary one.
    const PRIMARY: i64 = 0xff;
    const BUSY: i64 = 5;
    const LOCKED: i64 = 6;
    const CONSTRAINT: i64 = 19;

    let code = error.as_database_error().and_then(|error| error.code());
    let code = code.and_then(|code| code.parse::<i64>().ok());
    matches!(
        code.map(|code| code & PRIMARY),
        Some(BUSY | LOCKED | CONSTRAINT)
    )
}

/// The savepoint is not there. SQLite has one code for every wrong statement, and this one can be wrong in no other way.
fn is_gone(error: &sqlx::Error) -> bool {
    const ERROR: &str = "1";

    let code = error.as_database_error().and_then(|error| error.code());
    code.as_deref() == Some(ERROR)
}
