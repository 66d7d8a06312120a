//! What a test does behind a store's back: it lets time pass, by moving rows back in it, and makes a database of its
//! own. For tests only, never for production (feature `testing`).
//!
//! Every call opens a connection of its own and closes it, so that nothing of the test's stays connected while the
//! store is at work. The statements are in each store's `testing/` folder.

use crate::error::RepositoryError;
use crate::open;
use crate::request::ClaimKey;
use std::time::Duration;

/// Which rows are moved back in time. All of a row's instants move, so that it keeps its own order in time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Rows<'a> {
    /// One key's.
    Key(&'a ClaimKey),
    /// Every key's, claims and answers, of all organizations.
    Keys,
    /// Every card's.
    Cards,
    /// Every turn's beginning.
    Turns,
    /// Every run's.
    Runs,
}

/// Moves rows of the store at this address back in time, as if `by` had passed; how many rows.
///
/// # Errors
///
/// [`RepositoryError`]: the store does not open, or has no tables yet.
pub async fn age(url: &str, rows: Rows<'_>, by: Duration) -> Result<u64, RepositoryError> {
    match open::scheme(url)? {
        #[cfg(feature = "sqlite")]
        open::Scheme::Sqlite => crate::sqlite::testing::age(url, rows, by).await,
        #[cfg(feature = "postgres")]
        open::Scheme::Postgres => crate::postgres::testing::age(url, rows, by).await,
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => Err(not_built((rows, by))),
    }
}

/// Lets every live lease pass, and no more than that: its row is moved back by what the lease has left, so that a
/// vendor's window stays open. How many leases were alive.
///
/// # Errors
///
/// As [`age`].
pub async fn pass_leases(url: &str) -> Result<u64, RepositoryError> {
    match open::scheme(url)? {
        #[cfg(feature = "sqlite")]
        open::Scheme::Sqlite => crate::sqlite::testing::pass_leases(url).await,
        #[cfg(feature = "postgres")]
        open::Scheme::Postgres => crate::postgres::testing::pass_leases(url).await,
        #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
        _ => Err(not_built(())),
    }
}

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
fn not_built<T>(_: T) -> RepositoryError {
    RepositoryError::Address("this program was built without that store".to_owned())
}
