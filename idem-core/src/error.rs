//! What a store can say went wrong. Contention, lost leases and duplicates are values elsewhere, not errors.

use std::error::Error;

/// The boxed cause of a store's error; the driver's types stay out of the public API.
pub type Source = Box<dyn Error + Send + Sync>;

/// A commit that was not acknowledged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// The transaction's time was over, so it was rolled back.
    #[error("the transaction took longer than it may, and was rolled back")]
    TimeIsOver,
    /// The store refused it: nothing was committed.
    #[error("nothing was committed: {0}")]
    RolledBack(#[source] RepositoryError),
    /// The reply was lost: it may be committed or not, and the journal tells which.
    #[error("the commit was sent and its reply was lost: {0}")]
    Unknown(#[source] RepositoryError),
}

/// What a store can say went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepositoryError {
    /// It did not answer, or not in time. The statement may have been carried out.
    #[error("the store did not answer: {0}")]
    Unavailable(#[source] Source),
    /// It refused the statement.
    #[error("the store refused the statement: {0}")]
    Refused(#[source] Source),
    /// It cannot be written to.
    #[error("the store is read-only: {0}; open the primary, with a role that may write")]
    ReadOnly(String),
    /// A row that no version of Idem wrote.
    #[error("a stored row cannot be read: {0}")]
    Corrupt(String),
    /// The schema is of a newer version of Idem.
    #[error(
        "the database has schema version {found}, and this build knows {known}: \
         update the program, or point it at another database"
    )]
    SchemaNewer {
        /// The newest migration in the database.
        found: i64,
        /// The newest that this build knows.
        known: i64,
    },
    /// The schema is missing or of an older version.
    #[error(
        "the database has schema version {found}, and this build needs {known}: \
         open it once with migration on, or run the migrations with a role that may"
    )]
    SchemaOlder {
        /// The newest migration in the database; 0 where there is none.
        found: i64,
        /// The newest that this build knows.
        known: i64,
    },
    /// An acknowledged answer could be lost.
    #[error("{setting} is `{found}`, so an acknowledged answer could be lost: {remedy}")]
    NotDurable {
        /// The setting.
        setting: &'static str,
        /// Its value.
        found: String,
        /// What to do.
        remedy: String,
    },
    /// A session setting that the protocol relies on.
    #[error("{setting} is `{found}`, and the claims need {needed}: {remedy}")]
    Session {
        /// The setting.
        setting: &'static str,
        /// Its value.
        found: String,
        /// What it has to be.
        needed: &'static str,
        /// What to do.
        remedy: String,
    },
    /// A store that cannot be opened by this address.
    #[error("{0}")]
    Address(String),
    /// A migration failed.
    #[error("a migration failed: {0}")]
    Migration(#[source] Source),
}

impl RepositoryError {
    /// The store may answer if it is asked again.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}
